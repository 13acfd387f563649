// SPDX-License-Identifier: Apache-2.0
// A tree of triangles for queries in logarithmic time: the closest point, and the generalized
// winding number, which tells inside from outside even where triangles are missing.
#pragma once

#include "geometry/mesh.h"
#include "geometry/sdf.h"

#include <cstddef>
#include <vector>

namespace nendo {

class TriangleTree {
public:
    /// Skips degenerate triangles.
    explicit TriangleTree(const TriMesh& mesh);

    struct Closest {
        Vec3d point{0, 0, 0};
        double distance = infinite; ///< Unsigned [m]
        std::uint32_t triangle = 0; ///< Index in the mesh
    };
    Closest closest(const Vec3d& x) const;

    /// Number of times the surface winds around x, by solid angle: 1 inside a closed mesh that is
    /// oriented outward, 0 outside, in between near holes.
    double winding(const Vec3d& x) const;

    bool empty() const { return m_corners.empty(); }
    Box3 bounds() const { return m_nodes.empty() ? Box3() : m_nodes.front().box; }

private:
    /// Children follow their parent: the first is at index + 1, the second at `second`.
    struct Node {
        Box3 box;
        std::uint32_t begin = 0, end = 0; ///< Range of triangles
        std::uint32_t second = 0;         ///< 0 in a leaf
        // Expansion of the solid angle about the center [Barill et al. 2018, order 1].
        Vec3d center{0, 0, 0};            ///< Mean position, weighted by area
        double radius = 0;                ///< All triangles lie within this distance of the center
        Vec3d dipole{0, 0, 0};            ///< Sum of area times normal
        Mat3d quadrupole = Mat3d::Zero(); ///< Sum of (area normal) (centroid - center)^T
    };
    struct Corners {
        Vec3d a, b, c;
        std::uint32_t triangle; ///< Index in the mesh
    };

    std::uint32_t build(std::uint32_t begin, std::uint32_t end);
    void expand(Node& node) const;

    std::vector<Corners> m_corners; ///< In leaf order
    std::vector<Node> m_nodes;
};

} // namespace nendo
