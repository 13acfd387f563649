// SPDX-License-Identifier: Apache-2.0
// Scene files of the rheology method: bones from lines, meshes and boxes, joints, loads, skins.
#pragma once

#include "io/scene/scene_file.h"
#include "rheology/solver.h"
#include "skinning/skin.h"
#include "skinning/sweep.h"

#include <memory>

namespace nendo::rheology {

/// A preset's name, and what differs from it.
struct MaterialSpec {
    std::string preset;
    Material material;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        std::vector<std::string_view> names;
        for (const auto& known : presets()) names.push_back(known.name);
        visit(self.preset, field("preset")
                               .label("Preset")
                               .choices(std::move(names))
                               .help("Where values that are not given come from."));
        Material::fields(self.material, visit);
    }
};

struct LineSpec {
    std::vector<LinePoint> points;
    Vec3d up{0, 1, 0};

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.points, field("points").label("Points").help("A smooth curve goes through."));
        visit(self.up, field("up").label("Up").help("Direction of the sections' height."));
    }
};

/// A line that begins on bones which are there already.
struct BranchSpec {
    LineSpec line;
    int bones = 12;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        LineSpec::fields(self.line, visit);
        visit(self.bones, field("bones").label("Bones").range(1, 1000).help("Along this branch."));
    }
};

struct LoadSpec {
    Load load;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.load.bone, field("bone").label("Bone").range(-1e6, 1e6).help(
                                  "Its number, from 0; below zero counted from the end."));
        visit(self.load.point, field("point").label("Point").unit("m").help(
                                   "Where it takes hold, from the bone's center, in its axes."));
        visit(self.load.keys, field("keys").label("Keys").help("Force and torque by time."));
    }
};

/// How a box hangs on the world, in numbers.
struct JointSpec {
    JointKind kind = JointKind::slide;
    double stiffness = 10;             ///< K_f
    double damping = 2;                ///< D_f
    double first_stiffness = infinite; ///< K_m
    double flow = 20;                  ///< D_d
    double yield = 0;
    double limit = infinite;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.kind, field("kind")
                             .label("Kind")
                             .choices({"bend", "slide"})
                             .help("What it leaves free: turning, or shifting."));
        visit(self.stiffness, field("stiffness")
                                  .label("Stiffness")
                                  .unit("N/m")
                                  .range(0, infinite)
                                  .may_be_none()
                                  .help("Of the part that comes back (N m/rad where it bends)."));
        visit(self.damping, field("damping")
                                .label("Damping")
                                .unit("N s/m")
                                .range(0, infinite)
                                .help("Of the part that comes back."));
        visit(self.first_stiffness, field("first_stiffness")
                                        .label("First stiffness")
                                        .unit("N/m")
                                        .above(0)
                                        .may_be_none()
                                        .help("Of a spring in series that answers at once."));
        visit(self.flow, field("flow").label("Flow").unit("N s/m").above(0).may_be_none().help(
                             "Resistance of the part that stays."));
        visit(self.yield, field("yield")
                              .label("Yield")
                              .unit("N")
                              .range(0, infinite)
                              .help("Force below which nothing stays."));
        visit(self.limit, field("limit").label("Limit").unit("m").above(0).may_be_none().help(
                              "Largest shift or bend."));
    }
};

enum class WeightKind { distance, heat };

struct SkinSpec {
    Blend blend = Blend::dual_quaternion;
    WeightKind weights = WeightKind::distance;
    int influences = 4;
    int detail = 0;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.blend,
              field("blend")
                  .label("Blend")
                  .choices({"linear", "dual_quaternion"})
                  .help("linear: rheology paper, eq 1; dual_quaternion keeps thickness."));
        visit(self.weights, field("weights")
                                .label("Weights")
                                .choices({"distance", "heat"})
                                .help("How bones share the skin."));
        visit(self.influences, field("influences")
                                   .label("Influences")
                                   .range(1, max_influences)
                                   .help("Bones that move a vertex, at most."));
        visit(self.detail, field("detail").label("Detail").range(0, 10000).help(
                               "Sweeps of elastic correction of the skin's own shape."));
    }
};

struct BodySpec {
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
        visit(self.material, field("material").label("Material").help("What it is made of."));
        visit(self.line, field("line").label("Line").help(
                             "A curve with sections, instead of a shape; a mesh is cut along the "
                             "line in its middle, a box is one bone."));
        visit(self.branches,
              field("branches")
                  .label("Branches")
                  .help("More lines, as of arms and legs: the first point of each is on a "
                        "line before it, and is joined to the nearest bone there."));
        visit(self.bones, field("bones").label("Bones").range(1, 1000).help("Of a line or mesh."));
        visit(self.clamp, field("clamp")
                              .label("Clamp")
                              .choices({"none", "first", "both"})
                              .help("Ends that the world holds."));
        visit(self.limit, field("limit").label("Limit").unit("rad").above(0).may_be_none().help(
                              "Largest bend of a joint."));
        visit(self.rounding, field("rounding")
                                 .label("Rounding")
                                 .range(0, 1)
                                 .help("Of a box's edges, as a share of half its shortest side."));
        visit(self.joint, field("joint").label("Joint").help("What a box hangs on the world by."));
        visit(self.loads, field("loads").label("Loads").help("Forces by time."));
        visit(self.skin, field("skin").label("Skin").help("How the mesh follows the bones."));
    }
};

/// A scene file as it was written.
struct SceneSpec {
    static constexpr std::string_view method = "rheology";
    SceneCommon common;
    std::string method_name{method};
    Params solver;
    std::vector<BodySpec> bodies;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        SceneCommon::fields(self.common, visit);
        visit(self.method_name, method_field<SceneSpec>());
        visit(self.solver, field("solver").label("Solver").help("Parameters of the solver."));
        visit(self.bodies, field("bodies").label("Bodies").help("Bones and their skins."));
    }
};

/// The skin of a body, bound to its bones.
struct BodySkin {
    TriMesh mesh; ///< At rest
    Blend blend = Blend::linear;
    int detail_sweeps = 0;
    std::shared_ptr<const Skin> skin;
    std::shared_ptr<const SkinDetail> detail; ///< Null: none
};

/// What the solver is given.
struct BuiltScene {
    Scene scene;
    Params params;
    std::vector<Body> bodies;    ///< Copies made, in order of their index
    std::vector<BodySkin> skins; ///< One a body
};

/// Throws when what was written makes no scene.
void check_scene(const SceneSpec& spec, const JsonPlace& place);
BuiltScene build_scene(const SceneSpec& spec, const std::filesystem::path& file, Host& host);

/// Voxels of meshes that bones collide with are half of this [m].
inline double collider_spacing(const SceneSpec&) {
    return 0.02;
}

/// The skins of all bodies that are in, as one mesh, with the body of each point.
struct SkinnedMesh {
    TriMesh mesh; ///< With velocities
    std::vector<Vec3d> normals;
    std::vector<std::int32_t> bodies;
};
template <class Real> SkinnedMesh skin_state(const BuiltScene& built, const State<Real>& state);

} // namespace nendo::rheology

namespace nendo {

template <> struct JsonForm<rheology::MaterialSpec> {
    static void read(rheology::MaterialSpec& spec, const Json& json, const Field&,
                     const JsonPlace& place) {
        rheology::MaterialSpec named;
        if (json.is_object() && json.contains("preset")) {
            read_object(named, {{"preset", json["preset"]}}, place);
            spec.material = rheology::preset(named.preset);
        }
        read_object(spec, json, place);
    }
    static Json write(const rheology::MaterialSpec& spec, const Field&) {
        return write_object(spec);
    }
    static Json schema(const rheology::MaterialSpec& spec, const Field&, Json& defs) {
        // Defaults are the preset's: the schema leaves them out.
        Json schema = describe_object(spec, defs);
        for (auto& [key, entry] : schema["properties"].items()) entry.erase("default");
        return schema;
    }
};

} // namespace nendo
