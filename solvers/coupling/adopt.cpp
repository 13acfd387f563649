// SPDX-License-Identifier: Apache-2.0
#include "coupling/adopt.h"

#include "core/error.h"

#include <algorithm>
#include <map>
#include <unordered_set>

namespace nendo::coupling {

namespace {

template <class Table, class IsGone> void drop(Table& table, const IsGone& is_gone) {
    std::vector<std::uint8_t> marked(table_size(table));
    for (std::size_t k = 0; k < marked.size(); ++k) marked[k] = is_gone(k) ? 1 : 0;
    erase_marked(table, marked);
}

/// Springs and faces of particles that the host deleted.
template <class Real>
void drop_loose_ends(State<Real>& s, const std::unordered_set<std::int64_t>& ids) {
    const auto gone = [&](std::int64_t id) { return ids.count(id) == 0; };
    drop(s.springs, [&](std::size_t k) { return gone(s.springs.a[k]) || gone(s.springs.b[k]); });
    drop(s.faces, [&](std::size_t k) {
        return gone(s.faces.a[k]) || gone(s.faces.b[k]) || gone(s.faces.c[k]);
    });
}

/// The fresh particles of one body and phase become a Body, and keep what they brought.
template <class Real>
void add_fresh(State<Real>& s, const Particles<Real>& brought,
               const std::vector<std::uint32_t>& rows, Phase phase, const Params& params,
               Material material) {
    Body body;
    material.phase = phase;
    body.material = material;
    body.index = brought.body[rows.front()];
    body.name = std::to_string(body.index);
    const double own = 2 * static_cast<double>(brought.radius[rows.front()]);
    const double usual = phase == Phase::fluid ? params.spacing : params.spacing / 2;
    body.spacing = own > 0 ? own : usual;
    for (const std::uint32_t k : rows) {
        if (!brought.x[k].allFinite())
            throw Error("position is not finite", "point " + std::to_string(k),
                        "remove or repair this point");
        body.points.push_back(brought.x[k].template cast<double>());
    }
    const std::size_t first = s.particles.id.size();
    add_body(s, body, {}, params);
    for (std::size_t n = 0; n < rows.size(); ++n) {
        const std::uint32_t k = rows[n];
        const std::size_t row = first + n;
        Particles<Real>& p = s.particles;
        p.x[row] = brought.x[k];
        p.v[row] = brought.v[k];
        p.pin[row] = brought.pin[k];
        p.goal[row] = brought.goal[k];
        p.force[row] = brought.force[k];
        if (brought.rest_density[k] > Real(0)) {
            p.mass[row] *= brought.rest_density[k] / p.rest_density[row];
            p.rest_density[row] = brought.rest_density[k];
        }
        if (brought.mass[k] > Real(0)) p.mass[row] = brought.mass[k];
        if (brought.radius[k] > Real(0)) p.radius[row] = brought.radius[k];
        if (brought.viscosity[k] > Real(0)) p.viscosity[row] = brought.viscosity[k];
    }
}

} // namespace

template <class Real>
Adoption adopt(State<Real>& s, const Params& params, const Material& material) {
    const Particles<Real> brought = s.particles;
    const KnownAndFresh sorted = sort_out(brought, s.details.next_particle, [&](std::size_t i) {
        return brought.mass[i] > Real(0) && brought.rest_density[i] > Real(0) &&
               brought.phase[i] >= 0;
    });
    std::map<std::pair<std::int32_t, std::int32_t>, std::vector<std::uint32_t>> fresh;
    for (const std::uint32_t i : sorted.fresh) {
        const std::int32_t phase =
            brought.phase[i] >= 0 ? brought.phase[i] : static_cast<std::int32_t>(material.phase);
        fresh[{brought.body[i], phase}].push_back(i);
    }
    Adoption adoption{sorted.known, sorted.known.size()};
    gather_table(s.particles, adoption.rows);
    drop_loose_ends(s, sorted.ids);
    for (const auto& [key, rows] : fresh) {
        add_fresh(s, brought, rows, key.second == body_phase ? Phase::body : Phase::fluid, params,
                  material);
        adoption.rows.insert(adoption.rows.end(), rows.begin(), rows.end());
    }
    return adoption;
}

template Adoption adopt(State<float>&, const Params&, const Material&);
template Adoption adopt(State<double>&, const Params&, const Material&);

} // namespace nendo::coupling
