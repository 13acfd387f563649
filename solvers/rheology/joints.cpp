#include "rheology/stages.h"

#include <algorithm>
#include <cmath>

namespace nendo::rheology {
namespace {

/// Rows as stiff, or as loose, as this count as rigid, or as free [1/(kg m^2)].
constexpr double rigid = 1e-30;
constexpr double loose = 1e30;

/// A spring beside a dashpot, over a step of h [s]: velocity = -c p - d for an impulse p, where q is
/// its bend at the step's start.
struct Element {
    double c;
    double d;
};

Element element(double stiffness, double damping, double q, double h) {
    const double resistance = stiffness * h + damping;
    if (std::isinf(resistance)) return {0, 0};
    if (resistance <= 0) return {loose, 0};
    return {std::min(loose, 1 / (resistance * h)), stiffness / resistance * q};
}

bool flows(const Joints<double>& joints, std::size_t j) {
    return std::isfinite(joints.flow[j]) && std::isfinite(joints.yield[j]);
}

/// The dashpot, whose velocity is -(p - yield p/|p|) / D_d above the yield: a ball, so that no
/// direction of bending is favoured. Linear about the impulse at hand.
void add_flow(Row& row, double flow, double yield, double h) {
    if (!row.flowing) return;
    const double c = 1 / (flow * h);
    const double length = row.guess.norm(), limit = yield * h;
    if (limit == 0 || length <= limit) {
        row.Y.diagonal().array() += c;
        return;
    }
    const Vec3d n = row.guess / length;
    const double across = limit / length;
    row.Y += c * ((1 - across) * Mat3d::Identity() + across * n * n.transpose());
    row.d -= c * limit * n;
}

} // namespace

void place_joints(Workspace& w) {
    const Joints<double>& joints = w.trial.joints;
    const Bones<double>& bones = w.trial.bones;
    for (std::size_t j = 0; j < joints.id.size(); ++j) {
        Row& row = w.rows[j];
        const std::uint32_t parent = w.parent_bone[j], child = w.child_bone[j];
        const Quat inner(joints.frame_parent[j]), outer(joints.frame_child[j]);
        const Quat frame = parent == none ? inner : Quat(bones.orient[parent]) * inner;
        row.axes = frame.toRotationMatrix();
        row.point = anchor_in_world(bones, w.frames, child, joints.anchor_child[j]);
        if (joints.kind[j] == std::int32_t(JointKind::slide))
            row.bend =
                row.axes.transpose() *
                (row.point - anchor_in_world(bones, w.frames, parent, joints.anchor_parent[j]));
        else
            row.bend = rotation_log(frame.conjugate() * (Quat(bones.orient[child]) * outer));
    }
}

void lay_rows(Workspace& w, const Params& p, double dt) {
    const Joints<double>& joints = w.trial.joints;
    for (std::size_t j = 0; j < joints.id.size(); ++j) {
        Row& row = w.rows[j];
        row.Y.setZero();
        for (int k = 0; k < 3; ++k) {
            const Element fork =
                element(joints.stiffness[j][k], joints.damping[j][k], joints.q_sf[j][k], dt);
            const Element spring = element(joints.first_stiffness[j][k], 0, joints.q_sm[j][k], dt);
            row.Y(k, k) = fork.c + spring.c;
            row.d[k] = fork.d + spring.d;
            // What nothing bends is led back by Baumgarte's rule.
            if (row.Y(k, k) == 0 && !flows(joints, j)) row.d[k] = p.drift_repair / dt * row.bend[k];
        }
        if (flows(joints, j)) add_flow(row, joints.flow[j], joints.yield[j], dt);
        row.Y.diagonal().array() += rigid;
    }
}

bool settle_rows(Workspace& w, double dt, double trust) {
    const Joints<double>& joints = w.trial.joints;
    bool settled = true;
    const auto settle = [&](std::uint32_t j, const Vec3d& impulse) {
        Row& row = w.rows[j];
        row.p = impulse;
        if (!flows(joints, j) || joints.yield[j] == 0) return;
        const double length = impulse.norm(), limit = joints.yield[j] * dt;
        const bool flowing = length > limit;
        if (flowing != row.flowing || (flowing && (impulse - row.guess).norm() > 1e-10 * length))
            settled = false;
        row.guess = trust * impulse + (1 - trust) * row.guess;
        row.flowing = row.guess.norm() > limit;
    };
    for (const Node& node : w.nodes)
        if (node.joint != none) settle(node.joint, node.sign * node.impulse);
    for (std::size_t k = 0; k < w.loops.size(); ++k) settle(w.loops[k], w.cones.p[2 * k + 1]);
    return settled;
}

void update_bends(Workspace& w, double dt) {
    Joints<double>& joints = w.trial.joints;
    for (std::size_t j = 0; j < joints.id.size(); ++j) {
        const Vec3d& p = w.rows[j].p;
        // Differs: (22) takes w_s; with (26) put in it takes lambda, which is right where the joint
        // has yielded too.
        for (int k = 0; k < 3; ++k) {
            const double stiffness = joints.stiffness[j][k], damping = joints.damping[j][k];
            const double resistance = stiffness * dt + damping;
            joints.q_sf[j][k] = std::isinf(resistance) || resistance <= 0
                                    ? 0
                                    : (damping * joints.q_sf[j][k] - p[k]) / resistance;
            joints.q_sm[j][k] = -p[k] / (joints.first_stiffness[j][k] * dt);
        }
        joints.torque[j] = p / dt;
    }
}

Vec3d residual_bend(const Joints<double>& joints, std::size_t joint, const Vec3d& bend) {
    return bend - joints.q_sf[joint] - joints.q_sm[joint];
}

} // namespace nendo::rheology
