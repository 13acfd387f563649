// SPDX-License-Identifier: Apache-2.0
// Skinning: a mesh that follows bones (rheology paper, eq 1). Computes weights and deforms the skin
// by blended matrices (SSD) or by dual quaternions, which preserve the thickness of twisted parts.
#pragma once

#include "geometry/mesh.h"
#include "rheology/solver.h"
#include "skinning/skin_packs.h"

#include <cstdint>
#include <vector>

namespace nendo::rheology {

/// How the motions of several bones are blended.
enum class Blend { linear, dual_quaternion };

/// Which bones move each vertex, and by how much. Each vertex has `per_vertex` entries whose
/// weights add up to one; unused entries have weight zero.
struct Influences {
    int per_vertex = 4;
    std::vector<std::int32_t> bones;
    std::vector<float> weights;

    std::size_t vertices() const { return bones.size() / static_cast<std::size_t>(per_vertex); }
};

/// The axis of a bone when its skin was bound.
struct BoneLine {
    Vec3d begin, end; ///< [m]
};

/// Rest poses, current poses and rest axes of the bones of a state, by row.
std::vector<Pose> rest_poses(const Bones<double>& bones);
std::vector<Pose> poses(const Bones<double>& bones);
std::vector<BoneLine> bone_lines(const Bones<double>& bones);

/// Makes influences from painted weights: the `per_vertex` largest positive ones, scaled to add up
/// to one. Throws if a vertex has no weight, or one that is negative or not finite. The layout is
/// `weights[v * bones + b]`.
Influences influences_from_painted(const std::vector<float>& weights, std::size_t bones,
                                   int per_vertex);

/// Weights that fall off with the distance to the bones, raised to `power` (4 is sharp between
/// bones).
Influences influences_by_distance(const std::vector<Vec3d>& points,
                                  const std::vector<BoneLine>& bones, int per_vertex, double power);

/// Weights by diffusion of heat over the mesh: each vertex is heated by its nearest bone, more
/// strongly the nearer it is, and conduction along the edges smooths the result. All weights lie in
/// [0, 1], since no vertex gets hotter than its source [Baran, Popovic 2007]. `reach` scales how
/// far heat flows.
Influences influences_by_heat(const TriMesh& mesh, const std::vector<BoneLine>& bones,
                              int per_vertex, double reach);

/// Returns the unit normals of the points: the mean over their triangles, weighted by area.
std::vector<Vec3d> point_normals(const TriMesh& mesh);

/// A skin bound to bones at rest. Vertices are sorted so that those moved by the same bones are
/// blended together, sixteen at a time.
class Skin {
public:
    Skin(const std::vector<Vec3d>& points, const std::vector<Vec3d>& normals,
         const Influences& influences, const std::vector<Pose>& rest);

    /// Computes the points and unit normals for bones at `now`, in the order in which they were
    /// bound.
    void deform(const std::vector<Pose>& now, Blend blend, std::vector<Vec3<float>>& points,
                std::vector<Vec3<float>>& normals) const;
    /// Returns the blended rotation of each vertex as x, y, z, w.
    std::vector<Vec4<float>> rotations(const std::vector<Pose>& now) const;

    std::size_t vertices() const { return m_vertices; }

private:
    /// Consecutive packs whose vertices are moved by the same bones.
    struct Run {
        std::size_t first_pack;
        std::size_t rest; ///< Offset of its first pack in m_rest
        std::int32_t bones[max_influences];
        int count;

        /// Number of floats of a pack at rest: positions, normals, and all weights but the first,
        /// by lane.
        std::size_t stride() const {
            return (rest_rows + static_cast<std::size_t>(count - 1)) * pack_lanes;
        }
        std::size_t rest_of(std::size_t pack) const {
            return rest + (pack - first_pack) * stride();
        }
    };

    /// Calls kernel(run, begin, end) for all packs on all threads, one range within a run at a
    /// time.
    template <class Kernel> void for_each_stretch(const Kernel& kernel) const;

    std::size_t m_vertices = 0;
    std::vector<Run> m_runs;
    std::vector<std::uint32_t> m_first; ///< First vertex of each pack, or `scattered`
    std::vector<std::uint32_t> m_order; ///< Original vertex of each lane
    std::vector<float> m_rest;
    std::vector<Pose> m_rest_inverse;
};

/// The part of the deformation that blending leaves out (rheology paper, §6). The skin is elastic:
/// each edge tends to the length and direction given by its bones' rotation. Points move to the
/// best fit, pulled toward their blended positions with the weight `hold`.
class SkinDetail {
public:
    SkinDetail(const TriMesh& mesh, double hold);
    void correct(const std::vector<Vec4<float>>& rotations, int sweeps,
                 std::vector<Vec3<float>>& points) const;

private:
    std::vector<std::uint32_t> m_start, m_neighbors;
    std::vector<Vec3<float>> m_edges; ///< Toward the neighbors, at rest [m]
    float m_hold;
};

} // namespace nendo::rheology
