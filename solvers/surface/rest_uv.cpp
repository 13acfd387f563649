// SPDX-License-Identifier: Apache-2.0
// Finds rest positions by id and texture coordinates by rest position.
#include "surface/rest_uv.h"

#include "core/error.h"
#include "core/parallel.h"
#include "geometry/triangle_tree.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <variant>

namespace nendo {
namespace {

/// Barycentric weights of a point in a triangle.
Vec3d corner_weights(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const Vec3d normal = (b - a).cross(c - a);
    const double area2 = normal.squaredNorm();
    const double of_b = normal.dot((p - a).cross(c - a)) / area2;
    const double of_c = normal.dot((b - a).cross(p - a)) / area2;
    return {1 - of_b - of_c, of_b, of_c};
}

const PointAttribute* find_numbers(const PointAttributes& attributes, const char* name) {
    const auto found =
        std::find_if(attributes.begin(), attributes.end(), [&](const PointAttribute& a) {
            return a.name == name && a.width == 3 &&
                   std::holds_alternative<std::vector<float>>(a.values);
        });
    return found == attributes.end() ? nullptr : &*found;
}

} // namespace

std::vector<Vec3<float>> uv_by_closest_point(const TexturedMesh& textured,
                                             const std::vector<Vec3d>& places) {
    const TriMesh& mesh = textured.mesh;
    if (textured.uv.size() != mesh.points.size())
        throw Error("the mesh has no uv", "uv by closest rest point",
                    "use a mesh with texture coordinates");
    const TriangleTree tree(mesh);
    if (tree.empty())
        throw Error("the mesh has no faces", "uv by closest rest point",
                    "use a mesh with polygons");
    std::vector<Vec3<float>> uv(places.size());
    parallel_for(places.size(), [&](std::size_t i) {
        const TriangleTree::Closest closest = tree.closest(places[i]);
        const auto& t = mesh.triangles[closest.triangle];
        const Vec3d weight =
            corner_weights(closest.point, mesh.points[t[0]], mesh.points[t[1]], mesh.points[t[2]]);
        Vec3d sum = Vec3d::Zero();
        for (int k = 0; k < 3; ++k)
            sum += weight[k] * textured.uv[t[std::size_t(k)]].cast<double>();
        uv[i] = sum.cast<float>();
    });
    return uv;
}

std::vector<Vec3d> rest_of(const PointAttributes& attributes) {
    const PointAttribute* rest = find_numbers(attributes, "rest");
    if (rest == nullptr)
        throw Error("the particles have no attribute 'rest'", "surface",
                    "pass the particles at rest, with the same ids");
    const auto& values = std::get<std::vector<float>>(rest->values);
    std::vector<Vec3d> places(values.size() / 3);
    for (std::size_t i = 0; i < places.size(); ++i)
        places[i] = Vec3<float>(values[3 * i], values[3 * i + 1], values[3 * i + 2]).cast<double>();
    return places;
}

void carry_uv(Surface& surface, const TexturedMesh& textured) {
    set_attribute(surface.attributes, "uv", Meaning::value,
                  uv_by_closest_point(textured, rest_of(surface.attributes)));
}

void set_attribute(PointAttributes& attributes, const char* name, Meaning meaning,
                   const std::vector<Vec3<float>>& values) {
    attributes.erase(std::remove_if(attributes.begin(), attributes.end(),
                                    [&](const PointAttribute& a) { return a.name == name; }),
                     attributes.end());
    std::vector<float> numbers;
    numbers.reserve(3 * values.size());
    for (const Vec3<float>& v : values) numbers.insert(numbers.end(), v.data(), v.data() + 3);
    attributes.push_back({name, 3, meaning, std::move(numbers)});
}

const std::vector<std::int64_t>& ids_of(const SurfaceInput& particles) {
    for (const PointAttribute& a : particles.attributes)
        if (const auto* ids = std::get_if<std::vector<std::int64_t>>(&a.values);
            ids != nullptr && a.name == "id" && ids->size() == particles.positions.size())
            return *ids;
    throw Error("the particles have no id", "rest",
                "use particles with the attribute 'id', both now and at rest");
}

std::size_t set_rest(SurfaceInput& now, const SurfaceInput& rest) {
    const std::vector<std::int64_t>& ids = ids_of(now);
    const std::vector<std::int64_t>& rest_ids = ids_of(rest);
    std::unordered_map<std::int64_t, std::size_t> place;
    for (std::size_t i = 0; i < rest_ids.size(); ++i) place.emplace(rest_ids[i], i);
    std::vector<Vec3<float>> column(ids.size());
    std::size_t without = 0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const auto found = place.find(ids[i]);
        without += found == place.end();
        const Vec3d& x = found == place.end() ? now.positions[i] : rest.positions[found->second];
        column[i] = x.cast<float>();
    }
    set_attribute(now.attributes, "rest", Meaning::point, column);
    return without;
}

} // namespace nendo
