#include "melt/adopt.h"

#include "heat/conduction.h"

#include <map>
#include <unordered_set>

namespace nendo::melt {

namespace {

template <class Real>
void drop_loose_links(Links<Real>& links, const std::unordered_set<std::int64_t>& ids) {
    std::vector<std::uint8_t> marked(links.id.size());
    for (std::size_t k = 0; k < marked.size(); ++k)
        marked[k] = ids.count(links.id[k]) == 0 || ids.count(links.other[k]) == 0 ? 1 : 0;
    erase_marked(links, marked);
}

/// The fresh particles of one body become a Body, and keep what they brought.
template <class Real>
void add_fresh(State<Real>& s, const Particles<Real>& brought,
               const std::vector<std::uint32_t>& rows, const Params& params,
               const Material& material, double temperature) {
    Body body;
    body.index = brought.body[rows.front()];
    body.name = std::to_string(body.index);
    body.material = material;
    body.temperature = temperature;
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
        p.pin[i] = brought.pin[k];
        if (brought.conductivity[k] > Real(0)) p.conductivity[i] = brought.conductivity[k];
        if (brought.melting_point[k] == Real(0) || p.phase[i] != solid) continue;
        p.melting_point[i] = brought.melting_point[k];
        const heat::Matter matter{material.heat_capacity, static_cast<double>(p.melting_point[i]),
                                  material.latent_heat};
        p.enthalpy[i] = matter.enthalpy(temperature, 0);
        p.melted[i] = static_cast<Real>(matter.melted(p.enthalpy[i]));
    }
}

} // namespace

template <class Real>
Adoption adopt(State<Real>& s, const Params& params, const Material& material, double temperature) {
    const Particles<Real> brought = s.particles;
    Adoption adoption;
    std::map<std::int32_t, std::vector<std::uint32_t>> fresh;
    std::unordered_set<std::int64_t> seen;
    for (std::size_t i = 0; i < brought.id.size(); ++i) {
        const std::int64_t id = brought.id[i];
        const auto row = static_cast<std::uint32_t>(i);
        const bool known = id >= 0 && id < s.details.next_particle && brought.mass[i] > Real(0);
        if (known && seen.insert(id).second)
            adoption.rows.push_back(row);
        else
            fresh[brought.body[i]].push_back(row);
    }
    adoption.first = adoption.rows.size();
    gather_table(s.particles, adoption.rows);
    drop_loose_links(s.links, seen);
    for (const auto& [body, rows] : fresh) {
        add_fresh(s, brought, rows, params, material, temperature);
        adoption.rows.insert(adoption.rows.end(), rows.begin(), rows.end());
    }
    return adoption;
}

template Adoption adopt(State<float>&, const Params&, const Material&, double);
template Adoption adopt(State<double>&, const Params&, const Material&, double);

} // namespace nendo::melt
