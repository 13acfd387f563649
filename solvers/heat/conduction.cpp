#include "heat/conduction.h"

#include <algorithm>
#include <cmath>

namespace nendo::heat {

namespace {

/// Of the kernels, in spacings.
constexpr double support = 2;
/// How much of the longest step that keeps temperatures in bounds is taken.
constexpr double safety = 0.9;

/// What a kernel of support h sums up to over a lattice: all of it, and its outermost layer's share.
struct LatticeDensity {
    double all = 0;
    double outermost = 0; ///< Over that of the inside
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

/// Of a symmetric matrix without negative ones, to about a hundredth: tr(A^9) / tr(A^8).
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
    const std::size_t n = c.x.size();
    const double h = support * spacing;
    const sph::Kernels<Real> kernels(spacing, h);
    m_spacing = spacing;
    m_near.place(c.x, h);
    m_volume.resize(n + 1);
    m_group.assign(n, sph::free_group);
    m_slot_of.resize(n);
    for (std::size_t slot = 0; slot < n; ++slot) {
        m_volume[slot] = c.volume[m_near.index()[slot]];
        m_slot_of[m_near.index()[slot]] = static_cast<std::uint32_t>(slot);
    }
    m_volume[n] = 0;
    m_near.find(kernels, m_volume, m_group, m_compression);

    m_start.assign(n + 1, 0);
    parallel_for(n, [&](std::size_t i) {
        const std::uint32_t slot = m_slot_of[i];
        const auto list = m_near.of(slot);
        std::uint32_t count = 0;
        for (const std::uint32_t* k = list.begin; k != list.end; ++k)
            count += *k != slot && *k != m_near.nobody() ? 1u : 0u;
        m_start[i + 1] = count;
    });
    for (std::size_t i = 0; i < n; ++i) m_start[i + 1] += m_start[i];
    m_other.resize(m_start[n]);
    m_conductance.resize(m_start[n]);
    m_free.resize(n);
    // The kernels are powers of 1 - r / h and of 1 - (r / h)^2 times what they are at 0.
    const double lap = viscosity_laplacian(0, h) / sph::lattice_sums(spacing, h).laplacian;
    const double most = poly6(0, h), per_h = 1 / h;
    const LatticeDensity lattice(spacing, h);
    parallel_for(n, [&](std::size_t i) {
        const std::uint32_t slot = m_slot_of[i];
        const auto list = m_near.of(slot);
        std::uint32_t place = m_start[i];
        double density = static_cast<double>(c.volume[i]);
        for (const std::uint32_t* k = list.begin; k != list.end; ++k) {
            if (*k == slot || *k == m_near.nobody()) continue;
            const std::uint32_t j = m_near.index()[*k];
            const double r2 =
                (c.x[j] - c.x[i]).template cast<double>().squaredNorm() * (per_h * per_h);
            const double a = std::max(0.0, 1 - r2);
            m_other[place] = j;
            m_conductance[place] = lap * std::max(0.0, 1 - std::sqrt(r2));
            density += static_cast<double>(c.volume[j]) * (a * a * a);
            ++place;
        }
        const double bare = (1 - most * density / lattice.all) / (1 - lattice.outermost);
        // The layer below the outermost one is a little bare too, and has no surface.
        m_free[i] = bare < 0.25 ? 0 : std::min(bare, 3.0) * spacing * spacing;
    });
    balance(c);
    // The flux is kappa V_i V_j lap W (T_j - T_i): the same for both.
    parallel_for(n, [&](std::size_t i) {
        for (std::uint32_t k = m_start[i]; k < m_start[i + 1]; ++k) {
            const std::uint32_t j = m_other[k];
            const double a = static_cast<double>(c.conductivity[i]);
            const double b = static_cast<double>(c.conductivity[j]);
            const double both = a + b > 0 ? 2 * (a * b) / (a + b) : 0;
            const double volumes =
                static_cast<double>(c.volume[i]) * static_cast<double>(c.volume[j]);
            m_conductance[k] *= both * volumes * (m_scale[i] * m_scale[j]);
        }
    });
}

/// Differs: where neighbours are missing, those that are there conduct for them, so that heat runs
/// along a surface, a sheet or a rod as it does inside. Pairs are scaled by s_i s_j such that
/// s_i sum_j s_j V_j lap W (x_j - x_i)^2 / 2, along the direction in which it is largest, is one for
/// every particle (Sinkhorn's iteration); it is so inside.
template <class Real> void Conduction<Real>::balance(const Columns<Real>& c) {
    m_scale.assign(c.x.size(), 1);
    m_flux.resize(c.x.size());
    for (int k = 0; k < 3; ++k) {
        parallel_for(c.x.size(), [&](std::size_t i) {
            double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;
            for (std::uint32_t l = m_start[i]; l < m_start[i + 1]; ++l) {
                const std::uint32_t j = m_other[l];
                const Vec3d way = (c.x[j] - c.x[i]).template cast<double>();
                const double weight =
                    0.5 * m_scale[j] * static_cast<double>(c.volume[j]) * m_conductance[l];
                const Vec3d weighed = weight * way;
                xx += weighed.x() * way.x();
                xy += weighed.x() * way.y();
                xz += weighed.x() * way.z();
                yy += weighed.y() * way.y();
                yz += weighed.y() * way.z();
                zz += weighed.z() * way.z();
            }
            Mat3d sum;
            sum << xx, xy, xz, xy, yy, yz, xz, yz, zz;
            m_flux[i] = std::sqrt(m_scale[i] / std::max(largest_eigenvalue(sum), 0.05));
        });
        m_scale.swap(m_flux);
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
        // Matter in contact is a particle's radius away, and may be pushed a little off.
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
            for (std::uint32_t k = m_start[i]; k < m_start[i + 1]; ++k) sum += m_conductance[k];
            return sum / (static_cast<double>(c.mass[i]) * static_cast<double>(c.heat_capacity[i]));
        },
        [](double a, double b) { return std::max(a, b); }, m_partials);
    return fastest > 0 ? safety / fastest : infinite;
}

template <class Real> double Conduction<Real>::flow(const Columns<Real>& c, double dt) {
    const std::size_t n = c.x.size();
    const double longest = longest_step(c);
    m_steps = std::max(1, static_cast<int>(std::ceil(dt / longest)));
    const double step = dt / m_steps;
    m_flux.resize(n);
    double taken = 0;
    std::vector<double>& temperature = m_temperature;
    temperature.resize(n);
    for (int s = 0; s < m_steps; ++s) {
        parallel_for(
            n, [&](std::size_t i) { temperature[i] = matter_of(c, i).temperature(c.enthalpy[i]); });
        parallel_for(n, [&](std::size_t i) {
            double flux = 0;
            for (std::uint32_t k = m_start[i]; k < m_start[i + 1]; ++k)
                flux += m_conductance[k] * (temperature[m_other[k]] - temperature[i]);
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

template <class Real> std::size_t Conduction<Real>::bytes() const {
    const auto of = [](const auto& column) { return column.capacity() * sizeof(column[0]); };
    return m_near.bytes() + of(m_volume) + of(m_compression) + of(m_group) + of(m_scale) +
           of(m_start) + of(m_other) + of(m_conductance) + of(m_free) + of(m_gain) + of(m_drive) +
           of(m_flux) + of(m_temperature) + of(m_slot_of);
}

template void update_temperatures(const Columns<float>&);
template void update_temperatures(const Columns<double>&);
template class Conduction<float>;
template class Conduction<double>;

} // namespace nendo::heat
