// SPDX-License-Identifier: Apache-2.0
// Shapes as scene files describe them, and the signed distances built from them.
#pragma once

#include "core/host.h"
#include "geometry/mesh.h"
#include "io/json_fields.h"
#include "scene/scene.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace nendo {

struct BoxShape {
    Vec3d center{0, 0, 0}; ///< [m]
    Vec3d size{1, 1, 1};   ///< [m]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.center, field("center").label("Center").unit("m").help("Center of the shape."));
        visit(self.size,
              field("size").label("Size").unit("m").above(0).help("Edge lengths of the box."));
    }
};

struct SphereShape {
    Vec3d center{0, 0, 0}; ///< [m]
    double radius = 0.5;   ///< [m]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.center, field("center").label("Center").unit("m").help("Center of the shape."));
        visit(self.radius,
              field("radius").label("Radius").unit("m").above(0).help("Radius of the sphere."));
    }
};

struct EllipsoidShape {
    Vec3d center{0, 0, 0};      ///< [m]
    Vec3d radii{0.5, 0.5, 0.5}; ///< [m]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.center, field("center").label("Center").unit("m").help("Center of the shape."));
        visit(self.radii, field("radii").label("Radii").unit("m").above(0).help(
                              "Half the width along each axis."));
    }
};

struct CapsuleShape {
    Vec3d a{0, 0, 0};    ///< [m]
    Vec3d b{0, 1, 0};    ///< [m]
    double radius = 0.5; ///< [m]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.a, field("a").label("Start").unit("m").help("First end of the axis."));
        visit(self.b, field("b").label("End").unit("m").help("Second end of the axis."));
        visit(self.radius,
              field("radius").label("Radius").unit("m").above(0).help("Radius of the capsule."));
    }
};

struct PlaneShape {
    Vec3d point{0, 0, 0};  ///< [m]
    Vec3d normal{0, 1, 0}; ///< Any length

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.point, field("point").label("Point").unit("m").help("Any point on the plane."));
        visit(self.normal, field("normal").label("Normal").help(
                               "Direction of the free side. Its length does not matter."));
    }
};

struct AnimalShape {
    template <class Self, class Visit> static void fields(Self&, Visit&&) {}
};

struct ShapeSpec;

struct UnionShape {
    std::vector<ShapeSpec> parts;
    double blend = 0; ///< [m]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.parts, field("parts").label("Parts").help("Shapes that are merged into one."));
        visit(self.blend, field("blend")
                              .label("Blend")
                              .unit("m")
                              .range(0, infinite)
                              .help("Length over which the edges between parts are rounded."));
    }
};

/// Exactly one shape must be given, except that a mesh replaces the animal if both are.
struct ShapeSpec {
    static constexpr std::string_view schema_name = "shape";
    std::optional<BoxShape> box;
    std::optional<SphereShape> sphere;
    std::optional<EllipsoidShape> ellipsoid;
    std::optional<CapsuleShape> capsule;
    std::optional<UnionShape> joined;
    std::optional<AnimalShape> animal;
    std::string mesh;
    std::optional<double> fit; ///< [m]
    Vec3d translate{0, 0, 0};  ///< [m]
    Vec3d rotate{0, 0, 0};     ///< [degrees]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.box, field("box").label("Box").help("A box aligned with the axes."));
        visit(self.sphere, field("sphere").label("Sphere").help("A sphere."));
        visit(self.ellipsoid,
              field("ellipsoid").label("Ellipsoid").help("An ellipsoid aligned with the axes."));
        visit(self.capsule, field("capsule").label("Capsule").help("A rod with round ends."));
        visit(self.joined,
              field("union").label("Union").help("A shape merged from several parts."));
        visit(self.animal, field("animal").label("Animal").help(
                               "A rabbit-like test animal, 1 m tall, with its feet at y = 0. If a "
                               "mesh is given too, the mesh replaces it."));
        visit(self.mesh,
              field("mesh").label("Mesh").help(
                  "Path of an .obj or .ply file, relative to the folder of the scene file."));
        visit(self.fit, field("fit").label("Fit").unit("m").above(0).help(
                            "Height to scale the animal or mesh to. It then stands on y = 0. If "
                            "not given, the size stays as it is."));
        visit(self.translate, field("translate")
                                  .label("Translate")
                                  .unit("m")
                                  .help("Position of the shape's origin."));
        visit(self.rotate, field("rotate").label("Rotate").unit("deg").help(
                               "Rotation about x, then y, then z, around the shape's origin."));
    }
};

// ---- from shapes to distances ------------------------------------------------------------------

/// Runs `action` and adds the place in the scene file to any Error it throws.
template <class Action> auto at_place(const JsonPlace& place, const Action& action) {
    try {
        return action();
    } catch (const Interrupted&) {
        throw;
    } catch (const Error& problem) {
        throw problem.within(place.where());
    }
}

Pose pose_of(const Vec3d& translate, const Vec3d& rotate);

struct MeshReport;

/// Builds distances from shapes: knows the folder of the scene's files and the host to warn.
struct ShapeBuilder {
    std::filesystem::path folder;
    Host& host;

    std::filesystem::path resolve(const std::string& name) const { return folder / name; }
    /// Builds a shape in its own frame, before translate and rotate.
    SdfPtr build(const ShapeSpec& spec, const JsonPlace& place) const;
    /// Loads the mesh of a shape, scaled to its height.
    TriMesh load_mesh(const ShapeSpec& spec, const JsonPlace& place) const;
    void warn(const MeshReport& report, const JsonPlace& place) const;
};

/// Returns the names of the shapes that are given.
std::vector<std::string> given_shapes(const ShapeSpec& spec);
inline constexpr const char* solid_shapes = "box, sphere, ellipsoid, capsule, union, animal, mesh";
/// Throws unless exactly one shape is given.
void check_one_shape(const std::vector<std::string>& given, const std::string& choices,
                     const JsonPlace& place);

} // namespace nendo
