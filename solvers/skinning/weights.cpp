// SPDX-License-Identifier: Apache-2.0
// Computes skinning weights: painted, by distance, or by diffusion of heat.
#include "core/error.h"
#include "core/parallel.h"
#include "math/rotation.h"
#include "skinning/skin.h"

#include <algorithm>
#include <cmath>

namespace nendo::rheology {
namespace {

double distance_to(const BoneLine& bone, const Vec3d& x) {
    const Vec3d d = bone.end - bone.begin, r = x - bone.begin;
    const double square = d.squaredNorm();
    const double t = square > 0 ? std::clamp(r.dot(d) / square, 0.0, 1.0) : 0;
    return (r - t * d).norm();
}

/// Integer power, with the same bits on every machine.
double integer_power(double base, long power) {
    double result = 1;
    for (long k = 0; k < power; ++k) result *= base;
    return result;
}

/// Keeps the largest weights of a vertex and scales them to add up to one.
void keep_largest(const std::vector<double>& all, std::size_t vertex, Influences& out) {
    const auto per_vertex = static_cast<std::size_t>(out.per_vertex);
    std::vector<std::int32_t> order(all.size());
    for (std::size_t b = 0; b < all.size(); ++b) order[b] = static_cast<std::int32_t>(b);
    const std::size_t kept = std::min(per_vertex, all.size());
    const auto weight = [&](std::int32_t b) { return all[static_cast<std::size_t>(b)]; };
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
                      [&](std::int32_t a, std::int32_t b) {
                          return weight(a) != weight(b) ? weight(a) > weight(b) : a < b;
                      });
    // Weights below a hundredth of the largest are not worth their cost.
    const double least = 0.01 * weight(order[0]);
    double sum = 0;
    for (std::size_t k = 0; k < kept; ++k)
        if (weight(order[k]) > least) sum += weight(order[k]);
    for (std::size_t k = 0; k < per_vertex; ++k) {
        const bool used = k < kept && weight(order[k]) > least;
        out.bones[vertex * per_vertex + k] = used ? order[k] : 0;
        out.weights[vertex * per_vertex + k] =
            used ? static_cast<float>(weight(order[k]) / sum) : 0;
    }
}

Influences make_influences(std::size_t vertices, std::size_t bones, int per_vertex) {
    if (per_vertex < 1 || per_vertex > max_influences)
        throw Error(std::to_string(per_vertex) + " influences per vertex are not supported", "skin",
                    "use 1 to " + std::to_string(max_influences));
    if (bones == 0) throw Error("there are no bones", "skin", "add bones");
    Influences result;
    result.per_vertex = per_vertex;
    result.bones.resize(vertices * static_cast<std::size_t>(per_vertex));
    result.weights.resize(result.bones.size());
    return result;
}

/// The edges of a mesh, each with the conductance of the strip it represents (width / length), so
/// that heat flow does not depend on the resolution of the mesh.
struct Conductor {
    std::vector<std::uint32_t> start, to;
    std::vector<double> conductance;
    std::vector<double> area; ///< Area of each vertex [m^2]
};

Conductor make_conductor(const TriMesh& mesh) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    Conductor c;
    c.area.assign(mesh.points.size(), 0);
    for (const auto& t : mesh.triangles) {
        const Vec3d& a = mesh.points[t[0]];
        const double area = 0.5 * (mesh.points[t[1]] - a).cross(mesh.points[t[2]] - a).norm();
        for (std::size_t k = 0; k < 3; ++k) {
            c.area[t[k]] += area / 3;
            pairs.emplace_back(t[k], t[(k + 1) % 3]);
            pairs.emplace_back(t[(k + 1) % 3], t[k]);
        }
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    c.start.assign(mesh.points.size() + 1, 0);
    for (const auto& [from, to] : pairs) {
        ++c.start[from + 1];
        c.to.push_back(to);
        const double length = (mesh.points[to] - mesh.points[from]).norm();
        // As for a regular mesh: width over length of the strip that the edge represents.
        const double width = 0.5 * (c.area[from] + c.area[to]) / (3 * std::max(length, 1e-12));
        c.conductance.push_back(width / std::max(length, 1e-12));
    }
    for (std::size_t v = 0; v < mesh.points.size(); ++v) c.start[v + 1] += c.start[v];
    return c;
}

/// Solves (H + L) w = H source by conjugate gradients. H heats, L conducts.
std::vector<double> diffuse_heat(const Conductor& c, const std::vector<double>& warming,
                                 const std::vector<double>& source) {
    const std::size_t n = warming.size();
    std::vector<double> diagonal(n), w = source, r(n), d(n), q(n);
    const auto multiply = [&](const std::vector<double>& u, std::vector<double>& out) {
        for (std::size_t v = 0; v < n; ++v) {
            double sum = diagonal[v] * u[v];
            for (std::uint32_t k = c.start[v]; k < c.start[v + 1]; ++k)
                sum -= c.conductance[k] * u[c.to[k]];
            out[v] = sum;
        }
    };
    for (std::size_t v = 0; v < n; ++v) {
        diagonal[v] = warming[v];
        for (std::uint32_t k = c.start[v]; k < c.start[v + 1]; ++k) diagonal[v] += c.conductance[k];
        if (diagonal[v] == 0) diagonal[v] = 1;
    }
    multiply(w, r);
    double old = 0, begin = 0;
    for (std::size_t v = 0; v < n; ++v) {
        r[v] = warming[v] * source[v] - r[v];
        d[v] = r[v] / diagonal[v];
        old += r[v] * d[v];
        begin += warming[v] * source[v] * source[v];
    }
    for (int k = 0; k < 1000 && old > 1e-14 * begin; ++k) {
        multiply(d, q);
        double dq = 0, now = 0;
        for (std::size_t v = 0; v < n; ++v) dq += d[v] * q[v];
        const double step = old / dq;
        for (std::size_t v = 0; v < n; ++v) {
            w[v] += step * d[v];
            r[v] -= step * q[v];
            now += r[v] * r[v] / diagonal[v];
        }
        for (std::size_t v = 0; v < n; ++v) d[v] = r[v] / diagonal[v] + now / old * d[v];
        old = now;
    }
    return w;
}

} // namespace

std::vector<Pose> rest_poses(const Bones<double>& bones) {
    std::vector<Pose> result(bones.id.size(), Pose::Identity());
    for (std::size_t b = 0; b < result.size(); ++b) {
        result[b].linear() = Quat(bones.rest_orient[b]).toRotationMatrix();
        result[b].translation() = bones.rest[b];
    }
    return result;
}

std::vector<Pose> poses(const Bones<double>& bones) {
    std::vector<Pose> result(bones.id.size(), Pose::Identity());
    for (std::size_t b = 0; b < result.size(); ++b) {
        result[b].linear() = Quat(bones.orient[b]).toRotationMatrix();
        result[b].translation() = bones.x[b];
    }
    return result;
}

std::vector<BoneLine> bone_lines(const Bones<double>& bones) {
    std::vector<BoneLine> result;
    const std::vector<Pose> rest = rest_poses(bones);
    for (std::size_t b = 0; b < rest.size(); ++b) {
        const Vec3d half(bones.half[b].x(), 0, 0);
        result.push_back({rest[b] * Vec3d(-half), rest[b] * half});
    }
    return result;
}

Influences influences_from_painted(const std::vector<float>& weights, std::size_t bones,
                                   int per_vertex) {
    const std::size_t vertices = bones == 0 ? 0 : weights.size() / bones;
    Influences result = make_influences(vertices, bones, per_vertex);
    std::vector<double> all(bones);
    for (std::size_t v = 0; v < vertices; ++v) {
        double sum = 0;
        for (std::size_t b = 0; b < bones; ++b) {
            all[b] = static_cast<double>(weights[v * bones + b]);
            if (!(all[b] >= 0) || !std::isfinite(all[b]))
                throw Error("the weight of bone " + std::to_string(b) + " is " +
                                std::to_string(all[b]),
                            "vertex " + std::to_string(v), "paint weights of zero or more");
            sum += all[b];
        }
        if (!(sum > 0))
            throw Error("no bone has a weight", "vertex " + std::to_string(v),
                        "paint every vertex");
        keep_largest(all, v, result);
    }
    return result;
}

Influences influences_by_distance(const std::vector<Vec3d>& points,
                                  const std::vector<BoneLine>& bones, int per_vertex,
                                  double power) {
    Influences result = make_influences(points.size(), bones.size(), per_vertex);
    parallel_blocks(points.size(), [&](std::size_t begin, std::size_t end) {
        std::vector<double> all(bones.size());
        for (std::size_t v = begin; v < end; ++v) {
            double nearest = infinite;
            for (std::size_t b = 0; b < bones.size(); ++b) {
                all[b] = distance_to(bones[b], points[v]);
                nearest = std::min(nearest, all[b]);
            }
            for (double& d : all)
                d = integer_power(std::max(nearest, 1e-9) / std::max(d, 1e-9), std::lround(power));
            keep_largest(all, v, result);
        }
    });
    return result;
}

Influences influences_by_heat(const TriMesh& mesh, const std::vector<BoneLine>& bones,
                              int per_vertex, double reach) {
    Influences result = make_influences(mesh.points.size(), bones.size(), per_vertex);
    const Conductor conductor = make_conductor(mesh);
    const std::size_t n = mesh.points.size();
    std::vector<double> warming(n);
    std::vector<std::vector<std::uint32_t>> nearest(n); // all nearest bones, with equal shares
    parallel_for(n, [&](std::size_t v) {
        double least = infinite;
        for (const BoneLine& bone : bones)
            least = std::min(least, distance_to(bone, mesh.points[v]));
        for (std::uint32_t b = 0; b < bones.size(); ++b)
            if (distance_to(bones[b], mesh.points[v]) <= least * (1 + 1e-6) + 1e-12)
                nearest[v].push_back(b);
        const double scale = reach * std::max(least, 1e-6);
        warming[v] = conductor.area[v] / (scale * scale);
    });
    std::vector<std::vector<double>> heat(bones.size());
    parallel_tasks(bones.size(), [&](std::size_t b) {
        std::vector<double> source(n, 0);
        for (std::size_t v = 0; v < n; ++v)
            if (std::binary_search(nearest[v].begin(), nearest[v].end(), b))
                source[v] = 1.0 / static_cast<double>(nearest[v].size());
        heat[b] = diffuse_heat(conductor, warming, source);
    });
    std::vector<double> all(bones.size());
    for (std::size_t v = 0; v < n; ++v) {
        for (std::size_t b = 0; b < bones.size(); ++b) all[b] = std::clamp(heat[b][v], 0.0, 1.0);
        if (*std::max_element(all.begin(), all.end()) <= 0) all[nearest[v].front()] = 1;
        keep_largest(all, v, result);
    }
    return result;
}

} // namespace nendo::rheology
