#include "geometry/surface_blocks.h"

#include <algorithm>

namespace nendo {

void BlockField::add(const Cell& place) {
    if (m_numbers.find_or_add(key_of(place)) == m_places.size()) m_places.push_back(place);
}

void BlockField::add_inside(const Cell& place) {
    if (find(place) != nobody) return;
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
                    if (found == nobody && is_inside(near)) found = within;
                    m_around[block][k++] = found;
                }
    });
}

void BlockField::pad(std::size_t block, float far, Padded& padded) const {
    std::size_t k = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            for (int l = 0; l < 3; ++l) {
                const std::uint32_t from = m_around[block][k++];
                // The part of the padding that lies in this neighbour.
                const auto begin = [](int side) { return side == 0 ? 0 : side == 1 ? 1 : 9; };
                const auto length = [](int side) { return side == 1 ? 8 : 1; };
                const auto source = [](int side) { return side == 0 ? 7 : 0; };
                for (int x = 0; x < length(i); ++x)
                    for (int y = 0; y < length(j); ++y) {
                        float* to = &padded[static_cast<std::size_t>(
                            ((begin(i) + x) * padded_edge + begin(j) + y) * padded_edge +
                            begin(l))];
                        if (from >= within) {
                            std::fill_n(to, length(l), from == within ? far : -far);
                            continue;
                        }
                        const float* row =
                            values(from) +
                            ((source(i) + x) * block_edge + source(j) + y) * block_edge + source(l);
                        std::copy_n(row, length(l), to);
                    }
            }
}

} // namespace nendo
