// SPDX-License-Identifier: Apache-2.0
// Sums blobs in sparse blocks, turns the sum into signed distances and smooths them.
#include "surface/field.h"

#include "core/parallel.h"
#include "math/batch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace nendo {
namespace {

using Vec = Vec3<float>;
using Eight = Batch<float>;

constexpr float on_surface = 0.5f;
/// Slope of the field at a sheet, per spacing. It determines distances in the middle of thin parts,
/// where the field itself has no slope.
constexpr float thin_slope = 1.0f;

Vec center_of(const Blob& blob) {
    return {blob.c[0], blob.c[1], blob.c[2]};
}

/// Calls use(place) for the blocks within `reach` [voxels] of a point along each axis.
template <class Use> void blocks_near(const Vec& p, float reach, const Use& use) {
    const auto block = [](float c) {
        return static_cast<std::int64_t>(std::floor(c / block_edge));
    };
    const Vec low = p - Vec::Constant(reach), high = p + Vec::Constant(reach);
    for (std::int64_t x = block(low.x()); x <= block(high.x()); ++x)
        for (std::int64_t y = block(low.y()); y <= block(high.y()); ++y)
            for (std::int64_t z = block(low.z()); z <= block(high.z()); ++z) use(Cell{x, y, z});
}

/// Adds blocks around the blobs at the surface. Blocks that only other blobs fill are inside.
BlockField choose_blocks(const std::vector<Blob>& blobs, float band, float spacing) {
    BlockField field;
    for (const Blob& blob : blobs)
        if (blob.rim > 0)
            blocks_near(center_of(blob), blob.rim + band,
                        [&](const Cell& place) { field.add(place); });
    for (const Blob& blob : blobs)
        if (!(blob.rim > 0))
            blocks_near(center_of(blob), spacing,
                        [&](const Cell& place) { field.add_inside(place); });
    field.finish();
    return field;
}

constexpr int block_rows = block_edge * block_edge; ///< Rows along z
constexpr float steps[block_edge] = {0, 1, 2, 3, 4, 5, 6, 7};

/// Sums blobs in one block whose lowest voxel is at `low`. The surface is no farther from the blobs
/// at its rim than their `rim`. Rows farther away are entirely inside or entirely outside, so that
/// one value is enough.
class BlockSum {
public:
    BlockSum(const Vec& low, const std::vector<const Blob*>& blobs, float* values)
        : m_low(low), m_values(values) {
        for (const Blob* blob : blobs)
            if (blob->rim > 0) want_rows(*blob);
        std::fill_n(values, block_voxels, -on_surface);
        for (const Blob* blob : blobs) add(*blob);
        for (int row = 0; row < block_rows; ++row)
            if (!(m_wanted[std::size_t(row / block_edge)] >> row % block_edge & 1))
                std::fill_n(values + row * block_edge, block_edge,
                            m_sparse[std::size_t(row)] - on_surface);
    }

private:
    static constexpr unsigned all = (1u << block_edge) - 1;

    /// Returns the voxels of the block from `low` to `high` as bits; 0 if there are none.
    static unsigned bits(float low, float high) {
        const float last = block_edge - 1;
        if (!(low <= last && high >= 0 && low <= high)) return 0;
        const int first = low > 0 ? block_edge - static_cast<int>(block_edge - low) : 0;
        const int end = static_cast<int>(std::min(high, last)) + 1;
        return (all << first) & (all >> (block_edge - end));
    }

    /// Marks the rows near a blob that the surface may be near, with a margin for slopes.
    void want_rows(const Blob& blob) {
        const float reach = blob.rim + 2;
        const Vec place = center_of(blob) - m_low;
        if (std::abs(place.z() - half_block) > reach + half_block) return;
        const unsigned xs = bits(place.x() - reach, place.x() + reach);
        const unsigned ys = bits(place.y() - reach, place.y() + reach);
        for (int x = 0; x < block_edge; ++x)
            if (xs >> x & 1) m_wanted[std::size_t(x)] |= ys;
    }

    void add(const Blob& b) {
        const auto [xx, xy, xz, yy, yz, zz] = b.M;
        // The blob projected along z: A dx^2 + 2 B dx dy + C dy^2 < 1, and its range in y.
        const float A = xx - xz * xz / zz, B = xy - xz * yz / zz, C = yy - yz * yz / zz;
        const Eight one = Eight::fill(1), zero = Eight::fill(0), amount = Eight::fill(b.amount);
        const Eight dxs = Eight::load(steps) + Eight::fill(m_low[0] - b.c[0]);
        const Eight middle = Eight::fill(b.c[1] - m_low[1]) - Eight::fill(B / C) * dxs;
        const Eight chord2 = Eight::fill(1 / C) - Eight::fill(A / C - B * B / (C * C)) * dxs * dxs;
        const Eight chord = chord2.at_least(zero).root();
        alignas(32) float dx_at[block_edge], first[block_edge], last[block_edge];
        dxs.store(dx_at);
        (middle - chord).store(first);
        (middle + chord).store(last);

        const Eight dz = Eight::load(steps) + Eight::fill(m_low[2] - b.c[2]);
        const Eight along = one - Eight::fill(zz) * dz * dz;
        for (int x = 0; x < block_edge; ++x) {
            const unsigned ys = bits(first[x], last[x]);
            if (ys == 0) continue;
            const float dx = dx_at[x];
            for (unsigned left = ys & m_wanted[std::size_t(x)]; left != 0; left &= left - 1) {
                const int y = __builtin_ctz(left);
                const float dy = m_low[1] + static_cast<float>(y) - b.c[1];
                const float across = xx * dx * dx + dy * (2 * xy * dx + yy * dy);
                const float slope = 2 * (xz * dx + yz * dy);
                const Eight s =
                    (along - Eight::fill(across) - Eight::fill(slope) * dz).at_least(zero);
                float* row = m_values + (x * block_edge + y) * block_edge;
                (Eight::load(row) + amount * s * (s * s)).store(row);
            }
            if ((ys & ~m_wanted[std::size_t(x)]) != 0) add_sparse(b, x, dx);
        }
    }

    /// Adds to one voxel of each row of an x, all at once.
    void add_sparse(const Blob& b, int x, float dx) {
        const auto [xx, xy, xz, yy, yz, zz] = b.M;
        const float dz = m_low[2] + block_edge / 2 - b.c[2];
        const Eight dy = Eight::load(steps) + Eight::fill(m_low[1] - b.c[1]);
        const float rest = 1 - (xx * dx * dx + zz * dz * dz + 2 * xz * dx * dz);
        const Eight q2 = dy * (Eight::fill(2 * (xy * dx + yz * dz)) + Eight::fill(yy) * dy);
        const Eight s = (Eight::fill(rest) - q2).at_least(Eight::fill(0));
        float* row = m_sparse.data() + x * block_edge;
        (Eight::load(row) + Eight::fill(b.amount) * s * (s * s)).store(row);
    }

    Vec m_low;
    float* m_values;
    std::array<unsigned, block_edge> m_wanted{}; ///< Rows of each x, as bits
    alignas(32) std::array<float, block_rows> m_sparse{};
};

/// Sums the blobs in all blocks, minus the value on the surface.
void sum_blobs(BlockField& field, const std::vector<Blob>& blobs) {
    float farthest = 0;
    std::vector<Vec> centers(blobs.size());
    for (std::size_t i = 0; i < blobs.size(); ++i) {
        centers[i] = center_of(blobs[i]);
        for (const float extent : blobs[i].extent) farthest = std::max(farthest, extent);
    }
    const float reach = std::sqrt(3.0f) * half_block + farthest;
    Grid<float> grid;
    grid.build(centers, static_cast<double>(reach));
    parallel_tasks(field.size(), [&](std::size_t block) {
        const Cell& place = field.place(block);
        const Vec low = static_cast<float>(block_edge) * Vec(static_cast<float>(place.x),
                                                             static_cast<float>(place.y),
                                                             static_cast<float>(place.z));
        std::vector<const Blob*> near;
        Grid<float>::Around(grid).visit(
            low + Vec::Constant(half_block), reach, [&](std::uint32_t slot, float) {
                const Blob& blob = blobs[grid.index()[slot]];
                for (int k = 0; k < 3; ++k)
                    if (std::abs(blob.c[k] - low[k] - half_block) > blob.extent[k] + half_block)
                        return;
                near.push_back(&blob);
            });
        BlockSum(low, near, field.values(block));
    });
}

constexpr std::array<int, 3> strides{BlockField::padded_edge * BlockField::padded_edge,
                                     BlockField::padded_edge, 1};

/// Eight values of a padded field along z.
struct PaddedRow {
    const float* at;
    Eight operator()(int offset = 0) const { return Eight::load(at + offset); }
};

/// Sets new value = change(row, first voxel) for all rows of all blocks.
template <class Change> void update_rows(BlockField& field, float far, const Change& change) {
    field.update(far, [&](std::size_t block, const BlockField::Padded& f, float* out) {
        for (int x = 0; x < block_edge; ++x)
            for (int y = 0; y < block_edge; ++y) {
                const int to = (x * block_edge + y) * block_edge;
                const PaddedRow row{
                    &f[std::size_t((x + 1) * strides[0] + (y + 1) * strides[1] + 1)]};
                change(row, block * block_voxels + std::size_t(to)).store(out + to);
            }
    });
}

/// The two voxels next to each voxel along one axis.
struct Pair {
    Eight low, high;
    Pair(const PaddedRow& row, int stride) : low(row(-stride)), high(row(stride)) {}
};

/// Turns a field that is `sign` times positive inside into a signed distance next to the surface,
/// and `far` with the right sign elsewhere. Outside its blocks the field was sign * `full` inside.
void start_distance(BlockField& field, float sign, float full, float least_slope, float far) {
    const Eight zero = Eight::fill(0), one = Eight::fill(1);
    update_rows(field, sign * full, [&](const PaddedRow& row, std::size_t) {
        const Eight factor = Eight::fill(sign);
        const Eight here = factor * row();
        // Negative if a neighbor is on the other side of the surface.
        const Eight side = zero.where_below(here, one, Eight::fill(-1));
        Eight across = one, slope2 = zero;
        for (const int stride : strides) {
            const Pair beside(row, stride);
            const auto same = [&](const Eight& v) {
                return side * zero.where_below(factor * v, one, Eight::fill(-1));
            };
            across = across.at_most(same(beside.low)).at_most(same(beside.high));
            const Eight rise = beside.high - beside.low;
            slope2 = slope2 + rise * rise;
        }
        const Eight slope = (Eight::fill(0.5f) * slope2.root()).at_least(Eight::fill(least_slope));
        const Eight near = (zero - here / slope).at_least(Eight::fill(-1)).at_most(one);
        return across.where_below(zero, near, zero - side * Eight::fill(far));
    });
}

/// Distance from the nearest values along each axis, upwind, with |grad| = 1.
Eight upwind(const Eight& p, const Eight& q, const Eight& r) {
    const Eight zero = Eight::fill(0), third = Eight::fill(1.0f / 3);
    const Eight pq = p.at_most(q), qp = p.at_least(q);
    const Eight a = pq.at_most(r), rest = pq.at_least(r);
    const Eight b = qp.at_most(rest), c = qp.at_least(rest);
    const Eight d1 = a + Eight::fill(1);
    const Eight d2 =
        Eight::fill(0.5f) * (a + b + (Eight::fill(2) - (a - b) * (a - b)).at_least(zero).root());
    const Eight sum = a + b + c;
    const Eight squares = a * a + b * b + c * c - Eight::fill(1);
    const Eight d3 = third * (sum + (sum * sum - Eight::fill(3) * squares).at_least(zero).root());
    return b.where_below(d1, c.where_below(d2, d3, d2), d1);
}

/// Extends distances outward by one voxel per round. Distances next to the surface stay.
void spread_distance(BlockField& field, float width, float far) {
    const Eight zero = Eight::fill(0), one = Eight::fill(1), most = Eight::fill(far);
    const int rounds = static_cast<int>(std::ceil(width));
    for (int round = 0; round < rounds; ++round)
        update_rows(field, -far, [&](const PaddedRow& row, std::size_t) {
            const Eight here = row(), size = here.magnitude();
            if (!one.any_below(size)) return here;
            const auto near = [&](int stride) {
                const Pair beside(row, stride);
                return beside.low.magnitude().at_most(beside.high.magnitude());
            };
            const Eight x = near(strides[0]), y = near(strides[1]), z = near(strides[2]);
            // If all are far, they stay so.
            if (!x.at_most(y).at_most(z).at_most(size).any_below(most)) return here;
            const Eight d = upwind(x, y, z).at_most(size).at_most(most);
            return one.where_below(size, here.where_below(zero, zero - d, d), here);
        });
}

/// Mean curvature times the slope of the field.
Eight curvature(const PaddedRow& f) {
    const auto [X, Y, Z] = strides;
    const Eight here = f(), half = Eight::fill(0.5f), two = Eight::fill(2);
    const auto slope = [&](int a) { return half * (f(a) - f(-a)); };
    const auto bend = [&](int a) { return f(a) - two * here + f(-a); };
    const auto cross = [&](int a, int b) {
        return Eight::fill(0.25f) * (f(a + b) - f(a - b) - f(b - a) + f(-a - b));
    };
    const Eight fx = slope(X), fy = slope(Y), fz = slope(Z);
    const Eight fxx = bend(X), fyy = bend(Y), fzz = bend(Z);
    const Eight slope2 = fx * fx + fy * fy + fz * fz;
    const Eight across =
        fx * fx * fxx + fy * fy * fyy + fz * fz * fzz +
        two * (fx * fy * cross(X, Y) + fx * fz * cross(X, Z) + fy * fz * cross(Y, Z));
    const Eight flat = Eight::fill(0.01f);
    return slope2.where_below(flat, Eight::fill(0),
                              fxx + fyy + fzz - across / slope2.at_least(flat));
}

/// Thickness of matter around each voxel, from 0 in sheets, threads and drops to 1.
BlockField thickness(const BlockField& field, float far) {
    BlockField depth = field;
    for (int round = 0; round < 3; ++round)
        update_rows(depth, -far, [&](const PaddedRow& row, std::size_t) {
            Eight least = row();
            for (const int stride : strides) {
                const Pair beside(row, stride);
                least = least.at_most(beside.low).at_most(beside.high);
            }
            if (round < 2) return least;
            return (Eight::fill(-1.2f) - least).at_least(Eight::fill(0)).at_most(Eight::fill(1));
        });
    return depth;
}

/// Flows by mean curvature, and most of the way back [Taubin 1995]: bumps disappear, volume stays.
/// Thin parts are unchanged; their blobs are smooth already.
void smooth(BlockField& field, int rounds, float far) {
    constexpr float forth = 0.15f, back = -0.155f;
    const BlockField thick = thickness(field, far);
    const Eight zero = Eight::fill(0), near = Eight::fill(2);
    for (int round = 0; round < rounds; ++round)
        for (const float step : {forth, back})
            update_rows(field, -far, [&](const PaddedRow& row, std::size_t first) {
                const Eight here = row(), size = here.magnitude();
                const Eight share =
                    size.where_below(near, Eight::load(thick.values(0) + first), zero);
                if (!zero.any_below(share)) return here;
                return here + Eight::fill(step) * share * curvature(row);
            });
}

} // namespace

BlockField make_field(const std::vector<Blob>& blobs, const FieldParams& params) {
    const float width = band_width + std::abs(params.offset);
    const float far = width + 1;
    BlockField field = choose_blocks(blobs, width, params.spacing);
    sum_blobs(field, blobs);
    start_distance(field, 1, 1 - on_surface, thin_slope / params.spacing, far);
    if (width <= block_edge) field.still(far); // distances spread to the adjacent blocks only
    spread_distance(field, width, far);
    if (params.smoothing > 0) {
        smooth(field, params.smoothing, far);
        start_distance(field, -1, far, 0.5f, far);
        spread_distance(field, width, far);
    }
    parallel_tasks(field.size(), [&](std::size_t block) {
        float* values = field.values(block);
        for (int k = 0; k < block_voxels; ++k)
            values[k] = std::clamp(values[k] - params.offset, -band_width, band_width);
    });
    return field;
}

BlockField join_fields(const std::vector<BlockField>& fields) {
    BlockField joined;
    const auto in_any = [&](const Cell& place) {
        return std::any_of(fields.begin(), fields.end(),
                           [&](const BlockField& field) { return field.is_inside(place); });
    };
    for (const BlockField& field : fields)
        for (std::size_t block = 0; block < field.size(); ++block)
            if (!in_any(field.place(block))) joined.add(field.place(block));
    for (const BlockField& field : fields)
        for (const Cell& place : field.inside()) joined.add_inside(place);
    joined.finish();
    parallel_tasks(joined.size(), [&](std::size_t block) {
        float* values = joined.values(block);
        std::fill_n(values, block_voxels, band_width);
        for (const BlockField& field : fields) {
            const std::uint32_t from = field.find(joined.place(block));
            if (from == BlockField::none) continue;
            const float* other = field.values(from);
            for (int k = 0; k < block_voxels; ++k) values[k] = std::min(values[k], other[k]);
        }
    });
    return joined;
}

} // namespace nendo
