// SPDX-License-Identifier: Apache-2.0
// Members of all clusters, laid out for the solver: one segment per particle in a common pool, with
// spare capacity, so that melting and freezing change only the segments involved.
#pragma once

#include "core/memory.h"
#include "melt/state.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace nendo::melt {

/// Maximum number of members of a cluster: enough for a ball of radius three spacings.
inline constexpr std::uint32_t max_members = 128;

/// Maximum number of groups that a scheme solves one after another.
inline constexpr int max_groups = 8;

/// The cluster of a particle. Members whose own cluster is solved come first, group by group, and
/// each group is sorted by row. The particle itself is a member. Membership is mutual.
struct Segment {
    std::uint32_t begin = 0;
    std::uint32_t count = 0;
    std::uint32_t capacity = 0; ///< Capacity: whole batches of eight, at least count
    std::array<std::uint16_t, max_groups + 1> end{}; ///< Ends of groups, then of those not solved
    bool rotated = false;       ///< True if rest frames of members differ from the cluster's
    bool antisymmetric = false; ///< True if rest(j in i) = -rest(i in j) for all members j

    std::uint32_t first(int group) const { return group == 0 ? 0u : end[std::size_t(group) - 1]; }
    std::uint32_t last(int group) const { return end[std::size_t(group)]; }
    std::uint32_t solved() const { return end[max_groups - 1]; }
};

template <class Real> struct LinkRows;

/// The clusters of all particles, and the changes that melting and freezing make to them.
template <class Real> class Clusters {
public:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    /// Lays out `links` between the particles of `state`; the links in `state` itself are ignored.
    /// `bucket` is the group of the cluster of each row, or max_groups if it is not solved. Throws
    /// if a link is one-sided or refers to a particle that does not exist.
    void load(const State<Real>& state, const Links<Real>& links,
              const std::vector<std::uint8_t>& bucket);
    /// Writes the links back to `state`, sorted by id.
    void store(State<Real>& state) const;

    /// Makes i and j members of each other's clusters.
    void add_link(std::uint32_t i, std::uint32_t j, const Vec3<Real>& rest_ij,
                  const Vec4<Real>& turn_ij, const Vec3<Real>& rest_ji, const Vec4<Real>& turn_ji);
    /// Removes i and j from each other's clusters.
    void remove_link(std::uint32_t i, std::uint32_t j);
    /// Removes i from all clusters and empties its own.
    void remove_all_links(std::uint32_t i);
    /// Creates a cluster of i alone.
    void add_cluster(std::uint32_t i);
    /// Moves the cluster of i to another bucket.
    void change_bucket(std::uint32_t i, std::uint8_t bucket);

    bool linked(std::uint32_t i, std::uint32_t j) const { return find(i, j) != none; }
    std::size_t size() const { return m_segments.size(); }
    std::size_t links() const { return m_links; }
    const Segment& operator[](std::size_t i) const { return m_segments[i]; }
    std::uint8_t bucket(std::size_t i) const { return m_bucket[i]; }
    /// The row that pads segments to whole batches. It holds no particle.
    std::uint32_t padding_row() const { return static_cast<std::uint32_t>(m_segments.size()); }

    // By place in the pool.
    const std::vector<std::uint32_t>& member() const { return m_member; }
    /// Place of the same pair in the segment of the other particle.
    const std::vector<std::uint32_t>& mirror() const { return m_mirror; }
    /// Rest offset of a member from the center, in the cluster's frame [m]; the fourth lane is 1.
    const std::vector<Vec4<Real>>& rest() const { return m_rest; }
    std::vector<Vec4<Real>>& rest() { return m_rest; }
    /// Rest orientation of a member, in the cluster's frame.
    const std::vector<Vec4<Real>>& turn() const { return m_turn; }

    /// Marks that the rest offsets in the cluster of i have changed.
    void mark_flow(std::uint32_t i) { m_flowed[i] = 1; }
    /// Updates Segment::antisymmetric after such marks.
    void settle_flow();

    /// Number of segment entries moved since the last call: the cost of changes.
    std::int64_t reset_work();
    std::size_t bytes() const {
        return memory_of(m_segments, m_bucket, m_flowed, m_id, m_member, m_mirror, m_rest, m_turn);
    }

private:
    std::uint32_t find(std::uint32_t i, std::uint32_t j) const;
    void insert(std::uint32_t i, std::uint32_t j, const Vec3<Real>& rest, const Vec4<Real>& turn);
    void erase(std::uint32_t i, std::uint32_t place);
    void move_entry(std::uint32_t from, std::uint32_t to);
    void lay_out(const std::vector<std::uint32_t>& counts);
    std::uint32_t fill_segment(const LinkRows<Real>& links, std::uint32_t i);
    void pad_segment(std::uint32_t i);
    void find_rotated(std::uint32_t i);
    void find_antisymmetric(std::uint32_t i);

    std::vector<Segment> m_segments;
    std::vector<std::uint8_t> m_bucket, m_flowed;
    std::vector<std::int64_t> m_id;
    std::vector<std::uint32_t> m_member, m_mirror;
    std::vector<Vec4<Real>> m_rest, m_turn;
    std::size_t m_links = 0;
    std::int64_t m_work = 0;
};

/// The rows of particles by their ids: a list of all ids while most of them are in use, otherwise
/// a sorted list of those that are. A single large id then takes no memory.
class RowsById {
public:
    /// Throws for an id that is not unique, or that the state has not given out.
    template <class Real> explicit RowsById(const State<Real>& state);

    /// The row of an id, or -1 if no particle has it.
    std::int64_t operator[](std::int64_t id) const {
        if (id < 0) return -1;
        if (m_dense)
            return id < static_cast<std::int64_t>(m_row.size())
                       ? m_row[static_cast<std::size_t>(id)]
                       : -1;
        const auto found = std::lower_bound(m_id.begin(), m_id.end(), id);
        if (found == m_id.end() || *found != id) return -1;
        return m_row[static_cast<std::size_t>(found - m_id.begin())];
    }
    /// Calls visit(row) for all particles, in the order of their ids.
    template <class Visit> void visit(const Visit& visit) const {
        for (const std::int64_t row : m_row)
            if (row >= 0) visit(static_cast<std::uint32_t>(row));
    }

private:
    bool m_dense = true;
    std::vector<std::int64_t> m_id;  ///< Sorted, if the list is not dense
    std::vector<std::int64_t> m_row; ///< Of each id, or of each entry of m_id
};

extern template class Clusters<float>;
extern template class Clusters<double>;

} // namespace nendo::melt
