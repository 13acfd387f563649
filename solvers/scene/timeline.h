// SPDX-License-Identifier: Apache-2.0
// Events at fixed times of a simulation: bodies enter, pins take hold and let go.
#pragma once

#include "scene/scene.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace nendo {

/// Events that are closer to the current time than this happen now [s].
inline constexpr double time_tolerance = 1e-9;

/// Bodies sorted by start time. Bodies with equal start times keep the order of the list.
template <class Body> std::vector<const Body*> by_start(const std::vector<Body>& bodies) {
    std::vector<const Body*> sorted;
    sorted.reserve(bodies.size());
    for (const Body& body : bodies) sorted.push_back(&body);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Body* a, const Body* b) { return a->start < b->start; });
    return sorted;
}

/// Whether the next body of the queue has reached its start.
template <class Body, class Details>
bool is_due(const std::vector<const Body*>& queue, const Details& details) {
    const auto next = static_cast<std::size_t>(details.bodies_entered);
    return next < queue.size() && queue[next]->start <= details.time + time_tolerance;
}

/// The next time after `now` and before `end` at which a body enters or a pin changes; otherwise
/// `end` [s].
template <class Body>
double next_event(double now, double end, const std::vector<const Body*>& bodies,
                  const Scene& scene) {
    const auto earliest = [&](double time) {
        if (time > now + time_tolerance && time < end) end = time;
    };
    for (const Body* body : bodies) earliest(body->start);
    for (const Pin& pin : scene.pins) {
        earliest(pin.start);
        earliest(pin.end);
    }
    return end;
}

/// Pins new particles, from row `first` on, that are inside a pin active at `now`. Only rows for
/// which may_hold(row) is true can be pinned.
template <class Real, class MayHold>
void pin_new_particles(const std::vector<Vec3<Real>>& x, std::vector<std::int32_t>& pins,
                       std::size_t first, const Scene& scene, double now, const MayHold& may_hold) {
    for (std::size_t k = 0; k < scene.pins.size(); ++k) {
        const Pin& pin = scene.pins[k];
        if (pin.start > now + time_tolerance || pin.end <= now) continue;
        const Pose to_local = pin.motion.at(now).inverse();
        for (std::size_t i = first; i < x.size(); ++i)
            if (may_hold(i) && pin.shape->distance(to_local * x[i].template cast<double>()) < 0)
                pins[i] = static_cast<std::int32_t>(k + 1);
    }
}

/// Pins that start at `now` take hold of the free matter inside them; pins that have ended let go.
template <class Real, class MayHold>
void update_pins(const std::vector<Vec3<Real>>& x, std::vector<std::int32_t>& pins,
                 const Scene& scene, double now, const MayHold& may_hold) {
    for (std::size_t k = 0; k < scene.pins.size(); ++k) {
        const Pin& pin = scene.pins[k];
        const auto number = static_cast<std::int32_t>(k + 1);
        if (std::abs(pin.start - now) <= time_tolerance && now > 0) {
            const Pose to_local = pin.motion.at(now).inverse();
            for (std::size_t i = 0; i < x.size(); ++i)
                if (pins[i] == 0 && may_hold(i) &&
                    pin.shape->distance(to_local * x[i].template cast<double>()) < 0)
                    pins[i] = number;
        }
        if (now + time_tolerance >= pin.end)
            for (std::int32_t& held : pins)
                if (held == number) held = 0;
    }
}

} // namespace nendo
