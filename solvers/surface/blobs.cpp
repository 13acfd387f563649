// SPDX-License-Identifier: Apache-2.0
// Shapes each particle's blob from its neighbors and the solver's deformation.
#include "surface/blobs.h"

#include "core/parallel.h"
#include "math/batch.h"
#include "math/kernels.h"
#include "math/svd3.h"
#include "neighbors/grid.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace nendo {
namespace {

using Vec = Vec3<float>;
using Mat = Mat3<float>;
using Eight = Batch<float>;

/// Spread (standard deviation) of uniform matter within reach, weighted as below, in reaches.
constexpr float full_spread = 0.387f;
/// Half axis of a blob across a sheet, in spacings. It makes a single layer one spacing thick, a
/// thread as wide, and a single particle hold half the volume of its cell.
constexpr float least_axis = 1.25f;
/// Half axes along a surface, and of blobs away from any surface, in reaches.
constexpr float most_axis = 3.5f / 3, inner_axis = 2.2f / 3;
/// Half axis of a plain metaball, in reaches: two spacings.
constexpr float plain_axis = 2.0f / 3;
/// Fraction of the displacement toward the center of its neighbors that a blob moves.
constexpr float pull = 0.33f;
/// Fraction of that displacement that is left at edges and rims of solids, so that they stay sharp.
constexpr float pull_at_edges = 0.1f;
/// Limits of the stretch that shapes a blob. Its volume follows the full stretch.
constexpr float least_stretch = 0.7f, most_stretch = 1.6f;

/// Deformation of matter since it was on a lattice, in voxels.
struct DeformedCell {
    Mat to_voxels;   ///< From spacings at rest
    Mat from_voxels; ///< The inverse
    float reach;     ///< Search radius [voxels]
    float volume;    ///< [voxels^3]
    float size;      ///< Spacing along the largest stretch [voxels]
};

DeformedCell rest_cell(float spacing, float reach) {
    DeformedCell cell;
    cell.to_voxels = spacing * Mat::Identity();
    cell.from_voxels = 1 / spacing * Mat::Identity();
    cell.reach = reach * spacing;
    cell.volume = spacing * spacing * spacing;
    cell.size = spacing;
    return cell;
}

DeformedCell deformed_cell(const Svd3<float>& F, float spacing, float reach) {
    const Vec sigma = F.sigma.cwiseAbs();
    const Vec limited = sigma.cwiseMax(least_stretch).cwiseMin(most_stretch);
    DeformedCell cell;
    cell.to_voxels = spacing * F.U * limited.asDiagonal() * F.V.transpose();
    cell.from_voxels = 1 / spacing * F.V * limited.cwiseInverse().asDiagonal() * F.U.transpose();
    cell.size = spacing * limited.maxCoeff();
    cell.reach = reach * cell.size;
    cell.volume = spacing * spacing * spacing * std::clamp(sigma.prod(), 0.3f, 3.0f);
    return cell;
}

/// Weighted moments of the neighbors of a particle, in spacings at rest.
struct Moments {
    Vec middle;
    Mat spread;
};

class MomentSum {
public:
    MomentSum(const Mat& from_voxels, float reach) : m_map(from_voxels / reach), m_reach(reach) {}

    /// Adds points at these offsets [voxels]. The arrays have capacity for a full vector of lanes
    /// at the end.
    void add(std::array<std::array<float, 72>, 3>& offset, std::uint32_t count) {
        for (std::uint32_t k = count; k < count + Eight::size; ++k)
            for (auto& axis : offset) axis[k] = 1e6f; // beyond any reach
        const Eight zero = Eight::fill(0), one = Eight::fill(1);
        for (std::uint32_t k = 0; k < count; k += Eight::size) {
            const Eight dx = Eight::load(&offset[0][k]), dy = Eight::load(&offset[1][k]),
                        dz = Eight::load(&offset[2][k]);
            const auto row = [&](int r) {
                return Eight::fill(m_map(r, 0)) * dx + Eight::fill(m_map(r, 1)) * dy +
                       Eight::fill(m_map(r, 2)) * dz;
            };
            const Eight x = row(0), y = row(1), z = row(2);
            const Eight q2 = x * x + y * y + z * z;
            const Eight w = (one - q2 * q2.root()).at_least(zero);
            const Eight wx = w * x, wy = w * y, wz = w * z;
            m_sum[0] = m_sum[0] + w;
            m_sum[1] = m_sum[1] + wx;
            m_sum[2] = m_sum[2] + wy;
            m_sum[3] = m_sum[3] + wz;
            m_sum[4] = m_sum[4] + wx * x;
            m_sum[5] = m_sum[5] + wx * y;
            m_sum[6] = m_sum[6] + wx * z;
            m_sum[7] = m_sum[7] + wy * y;
            m_sum[8] = m_sum[8] + wy * z;
            m_sum[9] = m_sum[9] + wz * z;
        }
    }

    /// Returns the moments in reaches.
    Moments finish() const {
        std::array<float, 10> s;
        for (std::size_t k = 0; k < s.size(); ++k) s[k] = m_sum[k].sum();
        Moments m;
        m.middle = Vec(s[1], s[2], s[3]) / s[0];
        m.spread << s[4], s[5], s[6], s[5], s[7], s[8], s[6], s[8], s[9];
        m.spread = m.spread / s[0] - m.middle * m.middle.transpose();
        return m;
    }

private:
    Mat m_map;
    float m_reach;
    std::array<Eight, 10> m_sum = filled();
    static std::array<Eight, 10> filled() {
        std::array<Eight, 10> zero;
        zero.fill(Eight::fill(0));
        return zero;
    }
};

/// Makes the blob with these axes, in spacings at rest, around a center [voxels].
Blob make_blob(const DeformedCell& cell, const Vec& center, const Mat& axes, const Vec& half) {
    const Mat inverse = axes * half.cwiseInverse().asDiagonal() * axes.transpose();
    const Mat G = inverse * cell.from_voxels;
    const Mat M = G.transpose() * G;
    const Mat reach = cell.to_voxels * axes * half.asDiagonal();
    Blob blob{};
    for (int k = 0; k < 3; ++k) {
        blob.c[k] = center[k];
        blob.extent[k] = reach.row(k).norm();
    }
    const std::array<float, 6> entries{M(0, 0), M(0, 1), M(0, 2), M(1, 1), M(1, 2), M(2, 2)};
    std::copy(entries.begin(), entries.end(), blob.M);
    blob.amount = 315 / (64 * float(pi)) * cell.volume * std::abs(G.determinant());
    return blob;
}

/// Least values of the field at the centers of thin parts: a stretched sheet gets no holes, and a
/// drop of one particle keeps its volume.
constexpr float thin_amount = 0.75f, drop_amount = 1.1f;

/// Parameters that decide between sharp and smooth.
struct Style {
    SurfaceMode mode;
    float reach; ///< [spacings]
};

Blob shape_one(const Style& style, const DeformedCell& cell, const Vec& x, const Moments& near,
               const Svd3<float>& spread, float melted) {
    // 1 with matter all around, less in directions in which a surface is near.
    const Vec share = spread.sigma.cwiseAbs().cwiseSqrt() / full_spread;
    // The outermost layer has 0.23 and 0.62 here, the next 0.07 and 0.84, the third 0 and 0.98.
    const float least = share.minCoeff();
    const bool at_surface = near.middle.norm() > 0.12f || least < 0.72f;
    const float thin = std::clamp((0.6f - least) / 0.2f, 0.0f, 1.0f);
    Blob blob;
    if (style.mode == SurfaceMode::metaball) {
        blob = make_blob(cell, x, Mat::Identity(), Vec::Constant(plain_axis * style.reach));
    } else {
        const float depth = std::clamp((least - 0.84f) / 0.13f, 0.0f, 1.0f);
        const float longest = style.reach * (most_axis + depth * (inner_axis - most_axis));
        Vec half;
        for (int k = 0; k < 3; ++k) {
            const float s = std::min(share[k], 1.0f);
            half[k] = std::max(longest * s * std::sqrt(s), least_axis);
        }
        float toward = pull * (1 - thin); // a tip that is pulled in would flicker
        if (style.mode == SurfaceMode::matter) {
            // At an edge two axes are short.
            const float edge = 1 - std::clamp((share[1] - 0.65f) / 0.25f, 0.0f, 1.0f);
            toward *= 1 - (1 - pull_at_edges) * edge * (1 - melted);
        }
        const Vec center = x + toward * style.reach * (cell.to_voxels * near.middle);
        blob = make_blob(cell, center, spread.U, half);
    }
    const float alone = std::clamp((0.5f - share.maxCoeff()) / 0.3f, 0.0f, 1.0f);
    blob.thin = thin;
    blob.wanted = thin_amount + alone * (drop_amount - thin_amount);
    blob.rim = at_surface ? 1.25f * cell.size : 0;
    return blob;
}

void strengthen_thin(std::vector<Blob>& blobs) {
    float farthest = 0;
    std::vector<Vec> centers(blobs.size());
    for (std::size_t i = 0; i < blobs.size(); ++i) {
        centers[i] = Vec(blobs[i].c[0], blobs[i].c[1], blobs[i].c[2]);
        for (const float extent : blobs[i].extent) farthest = std::max(farthest, extent);
    }
    Grid<float> grid;
    grid.build(centers, static_cast<double>(farthest));
    std::vector<float> factor(blobs.size(), 1.0f);
    parallel_for(blobs.size(), [&](std::size_t i) {
        if (blobs[i].thin == 0) return;
        float sum = 0;
        grid.visit(centers[i], farthest, [&](std::uint32_t j, float) {
            const Vec d = centers[i] - centers[j];
            const float* M = blobs[j].M;
            const float q2 = M[0] * d[0] * d[0] + M[3] * d[1] * d[1] + M[5] * d[2] * d[2] +
                             2 * (M[1] * d[0] * d[1] + M[2] * d[0] * d[2] + M[4] * d[1] * d[2]);
            const float s = std::max(0.0f, 1 - q2);
            sum += blobs[j].amount * s * s * s;
        });
        const float wanted = std::clamp(blobs[i].wanted / sum, 1.0f, 3.0f);
        factor[i] = 1 + blobs[i].thin * (wanted - 1);
    });
    for (std::size_t i = 0; i < blobs.size(); ++i) blobs[i].amount *= factor[i];
}

} // namespace

VoxelFrame frame_around(const std::vector<Vec3d>& points, double voxel_size) {
    Vec3d low = points.front();
    for (const Vec3d& p : points) low = low.cwiseMin(p);
    VoxelFrame frame;
    frame.size = voxel_size;
    for (int k = 0; k < 3; ++k)
        frame.origin[k] = 8 * static_cast<int>(std::floor(low[k] / voxel_size / 8));
    return frame;
}

std::vector<Blob> shape_blobs(const SurfaceInput& input, const std::vector<std::uint32_t>& members,
                              const SurfaceParams& params, const VoxelFrame& frame) {
    const std::size_t n = members.size();
    const Style style{params.mode, static_cast<float>(params.reach)};
    const bool matter = params.mode == SurfaceMode::matter;
    std::vector<Vec> x(n);
    std::vector<DeformedCell> cells(n);
    const auto size_of = [&](std::uint32_t particle) {
        const double size = input.sizes.empty() ? input.spacing : input.sizes[particle];
        return static_cast<float>(size / frame.size);
    };
    parallel_blocks(n, [&](std::size_t begin, std::size_t end) {
        std::array<Svd3<float>, lanes> F;
        for (std::size_t i = begin; i < end; i += lanes) {
            const std::size_t count = std::min<std::size_t>(lanes, end - i);
            if (matter && !input.deformations.empty())
                svd3<float>(
                    count, [&](std::size_t k) { return input.deformations[members[i + k]]; }, F);
            for (std::size_t k = 0; k < count; ++k) {
                x[i + k] = frame.local(input.positions[members[i + k]]);
                const float size = size_of(members[i + k]);
                cells[i + k] = matter && !input.deformations.empty()
                                   ? deformed_cell(F[k], size, style.reach)
                                   : rest_cell(size, style.reach);
            }
        }
    });
    float farthest = 0;
    for (const DeformedCell& cell : cells) farthest = std::max(farthest, cell.reach);

    Grid<float> grid;
    grid.build(x, static_cast<double>(farthest));
    const Columns<float> columns = grid.columns();
    std::vector<Blob> blobs(n);
    parallel_blocks(n, [&](std::size_t begin, std::size_t end) {
        Grid<float>::Around around(grid);
        std::array<std::array<float, 72>, 3> offset;
        std::array<Moments, lanes> near;
        std::array<Svd3<float>, lanes> spread;
        for (std::size_t first = begin; first < end; first += lanes) {
            const std::size_t count = std::min<std::size_t>(lanes, end - first);
            for (std::size_t k = 0; k < count; ++k) {
                const std::uint32_t i = grid.index()[first + k];
                const Vec p = x[i];
                MomentSum sum(cells[i].from_voxels, style.reach);
                around.collect(p, cells[i].reach,
                               [&](const std::uint32_t* slot, const float*, std::uint32_t some) {
                                   for (std::uint32_t j = 0; j < some; ++j) {
                                       offset[0][j] = columns.x[slot[j]] - p.x();
                                       offset[1][j] = columns.y[slot[j]] - p.y();
                                       offset[2][j] = columns.z[slot[j]] - p.z();
                                   }
                                   sum.add(offset, some);
                               });
                near[k] = sum.finish();
            }
            svd3<float>(
                count, [&](std::size_t k) { return near[k].spread; }, spread);
            for (std::size_t k = 0; k < count; ++k) {
                const std::uint32_t i = grid.index()[first + k];
                const float melted =
                    input.melted.empty() ? 0 : static_cast<float>(input.melted[members[i]]);
                blobs[first + k] = shape_one(style, cells[i], x[i], near[k], spread[k], melted);
            }
        }
    });
    if (params.mode != SurfaceMode::metaball) strengthen_thin(blobs);
    return blobs;
}

} // namespace nendo
