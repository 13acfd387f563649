// SPDX-License-Identifier: Apache-2.0
// Matter for tests: bodies, scenes and measurements that several tests share.
#pragma once

#include "elastoplastic/fill.h"
#include "elastoplastic/solver.h"
#include "elastoplastic/stages.h"
#include "geometry/sample.h"
#include "support/scenes.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>
#include <random>
#include <vector>

namespace nendo::elastoplastic::test {

using nendo::test::ground;
using nendo::test::weightless;

inline Body make_body(const Sdf& shape, const Material& material, double spacing,
                      std::int32_t index = 0) {
    return fill(shape, material, spacing, index);
}

/// A box whose lowest corner is at `corner`, of `cells` lattice cells.
inline Body make_block(const Eigen::Vector3i& cells, const Vec3d& corner, const Material& material,
                       double spacing, std::int32_t index = 0) {
    const Vec3d size = spacing * cells.cast<double>();
    return make_body(*make_box(corner + 0.5 * size, size), material, spacing, index);
}

template <class Real> State<Real> start(const std::vector<Body>& bodies, const Params& params) {
    State<Real> state;
    Host host;
    Solver<Real>().advance(state, weightless(), bodies, params, 0, host);
    return state;
}

/// A workspace with grids and weights for a state, ready for single stages.
template <class Real> void prepare(Workspace<Real>& w, const State<Real>& state, const Params& p) {
    w.trial = state;
    build_slave_grid(w, p);
    weigh_pairs(w, p);
    find_touches(w, p, p.implicitness, p.time_step);
}

template <class Real> double lowest(const State<Real>& s) {
    double y = infinite;
    for (const auto& x : s.masters.x) y = std::min(y, static_cast<double>(x.y()));
    return y;
}
template <class Real> double highest(const State<Real>& s) {
    double y = -infinite;
    for (const auto& x : s.masters.x) y = std::max(y, static_cast<double>(x.y()));
    return y;
}
/// Height of the matter, half a spacing beyond its outermost masters [m].
template <class Real> double height(const State<Real>& s, double spacing) {
    return highest(s) - lowest(s) + spacing;
}

/// Sizes of the pieces connected by shared slaves, largest first [masters].
template <class Real> std::vector<int> pieces(const State<Real>& state, const Params& p) {
    Workspace<Real> w;
    prepare(w, state, p);
    std::vector<std::uint32_t> parent(state.masters.id.size());
    std::iota(parent.begin(), parent.end(), 0u);
    const auto root = [&](std::uint32_t m) {
        while (parent[m] != m) m = parent[m] = parent[parent[m]];
        return m;
    };
    const auto none = static_cast<std::uint32_t>(-1);
    std::vector<std::uint32_t> first(w.x.size(), none); // the first master of each slave
    std::mutex one_at_a_time;
    w.pairs.in_any_order([&](const PairBlock<Real>& block) {
        const std::lock_guard<std::mutex> lock(one_at_a_time);
        for (std::size_t row = 0; row < block.rows(); ++row)
            for (std::uint32_t k = block.start[row]; k != block.start[row + 1]; ++k) {
                std::uint32_t& master = first[block.slot[k]];
                if (master == none) master = block.query[row];
                parent[root(block.query[row])] = root(master);
            }
    });
    std::map<std::uint32_t, int> count;
    for (std::uint32_t m = 0; m < parent.size(); ++m) ++count[root(m)];
    std::vector<int> sizes;
    for (const auto& [unused, size] : count) sizes.push_back(size);
    std::sort(sizes.rbegin(), sizes.rend());
    return sizes;
}

} // namespace nendo::elastoplastic::test
