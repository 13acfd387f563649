// SPDX-License-Identifier: Apache-2.0
// Finds the walls near each fluid particle and adds their share of density.
#include "sph/walls.h"

#include <algorithm>
#include <numeric>

namespace nendo::sph {

template <class Real>
void Walls<Real>::find(const std::vector<MovedShape>& colliders, const Neighborhood<Real>& near,
                       const Kernels<Real>& kernels) {
    const std::size_t n = near.size();
    m_start.clear();
    m_walls.clear();
    if (colliders.empty()) return;
    m_start.assign(n + 1, 0);
    m_blocks.resize((n + block_size - 1) / block_size);
    parallel_blocks(n, [&](std::size_t begin, std::size_t end) {
        std::vector<Wall<Real>>& found = m_blocks[begin / block_size];
        found.clear();
        for (std::size_t i = begin; i != end; ++i) {
            const std::size_t before = found.size();
            const Vec3d x = near.point(i).template cast<double>();
            for (std::size_t k = 0; k < colliders.size(); ++k) {
                const MovedShape& shape = colliders[k];
                const auto distance = static_cast<Real>(shape.distance(x));
                if (!(distance < kernels.h)) continue;
                const auto share = kernels.wall(distance);
                Wall<Real> wall;
                wall.slot = static_cast<std::uint32_t>(i);
                wall.collider = static_cast<std::uint32_t>(k);
                wall.distance = distance;
                wall.normal = shape.normal(x).template cast<Real>();
                wall.velocity = shape.velocity(x).template cast<Real>();
                wall.density = share.density;
                wall.slope = share.slope;
                wall.filled = share.filled;
                wall.cut = share.cut;
                wall.drag = static_cast<Real>(std::min(shape.friction, 1.0)) * share.drag;
                found.push_back(wall);
            }
            // In corners, count the volume behind several walls only once.
            for (std::size_t a = before; a != found.size(); ++a) {
                Real left = 1;
                for (std::size_t b = before; b != found.size(); ++b)
                    if (b != a) left *= Real(1) - found[b].filled;
                found[a].slope -= found[a].cut * (Real(1) - left);
            }
            m_start[i + 1] = static_cast<std::uint32_t>(found.size() - before);
        }
    });
    std::partial_sum(m_start.begin(), m_start.end(), m_start.begin());
    for (const std::vector<Wall<Real>>& block : m_blocks)
        m_walls.insert(m_walls.end(), block.begin(), block.end());
}

template <class Real> void Walls<Real>::add_density(std::vector<Real>& compression) const {
    for (std::size_t k = 0; k != m_walls.size();) {
        const std::uint32_t slot = m_walls[k].slot;
        Real sum = 0, filled = 0, left = 1;
        for (; k != m_walls.size() && m_walls[k].slot == slot; ++k) {
            sum += m_walls[k].density;
            filled += m_walls[k].filled;
            left *= Real(1) - m_walls[k].filled;
        }
        compression[slot] += sum - (filled - (Real(1) - left));
    }
}

template <class Real>
Vec3d Walls<Real>::stop(std::size_t slot, const std::vector<MovedShape>& colliders, const Vec3d& x,
                        const Vec3d& v, double clearance, double dt, bool friction) const {
    // Corners need several looks at each wall. Each makes the motion shorter, or leaves it.
    constexpr int looks = 4;
    Vec3d result = v;
    for (int look = 0; look < looks; ++look) {
        bool stopped = false;
        for (const Wall<Real>& wall : of(slot)) {
            const MovedShape& shape = colliders[wall.collider];
            const double keep = std::min(clearance, static_cast<double>(wall.distance));
            const Vec3d to = x + dt * result;
            const double depth = keep - shape.distance_after(to);
            if (!(depth > 1e-6 * clearance)) continue;
            const Vec3d normal = shape.normal_after(to);
            const Vec3d surface = shape.velocity(x);
            const Vec3d before = result - surface;
            const double push = depth / dt;
            Vec3d after = before + push * normal;
            if (friction) {
                const Vec3d sliding = after - normal * normal.dot(after);
                const double speed = sliding.norm();
                if (speed > 0) after -= sliding * std::min(1.0, shape.friction * push / speed);
            }
            const double fastest = before.norm(), speed = after.norm();
            if (speed > fastest) after *= fastest / speed;
            result = surface + after;
            stopped = true;
        }
        if (!stopped) break;
    }
    return result;
}

template class Walls<float>;
template class Walls<double>;

} // namespace nendo::sph
