// SPDX-License-Identifier: Apache-2.0
// Stores the blocks of a sparse field and pads them with their neighbors' values.
#include "surface/blocks.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace nendo {

void BlockField::add(const Cell& place) {
    if (m_numbers.find_or_add(key_of(place)) == m_places.size()) m_places.push_back(place);
}

void BlockField::add_inside(const Cell& place) {
    if (find(place) != none) return;
    if (m_inside_numbers.find_or_add(key_of(place)) == m_inside.size()) m_inside.push_back(place);
}

void BlockField::finish() {
    m_values.resize(size() * block_voxels);
    m_around.resize(size());
    parallel_for(size(), [&](std::size_t block) {
        std::size_t k = 0;
        for (int i = -1; i <= 1; ++i)
            for (int j = -1; j <= 1; ++j)
                for (int l = -1; l <= 1; ++l) {
                    const Cell& at = m_places[block];
                    const Cell near{at.x + i, at.y + j, at.z + l};
                    std::uint32_t found = find(near);
                    if (found == none && is_inside(near)) found = within;
                    m_around[block][k++] = found;
                }
    });
    m_moving.resize(size());
    std::iota(m_moving.begin(), m_moving.end(), 0u);
}

void BlockField::still(float far) {
    std::vector<char> near(size());
    parallel_for(size(), [&](std::size_t block) {
        const float* v = values(block);
        near[block] = std::any_of(v, v + block_voxels, [&](float a) { return std::abs(a) < far; });
    });
    m_next = m_values; // unchanging blocks are the same in both
    const auto quiet = [&](std::uint32_t block) {
        return std::none_of(m_around[block].begin(), m_around[block].end(),
                            [&](std::uint32_t other) { return other < within && near[other]; });
    };
    m_moving.erase(std::remove_if(m_moving.begin(), m_moving.end(), quiet), m_moving.end());
}

void BlockField::pad(std::size_t block, float far, Padded& padded) const {
    // Neighbor that a padded coordinate falls in (0: below, 1: own, 2: above), and its voxel there.
    const auto side = [](int c) { return c == 0 ? 0 : c <= block_edge ? 1 : 2; };
    const auto voxel = [](int c) { return (c + block_edge - 1) % block_edge; };
    // Missing blocks are read as blocks of one value.
    alignas(32) std::array<std::array<float, block_voxels>, 2> missing;
    std::array<bool, 2> made{};
    std::array<const float*, 27> from;
    for (std::size_t k = 0; k < from.size(); ++k) {
        const std::uint32_t other = m_around[block][k];
        from[k] = other < within ? values(other) : nullptr;
        if (from[k] != nullptr) continue;
        const bool inside = other == within;
        if (!made[inside]) missing[inside].fill(inside ? far : -far);
        made[inside] = true;
        from[k] = missing[inside].data();
    }
    float* to = padded.data();
    for (int x = 0; x < padded_edge; ++x)
        for (int y = 0; y < padded_edge; ++y, to += padded_edge) {
            const float* const* row = &from[std::size_t(9 * side(x) + 3 * side(y))];
            const int start = (voxel(x) * block_edge + voxel(y)) * block_edge;
            to[0] = row[0][start + block_edge - 1];
            std::memcpy(to + 1, row[1] + start, block_edge * sizeof(float));
            to[padded_edge - 1] = row[2][start];
        }
}

} // namespace nendo
