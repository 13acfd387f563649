// SPDX-License-Identifier: Apache-2.0
#include "melt/adopt.h"

#include "core/rows.h"

#include <map>
#include <unordered_set>
#include <utility>

namespace nendo::melt {

namespace {

template <class Real>
void drop_loose_links(Links<Real>& links, const std::unordered_set<std::int64_t>& ids) {
    std::vector<std::uint8_t> marked(links.id.size());
    for (std::size_t k = 0; k < marked.size(); ++k)
        marked[k] = ids.count(links.id[k]) == 0 || ids.count(links.other[k]) == 0 ? 1 : 0;
    erase_marked(links, marked);
}

template <class Real> Material own_material(const Particles<Real>& c, std::size_t k) {
    Material m;
    read_row<Strength>(c, k, m);
    read_row<Melting>(c, k, m);
    m.density = static_cast<double>(c.mass[k]) / static_cast<double>(c.volume[k]);
    return m;
}

/// The material of a fresh particle: its own if it has one, otherwise the given one.
struct Origin {
    Material material;
    double temperature; ///< [degC]
    bool own;
    bool melts;

    template <class Real>
    Origin(const Particles<Real>& brought, std::size_t k, const Material& given, double start)
        : material(given), temperature(start),
          own(brought.mass[k] > Real(0) && brought.volume[k] > Real(0) &&
              brought.heat_capacity[k] > Real(0)) {
        if (own) {
            material = own_material(brought, k);
            temperature = static_cast<double>(brought.temperature[k]);
        } else {
            if (brought.conductivity[k] > Real(0))
                material.conductivity = static_cast<double>(brought.conductivity[k]);
            if (brought.melting_point[k] != Real(0))
                material.melting_point = static_cast<double>(brought.melting_point[k]);
        }
        const double above = temperature - material.melting_point;
        melts = above > 0 || (above == 0 && own && brought.phase[k] == liquid);
    }
};

/// Fresh particles of one body, all solid or all liquid, become a Body, and keep what they brought.
template <class Real>
void add_fresh(State<Real>& s, const Particles<Real>& brought,
               const std::vector<std::uint32_t>& rows, const Params& params,
               const Material& material, double temperature) {
    const Origin first_one(brought, rows.front(), material, temperature);
    Body body;
    body.index = brought.body[rows.front()];
    body.name = std::to_string(body.index);
    body.material = first_one.material;
    body.temperature = first_one.temperature;
    body.liquid = first_one.melts;
    for (const std::uint32_t k : rows)
        body.particles.push_back(brought.x[k].template cast<double>());
    const std::size_t first = s.particles.id.size();
    add_body(s, body, params);
    Particles<Real>& p = s.particles;
    for (std::size_t n = 0; n < rows.size(); ++n) {
        const std::size_t i = first + n;
        const std::uint32_t k = rows[n];
        p.x[i] = brought.x[k];
        p.v[i] = brought.v[k];
        p.spin[i] = brought.spin[k];
        p.pin[i] = brought.pin[k];
        if (brought.radii[k].minCoeff() > Real(0)) p.radii[i] = brought.radii[k];
        const Origin origin(brought, k, material, temperature);
        set_material(p, i, origin.material, origin.temperature, origin.melts, params.spacing);
        if (!origin.own) continue;
        p.mass[i] = brought.mass[k];
        p.volume[i] = brought.volume[k];
    }
}

} // namespace

template <class Real>
Adoption adopt(State<Real>& s, const Params& params, const Material& material, double temperature) {
    const Particles<Real> brought = s.particles;
    const KnownAndFresh sorted = sort_out(brought, s.details.next_particle,
                                          [&](std::size_t i) { return brought.mass[i] > Real(0); });
    std::map<std::pair<std::int32_t, bool>, std::vector<std::uint32_t>> fresh;
    for (const std::uint32_t i : sorted.fresh)
        fresh[{brought.body[i], Origin(brought, i, material, temperature).melts}].push_back(i);
    Adoption adoption{sorted.known, sorted.known.size()};
    gather_table(s.particles, adoption.rows);
    drop_loose_links(s.links, sorted.ids);
    for (const auto& [key, rows] : fresh) {
        add_fresh(s, brought, rows, params, material, temperature);
        adoption.rows.insert(adoption.rows.end(), rows.begin(), rows.end());
    }
    return adoption;
}

template Adoption adopt(State<float>&, const Params&, const Material&, double);
template Adoption adopt(State<double>&, const Params&, const Material&, double);

} // namespace nendo::melt
