// SPDX-License-Identifier: Apache-2.0
// Binds a skin to bones and deforms it.
#include "skinning/skin.h"

#include "core/error.h"
#include "core/parallel.h"
#include "math/rotation.h"
#include "math/vectors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace nendo::rheology {
namespace {

/// A bone's motion since it was bound, as a row-major matrix and as a dual quaternion.
struct BoneMotion {
    float m[12];
    float q[8]; ///< Real part x, y, z, w, then dual part
};

BoneMotion motion_of(const Pose& now, const Pose& rest_inverse) {
    const Pose motion = now * rest_inverse;
    BoneMotion result;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 4; ++c) result.m[4 * r + c] = static_cast<float>(motion(r, c));
    const Quat q = Quat(motion.linear()).normalized();
    const Vec3d t = motion.translation();
    const Quat dual(0.5 * (Quat(0, t.x(), t.y(), t.z()) * q).coeffs());
    for (int k = 0; k < 4; ++k) {
        result.q[k] = static_cast<float>(q.coeffs()[k]);
        result.q[4 + k] = static_cast<float>(dual.coeffs()[k]);
    }
    return result;
}

std::vector<BoneMotion> motions_of(const std::vector<Pose>& now,
                                   const std::vector<Pose>& rest_inverse) {
    if (now.size() != rest_inverse.size())
        throw Error("got " + std::to_string(now.size()) + " bones instead of " +
                        std::to_string(rest_inverse.size()),
                    "skin", "use the bones that the skin was bound to");
    std::vector<BoneMotion> motions(now.size());
    for (std::size_t b = 0; b < now.size(); ++b) motions[b] = motion_of(now[b], rest_inverse[b]);
    return motions;
}

/// The dual quaternions of a run's bones, with signs aligned to the first.
Blended<8> dual_of(const std::vector<BoneMotion>& motions, const std::int32_t* bones, int count) {
    std::array<std::array<float, 8>, max_influences> aligned{};
    for (int k = 0; k < count; ++k) {
        const float* q = motions[static_cast<std::size_t>(bones[k])].q;
        const float* first = motions[static_cast<std::size_t>(bones[0])].q;
        const float dot = q[0] * first[0] + q[1] * first[1] + q[2] * first[2] + q[3] * first[3];
        for (std::size_t e = 0; e < 8; ++e)
            aligned[static_cast<std::size_t>(k)][e] = dot < 0 ? -q[e] : q[e];
    }
    Blended<8> numbers;
    numbers.fill(count, [&](int k) { return aligned[static_cast<std::size_t>(k)].data(); });
    return numbers;
}

/// The bones that move a vertex, in increasing order, and their weights in that order.
struct Moved {
    std::array<std::int32_t, max_influences> bones;
    std::array<float, max_influences> weights;
    int count = 0;
};

Moved moved_by(const Influences& influences, std::size_t vertex) {
    Moved moved;
    moved.bones.fill(-1);
    moved.weights.fill(0);
    const auto per_vertex = static_cast<std::size_t>(influences.per_vertex);
    for (std::size_t k = 0; k < per_vertex; ++k) {
        const float weight = influences.weights[vertex * per_vertex + k];
        if (!(weight > 0)) continue;
        const std::int32_t bone = influences.bones[vertex * per_vertex + k];
        auto at = static_cast<std::size_t>(moved.count++);
        for (; at > 0 && moved.bones[at - 1] > bone; --at) {
            moved.bones[at] = moved.bones[at - 1];
            moved.weights[at] = moved.weights[at - 1];
        }
        moved.bones[at] = bone;
        moved.weights[at] = weight;
    }
    return moved;
}

void check_influences(const Influences& influences, std::size_t vertices, std::size_t bones) {
    if (influences.per_vertex < 1 || influences.per_vertex > max_influences)
        throw Error(std::to_string(influences.per_vertex) +
                        " influences per vertex are not supported",
                    "skin", "use 1 to " + std::to_string(max_influences));
    if (influences.vertices() != vertices || influences.weights.size() != influences.bones.size())
        throw Error("there are weights for " + std::to_string(influences.vertices()) +
                        " vertices, but the mesh has " + std::to_string(vertices) + " vertices",
                    "skin", "bind the mesh that the weights were made for");
    for (std::size_t k = 0; k < influences.bones.size(); ++k)
        if (influences.weights[k] > 0 &&
            (influences.bones[k] < 0 || static_cast<std::size_t>(influences.bones[k]) >= bones))
            throw Error("bone " + std::to_string(influences.bones[k]) + " does not exist",
                        "vertex " +
                            std::to_string(k / static_cast<std::size_t>(influences.per_vertex)),
                        "number the bones from 0; their count is " + std::to_string(bones));
}

} // namespace

Skin::Skin(const std::vector<Vec3d>& points, const std::vector<Vec3d>& normals,
           const Influences& influences, const std::vector<Pose>& rest)
    : m_vertices(points.size()) {
    check_influences(influences, points.size(), rest.size());
    if (normals.size() != points.size())
        throw Error("there are " + std::to_string(normals.size()) + " normals for " +
                        std::to_string(points.size()) + " points",
                    "skin", "pass one normal per point");
    for (const Pose& pose : rest) m_rest_inverse.push_back(pose.inverse(Eigen::Isometry));
    std::vector<Moved> moved(points.size());
    for (std::size_t v = 0; v < points.size(); ++v) moved[v] = moved_by(influences, v);
    std::vector<std::uint32_t> sorted(points.size());
    std::iota(sorted.begin(), sorted.end(), 0u);
    std::stable_sort(sorted.begin(), sorted.end(), [&](std::uint32_t a, std::uint32_t b) {
        return moved[a].bones < moved[b].bones;
    });
    for (std::size_t at = 0; at < sorted.size();) {
        const Moved& first = moved[sorted[at]];
        if (first.count == 0)
            throw Error("no bone has a weight", "vertex " + std::to_string(sorted[at]),
                        "give every vertex a positive weight");
        Run run{};
        run.first_pack = m_first.size();
        run.rest = m_rest.size();
        std::copy(first.bones.begin(), first.bones.end(), run.bones);
        run.count = first.count;
        std::size_t end = at;
        while (end < sorted.size() && moved[sorted[end]].bones == first.bones) ++end;
        for (std::size_t begin = at; begin < end; begin += pack_lanes) {
            const std::size_t base = m_rest.size();
            m_rest.resize(base + run.stride());
            const auto number = [&](std::size_t row, std::size_t l) -> float& {
                return m_rest[base + row * pack_lanes + l];
            };
            // The last vertex fills the unused lanes.
            for (std::size_t l = 0; l < pack_lanes; ++l) {
                const std::uint32_t v = sorted[std::min(begin + l, end - 1)];
                m_order.push_back(v);
                for (std::size_t k = 0; k < 3; ++k) {
                    number(k, l) = static_cast<float>(points[v][static_cast<int>(k)]);
                    number(3 + k, l) = static_cast<float>(normals[v][static_cast<int>(k)]);
                }
                for (std::size_t k = 1; k < static_cast<std::size_t>(run.count); ++k)
                    number(5 + k, l) = moved[v].weights[k];
            }
            const std::uint32_t front = sorted[begin];
            m_first.push_back(m_order.back() == front + pack_lanes - 1 ? front : scattered);
        }
        m_runs.push_back(run);
        at = end;
    }
}

template <class Kernel> void Skin::for_each_stretch(const Kernel& kernel) const {
    parallel_blocks(m_first.size(), [&](std::size_t begin, std::size_t end) {
        auto run =
            std::upper_bound(m_runs.begin(), m_runs.end(), begin,
                             [](std::size_t pack, const Run& r) { return pack < r.first_pack; });
        while (begin < end) {
            const std::size_t next = run == m_runs.end() ? end : std::min(end, run->first_pack);
            kernel(*(run - 1), begin, next);
            begin = next;
            ++run;
        }
    });
}

void Skin::deform(const std::vector<Pose>& now, Blend kind, std::vector<Vec3<float>>& points,
                  std::vector<Vec3<float>>& normals) const {
    const std::vector<BoneMotion> motions = motions_of(now, m_rest_inverse);
    points.resize(m_vertices);
    normals.resize(m_vertices);
    const PackMover& mover = wide_vectors() ? move_wide_packs : move_packs;
    const auto packs = [&](const Run& run, std::size_t begin, std::size_t end) {
        return Packs{end - begin,
                     run.count,
                     m_rest.data() + run.rest_of(begin),
                     &m_first[begin],
                     &m_order[begin * pack_lanes],
                     points.data()->data(),
                     normals.data()->data()};
    };
    if (kind == Blend::linear)
        for_each_stretch([&](const Run& run, std::size_t begin, std::size_t end) {
            Blended<12> numbers;
            numbers.fill(run.count,
                         [&](int k) { return motions[static_cast<std::size_t>(run.bones[k])].m; });
            mover.linear(packs(run, begin, end), numbers);
        });
    else
        for_each_stretch([&](const Run& run, std::size_t begin, std::size_t end) {
            mover.dual(packs(run, begin, end), dual_of(motions, run.bones, run.count));
        });
}

std::vector<Vec4<float>> Skin::rotations(const std::vector<Pose>& now) const {
    const std::vector<BoneMotion> motions = motions_of(now, m_rest_inverse);
    std::vector<Vec4<float>> result(m_vertices);
    for_each_stretch([&](const Run& run, std::size_t begin, std::size_t end) {
        const Blended<8> numbers = dual_of(motions, run.bones, run.count);
        for (std::size_t pack = begin; pack < end; ++pack) {
            const float* weights = m_rest.data() + run.rest_of(pack) + rest_rows * pack_lanes;
            for (std::size_t l = 0; l < pack_lanes; ++l) {
                Vec4<float> q = Eigen::Map<const Vec4<float>>(numbers.first);
                for (int k = 0; k + 1 < run.count; ++k)
                    q += weights[static_cast<std::size_t>(k) * pack_lanes + l] *
                         Eigen::Map<const Vec4<float>>(numbers.more[k]);
                result[m_order[pack * pack_lanes + l]] = q.normalized();
            }
        }
    });
    return result;
}

std::vector<Vec3d> point_normals(const TriMesh& mesh) {
    std::vector<Vec3d> normals(mesh.points.size(), Vec3d::Zero());
    for (const auto& t : mesh.triangles) {
        const Vec3d& a = mesh.points[t[0]];
        const Vec3d area = (mesh.points[t[1]] - a).cross(mesh.points[t[2]] - a);
        for (const std::uint32_t v : t) normals[v] += area;
    }
    for (Vec3d& n : normals) {
        const double length = n.norm();
        n = length > 0 ? Vec3d(n / length) : Vec3d::UnitY();
    }
    return normals;
}

SkinDetail::SkinDetail(const TriMesh& mesh, double hold) : m_hold(static_cast<float>(hold)) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (const auto& t : mesh.triangles)
        for (std::size_t k = 0; k < 3; ++k) {
            pairs.emplace_back(t[k], t[(k + 1) % 3]);
            pairs.emplace_back(t[(k + 1) % 3], t[k]);
        }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    m_start.assign(mesh.points.size() + 1, 0);
    for (const auto& [from, to] : pairs) {
        ++m_start[from + 1];
        m_neighbors.push_back(to);
        m_edges.push_back((mesh.points[to] - mesh.points[from]).cast<float>());
    }
    for (std::size_t v = 0; v < mesh.points.size(); ++v) m_start[v + 1] += m_start[v];
}

void SkinDetail::correct(const std::vector<Vec4<float>>& rotations, int sweeps,
                         std::vector<Vec3<float>>& points) const {
    // Jacobi iteration for min sum |x_j - x_i - (R_i + R_j)/2 e_ij|^2 + hold |x_i - blended_i|^2.
    const std::vector<Vec3<float>> blended = points;
    std::vector<Vec3<float>> next(points.size());
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        parallel_for(points.size(), [&](std::size_t v) {
            const Mat3<float> own = Eigen::Quaternionf(rotations[v]).toRotationMatrix();
            Vec3<float> sum = m_hold * blended[v];
            float weight = m_hold;
            for (std::uint32_t k = m_start[v]; k < m_start[v + 1]; ++k) {
                const std::uint32_t other = m_neighbors[k];
                const Mat3<float> theirs = Eigen::Quaternionf(rotations[other]).toRotationMatrix();
                sum += points[other] - 0.5f * (own * m_edges[k] + theirs * m_edges[k]);
                weight += 1;
            }
            next[v] = weight > 0 ? Vec3<float>(sum / weight) : points[v];
        });
        points.swap(next);
    }
}

} // namespace nendo::rheology
