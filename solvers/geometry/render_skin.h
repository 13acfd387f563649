// The artist's own mesh, carried by particles that fill it: torn where matter tears, faded where
// it melts.
#pragma once

#include "geometry/mesh.h"

#include <array>
#include <cstdint>
#include <vector>

namespace nendo {

/// The particles at one time, in the order in which the skin was made on them.
struct SkinCarriers {
    std::vector<Vec3d> positions; ///< [m]
    std::vector<float> melted;    ///< 0: solid, 1: liquid; empty: all solid
};

struct CarriedSkin {
    std::vector<Vec3d> points; ///< Of all points of the mesh, in its order [m]
    std::vector<float> fade;   ///< 0: the skin is seen; 1: it has melted into the level set
    /// Numbers of the triangles that are left, in their order; those that tore or melted are not.
    std::vector<std::uint32_t> triangles;
};

class RenderSkin {
public:
    /// At rest: the mesh around or in particles of this spacing [m]. Throws when there are none.
    RenderSkin(const TriMesh& mesh, const std::vector<Vec3d>& particles, double spacing);

    /// Throws when the particles are not as many as at rest.
    CarriedSkin carry(const SkinCarriers& now) const;

private:
    static constexpr std::size_t room = 12;
    /// What carries a point: the particles nearest to it at rest.
    struct Bond {
        std::array<std::uint32_t, room> particle{};
        std::array<float, room> weight{};
        std::uint32_t count = 0;
    };
    Vec3d place(std::size_t point, const std::vector<Vec3d>& now) const;

    TriMesh m_mesh;
    std::vector<Vec3d> m_rest;
    std::vector<Bond> m_bonds;
};

} // namespace nendo
