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

} // namespace

void check_scene(const SceneSpec& spec, const JsonPlace& place) {
    check_bodies(spec, place);
}

BuiltScene build_scene(const SceneSpec& spec, const std::filesystem::path& file, Host& host) {
    return build_bodies<BuiltScene>(
        spec, file, host,
        [&](BuiltScene& built, const BodySpec& from, const ShapeBuilder& builder,
            const JsonPlace& place) {
            const SdfPtr shape = builder.build(from.place.shape, place);
            const Samples samples = sample_body(*shape, spec.solver.spacing, place);
            add_copies(built.bodies, from, place, [&](Body& body, const Pose& pose) {
                body.masters = posed_points(samples.masters, pose);
                body.slaves = posed_points(samples.slaves, pose);
                body.join = from.join.value.value_or(body.material.plastic() ? 0 : body.index + 1);
            });
        });
}

} // namespace nendo::elastoplastic
