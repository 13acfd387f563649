// SPDX-License-Identifier: Apache-2.0
// Sorts the tables and translates ids to rows, so that later stages need no lookups by id.
#include "core/error.h"
#include "coupling/stages.h"

#include <algorithm>
#include <numeric>

namespace nendo::coupling {

namespace {

/// Finds the row of a particle by its id.
class RowOf {
public:
    explicit RowOf(const std::vector<std::int64_t>& ids) {
        m_sorted.reserve(ids.size());
        for (std::size_t row = 0; row < ids.size(); ++row)
            m_sorted.emplace_back(ids[row], static_cast<std::uint32_t>(row));
        std::sort(m_sorted.begin(), m_sorted.end());
    }
    std::uint32_t operator()(std::int64_t id, const std::string& whose) const {
        const auto found = std::lower_bound(m_sorted.begin(), m_sorted.end(),
                                            std::make_pair(id, std::uint32_t(0)));
        if (found == m_sorted.end() || found->first != id)
            throw Error("connects to particle id " + std::to_string(id) + ", which does not exist",
                        whose, "remove it, or restore the particle");
        return found->second;
    }

private:
    std::vector<std::pair<std::int64_t, std::uint32_t>> m_sorted;
};

template <class Table> void sort_by_id(Table& table, std::vector<std::uint32_t>& order) {
    order = order_by_id(table);
    gather_table(table, order);
}

/// Computes calibrated volumes, and the extremes of density, viscosity and radius.
template <class Real> void calibrate_volumes(Workspace<Real>& w, const Params& p) {
    const Particles<Real>& particles = w.trial.particles;
    const double h = p.support_radius();
    Real radius = 0;
    double factor = 1;
    w.volume.resize(particles.id.size());
    w.lightest = infinite;
    w.heaviest = 0;
    w.most_viscous = 0;
    w.smallest = infinite;
    for (std::size_t i = 0; i < particles.id.size(); ++i) {
        if (particles.radius[i] != radius) {
            radius = particles.radius[i];
            factor = sph::calibrated_volume(1, 2 * static_cast<double>(radius), p.spacing, h);
        }
        w.volume[i] = static_cast<Real>(factor) * particles.mass[i] / particles.rest_density[i];
        const auto density = static_cast<double>(particles.rest_density[i]);
        w.lightest = std::min(w.lightest, density);
        w.heaviest = std::max(w.heaviest, density);
        w.most_viscous = std::max(w.most_viscous, static_cast<double>(particles.viscosity[i]));
        w.smallest = std::min(w.smallest, static_cast<double>(radius));
    }
}

/// Groups the entries of `corners` by node, each group in rising order. Calls use(place, entry,
/// node) for each, where `place` is its position in the grouped list.
template <std::size_t Count, class Use>
void group_by_node(const std::vector<std::array<std::uint32_t, Count>>& corners, std::size_t nodes,
                   std::vector<std::uint32_t>& start, const Use& use) {
    start.assign(nodes + 1, 0);
    for (const auto& entry : corners)
        for (const std::uint32_t node : entry) ++start[node + 1];
    std::partial_sum(start.begin(), start.end(), start.begin());
    std::vector<std::uint32_t> next(start.begin(), start.end() - 1);
    for (std::size_t k = 0; k < corners.size(); ++k)
        for (const std::uint32_t node : corners[k])
            use(next[node]++, static_cast<std::uint32_t>(k), node);
}

} // namespace

template <class Real> void put_in_order(Workspace<Real>& w, const Params& p) {
    State<Real>& s = w.trial;
    spatial_order(s.particles.x, s.particles.id, p.support_radius(), w.order);
    gather_table(s.particles, w.order);
    sort_by_id(s.springs, w.order);
    sort_by_id(s.faces, w.order);
}

template <class Real> void index_rows(Workspace<Real>& w, const Params& p) {
    const State<Real>& s = w.trial;
    calibrate_volumes(w, p);
    const RowOf row_of(s.particles.id);
    const auto checked_row = [&](std::int64_t id, const std::string& whose) {
        const std::uint32_t row = row_of(id, whose);
        if (s.particles.phase[row] != body_phase)
            throw Error("connects to particle id " + std::to_string(id) + ", which is fluid", whose,
                        "connect it to particles of a body, whose phase is 1");
        return row;
    };
    w.ends.resize(s.springs.id.size());
    for (std::size_t k = 0; k < w.ends.size(); ++k) {
        const std::string whose = "spring id " + std::to_string(s.springs.id[k]);
        w.ends[k] = {checked_row(s.springs.a[k], whose), checked_row(s.springs.b[k], whose)};
        if (w.ends[k][0] == w.ends[k][1])
            throw Error("starts and ends at the same particle", whose, "remove it");
    }
    w.faces.resize(s.faces.id.size());
    for (std::size_t k = 0; k < w.faces.size(); ++k) {
        const std::string whose = "face id " + std::to_string(s.faces.id[k]);
        w.faces[k] = {checked_row(s.faces.a[k], whose), checked_row(s.faces.b[k], whose),
                      checked_row(s.faces.c[k], whose)};
    }
    // Nodes are the particles of bodies, in the order of their rows.
    w.node_of.assign(s.particles.id.size(), Workspace<Real>::no_node);
    w.row_of.clear();
    for (std::size_t i = 0; i < s.particles.id.size(); ++i) {
        if (s.particles.phase[i] != body_phase) continue;
        w.node_of[i] = static_cast<std::uint32_t>(w.row_of.size());
        w.row_of.push_back(static_cast<std::uint32_t>(i));
    }
    for (auto& ends : w.ends)
        for (std::uint32_t& end : ends) end = w.node_of[end];
    for (auto& corners : w.faces)
        for (std::uint32_t& corner : corners) corner = w.node_of[corner];
    const std::size_t nodes = w.row_of.size();
    w.links.resize(2 * w.ends.size());
    group_by_node(w.ends, nodes, w.link_start,
                  [&](std::uint32_t at, std::uint32_t k, std::uint32_t node) {
                      w.links[at] = {w.ends[k][0] == node ? w.ends[k][1] : w.ends[k][0], k};
                  });
    w.faces_of.resize(3 * w.faces.size());
    group_by_node(w.faces, nodes, w.face_start,
                  [&](std::uint32_t at, std::uint32_t k, std::uint32_t) { w.faces_of[at] = k; });
}

template void put_in_order(Workspace<float>&, const Params&);
template void put_in_order(Workspace<double>&, const Params&);
template void index_rows(Workspace<float>&, const Params&);
template void index_rows(Workspace<double>&, const Params&);

} // namespace nendo::coupling
