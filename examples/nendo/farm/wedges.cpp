// SPDX-License-Identifier: Apache-2.0
#include "farm/farm.h"

#include "io/file.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <map>
#include <numeric>

namespace nendo::cli::farm {

namespace {

constexpr std::size_t max_wedges = 100000;

struct GridAxis {
    std::string path;
    std::vector<Json> values;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.path, field("path"));
        visit(self.values, field("values"));
    }
};

struct RangeAxis {
    std::string path;
    double from = 0;
    double to = 0;
    bool log = false;     ///< Uniform in the logarithm
    bool integer = false; ///< Whole numbers, including both ends

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.path, field("path"));
        visit(self.from, field("from"));
        visit(self.to, field("to"));
        visit(self.log, field("log"));
        visit(self.integer, field("integer"));
    }
};

struct Hypercube {
    int samples = 0;
    std::uint32_t seed = 1;
    std::vector<RangeAxis> axes;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.samples, field("samples").range(1, max_wedges));
        visit(self.seed, field("seed"));
        visit(self.axes, field("axes"));
    }
};

struct WedgeFile {
    std::vector<std::string> set;
    std::vector<GridAxis> grid;
    std::vector<Wedge> list;
    std::optional<Hypercube> latin_hypercube;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.set, field("set"));
        visit(self.grid, field("grid"));
        visit(self.list, field("list"));
        visit(self.latin_hypercube, field("latin_hypercube"));
    }
};

/// Gives the same numbers on every machine, unlike the distributions of <random>.
class Random {
public:
    explicit Random(std::uint64_t seed) : m_state(seed) {}

    std::uint64_t next() { // splitmix64
        m_state += 0x9e3779b97f4a7c15u;
        std::uint64_t z = m_state;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    double fraction() { return static_cast<double>(next() >> 11) * 0x1p-53; }
    std::size_t below(std::size_t count) { return static_cast<std::size_t>(next() % count); }

private:
    std::uint64_t m_state;
};

std::string assign(const std::string& path, const Json& value) {
    return path + "=" + value.dump();
}

/// All combinations of values; the last axis varies fastest.
std::vector<Wedge> grid_wedges(const std::vector<GridAxis>& axes, const JsonPlace& place) {
    std::vector<Wedge> wedges(1);
    for (std::size_t k = 0; k < axes.size(); ++k) {
        if (axes[k].values.empty())
            throw Error("has no values", place.below(k).below("values").where(),
                        "give at least one");
        if (wedges.size() * axes[k].values.size() > max_wedges)
            throw Error(fmt::format("has more than {} wedges", max_wedges), place.where(),
                        "give fewer values, or use a latin_hypercube");
        std::vector<Wedge> finer;
        for (const Wedge& wedge : wedges)
            for (const Json& value : axes[k].values) {
                finer.push_back(wedge);
                finer.back().set.push_back(assign(axes[k].path, value));
            }
        wedges = std::move(finer);
    }
    return wedges;
}

/// The value at `t` in [0, 1) of the axis.
Json value_at(const RangeAxis& axis, double t) {
    if (axis.integer)
        return static_cast<std::int64_t>(std::floor(axis.from + t * (axis.to - axis.from + 1)));
    return axis.log ? axis.from * std::pow(axis.to / axis.from, t)
                    : axis.from + t * (axis.to - axis.from);
}

void check_axis(const RangeAxis& axis, const JsonPlace& place) {
    if (!(axis.from < axis.to))
        throw Error(fmt::format("runs from {} to {}", axis.from, axis.to), place.where(),
                    "use a `from` below `to`");
    if (axis.log && (axis.from <= 0 || axis.integer))
        throw Error("cannot be logarithmic", place.where(),
                    "use a `from` above 0 without `integer`, or remove `log`");
}

/// Latin hypercube: every axis is cut into as many slices as samples, and each slice has one
/// sample.
std::vector<Wedge> hypercube_wedges(const Hypercube& cube, const JsonPlace& place) {
    const auto count = static_cast<std::size_t>(cube.samples);
    std::vector<Wedge> wedges(count);
    Random random(cube.seed);
    for (std::size_t k = 0; k < cube.axes.size(); ++k) {
        const RangeAxis& axis = cube.axes[k];
        check_axis(axis, place.below("axes").below(k));
        std::vector<std::size_t> slices(count);
        std::iota(slices.begin(), slices.end(), std::size_t{0});
        for (std::size_t i = count; i > 1; --i) std::swap(slices[i - 1], slices[random.below(i)]);
        for (std::size_t i = 0; i < count; ++i) {
            const double t =
                (static_cast<double>(slices[i]) + random.fraction()) / static_cast<double>(count);
            wedges[i].set.push_back(assign(axis.path, value_at(axis, t)));
        }
    }
    return wedges;
}

/// Names the wedges without a name. Throws if a name cannot name a folder, or is used twice.
void name_wedges(std::vector<Wedge>& wedges, const std::string& file) {
    const std::size_t digits = std::to_string(wedges.size() - 1).size();
    std::map<std::string, std::size_t> taken; // in lower case: some file systems ignore case
    for (std::size_t i = 0; i < wedges.size(); ++i) {
        std::string& name = wedges[i].name;
        const std::string where = fmt::format("{}: wedge {}", file, i);
        if (name.empty()) name = fmt::format("w{:0{}}", i, digits);
        check_name(name, where);
        std::string key = name;
        for (char& c : key) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        const auto [other, fresh] = taken.emplace(key, i);
        if (!fresh)
            throw Error(fmt::format("its name \"{}\" collides with \"{}\" of wedge {}", name,
                                    wedges[other->second].name, other->second),
                        where, "use names that differ by more than case");
    }
}

} // namespace

void check_name(const std::string& name, const std::string& where) {
    bool good = !name.empty() && name.size() <= 64 && name.front() != '.' && name.front() != '-';
    for (const char c : name)
        good = good && (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' ||
                        c == '.');
    if (!good)
        throw Error("\"" + name + "\" cannot name a folder on every farm", where,
                    "use up to 64 letters, digits, _, - and .");
}

std::string path_of(const std::string& assignment) {
    return assignment.substr(0, assignment.find('='));
}

std::string value_of(const std::string& assignment) {
    const std::size_t equals = assignment.find('=');
    return equals == std::string::npos ? "" : assignment.substr(equals + 1);
}

std::vector<Wedge> read_wedges(const std::filesystem::path& file) {
    const JsonPlace place{file.string(), ""};
    WedgeFile content;
    read_object(content, parse_json(read_file(file.string()), file.string()), place);
    const int kinds = int(!content.grid.empty()) + int(!content.list.empty()) +
                      int(content.latin_hypercube.has_value());
    if (kinds != 1)
        throw Error(kinds == 0 ? "has no wedges" : "has wedges of more than one kind",
                    place.where(), "give exactly one of grid, list and latin_hypercube");
    std::vector<Wedge> wedges =
        !content.grid.empty() ? grid_wedges(content.grid, place.below("grid"))
        : !content.list.empty()
            ? content.list
            : hypercube_wedges(*content.latin_hypercube, place.below("latin_hypercube"));
    name_wedges(wedges, file.string());
    for (Wedge& wedge : wedges)
        wedge.set.insert(wedge.set.begin(), content.set.begin(), content.set.end());
    return wedges;
}

} // namespace nendo::cli::farm
