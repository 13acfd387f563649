// SPDX-License-Identifier: Apache-2.0
// A hash table that numbers keys in the order in which they are added, for example the blocks of
// space in use.
#pragma once

#include "core/memory.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace nendo {

/// A well-mixed hash of a key (the finalizer of SplitMix64).
inline std::uint64_t mix(std::uint64_t k) {
    k = (k ^ (k >> 30)) * 0xbf58476d1ce4e5b9ull;
    k = (k ^ (k >> 27)) * 0x94d049bb133111ebull;
    return k ^ (k >> 31);
}

class KeyTable {
public:
    static constexpr std::uint32_t none = ~0u; ///< Returned for keys that are not in the table

    void clear() {
        m_keys.clear();
        std::fill(m_table.begin(), m_table.end(), 0u);
    }
    std::size_t size() const { return m_keys.size(); }
    std::uint64_t key(std::uint32_t number) const { return m_keys[number]; }

    /// The number of a key, or `none` if it is not in the table.
    std::uint32_t find(std::uint64_t key) const {
        const std::uint32_t entry = m_table[place_of(key)];
        return entry == 0 ? none : entry - 1;
    }
    /// The number of a key. A new key is added and gets the number size().
    std::uint32_t find_or_add(std::uint64_t key) {
        const std::uint64_t place = place_of(key);
        if (m_table[place] != 0) return m_table[place] - 1;
        m_keys.push_back(key);
        m_table[place] = static_cast<std::uint32_t>(m_keys.size());
        if (2 * m_keys.size() > m_table.size()) grow();
        return static_cast<std::uint32_t>(m_keys.size() - 1);
    }
    std::size_t bytes() const { return memory_of(m_keys, m_table); }

private:
    /// The place of the key in m_table, or the free place where it would go.
    std::uint64_t place_of(std::uint64_t key) const {
        const std::uint64_t mask = m_table.size() - 1;
        std::uint64_t place = mix(key) & mask;
        while (m_table[place] != 0 && m_keys[m_table[place] - 1] != key) place = (place + 1) & mask;
        return place;
    }
    void grow() {
        m_table.assign(2 * m_table.size(), 0);
        for (std::size_t k = 0; k < m_keys.size(); ++k)
            m_table[place_of(m_keys[k])] = static_cast<std::uint32_t>(k + 1);
    }

    std::vector<std::uint64_t> m_keys;                                   ///< Key of each number
    std::vector<std::uint32_t> m_table = std::vector<std::uint32_t>(64); ///< 1 + number, or 0
};

} // namespace nendo
