// SPDX-License-Identifier: Apache-2.0
// Heat in particles (melting thesis, §3.4): enthalpy is conducted between neighbors, exchanged with
// air and heat sources, and stored as temperature and as latent heat.
//
// Heat that leaves one particle enters another, to the last bit. Steps are always short enough that
// no particle becomes warmer than everything that heats it.
#pragma once

#include "core/memory.h"
#include "heat/params.h"
#include "scene/scene.h"
#include "sph/neighborhood.h"

#include <cstdint>
#include <vector>

namespace nendo::heat {

/// The columns of the particles that heat reads and writes, by row.
template <class Real> struct Columns {
    const std::vector<Vec3<Real>>& x;       ///< Position [m]
    const std::vector<Real>& mass;          ///< [kg]
    const std::vector<Real>& volume;        ///< [m^3]
    const std::vector<Real>& heat_capacity; ///< [J/(kg K)]
    const std::vector<Real>& conductivity;  ///< [W/(m K)]
    const std::vector<Real>& melting_point; ///< [degC]
    const std::vector<Real>& latent_heat;   ///< [J/kg]
    std::vector<double>& enthalpy;          ///< Relative to the solid at 0 degC [J/kg]
    std::vector<Real>& temperature;         ///< [degC]
    std::vector<Real>& melted;              ///< Share of latent heat absorbed [1]
};

/// Thermal properties of a material. Enthalpy is relative to the solid at 0 degrees.
struct Matter {
    double heat_capacity; ///< [J/(kg K)]
    double melting_point; ///< [degC]
    double latent_heat;   ///< [J/kg]

    double temperature(double enthalpy) const {
        const double solid_end = heat_capacity * melting_point;
        if (enthalpy < solid_end) return enthalpy / heat_capacity;
        if (enthalpy <= solid_end + latent_heat) return melting_point;
        return (enthalpy - latent_heat) / heat_capacity;
    }
    double melted(double enthalpy) const {
        const double above = enthalpy - heat_capacity * melting_point;
        if (above <= 0) return 0;
        return above >= latent_heat ? 1 : above / latent_heat;
    }
    /// Enthalpy at a temperature. `melted` is the liquid share, used exactly at the melting point.
    double enthalpy(double temperature, double melted) const {
        if (temperature < melting_point) return heat_capacity * temperature;
        if (temperature > melting_point) return heat_capacity * temperature + latent_heat;
        return heat_capacity * temperature + melted * latent_heat;
    }
};

/// Computes temperatures and melted shares from the enthalpies.
template <class Real> void update_temperatures(const Columns<Real>& c);

/// Heat flow between particles, and with air and heat sources.
template <class Real> class Conduction {
public:
    /// Finds neighbors, the conductances between them and the free surface of each particle, for
    /// matter of `spacing` [m].
    void place(const Columns<Real>& c, double spacing);
    /// Computes the exchange with air and sources at `time` [s]. Call place() first.
    void exchange(const Columns<Real>& c, const std::vector<HeatSource>& sources,
                  const Params& params, double time);
    /// Lets heat flow for dt [s], in as many steps as stability requires. Returns the heat received
    /// from air and sources [J].
    double flow(const Columns<Real>& c, double dt);

    int steps() const { return m_steps; } ///< Steps of the last flow()
    /// Number of pairs, in both directions and padded to whole batches.
    std::size_t pairs() const { return m_conductance.size(); }
    struct Rows {
        const std::uint32_t* first;
        const std::uint32_t* last;
        const std::uint32_t* begin() const { return first; }
        const std::uint32_t* end() const { return last; }
    };
    /// Rows within two spacings of particle i, without i itself.
    Rows neighbors(std::size_t i) const {
        const auto list = m_near.of(i);
        const std::uint32_t* last = list.end;
        while (last != list.begin && last[-1] == m_near.padding_slot()) --last;
        return {list.begin, last};
    }
    /// Free surface of each particle [m^2].
    const std::vector<double>& free_area() const { return m_free; }
    std::size_t bytes() const {
        return memory_of(m_near, m_volume, m_compression, m_group, m_place, m_scale, m_conductance,
                         m_free, m_gain, m_drive, m_flux, m_temperature, m_partials);
    }

private:
    /// Calls visit(slots, place) for the neighbors of i, eight at a time. Their conductances start
    /// at m_conductance[place].
    template <class Visit> void for_each_eight(std::size_t i, const Visit& visit) const {
        const auto list = m_near.of(i);
        auto place = static_cast<std::size_t>(list.begin - m_near.of(0).begin);
        for (const std::uint32_t* k = list.begin; k != list.end; k += lanes, place += lanes)
            visit(k, place);
    }
    /// Scales the pairs of particles that lack neighbors.
    void balance();
    double longest_step(const Columns<Real>& c);

    sph::Neighborhood<Real> m_near;
    std::vector<Real> m_volume, m_compression;
    std::vector<std::int32_t> m_group;
    std::vector<Vec4<Real>> m_place;     ///< Position [m], and volume times scale [m^3]
    std::vector<Real> m_scale;           ///< Factor on the pairs of each particle [1]
    std::vector<Real> m_conductance;     ///< Conductance of each pair [W/K]; 0 for padding
    std::vector<double> m_free;          ///< Free surface [m^2]
    std::vector<double> m_gain, m_drive; ///< External heat is drive [W] - gain [W/K] times T
    std::vector<double> m_flux;          ///< [W]
    std::vector<double> m_temperature;   ///< Temperature, with an entry for padding [degC]
    Partials<double> m_partials;
    double m_spacing = 0;
    int m_steps = 0;
};

extern template class Conduction<float>;
extern template class Conduction<double>;

} // namespace nendo::heat
