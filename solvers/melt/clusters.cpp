// SPDX-License-Identifier: Apache-2.0
// Builds the segments of clusters from links, changes them, and writes them back.
#include "melt/clusters.h"

#include "core/error.h"
#include "core/parallel.h"
#include "math/nearest_rotation.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace nendo::melt {

namespace {

/// A member of a segment: the sort key, made of its bucket and row, and its link.
struct Entry {
    std::uint64_t key;
    std::uint32_t link;
};

[[noreturn]] void fail_link(std::int64_t id, std::int64_t other, const char* what) {
    throw Error(what, "link of particles " + std::to_string(id) + " and " + std::to_string(other),
                "write both rows of each pair, between particles that exist");
}

} // namespace

template <class Real> RowsById::RowsById(const State<Real>& state) {
    const std::vector<std::int64_t>& ids = state.particles.id;
    for (const std::int64_t id : ids)
        if (id < 0 || id >= state.details.next_particle)
            throw Error("id is negative, or not below next_particle",
                        "particle id " + std::to_string(id),
                        "use only ids that the solver assigned");
    const auto fail_twice = [](std::int64_t id) {
        throw Error("two particles have this id", "particle id " + std::to_string(id),
                    "give each particle a unique id");
    };
    const auto n = static_cast<std::int64_t>(ids.size());
    m_dense = state.details.next_particle <= 64 * n + 4096;
    if (m_dense) {
        m_row.assign(static_cast<std::size_t>(state.details.next_particle), -1);
        for (std::int64_t i = 0; i < n; ++i) {
            const std::int64_t id = ids[static_cast<std::size_t>(i)];
            if (std::exchange(m_row[static_cast<std::size_t>(id)], i) >= 0) fail_twice(id);
        }
        return;
    }
    for (const std::uint32_t row : order_by_id(state.particles)) {
        if (!m_id.empty() && m_id.back() == ids[row]) fail_twice(ids[row]);
        m_id.push_back(ids[row]);
        m_row.push_back(row);
    }
}

/// The links of each cluster, by row of its particle. Links written by store() are already grouped;
/// otherwise `order` groups them.
template <class Real> struct LinkRows {
    const Links<Real>& table;
    RowsById rows;
    std::vector<std::uint32_t> first, count, order;

    LinkRows(const State<Real>& state, const Links<Real>& links) : table(links), rows(state) {
        const std::size_t particles = state.particles.id.size();
        first.assign(particles, 0);
        count.assign(particles, 0);
        if (find_runs([&](std::uint32_t k) { return k; })) return;
        order.resize(links.id.size());
        std::iota(order.begin(), order.end(), 0u);
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return links.id[a] < links.id[b];
        });
        find_runs([&](std::uint32_t k) { return order[k]; });
    }
    std::int64_t row_of(std::int64_t id) const { return rows[id]; }
    std::uint32_t at(std::uint32_t k) const { return order.empty() ? k : order[k]; }

private:
    /// Finds the run of links of each cluster. Returns false if a cluster has more than one run.
    template <class At> bool find_runs(const At& link_at) {
        const auto n = static_cast<std::uint32_t>(table.id.size());
        std::fill(count.begin(), count.end(), 0u);
        for (std::uint32_t begin = 0, k = 0; begin < n; begin = k) {
            const std::int64_t id = table.id[link_at(begin)], row = row_of(id);
            if (row < 0)
                fail_link(id, table.other[link_at(begin)],
                          "a link starts at a particle that does not exist");
            if (count[static_cast<std::size_t>(row)] > 0) return false;
            while (k < n && table.id[link_at(k)] == id) ++k;
            first[static_cast<std::size_t>(row)] = begin;
            count[static_cast<std::size_t>(row)] = k - begin;
        }
        return true;
    }
};

/// Allocates segments for `counts` members, in whole batches.
template <class Real> void Clusters<Real>::lay_out(const std::vector<std::uint32_t>& counts) {
    std::uint32_t begin = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        Segment& s = m_segments[i];
        s = Segment{};
        s.begin = begin;
        s.count = counts[i];
        s.capacity = (counts[i] + lanes - 1) / lanes * lanes;
        begin += s.capacity;
    }
    for (auto* column : {&m_member, &m_mirror}) column->resize(begin);
    for (auto* column : {&m_rest, &m_turn}) column->resize(begin);
}

template <class Real> void Clusters<Real>::find_rotated(std::uint32_t i) {
    Segment& s = m_segments[i];
    s.rotated = false;
    for (std::uint32_t k = s.begin; k < s.begin + s.count; ++k)
        s.rotated = s.rotated || m_turn[k] != quaternion_identity<Real>();
}

/// Fills the segment of i with its links, and with i itself if it is solid. Returns the first
/// invalid link, or none.
template <class Real>
std::uint32_t Clusters<Real>::fill_segment(const LinkRows<Real>& links, std::uint32_t i) {
    Segment& s = m_segments[i];
    std::array<Entry, max_members> entries;
    std::uint32_t count = 0;
    // Insertion sort: stored segments are already sorted, so little has to move.
    const auto put = [&](const Entry& e) {
        std::uint32_t k = count++;
        for (; k > 0 && e.key < entries[k - 1].key; --k) entries[k] = entries[k - 1];
        entries[k] = e;
    };
    const auto key = [&](std::uint32_t j) { return std::uint64_t(m_bucket[j]) << 32 | j; };
    for (std::uint32_t k = links.first[i]; k < links.first[i] + links.count[i]; ++k) {
        const std::uint32_t link = links.at(k);
        const std::int64_t j = links.row_of(links.table.other[link]);
        if (j < 0 || j == static_cast<std::int64_t>(i)) return link;
        put({key(static_cast<std::uint32_t>(j)), link});
    }
    if (count < s.count) put({key(i), none});
    for (std::uint32_t k = 0; k < count; ++k) {
        const Entry& e = entries[k];
        const bool own = e.link == none;
        if (k > 0 && entries[k - 1].key == e.key) return own ? entries[k - 1].link : e.link;
        const std::uint32_t place = s.begin + k;
        m_member[place] = static_cast<std::uint32_t>(e.key);
        m_rest[place] = Vec4<Real>(0, 0, 0, 1);
        if (!own) m_rest[place].template head<3>() = links.table.rest[e.link];
        m_turn[place] = own ? quaternion_identity<Real>() : links.table.turn[e.link];
        ++s.end[e.key >> 32];
    }
    for (std::size_t g = 1; g <= max_groups; ++g)
        s.end[g] = static_cast<std::uint16_t>(s.end[g] + s.end[g - 1]);
    pad_segment(i);
    find_rotated(i);
    return none;
}

template <class Real>
void Clusters<Real>::load(const State<Real>& state, const Links<Real>& links,
                          const std::vector<std::uint8_t>& bucket) {
    const auto n = static_cast<std::uint32_t>(state.particles.id.size());
    m_segments.resize(n);
    m_bucket = bucket;
    m_flowed.assign(n, 0);
    m_id = state.particles.id;
    m_work = 0;
    const LinkRows<Real> rows(state, links);
    std::vector<std::uint32_t> counts(n);
    for (std::uint32_t i = 0; i < n; ++i) {
        counts[i] = rows.count[i] + (state.particles.phase[i] == solid ? 1u : 0u);
        if (counts[i] > max_members)
            throw Error("its cluster has " + std::to_string(counts[i]) +
                            " particles, which is too many",
                        "particle id " + std::to_string(m_id[i]),
                        "use at most " + std::to_string(max_members) + " particles per cluster");
    }
    lay_out(counts);
    m_links = std::accumulate(counts.begin(), counts.end(), std::size_t(0));
    Partials<std::uint32_t> partials;
    const auto first_of = [&](const auto& term) {
        return parallel_reduce(
            n, none, term, [](std::uint32_t a, std::uint32_t b) { return std::min(a, b); },
            partials);
    };
    const std::uint32_t wrong =
        first_of([&](std::size_t i) { return fill_segment(rows, static_cast<std::uint32_t>(i)); });
    if (wrong != none)
        fail_link(
            links.id[wrong], links.other[wrong],
            "a link leads to a particle that does not exist, to itself, or to the same one twice");
    const std::uint32_t alone = first_of([&](std::size_t row) {
        const auto i = static_cast<std::uint32_t>(row);
        const Segment& s = m_segments[i];
        std::uint32_t missing = none;
        for (std::uint32_t k = s.begin; k < s.begin + s.count; ++k) {
            m_mirror[k] = find(m_member[k], i);
            if (m_mirror[k] == none) missing = std::min(missing, k);
        }
        return missing;
    });
    if (alone != none) {
        const auto owner =
            std::find_if(m_segments.begin(), m_segments.end(), [&](const Segment& s) {
                return alone >= s.begin && alone < s.begin + s.count;
            });
        fail_link(m_id[static_cast<std::size_t>(owner - m_segments.begin())], m_id[m_member[alone]],
                  "a link is one-sided");
    }
    parallel_for(n, [&](std::size_t i) { find_antisymmetric(static_cast<std::uint32_t>(i)); });
}

template <class Real> void Clusters<Real>::find_antisymmetric(std::uint32_t i) {
    Segment& s = m_segments[i];
    s.antisymmetric = true;
    for (std::uint32_t k = s.begin; k < s.begin + s.count; ++k)
        s.antisymmetric =
            s.antisymmetric && (m_rest[k] + m_rest[m_mirror[k]]).template head<3>().isZero(Real(0));
}

template <class Real> void Clusters<Real>::settle_flow() {
    parallel_for(m_segments.size(), [&](std::size_t i) {
        Segment& s = m_segments[i];
        bool flowed = m_flowed[i] != 0;
        for (std::uint32_t k = s.begin; s.antisymmetric && k < s.begin + s.count; ++k)
            flowed = flowed || m_flowed[m_member[k]] != 0;
        if (flowed) s.antisymmetric = false;
    });
    std::fill(m_flowed.begin(), m_flowed.end(), std::uint8_t(0));
}

template <class Real> void Clusters<Real>::store(State<Real>& state) const {
    std::vector<std::uint32_t> order, start(1, 0);
    RowsById(state).visit([&](std::uint32_t row) {
        const Segment& s = m_segments[row];
        order.push_back(row);
        start.push_back(start.back() + (s.count > 0 ? s.count - 1 : 0));
    });
    const std::size_t n = order.size();
    Links<Real>& links = state.links;
    resize_table(links, start[n]);
    parallel_for(n, [&](std::size_t k) {
        const std::uint32_t i = order[k];
        const Segment& s = m_segments[i];
        std::uint32_t row = start[k];
        for (std::uint32_t place = s.begin; place < s.begin + s.count; ++place) {
            if (m_member[place] == i) continue;
            links.id[row] = m_id[i];
            links.other[row] = m_id[m_member[place]];
            links.rest[row] = m_rest[place].template head<3>();
            links.turn[row] = m_turn[place];
            ++row;
        }
    });
}

template <class Real> std::uint32_t Clusters<Real>::find(std::uint32_t i, std::uint32_t j) const {
    const Segment& s = m_segments[i];
    const std::uint32_t g = m_bucket[j];
    const std::uint32_t first = s.begin + (g == 0 ? 0u : s.end[g - 1]), last = s.begin + s.end[g];
    // With so few entries, a linear count is faster than a binary search.
    std::uint32_t place = first;
    for (std::uint32_t k = first; k < last; ++k) place += m_member[k] < j ? 1u : 0u;
    return place < last && m_member[place] == j ? place : none;
}

template <class Real> void Clusters<Real>::move_entry(std::uint32_t from, std::uint32_t to) {
    m_member[to] = m_member[from];
    m_rest[to] = m_rest[from];
    m_turn[to] = m_turn[from];
    m_mirror[to] = m_mirror[from];
    if (m_mirror[from] == from)
        m_mirror[to] = to; // the particle itself
    else
        m_mirror[m_mirror[from]] = to;
    ++m_work;
}

/// Pads the last batch of a segment with the row padding_row().
template <class Real> void Clusters<Real>::pad_segment(std::uint32_t i) {
    const Segment& s = m_segments[i];
    for (std::uint32_t k = s.begin + s.count; k < s.begin + s.capacity; ++k) {
        m_member[k] = padding_row();
        m_rest[k] = Vec4<Real>(0, 0, 0, 1);
        m_turn[k] = quaternion_identity<Real>();
    }
}

template <class Real>
void Clusters<Real>::insert(std::uint32_t i, std::uint32_t j, const Vec3<Real>& rest,
                            const Vec4<Real>& turn) {
    Segment& s = m_segments[i];
    if (s.count == s.capacity) { // full: move it to a larger place at the end of the pool
        const std::uint32_t begin = static_cast<std::uint32_t>(m_member.size());
        const std::uint32_t capacity = s.capacity + lanes;
        m_member.resize(begin + capacity, padding_row());
        m_mirror.resize(begin + capacity, 0);
        m_rest.resize(begin + capacity, Vec4<Real>(0, 0, 0, 1));
        m_turn.resize(begin + capacity, quaternion_identity<Real>());
        for (std::uint32_t k = 0; k < s.count; ++k) move_entry(s.begin + k, begin + k);
        const std::uint32_t old = s.begin;
        for (std::uint32_t k = 0; k < s.capacity; ++k) m_member[old + k] = padding_row();
        s.begin = begin;
        s.capacity = capacity;
    }
    const std::uint8_t g = m_bucket[j];
    const auto* begin = m_member.data() + s.begin;
    const auto* first = begin + (g == 0 ? 0u : s.end[g - 1u]);
    const auto* place = std::lower_bound(first, begin + s.end[g], j);
    const auto at = s.begin + static_cast<std::uint32_t>(place - begin);
    for (std::uint32_t k = s.begin + s.count; k > at; --k) move_entry(k - 1, k);
    m_member[at] = j;
    m_rest[at] = Vec4<Real>(rest.x(), rest.y(), rest.z(), 1);
    m_turn[at] = turn;
    m_mirror[at] = at;
    ++s.count;
    ++m_links;
    ++m_work;
    for (std::size_t k = g; k <= max_groups; ++k) ++s.end[k];
    s.rotated = s.rotated || turn != quaternion_identity<Real>();
    pad_segment(i);
}

template <class Real> void Clusters<Real>::erase(std::uint32_t i, std::uint32_t place) {
    Segment& s = m_segments[i];
    const std::uint8_t g = m_bucket[m_member[place]];
    for (std::uint32_t k = place; k + 1 < s.begin + s.count; ++k) move_entry(k + 1, k);
    --s.count;
    --m_links;
    ++m_work;
    for (std::size_t k = g; k <= max_groups; ++k) --s.end[k];
    pad_segment(i);
}

template <class Real>
void Clusters<Real>::add_link(std::uint32_t i, std::uint32_t j, const Vec3<Real>& rest_ij,
                              const Vec4<Real>& turn_ij, const Vec3<Real>& rest_ji,
                              const Vec4<Real>& turn_ji) {
    insert(i, j, rest_ij, turn_ij);
    insert(j, i, rest_ji, turn_ji);
    const std::uint32_t a = find(i, j), b = find(j, i);
    m_mirror[a] = b;
    m_mirror[b] = a;
    m_segments[i].antisymmetric = m_segments[j].antisymmetric = false;
}

template <class Real> void Clusters<Real>::remove_link(std::uint32_t i, std::uint32_t j) {
    erase(i, find(i, j));
    erase(j, find(j, i));
}

template <class Real> void Clusters<Real>::remove_all_links(std::uint32_t i) {
    Segment& s = m_segments[i];
    while (s.count > 0) {
        const std::uint32_t last = s.begin + s.count - 1, j = m_member[last];
        if (j == i)
            erase(i, last);
        else
            remove_link(i, j);
    }
}

template <class Real> void Clusters<Real>::add_cluster(std::uint32_t i) {
    insert(i, i, Vec3<Real>::Zero(), quaternion_identity<Real>());
    const std::uint32_t place = find(i, i);
    m_mirror[place] = place;
}

template <class Real> void Clusters<Real>::change_bucket(std::uint32_t i, std::uint8_t bucket) {
    const Segment s = m_segments[i];
    struct Kept {
        std::uint32_t member;
        Vec4<Real> rest, turn;
    };
    // Remove the entries of i from the other segments, then insert them again by the new bucket.
    std::vector<Kept> kept;
    for (std::uint32_t k = s.begin; k < s.begin + s.count; ++k) {
        const std::uint32_t back = m_mirror[k];
        kept.push_back({m_member[k], m_rest[back], m_turn[back]});
    }
    for (const Kept& k : kept) {
        erase(k.member, find(k.member, i));
        if (k.member == i) continue;
        const std::uint32_t place = find(i, k.member);
        m_mirror[place] = place; // none for now
    }
    m_bucket[i] = bucket;
    for (const Kept& k : kept) insert(k.member, i, k.rest.template head<3>(), k.turn);
    for (const Kept& k : kept) {
        const std::uint32_t a = find(i, k.member), b = find(k.member, i);
        m_mirror[a] = b;
        m_mirror[b] = a;
    }
}

template <class Real> std::int64_t Clusters<Real>::reset_work() {
    return std::exchange(m_work, 0);
}

template RowsById::RowsById(const State<float>&);
template RowsById::RowsById(const State<double>&);
template class Clusters<float>;
template class Clusters<double>;

} // namespace nendo::melt
