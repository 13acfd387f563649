// Steps 5 and 8: colliders, pins, and bodies that touch without joining.
#include "elastoplastic/stages.h"

#include <algorithm>

namespace nendo::elastoplastic {

namespace {

/// Closer to a surface than this many spacings is in contact, whatever rounding says.
constexpr double touching = 1e-4;

/// One more direction is taken from a slave: along `normal` it has the speed of `surface`.
template <class Real>
void hold(Contact<Real>& c, const Vec3<Real>& normal, const Vec3<Real>& surface) {
    const Vec3<Real> axis = c.free * normal;
    if (axis.norm() < Real(1e-3)) return;
    const Vec3<Real> n = axis.normalized();
    c.target += (normal.dot(surface - c.target) / normal.dot(n)) * n;
    c.free -= n * n.transpose();
    c.held = true;
}

/// Nothing is left to it: it moves as `surface` does.
template <class Real> void hold_all(Contact<Real>& c, const Vec3<Real>& surface) {
    c.target = surface;
    c.free.setZero();
    c.held = true;
}

/// Coulomb: slows the sliding part of v by at most `limit` [m/s].
template <class Real>
Vec3<Real> rub(const Vec3<Real>& v, const Vec3<Real>& surface, const Vec3<Real>& normal,
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

template <class Real> void find_contacts(Workspace<Real>& w, const Params& p, double dt) {
    const Masters<Real>& masters = w.trial.masters;
    const std::size_t n = w.x.size();
    const Real area = static_cast<Real>(p.spacing * p.spacing);
    const Real step = static_cast<Real>(dt);
    w.contacts.clear();
    // Without slaves, contact after the solve is step 8, on the masters.
    if (p.stress_points == StressPoints::masters && p.contact_solve == ContactSolve::after) return;
    w.contact_blocks.resize((n + block_size - 1) / block_size);
    parallel_blocks(n, [&](std::size_t begin, std::size_t end) {
        auto& found = w.contact_blocks[begin / block_size];
        found.clear();
        for (std::size_t s = begin; s != end; ++s) {
            if (!(w.mass[s] > Real(0))) continue;
            Contact<Real> c;
            c.slave = static_cast<std::uint32_t>(s);
            bool inside = false;
            double deepest = infinite;
            const Vec3d x = w.x[s].template head<3>().template cast<double>();
            const Vec3<Real> v = w.v_star[s].template head<3>();
            for (const MovedShape& shape : w.colliders) {
                const double distance = shape.distance(x);
                if (distance > touching * p.spacing) continue;
                inside = true;
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
                // Held while it presses on, or pulls less than the surface's stickiness bears.
                const Real leaving = normal.dot(v - surface);
                const Real bears = static_cast<Real>(shape.stickiness) * area * step / w.mass[s];
                if (!(leaving < Real(0)) && !(leaving <= bears)) continue;
                if (std::isinf(shape.friction) || std::isinf(shape.stickiness))
                    hold_all(c, surface);
                else
                    hold(c, normal, surface);
            }
            if (!w.pins.empty() || w.goals) {
                // A slave follows a pin, or the goals of its masters, when most of its mass does.
                Real pinned = 0, led = 0;
                Vec3<Real> leading = Vec3<Real>::Zero();
                std::int32_t pin = 0;
                for (std::uint32_t k = w.masters_of.start[s]; k != w.masters_of.start[s + 1]; ++k) {
                    const std::uint32_t m = w.masters_of.index[k];
                    if (masters.pin[m] == 0) continue;
                    pinned += w.masters_of.weight[k] * masters.mass[m];
                    if (masters.pin[m] > 0) {
                        pin = masters.pin[m];
                        continue;
                    }
                    led += w.masters_of.weight[k] * masters.mass[m];
                    leading += w.masters_of.weight[k] * masters.mass[m] * goal_velocity(w, m);
                }
                if (pinned > Real(0.5) * w.mass[s]) {
                    inside = true;
                    if (pin == 0)
                        hold_all<Real>(c, leading / led);
                    else
                        hold_all<Real>(c, w.pins[static_cast<std::size_t>(pin - 1)]
                                              .velocity(x)
                                              .template cast<Real>());
                    c.friction = 0;
                    c.stickiness = 0;
                    c.normal.setZero();
                }
            }
            if (inside) found.push_back(c);
        }
    });
    for (const auto& block : w.contact_blocks)
        w.contacts.insert(w.contacts.end(), block.begin(), block.end());
}

template <class Real>
void find_touches(Workspace<Real>& w, const Params& p, double beta, double dt) {
    const Masters<Real>& masters = w.trial.masters;
    const std::size_t n = masters.x.size();
    const Real d = static_cast<Real>(p.spacing);
    const Real crawl = Real(0.01) * d; // sliding slower than this [m/s] counts as sticking
    w.touches.clear();
    w.touch_start.assign(n + 1, 0);
    bool one_body = true;
    for (std::size_t m = 1; m < n && one_body; ++m) one_body = masters.join[m] == masters.join[0];
    if (one_body) return;

    // Each pair stands in both rows, so that forces are gathered in a fixed order.
    std::vector<std::vector<Touch<Real>>> rows(n);
    parallel_for(n, [&](std::size_t m) {
        if (w.slaves_of.row_size(m) == 0) return;
        w.master_grid.visit(masters.x[m], Real(1.5) * d, [&](std::uint32_t other, Real) {
            if (masters.join[other] == masters.join[m] || w.slaves_of.row_size(other) == 0) return;
            // Between the centres, where the slaves' forces act: no torque comes from nowhere.
            const Vec3<Real> across = (w.centre[m] - w.centre[other]).template head<3>();
            const Real distance = across.norm();
            if (!(distance < d) || !(distance > Real(0))) return;
            Touch<Real> t;
            t.other = other;
            t.normal = across / distance;
            t.arm = Real(-0.5) * across;
            const Real k = std::min(masters.young[m], masters.young[other]) * d;
            t.force = k * (d - distance);
            t.stiffness = k * static_cast<Real>(beta * dt * dt);
            const Vec3<Real> relative =
                masters.v[m] - masters.v[other] + (masters.C[m] + masters.C[other]) * t.arm;
            const Real sliding = (relative - t.normal * t.normal.dot(relative)).norm();
            t.drag = static_cast<Real>(p.friction * dt) * t.force / std::max(sliding, crawl);
            rows[m].push_back(t);
        });
    });
    for (std::size_t m = 0; m < n; ++m) {
        w.touches.insert(w.touches.end(), rows[m].begin(), rows[m].end());
        w.touch_start[m + 1] = static_cast<std::uint32_t>(w.touches.size());
    }
}

template <class Real> void collide_slaves(Workspace<Real>& w, const Params& p, double dt) {
    bool rubbing = false;
    for (const Contact<Real>& c : w.contacts)
        rubbing = rubbing || (c.held && (c.friction > Real(0) || c.stickiness > Real(0)));
    // What the held slaves were pushed with: the momentum that the solve is short of.
    if (rubbing) multiply(w, w.v, w.product);
    const Real area_step = static_cast<Real>(p.spacing * p.spacing * dt);
    for (const Contact<Real>& c : w.contacts) {
        const Real mass = w.mass[c.slave];
        Vec3<Real> v = w.v[c.slave].template head<3>();
        Real push = 0;
        if (c.held) {
            if (c.free.isZero()) continue;
            const Vec4<Real> impulse = w.product[c.slave] - mass * w.v_star[c.slave];
            push = rubbing ? c.normal.dot(impulse.template head<3>()) : Real(0);
        } else {
            const Real closing = -c.normal.dot(v - c.surface);
            if (closing <= Real(0)) continue;
            v += closing * c.normal;
            push = mass * closing;
        }
        if (std::isinf(c.friction) || std::isinf(c.stickiness)) {
            w.v[c.slave] = widen<Real>(c.surface);
            continue;
        }
        const Real grip = c.friction * std::max(push, Real(0)) + c.stickiness * area_step;
        w.v[c.slave] = widen<Real>(rub(v, c.surface, c.normal, grip / mass));
    }
}

template <class Real> void collide_masters(Workspace<Real>& w, const Params& p, double dt) {
    Masters<Real>& masters = w.trial.masters;
    // Slaves hold matter at the surface; without them the masters do.
    const double reach = p.stress_points == StressPoints::masters ? touching * p.spacing : 0;
    parallel_for(masters.x.size(), [&](std::size_t m) {
        const Vec3d x = masters.x[m].template cast<double>();
        if (masters.pin[m] > 0) {
            const MovedShape& pin = w.pins[static_cast<std::size_t>(masters.pin[m] - 1)];
            masters.v[m] = pin.velocity(x).template cast<Real>();
            masters.C[m] = ((pin.step.linear() - Mat3d::Identity()) / dt).template cast<Real>();
            return;
        }
        if (masters.pin[m] < 0) {
            masters.v[m] = goal_velocity(w, m);
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
                masters.v[m] =
                    rub(masters.v[m], surface, normal, static_cast<Real>(shape.friction) * closing);
        }
    });
}

template <class Real> void push_masters_out(Workspace<Real>& w) {
    Masters<Real>& masters = w.trial.masters;
    parallel_for(masters.x.size(), [&](std::size_t m) {
        if (masters.pin[m] != 0) return;
        for (const MovedShape& shape : w.colliders) {
            const Vec3d x = masters.x[m].template cast<double>();
            const double distance = shape.distance_after(x);
            if (distance < 0)
                masters.x[m] -= (distance * shape.normal_after(x)).template cast<Real>();
        }
    });
}

template void place_scene(Workspace<float>&, const Scene&, double);
template void place_scene(Workspace<double>&, const Scene&, double);
template void find_contacts(Workspace<float>&, const Params&, double);
template void find_contacts(Workspace<double>&, const Params&, double);
template void find_touches(Workspace<float>&, const Params&, double, double);
template void find_touches(Workspace<double>&, const Params&, double, double);
template void collide_slaves(Workspace<float>&, const Params&, double);
template void collide_slaves(Workspace<double>&, const Params&, double);
template void collide_masters(Workspace<float>&, const Params&, double);
template void collide_masters(Workspace<double>&, const Params&, double);
template void push_masters_out(Workspace<float>&);
template void push_masters_out(Workspace<double>&);

} // namespace nendo::elastoplastic
