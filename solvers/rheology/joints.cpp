// SPDX-License-Identifier: Apache-2.0
// The springs, dashpots and yield of the joints, as linear rows over one step.
#include "rheology/stages.h"

#include <algorithm>
#include <cmath>

namespace nendo::rheology {
namespace {

/// Rows at least this stiff count as rigid, and rows at least this loose as free [1/(kg m^2)].
constexpr double rigid = 1e-30;
constexpr double loose = 1e30;

/// A spring parallel to a dashpot over a step of h [s]: velocity = -c p - d for an impulse p, where
/// q is its bend at the start of the step.
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

/// Adds the dashpot, whose velocity is -(p - yield p/|p|) / D_d above the yield. The yield surface
/// is a ball, so that no direction of bending is favored. Linearized about the guessed impulse.
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

bool yields(const Joints<double>& joints, std::size_t j) {
    return flows(joints, j) && joints.yield[j] > 0;
}

/// Length that converts a joint's rate into a speed [m]: the radius of gyration of the child bone.
double size_of(const Workspace& w, std::size_t j) {
    if (w.trial.joints.kind[j] == std::int32_t(JointKind::slide)) return 1;
    const std::uint32_t bone = w.child_bone[j];
    return std::sqrt(0.5 * w.frames[bone].inertia.trace() / w.trial.bones.mass[bone]);
}

/// Velocity of the child relative to the parent in the directions that the joint leaves free.
Vec3d rate_of(const Workspace& w, std::size_t j) {
    const Row& row = w.rows[j];
    const bool slides = w.trial.joints.kind[j] == std::int32_t(JointKind::slide);
    const auto rate = [&](std::uint32_t bone) -> Vec3d {
        if (bone == no_row) return Vec3d::Zero();
        const Spatial v = velocity_of(w, bone);
        if (!slides) return v.angular;
        return v.linear + v.angular.cross(row.point - w.trial.bones.x[bone]);
    };
    return row.axes.transpose() * (rate(w.child_bone[j]) - rate(w.parent_bone[j]));
}

/// The impulse of a joint whose bones are both held: their motion is given, so it follows from the
/// joint's law alone. Rigid directions have no law, and no impulse.
Vec3d impulse_between_held(const Workspace& w, std::size_t j) {
    const Row& row = w.rows[j];
    Mat3d Y = row.Y;
    for (int k = 0; k < 3; ++k)
        if (Y(k, k) <= 2 * rigid) Y(k, k) = loose;
    return -(inverse_symmetric(Y) * (rate_of(w, j) + row.d));
}

bool is_held(const Workspace& w, std::uint32_t bone) {
    return bone == no_row || w.frames[bone].held;
}

/// Residual of a joint's law: zero if the rate matches the impulse.
Vec3d mismatch(const Row& row, const Vec3d& impulse, const Vec3d& rate, double flow, double yield,
               double h) {
    Vec3d sum = rate + row.springs.cwiseProduct(impulse) + row.bias;
    const double length = impulse.norm(), limit = yield * h;
    if (length > limit) sum += (1 - limit / length) / (flow * h) * impulse;
    return sum;
}

/// Returns how far to move from the guesses toward the current impulses, as a fraction. The
/// impulses of yielding joints minimize a convex function; its slope along this line is known, and
/// its root is the minimum. Contacts are left out, because they are solved again in each round.
double best_share(const Workspace& w, double dt) {
    const Joints<double>& joints = w.trial.joints;
    const auto slope = [&](double share) {
        double sum = 0;
        for (std::size_t j = 0; j < joints.id.size(); ++j) {
            if (!yields(joints, j)) continue;
            const Row& row = w.rows[j];
            const Vec3d change = row.p - row.guess, found = -(row.Y * row.p + row.d);
            sum += change.dot(mismatch(row, row.guess + share * change,
                                       row.rate + share * (found - row.rate), joints.flow[j],
                                       joints.yield[j], dt));
        }
        return sum;
    };
    const double begin = slope(0);
    if (begin >= 0 || slope(1) <= -0.1 * begin) return 1;
    double low = 0, high = 1;
    for (int k = 0; k < 30; ++k) {
        const double middle = 0.5 * (low + high);
        (slope(middle) <= 0 ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

} // namespace

void place_joints(Workspace& w) {
    const Joints<double>& joints = w.trial.joints;
    const Bones<double>& bones = w.trial.bones;
    for (std::size_t j = 0; j < joints.id.size(); ++j) {
        Row& row = w.rows[j];
        const std::uint32_t parent = w.parent_bone[j], child = w.child_bone[j];
        const Quat inner(joints.frame_parent[j]), outer(joints.frame_child[j]);
        const Quat frame = parent == no_row ? inner : Quat(bones.orient[parent]) * inner;
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

void start_rows(Workspace& w, const Params& p, double dt) {
    const Joints<double>& joints = w.trial.joints;
    for (std::size_t j = 0; j < joints.id.size(); ++j) {
        Row& row = w.rows[j];
        for (int k = 0; k < 3; ++k) {
            const Element fork =
                element(joints.stiffness[j][k], joints.damping[j][k], joints.q_sf[j][k], dt);
            const Element spring = element(joints.first_stiffness[j][k], 0, joints.q_sm[j][k], dt);
            row.springs[k] = fork.c + spring.c;
            row.bias[k] = fork.d + spring.d;
            // Baumgarte stabilization returns rigid directions to zero bend.
            if (row.springs[k] == 0 && !flows(joints, j))
                row.bias[k] = p.drift_repair / dt * row.bend[k];
        }
        row.springs.array() += rigid;
        row.flowing = joints.yield[j] == 0;
    }
}

bool guess_flow(Workspace& w, double dt) {
    const Joints<double>& joints = w.trial.joints;
    bool any = false;
    for (std::size_t j = 0; j < joints.id.size(); ++j) {
        Row& row = w.rows[j];
        row.guess = dt * joints.torque[j];
        if (!yields(joints, j)) continue;
        row.flowing = joints.torque[j].norm() > joints.yield[j];
        any = any || row.flowing;
    }
    return any;
}

void lay_rows(Workspace& w, double dt) {
    const Joints<double>& joints = w.trial.joints;
    for (std::size_t j = 0; j < joints.id.size(); ++j) {
        Row& row = w.rows[j];
        row.Y = row.springs.asDiagonal();
        row.d = row.bias;
        if (flows(joints, j)) add_flow(row, joints.flow[j], joints.yield[j], dt);
    }
}

bool read_rows(Workspace& w, const Params& p, double dt) {
    for (const Node& node : w.nodes)
        if (node.joint != no_row) w.rows[node.joint].p = node.sign * node.impulse;
    for (std::size_t k = 0; k < w.loops.size(); ++k) w.rows[w.loops[k]].p = w.cones.p[2 * k + 1];
    const Joints<double>& joints = w.trial.joints;
    for (std::size_t j = 0; j < joints.id.size(); ++j)
        if (is_held(w, w.parent_bone[j]) && is_held(w, w.child_bone[j]))
            w.rows[j].p = impulse_between_held(w, j);
    for (std::size_t j = 0; j < joints.id.size(); ++j) {
        if (!yields(joints, j)) continue;
        const Row& row = w.rows[j];
        const Vec3d flowing = row.p / (joints.flow[j] * dt);
        const Vec3d wrong =
            mismatch(row, row.p, -(row.Y * row.p + row.d), joints.flow[j], joints.yield[j], dt);
        const double speed = wrong.norm() * size_of(w, j);
        if (speed > p.contact_tolerance && wrong.norm() > 1e-12 * flowing.norm()) return false;
    }
    return true;
}

void improve_guesses(Workspace& w, double dt, bool first) {
    const Joints<double>& joints = w.trial.joints;
    const double share = first ? 1 : best_share(w, dt);
    for (std::size_t j = 0; j < joints.id.size(); ++j) {
        Row& row = w.rows[j];
        const Vec3d rate = -(row.Y * row.p + row.d);
        row.rate = share == 1 ? rate : Vec3d(row.rate + share * (rate - row.rate));
        row.guess = share == 1 ? row.p : Vec3d(row.guess + share * (row.p - row.guess));
        if (yields(joints, j)) row.flowing = row.guess.norm() > joints.yield[j] * dt;
    }
}

void update_bends(Workspace& w, double dt) {
    Joints<double>& joints = w.trial.joints;
    for (std::size_t j = 0; j < joints.id.size(); ++j) {
        const Vec3d& p = w.rows[j].p;
        // Differs: eq 22 uses w_s. Substituting eq 26 gives lambda instead, which also holds if the
        // joint has yielded.
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
