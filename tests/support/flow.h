// SPDX-License-Identifier: Apache-2.0
// Fluids, stretchy bodies and tanks for tests of the coupling solver.
#pragma once

#include "coupling/solver.h"
#include "coupling/stages.h"
#include "geometry/sample.h"
#include "support/scenes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace nendo::coupling::test {

using nendo::test::weightless;

/// A box of particles whose lowest corner is at `corner`, of `cells` lattice cells.
inline Body make_block(const Eigen::Vector3i& cells, const Vec3d& corner, const Material& material,
                       double spacing, std::int32_t index = 0) {
    const Vec3d size = spacing * cells.cast<double>();
    Body body;
    body.name = "body " + std::to_string(index);
    body.points = place_masters(*make_box(corner + 0.5 * size, size), spacing);
    body.spacing = spacing;
    body.material = material;
    body.index = index;
    return body;
}

inline void add_wall(Scene& scene, const Vec3d& point, const Vec3d& normal, double friction = 0) {
    const std::string name = "wall " + std::to_string(scene.colliders.size());
    scene.colliders.push_back(
        nendo::test::make_collider(make_plane(point, normal), friction, name.c_str()));
}

/// Floor at y = 0 and four sides around [0, x] x [0, z]; open above.
inline Scene make_tank(double x, double z, double gravity, double friction = 0) {
    Scene scene;
    scene.gravity = Vec3d(0, -gravity, 0);
    add_wall(scene, {0, 0, 0}, {0, 1, 0}, friction);
    add_wall(scene, {0, 0, 0}, {1, 0, 0}, friction);
    add_wall(scene, {x, 0, 0}, {-1, 0, 0}, friction);
    add_wall(scene, {0, 0, 0}, {0, 0, 1}, friction);
    add_wall(scene, {0, 0, z}, {0, 0, -1}, friction);
    return scene;
}

/// Advances by `seconds` in frames of 1/24 s, calling after(state, report) after each.
template <class Real, class After>
Report run(State<Real>& state, const Scene& scene, const Inputs& inputs, const Params& params,
           double seconds, const After& after) {
    Solver<Real> solver;
    Host host;
    Report report;
    const double frame = 1.0 / 24;
    const int frames = static_cast<int>(std::lround(seconds / frame));
    for (int k = 0; k < frames; ++k) {
        report = solver.advance(state, scene, inputs, params, frame, host);
        after(state, report);
    }
    return report;
}
template <class Real>
Report run(State<Real>& state, const Scene& scene, const Inputs& inputs, const Params& params,
           double seconds) {
    return run(state, scene, inputs, params, seconds, [](const State<Real>&, const Report&) {});
}

/// Lowest and highest height of the particles of a phase [m].
template <class Real> std::pair<double, double> extent(const State<Real>& s, std::int32_t phase) {
    std::pair<double, double> y{infinite, -infinite};
    for (std::size_t i = 0; i < s.particles.id.size(); ++i) {
        if (s.particles.phase[i] != phase) continue;
        y.first = std::min(y.first, static_cast<double>(s.particles.x[i].y()));
        y.second = std::max(y.second, static_cast<double>(s.particles.x[i].y()));
    }
    return y;
}

/// Mean position of the particles of a phase [m].
template <class Real> Vec3d center(const State<Real>& s, std::int32_t phase) {
    Vec3d sum = Vec3d::Zero();
    double count = 0;
    for (std::size_t i = 0; i < s.particles.id.size(); ++i) {
        if (s.particles.phase[i] != phase) continue;
        sum += s.particles.x[i].template cast<double>();
        ++count;
    }
    return sum / count;
}

} // namespace nendo::coupling::test
