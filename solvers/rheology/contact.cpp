// SPDX-License-Identifier: Apache-2.0
// Finds contacts of bones with colliders and with each other, joint limits that are about to be
// reached, and loops of joints.
#include "rheology/shape.h"
#include "rheology/stages.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>

namespace nendo::rheology {
namespace {

/// Stands for unlimited friction: finite, so that it can be multiplied by zero.
constexpr double sticking = 1e9;

Core core_of(const Workspace& w, std::uint32_t bone) {
    const Bones<double>& bones = w.trial.bones;
    return {bones.x[bone], w.frames[bone].rotation, bones.half[bone], bones.radius[bone]};
}

Core rest_core(const Bones<double>& bones, std::uint32_t bone) {
    return {bones.rest[bone], Quat(bones.rest_orient[bone]).toRotationMatrix(), bones.half[bone],
            bones.radius[bone]};
}

/// Distance from a bone within which contacts are searched: twice its free displacement in this
/// step relative to matter of this velocity, plus a small margin.
double margin_of(const Workspace& w, std::uint32_t bone, double reach, const Vec3d& velocity,
                 double dt) {
    const Spatial own = velocity_of(w, bone);
    return 2 * dt * ((own.linear - velocity).norm() + own.angular.norm() * reach) + 0.02 * reach;
}

/// The search distance for contact with other bones. It is at most the bone's size, so that a fast
/// bone is not tested against everything.
double margin_between(const Workspace& w, std::uint32_t bone, double reach, const Vec3d& velocity,
                      double dt) {
    return std::min(margin_of(w, bone, reach, velocity, dt), reach);
}

/// Returns axes whose first column is the normal.
Mat3d axes_along(const Vec3d& normal) {
    const Vec3d other = std::abs(normal.x()) < 0.6 ? Vec3d::UnitX() : Vec3d::UnitY();
    Mat3d axes;
    axes.col(0) = normal;
    axes.col(1) = normal.cross(other).normalized();
    axes.col(2) = normal.cross(axes.col(1));
    return axes;
}

/// Speed along the normal that keeps a gap open or closes an overlap [m/s].
double gap_speed(double gap, const Params& p, double dt) {
    return gap >= 0 ? gap / dt : std::max(-p.push_out, p.drift_repair * gap / dt);
}

class ContactFinder {
public:
    ContactFinder(Workspace& w, const Params& p, double dt) : m_w(w), m_p(p), m_dt(dt) {}

    void with_colliders(std::uint32_t bone) {
        const Core core = core_of(m_w, bone);
        for (std::size_t c = 0; c < m_w.colliders.size(); ++c) {
            const MovedShape& shape = m_w.colliders[c];
            const double margin =
                margin_of(m_w, bone, core.reach(), shape.velocity(core.center), m_dt);
            if (shape.distance(core.center) > core.reach() + margin) continue;
            const auto visit = [&](const Vec3d& x, double distance, std::int32_t feature) {
                if (distance - core.radius < margin) add(bone, core, c, x, distance, feature);
            };
            for_each_corner(core, [&](const Corner& corner) {
                visit(corner.place, shape.distance(corner.place), corner.feature);
            });
            for_each_edge(core, [&](const Edge& edge) { along_edge(edge, shape, visit); });
        }
    }

    /// Tests the corners of each bone against the other, and edges against edges. Features behind a
    /// side that faces away are not in contact.
    void between(std::uint32_t a, std::uint32_t b) {
        const Core core_a = core_of(m_w, a), core_b = core_of(m_w, b);
        const Vec3d velocity = velocity_of(m_w, b).linear;
        const double margin = margin_between(m_w, a, core_a.reach(), velocity, m_dt) +
                              margin_between(m_w, b, core_b.reach(), velocity, m_dt);
        const double near = core_a.radius + core_b.radius + margin;
        if ((core_a.center - core_b.center).norm() > core_a.reach() + core_b.reach() + margin)
            return;
        visit_pairs(core_a, core_b,
                    [&](const Vec3d& at_a, const Vec3d& at_b, const Vec3d& normal, double distance,
                        std::int32_t feature) {
                        if (distance > near) return;
                        Block block;
                        block.a = a;
                        block.b = b;
                        block.other = m_w.trial.bones.id[b];
                        block.feature = feature;
                        block.gap = distance - core_a.radius - core_b.radius;
                        block.axes = axes_along(normal);
                        const Vec3d point =
                            0.5 * (at_a - core_a.radius * normal + at_b + core_b.radius * normal);
                        block.from_a = point - core_a.center;
                        block.from_b = point - core_b.center;
                        block.friction = m_p.friction;
                        block.bias.x() = gap_speed(block.gap, m_p, m_dt);
                        m_w.blocks.push_back(block);
                    });
    }

    /// True if two bones overlapped when the skin was bound, including their roundings.
    bool overlap_at_rest(std::uint32_t a, std::uint32_t b) const {
        const Core core_a = rest_core(m_w.trial.bones, a), core_b = rest_core(m_w.trial.bones, b);
        double least = infinite;
        visit_pairs(core_a, core_b,
                    [&](const Vec3d&, const Vec3d&, const Vec3d&, double distance, std::int32_t) {
                        least = std::min(least, distance);
                    });
        return least <= core_a.radius + core_b.radius;
    }

private:
    void add(std::uint32_t bone, const Core& core, std::size_t collider, const Vec3d& x,
             double distance, std::int32_t feature) {
        const MovedShape& shape = m_w.colliders[collider];
        const Vec3d normal = shape.normal(x);
        Block block;
        block.a = bone;
        block.other = -1 - static_cast<std::int64_t>(collider);
        block.feature = feature;
        block.gap = distance - core.radius;
        block.axes = axes_along(normal);
        const Vec3d point = x - distance * normal;
        block.from_a = point - core.center;
        block.friction = std::min(shape.friction, sticking);
        block.bias = -(block.axes.transpose() * shape.velocity(point));
        block.bias.x() += gap_speed(block.gap, m_p, m_dt);
        m_w.blocks.push_back(block);
    }

    /// Finds the point of an edge nearest to the shape, if it is nearer than both ends.
    template <class Visit>
    static void along_edge(const Edge& edge, const MovedShape& shape, const Visit& visit) {
        const auto at = [&](double s) { return Vec3d(edge.begin + s * (edge.end - edge.begin)); };
        const double first = shape.distance(edge.begin), last = shape.distance(edge.end);
        const double ends = std::min(first, last);
        const double length = (edge.end - edge.begin).norm();
        double low = 0, high = 1, s = 0.5, distance = shape.distance(at(s));
        // Next to a plane no inner point of an edge is nearer than both ends.
        if (distance >= 0.5 * (first + last) - 1e-9 * length) return;
        constexpr double golden = 0.3819660112501051;
        double left = golden, right = 1 - golden;
        double at_left = shape.distance(at(left)), at_right = shape.distance(at(right));
        for (int k = 0; k < 24; ++k) {
            if (at_left < at_right) {
                high = right, right = left, at_right = at_left;
                left = low + golden * (high - low), at_left = shape.distance(at(left));
            } else {
                low = left, left = right, at_left = at_right;
                right = high - golden * (high - low), at_right = shape.distance(at(right));
            }
        }
        s = 0.5 * (low + high);
        distance = shape.distance(at(s));
        if (distance < ends - 1e-6 * length) visit(at(s), distance, edge.feature);
    }

    /// Calls visit(point of a, point of b, direction from b to a, distance, feature).
    template <class Visit>
    static void visit_pairs(const Core& a, const Core& b, const Visit& visit) {
        for_each_corner(a, [&](const Corner& corner) {
            const Nearest n = nearest_in_core(b, corner.place);
            visit(corner.place, n.point, n.direction, n.distance, corner.feature);
        });
        for_each_corner(b, [&](const Corner& corner) {
            const Nearest n = nearest_in_core(a, corner.place);
            visit(n.point, corner.place, -n.direction, n.distance, 32 + corner.feature);
        });
        for_each_edge(a, [&](const Edge& ea) {
            for_each_edge(b, [&](const Edge& eb) {
                double s = 0, t = 0;
                if (!nearest_of_edges(ea, eb, s, t)) return;
                if (s <= 0 || s >= 1 || t <= 0 || t >= 1) return;
                const Vec3d at_a = ea.begin + s * (ea.end - ea.begin);
                const Vec3d at_b = eb.begin + t * (eb.end - eb.begin);
                const Vec3d apart = at_a - at_b;
                const double distance = apart.norm();
                if (distance == 0) return;
                const Vec3d normal = apart / distance;
                if (!leaves_at(b, eb, normal) || !leaves_at(a, ea, -normal)) return;
                visit(at_a, at_b, normal, distance, 64 + 32 * ea.feature + eb.feature);
            });
        });
    }

    Workspace& m_w;
    const Params& m_p;
    double m_dt;
};

/// Calls visit(a, b), with a < b, for bones whose boxes overlap along x, y and z.
template <class Visit> void sweep_pairs(Workspace& w, double dt, const Visit& visit) {
    const auto n = static_cast<std::uint32_t>(w.frames.size());
    std::vector<Box3>& boxes = w.boxes;
    boxes.resize(n);
    for (std::uint32_t b = 0; b < n; ++b) {
        const Core core = core_of(w, b);
        const Vec3d reach = (core.rotation.cwiseAbs() * core.half).array() + core.radius +
                            margin_between(w, b, core.reach(), Vec3d::Zero(), dt);
        boxes[b].min = core.center - reach;
        boxes[b].max = core.center + reach;
    }
    w.sweep.resize(n);
    std::iota(w.sweep.begin(), w.sweep.end(), 0u);
    std::sort(w.sweep.begin(), w.sweep.end(), [&](std::uint32_t a, std::uint32_t b) {
        const double xa = boxes[a].min.x(), xb = boxes[b].min.x();
        return xa != xb ? xa < xb : a < b;
    });
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = i + 1; k < n; ++k) {
            const std::uint32_t a = std::min(w.sweep[i], w.sweep[k]);
            const std::uint32_t b = std::max(w.sweep[i], w.sweep[k]);
            if (boxes[w.sweep[k]].min.x() > boxes[w.sweep[i]].max.x()) break;
            const bool apart = (boxes[a].min.array() > boxes[b].max.array()).any() ||
                               (boxes[b].min.array() > boxes[a].max.array()).any();
            if (!apart) visit(a, b);
        }
}

void add_loops(Workspace& w, const Params& p, double dt) {
    const Joints<double>& joints = w.trial.joints;
    const Bones<double>& bones = w.trial.bones;
    for (const std::uint32_t j : w.loops) {
        const Row& row = w.rows[j];
        const bool slides = joints.kind[j] == std::int32_t(JointKind::slide);
        Block block;
        block.kind = Block::Kind::loop;
        block.a = w.child_bone[j];
        block.b = w.parent_bone[j];
        block.axes = row.axes;
        block.other = j;
        block.from_a = row.point - bones.x[block.a];
        if (block.b != no_row) block.from_b = row.point - bones.x[block.b];
        // The rigid rows come first, then the directions that the springs leave free.
        const Vec3d gap =
            row.point - anchor_in_world(bones, w.frames, w.parent_bone[j], joints.anchor_parent[j]);
        block.linear = !slides;
        block.bias =
            slides ? Vec3d::Zero() : Vec3d(p.drift_repair / dt * (row.axes.transpose() * gap));
        w.blocks.push_back(block);
        block.linear = slides;
        block.bias = row.d;
        w.blocks.push_back(block);
    }
}

/// Calls visit(joint, part) for each part of a bend that has a limit, where `part` selects, in the
/// joint's frame, the components that the limit applies to. Bend and twist have separate limits.
/// Bones twist so easily that one limit on both together would throw them from side to side.
template <class Visit> void for_each_limit(const Workspace& w, const Visit& visit) {
    const Joints<double>& joints = w.trial.joints;
    for (std::uint32_t j = 0; j < w.rows.size(); ++j) {
        if (!std::isfinite(joints.limit[j])) continue;
        if (joints.kind[j] == std::int32_t(JointKind::slide)) {
            visit(j, Vec3d(1, 1, 1));
        } else {
            visit(j, Vec3d(0, 1, 1));
            visit(j, Vec3d(1, 0, 0));
        }
    }
}

/// How fast a joint bends or shifts with the velocities of the last solve, along its axes.
Vec3d turning_of(const Workspace& w, std::uint32_t j) {
    const bool slides = w.trial.joints.kind[j] == std::int32_t(JointKind::slide);
    const auto rate = [&](std::uint32_t bone) {
        if (bone == no_row) return Vec3d(Vec3d::Zero());
        return slides ? velocity_of(w, bone).linear : velocity_of(w, bone).angular;
    };
    return w.rows[j].axes.transpose() * (rate(w.child_bone[j]) - rate(w.parent_bone[j]));
}

/// The bend after dt [s] if those velocities last. Rotations do not add up: small ones are
/// composed. Large ones may come full circle, and are added.
Vec3d bend_after(const Workspace& w, std::uint32_t j, double dt) {
    const Row& row = w.rows[j];
    const Vec3d turned = dt * turning_of(w, j);
    const bool slides = w.trial.joints.kind[j] == std::int32_t(JointKind::slide);
    if (slides || turned.norm() > 1) return row.bend + turned;
    const auto step = [&](std::uint32_t bone) {
        return bone == no_row ? Quat(Quat::Identity())
                              : Quat(rotation_exp(dt * velocity_of(w, bone).angular));
    };
    const Quat parent(row.axes), child = parent * Quat(rotation_exp(row.bend));
    return rotation_log((step(w.parent_bone[j]) * parent).conjugate() *
                        (step(w.child_bone[j]) * child));
}

std::int32_t limit_feature(const Vec3d& part) {
    return part.y() > 0 ? 0 : 1;
}

/// Stops a bend at its limit, in the direction in which it would be after the step. In the direction
/// of the bend before, it would pass the limit sideways, or on the other side of straight.
Block make_limit(const Workspace& w, const Params& p, double dt, std::uint32_t j,
                 const Vec3d& part) {
    const std::uint32_t a = w.child_bone[j], b = w.parent_bone[j];
    const Row& row = w.rows[j];
    const Vec3d now = part.cwiseProduct(row.bend);
    const Vec3d soon = part.cwiseProduct(bend_after(w, j, dt));
    const Vec3d along = (soon.norm() > 0 ? soon : now).normalized();
    Block block;
    block.kind = Block::Kind::limit;
    block.linear = w.trial.joints.kind[j] == std::int32_t(JointKind::slide);
    block.a = a;
    block.b = b;
    block.from_a = row.point - w.trial.bones.x[a];
    if (b != no_row) block.from_b = row.point - w.trial.bones.x[b];
    block.axes = axes_along(-(row.axes * along));
    block.other = j;
    block.feature = limit_feature(part);
    block.gap = w.trial.joints.limit[j] - along.dot(soon - dt * turning_of(w, j));
    block.bias.x() = gap_speed(block.gap, p, dt);
    return block;
}

/// Stops bends that would otherwise pass their limits.
void add_limits(Workspace& w, const Params& p, double dt) {
    for_each_limit(w, [&](std::uint32_t j, const Vec3d& part) {
        const double near = 0.8 * w.trial.joints.limit[j];
        const Vec3d now = part.cwiseProduct(w.rows[j].bend);
        const Vec3d soon = now + 2 * dt * part.cwiseProduct(turning_of(w, j));
        if (soon.norm() > near || now.norm() > near)
            w.blocks.push_back(make_limit(w, p, dt, j, part));
    });
}

} // namespace

void find_blocks(Workspace& w, const Params& p, double dt) {
    w.blocks.clear();
    w.cones.p.clear();
    add_loops(w, p, dt);
    add_limits(w, p, dt);
    const std::size_t first = w.blocks.size();
    ContactFinder finder(w, p, dt);
    if (!w.colliders.empty())
        for (std::uint32_t b = 0; b < w.frames.size(); ++b)
            if (!w.frames[b].held) finder.with_colliders(b);
    const Bones<double>& bones = w.trial.bones;
    sweep_pairs(w, dt, [&](std::uint32_t a, std::uint32_t b) {
        if (w.frames[a].held && w.frames[b].held) return;
        const std::vector<std::uint32_t>& joined = w.jointed[a];
        if (std::binary_search(joined.begin(), joined.end(), b)) return;
        if (bones.body[a] == bones.body[b] && (!p.self_contact || finder.overlap_at_rest(a, b)))
            return;
        finder.between(a, b);
    });
    std::sort(w.blocks.begin() + static_cast<std::ptrdiff_t>(first), w.blocks.end(),
              [](const Block& a, const Block& b) {
                  return std::tie(a.a, a.other, a.feature) < std::tie(b.a, b.other, b.feature);
              });
}

bool stop_passed_limits(Workspace& w, const Params& p, double dt) {
    bool any = false;
    for_each_limit(w, [&](std::uint32_t j, const Vec3d& part) {
        const double limit = w.trial.joints.limit[j];
        const double now = part.cwiseProduct(w.rows[j].bend).norm();
        const double soon = part.cwiseProduct(bend_after(w, j, dt)).norm();
        if (soon <= std::max(limit, now) + 1e-3 * limit) return;
        const auto same = [&](const Block& block) {
            return block.kind == Block::Kind::limit && block.other == j &&
                   block.feature == limit_feature(part);
        };
        const auto found = std::find_if(w.blocks.begin(), w.blocks.end(), same);
        const Block block = make_limit(w, p, dt, j, part);
        if (found == w.blocks.end())
            w.blocks.push_back(block);
        else
            *found = block;
        any = true;
    });
    return any;
}

} // namespace nendo::rheology
