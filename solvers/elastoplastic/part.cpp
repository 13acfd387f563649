// SPDX-License-Identifier: Apache-2.0
// Exchange of masters, slaves, ghosts and decisions between the processes of a shared simulation.
#include "elastoplastic/part.h"

#include "scene/timeline.h"

#include <algorithm>
#include <numeric>

namespace nendo::elastoplastic {

std::vector<Packer> Channel::messages() const {
    Packer start;
    start.number(static_cast<std::uint8_t>(m_health));
    start.text(m_problem);
    return std::vector<Packer>(static_cast<std::size_t>(size()), start);
}

std::vector<Unpacker> Channel::exchange(std::vector<Packer> messages) {
    std::vector<Bytes> out;
    for (Packer& message : messages) out.push_back(message.release());
    for (int r = 0; r < size(); ++r)
        if (r != rank())
            m_sent += static_cast<std::int64_t>(out[static_cast<std::size_t>(r)].size());
    std::vector<Unpacker> in;
    for (Bytes& bytes : m_others.exchange(std::move(out))) in.emplace_back(std::move(bytes));
    // The first process that is not well decides, so that all throw the same error.
    Health health = Health::well;
    std::string problem;
    for (Unpacker& message : in) {
        const auto other = static_cast<Health>(message.number<std::uint8_t>());
        const std::string text = message.text();
        if (health != Health::well || other == Health::well) continue;
        health = other;
        problem = text;
    }
    switch (health) {
    case Health::well: break;
    case Health::failed: throw Error(problem, "", "");
    case Health::interrupted: throw Interrupted();
    case Health::dismissed: throw Dismissed();
    }
    return in;
}

namespace {

void pack(Packer& to, const StepLimits& limits) {
    to.number(limits.speed);
    to.number(limits.sound);
    to.number(limits.lively_sound);
}

StepLimits unpack_limits(Unpacker& from) {
    StepLimits limits;
    limits.speed = from.number<double>();
    limits.sound = from.number<double>();
    limits.lively_sound = from.number<double>();
    return limits;
}

void pack(Packer& to, const Histogram& bins) {
    to.number<std::uint64_t>(bins.size());
    for (const auto& [bin, count] : bins) {
        to.number(bin);
        to.number(count);
    }
}

Histogram unpack_bins(Unpacker& from) {
    Histogram bins(static_cast<std::size_t>(from.number<std::uint64_t>()));
    for (auto& [bin, count] : bins) {
        bin = from.number<std::int64_t>();
        count = from.number<std::int64_t>();
    }
    return bins;
}

/// Packs rows of a table and their places in the order of all rows.
template <class Table>
void pack_rows(Packer& to, const Table& table, const Places& places,
               const std::vector<std::uint32_t>& rows) {
    to.rows(table, rows);
    to.rows(places, rows);
}

template <class Table> void pack_all(Packer& to, const Table& table, const Places& places) {
    to.all_rows(table);
    to.all_rows(places);
}

template <class Table> void append_rows(Unpacker& from, Table& table, Places& places) {
    from.append_rows(table);
    from.append_rows(places);
}

/// Sorts the rows of a table that consists of sorted runs, by merging the runs.
template <class Table>
void merge_rows(Table& table, Places& places, std::vector<std::uint32_t>& rows) {
    const std::vector<std::int64_t>& order = places.id;
    if (std::is_sorted(order.begin(), order.end())) return;
    rows.resize(order.size());
    std::iota(rows.begin(), rows.end(), 0u);
    const auto before = [&](std::uint32_t a, std::uint32_t b) { return order[a] < order[b]; };
    for (std::size_t begin = 0; begin < rows.size();) {
        const auto first = order.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto last = std::is_sorted_until(first, order.end());
        const auto run = rows.begin() + (first - order.begin());
        std::inplace_merge(rows.begin(), run, rows.begin() + (last - order.begin()), before);
        begin = static_cast<std::size_t>(last - order.begin());
    }
    gather_table(table, rows);
    gather_table(places, rows);
}

/// The rows to send to each process.
using RowLists = std::vector<std::vector<std::uint32_t>>;

template <class Real>
RowLists rows_near(const Slabs& slabs, const std::vector<Vec3<Real>>& x, double margin) {
    RowLists lists(static_cast<std::size_t>(slabs.count()));
    for (std::uint32_t row = 0; row < x.size(); ++row)
        slabs.for_each_near(x[row], margin, [&](int slab) {
            lists[static_cast<std::size_t>(slab)].push_back(row);
        });
    return lists;
}

/// Pairs go with their first master; `first` has its row for each pair.
template <class Real>
RowLists pairs_of(const Slabs& slabs, const std::vector<Vec3<Real>>& x,
                  const std::vector<std::uint32_t>& first) {
    RowLists lists(static_cast<std::size_t>(slabs.count()));
    for (std::uint32_t k = 0; k < first.size(); ++k)
        lists[static_cast<std::size_t>(slabs.owner(x[first[k]]))].push_back(k);
    return lists;
}

} // namespace

template <class Real> void Part<Real>::distribute(std::vector<Packer> messages) {
    State<Real>& all = w.trial;
    m_slabs.axis = longest_axis(all.masters.x);
    const double width = m_params.spacing;
    m_slabs.cuts =
        even_cuts(count_bins(all.masters.x, m_slabs.axis, width), width, m_channel.size());
    m_master_places.id.resize(all.masters.id.size());
    std::iota(m_master_places.id.begin(), m_master_places.id.end(), 0);
    m_slave_places.id.resize(all.slaves.id.size());
    std::iota(m_slave_places.id.begin(), m_slave_places.id.end(), 0);
    m_pair_row.clear();
    for (const auto& pair : w.neighbors) m_pair_row.push_back(pair.first);

    const RowLists masters = rows_near(m_slabs, all.masters.x, 0);
    const RowLists slaves = rows_near(m_slabs, all.slaves.x, 0);
    const RowLists pairs = pairs_of(m_slabs, all.masters.x, m_pair_row);
    for (std::size_t r = 1; r < messages.size(); ++r) {
        Packer& to = messages[r];
        to.members(all.details);
        to.number(w.end);
        to.number(w.goals);
        to.number(m_slabs.axis);
        for (const double cut : m_slabs.cuts) to.number(cut);
        pack_rows(to, all.masters, m_master_places, masters[r]);
        pack_rows(to, all.slaves, m_slave_places, slaves[r]);
        to.rows(all.neighbors, pairs[r]);
    }
    m_channel.exchange(std::move(messages));
    gather_table(all.masters, masters[0]);
    gather_table(m_master_places, masters[0]);
    gather_table(all.slaves, slaves[0]);
    gather_table(m_slave_places, slaves[0]);
    gather_table(all.neighbors, pairs[0]);
    index_first();
    m_next_cuts = m_slabs.cuts;
}

template <class Real> void Part<Real>::receive(Unpacker& message) {
    State<Real>& part = w.trial;
    part = {};
    message.members(part.details);
    w.end = message.number<double>();
    w.goals = message.number<bool>();
    m_slabs.axis = message.number<int>();
    m_slabs.cuts.resize(static_cast<std::size_t>(m_channel.size() - 1));
    for (double& cut : m_slabs.cuts) cut = message.number<double>();
    append_rows(message, part.masters, m_master_places);
    append_rows(message, part.slaves, m_slave_places);
    message.append_rows(part.neighbors);
    index_first();
    m_next_cuts = m_slabs.cuts;
}

template <class Real> void Part<Real>::collect(Report& report) {
    State<Real>& part = w.trial;
    std::vector<Packer> messages = m_channel.messages();
    Packer& to = messages.front();
    to.number<std::int64_t>(static_cast<std::int64_t>(memory_of(w)));
    to.number<std::int64_t>(m_channel.sent());
    if (m_channel.rank() != 0) {
        pack_all(to, part.masters, m_master_places);
        pack_all(to, part.slaves, m_slave_places);
        to.all_rows(part.neighbors);
    }
    std::vector<Unpacker> in = m_channel.exchange(std::move(messages));
    if (m_channel.rank() != 0) return;
    for (std::size_t r = 0; r < in.size(); ++r) {
        report.bytes += in[r].template number<std::int64_t>();
        report.sent_bytes += in[r].template number<std::int64_t>();
        if (r == 0) continue;
        append_rows(in[r], part.masters, m_master_places);
        append_rows(in[r], part.slaves, m_slave_places);
        in[r].append_rows(part.neighbors);
        in[r] = Unpacker({});
    }
    merge_rows(part.masters, m_master_places, w.order);
    merge_rows(part.slaves, m_slave_places, w.order);
    sort_neighbors(w);
}

template <class Real>
void Part<Real>::enter(const std::vector<const Body*>& queue, const Scene& scene) {
    State<Real>& part = w.trial;
    State<Real> fresh;
    fresh.details = part.details;
    enter_bodies(fresh, queue, scene, m_params);
    part.details = fresh.details;
    if (fresh.masters.id.empty()) return;

    const auto mine = static_cast<std::size_t>(m_channel.rank());
    std::vector<std::uint32_t> first;
    for (const std::int64_t id : fresh.neighbors.id)
        first.push_back(static_cast<std::uint32_t>(id - fresh.masters.id.front()));
    gather_table(fresh.neighbors, pairs_of(m_slabs, fresh.masters.x, first)[mine]);
    gather_table(fresh.masters, rows_near(m_slabs, fresh.masters.x, 0)[mine]);
    gather_table(fresh.slaves, rows_near(m_slabs, fresh.slaves.x, 0)[mine]);
    for (const std::int64_t id : fresh.masters.id) m_master_places.id.push_back(place_of_new(id));
    for (const std::int64_t id : fresh.slaves.id) m_slave_places.id.push_back(place_of_new(id));
    Packer packed;
    packed.all_rows(fresh.masters);
    packed.all_rows(fresh.slaves);
    packed.all_rows(fresh.neighbors);
    Unpacker own(packed.release());
    own.append_rows(part.masters);
    own.append_rows(part.slaves);
    own.append_rows(part.neighbors);
    index_first();
}

template <class Real> void Part<Real>::index_first() {
    const auto key = [](std::int64_t id) { return static_cast<std::uint64_t>(id); };
    w.rows.clear();
    for (const std::int64_t id : w.trial.masters.id) w.rows.find_or_add(key(id));
    m_pair_row.clear();
    for (const std::int64_t id : w.trial.neighbors.id) m_pair_row.push_back(w.rows.find(key(id)));
}

template <class Real> void Part<Real>::exchange_rows(const GhostMargins& margins) {
    State<Real>& part = w.trial;
    std::vector<Packer> messages = m_channel.messages();
    const auto mine = static_cast<std::size_t>(m_channel.rank());
    m_channel.attempt([&] {
        const RowLists masters = rows_near(m_slabs, part.masters.x, margins.masters);
        const RowLists slaves = rows_near(m_slabs, part.slaves.x, margins.slaves);
        const RowLists pairs = pairs_of(m_slabs, part.masters.x, m_pair_row);
        for (std::size_t r = 0; r < messages.size(); ++r) {
            if (r == mine) continue;
            pack_rows(messages[r], part.masters, m_master_places, masters[r]);
            pack_rows(messages[r], part.slaves, m_slave_places, slaves[r]);
            messages[r].rows(part.neighbors, pairs[r]);
        }
        gather_table(part.masters, masters[mine]);
        gather_table(m_master_places, masters[mine]);
        gather_table(part.slaves, slaves[mine]);
        gather_table(m_slave_places, slaves[mine]);
        gather_table(part.neighbors, pairs[mine]);
    });
    std::vector<Unpacker> in = m_channel.exchange(std::move(messages));
    m_channel.attempt([&] {
        for (std::size_t r = 0; r < in.size(); ++r) {
            if (r == mine) continue;
            append_rows(in[r], part.masters, m_master_places);
            append_rows(in[r], part.slaves, m_slave_places);
            in[r].append_rows(part.neighbors);
        }
        merge_rows(part.masters, m_master_places, w.order);
        merge_rows(part.slaves, m_slave_places, w.order);
    });
}

template <class Real> bool Part<Real>::prepare_step(const Scene& scene, double longest) {
    m_pairs = w.trial.neighbors;
    index_neighbors(w);
    if (w.trial.neighbors.id.size() != m_pairs.id.size()) return false;
    build_slave_grid(w, m_params);
    mark_close_slaves(w, m_params);
    find_slave_candidates(w, m_params);
    place_scene(w, scene, longest);
    m_limits = find_step_limits(w, scene, m_params);
    return true;
}

template <class Real> bool Part<Real>::share(bool complete, bool rebalance, Agreed& agreed) {
    const State<Real>& part = w.trial;
    const auto held = static_cast<std::int64_t>(part.masters.id.size() + part.slaves.id.size());
    std::int64_t masters = 0, ghosts = 0, removed = 0;
    Histogram bins;
    m_channel.attempt([&] {
        mark_own();
        masters = std::count(m_ghost_masters.begin(), m_ghost_masters.end(), 0);
        ghosts = held - masters - std::count(m_ghost_slaves.begin(), m_ghost_slaves.end(), 0);
        if (!complete) return;
        for (std::size_t s = 0; s < w.marked.size(); ++s)
            removed += m_ghost_slaves[s] == 0 && w.marked[s] != 0 ? 1 : 0;
        if (rebalance) {
            std::vector<Vec3<Real>> own;
            for (std::size_t m = 0; m < part.masters.x.size(); ++m)
                if (m_ghost_masters[m] == 0) own.push_back(part.masters.x[m]);
            bins = count_bins(own, m_slabs.axis, m_params.spacing);
        }
    });
    std::vector<Packer> messages = m_channel.messages();
    for (Packer& to : messages) {
        to.number(complete);
        pack(to, m_limits);
        to.number(masters);
        to.number(ghosts);
        to.number(removed);
        pack(to, bins);
        to.all_rows(w.candidates);
    }
    std::vector<Unpacker> in = m_channel.exchange(std::move(messages));
    bool all_complete = true;
    agreed = {};
    bins.clear();
    resize_table(w.candidates, 0);
    for (Unpacker& from : in) {
        all_complete = from.template number<bool>() && all_complete;
        agreed.limits = merge_limits(agreed.limits, unpack_limits(from));
        agreed.masters += from.template number<std::int64_t>();
        agreed.ghosts += from.template number<std::int64_t>();
        agreed.slaves_removed += from.template number<std::int64_t>();
        bins = add_bins(bins, unpack_bins(from));
        from.append_rows(w.candidates);
    }
    if (!bins.empty()) {
        // Move the cuts only if that helps enough, because moved matter must be sent.
        const std::vector<double> cuts = even_cuts(bins, m_params.spacing, m_channel.size());
        const auto most = [&](const std::vector<double>& those) {
            return static_cast<double>(fullest(bins, m_params.spacing, those));
        };
        if (most(cuts) < 0.95 * most(m_slabs.cuts)) m_next_cuts = cuts;
    }
    return all_complete;
}

template <class Real>
Agreed Part<Real>::synchronize(const Scene& scene, double longest, bool rebalance) {
    m_slabs.cuts = m_next_cuts;
    Agreed agreed;
    GhostMargins margins = ghost_margins(m_params);
    for (;;) {
        exchange_rows(margins);
        bool complete = true;
        m_channel.attempt([&] { complete = prepare_step(scene, longest); });
        if (share(complete, rebalance, agreed)) return agreed;
        // Matter that was pushed out of a collider may be far from its neighbors. In that rare case,
        // repeat the exchange with every process holding everything.
        w.trial.neighbors = m_pairs;
        drop_ghosts();
        index_first();
        margins = {infinite, infinite};
    }
}

template <class Real> void Part<Real>::settle(const Agreed& agreed) {
    Slaves<Real>& slaves = w.trial.slaves;
    Details& details = w.trial.details;
    SlaveCandidates<Real>& candidates = w.candidates;
    w.order.resize(candidates.id.size());
    std::iota(w.order.begin(), w.order.end(), 0u);
    std::sort(w.order.begin(), w.order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(candidates.id[a], candidates.other[a]) <
               std::pair(candidates.id[b], candidates.other[b]);
    });
    gather_table(candidates, w.order);
    accept_slave_candidates(w, m_params);
    forget_separated(w);

    const std::size_t before = slaves.id.size();
    erase_marked(m_slave_places, w.marked);
    erase_marked(slaves, w.marked);
    bool changed = slaves.id.size() != before;
    for (std::size_t k = 0; k < w.new_slaves.size(); ++k) {
        const std::int64_t id = details.next_slave++;
        m_slabs.for_each_near(w.new_slaves[k], ghost_margins(m_params).slaves, [&](int slab) {
            if (slab != m_channel.rank()) return;
            slaves.id.push_back(id);
            slaves.x.push_back(w.new_slaves[k]);
            slaves.join.push_back(w.new_slave_join[k]);
            m_slave_places.id.push_back(place_of_new(id));
            changed = true;
        });
    }
    details.slaves_added += static_cast<std::int64_t>(w.new_slaves.size());
    details.slaves_removed += agreed.slaves_removed;
    if (changed) build_slave_grid(w, m_params);
    mark_own();
}

template <class Real> void Part<Real>::mark_own() {
    const auto mark = [&](const std::vector<Vec3<Real>>& x, std::vector<std::uint8_t>& ghost) {
        ghost.resize(x.size());
        for (std::size_t k = 0; k < x.size(); ++k)
            ghost[k] = m_slabs.owner(x[k]) != m_channel.rank();
    };
    mark(w.trial.masters.x, m_ghost_masters);
    mark(w.trial.slaves.x, m_ghost_slaves);
}

template <class Real> void Part<Real>::drop_ghosts() {
    erase_marked(w.trial.masters, m_ghost_masters);
    erase_marked(m_master_places, m_ghost_masters);
    erase_marked(w.trial.slaves, m_ghost_slaves);
    erase_marked(m_slave_places, m_ghost_slaves);
}

template <class Real> void Part<Real>::keep_own() {
    std::vector<std::uint32_t> row(m_ghost_masters.size());
    std::uint32_t own = 0;
    for (std::size_t m = 0; m < row.size(); ++m) row[m] = m_ghost_masters[m] != 0 ? own : own++;
    m_pair_row.resize(w.neighbors.size());
    for (std::size_t k = 0; k < m_pair_row.size(); ++k) m_pair_row[k] = row[w.neighbors[k].first];
    drop_ghosts();
}

template class Part<float>;
template class Part<double>;

} // namespace nendo::elastoplastic
