// SPDX-License-Identifier: Apache-2.0
// Builds the rheology solver's input from a scene file, and deforms the skins of a state.
#include "io/scene/rheology.h"

#include "math/rotation.h"

#include <algorithm>

namespace nendo::rheology {
namespace {

/// A body in its shape's own frame, and its skin at rest.
struct Draft {
    Body body;
    TriMesh mesh;
    std::vector<BoneLine> lines;
};

void add_lines(Draft& draft, const std::vector<Segment>& segments) {
    for (const Segment& s : segments) draft.lines.push_back({s.begin, s.end});
}

/// Appends the points and triangles of another mesh.
void append_mesh(TriMesh& mesh, const TriMesh& other) {
    const auto first = static_cast<std::uint32_t>(mesh.points.size());
    mesh.points.insert(mesh.points.end(), other.points.begin(), other.points.end());
    for (const auto& t : other.triangles)
        mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
}

std::vector<Segment> pieces_of(const LineSpec& line, int bones, const Material& material) {
    return segments_of_line(resample(line.points, bones), line.up, material);
}

TriMesh skin_of(const LineSpec& line, int bones) {
    return sweep_mesh(line.points, line.up, std::max(24, 6 * bones), 24);
}

Draft draft_line(const BodySpec& spec, const JsonPlace& place) {
    Draft draft;
    const Material& material = spec.material.material;
    std::vector<Segment> segments = at_place(place.below("line"), [&] {
        draft.mesh = skin_of(*spec.line, spec.bones);
        return pieces_of(*spec.line, spec.bones, material);
    });
    draft.body = make_skeleton(segments, material, spec.clamp);
    for (std::size_t k = 0; k < spec.branches.size(); ++k)
        at_place(place.below("branches").below(k), [&] {
            const BranchSpec& branch = spec.branches[k];
            add_branch(draft.body, segments, pieces_of(branch.line, branch.bones, material),
                       material);
            append_mesh(draft.mesh, skin_of(branch.line, branch.bones));
        });
    add_lines(draft, segments);
    return draft;
}

Draft draft_mesh(const BodySpec& spec, const ShapeBuilder& builder, const JsonPlace& place) {
    Draft draft;
    draft.mesh = builder.load_mesh(spec.place.shape, place);
    const MeshSegments pieces = segments_of_mesh(draft.mesh, spec.bones, spec.material.material);
    draft.body = make_skeleton(pieces.segments, spec.material.material, spec.clamp);
    add_lines(draft, pieces.segments);
    return draft;
}

TriMesh box_mesh(const Vec3d& center, const Vec3d& half) {
    TriMesh mesh;
    for (int k = 0; k < 8; ++k)
        mesh.points.push_back(center + Vec3d(k & 1 ? half.x() : -half.x(),
                                             k & 2 ? half.y() : -half.y(),
                                             k & 4 ? half.z() : -half.z()));
    mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                      {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return mesh;
}

Draft draft_box(const BodySpec& spec) {
    Draft draft;
    const BoxShape& box = *spec.place.shape.box;
    Bone bone;
    bone.pose.translation() = box.center;
    bone.mass = spec.material.material.density * box.size.prod();
    const Vec3d squares = box.size.cwiseProduct(box.size);
    bone.inertia = (bone.mass / 12 * (Vec3d::Constant(squares.sum()) - squares)).asDiagonal();
    bone.radius = 0.5 * spec.rounding * box.size.minCoeff();
    bone.half = (0.5 * box.size - Vec3d::Constant(bone.radius)).cwiseMax(Vec3d::Zero());
    draft.body.bones.push_back(bone);
    draft.mesh = box_mesh(box.center, 0.5 * box.size);
    draft.lines.push_back({box.center, box.center});
    if (!spec.joint) return draft;
    const JointSpec& given = *spec.joint;
    Joint joint;
    joint.kind = given.kind;
    joint.frame.translation() = box.center;
    joint.rheology.stiffness.setConstant(given.stiffness);
    joint.rheology.damping.setConstant(given.damping);
    joint.rheology.first_stiffness.setConstant(given.first_stiffness);
    joint.rheology.flow = given.flow;
    joint.rheology.yield = given.yield;
    joint.rheology.limit = given.limit;
    draft.body.joints.push_back(joint);
    return draft;
}

Draft draft_body(const BodySpec& spec, const ShapeBuilder& builder, const JsonPlace& place) {
    std::vector<std::string> given = given_shapes(spec.place.shape);
    if (spec.line) given.emplace_back("line");
    check_one_shape(given, "line, box, mesh", place);
    if (given.front() != "line" && given.front() != "box" && given.front() != "mesh")
        throw Error("bones cannot be made from this shape", place.below(given.front()).where(),
                    "use a line, a box or a mesh");
    if (!spec.line && !spec.branches.empty())
        throw Error("there is no line to branch off", place.below("branches").where(),
                    "add a line to the body");
    Draft draft = spec.line ? draft_line(spec, place) : at_place(place, [&] {
        return spec.place.shape.box ? draft_box(spec) : draft_mesh(spec, builder, place);
    });
    const auto count = static_cast<int>(draft.body.bones.size());
    for (std::size_t k = 0; k < spec.loads.size(); ++k) {
        const Load& load = spec.loads[k].load;
        const JsonPlace at = place.below("loads").below(k);
        if (load.bone >= count || load.bone < -count)
            throw Error("the body has only " + std::to_string(count) + " bones",
                        at.below("bone").where(),
                        "use an index from 0, or a negative one to count from the end");
        for (std::size_t i = 1; i < load.keys.size(); ++i)
            if (load.keys[i].time < load.keys[i - 1].time)
                throw Error("has an earlier time than the key before it",
                            at.below("keys").below(i).where(), "list the keys in order of time");
        draft.body.loads.push_back(load);
    }
    for (Joint& joint : draft.body.joints)
        if (spec.line || !spec.place.shape.box) joint.rheology.limit = spec.limit;
    return draft;
}

Body posed(Body body, const Pose& pose) {
    for (Bone& bone : body.bones) bone.pose = pose * bone.pose;
    for (Joint& joint : body.joints) joint.frame = pose * joint.frame;
    return body;
}

BodySkin bind(const Draft& draft, const Body& body, const Pose& pose, const SkinSpec& spec) {
    BodySkin skin;
    skin.mesh = draft.mesh;
    for (Vec3d& x : skin.mesh.points) x = pose * x;
    skin.blend = spec.blend;
    skin.detail_sweeps = spec.detail;
    std::vector<BoneLine> lines = draft.lines;
    for (BoneLine& line : lines) line = {pose * line.begin, pose * line.end};
    const Influences influences =
        spec.weights == WeightKind::heat
            ? influences_by_heat(skin.mesh, lines, spec.influences, 1)
            : influences_by_distance(skin.mesh.points, lines, spec.influences, 4);
    std::vector<Pose> rest;
    for (const Bone& bone : body.bones) rest.push_back(bone.pose);
    skin.skin =
        std::make_shared<Skin>(skin.mesh.points, point_normals(skin.mesh), influences, rest);
    if (spec.detail > 0) skin.detail = std::make_shared<SkinDetail>(skin.mesh, 0.02);
    return skin;
}

/// Returns the rows of a body's bones by their number; empty until the body has appeared.
template <class Real>
std::vector<std::size_t> bones_of(const State<Real>& state, const Body& body) {
    std::vector<std::size_t> rows(body.bones.size(), state.bones.id.size());
    std::size_t found = 0;
    for (std::size_t b = 0; b < state.bones.id.size(); ++b) {
        if (state.bones.body[b] != body.index) continue;
        rows[static_cast<std::size_t>(state.bones.number[b])] = b;
        ++found;
    }
    return found == rows.size() ? rows : std::vector<std::size_t>();
}

/// Returns the poses that the bones will have after `dt` [s].
template <class Real>
std::vector<Pose> poses_after(const State<Real>& state, const std::vector<std::size_t>& rows,
                              double dt) {
    std::vector<Pose> result;
    for (const std::size_t b : rows) {
        const Vec3d w = state.bones.w[b].template cast<double>();
        const Quat rotation(Vec4<double>(state.bones.orient[b].template cast<double>()));
        Pose pose = Pose::Identity();
        pose.linear() = (rotation_exp(dt * w) * rotation).normalized().toRotationMatrix();
        pose.translation() =
            (state.bones.x[b] + static_cast<Real>(dt) * state.bones.v[b]).template cast<double>();
        result.push_back(pose);
    }
    return result;
}

} // namespace

void check_scene(const SceneSpec& spec, const JsonPlace& place) {
    check_bodies(spec, place);
}

BuiltScene build_scene(const SceneSpec& spec, const std::filesystem::path& file, Host& host) {
    BuiltScene built;
    built.scene = build_world(spec.common, collider_spacing(spec), file, host);
    built.params = spec.solver;
    const ShapeBuilder builder{file.parent_path(), host};
    for (std::size_t i = 0; i < spec.bodies.size(); ++i) {
        const JsonPlace place = JsonPlace{file.string(), ""}.below("bodies").below(i);
        const Draft draft = draft_body(spec.bodies[i], builder, place);
        for (const BodyCopy& copy : list_copies(spec.bodies[i].place, place)) {
            Body body = posed(draft.body, copy.pose);
            body.index = static_cast<std::int32_t>(built.bodies.size());
            body.name = copy.name;
            body.start = copy.start;
            body.velocity = spec.bodies[i].place.velocity;
            body.angular_velocity = spec.bodies[i].place.angular_velocity;
            built.skins.push_back(bind(draft, body, copy.pose, spec.bodies[i].skin));
            built.bodies.push_back(std::move(body));
        }
    }
    return built;
}

template <class Real> SkinnedMesh skin_state(const BuiltScene& built, const State<Real>& state) {
    constexpr double soon = 1e-3; // [s]
    SkinnedMesh all;
    for (std::size_t k = 0; k < built.skins.size(); ++k) {
        const BodySkin& skin = built.skins[k];
        const std::vector<std::size_t> rows = bones_of(state, built.bodies[k]);
        if (rows.empty()) continue;
        std::vector<Vec3<float>> points, normals, later, later_normals;
        const std::vector<Pose> now = poses_after(state, rows, 0);
        const std::vector<Pose> then = poses_after(state, rows, soon);
        skin.skin->deform(now, skin.blend, points, normals);
        skin.skin->deform(then, skin.blend, later, later_normals);
        if (skin.detail)
            skin.detail->correct(skin.skin->rotations(now), skin.detail_sweeps, points);
        if (skin.detail)
            skin.detail->correct(skin.skin->rotations(then), skin.detail_sweeps, later);
        const auto first = static_cast<std::uint32_t>(all.mesh.points.size());
        for (std::size_t v = 0; v < points.size(); ++v) {
            all.mesh.points.push_back(points[v].cast<double>());
            all.mesh.velocities.push_back((later[v] - points[v]).cast<double>() / soon);
            all.normals.push_back(normals[v].cast<double>());
            all.bodies.push_back(built.bodies[k].index);
        }
        for (const auto& t : skin.mesh.triangles)
            all.mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
    }
    return all;
}

template SkinnedMesh skin_state(const BuiltScene&, const State<float>&);
template SkinnedMesh skin_state(const BuiltScene&, const State<double>&);

} // namespace nendo::rheology
