// SPDX-License-Identifier: Apache-2.0
// Blends the attributes of the particles near each point or voxel of a surface.
#include "surface/attributes.h"

#include "core/parallel.h"
#include "math/batch.h"

#include <algorithm>
#include <cmath>
#include <variant>

namespace nendo {
namespace {

using Vec = Vec3<float>;
using Mat = Mat3<float>;
using Eight = Batch<float>;

/// Particles near a position, with weights that add up to 1.
struct NearbyParticles {
    std::vector<std::uint32_t> index;
    std::vector<Vec> offset;   ///< From the position [voxels]
    std::vector<float> weight; ///< For scalars
    std::vector<float> linear; ///< For vectors: exact for linear functions of position
    std::uint32_t nearest = 0;

    void find(const Grid<float>& grid, Grid<float>::Around& around, const Vec& place, float reach);
};

void NearbyParticles::find(const Grid<float>& grid, Grid<float>::Around& around, const Vec& place,
                           float reach) {
    index.clear();
    offset.clear();
    weight.clear();
    linear.clear();
    float sum = 0, nearest2 = reach * reach;
    Vec middle = Vec::Zero();
    around.visit(place, reach, [&](std::uint32_t slot, float r2) {
        const std::uint32_t i = grid.index()[slot];
        const float s = 1 - r2 / (reach * reach);
        const float w = s * s * s;
        index.push_back(i);
        offset.push_back(grid.point(slot) - place);
        weight.push_back(w);
        sum += w;
        middle += w * offset.back();
        if (r2 < nearest2) {
            nearest2 = r2;
            nearest = i;
        }
    });
    if (index.empty()) return;
    middle /= sum;
    Mat spread = Mat::Zero();
    for (std::size_t k = 0; k < index.size(); ++k) {
        weight[k] /= sum;
        const Vec d = offset[k] - middle;
        spread += weight[k] * d * d.transpose();
    }
    // Across a sheet there is no spread, so assume that nothing changes in that direction.
    spread += 0.001f * reach * reach * Mat::Identity();
    const Vec lever = spread.inverse() * -middle;
    for (std::size_t k = 0; k < index.size(); ++k)
        linear.push_back(weight[k] * (1 + lever.dot(offset[k] - middle)));
}

} // namespace

ParticleBlend::ParticleBlend(const SurfaceInput& input, const VoxelFrame& frame, float point_reach,
                             float voxel_reach)
    : m_input(input), m_frame(frame), m_point_reach(point_reach), m_voxel_reach(voxel_reach),
      m_alike(std::all_of(input.bodies.begin(), input.bodies.end(),
                          [&](std::int32_t body) { return body == input.bodies.front(); })),
      m_places(input.positions.size()) {
    parallel_for(m_places.size(),
                 [&](std::size_t i) { m_places[i] = frame.local(input.positions[i]); });
    m_near_points.build(m_places, double(point_reach));
    m_near_blocks.build(m_places, double(voxel_reach + std::sqrt(3.0f) * half_block));
}

void ParticleBlend::carry(Surface& surface) const {
    TriMesh& mesh = surface.mesh;
    PointAttributes& attributes = surface.attributes;
    std::vector<std::int32_t>& bodies = surface.bodies;
    const std::size_t n = mesh.points.size();
    mesh.velocities.assign(n, Vec3d::Zero());
    attributes = m_input.attributes;
    for (PointAttribute& a : attributes)
        std::visit([&](auto& values) { values.assign(n * std::size_t(a.width), 0); }, a.values);
    bodies.assign(n, -1);
    parallel_blocks(n, [&](std::size_t begin, std::size_t end) {
        NearbyParticles near;
        Grid<float>::Around around(m_near_points);
        for (std::size_t p = begin; p < end; ++p) {
            near.find(m_near_points, around, m_frame.local(mesh.points[p]), m_point_reach);
            if (near.index.empty()) continue;
            bodies[p] = m_input.bodies.empty() ? 0 : m_input.bodies[near.nearest];
            double sum = 0; // 1 up to rounding
            for (std::size_t k = 0; !m_input.velocities.empty() && k < near.index.size(); ++k) {
                sum += double(near.linear[k]);
                mesh.velocities[p] += double(near.linear[k]) * m_input.velocities[near.index[k]];
            }
            if (sum > 0) mesh.velocities[p] /= sum;
            for (std::size_t a = 0; a < attributes.size(); ++a) {
                PointAttribute& to = attributes[a];
                const auto width = std::size_t(to.width);
                if (auto* numbers = std::get_if<std::vector<float>>(&to.values)) {
                    const auto& from = std::get<std::vector<float>>(m_input.attributes[a].values);
                    const auto& weight = to.meaning == Meaning::value ? near.weight : near.linear;
                    for (std::size_t k = 0; k < near.index.size(); ++k)
                        for (std::size_t c = 0; c < width; ++c)
                            (*numbers)[p * width + c] +=
                                weight[k] * from[near.index[k] * width + c];
                } else {
                    const auto& from =
                        std::get<std::vector<std::int64_t>>(m_input.attributes[a].values);
                    std::copy_n(&from[near.nearest * width], width,
                                &std::get<std::vector<std::int64_t>>(to.values)[p * width]);
                }
            }
        }
    });
}

void ParticleBlend::fill(const Vec& low, const std::array<bool, block_edge * block_edge>& wants,
                         Block& block) const {
    const float reach2 = m_voxel_reach * m_voxel_reach;
    alignas(32) float sum[block_voxels] = {}, nearest2[block_voxels], nearest[block_voxels];
    std::fill_n(nearest2, block_voxels, reach2);
    std::fill_n(nearest, block_voxels, -1.0f);
    for (auto& axis : block.velocity) std::fill_n(axis, block_voxels, 0.0f);
    static constexpr float steps[block_edge] = {0, 1, 2, 3, 4, 5, 6, 7};
    const Eight z = Eight::load(steps) + Eight::fill(low.z());
    const Eight zero = Eight::fill(0), one = Eight::fill(1);

    std::vector<std::uint32_t> found; // in the order in which the particles are visited
    const auto add = [&](std::uint32_t slot, float) {
        const std::uint32_t i = m_near_blocks.index()[slot];
        const Vec& p = m_places[i];
        const Vec v = m_input.velocities.empty() ? Vec(Vec::Zero())
                                                 : Vec(m_input.velocities[i].cast<float>());
        const Eight number = Eight::fill(static_cast<float>(found.size()));
        found.push_back(i);
        const Eight dz = z - Eight::fill(p.z());
        const Eight dz2 = dz * dz;
        // Distance beyond the ends of all rows.
        const float outside = std::max(0.0f, std::abs(p.z() - low.z() - half_block) - half_block);
        for (int x = 0; x < block_edge; ++x) {
            const float dx = low.x() + static_cast<float>(x) - p.x();
            const float chord2 = reach2 - dx * dx - outside * outside;
            if (!(chord2 > 0)) continue;
            const float chord = std::sqrt(chord2), middle = p.y() - low.y();
            const int first = std::max(0, static_cast<int>(std::ceil(middle - chord)));
            const int last = std::min(block_edge - 1, static_cast<int>(std::floor(middle + chord)));
            for (int y = first; y <= last; ++y) {
                if (!wants[std::size_t(x * block_edge + y)]) continue;
                const float dy = low.y() + static_cast<float>(y) - p.y();
                const int row = (x * block_edge + y) * block_edge;
                const Eight r2 = dz2 + Eight::fill(dx * dx + dy * dy);
                const Eight s = (one - r2 * Eight::fill(1 / reach2)).at_least(zero);
                const Eight w = s * s * s;
                (Eight::load(sum + row) + w).store(sum + row);
                for (int k = 0; k < 3; ++k) {
                    float* to = block.velocity[k] + row;
                    (Eight::load(to) + w * Eight::fill(v[k])).store(to);
                }
                if (m_alike) continue;
                const Eight best = Eight::load(nearest2 + row);
                r2.where_below(best, number, Eight::load(nearest + row)).store(nearest + row);
                r2.where_below(best, r2, best).store(nearest2 + row);
            }
        }
    };
    Grid<float>::Around(m_near_blocks)
        .visit(low + Vec::Constant(half_block), m_voxel_reach + std::sqrt(3.0f) * half_block, add);
    for (int k = 0; k < block_voxels; ++k) {
        for (auto& axis : block.velocity) axis[k] /= sum[k] > 0 ? sum[k] : 1;
        const auto at = static_cast<std::int64_t>(nearest[k]);
        if (m_alike)
            block.body[k] = !(sum[k] > 0) ? -1 : m_input.bodies.empty() ? 0 : m_input.bodies[0];
        else
            block.body[k] = at < 0 ? -1 : m_input.bodies[found[std::size_t(at)]];
    }
}

} // namespace nendo
