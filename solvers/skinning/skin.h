// SPDX-License-Identifier: Apache-2.0
// A mesh that follows bones (rheology paper, eq 1): weights, and the skin itself, by blended matrices (SSD) or
// by dual quaternions, which keep the thickness of what is twisted.
#pragma once

#include "geometry/mesh.h"
#include "rheology/solver.h"
#include "skinning/skin_packs.h"

#include <cstdint>
#include <vector>

namespace nendo::rheology {

/// How bones' motions are blended.
enum class Blend { linear, dual_quaternion };

/// Which bones move each vertex, and by how much: `per_vertex` entries each, weights of a vertex
/// add up to one, unused entries have weight zero.
struct Influences {
    int per_vertex = 4;
    std::vector<std::int32_t> bones;
    std::vector<float> weights;

    std::size_t vertices() const { return bones.size() / static_cast<std::size_t>(per_vertex); }
};

/// Where a bone was when its skin was bound: a straight piece.
struct BoneLine {
    Vec3d begin, end; ///< [m]
};

/// The bones of a state, by their rows: rest places and lines for weights.
std::vector<Pose> rest_poses(const Bones<double>& bones);
std::vector<Pose> poses(const Bones<double>& bones);
std::vector<BoneLine> bone_lines(const Bones<double>& bones);

/// Painted weights, made fit: the `per_vertex` largest, above zero, that add up to one. Throws when
/// a vertex has no weight, or one below zero or not finite. `weights[v * bones + b]`.
Influences influences_from_painted(const std::vector<float>& weights, std::size_t bones,
                                   int per_vertex);

/// Weights that fall off with the distance to the bones by `power` (4: sharp between bones).
Influences influences_by_distance(const std::vector<Vec3d>& points,
                                  const std::vector<BoneLine>& bones, int per_vertex, double power);

/// Weights by bounded diffusion of heat over the mesh: each vertex is warmed by its nearest bone,
/// the more the nearer it is, and what flows along edges smooths it out. All lie in [0, 1], since
/// no place gets warmer than its source [Baran, Popovic 2007]. `reach` scales how far heat flows.
Influences influences_by_heat(const TriMesh& mesh, const std::vector<BoneLine>& bones,
                              int per_vertex, double reach);

/// Unit normals of the points: the mean of their triangles, by area and orientation.
std::vector<Vec3d> point_normals(const TriMesh& mesh);

/// A skin, bound to bones at rest; sorted so that vertices of the same bones go through the blend
/// together, sixteen at a time.
class Skin {
public:
    Skin(const std::vector<Vec3d>& points, const std::vector<Vec3d>& normals,
         const Influences& influences, const std::vector<Pose>& rest);

    /// The points, and their unit normals, under bones at `now`; by the order they were bound in.
    void deform(const std::vector<Pose>& now, Blend blend, std::vector<Vec3<float>>& points,
                std::vector<Vec3<float>>& normals) const;
    /// The blended rotation of each vertex, x, y, z, w.
    std::vector<Vec4<float>> rotations(const std::vector<Pose>& now) const;

    std::size_t vertices() const { return m_vertices; }

private:
    /// Packs of vertices that the same bones move.
    struct Run {
        std::size_t first_pack;
        std::size_t rest; ///< Where in m_rest its first pack begins
        std::int32_t bones[max_influences];
        int count;

        /// Numbers of a pack at rest: places, normals, all weights but the first, by lanes.
        std::size_t stride() const {
            return (rest_rows + static_cast<std::size_t>(count - 1)) * pack_lanes;
        }
        std::size_t rest_of(std::size_t pack) const {
            return rest + (pack - first_pack) * stride();
        }
    };

    /// kernel(run, begin, end) for all packs, on all threads, a stretch of one run at a time.
    template <class Kernel> void for_each_stretch(const Kernel& kernel) const;

    std::size_t m_vertices = 0;
    std::vector<Run> m_runs;
    std::vector<std::uint32_t> m_first; ///< First vertex of each pack, or `scattered`
    std::vector<std::uint32_t> m_order; ///< Original vertex of each lane
    std::vector<float> m_rest;
    std::vector<Pose> m_rest_inverse;
};

/// What blends leave out (rheology paper, §6): the skin is elastic, and its edges want the length and the
/// direction that their bones' rotation gives them. Points move to where that holds best, while
/// they are held to the blended places by `hold`.
class SkinDetail {
public:
    SkinDetail(const TriMesh& mesh, double hold);
    void correct(const std::vector<Vec4<float>>& rotations, int sweeps,
                 std::vector<Vec3<float>>& points) const;

private:
    std::vector<std::uint32_t> m_start, m_neighbors;
    std::vector<Vec3<float>> m_edges; ///< Towards the neighbors, at rest [m]
    float m_hold;
};

} // namespace nendo::rheology
