// SPDX-License-Identifier: Apache-2.0
// Builds the elastoplastic solver's input from a scene file.
#include "io/scene/elastoplastic.h"

#include "geometry/sample.h"

namespace nendo::elastoplastic {

namespace {

/// Samples masters and slaves in the shape's own frame, so that all copies are identical and a
/// rotated box keeps its lattice.
Samples sample_body(const Sdf& shape, double spacing, const JsonPlace& place) {
    const Box3 box = shape.bounds();
    const Vec3d cells = (box.max - box.min).cwiseMax(Vec3d::Zero()) / spacing;
    // Particle indices have 32 bits.
    if (cells.prod() > 4e9)
        throw Error("needs more than 4e9 particles at a spacing of " + format_number(spacing) +
                        " m",
                    place.where(), "raise solver.spacing or make the body smaller");
    return at_place(place, [&] { return sample(shape, spacing); });
}

void add_bodies(BuiltScene& built, const BodySpec& spec, const Samples& samples,
                const JsonPlace& place) {
    for (const BodyCopy& copy : list_copies(spec.place, place)) {
        Body body;
        body.index = static_cast<std::int32_t>(built.bodies.size());
        body.name = copy.name;
        for (const Vec3d& x : samples.masters) body.masters.push_back(copy.pose * x);
        for (const Vec3d& x : samples.slaves) body.slaves.push_back(copy.pose * x);
        body.material = spec.material.material;
        body.velocity = spec.place.velocity;
        body.angular_velocity = spec.place.angular_velocity;
        body.start = copy.start;
        body.join = spec.join.value.value_or(body.material.plastic() ? 0 : body.index + 1);
        built.bodies.push_back(std::move(body));
    }
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
    for (std::size_t i = 0; i < spec.bodies.size(); ++i) {
        const JsonPlace place = JsonPlace{file.string(), ""}.below("bodies").below(i);
        const SdfPtr shape = builder.build(spec.bodies[i].place.shape, place);
        add_bodies(built, spec.bodies[i], sample_body(*shape, spec.solver.spacing, place), place);
    }
    return built;
}

} // namespace nendo::elastoplastic
