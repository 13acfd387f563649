// SPDX-License-Identifier: Apache-2.0
// nendo info: describes the contents of a file, as text or as JSON.
#include "command.h"
#include "run/console.h"
#include "run/methods.h"
#include "run/run_note.h"

#include "core/hash.h"
#include "elastoplastic/distributed.h"
#include "geometry/mesh_sdf.h"
#include "io/checkpoint.h"
#include "io/file.h"
#include "io/geo/geo.h"
#include "io/mesh/mesh_file.h"
#include "io/vdb_file.h"
#include "processes/slabs.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

namespace nendo::cli {

namespace {

Json bounds_of(const std::vector<Vec3d>& points) {
    if (points.empty()) return nullptr;
    Box3 box;
    for (const Vec3d& x : points) {
        box.min = box.min.cwiseMin(x);
        box.max = box.max.cwiseMax(x);
    }
    return {{"min", write_json(box.min, field(""))}, {"max", write_json(box.max, field(""))}};
}

/// Name, type, size and range of each component of an attribute.
Json describe_attribute(const Attribute& attribute) {
    Json json{{"name", attribute.name}};
    std::visit(
        [&](const auto& values) {
            using Values = std::decay_t<decltype(values)>;
            if constexpr (std::is_same_v<Values, StringColumn>) {
                json["type"] = "string";
                json["size"] = attribute.tuple_size;
                json["values"] = values.table.size();
            } else if constexpr (std::is_same_v<Values, KeptAttribute>) {
                json["type"] = "other";
            } else {
                using Scalar = typename Values::value_type;
                const auto size = static_cast<std::size_t>(attribute.tuple_size);
                json["type"] = fmt::format("{}{}", std::is_integral_v<Scalar> ? "int" : "fpreal",
                                           8 * sizeof(Scalar));
                json["size"] = size;
                if (values.size() < size || size == 0) return;
                std::vector<Scalar> low(values.begin(), values.begin() + attribute.tuple_size);
                std::vector<Scalar> high = low;
                for (std::size_t i = 0; i < values.size(); ++i) {
                    low[i % size] = std::min(low[i % size], values[i]);
                    high[i % size] = std::max(high[i % size], values[i]);
                }
                json["min"] = low;
                json["max"] = high;
            }
        },
        attribute.values);
    return json;
}

Json describe_attributes(const std::vector<Attribute>& attributes) {
    Json list = Json::array();
    for (const Attribute& attribute : attributes) list.push_back(describe_attribute(attribute));
    return list;
}

Json describe_geometry(const std::string& path) {
    const Geometry geometry = read_geometry(path);
    Json groups = Json::array();
    for (const auto* list :
         {&geometry.point_groups, &geometry.vertex_groups, &geometry.primitive_groups})
        for (const Group& group : *list) groups.push_back(group.name);
    return {{"format", "geometry"},
            {"points", geometry.point_count},
            {"vertices", geometry.vertex_count()},
            {"primitives", geometry.primitive_count},
            {"point_attributes", describe_attributes(geometry.point_attributes)},
            {"vertex_attributes", describe_attributes(geometry.vertex_attributes)},
            {"primitive_attributes", describe_attributes(geometry.primitive_attributes)},
            {"detail_attributes", describe_attributes(geometry.detail_attributes)},
            {"groups", groups}};
}

Json describe_mesh(const std::string& path) {
    const TriMesh mesh = read_mesh(path);
    const MeshReport report = inspect_mesh(mesh);
    return {{"format", "mesh"},
            {"points", mesh.points.size()},
            {"triangles", mesh.triangles.size()},
            {"bounds", bounds_of(mesh.points)},
            {"area", report.area},
            {"volume", report.volume},
            {"open_edges", report.open_edges},
            {"warning", report.warning()}};
}

Json describe_scene(const std::string& path) {
    Console console(ConsoleMode::quiet);
    Json json{{"format", "scene"}};
    with_scene(load_scene_json(path), path, [&](const auto& spec) {
        using Method = MethodOf<std::decay_t<decltype(spec)>>;
        const auto built = build_scene(spec, path, console);
        json["title"] = spec.common.title;
        json["method"] = spec.method;
        json.update(Method::counts(built));
        json["colliders"] = built.scene.colliders.size();
        json["pins"] = built.scene.pins.size();
        json["frames"] = spec.common.frames;
        json["fps"] = spec.common.fps;
        json["bounds"] = bounds_of(Method::positions(built));
        json["hash"] = hex(scene_hash(spec, path));
    });
    return json;
}

Json describe_vdb(const std::string& path) {
    const VdbInfo info = read_vdb_info(path);
    Json grids = Json::array();
    for (const VdbGridInfo& grid : info.grids)
        grids.push_back({{"name", grid.name},
                         {"type", grid.type},
                         {"class", grid.grid_class},
                         {"half", grid.half},
                         {"voxels", grid.voxels},
                         {"voxel_size", write_json(grid.voxel_size, field(""))},
                         {"bounds", bounds_of({grid.bounds.min, grid.bounds.max})}});
    Json json{{"format", "vdb"}, {"grids", grids}};
    for (const auto& [key, value] : info.metadata) json["metadata"][key] = value;
    return json;
}

/// How to divide the particles between processes, to estimate their exchange: slabs of space with
/// equally many rows of the first table. Ghosts are rows within a width of a cut, on both sides.
struct CutOptions {
    int count = 0;    ///< Number of slabs; 0: no estimate
    double width = 0; ///< Width of ghosts in spacings; 0: the width that an explicit substep needs
};

/// Width of ghosts in spacings: an explicit substep depends on neighbors of neighbors.
constexpr double usual_ghosts = 4;

template <class State> Json describe_cuts(const State& state, const CutOptions& options) {
    Slabs slabs;
    double spacing = 0;
    Json tables = Json::array();
    const elastoplastic::GhostMargins margins = elastoplastic::ghost_margins({});
    const double unit = elastoplastic::Params().spacing;
    State::tables(state, [&](const auto& table, std::string_view name) {
        std::vector<Vec3d> points;
        std::size_t row_bytes = 0;
        for_each_field(table, [&](const auto& column, const Field& f) {
            using T = typename std::decay_t<decltype(column)>::value_type;
            row_bytes += sizeof(T);
            if constexpr (ElementTraits<T>::width == 3)
                if (f.name_ == "P")
                    for (const T& x : column) points.push_back(x.template cast<double>());
            if constexpr (std::is_floating_point_v<T>)
                if (f.name_ == "pscale" && spacing == 0)
                    for (const T& r : column) spacing = std::max(spacing, 2 * double(r));
        });
        if (slabs.cuts.empty() && !points.empty() && spacing > 0) {
            slabs.axis = longest_axis(points);
            slabs.cuts = even_cuts(count_bins(points, slabs.axis, spacing), spacing, options.count);
        }
        Json row{{"table", name}, {"rows", table_size(table)}, {"bytes_per_row", row_bytes}};
        if (!points.empty()) {
            double width = options.width > 0 ? options.width : usual_ghosts;
            if (options.width == 0 && name == "masters") width = margins.masters / unit;
            if (options.width == 0 && name == "slaves") width = margins.slaves / unit;
            std::vector<std::int64_t> ghosts;
            for (const double cut : slabs.cuts)
                ghosts.push_back(std::count_if(points.begin(), points.end(), [&](const Vec3d& x) {
                    return std::abs(x[slabs.axis] - cut) <= width * spacing;
                }));
            row["width"] = width;
            row["ghosts_by_cut"] = ghosts;
            const auto most = std::max_element(ghosts.begin(), ghosts.end());
            row["most_bytes_per_cut"] =
                ghosts.empty() ? 0 : *most * static_cast<std::int64_t>(row_bytes);
        }
        tables.push_back(row);
    });
    return {{"axis", slabs.axis}, {"spacing", spacing}, {"cuts", slabs.cuts}, {"tables", tables}};
}

/// Rows of each table, and the bounds of the first table with positions.
template <class State>
Json describe_state(const std::string& path, std::string_view method, const CutOptions& cuts) {
    State state;
    const RunNote note = read_note(read_checkpoint(path, state, method), path);
    Json json{{"scene", note.scene},
              {"frame", note.frame},
              {"nendo", note.nendo},
              {"time", state.details.time}};
    std::vector<Vec3d> points;
    State::tables(state, [&](const auto& table, std::string_view name) {
        json[std::string(name)] = table_size(table);
        if (!points.empty()) return;
        for_each_field(table, [&](const auto& column, const Field& f) {
            using T = typename std::decay_t<decltype(column)>::value_type;
            if constexpr (ElementTraits<T>::width == 3)
                if (f.meaning_ == Meaning::point && points.empty())
                    for (const T& x : column) points.push_back(x.template cast<double>());
        });
    });
    json["bounds"] = bounds_of(points);
    json["hash"] = hex(hash_state(state));
    if (cuts.count > 0) json["slabs"] = describe_cuts(state, cuts);
    return json;
}

Json describe_checkpoint(const std::string& path, const CutOptions& cuts) {
    const CheckpointHeader header = read_checkpoint_header(path);
    Json json{{"format", "checkpoint"}, {"method", header.method}, {"precision", header.precision}};
    for_each_scene_type([&](auto type) {
        using Spec = typename decltype(type)::type;
        using Method = MethodOf<Spec>;
        if (Spec::method != header.method) return;
        json.update(
            header.precision == "double"
                ? describe_state<typename Method::template State<double>>(path, Spec::method, cuts)
                : describe_state<typename Method::template State<float>>(path, Spec::method, cuts));
    });
    return json;
}

Json describe_file(const std::string& path, const CutOptions& cuts) {
    Json info{{"file", path}};
    const std::string bytes = read_file(path);
    info["bytes"] = bytes.size();
    for (const char* suffix : {".geo", ".bgeo", ".bgeo.sc"})
        if (has_suffix(path, suffix)) return info.update(describe_geometry(path)), info;
    for (const char* suffix : {".obj", ".ply"})
        if (has_suffix(path, suffix)) return info.update(describe_mesh(path)), info;
    if (has_suffix(path, ".vdb")) return info.update(describe_vdb(path)), info;
    if (has_suffix(path, ".nendo")) return info.update(describe_checkpoint(path, cuts)), info;
    if (has_suffix(path, ".json")) return info.update(describe_scene(path)), info;
    throw Error("has an unknown format", path,
                "give a .bgeo.sc, .bgeo, .geo, .vdb, .obj, .ply, .nendo or scene .json file");
}

/// Numbers with few digits, lists in brackets, text without quotes.
std::string short_text(const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
    if (!value.is_array() && !value.is_object()) return value.dump();
    std::string text;
    for (const auto& [key, item] : value.items())
        text += (text.empty() ? "" : " ") + (value.is_object() ? key + " " : "") + short_text(item);
    return value.is_array() ? "[" + text + "]" : text;
}

/// Prints one line per value, and one per attribute or grid.
void print_info(const Json& info) {
    const Json no_text = "";
    for (const auto& [key, value] : info.items()) {
        const bool table = value.is_array() && !value.empty() && value[0].is_object();
        if (table)
            for (const Json& row : value) std::cout << key << ": " << short_text(row) << "\n";
        else if (!value.is_null() && !value.empty() && value != no_text)
            std::cout << key << ": " << short_text(value) << "\n";
    }
}

} // namespace

void add_info(CLI::App& app) {
    struct Options {
        std::string file;
        bool json = false;
        CutOptions cuts;
    };
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("info", "Describe the contents of a file.");
    command
        ->add_option("FILE", options->file,
                     "Geometry (.bgeo.sc, .bgeo, .geo), .vdb, mesh (.obj, .ply), checkpoint "
                     "(.nendo) or scene (.json).")
        ->required();
    command->add_flag("--json", options->json, "Print one JSON object.");
    command
        ->add_option("--slabs", options->cuts.count,
                     "For a checkpoint: estimate the data that this many processes would exchange.")
        ->check(CLI::Range(2, 100000));
    command
        ->add_option("--ghosts", options->cuts.width,
                     "Width of their ghosts in spacings (default: the width that an explicit "
                     "substep needs).")
        ->check(CLI::PositiveNumber);
    command->callback([options] {
        const Json info = describe_file(options->file, options->cuts);
        if (options->json)
            std::cout << info.dump(2) << "\n";
        else
            print_info(info);
    });
}

} // namespace nendo::cli
