// SPDX-License-Identifier: Apache-2.0
// Shapes as scene files describe them, and the distances that are made of them.
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
        visit(self.center, field("center").label("Center").unit("m").help("Its middle."));
        visit(self.size, field("size").label("Size").unit("m").above(0).help("Edge lengths."));
    }
};

struct SphereShape {
    Vec3d center{0, 0, 0}; ///< [m]
    double radius = 0.5;   ///< [m]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.center, field("center").label("Center").unit("m").help("Its middle."));
        visit(self.radius, field("radius").label("Radius").unit("m").above(0).help("Its radius."));
    }
};

struct EllipsoidShape {
    Vec3d center{0, 0, 0};      ///< [m]
    Vec3d radii{0.5, 0.5, 0.5}; ///< [m]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.center, field("center").label("Center").unit("m").help("Its middle."));
        visit(self.radii,
              field("radii").label("Radii").unit("m").above(0).help("Half its width each way."));
    }
};

struct CapsuleShape {
    Vec3d a{0, 0, 0};    ///< [m]
    Vec3d b{0, 1, 0};    ///< [m]
    double radius = 0.5; ///< [m]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.a, field("a").label("Start").unit("m").help("First end of its axis."));
        visit(self.b, field("b").label("End").unit("m").help("Second end of its axis."));
        visit(self.radius, field("radius").label("Radius").unit("m").above(0).help("Its radius."));
    }
};

struct PlaneShape {
    Vec3d point{0, 0, 0};  ///< [m]
    Vec3d normal{0, 1, 0}; ///< Of any length

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.point, field("point").label("Point").unit("m").help("Any point on it."));
        visit(self.normal, field("normal").label("Normal").help("Points to the free side."));
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
        visit(self.parts, field("parts").label("Parts").help("Shapes that become one."));
        visit(self.blend, field("blend")
                              .label("Blend")
                              .unit("m")
                              .range(0, infinite)
                              .help("Edges between parts are rounded over this length."));
    }
};

/// Exactly one of the shapes; a mesh takes the animal's place when both are given.
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
        visit(self.box, field("box").label("Box").help("A box along the axes."));
        visit(self.sphere, field("sphere").label("Sphere").help("A ball."));
        visit(self.ellipsoid, field("ellipsoid").label("Ellipsoid").help("A stretched ball."));
        visit(self.capsule, field("capsule").label("Capsule").help("A rod with round ends."));
        visit(self.joined, field("union").label("Union").help("Where any of its parts is."));
        visit(self.animal, field("animal").label("Animal").help(
                               "A rabbit-like test animal, 1 m tall, feet at y = 0. A mesh that "
                               "is given as well takes its place."));
        visit(self.mesh, field("mesh").label("Mesh").help(
                             "An .obj or .ply file; the path starts at the scene file's folder."));
        visit(self.fit, field("fit").label("Fit").unit("m").above(0).help(
                            "Height to which the animal or mesh is scaled, standing on y = 0; "
                            "not given: as it is."));
        visit(self.translate,
              field("translate").label("Translate").unit("m").help("Where its origin goes."));
        visit(self.rotate, field("rotate").label("Rotate").unit("deg").help(
                               "About x, then y, then z, around its origin."));
    }
};

// ---- from shapes to distances ------------------------------------------------------------------

/// Runs `action`. An Error in it is thrown on with its place in the scene file in front.
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

/// What is needed to turn shapes into distances: where files are, and whom to warn.
struct Workshop {
    std::filesystem::path folder;
    Host& host;

    std::filesystem::path resolve(const std::string& name) const { return folder / name; }
    /// A shape in its own frame, before translate and rotate.
    SdfPtr build(const ShapeSpec& spec, const JsonPlace& place) const;
    /// The mesh of a shape, scaled to its height.
    TriMesh load_mesh(const ShapeSpec& spec, const JsonPlace& place) const;
    void warn(const MeshReport& report, const JsonPlace& place) const;
};

/// Names of the shapes that are given, and of those that can be.
std::vector<std::string> given_shapes(const ShapeSpec& spec);
inline constexpr const char* solid_shapes = "box, sphere, ellipsoid, capsule, union, animal, mesh";
/// Throws unless exactly one shape is given.
void check_one_shape(const std::vector<std::string>& given, const std::string& choices,
                     const JsonPlace& place);

} // namespace nendo
