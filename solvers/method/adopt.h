// SPDX-License-Identifier: Apache-2.0
// Particles that somebody else made, a host's emitter or a file: which of them a state knows
// already, and which it has yet to adopt.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

namespace nendo {

/// How the rows of a table came to be where they are after adopt().
struct Adoption {
    std::vector<std::uint32_t> rows; ///< For each row, its row before adoption
    std::size_t first = 0;           ///< Rows from this one on are adopted
    std::size_t count() const { return rows.size() - first; }
};

/// The rows of a table in two groups, each in its old order.
struct KnownAndFresh {
    std::vector<std::uint32_t> known, fresh;
    std::unordered_set<std::int64_t> ids; ///< Ids of the known rows
};

/// A row is known if the state gave out its id before (0 <= id < next_id), is_matter(row) holds, and
/// no earlier row has the same id: the first of equal ids is the original.
template <class Table, class IsMatter>
KnownAndFresh sort_out(const Table& table, std::int64_t next_id, const IsMatter& is_matter) {
    KnownAndFresh sorted;
    sorted.ids.reserve(table.id.size());
    for (std::size_t i = 0; i < table.id.size(); ++i) {
        const std::int64_t id = table.id[i];
        const bool known = id >= 0 && id < next_id && is_matter(i) && sorted.ids.insert(id).second;
        (known ? sorted.known : sorted.fresh).push_back(static_cast<std::uint32_t>(i));
    }
    return sorted;
}

} // namespace nendo
