// SPDX-License-Identifier: Apache-2.0
// Scene files of the rheology method: bones made from lines, meshes and boxes, with joints, loads
// and skins.
#pragma once

#include "io/scene/basic_scene.h"
#include "rheology/solver.h"
#include "skinning/skin.h"
#include "skinning/sweep.h"

#include <memory>

namespace nendo::rheology {

using MaterialSpec = PresetMaterial<Material, presets>;

struct LineSpec {
    std::vector<LinePoint> points;
    Vec3d up{0, 1, 0};

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.points,
              field("points").label("Points").help("Points that a smooth curve passes through."));
        visit(self.up, field("up").label("Up").help(
                           "Direction in which the height of the cross sections is measured."));
    }
};

/// A line that starts on an existing bone.
struct BranchSpec {
    LineSpec line;
    int bones = 12;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        LineSpec::fields(self.line, visit);
        visit(self.bones, field("bones").label("Bones").range(1, 1000).help(
                              "Number of bones along this branch."));
    }
};

struct LoadSpec {
    Load load;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.load.bone,
              field("bone").label("Bone").range(-1e6, 1e6).help(
                  "Index of the bone, counted from 0. Negative values count from the end."));
        visit(self.load.point,
              field("point").label("Point").unit("m").help(
                  "Point where the force acts, relative to the bone's center and along its axes."));
        visit(self.load.keys, field("keys").label("Keys").help("Force and torque over time."));
    }
};

/// Rheology of the joint that ties a box to the world.
struct JointSpec {
    JointKind kind = JointKind::slide;
    double stiffness = 10;             ///< K_f
    double damping = 2;                ///< D_f
    double first_stiffness = infinite; ///< K_m
    double flow = 20;                  ///< D_d
    double yield = 0;
    double limit = infinite;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.kind,
              field("kind")
                  .label("Kind")
                  .choices({"bend", "slide"})
                  .help("Motion that the joint allows: rotation (bend) or translation (slide)."));
        visit(self.stiffness, field("stiffness")
                                  .label("Stiffness")
                                  .unit("N/m")
                                  .range(0, infinite)
                                  .may_be_none()
                                  .help("Stiffness of the reversible part of the motion (N m/rad "
                                        "for a bending joint)."));
        visit(self.damping, field("damping")
                                .label("Damping")
                                .unit("N s/m")
                                .range(0, infinite)
                                .help("Damping of the reversible part of the motion."));
        visit(self.first_stiffness, field("first_stiffness")
                                        .label("First stiffness")
                                        .unit("N/m")
                                        .above(0)
                                        .may_be_none()
                                        .help("Stiffness of a spring in series that responds "
                                              "instantly. With no limit it is rigid."));
        visit(self.flow,
              field("flow").label("Flow").unit("N s/m").above(0).may_be_none().help(
                  "Resistance to permanent motion. With no limit all motion is reversible."));
        visit(self.yield, field("yield")
                              .label("Yield")
                              .unit("N")
                              .range(0, infinite)
                              .help("Force below which no motion becomes permanent."));
        visit(self.limit, field("limit").label("Limit").unit("m").above(0).may_be_none().help(
                              "Largest displacement or bend that the joint allows."));
    }
};

enum class WeightKind { distance, heat };

struct SkinSpec {
    Blend blend = Blend::dual_quaternion;
    WeightKind weights = WeightKind::distance;
    int influences = 4;
    int detail = 0;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.blend, field("blend")
                              .label("Blend")
                              .choices({"linear", "dual_quaternion"})
                              .help("How bone motions are blended. linear: rheology paper, eq 1; "
                                    "dual_quaternion preserves the thickness of bent parts."));
        visit(self.weights, field("weights")
                                .label("Weights")
                                .choices({"distance", "heat"})
                                .help("How the influence of each bone on the skin is computed: "
                                      "from distance, or by diffusing heat over the mesh."));
        visit(self.influences, field("influences")
                                   .label("Influences")
                                   .range(1, max_influences)
                                   .help("Most bones that may move one vertex."));
        visit(self.detail, field("detail").label("Detail").range(0, 10000).help(
                               "Number of sweeps that restore the skin's own shape as an elastic "
                               "sheet. 0 turns this off."));
    }
};

struct BodySpec {
    static constexpr std::string_view help = "Bodies to simulate: bones and their skins.";
    BodyPlace place;
    MaterialSpec material;
    std::optional<LineSpec> line;
    std::vector<BranchSpec> branches;
    int bones = 12;
    Clamp clamp = Clamp::none;
    double limit = infinite; ///< [rad]
    double rounding = 0.1;
    std::optional<JointSpec> joint;
    std::vector<LoadSpec> loads;
    SkinSpec skin;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        BodyPlace::fields(self.place, visit);
        visit(self.material, field("material").label("Material").help("Material of the body."));
        visit(self.line, field("line").label("Line").help(
                             "A curve with cross sections, used instead of a shape. A mesh is cut "
                             "into bones along its center line, and a box becomes one bone."));
        visit(self.branches,
              field("branches")
                  .label("Branches")
                  .help("More lines, for example arms and legs. The first point of each lies on an "
                        "earlier line and is joined to the nearest bone there."));
        visit(self.bones, field("bones").label("Bones").range(1, 1000).help(
                              "Number of bones that a line or mesh is cut into."));
        visit(self.clamp, field("clamp")
                              .label("Clamp")
                              .choices({"none", "first", "both"})
                              .help("Ends of the body that are fixed to the world."));
        visit(self.limit, field("limit").label("Limit").unit("rad").above(0).may_be_none().help(
                              "Largest bend that each joint allows."));
        visit(self.rounding,
              field("rounding")
                  .label("Rounding")
                  .range(0, 1)
                  .help("Rounding of a box's edges, as a fraction of half its shortest side."));
        visit(self.joint,
              field("joint").label("Joint").help("Joint that ties a box to the world."));
        visit(self.loads, field("loads").label("Loads").help("Forces on single bones over time."));
        visit(self.skin, field("skin").label("Skin").help("How the mesh follows the bones."));
    }
};

/// A scene file as it was written.
struct SceneSpec : SceneWith<Method, BodySpec> {};

/// The skin of a body, bound to its bones.
struct BodySkin {
    TriMesh mesh; ///< At rest
    Blend blend = Blend::linear;
    int detail_sweeps = 0;
    std::shared_ptr<const Skin> skin;
    std::shared_ptr<const SkinDetail> detail; ///< Null if there is no correction
};

/// The input of the solver.
struct BuiltScene : BuiltWith<Method> {
    std::vector<BodySkin> skins; ///< One per body
};

/// Throws if the file does not describe a complete scene.
void check_scene(const SceneSpec& spec, const JsonPlace& place);
BuiltScene build_scene(const SceneSpec& spec, const std::filesystem::path& file, Host& host);

/// Twice the voxel size of meshes that bones collide with [m].
inline double collider_spacing(const SceneSpec&) {
    return 0.02;
}

/// The skins of all bodies added so far as one mesh, with the body of each point.
struct SkinnedMesh {
    TriMesh mesh; ///< With velocities
    std::vector<Vec3d> normals;
    std::vector<std::int32_t> bodies;
};
template <class Real> SkinnedMesh skin_state(const BuiltScene& built, const State<Real>& state);

} // namespace nendo::rheology

namespace nendo {
template <> struct SceneOf<rheology::Method> { using Spec = rheology::SceneSpec; };
} // namespace nendo
