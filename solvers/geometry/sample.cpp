// SPDX-License-Identifier: Apache-2.0
// Places masters on a lattice inside a shape, and slaves around masters.
#include "geometry/sample.h"

#include "core/error.h"
#include "core/range.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <string>

namespace nendo {
namespace {

constexpr double max_slaves = 2147483648.0; // Particle indices have 32 bits elsewhere.

[[noreturn]] void fail_limit(const std::string& what, double most, double spacing) {
    throw Error(what + " more than " + format_number(most) + " particles", "sampling",
                "use a larger spacing than " + format_number(spacing) + " m, or a smaller shape");
}

void check_spacing(double spacing) {
    if (!(spacing > 0) || !std::isfinite(spacing))
        throw Error("the spacing is " + std::to_string(spacing) + " m", "sampling",
                    "use a length above 0");
}

/// Number of cells of edge `spacing` along `length`. A length that is a multiple up to rounding
/// counts as one.
double count_cells(double length, double spacing) {
    const double cells = length / spacing;
    const double whole = std::round(cells);
    return std::abs(cells - whole) <= 1e-6 * std::max(whole, 1.0) ? whole : std::ceil(cells);
}

std::vector<Vec3d> concatenate(const std::vector<std::vector<Vec3d>>& pieces) {
    std::size_t size = 0;
    for (const auto& piece : pieces) size += piece.size();
    std::vector<Vec3d> all;
    all.reserve(size);
    for (const auto& piece : pieces) all.insert(all.end(), piece.begin(), piece.end());
    return all;
}

struct PlacedMaster {
    std::array<std::int64_t, 3> cell;
    Vec3d x; ///< In spacings from the anchor
};

/// Returns the slave cells (y, z) in the layer x that have a master within 2 spacings. `first` and
/// `last` delimit the masters whose cells are near enough in x.
std::vector<std::array<std::int64_t, 2>>
slaves_of_layer(std::int64_t layer, const PlacedMaster* first, const PlacedMaster* last) {
    std::vector<std::array<std::int64_t, 2>> found;
    for (const PlacedMaster* m = first; m != last; ++m) {
        const double dx = double(layer) + 0.5 - m->x.x();
        const double left = 4 - dx * dx;
        if (left < 0) continue;
        for (std::int64_t y = m->cell[1] - 3; y <= m->cell[1] + 3; ++y) {
            const double dy = double(y) + 0.5 - m->x.y();
            if (dy * dy > left) continue;
            for (std::int64_t z = m->cell[2] - 3; z <= m->cell[2] + 3; ++z) {
                const double dz = double(z) + 0.5 - m->x.z();
                if (dy * dy + dz * dz <= left) found.push_back({y, z});
            }
        }
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

} // namespace

std::vector<Vec3d> place_masters(const Sdf& shape, double spacing, const SampleLimits& limits) {
    check_spacing(spacing);
    const Box3 box = shape.bounds();
    if (!is_finite(box))
        throw Error("the shape is infinite", "sampling", "use a bounded shape for a body");
    Vec3d cells;
    for (int k = 0; k < 3; ++k) cells[k] = count_cells(box.max[k] - box.min[k], spacing);
    if (!(cells.prod() <= limits.cells))
        fail_limit("the shape's bounding box holds", limits.cells, spacing);

    const auto nx = std::size_t(cells.x()), ny = std::size_t(cells.y()),
               nz = std::size_t(cells.z());
    Vec3d corner = (box.min + box.max) / 2 - spacing / 2 * cells;
    corner.y() = box.min.y();
    const auto coordinate = [&](int k, std::size_t i) {
        return corner[k] + (double(i) + 0.5) * spacing;
    };
    constexpr std::size_t rows_at_once = 32;
    const std::size_t rows = nx * ny;
    std::vector<std::vector<Vec3d>> pieces((rows + rows_at_once - 1) / rows_at_once);
    std::atomic<std::size_t> found{0};
    tbb::parallel_for(std::size_t(0), pieces.size(), [&](std::size_t piece) {
        if (double(found) > limits.masters) return;
        const std::size_t end = std::min(rows, (piece + 1) * rows_at_once);
        for (std::size_t row = piece * rows_at_once; row < end; ++row)
            for (std::size_t z = 0; z < nz; ++z) {
                const Vec3d x(coordinate(0, row / ny), coordinate(1, row % ny), coordinate(2, z));
                if (shape.inside(x)) pieces[piece].push_back(x);
            }
        found += pieces[piece].size();
    });
    if (double(found) > limits.masters) fail_limit("the shape holds", limits.masters, spacing);
    std::vector<Vec3d> masters = concatenate(pieces);
    if (masters.empty())
        throw Error("empty body: no particle fits inside the shape", "sampling",
                    "use a smaller spacing than " + std::to_string(spacing) +
                        " m, or a larger shape");
    return masters;
}

std::vector<Vec3d> place_slaves(const std::vector<Vec3d>& masters, double spacing) {
    check_spacing(spacing);
    if (masters.empty()) return {};
    Vec3d anchor = masters.front();
    for (std::size_t i = 0; i < masters.size(); ++i) {
        if (!masters[i].allFinite())
            throw Error("the position is not finite", "master " + std::to_string(i),
                        "remove it or set its position");
        anchor = anchor.cwiseMin(masters[i]);
    }

    std::vector<PlacedMaster> placed(masters.size());
    for (std::size_t i = 0; i < masters.size(); ++i) {
        const Vec3d x = (masters[i] - anchor) / spacing;
        if (x.maxCoeff() > 1e15)
            throw Error("is too many spacings from the other masters",
                        "master " + std::to_string(i), "use a larger spacing or remove it");
        placed[i] = {{std::int64_t(std::floor(x.x())), std::int64_t(std::floor(x.y())),
                      std::int64_t(std::floor(x.z()))},
                     x};
    }
    std::sort(placed.begin(), placed.end(),
              [](const PlacedMaster& a, const PlacedMaster& b) { return a.cell < b.cell; });

    // Layers that can hold slaves: a master in cell c reaches slaves from c - 2 to c + 2.
    std::vector<std::int64_t> layers;
    for (std::size_t i = 0; i < placed.size(); ++i)
        if (i == 0 || placed[i].cell[0] != placed[i - 1].cell[0])
            for (std::int64_t k = -3; k <= 3; ++k) layers.push_back(placed[i].cell[0] + k);
    std::sort(layers.begin(), layers.end());
    layers.erase(std::unique(layers.begin(), layers.end()), layers.end());

    const auto first_in_layer = [&](std::int64_t layer) {
        return placed.data() +
               (std::partition_point(placed.begin(), placed.end(),
                                     [&](const PlacedMaster& m) { return m.cell[0] < layer; }) -
                placed.begin());
    };
    std::vector<std::vector<Vec3d>> pieces(layers.size());
    tbb::parallel_for(std::size_t(0), layers.size(), [&](std::size_t i) {
        const std::int64_t layer = layers[i];
        for (const auto& [y, z] :
             slaves_of_layer(layer, first_in_layer(layer - 3), first_in_layer(layer + 4)))
            pieces[i].push_back(
                anchor + spacing * Vec3d(double(layer) + 0.5, double(y) + 0.5, double(z) + 0.5));
    });
    std::vector<Vec3d> slaves = concatenate(pieces);
    if (double(slaves.size()) > max_slaves)
        throw Error("there are more than 2^31 slaves", "sampling", "use a larger spacing");
    return slaves;
}

Samples sample(const Sdf& shape, double spacing) {
    Samples samples;
    samples.masters = place_masters(shape, spacing);
    samples.slaves = place_slaves(samples.masters, spacing);
    return samples;
}

} // namespace nendo
