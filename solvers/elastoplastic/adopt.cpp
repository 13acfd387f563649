// SPDX-License-Identifier: Apache-2.0
#include "elastoplastic/adopt.h"

#include "core/error.h"
#include "core/rows.h"
#include "elastoplastic/solver.h"
#include "geometry/sample.h"
#include "neighbors/grid.h"

#include <algorithm>
#include <map>

namespace nendo::elastoplastic {

namespace {

template <class Real>
std::int32_t join_of(const Masters<Real>& masters, std::size_t m, const Material& material) {
    if (masters.join[m] != join_by_rule) return masters.join[m];
    Material own = material;
    if (masters.young[m] > Real(0)) read_row<Strength>(masters, m, own);
    return own.plastic() ? 0 : masters.body[m] + 1;
}

/// Leaves out places within three quarters of a spacing of a slave with this join. Inside a lattice
/// of slaves, only the very middle of a cell is farther from the nearest slave.
template <class Real>
std::vector<Vec3d> new_places(const std::vector<Vec3d>& places, const Slaves<Real>& slaves,
                              std::int32_t join, double spacing) {
    std::vector<Vec3d> there;
    for (std::size_t s = 0; s < slaves.id.size(); ++s)
        if (slaves.join[s] == join) there.push_back(slaves.x[s].template cast<double>());
    if (there.empty()) return places;
    Grid<double> grid;
    const double close = 0.75 * spacing;
    grid.build(there, close);
    std::vector<Vec3d> result;
    for (const Vec3d& place : places) {
        bool taken = false;
        grid.visit(place, close, [&](std::uint32_t, double) { taken = true; });
        if (!taken) result.push_back(place);
    }
    return result;
}

/// Values that a fresh master brought replace those of add_body().
template <class Real>
void keep_own(Masters<Real>& masters, std::size_t m, const Masters<Real>& brought, std::size_t k) {
    masters.v[m] = brought.v[k];
    masters.body[m] = brought.body[k];
    masters.pin[m] = brought.pin[k];
    masters.goal[m] = brought.goal[k];
    masters.force[m] = brought.force[k];
    if (brought.mass[k] > Real(0)) masters.mass[m] = brought.mass[k];
    if (brought.volume[k] > Real(0)) masters.volume[m] = brought.volume[k];
    if (brought.radius[k] > Real(0)) masters.radius[m] = brought.radius[k];
    if (brought.young[k] > Real(0)) copy_row<Strength>(brought, k, masters, m);
}

/// Joins new matter with the matter that was there before.
template <class Real>
void remember_old_neighbors(State<Real>& state, std::size_t first, const Params& params) {
    const Masters<Real>& masters = state.masters;
    if (first == 0) return;
    const std::vector<Vec3<Real>> old(masters.x.begin(),
                                      masters.x.begin() + static_cast<std::ptrdiff_t>(first));
    const Real reach = static_cast<Real>(params.neighbor_reach * 0.5 * params.spacing);
    Grid<Real> grid;
    grid.build(old, static_cast<double>(reach));
    for (std::size_t m = first; m < masters.id.size(); ++m)
        grid.visit(masters.x[m], reach, [&](std::uint32_t other, Real) {
            if (masters.join[other] != masters.join[m]) return;
            state.neighbors.id.push_back(masters.id[other]);
            state.neighbors.other.push_back(masters.id[m]);
        });
}

} // namespace

template <class Real>
Adoption adopt(State<Real>& state, const Params& params, const Material& material) {
    const KnownAndFresh sorted =
        sort_out(state.masters, state.details.next_master,
                 [&](std::size_t m) { return state.masters.J_P[m] > Real(0); });
    Adoption adoption;
    adoption.rows = sorted.known;
    adoption.first = sorted.known.size();
    if (sorted.fresh.empty()) return adoption;

    Masters<Real> brought = state.masters;
    gather_table(brought, sorted.fresh);
    for (std::size_t k = 0; k < brought.x.size(); ++k)
        if (!brought.x[k].allFinite() || !brought.v[k].allFinite())
            throw Error("position or velocity is not a number",
                        "new particle " + std::to_string(sorted.fresh[k]),
                        "remove it, or repair P and v before the solver");
    gather_table(state.masters, sorted.known);

    std::map<std::int32_t, std::vector<std::uint32_t>> groups;
    for (std::size_t k = 0; k < brought.x.size(); ++k)
        groups[join_of(brought, k, material)].push_back(static_cast<std::uint32_t>(k));
    for (const auto& [join, members] : groups) {
        Body body;
        body.name = "adopted";
        body.material = material;
        body.join = join;
        for (const std::uint32_t k : members)
            body.masters.push_back(brought.x[k].template cast<double>());
        body.slaves = new_places(place_slaves(body.masters, params.spacing), state.slaves, join,
                                 params.spacing);
        const std::size_t begin = state.masters.id.size();
        add_body(state, body, params);
        for (std::size_t i = 0; i < members.size(); ++i) {
            keep_own(state.masters, begin + i, brought, members[i]);
            adoption.rows.push_back(sorted.fresh[members[i]]);
        }
    }
    remember_old_neighbors(state, adoption.first, params);
    return adoption;
}

template Adoption adopt(State<float>&, const Params&, const Material&);
template Adoption adopt(State<double>&, const Params&, const Material&);

} // namespace nendo::elastoplastic
