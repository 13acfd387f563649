#include "geometry/surface_field.h"

#include "core/parallel.h"
#include "math/batch.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace nendo {
namespace {

using Vec = Vec3<float>;
using Eight = Batch<float>;

constexpr float on_surface = 0.5f;
/// Slope of the field at a sheet, in one over spacings: what distance is told from where the field
/// itself has no slope, in the middle of a thin part.
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

/// Blocks around blobs at the surface; what others fill is inside.
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

/// Adds a blob to the voxels of a block whose lowest voxel is at `low`.
void add_blob(const Blob& b, const Vec& low, float* values) {
    const auto first = [&](int axis) {
        return std::max(0, static_cast<int>(std::ceil(b.c[axis] - b.extent[axis] - low[axis])));
    };
    const auto last = [&](int axis) {
        return std::min(block_edge - 1,
                        static_cast<int>(std::floor(b.c[axis] + b.extent[axis] - low[axis])));
    };
    const int x1 = last(0), y0 = first(1), y1 = last(1);
    static constexpr float steps[block_edge] = {0, 1, 2, 3, 4, 5, 6, 7};
    const Eight dz = Eight::load(steps) + Eight::fill(low.z() - b.c[2]);
    const Eight square = Eight::fill(b.M[5]) * dz * dz;
    const Eight zero = Eight::fill(0), one = Eight::fill(1), amount = Eight::fill(b.amount);
    const float quarter = 0.25f / b.M[5];
    for (int x = first(0); x <= x1; ++x) {
        const float dx = low.x() + static_cast<float>(x) - b.c[0];
        for (int y = y0; y <= y1; ++y) {
            const float dy = low.y() + static_cast<float>(y) - b.c[1];
            const float rest = b.M[0] * dx * dx + b.M[3] * dy * dy + 2 * b.M[1] * dx * dy;
            const float slope = 2 * (b.M[2] * dx + b.M[4] * dy);
            if (rest - slope * slope * quarter >= 1) continue; // it passes beside the row
            const Eight q2 = Eight::fill(rest) + Eight::fill(slope) * dz + square;
            const Eight s = (one - q2).at_least(zero);
            float* row = values + (x * block_edge + y) * block_edge;
            (Eight::load(row) + amount * s * s * s).store(row);
        }
    }
}

/// Sums the blobs in all blocks.
void sum_blobs(BlockField& field, const std::vector<Blob>& blobs) {
    float farthest = 0;
    std::vector<Vec> centers(blobs.size());
    for (std::size_t i = 0; i < blobs.size(); ++i) {
        centers[i] = center_of(blobs[i]);
        for (const float extent : blobs[i].extent) farthest = std::max(farthest, extent);
    }
    const float half = 0.5f * (block_edge - 1);
    const float reach = std::sqrt(3.0f) * half + farthest;
    Grid<float> grid;
    grid.build(centers, static_cast<double>(reach));
    parallel_tasks(field.size(), [&](std::size_t block) {
        const Cell& place = field.place(block);
        const Vec low = static_cast<float>(block_edge) * Vec(static_cast<float>(place.x),
                                                             static_cast<float>(place.y),
                                                             static_cast<float>(place.z));
        float* values = field.values(block);
        std::fill_n(values, block_voxels, 0.0f);
        Grid<float>::Around(grid).visit(
            low + Vec::Constant(half), reach, [&](std::uint32_t slot, float) {
                const Blob& blob = blobs[grid.index()[slot]];
                for (int k = 0; k < 3; ++k)
                    if (std::abs(blob.c[k] - low[k] - half) > blob.extent[k] + half) return;
                add_blob(blob, low, values);
            });
    });
}

int padded_index(int x, int y, int z) {
    return (x * BlockField::padded_edge + y) * BlockField::padded_edge + z;
}
constexpr std::array<int, 3> strides{BlockField::padded_edge * BlockField::padded_edge,
                                     BlockField::padded_edge, 1};

/// visit(index in the padded values, index in the block) for all voxels of a block.
template <class Visit> void each_voxel(const Visit& visit) {
    int out = 0;
    for (int x = 1; x <= block_edge; ++x)
        for (int y = 1; y <= block_edge; ++y)
            for (int z = 1; z <= block_edge; ++z) visit(padded_index(x, y, z), out++);
}

/// The field less its value on the surface becomes a signed distance beside the surface, and `far`
/// with the right sign elsewhere.
void start_distance(BlockField& field, float least_slope, float far) {
    field.update(1 - on_surface, [&](std::size_t, const BlockField::Padded& f, float* out) {
        each_voxel([&](int at, int to) {
            const float here = f[std::size_t(at)];
            bool beside = false;
            float slope2 = 0;
            for (const int stride : strides) {
                const float low = f[std::size_t(at - stride)], high = f[std::size_t(at + stride)];
                beside = beside || (low > 0) != (here > 0) || (high > 0) != (here > 0);
                slope2 += (high - low) * (high - low);
            }
            const float slope = std::max(0.5f * std::sqrt(slope2), least_slope);
            out[to] = beside ? std::clamp(-here / slope, -1.0f, 1.0f) : here > 0 ? -far : far;
        });
    });
}

/// The distance that the nearest values along each axis give: |grad| = 1, upwind.
float upwind(float a, float b, float c) {
    if (a > b) std::swap(a, b);
    if (b > c) std::swap(b, c);
    if (a > b) std::swap(a, b);
    float d = a + 1;
    if (d <= b) return d;
    d = 0.5f * (a + b + std::sqrt(std::max(0.0f, 2 - (a - b) * (a - b))));
    if (d <= c) return d;
    const float sum = a + b + c;
    return (sum + std::sqrt(std::max(0.0f, sum * sum - 3 * (a * a + b * b + c * c - 1)))) / 3;
}

/// Carries distances outwards, a voxel a round; those beside the surface stay.
void spread_distance(BlockField& field, float width, float far) {
    const int rounds = static_cast<int>(std::ceil(width));
    for (int round = 0; round < rounds; ++round)
        field.update(-far, [&](std::size_t, const BlockField::Padded& f, float* out) {
            each_voxel([&](int at, int to) {
                const float here = f[std::size_t(at)];
                out[to] = here;
                if (std::abs(here) <= 1) return;
                float near[3];
                for (std::size_t k = 0; k < 3; ++k)
                    near[k] = std::min(std::abs(f[std::size_t(at - strides[k])]),
                                       std::abs(f[std::size_t(at + strides[k])]));
                const float d = std::min({upwind(near[0], near[1], near[2]), std::abs(here), far});
                out[to] = here < 0 ? -d : d;
            });
        });
}

/// Mean curvature times the slope of the field.
float curvature(const BlockField::Padded& f, int at) {
    const auto value = [&](int offset) { return f[std::size_t(at + offset)]; };
    const auto [X, Y, Z] = strides;
    const float here = value(0);
    const float fx = 0.5f * (value(X) - value(-X)), fy = 0.5f * (value(Y) - value(-Y)),
                fz = 0.5f * (value(Z) - value(-Z));
    const float fxx = value(X) - 2 * here + value(-X), fyy = value(Y) - 2 * here + value(-Y),
                fzz = value(Z) - 2 * here + value(-Z);
    const auto cross = [&](int a, int b) {
        return 0.25f * (value(a + b) - value(a - b) - value(b - a) + value(-a - b));
    };
    const float slope2 = fx * fx + fy * fy + fz * fz;
    if (slope2 < 0.01f) return 0;
    const float across =
        fx * fx * fxx + fy * fy * fyy + fz * fz * fzz +
        2 * (fx * fy * cross(X, Y) + fx * fz * cross(X, Z) + fy * fz * cross(Y, Z));
    return fxx + fyy + fzz - across / slope2;
}

/// How thick matter is around each voxel, from 0 in sheets, threads and drops to 1.
BlockField thickness(const BlockField& field, float far) {
    BlockField depth = field;
    for (int round = 0; round < 3; ++round)
        depth.update(-far, [&](std::size_t, const BlockField::Padded& f, float* out) {
            each_voxel([&](int at, int to) {
                float least = f[std::size_t(at)];
                for (const int stride : strides)
                    least =
                        std::min({least, f[std::size_t(at - stride)], f[std::size_t(at + stride)]});
                out[to] = round < 2 ? least : std::clamp(-1.2f - least, 0.0f, 1.0f);
            });
        });
    return depth;
}

/// Flow by mean curvature, and most of it back [Taubin 1995]: bumps go, volume stays. Thin parts are
/// left as they are; their blobs are smooth already.
void smooth(BlockField& field, int rounds, float far) {
    constexpr float forth = 0.15f, back = -0.155f;
    const BlockField thick = thickness(field, far);
    for (int round = 0; round < rounds; ++round)
        for (const float step : {forth, back})
            field.update(-far, [&](std::size_t block, const BlockField::Padded& f, float* out) {
                const float* share = thick.values(block);
                each_voxel([&](int at, int to) {
                    const float here = f[std::size_t(at)];
                    out[to] = here;
                    if (share[to] > 0 && std::abs(here) < 2)
                        out[to] += step * share[to] * curvature(f, at);
                });
            });
}

/// The same surface as distances again.
void renew_distance(BlockField& field, float width, float far) {
    field.update(far, [&](std::size_t, const BlockField::Padded& f, float* out) {
        each_voxel([&](int at, int to) { out[to] = -f[std::size_t(at)]; });
    });
    start_distance(field, 0.5f, far);
    spread_distance(field, width, far);
}

} // namespace

BlockField make_field(const std::vector<Blob>& blobs, const FieldParams& params) {
    const float width = band_width + std::abs(params.offset);
    const float far = width + 1;
    BlockField field = choose_blocks(blobs, width, params.spacing);
    sum_blobs(field, blobs);
    parallel_tasks(field.size(), [&](std::size_t block) {
        float* values = field.values(block);
        for (int k = 0; k < block_voxels; ++k) values[k] -= on_surface;
    });
    start_distance(field, thin_slope / params.spacing, far);
    spread_distance(field, width, far);
    if (params.smoothing > 0) {
        smooth(field, params.smoothing, far);
        renew_distance(field, width, far);
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
            if (from == BlockField::nobody) continue;
            const float* other = field.values(from);
            for (int k = 0; k < block_voxels; ++k) values[k] = std::min(values[k], other[k]);
        }
    });
    return joined;
}

} // namespace nendo
