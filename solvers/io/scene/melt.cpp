// SPDX-License-Identifier: Apache-2.0
// Builds the melting solver's input from a scene file.
#include "io/scene/melt.h"

#include "geometry/sample.h"
#include "neighbors/grid.h"

#include <algorithm>

namespace nendo::melt {

namespace {

bool is_liquid(const Body& body) {
    const double melting_point = body.material.melting_point;
    return body.temperature > melting_point || (body.temperature == melting_point && body.liquid);
}

/// Removes liquid particles that would be inside a solid body.
void remove_overlaps(std::vector<Body>& bodies, double spacing) {
    const double gap = 0.9 * spacing;
    for (const Body& body : bodies) {
        if (is_liquid(body) || body.particles.empty()) continue;
        Grid<double> grid;
        grid.build(body.particles, gap);
        for (Body& other : bodies) {
            if (!is_liquid(other) || other.start != body.start) continue;
            const auto taken = [&](const Vec3d& x) {
                bool near = false;
                grid.visit(x, gap, [&](std::uint32_t, double) { near = true; });
                return near;
            };
            other.particles.erase(
                std::remove_if(other.particles.begin(), other.particles.end(), taken),
                other.particles.end());
        }
    }
}

HeatSource build_source(const HeatSourceSpec& spec, const Scene& scene, const ShapeBuilder& builder,
                        const JsonPlace& place) {
    HeatSource source = spec.source;
    if (source.name.empty()) source.name = place.path;
    source.motion = build_motion(spec.keys, place);
    if (spec.plane) {
        if (!(spec.plane->normal.norm() > 0))
            throw Error("has zero length", place.below("plane").below("normal").where(),
                        "give it a direction");
        source.shape = make_plane(spec.plane->point, spec.plane->normal.normalized());
        return source;
    }
    if (spec.collider.empty()) {
        source.shape = make_posed(builder.build(spec.shape, place),
                                  pose_of(spec.shape.translate, spec.shape.rotate));
        return source;
    }
    for (const Collider& collider : scene.colliders)
        if (collider.name == spec.collider) {
            source.shape = collider.shape;
            source.motion = collider.motion;
            return source;
        }
    throw Error("there is no collider '" + spec.collider + "'", place.below("collider").where(),
                "use the name of one of the colliders");
}

} // namespace

void check_scene(const SceneSpec& spec, const JsonPlace& place) {
    check_bodies(spec, place);
}

BuiltScene build_scene(const SceneSpec& spec, const std::filesystem::path& file, Host& host) {
    BuiltScene built = build_bodies<BuiltScene>(
        spec, file, host,
        [&](BuiltScene& to, const BodySpec& from, const ShapeBuilder& builder,
            const JsonPlace& place) {
            check_one_shape(given_shapes(from.place.shape), solid_shapes, place);
            const SdfPtr shape = builder.build(from.place.shape, place);
            const std::vector<Vec3d> points =
                at_place(place, [&] { return place_masters(*shape, spec.solver.spacing); });
            add_copies(to.bodies, from, place, [&](Body& body, const Pose& pose) {
                body.particles = posed_points(points, pose);
                body.temperature = from.temperature;
                body.liquid = from.liquid;
                body.squash = from.squash;
            });
        });
    remove_overlaps(built.bodies, spec.solver.spacing);
    const ShapeBuilder builder{file.parent_path(), host};
    for (std::size_t i = 0; i < spec.heat_sources.size(); ++i)
        built.scene.heat_sources.push_back(
            build_source(spec.heat_sources[i], built.scene, builder,
                         JsonPlace{file.string(), ""}.below("heat_sources").below(i)));
    return built;
}

} // namespace nendo::melt
