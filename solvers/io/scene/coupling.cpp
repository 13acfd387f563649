// SPDX-License-Identifier: Apache-2.0
// Builds the coupling solver's input from a scene file.
#include "io/scene/coupling.h"

#include "geometry/sample.h"
#include "geometry/skin.h"
#include "neighbors/grid.h"

#include <algorithm>

namespace nendo::coupling {

namespace {

/// A body before its copies are placed. It has faces if it is a membrane made from a surface.
struct Form {
    std::vector<Vec3d> points;
    std::vector<std::array<std::uint32_t, 3>> faces;
    double spacing = 0; ///< [m]
};

double spacing_of(const BodySpec& spec, const Params& params) {
    const bool fluid = spec.material.material.phase == Phase::fluid;
    return spec.spacing.value_or(fluid ? params.spacing : params.spacing / 2);
}

Form sample_skin(const BodySpec& spec, const ShapeBuilder& builder, double spacing,
                 const JsonPlace& place) {
    const ShapeSpec& shape = spec.place.shape;
    TriMesh skin;
    if (shape.sphere)
        skin = make_skin(shape.sphere->center, Vec3d::Constant(shape.sphere->radius), spacing);
    else if (shape.ellipsoid)
        skin = make_skin(shape.ellipsoid->center, shape.ellipsoid->radii, spacing);
    else
        skin = builder.load_mesh(shape, place);
    return {skin.points, skin.triangles, spacing};
}

SdfPtr posed_shape(const ShapeSpec& shape, const ShapeBuilder& builder, const JsonPlace& place) {
    return make_posed(builder.build(shape, place), pose_of(shape.translate, shape.rotate));
}

/// Adds the points of a part that keep their distance from the points already in the form.
void add_part(Form& form, const Sdf& part) {
    const double gap = 0.75 * form.spacing;
    Grid<double> grid;
    grid.build(form.points, gap);
    for (const Vec3d& x : place_masters(part, form.spacing)) {
        bool taken = false;
        grid.visit(x, gap, [&](std::uint32_t, double) { taken = true; });
        if (!taken) form.points.push_back(x);
    }
}

Form sample_body(const BodySpec& spec, const ShapeBuilder& builder, const Params& params,
                 const JsonPlace& place) {
    const double spacing = spacing_of(spec, params);
    const ShapeSpec& shape = spec.place.shape;
    check_one_shape(given_shapes(shape), solid_shapes, place);
    if (spec.membrane && (shape.sphere || shape.ellipsoid || !shape.mesh.empty()))
        return sample_skin(spec, builder, spacing, place);
    const SdfPtr sdf = builder.build(shape, place);
    Form form{at_place(place, [&] { return place_masters(*sdf, spacing); }), {}, spacing};
    const auto left_out = [&](const Vec3d& x) {
        return (spec.shell && sdf->distance(x) < -*spec.shell) ||
               (spec.cut && spec.cut->normal.dot(x - spec.cut->point) < 0);
    };
    form.points.erase(std::remove_if(form.points.begin(), form.points.end(), left_out),
                      form.points.end());
    for (std::size_t k = 0; k < spec.parts.size(); ++k) {
        const JsonPlace where = place.below("parts").below(k);
        const SdfPtr part = posed_shape(spec.parts[k], builder, where);
        at_place(where, [&] {
            add_part(form, *part);
            return true;
        });
    }
    return form;
}

/// Removes fluid points inside a body or within about half a particle of it.
void remove_overlaps(std::vector<Body>& bodies) {
    for (const Body& body : bodies) {
        if (body.material.phase != Phase::body || body.points.empty()) continue;
        for (Body& fluid : bodies) {
            if (fluid.material.phase != Phase::fluid || fluid.start != body.start) continue;
            const double gap = 0.45 * (fluid.spacing + body.spacing);
            Grid<double> grid;
            grid.build(body.points, gap);
            const auto taken = [&](const Vec3d& x) {
                bool near = false;
                grid.visit(x, gap, [&](std::uint32_t, double) { near = true; });
                return near;
            };
            fluid.points.erase(std::remove_if(fluid.points.begin(), fluid.points.end(), taken),
                               fluid.points.end());
        }
    }
}

SdfPtr drain_shape(const DrainSpec& drain, const ShapeBuilder& builder, const JsonPlace& place) {
    if (!drain.plane) return posed_shape(drain.shape, builder, place);
    if (!(drain.plane->normal.norm() > 0))
        throw Error("has zero length", place.below("plane").below("normal").where(),
                    "give it a direction");
    return make_plane(drain.plane->point, drain.plane->normal.normalized());
}

} // namespace

void check_scene(const SceneSpec& spec, const JsonPlace& place) {
    check_bodies(spec, place);
    for (std::size_t k = 0; k < spec.taps.size(); ++k) {
        const JsonPlace where = place.below("taps").below(k).below("fluid");
        const auto fluid = static_cast<std::size_t>(spec.taps[k].fluid);
        if (fluid >= spec.bodies.size() ||
            spec.bodies[fluid].material.material.phase != Phase::fluid)
            throw Error("body " + std::to_string(fluid) + " is not a fluid", where.where(),
                        "use the index of a fluid in bodies");
    }
}

BuiltScene build_scene(const SceneSpec& spec, const std::filesystem::path& file, Host& host) {
    BuiltScene built = build_bodies<BuiltScene>(
        spec, file, host,
        [&](BuiltScene& to, const BodySpec& from, const ShapeBuilder& shapes,
            const JsonPlace& place) {
            const Form form = sample_body(from, shapes, spec.solver, place);
            add_copies(to.bodies.bodies, from, place, [&](Body& body, const Pose& pose) {
                body.points = posed_points(form.points, pose);
                body.faces = form.faces;
                body.spacing = form.spacing;
                body.membrane = from.membrane;
            });
        });
    const ShapeBuilder builder{file.parent_path(), host};
    const JsonPlace root{file.string(), ""};
    Inputs& inputs = built.bodies;
    remove_overlaps(inputs.bodies);
    for (std::size_t k = 0; k < spec.muscles.size(); ++k) {
        const MuscleSpec& given = spec.muscles[k];
        const JsonPlace place = root.below("muscles").below(k).below("shape");
        Muscle muscle;
        muscle.name = given.name;
        if (given.shape) muscle.shape = posed_shape(*given.shape, builder, place);
        muscle.body = given.body.value_or(-1);
        muscle.axis = given.axis;
        muscle.center = given.center;
        muscle.period = given.period;
        muscle.keys = given.keys;
        inputs.muscles.push_back(std::move(muscle));
    }
    for (const TapSpec& given : spec.taps) {
        inputs.taps.push_back(given.tap);
        inputs.taps.back().material =
            spec.bodies[static_cast<std::size_t>(given.fluid)].material.material;
        inputs.taps.back().index = given.fluid;
    }
    for (std::size_t k = 0; k < spec.drains.size(); ++k)
        inputs.drains.push_back({spec.drains[k].name, drain_shape(spec.drains[k], builder,
                                                                  root.below("drains").below(k))});
    return built;
}

} // namespace nendo::coupling
