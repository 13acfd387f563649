// SPDX-License-Identifier: Apache-2.0
#include "run/particles.h"

#include "run/methods.h"

#include "core/error.h"
#include "io/geo/geo.h"
#include "surface/carried.h"
#include "surface/matter.h"

#include <algorithm>
#include <map>
#include <variant>

namespace nendo::cli {

namespace fs = std::filesystem;

namespace {

/// The values of a numeric attribute of any type; empty if there is none of this size.
template <class Number>
std::vector<Number> numbers_of(const Geometry& geometry, std::string_view name, int tuple_size) {
    std::vector<Number> numbers;
    const Attribute* found = find_attribute(geometry.point_attributes, name);
    if (found == nullptr || found->tuple_size != tuple_size) return numbers;
    for (const double value : attribute_numbers(*found))
        numbers.push_back(static_cast<Number>(value));
    return numbers;
}

/// The values of an attribute as vectors, quaternions or matrices.
template <class T> std::vector<T> column_of(const Geometry& geometry, std::string_view name) {
    using Traits = ElementTraits<T>;
    constexpr auto width = static_cast<std::size_t>(Traits::width);
    const std::vector<float> numbers = numbers_of<float>(geometry, name, Traits::width);
    std::vector<T> column(numbers.size() / width);
    for (std::size_t i = 0; i < numbers.size(); ++i)
        Traits::set(column[i / width], static_cast<int>(i % width), numbers[i]);
    return column;
}

template <class Number>
void carry(const Geometry& geometry, const CarriedAttribute& a, SurfaceInput& particles) {
    std::vector<Number> values = numbers_of<Number>(geometry, a.name, a.width);
    if (!values.empty())
        particles.attributes.push_back(
            {std::string(a.name), a.width, a.meaning, std::move(values)});
}

SurfaceInput particles_of(const Geometry& geometry, const std::string& path, double spacing) {
    SurfaceInput particles;
    particles.positions = point_vectors(geometry, "P");
    particles.velocities = point_vectors(geometry, "v");
    particles.bodies = numbers_of<std::int32_t>(geometry, "body", 1);
    particles.groups = numbers_of<std::int32_t>(geometry, "join", 1);
    particles.spacing = spacing;
    for (const CarriedAttribute& a : carried_attributes)
        a.is_integer ? carry<std::int64_t>(geometry, a, particles)
                     : carry<float>(geometry, a, particles);
    MatterColumns matter;
    matter.F_E = column_of<Mat3<float>>(geometry, "F_E");
    matter.F_P = column_of<Mat3<float>>(geometry, "F_P");
    matter.orient = column_of<Vec4<float>>(geometry, "orient");
    matter.radii = column_of<Vec3<float>>(geometry, "radii");
    matter.melted = numbers_of<float>(geometry, "melted", 1);
    matter.phase = numbers_of<std::int32_t>(geometry, "phase", 1);
    matter.pscale = numbers_of<float>(geometry, "pscale", 1);
    describe_matter(matter, particles);
    if (!particles.positions.empty() && !(particles.spacing > 0))
        throw Error("has no pscale, so the spacing of the particles is unknown", path,
                    "give it with --spacing in meters");
    return particles;
}

} // namespace

std::vector<Vec3d> point_vectors(const Geometry& geometry, std::string_view name) {
    const std::vector<double> numbers = numbers_of<double>(geometry, name, 3);
    std::vector<Vec3d> vectors;
    for (std::size_t i = 0; i + 2 < numbers.size(); i += 3)
        vectors.emplace_back(numbers[i], numbers[i + 1], numbers[i + 2]);
    return vectors;
}

SurfaceInput read_particles(const std::string& path, double spacing) {
    return particles_of(read_geometry(path), path, spacing);
}

ShadedParticles read_shaded(const std::string& path) {
    const Geometry geometry = read_geometry(path);
    ShadedParticles shown{particles_of(geometry, path, 0)};
    std::vector<std::int32_t> shades = numbers_of<std::int32_t>(geometry, "shade", 1);
    shown.by_body = shades.empty();
    if (!shades.empty()) shown.particles.bodies = std::move(shades);
    return shown;
}

int frame_of_particles(const fs::path& file) {
    for (const FrameStems& method : all_stems())
        if (const auto frame = frame_of(file.filename().string(), std::string(method.shown)))
            return *frame;
    return -1;
}

namespace {

/// The frames in the range, or all if it is empty.
std::vector<FrameFile> pick_range(const std::map<int, fs::path>& frames, const fs::path& folder,
                                  const std::string& range) {
    const FrameRange wanted =
        range.empty() ? FrameRange{0, frames.rbegin()->first} : parse_frames(range);
    std::vector<FrameFile> files;
    for (const auto& [frame, path] : frames)
        if (wanted.holds(frame)) files.push_back({frame, path});
    if (files.empty())
        throw Error("none of these frames is in " + folder.string(), "--frames " + range,
                    "it has frames " + std::to_string(frames.begin()->first) + "-" +
                        std::to_string(frames.rbegin()->first));
    return files;
}

} // namespace

std::vector<FrameFile> find_particles(const fs::path& folder, const std::string& range) {
    std::map<int, fs::path> frames;
    std::string stems;
    for (const FrameStems& method : all_stems()) {
        if (frames.empty()) frames = list_frames(folder, std::string(method.shown));
        stems += (stems.empty() ? "" : ", ") + std::string(method.shown) + ".*";
    }
    if (frames.empty())
        throw Error("has no frames (" + stems + ")", folder.string(),
                    "run nendo sim with this folder as --out first");
    return pick_range(frames, folder, range);
}

std::vector<FrameFile> find_drawn(const fs::path& folder, const std::string& range) {
    const std::map<int, fs::path> skins = list_frames(folder, std::string(skin_stem));
    return skins.empty() ? find_particles(folder, range) : pick_range(skins, folder, range);
}

SurfaceInput read_points(const std::string& path) {
    const Geometry geometry = read_geometry(path);
    if (geometry.primitive_count == 0) return read_particles(path, 0);
    SurfaceInput points;
    points.positions = point_vectors(geometry, "P");
    return points;
}

std::map<std::int32_t, TriMesh> read_skins(const std::string& path) {
    const Geometry geometry = read_geometry(path);
    std::map<std::int32_t, TriMesh> meshes;
    if (geometry.primitive_count == 0) return meshes;
    const std::vector<Vec3d> points = point_vectors(geometry, "P");
    const std::vector<std::int32_t> bodies = numbers_of<std::int32_t>(geometry, "body", 1);
    std::map<std::int32_t, std::map<std::int32_t, std::uint32_t>> places;
    const auto place = [&](std::int32_t body, std::int32_t point) {
        auto& known = places[body];
        const auto [at, fresh] =
            known.emplace(point, static_cast<std::uint32_t>(meshes[body].points.size()));
        if (fresh) meshes[body].points.push_back(points.at(static_cast<std::size_t>(point)));
        return at->second;
    };
    for (const auto& primitives : geometry.primitives) {
        const Polygons* polygons = std::get_if<Polygons>(&primitives);
        if (polygons == nullptr) continue;
        std::size_t begin = 0;
        for (const std::int32_t size : polygons->sizes) {
            const auto corner = [&](std::int32_t k) {
                return geometry.vertex_points.at(static_cast<std::size_t>(
                    polygons->vertices[begin + static_cast<std::size_t>(k)]));
            };
            for (std::int32_t k = 1; polygons->closed && k + 1 < size; ++k) {
                const std::int32_t body =
                    bodies.empty() ? 0 : bodies.at(static_cast<std::size_t>(corner(0)));
                // Seen from outside, the corners of Houdini's polygons are in clockwise order.
                meshes[body].triangles.push_back(
                    {place(body, corner(0)), place(body, corner(k + 1)), place(body, corner(k))});
            }
            begin += static_cast<std::size_t>(size);
        }
    }
    return meshes;
}

} // namespace nendo::cli
