// SPDX-License-Identifier: Apache-2.0
// Builds signed distances from the shapes of a scene file.
#include "io/scene/shapes.h"

#include "geometry/mesh_sdf.h"
#include "io/mesh/mesh_file.h"

namespace nendo {

Pose pose_of(const Vec3d& translate, const Vec3d& rotate) {
    return Motion({Keyframe{0, translate, rotate}}).at(0);
}

std::vector<std::string> given_shapes(const ShapeSpec& s) {
    std::vector<std::string> names;
    if (s.box) names.emplace_back("box");
    if (s.sphere) names.emplace_back("sphere");
    if (s.ellipsoid) names.emplace_back("ellipsoid");
    if (s.capsule) names.emplace_back("capsule");
    if (s.joined) names.emplace_back("union");
    if (s.animal && s.mesh.empty()) names.emplace_back("animal");
    if (!s.mesh.empty()) names.emplace_back("mesh");
    return names;
}

void check_one_shape(const std::vector<std::string>& given, const std::string& choices,
                     const JsonPlace& place) {
    if (given.empty()) throw Error("has no shape", place.where(), "give one of: " + choices);
    if (given.size() > 1)
        throw Error("has two shapes, " + given[0] + " and " + given[1], place.where(),
                    "keep one of them");
}

void ShapeBuilder::warn(const MeshReport& report, const JsonPlace& place) const {
    if (const std::string text = report.warning(); !text.empty())
        host.log(Severity::warning, place.where() + ": " + text);
}

TriMesh ShapeBuilder::load_mesh(const ShapeSpec& spec, const JsonPlace& place) const {
    TriMesh mesh =
        at_place(place.below("mesh"), [&] { return read_mesh(resolve(spec.mesh).string()); });
    if (spec.fit) {
        Box3 box;
        for (const Vec3d& x : mesh.points) {
            box.min = box.min.cwiseMin(x);
            box.max = box.max.cwiseMax(x);
        }
        const double height = box.max.y() - box.min.y();
        if (!(height > 0))
            throw Error("the mesh is flat and has no height to scale", place.below("fit").where(),
                        "remove this key or use a solid mesh");
        const Vec3d foot((box.min.x() + box.max.x()) / 2, box.min.y(),
                         (box.min.z() + box.max.z()) / 2);
        for (Vec3d& x : mesh.points) x = (x - foot) * (*spec.fit / height);
    }
    return mesh;
}

SdfPtr ShapeBuilder::build(const ShapeSpec& spec, const JsonPlace& place) const {
    check_one_shape(given_shapes(spec), solid_shapes, place);
    if (spec.fit && !spec.animal && spec.mesh.empty())
        throw Error("only animals and meshes can be scaled to a height", place.below("fit").where(),
                    "remove this key and set the size of the shape");
    if (spec.box) return make_box(spec.box->center, spec.box->size);
    if (spec.sphere) return make_sphere(spec.sphere->center, spec.sphere->radius);
    if (spec.ellipsoid) return make_ellipsoid(spec.ellipsoid->center, spec.ellipsoid->radii);
    if (spec.capsule) return make_capsule(spec.capsule->a, spec.capsule->b, spec.capsule->radius);
    if (spec.joined) {
        const JsonPlace parts_place = place.below("union").below("parts");
        if (spec.joined->parts.empty())
            throw Error("has no parts", parts_place.where(), "add at least one shape");
        std::vector<SdfPtr> parts;
        for (std::size_t i = 0; i < spec.joined->parts.size(); ++i) {
            const ShapeSpec& part = spec.joined->parts[i];
            parts.push_back(make_posed(build(part, parts_place.below(i)),
                                       pose_of(part.translate, part.rotate)));
        }
        return make_union(std::move(parts), spec.joined->blend);
    }
    if (spec.mesh.empty()) return make_animal(spec.fit.value_or(1.0));

    const TriMesh mesh = load_mesh(spec, place);
    return at_place(place.below("mesh"), [&] {
        MeshReport report;
        SdfPtr shape = make_mesh(mesh, &report);
        warn(report, place.below("mesh"));
        return shape;
    });
}

} // namespace nendo
