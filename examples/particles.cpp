#include "particles.h"

#include "methods.h"

#include "core/error.h"
#include "io/geo.h"

#include <algorithm>
#include <map>
#include <type_traits>
#include <variant>

namespace nendo {

namespace fs = std::filesystem;

namespace {

/// The numbers of an attribute, of whatever type they are; empty when there is none of this size.
template <class Number>
std::vector<Number> numbers_of(const Geometry& geometry, std::string_view name, int tuple_size) {
    std::vector<Number> numbers;
    const Attribute* found = find_attribute(geometry.point_attributes, name);
    if (found == nullptr || found->tuple_size != tuple_size) return numbers;
    std::visit(
        [&](const auto& values) {
            using Values = std::decay_t<decltype(values)>;
            if constexpr (!std::is_same_v<Values, StringColumn> &&
                          !std::is_same_v<Values, KeptAttribute>)
                for (const auto value : values) numbers.push_back(static_cast<Number>(value));
        },
        found->values);
    return numbers;
}

std::vector<Vec3d> vectors_of(const Geometry& geometry, std::string_view name) {
    const std::vector<double> numbers = numbers_of<double>(geometry, name, 3);
    std::vector<Vec3d> vectors;
    for (std::size_t i = 0; i + 2 < numbers.size(); i += 3)
        vectors.emplace_back(numbers[i], numbers[i + 1], numbers[i + 2]);
    return vectors;
}

} // namespace

SurfaceInput read_particles(const std::string& path, double spacing) {
    const Geometry geometry = read_geometry(path);
    SurfaceInput particles;
    particles.positions = vectors_of(geometry, "P");
    particles.velocities = vectors_of(geometry, "v");
    particles.bodies = numbers_of<std::int32_t>(geometry, "body", 1);
    particles.groups = numbers_of<std::int32_t>(geometry, "join", 1);
    const std::vector<double> radius = numbers_of<double>(geometry, "pscale", 1);
    particles.spacing = spacing;
    if (spacing <= 0 && !radius.empty())
        particles.spacing = 2 * *std::max_element(radius.begin(), radius.end());
    if (!particles.positions.empty() && !(particles.spacing > 0))
        throw Error("has no pscale, so that the particles' spacing is not known", path,
                    "give --spacing in metres");
    return particles;
}

int shown_frame(const fs::path& file) {
    for (const FrameStems& method : all_stems())
        if (const auto frame = frame_of(file.filename().string(), std::string(method.shown)))
            return *frame;
    return -1;
}

std::vector<FrameFile> find_particles(const fs::path& folder, const std::string& range) {
    std::map<int, fs::path> frames;
    std::string stems;
    for (const FrameStems& method : all_stems()) {
        if (frames.empty()) frames = list_frames(folder, std::string(method.shown));
        stems += (stems.empty() ? "" : ", ") + std::string(method.shown) + ".*";
    }
    if (frames.empty())
        throw Error("has no frames (" + stems + ")", folder.string(),
                    "run nendo sim into it first");
    const FrameRange wanted =
        range.empty() ? FrameRange{0, frames.rbegin()->first} : parse_frames(range);
    std::vector<FrameFile> files;
    for (const auto& [frame, path] : frames)
        if (wanted.holds(frame)) files.push_back({frame, path});
    if (files.empty())
        throw Error("none of these frames is in " + folder.string(), "--frames " + range,
                    "it has " + std::to_string(frames.begin()->first) + "-" +
                        std::to_string(frames.rbegin()->first));
    return files;
}

} // namespace nendo
