// SPDX-License-Identifier: Apache-2.0
// The stiffness of matter, and how many clusters and iterations are spent on it.
#include "math/portable_math.h"
#include "melt/stages.h"

#include <algorithm>
#include <cmath>

namespace nendo::melt {

namespace {

/// Share of clusters that the hardest matter solves. The melting thesis solves 841 of 6525.
constexpr double fewest_samples = 0.13;
/// Hardness above which some clusters are left unsolved.
constexpr double sampled_from = 0.3;

/// Modeled cost of an iteration [ms], per pair of solved cluster and member, and per particle. It
/// was measured on one 2.4 GHz core, and is the same on every machine so that results are too.
constexpr double pair_cost = 1.2e-5;
constexpr double particle_cost = 6e-5;

/// Number of Jacobi iterations that one Gauss-Seidel iteration is worth (melting thesis, Fig 3.2).
constexpr double gauss_seidel_worth = 20;
/// Stiffness s per iteration that is practically unlimited: n iterations at s = 4 n still leave
/// three quarters of an error.
constexpr double effectively_unlimited = 4;

constexpr double log_of_1e5 = 11.512925464970229;
constexpr double log_of_1000 = 6.907755278982137;

/// Stiffness for a hardness [Pa]: 1 kPa to 100 MPa below one, and unlimited from one on.
double hardness_young(double hardness) {
    return hardness >= 1 ? infinite : 1e3 * portable_exp(hardness * log_of_1e5);
}

/// The spectral radius for which `iterations` of the Chebyshev method leave at most a tenth of any
/// error. With a larger one, errors would oscillate instead of decay, and motion would gain energy.
double largest_radius(int iterations) {
    const double x = 3.0 / std::max(1, iterations); // arcosh 10 = 2.99
    const double x2 = x * x;
    return 1 / (1 + x2 / 2 + x2 * x2 / 24 + x2 * x2 * x2 / 720); // 1 / cosh
}

/// Mean squared distance along one axis in a complete cluster, in squared spacings.
double mean_square(double radius) {
    double sum = 0, count = 0;
    const int reach = static_cast<int>(radius);
    for (int i = -reach; i <= reach; ++i)
        for (int j = -reach; j <= reach; ++j)
            for (int k = -reach; k <= reach; ++k)
                if (i * i + j * j + k * k <= radius * radius * (1 + 1e-5)) {
                    sum += i * i;
                    ++count;
                }
    return sum / count;
}

} // namespace

double sample_share(const Params& p) {
    if (p.control == Control::expert) return p.samples;
    const double hard = std::max(0.0, (p.hardness - sampled_from) / (1 - sampled_from));
    return 1 - (1 - fewest_samples) * hard;
}

template <class Real>
double stiffness_of(const Particles<Real>& particles, std::size_t i, const Params& p) {
    const double cold = p.control == Control::hardness ? hardness_young(p.hardness)
                                                       : static_cast<double>(particles.young[i]);
    const auto range = static_cast<double>(particles.softening[i]);
    const double below = static_cast<double>(particles.melting_point[i]) -
                         static_cast<double>(particles.temperature[i]);
    const double warm = range > 0 ? std::clamp(1 - below / range, 0.0, 1.0) : 0.0;
    const double soft = 0.5 * (warm + blend_of(particles, i));
    if (soft <= 0) return cold;
    if (soft >= 1) return 0;
    // Cold and softened stiffness act like two springs in series.
    const double per_cold = std::isinf(cold) ? 0 : 1 / cold;
    return 1 / (per_cold + soft / (1 - soft) / static_cast<double>(particles.soft_young[i]));
}

double stiffness_per_young(const Params& p) {
    return 1 / (mean_square(p.cluster_radius) * p.spacing * p.spacing);
}

namespace {

/// Number of iterations that the stiffness needs, at most those that the budget allows.
template <class Real> int plan_iterations(const Workspace<Real>& w, const Params& p, double dt) {
    double pairs = 0, particles = 0;
    for (std::size_t i = 0; i < w.clusters.size(); ++i) {
        if (w.clusters[i].count == 0) continue;
        ++particles;
        if (w.clusters.bucket(i) != max_groups) pairs += w.clusters[i].count;
    }
    const double cost = pairs * pair_cost + particles * particle_cost;
    double iterations = cost > 0 ? p.budget * 30 * dt / cost : 0;
    const double young = hardness_young(p.hardness);
    if (!std::isinf(young)) {
        // Each iteration leaves s / (1 + s) of the error; a thousandth is small enough.
        const double s = young * stiffness_per_young(p) * dt * dt / 1000;
        iterations = std::min(iterations, 1 + log_of_1000 * (1 + s));
    }
    return std::max(1, static_cast<int>(std::min(iterations, 1e5)));
}

} // namespace

template <class Real> Solve plan_solve(const Workspace<Real>& w, const Params& p, double dt) {
    const double calm = std::max(w.calm_step, dt), share = dt / calm;
    Solve solve;
    solve.constraint = p.constraint;
    solve.scheme = p.scheme;
    solve.weighted = p.weighted && p.scheme != Scheme::gauss_seidel;
    if (p.scheme == Scheme::hybrid) solve.groups = p.grouping == Grouping::parity ? 2 : p.groups;
    int whole = p.iterations;
    if (p.control == Control::expert) {
        solve.iterations = static_cast<int>(std::ceil(share * whole - 1e-6));
    } else {
        solve.iterations = plan_iterations(w, p, dt);
        whole = plan_iterations(w, p, calm);
    }
    solve.hardest_mixed = effectively_unlimited * whole * share * share;
    if (share < 1 - 1e-6) {
        const double worth = solve.scheme == Scheme::gauss_seidel ? gauss_seidel_worth : 1;
        solve.hardest = worth * solve.hardest_mixed;
    }
    if (p.chebyshev)
        solve.chebyshev_radius = std::min(p.chebyshev_radius, largest_radius(solve.iterations));
    solve.interpolation = p.interpolation;
    return solve;
}

template double stiffness_of(const Particles<float>&, std::size_t, const Params&);
template double stiffness_of(const Particles<double>&, std::size_t, const Params&);
template Solve plan_solve(const Workspace<float>&, const Params&, double);
template Solve plan_solve(const Workspace<double>&, const Params&, double);

} // namespace nendo::melt
