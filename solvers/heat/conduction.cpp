// SPDX-License-Identifier: Apache-2.0
// Conductances between particles, exchange with air and sources, and explicit steps of heat flow.
#include "heat/conduction.h"

#include "core/error.h"
#include "core/range.h"

#include <algorithm>
#include <cmath>

namespace nendo::heat {

namespace {

/// Support of the kernels, in spacings.
constexpr double support = 2;
/// Fraction taken of the longest step that keeps temperatures in bounds.
constexpr double safety = 0.9;
/// Steps per substep beyond which nobody would wait for the result.
constexpr double most_steps = 1e5;

/// Kernel sums over a lattice, for support h: inside the lattice, and in its outermost layer.
struct LatticeDensity {
    double all = 0;
    double outermost = 0; ///< Relative to `all` [1]
    LatticeDensity(double spacing, double h) {
        const int reach = static_cast<int>(std::ceil(h / spacing));
        for (int i = -reach; i <= reach; ++i)
            for (int j = -reach; j <= reach; ++j)
                for (int k = -reach; k <= reach; ++k) {
                    const double r =
                        spacing * std::sqrt(static_cast<double>(i * i + j * j + k * k));
                    const double w = spacing * spacing * spacing * poly6(r, h);
                    all += w;
                    if (k <= 0) outermost += w;
                }
        outermost /= all;
    }
};

/// Largest eigenvalue of a symmetric positive semi-definite matrix, to about 1 %, as
/// tr(A^9) / tr(A^8).
double largest_eigenvalue(const Mat3d& a) {
    const double size = a.trace();
    if (!(size > 0)) return 0;
    const Mat3d scaled = a / size;
    Mat3d power = scaled;
    for (int k = 0; k < 3; ++k) power = (power * power).eval();
    return size * (power * scaled).trace() / power.trace();
}

template <class Real> Matter matter_of(const Columns<Real>& c, std::size_t i) {
    return {static_cast<double>(c.heat_capacity[i]), static_cast<double>(c.melting_point[i]),
            static_cast<double>(c.latent_heat[i])};
}

} // namespace

template <class Real> void update_temperatures(const Columns<Real>& c) {
    parallel_for(c.x.size(), [&](std::size_t i) {
        const Matter matter = matter_of(c, i);
        c.temperature[i] = static_cast<Real>(matter.temperature(c.enthalpy[i]));
        c.melted[i] = static_cast<Real>(matter.melted(c.enthalpy[i]));
    });
}

template <class Real> void Conduction<Real>::place(const Columns<Real>& c, double spacing) {
    using B = Batch<Real>;
    const std::size_t n = c.x.size();
    const double h = support * spacing;
    const sph::Kernels<Real> kernels(spacing, h);
    m_spacing = spacing;
    m_near.place(c.x, h);
    m_volume.assign(c.volume.begin(), c.volume.end());
    m_volume.push_back(0);
    m_group.assign(n, sph::free_group);
    m_near.find(kernels, m_volume, m_group, m_compression);
    m_place.resize(n + 1);
    m_place[n] = Vec4<Real>(Real(1e15), Real(1e15), Real(1e15), 0); // beyond all kernels
    parallel_for(n, [&](std::size_t i) {
        m_place[i] = Vec4<Real>(c.x[i].x(), c.x[i].y(), c.x[i].z(), c.volume[i]);
    });
    m_conductance.resize(n > 0 ? static_cast<std::size_t>(m_near.of(n - 1).end - m_near.of(0).begin)
                               : 0);
    m_free.resize(n);
    // The kernels are powers of 1 - r / h and of 1 - (r / h)^2, times their value at r = 0.
    const double lap = viscosity_laplacian(0, h) / sph::lattice_sums(spacing, h).laplacian;
    const double most = poly6(0, h);
    const LatticeDensity lattice(spacing, h);
    const B one = B::fill(1), none = B::fill(0), per_h = B::fill(static_cast<Real>(1 / h));
    const B laplacian = B::fill(static_cast<Real>(lap));
    parallel_for(n, [&](std::size_t i) {
        const Vec4<Real> here = m_place[i];
        B density = none;
        for_each_eight(i, [&](const std::uint32_t* slots, std::size_t place) {
            const Batch4<Real> there = Batch4<Real>::gather(m_place.data(), slots);
            const B x = (there.x - B::fill(here[0])) * per_h;
            const B y = (there.y - B::fill(here[1])) * per_h;
            const B z = (there.z - B::fill(here[2])) * per_h;
            const B r2 = x * x + y * y + z * z;
            const B a = (one - r2).at_least(none);
            density = density + there.w * (a * a * a);
            (laplacian * (one - r2.root()).at_least(none)).store(&m_conductance[place]);
        });
        const double all = static_cast<double>(here[3] + density.sum());
        const double bare = (1 - most * all / lattice.all) / (1 - lattice.outermost);
        // The second layer also lacks a few neighbors, but has no free surface.
        m_free[i] = bare < 0.25 ? 0 : std::min(bare, 3.0) * spacing * spacing;
    });
    balance();
    // The flux kappa V_i V_j lap W (T_j - T_i) is symmetric; kappa is the harmonic mean of both.
    parallel_for(n, [&](std::size_t i) {
        const B own = B::fill(m_place[i][3]), kappa = B::fill(c.conductivity[i]);
        const B least = B::fill(std::numeric_limits<Real>::min());
        for_each_eight(i, [&](const std::uint32_t* slots, std::size_t place) {
            Real others[lanes], volumes[lanes];
            for (std::uint32_t k = 0; k < lanes; ++k) {
                others[k] = slots[k] < n ? c.conductivity[slots[k]] : Real(0);
                volumes[k] = m_place[slots[k]][3];
            }
            const B other = B::load(others);
            const B both = (kappa * other + kappa * other) / (kappa + other).at_least(least);
            (B::load(&m_conductance[place]) * both * (own * B::load(volumes)))
                .store(&m_conductance[place]);
        });
    });
}

/// Differs: where neighbors are missing, the others conduct in their place, so that heat flows
/// along a surface, a sheet or a rod as fast as it does inside. Pairs are scaled by s_i s_j such
/// that s_i sum_j s_j V_j lap W (x_j - x_i)^2 / 2, in the direction in which it is largest, is one
/// for every particle (Sinkhorn's iteration). Inside it is one without scaling.
template <class Real> void Conduction<Real>::balance() {
    using B = Batch<Real>;
    const std::size_t n = m_near.size();
    m_scale.assign(n, Real(1));
    for (int sweep = 0; sweep < 3; ++sweep) {
        parallel_for(n, [&](std::size_t i) {
            const Vec4<Real> here = m_place[i];
            const B zero = B::fill(0);
            B xx = zero, xy = zero, xz = zero, yy = zero, yz = zero, zz = zero;
            for_each_eight(i, [&](const std::uint32_t* slots, std::size_t place) {
                const Batch4<Real> there = Batch4<Real>::gather(m_place.data(), slots);
                const B x = there.x - B::fill(here[0]);
                const B y = there.y - B::fill(here[1]);
                const B z = there.z - B::fill(here[2]);
                const B weight = there.w * B::load(&m_conductance[place]);
                const B wx = weight * x, wy = weight * y, wz = weight * z;
                xx = xx + wx * x;
                xy = xy + wx * y;
                xz = xz + wx * z;
                yy = yy + wy * y;
                yz = yz + wy * z;
                zz = zz + wz * z;
            });
            const auto half = [](const B& b) { return 0.5 * static_cast<double>(b.sum()); };
            Mat3d sum;
            sum(0, 0) = half(xx);
            sum(1, 1) = half(yy);
            sum(2, 2) = half(zz);
            sum(0, 1) = sum(1, 0) = half(xy);
            sum(0, 2) = sum(2, 0) = half(xz);
            sum(1, 2) = sum(2, 1) = half(yz);
            const double largest = std::max(largest_eigenvalue(sum), 0.05);
            m_scale[i] = static_cast<Real>(std::sqrt(static_cast<double>(m_scale[i]) / largest));
        });
        parallel_for(n, [&](std::size_t i) { m_place[i][3] = m_volume[i] * m_scale[i]; });
    }
}

template <class Real>
void Conduction<Real>::exchange(const Columns<Real>& c, const std::vector<HeatSource>& sources,
                                const Params& params, double time) {
    const std::size_t n = c.x.size();
    m_gain.assign(n, 0);
    m_drive.assign(n, 0);
    parallel_for(n, [&](std::size_t i) {
        m_gain[i] = params.air_transfer * m_free[i];
        m_drive[i] = m_gain[i] * params.air_temperature;
    });
    for (const HeatSource& source : sources) {
        if (time < source.start || time >= source.end) continue;
        const Pose to_local = source.motion.at(time).inverse(Eigen::Isometry);
        // Matter in contact is one particle radius away, and may be pushed a little further.
        const double reach = source.reach > 0 ? source.reach : m_spacing;
        m_flux.assign(n, 0);
        parallel_for(n, [&](std::size_t i) {
            const double d = source.shape->distance(to_local * c.x[i].template cast<double>());
            if (d >= reach) return;
            const double near = d <= 0 || source.reach == 0 ? 1 : 1 - d / reach;
            const double area = d <= 0 ? m_spacing * m_spacing : m_free[i];
            const double gain = source.transfer * near * near * area;
            m_gain[i] += gain;
            m_drive[i] += gain * source.temperature;
            m_flux[i] = near * static_cast<double>(c.mass[i]);
        });
        const double all = parallel_sum(n, 0.0, [&](std::size_t i) { return m_flux[i]; });
        if (source.power != 0 && all > 0)
            parallel_for(n, [&](std::size_t i) { m_drive[i] += source.power * m_flux[i] / all; });
    }
}

template <class Real> double Conduction<Real>::longest_step(const Columns<Real>& c) {
    const double fastest = parallel_reduce(
        c.x.size(), 0.0,
        [&](std::size_t i) {
            double sum = m_gain[i];
            for_each_eight(i, [&](const std::uint32_t*, std::size_t place) {
                for (std::size_t k = place; k < place + lanes; ++k)
                    sum += static_cast<double>(m_conductance[k]);
            });
            return sum / (static_cast<double>(c.mass[i]) * static_cast<double>(c.heat_capacity[i]));
        },
        [](double a, double b) { return std::max(a, b); }, m_partials);
    return fastest > 0 ? safety / fastest : infinite;
}

template <class Real> double Conduction<Real>::flow(const Columns<Real>& c, double dt) {
    const std::size_t n = c.x.size();
    const double longest = longest_step(c);
    if (!(dt / longest <= most_steps))
        throw Error("heat flows so fast that it needs steps of " + format_number(longest) + " s",
                    "heat", "use a larger heat_capacity, or a smaller conductivity or transfer");
    m_steps = std::max(1, static_cast<int>(std::ceil(dt / longest)));
    const double step = dt / m_steps;
    m_flux.resize(n);
    double taken = 0;
    std::vector<double>& temperature = m_temperature;
    temperature.assign(n + 1, 0);
    for (int s = 0; s < m_steps; ++s) {
        parallel_for(
            n, [&](std::size_t i) { temperature[i] = matter_of(c, i).temperature(c.enthalpy[i]); });
        parallel_for(n, [&](std::size_t i) {
            double flux = 0;
            for_each_eight(i, [&](const std::uint32_t* slots, std::size_t place) {
                for (std::uint32_t k = 0; k < lanes; ++k)
                    flux += static_cast<double>(m_conductance[place + k]) *
                            (temperature[slots[k]] - temperature[i]);
            });
            const double outside = m_drive[i] - m_gain[i] * temperature[i];
            m_flux[i] = outside;
            c.enthalpy[i] += step * (flux + outside) / static_cast<double>(c.mass[i]);
        });
        taken += step * parallel_reduce(
                            n, 0.0, [&](std::size_t i) { return m_flux[i]; },
                            [](double a, double b) { return a + b; }, m_partials);
    }
    update_temperatures(c);
    return taken;
}

template void update_temperatures(const Columns<float>&);
template void update_temperatures(const Columns<double>&);
template class Conduction<float>;
template class Conduction<double>;

} // namespace nendo::heat
