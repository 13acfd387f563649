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

void add_bodies(BuiltScene& built, const BodySpec& spec, const std::vector<Vec3d>& points,
                const JsonPlace& place) {
    for (const BodyCopy& copy : list_copies(spec.place, place)) {
        Body body;
        body.index = static_cast<std::int32_t>(built.bodies.size());
        body.name = copy.name;
        for (const Vec3d& x : points) body.particles.push_back(copy.pose * x);
        body.material = spec.material.material;
        body.temperature = spec.temperature;
        body.liquid = spec.liquid;
        body.squash = spec.squash;
        body.velocity = spec.place.velocity;
        body.angular_velocity = spec.place.angular_velocity;
        body.start = copy.start;
        built.bodies.push_back(std::move(body));
    }
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
    BuiltScene built;
    built.scene = build_world(spec.common, spec.solver.spacing, file, host);
    built.params = spec.solver;
    const ShapeBuilder builder{file.parent_path(), host};
    const JsonPlace root{file.string(), ""};
    for (std::size_t i = 0; i < spec.bodies.size(); ++i) {
        const JsonPlace place = root.below("bodies").below(i);
        const ShapeSpec& shape = spec.bodies[i].place.shape;
        check_one_shape(given_shapes(shape), solid_shapes, place);
        const SdfPtr sdf = builder.build(shape, place);
        add_bodies(built, spec.bodies[i],
                   at_place(place, [&] { return place_masters(*sdf, spec.solver.spacing); }),
                   place);
    }
    remove_overlaps(built.bodies, spec.solver.spacing);
    for (std::size_t i = 0; i < spec.heat_sources.size(); ++i)
        built.scene.heat_sources.push_back(build_source(spec.heat_sources[i], built.scene, builder,
                                                        root.below("heat_sources").below(i)));
    return built;
}

} // namespace nendo::melt
