// SPDX-License-Identifier: Apache-2.0
// Places the scene at a substep, adds fluid from taps and removes fluid in drains.
#include "coupling/stages.h"

#include "core/error.h"

#include <algorithm>
#include <cmath>

namespace nendo::coupling {

template <class Real>
void place_scene(Workspace<Real>& w, const Scene& scene, const Inputs& inputs, double dt) {
    const double time = w.trial.details.time;
    w.colliders.clear();
    for (const Collider& c : scene.colliders) w.colliders.push_back(move_collider(c, time, dt));
    w.pins.clear();
    for (const Pin& pin : scene.pins) w.pins.push_back(move_shape(pin.shape, pin.motion, time, dt));
    w.muscles.assign(1, MuscleKey{}); // entry 0: springs without a muscle
    for (const Muscle& muscle : inputs.muscles) w.muscles.push_back(muscle.at(time));
    const Particles<Real>& particles = w.trial.particles;
    w.held_velocity.resize(particles.id.size());
    for (std::size_t i = 0; i < particles.id.size(); ++i) {
        const std::int32_t pin = particles.pin[i];
        if (pin == 0) continue;
        w.held_velocity[i] =
            pin < 0
                ? Vec3<Real>((particles.goal[i] - particles.x[i]) / static_cast<Real>(w.end - time))
                : w.pins[static_cast<std::size_t>(pin - 1)]
                      .velocity(particles.x[i].template cast<double>())
                      .template cast<Real>();
    }
}

namespace {

/// Makes fluid within one spacing of the disc flow at least as fast as the tap, so that a submerged
/// tap drives the fluid around it. Returns the positions of all particles near the disc.
template <class Real>
std::vector<Vec3d> drive_fluid(Particles<Real>& particles, const Tap& tap, double spacing) {
    const Vec3d axis = tap.direction.normalized();
    std::vector<Vec3d> mouth;
    for (std::size_t i = 0; i < particles.id.size(); ++i) {
        const Vec3d x = particles.x[i].template cast<double>();
        const double ahead = axis.dot(x - tap.center);
        const double aside = (x - tap.center - ahead * axis).norm();
        if (std::abs(ahead) > 2 * spacing || aside > tap.radius + spacing) continue;
        mouth.push_back(x);
        if (particles.phase[i] != fluid_phase || std::abs(ahead) > spacing || aside > tap.radius)
            continue;
        const double v = axis.dot(particles.v[i].template cast<double>());
        if (v < tap.speed) particles.v[i] += ((tap.speed - v) * axis).template cast<Real>();
    }
    return mouth;
}

/// Whether a wall beside the flow is closer to x than fluid rests. A wall that a tap flows out of,
/// or onto, is not beside it.
bool at_wall(const std::vector<MovedShape>& colliders, const Vec3d& x, const Vec3d& axis,
             double spacing) {
    return std::any_of(colliders.begin(), colliders.end(), [&](const MovedShape& shape) {
        return shape.distance(x) < 0.45 * spacing && std::abs(shape.normal(x).dot(axis)) < 0.7;
    });
}

/// One layer of fluid from a tap, `ahead` [m] of its disc: a square lattice centered on the disc,
/// without the points that are already occupied.
Body layer_of(const Tap& tap, double spacing, double ahead, const std::vector<Vec3d>& mouth,
              const std::vector<MovedShape>& colliders) {
    Body layer;
    layer.name = tap.name;
    layer.material = tap.material;
    layer.index = tap.index;
    const Vec3d axis = tap.direction.normalized();
    layer.velocity = tap.speed * axis;
    const Vec3d any = std::abs(axis.x()) < 0.7 ? Vec3d(1, 0, 0) : Vec3d(0, 1, 0);
    const Vec3d u = axis.cross(any).normalized(), v = axis.cross(u);
    const int reach = static_cast<int>(std::ceil(tap.radius / spacing));
    for (int i = -reach; i < reach; ++i)
        for (int j = -reach; j < reach; ++j) {
            const Vec3d offset = spacing * ((i + 0.5) * u + (j + 0.5) * v);
            const Vec3d x = tap.center + offset + ahead * axis;
            const bool taken = std::any_of(mouth.begin(), mouth.end(), [&](const Vec3d& other) {
                return (other - x).norm() < 0.9 * spacing; // the gaps of a full lattice are no space
            });
            if (offset.norm() < tap.radius && !taken && !at_wall(colliders, x, axis, spacing))
                layer.points.push_back(x);
        }
    return layer;
}

} // namespace

template <class Real>
bool pour(Workspace<Real>& w, const std::vector<Tap>& taps, const Params& p, double dt) {
    Details& details = w.trial.details;
    const std::int64_t before = details.next_particle;
    for (const Tap& tap : taps) {
        // Layers leave the tap at start, start + interval, ...; add those of this substep.
        const double interval = p.spacing / tap.speed;
        const double until = std::min(details.time, tap.end) - tap.start;
        const double since = details.time - dt - tap.start;
        if (until < 0 || details.time - dt > tap.end) continue;
        const std::vector<Vec3d> mouth = drive_fluid(w.trial.particles, tap, p.spacing);
        const double first = std::max(std::floor(since / interval) + 1, 0.0);
        for (double k = first; k * interval <= until; ++k) {
            const double ahead = (details.time - tap.start - k * interval) * tap.speed;
            add_body(w.trial, layer_of(tap, p.spacing, ahead, mouth, w.colliders), {}, p);
        }
    }
    details.poured += details.next_particle - before;
    if (details.settled == before) details.settled = details.next_particle;
    return details.next_particle != before;
}

template <class Real> bool drain(Workspace<Real>& w, const std::vector<Drain>& drains) {
    Particles<Real>& particles = w.trial.particles;
    if (drains.empty()) return false;
    w.marked.assign(particles.id.size(), 0);
    std::int64_t gone = 0;
    for (std::size_t i = 0; i < particles.id.size(); ++i) {
        if (particles.phase[i] != fluid_phase) continue;
        const Vec3d x = particles.x[i].template cast<double>();
        const bool inside = std::any_of(drains.begin(), drains.end(),
                                        [&](const Drain& d) { return d.shape->inside(x); });
        w.marked[i] = inside ? 1 : 0;
        gone += inside ? 1 : 0;
    }
    if (gone == 0) return false;
    erase_marked(particles, w.marked);
    w.trial.details.drained += gone;
    return true;
}

template void place_scene(Workspace<float>&, const Scene&, const Inputs&, double);
template void place_scene(Workspace<double>&, const Scene&, const Inputs&, double);
template bool pour(Workspace<float>&, const std::vector<Tap>&, const Params&, double);
template bool pour(Workspace<double>&, const std::vector<Tap>&, const Params&, double);
template bool drain(Workspace<float>&, const std::vector<Drain>&);
template bool drain(Workspace<double>&, const std::vector<Drain>&);

} // namespace nendo::coupling
