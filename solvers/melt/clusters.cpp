#include "melt/clusters.h"

#include "core/error.h"
#include "core/parallel.h"
#include "math/nearest_rotation.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace nendo::melt {

namespace {

/// One pair as it lies in the table, to be put into a segment.
struct Entry {
    std::uint32_t cluster, member, row;
};

[[noreturn]] void fail_link(std::int64_t id, std::int64_t other, const char* what) {
    throw Error(what, "link of particles " + std::to_string(id) + " and " + std::to_string(other),
                "give both rows of each pair, between particles that are there");
}

} // namespace

template <class Real> std::vector<std::int64_t> rows_by_id(const State<Real>& state) {
    std::vector<std::int64_t> rows(static_cast<std::size_t>(state.details.next_particle), -1);
    const std::vector<std::int64_t>& ids = state.particles.id;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (ids[i] < 0 || ids[i] >= state.details.next_particle)
            throw Error("id is not below next_particle", "particle id " + std::to_string(ids[i]),
                        "give ids that the solver gave");
        std::int64_t& row = rows[static_cast<std::size_t>(ids[i])];
        if (row >= 0)
            throw Error("two particles have this id", "particle id " + std::to_string(ids[i]),
                        "give each particle its own");
        row = static_cast<std::int64_t>(i);
    }
    return rows;
}

/// Room for `counts` members in whole batches.
template <class Real> void Clusters<Real>::lay_out(const std::vector<std::uint32_t>& counts) {
    std::uint32_t begin = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        Segment& s = m_segments[i];
        s = Segment{};
        s.begin = begin;
        s.room = (counts[i] + lanes - 1) / lanes * lanes;
        begin += s.room;
    }
    m_member.assign(begin, nobody());
    m_mirror.assign(begin, 0);
    m_rest.assign(begin, Vec4<Real>(0, 0, 0, 1));
    m_turn.assign(begin, quaternion_identity<Real>());
}

template <class Real> void Clusters<Real>::find_turned(std::uint32_t i) {
    Segment& s = m_segments[i];
    s.turned = false;
    for (std::uint32_t k = s.begin; k < s.begin + s.count; ++k)
        s.turned = s.turned || m_turn[k] != quaternion_identity<Real>();
}

template <class Real>
void Clusters<Real>::load(const State<Real>& state, const std::vector<std::uint8_t>& bucket) {
    const Particles<Real>& particles = state.particles;
    const Links<Real>& links = state.links;
    const std::vector<std::int64_t> rows = rows_by_id(state);
    const auto n = static_cast<std::uint32_t>(particles.id.size());
    const auto row_of = [&](std::int64_t id) {
        return id >= 0 && id < static_cast<std::int64_t>(rows.size())
                   ? rows[static_cast<std::size_t>(id)]
                   : std::int64_t(-1);
    };
    m_segments.resize(n);
    m_bucket = bucket;
    m_flowed.assign(n, 0);
    m_id = particles.id;
    m_work = 0;
    m_links = 0;

    // Links by their member: filled in by rising member, segments come out sorted.
    std::vector<std::uint32_t> start(n + 1, 0), counts(n, 0);
    std::vector<Entry> entries(links.id.size());
    for (std::size_t k = 0; k < entries.size(); ++k) {
        const std::int64_t i = row_of(links.id[k]), j = row_of(links.other[k]);
        if (i < 0 || j < 0 || i == j)
            fail_link(links.id[k], links.other[k], "a link's particle is not there");
        entries[k] = {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j),
                      static_cast<std::uint32_t>(k)};
        ++start[entries[k].member + 1];
        ++counts[entries[k].cluster];
    }
    std::partial_sum(start.begin(), start.end(), start.begin());
    std::vector<std::uint32_t> by_member(entries.size()), cursor(start.begin(), start.end() - 1);
    for (std::size_t k = 0; k < entries.size(); ++k)
        by_member[cursor[entries[k].member]++] = static_cast<std::uint32_t>(k);

    for (std::uint32_t i = 0; i < n; ++i) counts[i] += particles.phase[i] == solid ? 1u : 0u;
    lay_out(counts);
    for (std::uint32_t j = 0; j < n; ++j) {
        for (std::uint32_t k = start[j]; k < start[j + 1]; ++k)
            ++m_segments[entries[by_member[k]].cluster].end[bucket[j]];
        if (particles.phase[j] == solid) ++m_segments[j].end[bucket[j]];
    }
    std::vector<std::array<std::uint16_t, max_groups + 1>> next(n);
    for (std::uint32_t i = 0; i < n; ++i) {
        Segment& s = m_segments[i];
        std::uint16_t sum = 0;
        for (std::size_t g = 0; g <= max_groups; ++g) {
            next[i][g] = sum;
            sum = static_cast<std::uint16_t>(sum + s.end[g]);
            s.end[g] = sum;
        }
        s.count = sum;
        m_links += sum;
    }
    const auto put = [&](std::uint32_t i, std::uint32_t j) {
        const std::uint32_t place = m_segments[i].begin + next[i][bucket[j]]++;
        m_member[place] = j;
        return place;
    };
    for (std::uint32_t j = 0; j < n; ++j) {
        if (particles.phase[j] == solid) put(j, j);
        for (std::uint32_t k = start[j]; k < start[j + 1]; ++k) {
            const Entry& e = entries[by_member[k]];
            const std::uint32_t place = put(e.cluster, j);
            m_rest[place].template head<3>() = links.rest[e.row];
            m_turn[place] = links.turn[e.row];
        }
    }
    parallel_for(n, [&](std::size_t row) {
        const auto i = static_cast<std::uint32_t>(row);
        const Segment& s = m_segments[i];
        for (std::uint32_t k = s.begin; k < s.begin + s.count; ++k)
            m_mirror[k] = find(m_member[k], i);
        find_turned(i);
    });
    for (std::uint32_t i = 0; i < n; ++i) {
        const Segment& s = m_segments[i];
        for (std::uint32_t k = s.begin; k < s.begin + s.count; ++k)
            if (m_mirror[k] == none) fail_link(m_id[i], m_id[m_member[k]], "a link is one-sided");
    }
    parallel_for(n, [&](std::size_t i) { find_even(static_cast<std::uint32_t>(i)); });
}

template <class Real> void Clusters<Real>::find_even(std::uint32_t i) {
    Segment& s = m_segments[i];
    s.even = true;
    for (std::uint32_t k = s.begin; k < s.begin + s.count; ++k)
        s.even = s.even && (m_rest[k] + m_rest[m_mirror[k]]).template head<3>().isZero(Real(0));
}

template <class Real> void Clusters<Real>::settle_flow() {
    parallel_for(m_segments.size(), [&](std::size_t i) {
        Segment& s = m_segments[i];
        bool flowed = m_flowed[i] != 0;
        for (std::uint32_t k = s.begin; s.even && k < s.begin + s.count; ++k)
            flowed = flowed || m_flowed[m_member[k]] != 0;
        if (flowed) s.even = false;
    });
    std::fill(m_flowed.begin(), m_flowed.end(), std::uint8_t(0));
}

template <class Real> void Clusters<Real>::store(State<Real>& state) const {
    const std::size_t n = m_segments.size();
    std::vector<std::uint32_t> order(n), start(n + 1, 0);
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return m_id[a] < m_id[b]; });
    for (std::size_t k = 0; k < n; ++k) {
        const Segment& s = m_segments[order[k]];
        start[k + 1] = start[k] + (s.count > 0 ? s.count - 1 : 0);
    }
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

template <class Real> void Clusters<Real>::rearrange(const std::vector<std::uint8_t>& bucket) {
    for (std::uint32_t i = 0; i < m_segments.size(); ++i)
        if (bucket[i] != m_bucket[i]) change_bucket(i, bucket[i]);
}

template <class Real> std::uint32_t Clusters<Real>::find(std::uint32_t i, std::uint32_t j) const {
    const Segment& s = m_segments[i];
    const auto* begin = m_member.data() + s.begin;
    const std::uint32_t g = m_bucket[j];
    const auto* first = begin + (g == 0 ? 0u : s.end[g - 1]);
    const auto* last = begin + s.end[g];
    const auto* found = std::lower_bound(first, last, j);
    return found != last && *found == j ? s.begin + static_cast<std::uint32_t>(found - begin)
                                        : none;
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

/// What is left of the last batch is nobody's.
template <class Real> void Clusters<Real>::fill_up(std::uint32_t i) {
    const Segment& s = m_segments[i];
    for (std::uint32_t k = s.begin + s.count; k < s.begin + s.room; ++k) {
        m_member[k] = nobody();
        m_rest[k] = Vec4<Real>(0, 0, 0, 1);
        m_turn[k] = quaternion_identity<Real>();
    }
}

template <class Real>
void Clusters<Real>::insert(std::uint32_t i, std::uint32_t j, const Vec3<Real>& rest,
                            const Vec4<Real>& turn) {
    Segment& s = m_segments[i];
    if (s.count == s.room) { // a larger place at the end of the pool
        const std::uint32_t begin = static_cast<std::uint32_t>(m_member.size());
        const std::uint32_t room = s.room + lanes;
        m_member.resize(begin + room, nobody());
        m_mirror.resize(begin + room, 0);
        m_rest.resize(begin + room, Vec4<Real>(0, 0, 0, 1));
        m_turn.resize(begin + room, quaternion_identity<Real>());
        for (std::uint32_t k = 0; k < s.count; ++k) move_entry(s.begin + k, begin + k);
        const std::uint32_t old = s.begin;
        for (std::uint32_t k = 0; k < s.room; ++k) m_member[old + k] = nobody();
        s.begin = begin;
        s.room = room;
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
    s.turned = s.turned || turn != quaternion_identity<Real>();
    fill_up(i);
}

template <class Real> void Clusters<Real>::erase(std::uint32_t i, std::uint32_t place) {
    Segment& s = m_segments[i];
    const std::uint8_t g = m_bucket[m_member[place]];
    for (std::uint32_t k = place; k + 1 < s.begin + s.count; ++k) move_entry(k + 1, k);
    --s.count;
    --m_links;
    ++m_work;
    for (std::size_t k = g; k <= max_groups; ++k) --s.end[k];
    fill_up(i);
}

template <class Real>
void Clusters<Real>::join(std::uint32_t i, std::uint32_t j, const Vec3<Real>& rest_ij,
                          const Vec4<Real>& turn_ij, const Vec3<Real>& rest_ji,
                          const Vec4<Real>& turn_ji) {
    insert(i, j, rest_ij, turn_ij);
    insert(j, i, rest_ji, turn_ji);
    const std::uint32_t a = find(i, j), b = find(j, i);
    m_mirror[a] = b;
    m_mirror[b] = a;
    m_segments[i].even = m_segments[j].even = false;
}

template <class Real> void Clusters<Real>::part(std::uint32_t i, std::uint32_t j) {
    erase(i, find(i, j));
    erase(j, find(j, i));
}

template <class Real> void Clusters<Real>::leave(std::uint32_t i) {
    Segment& s = m_segments[i];
    while (s.count > 0) {
        const std::uint32_t last = s.begin + s.count - 1, j = m_member[last];
        if (j == i)
            erase(i, last);
        else
            part(i, j);
    }
}

template <class Real> void Clusters<Real>::enter(std::uint32_t i) {
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
    // What the others have of i, taken out and put back where it belongs now.
    std::vector<Kept> kept;
    for (std::uint32_t k = s.begin; k < s.begin + s.count; ++k) {
        const std::uint32_t back = m_mirror[k];
        kept.push_back({m_member[k], m_rest[back], m_turn[back]});
    }
    for (const Kept& k : kept) {
        erase(k.member, find(k.member, i));
        if (k.member == i) continue;
        const std::uint32_t place = find(i, k.member);
        m_mirror[place] = place; // there is none for now
    }
    m_bucket[i] = bucket;
    for (const Kept& k : kept) insert(k.member, i, k.rest.template head<3>(), k.turn);
    for (const Kept& k : kept) {
        const std::uint32_t a = find(i, k.member), b = find(k.member, i);
        m_mirror[a] = b;
        m_mirror[b] = a;
    }
}

template <class Real> std::int64_t Clusters<Real>::take_work() {
    return std::exchange(m_work, 0);
}

template <class Real> std::size_t Clusters<Real>::bytes() const {
    const auto of = [](const auto& column) { return column.capacity() * sizeof(column[0]); };
    return of(m_segments) + of(m_bucket) + of(m_id) + of(m_member) + of(m_mirror) + of(m_rest) +
           of(m_turn);
}

template std::vector<std::int64_t> rows_by_id(const State<float>&);
template std::vector<std::int64_t> rows_by_id(const State<double>&);
template class Clusters<float>;
template class Clusters<double>;

} // namespace nendo::melt
