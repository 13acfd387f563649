// SPDX-License-Identifier: Apache-2.0
// Finds the center line of a mesh by following the path through its interior.
#include "core/error.h"
#include "geometry/mesh_sdf.h"
#include "geometry/sample.h"
#include "math/rotation.h"
#include "neighbors/grid.h"
#include "skinning/skeleton.h"

#include <algorithm>
#include <cmath>
#include <queue>

namespace nendo::rheology {
namespace {

/// Number of sample points to measure a mesh with.
constexpr double points_wanted = 20000;
/// Beyond these, a mesh fills almost nothing of its box, or is open and has an inside far larger than
/// its volume.
constexpr SampleLimits limits{1e8, 100 * points_wanted};

struct SampledVolume {
    std::vector<Vec3d> points; ///< [m]
    double spacing = 0;        ///< [m]
    double share = 0;          ///< Volume of each point [m^3]
};

SampledVolume fill(const TriMesh& mesh, double& volume) {
    MeshReport report;
    const SdfPtr shape = make_mesh(mesh, &report);
    volume = std::abs(report.volume);
    SampledVolume samples;
    samples.spacing = std::cbrt(volume / points_wanted);
    samples.points = place_masters(*shape, samples.spacing, limits);
    if (samples.points.size() < 100)
        throw Error("the mesh is too thin to fill: only " + std::to_string(samples.points.size()) +
                        " points fit",
                    "mesh", "make it thicker");
    samples.share = volume / static_cast<double>(samples.points.size());
    return samples;
}

/// Length of the shortest path through the interior [m] from one point to all others; infinite
/// where there is none.
std::vector<double> path_lengths_from(const SampledVolume& samples, const Grid<double>& grid,
                                      std::uint32_t start) {
    std::vector<double> path_length(samples.points.size(), infinite);
    using Entry = std::pair<double, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> next;
    path_length[start] = 0;
    next.push({0, start});
    while (!next.empty()) {
        const double length = next.top().first;
        const std::uint32_t at = next.top().second;
        next.pop();
        if (length > path_length[at]) continue;
        grid.visit(samples.points[at], 1.8 * samples.spacing, [&](std::uint32_t to, double) {
            const double longer = length + (samples.points[to] - samples.points[at]).norm();
            if (longer >= path_length[to]) return;
            path_length[to] = longer;
            next.push({longer, to});
        });
    }
    return path_length;
}

/// Returns the farthest reachable point.
std::uint32_t farthest(const std::vector<double>& path_length) {
    std::uint32_t best = 0;
    double length = -1;
    for (std::uint32_t k = 0; k < path_length.size(); ++k)
        if (std::isfinite(path_length[k]) && path_length[k] > length)
            length = path_length[k], best = k;
    return best;
}

/// Mean positions of the points at equal path lengths: the ends of the segments.
std::vector<Vec3d> line_along(const SampledVolume& samples, const std::vector<double>& path_length,
                              int count) {
    const double step =
        *std::max_element(
            path_length.begin(), path_length.end(),
            [](double a, double b) { return std::isfinite(b) && (!std::isfinite(a) || a < b); }) /
        count;
    if (!(step > 0))
        throw Error("its inside falls into pieces too small for a bone", "mesh",
                    "make it thicker, or connect its pieces");
    std::vector<Vec3d> sum(static_cast<std::size_t>(count) + 1, Vec3d::Zero());
    std::vector<double> number(sum.size(), 0);
    for (std::size_t k = 0; k < path_length.size(); ++k) {
        if (!std::isfinite(path_length[k])) continue;
        const auto at = static_cast<std::size_t>(std::floor(path_length[k] / step + 0.5));
        sum[at] += samples.points[k];
        number[at] += 1;
    }
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] /= number[k];
    // The first and last bins are half as long: their means lie a quarter of a step inside.
    const auto extend = [&](Vec3d& tip, const Vec3d& inner) {
        tip += (tip - inner) * (0.25 / 0.75);
    };
    extend(sum.front(), sum[1]);
    extend(sum.back(), sum[sum.size() - 2]);
    return sum;
}

/// Returns the segment that each point belongs to: the nearest one.
std::vector<std::uint32_t> share_out(const SampledVolume& samples, const std::vector<Vec3d>& line) {
    std::vector<std::uint32_t> owner(samples.points.size());
    for (std::size_t k = 0; k < owner.size(); ++k) {
        double least = infinite;
        for (std::uint32_t s = 0; s + 1 < line.size(); ++s) {
            const Vec3d d = line[s + 1] - line[s], r = samples.points[k] - line[s];
            const double t = std::clamp(r.dot(d) / d.squaredNorm(), 0.0, 1.0);
            const double distance = (r - t * d).squaredNorm();
            if (distance < least) least = distance, owner[k] = s;
        }
    }
    return owner;
}

/// Returns the axes of a segment: x along it, z the direction in which its material is thinnest.
Mat3d section_axes(const Vec3d& along, const Mat3d& spread) {
    const Mat3d first = Quat(rotation_between(Vec3d::UnitX(), along)).toRotationMatrix();
    const Mat3d local = first.transpose() * spread * first;
    // Rotation angle of the symmetric 2 x 2 part from the tangent of the double angle, without
    // trigonometry.
    const double difference = local(2, 2) - local(1, 1), cross = 2 * local(1, 2);
    const double length = std::hypot(difference, cross);
    double c = 1, s = 0;
    if (length > 1e-9 * (local(1, 1) + local(2, 2))) {
        // y along the larger moment.
        const double cos2 = -difference / length;
        c = std::sqrt(std::max(0.0, 0.5 * (1 + cos2)));
        s = std::sqrt(std::max(0.0, 0.5 * (1 - cos2)));
        if (cross < 0) s = -s;
    }
    Mat3d axes;
    axes.col(0) = along;
    axes.col(1) = c * first.col(1) + s * first.col(2);
    axes.col(2) = along.cross(axes.col(1));
    return axes;
}

/// Measures the mass, inertia and section of the points that a segment owns.
void measure(Segment& s, const SampledVolume& samples, const std::vector<std::uint32_t>& owner,
             std::uint32_t number, const Material& material) {
    Vec3d sum = Vec3d::Zero();
    Mat3d square = Mat3d::Zero();
    double count = 0;
    for (std::size_t k = 0; k < owner.size(); ++k) {
        if (owner[k] != number) continue;
        sum += samples.points[k];
        square += samples.points[k] * samples.points[k].transpose();
        count += 1;
    }
    if (count < 4)
        throw Error("a segment of the mesh has no material", "bone " + std::to_string(number),
                    "use fewer bones");
    s.center = sum / count;
    // Each point is a small cube, whose own extent adds to the spread.
    const Mat3d spread = square / count - s.center * s.center.transpose() +
                         samples.spacing * samples.spacing / 12 * Mat3d::Identity();
    s.mass = material.density * samples.share * count;
    s.rotation = section_axes((s.end - s.begin).normalized(), spread);
    const Mat3d local = s.rotation.transpose() * spread * s.rotation;
    s.inertia = s.mass * (local.trace() * Mat3d::Identity() - local);
    s.section.area = samples.share * count / s.length();
    s.section.about_y = s.section.area * local(2, 2);
    s.section.about_z = s.section.area * local(1, 1);
}

} // namespace

MeshSegments segments_of_mesh(const TriMesh& mesh, int count, const Material& material) {
    if (count < 1 || count > 1000)
        throw Error(std::to_string(count) + " bones are not supported", "mesh", "use 1 to 1000");
    MeshSegments result;
    const SampledVolume samples = fill(mesh, result.volume);
    Grid<double> grid;
    grid.build(samples.points, 1.8 * samples.spacing);
    const std::uint32_t tip = farthest(path_lengths_from(samples, grid, 0));
    const std::vector<double> path_length = path_lengths_from(samples, grid, tip);
    const std::vector<Vec3d> line = line_along(samples, path_length, count);
    const std::vector<std::uint32_t> owner = share_out(samples, line);
    for (std::uint32_t k = 0; k + 1 < line.size(); ++k) {
        Segment s;
        s.begin = line[k];
        s.end = line[k + 1];
        measure(s, samples, owner, k, material);
        result.segments.push_back(s);
    }
    return result;
}

} // namespace nendo::rheology
