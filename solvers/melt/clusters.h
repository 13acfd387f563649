// SPDX-License-Identifier: Apache-2.0
// Who is in whose cluster, laid out for the solvers: a segment for each particle in one pool, with
// room to grow, so that melting and freezing change only the segments of those concerned.
#pragma once

#include "melt/state.h"

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace nendo::melt {

/// In a cluster at most: a ball of three spacings.
inline constexpr std::uint32_t max_members = 128;

/// Groups that a scheme solves one after the other.
inline constexpr int max_groups = 8;

/// The cluster of a particle. Members whose own cluster is solved come first, group by group; each
/// group by rising row. The particle itself is one of them. Membership is mutual.
struct Segment {
    std::uint32_t begin = 0;
    std::uint32_t count = 0;
    std::uint32_t room = 0;                          ///< Whole batches of eight, at least count
    std::array<std::uint16_t, max_groups + 1> end{}; ///< Of each group, then of those not solved
    bool turned = false; ///< Whether frames of members differ from the cluster's at rest
    bool even = false;   ///< Whether members have this particle at rest just where it has them

    std::uint32_t first(int group) const { return group == 0 ? 0u : end[std::size_t(group) - 1]; }
    std::uint32_t last(int group) const { return end[std::size_t(group)]; }
    std::uint32_t solved() const { return end[max_groups - 1]; }
};

template <class Real> struct LinkRows;

template <class Real> class Clusters {
public:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    /// Lays out `links` between the particles of `state`, whose own links it does not look at.
    /// `bucket` is the group of each row's cluster, or max_groups when it is not solved. Links of
    /// particles that are not there, or not mutual, are an error.
    void load(const State<Real>& state, const Links<Real>& links,
              const std::vector<std::uint8_t>& bucket);
    /// Writes the links back, by rising ids.
    void store(State<Real>& state) const;

    /// Makes i and j members of each other's clusters.
    void join(std::uint32_t i, std::uint32_t j, const Vec3<Real>& rest_ij,
              const Vec4<Real>& turn_ij, const Vec3<Real>& rest_ji, const Vec4<Real>& turn_ji);
    /// Undoes that.
    void part(std::uint32_t i, std::uint32_t j);
    /// Parts i from all; its cluster is empty.
    void leave(std::uint32_t i);
    /// Makes a cluster of i alone.
    void enter(std::uint32_t i);
    /// The cluster of i is in another bucket from now on.
    void change_bucket(std::uint32_t i, std::uint8_t bucket);

    bool linked(std::uint32_t i, std::uint32_t j) const { return find(i, j) != none; }
    std::size_t size() const { return m_segments.size(); }
    std::size_t links() const { return m_links; }
    const Segment& operator[](std::size_t i) const { return m_segments[i]; }
    std::uint8_t bucket(std::size_t i) const { return m_bucket[i]; }
    /// The row that fills segments up to whole batches: nobody is there.
    std::uint32_t nobody() const { return static_cast<std::uint32_t>(m_segments.size()); }

    // By place in the pool.
    const std::vector<std::uint32_t>& member() const { return m_member; }
    /// Where the same pair is in the other one's segment.
    const std::vector<std::uint32_t>& mirror() const { return m_mirror; }
    /// Member at rest, from the center, in the cluster's frame [m]; the fourth is 1.
    const std::vector<Vec4<Real>>& rest() const { return m_rest; }
    std::vector<Vec4<Real>>& rest() { return m_rest; }
    const std::vector<Vec4<Real>>& turn() const { return m_turn; }

    /// The rest positions in the cluster of i have changed.
    void mark_flow(std::uint32_t i) { m_flowed[i] = 1; }
    /// After such marks: which segments are still even.
    void settle_flow();

    /// Entries of segments that were touched since the last call: what a change costs.
    std::int64_t take_work();
    std::size_t bytes() const;

private:
    std::uint32_t find(std::uint32_t i, std::uint32_t j) const;
    void insert(std::uint32_t i, std::uint32_t j, const Vec3<Real>& rest, const Vec4<Real>& turn);
    void erase(std::uint32_t i, std::uint32_t place);
    void move_entry(std::uint32_t from, std::uint32_t to);
    void lay_out(const std::vector<std::uint32_t>& counts);
    std::uint32_t fill_segment(const LinkRows<Real>& links, std::uint32_t i);
    void fill_up(std::uint32_t i);
    void find_turned(std::uint32_t i);
    void find_even(std::uint32_t i);

    std::vector<Segment> m_segments;
    std::vector<std::uint8_t> m_bucket, m_flowed;
    std::vector<std::int64_t> m_id;
    std::vector<std::uint32_t> m_member, m_mirror;
    std::vector<Vec4<Real>> m_rest, m_turn;
    std::size_t m_links = 0;
    std::int64_t m_work = 0;
};

/// Rows by id; -1 for ids that are not there.
template <class Real> std::vector<std::int64_t> rows_by_id(const State<Real>& state);

extern template class Clusters<float>;
extern template class Clusters<double>;

} // namespace nendo::melt
