#include "geometry/surface_blocks.h"

#include <algorithm>
#include <cstring>

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
    constexpr int rows = padded_edge * padded_edge;
    // The block of a padded coordinate: 0 below, 1 its own, 2 above; and its voxel there.
    const auto side = [](int c) { return c == 0 ? 0 : c <= block_edge ? 1 : 2; };
    const auto voxel = [](int c) { return (c + block_edge - 1) % block_edge; };
    for (int row = 0; row < rows; ++row) {
        const int x = row / padded_edge, y = row % padded_edge;
        const std::uint32_t* from = &m_around[block][std::size_t(9 * side(x) + 3 * side(y))];
        const int start = (voxel(x) * block_edge + voxel(y)) * block_edge;
        const auto read = [&](int k, int z) {
            if (from[k] >= within) return from[k] == within ? far : -far;
            return values(from[k])[start + z];
        };
        float* to = &padded[std::size_t(row * padded_edge)];
        to[0] = read(0, block_edge - 1);
        if (from[1] < within)
            std::memcpy(to + 1, values(from[1]) + start, block_edge * sizeof(float));
        else
            std::fill_n(to + 1, block_edge, from[1] == within ? far : -far);
        to[padded_edge - 1] = read(2, 0);
    }
}

} // namespace nendo
