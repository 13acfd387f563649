// SPDX-License-Identifier: Apache-2.0
// Springs of bodies: their stretch, their forces and their breaking (Hirato, eq 7-10).
#include "coupling/stages.h"

#include <algorithm>
#include <cmath>

namespace nendo::coupling {

template <class Real> void measure_stretch(Workspace<Real>& w) {
    Particles<Real>& particles = w.trial.particles;
    const Springs<Real>& springs = w.trial.springs;
    parallel_for(w.row_of.size(), [&](std::size_t node) {
        const std::uint32_t i = w.row_of[node];
        Real sum = 0, weights = 0;
        for (std::uint32_t k = w.link_start[node]; k != w.link_start[node + 1]; ++k) {
            const Link link = w.links[k];
            const Real length = (particles.x[w.row_of[link.other]] - particles.x[i]).norm();
            const Real rest = springs.rest[link.spring];
            // r0 / |r| times W_lens = 1 / r0 (eq 8, 9). |r| counts as at least a tenth of r0.
            sum += Real(1) / std::max(length, Real(0.1) * rest);
            weights += Real(1) / rest;
        }
        particles.stretch[i] = weights > Real(0) ? weights / sum : Real(1);
    });
}

namespace {

/// Linearizes all springs about their present state: their forces, and their impulses over dt [s]
/// per relative velocity. An explicit step includes only the dampers in the latter.
template <class Real> void linearize_springs(Workspace<Real>& w, double dt, bool implicit) {
    const Particles<Real>& particles = w.trial.particles;
    const Springs<Real>& springs = w.trial.springs;
    const Real step = static_cast<Real>(dt);
    w.linear_springs.resize(springs.id.size());
    parallel_for(springs.id.size(), [&](std::size_t k) {
        const std::uint32_t a = w.row_of[w.ends[k][0]], b = w.row_of[w.ends[k][1]];
        const Vec3<Real> offset = particles.x[b] - particles.x[a];
        const Real length = offset.norm();
        // k and d are per unit mass. For unequal masses, twice the reduced mass is used.
        const Real mass = Real(2) * particles.mass[a] * particles.mass[b] /
                          (particles.mass[a] + particles.mass[b]);
        const MuscleKey& muscle = w.muscles[static_cast<std::size_t>(springs.muscle[k])];
        const Real rest =
            springs.rest[k] * static_cast<Real>(muscle.length) * (Real(1) - springs.contraction[k]);
        const Real stiffness = mass * springs.stiffness[k];
        LinearSpring<Real>& linear = w.linear_springs[k];
        linear.axis = offset / std::max(length, Real(1e-6) * rest);
        linear.force = stiffness * (length - rest) -
                       mass * (static_cast<Real>(muscle.force) + springs.push[k]);
        linear.along = step * mass * springs.damping[k];
        linear.across = 0;
        if (!implicit) return;
        // Only a stretched spring resists rotation; a compressed one would push its ends sideways.
        linear.across = step * step * stiffness * std::max(Real(1) - rest / length, Real(0));
        linear.along += step * step * stiffness - linear.across;
    });
}

/// Momentum that the springs take from a node if nodes move with velocities u [kg m/s]: its row of
/// (dt D + dt^2 K) u.
template <class Real>
Vec3<Real> spring_resistance(const Workspace<Real>& w, const std::vector<Vec3<Real>>& u,
                             std::size_t node) {
    Vec3<Real> sum = Vec3<Real>::Zero();
    for (std::uint32_t k = w.link_start[node]; k != w.link_start[node + 1]; ++k) {
        const Link link = w.links[k];
        const LinearSpring<Real>& linear = w.linear_springs[link.spring];
        const Vec3<Real> relative = u[node] - u[link.other];
        sum += linear.along * linear.axis.dot(relative) * linear.axis + linear.across * relative;
    }
    return sum;
}

/// Impulse of the springs on a node, in their present state [kg m/s].
template <class Real>
Vec3<Real> spring_impulse(const Workspace<Real>& w, Real step, std::size_t node) {
    Vec3<Real> sum = Vec3<Real>::Zero();
    for (std::uint32_t k = w.link_start[node]; k != w.link_start[node + 1]; ++k) {
        const Link link = w.links[k];
        const LinearSpring<Real>& linear = w.linear_springs[link.spring];
        const Real sign = w.ends[link.spring][0] == node ? Real(1) : Real(-1);
        sum += sign * step * linear.force * linear.axis;
    }
    return sum;
}

template <class Real>
double dot(Workspace<Real>& w, const std::vector<Vec3<Real>>& a, const std::vector<Vec3<Real>>& b) {
    return parallel_reduce(
        a.size(), 0.0, [&](std::size_t k) { return static_cast<double>(a[k].dot(b[k])); },
        [](double x, double y) { return x + y; }, w.partials);
}

/// Solves (m + dt D + dt^2 K) u = m v* + dt f for the velocity u at the end of the substep, by
/// conjugate gradients that start from v*, preconditioned by the diagonal. Held nodes keep their
/// velocity. Returns the number of iterations, negative if it did not converge.
template <class Real> int solve(Workspace<Real>& w, const Params& p, double dt) {
    const Particles<Real>& particles = w.trial.particles;
    const std::size_t n = w.row_of.size();
    const Real step = static_cast<Real>(dt);
    w.residual.resize(n);
    w.direction.resize(n);
    w.product.resize(n);
    w.per_diagonal.resize(n);
    parallel_for(n, [&](std::size_t node) {
        const std::uint32_t i = w.row_of[node];
        const bool held = w.held(i);
        Real diagonal = particles.mass[i];
        for (std::uint32_t k = w.link_start[node]; k != w.link_start[node + 1]; ++k) {
            const LinearSpring<Real>& linear = w.linear_springs[w.links[k].spring];
            diagonal += linear.along * Real(1.0 / 3) + linear.across;
        }
        w.per_diagonal[node] = held ? Real(0) : Real(1) / diagonal;
        w.residual[node] =
            held ? Vec3<Real>(Vec3<Real>::Zero())
                 : Vec3<Real>(spring_impulse(w, step, node) - spring_resistance(w, w.u, node));
        w.direction[node] = w.per_diagonal[node] * w.residual[node];
    });
    double rz = dot(w, w.residual, w.direction);
    const double goal = p.cg_tolerance * p.cg_tolerance * rz;
    for (int iteration = 0; iteration < p.cg_iterations; ++iteration) {
        if (!(rz > goal) || !(rz > 0)) return iteration;
        parallel_for(n, [&](std::size_t node) {
            const std::uint32_t i = w.row_of[node];
            w.product[node] = w.held(i) ? Vec3<Real>(Vec3<Real>::Zero())
                                        : Vec3<Real>(particles.mass[i] * w.direction[node] +
                                                     spring_resistance(w, w.direction, node));
        });
        const auto alpha = static_cast<Real>(rz / dot(w, w.direction, w.product));
        parallel_for(n, [&](std::size_t node) {
            w.u[node] += alpha * w.direction[node];
            w.residual[node] -= alpha * w.product[node];
            w.product[node] = w.per_diagonal[node] * w.residual[node];
        });
        const double rz_new = dot(w, w.residual, w.product);
        const auto beta = static_cast<Real>(rz_new / rz);
        parallel_for(n, [&](std::size_t node) {
            w.direction[node] = w.product[node] + beta * w.direction[node];
        });
        rz = rz_new;
    }
    return rz > goal ? -p.cg_iterations : p.cg_iterations;
}

} // namespace

template <class Real> int apply_springs(Workspace<Real>& w, const Params& p, double dt) {
    if (w.trial.springs.id.empty()) return 0;
    Particles<Real>& particles = w.trial.particles;
    const bool implicit = p.springs == SpringSolve::implicit;
    const Real step = static_cast<Real>(dt);
    linearize_springs(w, dt, implicit);
    w.u.resize(w.row_of.size());
    parallel_for(w.u.size(), [&](std::size_t node) { w.u[node] = particles.v[w.row_of[node]]; });
    const int iterations = implicit ? solve(w, p, dt) : 0;
    // Recompute the impulses of all pairs from the velocities found. These are opposite to the last
    // bit; those of an unfinished solve are not.
    parallel_for(w.u.size(), [&](std::size_t node) {
        const std::uint32_t i = w.row_of[node];
        if (w.held(i)) return;
        particles.v[i] +=
            (spring_impulse(w, step, node) - spring_resistance(w, w.u, node)) / particles.mass[i];
    });
    return iterations;
}

template <class Real> bool break_springs(Workspace<Real>& w) {
    const Particles<Real>& particles = w.trial.particles;
    Springs<Real>& springs = w.trial.springs;
    w.marked.assign(springs.id.size(), 0);
    const double broken = parallel_reduce(
        springs.id.size(), 0.0,
        [&](std::size_t k) {
            const Vec3<Real> offset =
                particles.x[w.row_of[w.ends[k][1]]] - particles.x[w.row_of[w.ends[k][0]]];
            const bool breaks =
                offset.norm() > (Real(1) + springs.break_strain[k]) * springs.rest[k];
            w.marked[k] = breaks ? 1 : 0;
            return breaks ? 1.0 : 0.0;
        },
        [](double a, double b) { return a + b; }, w.partials);
    if (broken == 0) return false;
    w.trial.details.springs_broken += static_cast<std::int64_t>(broken);
    // Remove faces that have lost a side.
    std::vector<std::array<std::uint32_t, 2>> gone;
    for (std::size_t k = 0; k < w.marked.size(); ++k)
        if (w.marked[k] != 0)
            gone.push_back(
                {std::min(w.ends[k][0], w.ends[k][1]), std::max(w.ends[k][0], w.ends[k][1])});
    std::sort(gone.begin(), gone.end());
    erase_marked(springs, w.marked);
    w.marked.assign(w.faces.size(), 0);
    for (std::size_t k = 0; k < w.faces.size(); ++k)
        for (std::size_t side = 0; side < 3; ++side) {
            const std::uint32_t a = w.faces[k][side], b = w.faces[k][(side + 1) % 3];
            const std::array<std::uint32_t, 2> edge{std::min(a, b), std::max(a, b)};
            if (std::binary_search(gone.begin(), gone.end(), edge)) w.marked[k] = 1;
        }
    erase_marked(w.trial.faces, w.marked);
    return true;
}

template void measure_stretch(Workspace<float>&);
template void measure_stretch(Workspace<double>&);
template int apply_springs(Workspace<float>&, const Params&, double);
template int apply_springs(Workspace<double>&, const Params&, double);
template bool break_springs(Workspace<float>&);
template bool break_springs(Workspace<double>&);

} // namespace nendo::coupling
