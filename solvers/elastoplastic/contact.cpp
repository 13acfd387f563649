// SPDX-License-Identifier: Apache-2.0
// Contact (steps 5 and 8): with colliders, with pins, and between bodies that do not join.
#include "elastoplastic/stages.h"

#include <algorithm>
#include <numeric>

namespace nendo::elastoplastic {

namespace {

/// Distance from a surface, in spacings, that counts as contact, to be safe against rounding.
constexpr double touching = 1e-4;

/// Holds one more direction of a slave: along `normal` it gets the velocity `surface`.
template <class Real>
void hold(Contact<Real>& c, const Vec3<Real>& normal, const Vec3<Real>& surface) {
    const Vec3<Real> axis = c.free * normal;
    if (axis.norm() < Real(1e-3)) return;
    const Vec3<Real> n = axis.normalized();
    c.target += (normal.dot(surface - c.target) / normal.dot(n)) * n;
    c.free -= n * n.transpose();
    c.held = true;
}

/// Holds all directions of a slave: it moves with the velocity `surface`.
template <class Real> void hold_all(Contact<Real>& c, const Vec3<Real>& surface) {
    c.target = surface;
    c.free.setZero();
    c.held = true;
}

/// Coulomb friction: slows the sliding part of v by at most `limit` [m/s].
template <class Real>
Vec3<Real> apply_friction(const Vec3<Real>& v, const Vec3<Real>& surface, const Vec3<Real>& normal,
                          Real limit) {
    const Vec3<Real> relative = v - surface;
    const Vec3<Real> sliding = relative - normal * normal.dot(relative);
    const Real speed = sliding.norm();
    if (!(speed > Real(0))) return v;
    return v - sliding * std::min(Real(1), limit / speed);
}

} // namespace

template <class Real> void place_scene(Workspace<Real>& w, const Scene& scene, double dt) {
    const double time = w.trial.details.time;
    w.colliders.clear();
    for (const Collider& c : scene.colliders) w.colliders.push_back(move_collider(c, time, dt));
    w.pins.clear();
    for (const Pin& pin : scene.pins) w.pins.push_back(move_shape(pin.shape, pin.motion, time, dt));
}

namespace {

/// The motion of a held master: along with its pin, or straight to its goal. The fourth lane is 1.
template <class Real> Affine<Real> held_motion(const Workspace<Real>& w, std::uint32_t m) {
    if (w.trial.masters.pin[m] < 0)
        return {widen<Real>(goal_velocity(w, m), 1), Mat3<Real>::Zero()};
    const MovedShape& pin = w.pins[static_cast<std::size_t>(w.trial.masters.pin[m] - 1)];
    const Vec3d x = w.center[m].template head<3>().template cast<double>();
    const Mat3d slope = (pin.step.linear() - Mat3d::Identity()) / pin.dt;
    return {widen<Real>(pin.velocity(x).template cast<Real>(), 1), slope.template cast<Real>()};
}

/// Scatters momentum and mass of held matter to the slaves.
template <class Real> void weigh_held(Workspace<Real>& w) {
    const Masters<Real>& masters = w.trial.masters;
    clear(w.held, w.x.size());
    to_slaves(
        w,
        [&](std::uint32_t m) {
            if (masters.pin[m] == 0) return Affine<Real>();
            Affine<Real> held = held_motion(w, m);
            held.value *= masters.mass[m];
            for (Vec4<Real>& column : held.slope.col) column *= masters.mass[m];
            return held;
        },
        w.held);
}

/// True if pins and goals hold more than half of a slave's mass, so that it follows them.
template <class Real> bool follows(const Workspace<Real>& w, std::size_t s) {
    return (!w.pins.empty() || w.goals) && w.held[s][3] > Real(0.5) * w.mass[s];
}

template <class Real> bool is_in_contact(const Workspace<Real>& w, const Params& p, std::size_t s) {
    if (!(w.mass[s] > Real(0))) return false;
    const Vec3d x = w.x[s].template head<3>().template cast<double>();
    return follows(w, s) ||
           std::any_of(w.colliders.begin(), w.colliders.end(), [&](const MovedShape& shape) {
               return shape.distance(x) <= touching * p.spacing;
           });
}

/// The contact of slave s, which is inside a collider or follows a pin. `step` is dt [s].
template <class Real>
Contact<Real> contact_of(const Workspace<Real>& w, const Params& p, std::uint32_t s, Real step) {
    const Real area = static_cast<Real>(p.spacing * p.spacing);
    Contact<Real> c;
    c.slave = s;
    double deepest = infinite;
    const Vec3d x = w.x[s].template head<3>().template cast<double>();
    const Vec3<Real> v = w.v_star[s].template head<3>();
    for (const MovedShape& shape : w.colliders) {
        const double distance = shape.distance(x);
        if (distance > touching * p.spacing) continue;
        const Vec3<Real> normal = shape.normal(x).template cast<Real>();
        const Vec3<Real> surface = shape.velocity(x).template cast<Real>();
        if (distance < deepest) {
            deepest = distance;
            c.normal = normal;
            c.surface = surface;
            c.friction = static_cast<Real>(shape.friction);
            c.stickiness = static_cast<Real>(shape.stickiness);
        }
        if (p.contact_solve == ContactSolve::after) continue;
        // Hold it while it presses, or while it pulls less than the stickiness bears.
        const Real leaving = normal.dot(v - surface);
        const Real speed_limit = static_cast<Real>(shape.stickiness) * area * step / w.mass[s];
        if (!(leaving < Real(0)) && !(leaving <= speed_limit)) continue;
        if (std::isinf(shape.friction) || std::isinf(shape.stickiness))
            hold_all(c, surface);
        else
            hold(c, normal, surface);
    }
    if (follows(w, s)) {
        hold_all<Real>(c, w.held[s].template head<3>() / w.held[s][3]);
        c.friction = 0;
        c.stickiness = 0;
        c.normal.setZero();
    }
    return c;
}

} // namespace

template <class Real> void find_contacts(Workspace<Real>& w, const Params& p, double dt) {
    const std::size_t n = w.x.size();
    const Real step = static_cast<Real>(dt);
    w.contacts.clear();
    // Without slaves, contact after the solve is handled by step 8, on the masters.
    if (p.stress_points == StressPoints::masters && p.contact_solve == ContactSolve::after) return;
    if (!w.pins.empty() || w.goals) weigh_held(w);
    const std::size_t blocks = (n + block_size - 1) / block_size;
    while (w.contact_blocks.size() < blocks) w.contact_blocks.emplace_back().reserve(block_size);
    parallel_blocks(n, [&](std::size_t begin, std::size_t end) {
        auto& found = w.contact_blocks[begin / block_size];
        found.clear();
        for (std::size_t s = begin; s != end; ++s)
            if (is_in_contact(w, p, s)) found.push_back(static_cast<std::uint32_t>(s));
    });
    for (std::size_t b = 0; b < blocks; ++b)
        for (const std::uint32_t s : w.contact_blocks[b]) w.contacts.emplace_back().slave = s;
    parallel_for(w.contacts.size(), [&](std::size_t k) {
        w.contacts[k] = contact_of(w, p, w.contacts[k].slave, step);
    });
}

template <class Real>
void find_touches(Workspace<Real>& w, const Params& p, double beta, double dt) {
    const Masters<Real>& masters = w.trial.masters;
    const std::size_t n = masters.x.size();
    const Real d = static_cast<Real>(p.spacing);
    const Real sticking_speed = Real(0.01) * d; // sliding slower than this [m/s] counts as sticking
    w.touches.clear();
    w.touch_start.assign(n + 1, 0);
    if (one_body(masters)) return;

    const auto touch = [&](std::uint32_t m, std::uint32_t other, auto& found) {
        if (masters.join[other] == masters.join[m]) return;
        // Act between the centers, as the forces on slaves do, so that no spurious torque appears.
        const Vec3<Real> across = (w.center[m] - w.center[other]).template head<3>();
        const Real distance = across.norm();
        if (!(distance < d) || !(distance > Real(0))) return;
        Touch<Real> t;
        t.other = other;
        t.normal = across / distance;
        t.offset = Real(-0.5) * across;
        const Real k = std::min(masters.young[m], masters.young[other]) * d;
        t.force = k * (d - distance);
        t.stiffness = k * static_cast<Real>(beta * dt * dt);
        const Vec3<Real> relative =
            masters.v[m] - masters.v[other] + (masters.C[m] + masters.C[other]) * t.offset;
        const Real sliding = (relative - t.normal * t.normal.dot(relative)).norm();
        t.drag = static_cast<Real>(p.friction * dt) * t.force / std::max(sliding, sticking_speed);
        found.push_back(t);
    };
    // Each pair is listed for both masters, so that forces are gathered in a fixed order.
    w.touch_blocks.resize((n + block_size - 1) / block_size);
    w.master_grid.build(masters.x, 2 * p.spacing);
    parallel_blocks(n, [&](std::size_t begin, std::size_t end) {
        auto& found = w.touch_blocks[begin / block_size];
        found.clear();
        typename Grid<Real>::Around around(w.master_grid);
        for (std::size_t m = begin; m != end; ++m) {
            const std::size_t before = found.size();
            around.visit(masters.x[m], Real(1.5) * d, [&](std::uint32_t slot, Real) {
                touch(static_cast<std::uint32_t>(m), w.master_grid.index()[slot], found);
            });
            w.touch_start[m + 1] = static_cast<std::uint32_t>(found.size() - before);
        }
    });
    std::partial_sum(w.touch_start.begin(), w.touch_start.end(), w.touch_start.begin());
    for (const auto& block : w.touch_blocks)
        w.touches.insert(w.touches.end(), block.begin(), block.end());
}

namespace {

/// True if friction acts on a slave that the solve holds.
template <class Real> bool has_friction(const Contact<Real>& c) {
    return c.held && !c.free.isZero() && (c.friction > Real(0) || c.stickiness > Real(0));
}

/// Impulse along the surface that friction and stickiness bear [kg m/s].
template <class Real> Real friction_limit(const Contact<Real>& c, Real area_step) {
    return c.friction * std::max(c.normal.dot(c.impulse), Real(0)) + c.stickiness * area_step;
}

} // namespace

template <class Real> bool hold_closing_contacts(Workspace<Real>& w, const Params& p, double dt) {
    if (p.contact_solve == ContactSolve::after) return false;
    const Real negligible_speed = static_cast<Real>(1e-5 * p.spacing / dt);
    bool any = false;
    for (Contact<Real>& c : w.contacts) {
        const Vec3<Real> v = w.v[c.slave].template head<3>();
        if (c.held || !(c.normal.dot(c.surface - v) > negligible_speed)) continue;
        if (std::isinf(c.friction) || std::isinf(c.stickiness))
            hold_all(c, c.surface);
        else
            hold(c, c.normal, c.surface);
        any = true;
    }
    return any;
}

template <class Real> bool drag_contacts(Workspace<Real>& w, const Params& p, double dt) {
    const Real area_step = static_cast<Real>(p.spacing * p.spacing * dt);
    const Real sticking_speed = static_cast<Real>(0.01 * p.spacing);
    bool any = false;
    for (Contact<Real>& c : w.contacts) {
        if (!has_friction(c) || c.drag > Real(0)) continue;
        const Vec3<Real> v = w.v[c.slave].template head<3>();
        c.drag =
            friction_limit(c, area_step) / std::max(c.along(v - c.surface).norm(), sticking_speed);
        any = any || c.drag > Real(0);
    }
    return any;
}

template <class Real> void collide_slaves(Workspace<Real>& w, const Params& p, double dt) {
    const Real area_step = static_cast<Real>(p.spacing * p.spacing * dt);
    for (const Contact<Real>& c : w.contacts) {
        const Real mass = w.mass[c.slave];
        Vec3<Real> v = w.v[c.slave].template head<3>();
        Real impulse_limit = c.stickiness * area_step;
        if (c.held) {
            if (!has_friction(c) || c.drag > Real(0)) continue;
            impulse_limit = friction_limit(c, area_step);
        } else {
            const Real closing = -c.normal.dot(v - c.surface);
            if (closing <= Real(0)) continue;
            v += closing * c.normal;
            impulse_limit += c.friction * mass * closing;
        }
        if (std::isinf(c.friction) || std::isinf(c.stickiness)) {
            w.v[c.slave] = widen<Real>(c.surface);
            continue;
        }
        w.v[c.slave] = widen<Real>(apply_friction(v, c.surface, c.normal, impulse_limit / mass));
    }
}

template <class Real> void collide_master(Workspace<Real>& w, const Params& p, std::uint32_t m) {
    Masters<Real>& masters = w.trial.masters;
    // Slaves keep matter at the surface; without slaves the masters must.
    const double reach = p.stress_points == StressPoints::masters ? touching * p.spacing : 0;
    const Vec3d x = masters.x[m].template cast<double>();
    if (masters.pin[m] != 0) {
        const Affine<Real> held = held_motion(w, m);
        masters.C[m] = held.matrix();
        const Vec3<Real> offset = masters.x[m] - w.center[m].template head<3>();
        masters.v[m] = held.mean() + masters.C[m] * offset;
        return;
    }
    for (const MovedShape& shape : w.colliders) {
        if (shape.distance(x) >= reach) continue;
        const Vec3<Real> normal = shape.normal(x).template cast<Real>();
        const Vec3<Real> surface = shape.velocity(x).template cast<Real>();
        const Real closing = -normal.dot(masters.v[m] - surface);
        if (closing <= Real(0)) continue;
        masters.v[m] += closing * normal;
        if (std::isinf(shape.friction) || std::isinf(shape.stickiness))
            masters.v[m] = surface;
        else
            masters.v[m] = apply_friction(masters.v[m], surface, normal,
                                          static_cast<Real>(shape.friction) * closing);
    }
}

template <class Real> void push_master_out(Workspace<Real>& w, std::uint32_t m) {
    Masters<Real>& masters = w.trial.masters;
    if (masters.pin[m] != 0) return;
    for (const MovedShape& shape : w.colliders) {
        const Vec3d x = masters.x[m].template cast<double>();
        const double distance = shape.distance_after(x);
        if (distance < 0) masters.x[m] -= (distance * shape.normal_after(x)).template cast<Real>();
    }
}

template void place_scene(Workspace<float>&, const Scene&, double);
template void place_scene(Workspace<double>&, const Scene&, double);
template void find_contacts(Workspace<float>&, const Params&, double);
template void find_contacts(Workspace<double>&, const Params&, double);
template void find_touches(Workspace<float>&, const Params&, double, double);
template void find_touches(Workspace<double>&, const Params&, double, double);
template bool hold_closing_contacts(Workspace<float>&, const Params&, double);
template bool hold_closing_contacts(Workspace<double>&, const Params&, double);
template bool drag_contacts(Workspace<float>&, const Params&, double);
template bool drag_contacts(Workspace<double>&, const Params&, double);
template void collide_slaves(Workspace<float>&, const Params&, double);
template void collide_slaves(Workspace<double>&, const Params&, double);
template void collide_master(Workspace<float>&, const Params&, std::uint32_t);
template void collide_master(Workspace<double>&, const Params&, std::uint32_t);
template void push_master_out(Workspace<float>&, std::uint32_t);
template void push_master_out(Workspace<double>&, std::uint32_t);

} // namespace nendo::elastoplastic
