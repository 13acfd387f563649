// SPDX-License-Identifier: Apache-2.0
// The artist's own mesh, carried by particles that fill it: torn where matter tears, faded where
// it melts.
#pragma once

#include "geometry/mesh.h"
#include "surface/surface.h"

#include <array>
#include <cstdint>
#include <vector>

namespace nendo {

/// The particles at one time, in the order in which the skin was made on them.
struct SkinCarriers {
    std::vector<Vec3d> positions; ///< [m]; not a number: that one is gone
    std::vector<float> melted;    ///< 0: solid, 1: liquid; empty: all solid
};

/// Particles as they are now, sorted as those with the same ids are at rest. Throws when there are
/// no ids.
SkinCarriers match_carriers(const SurfaceInput& rest, const SurfaceInput& now);

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
    /// The same; what fades goes over into the surface of the same particles.
    CarriedSkin carry(const SkinCarriers& now, const Surface& surface) const;
    /// The triangles that are left, as a mesh with all points.
    TriMesh mesh_of(const CarriedSkin& carried) const;
    /// The part of a surface that the skin leaves bare, because it has torn open or melted away
    /// there: triangles that are farther from it than a spacing, look the other way, or are next
    /// to where it ends.
    Surface bare_part(const CarriedSkin& carried, const Surface& surface) const;
    const TriMesh& mesh() const { return m_mesh; } ///< At rest

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
    double m_spacing;
    std::vector<Vec3d> m_rest;
    std::vector<Bond> m_bonds;
};

/// A skin over the surface of the particles that carry it. Points of both parts have what the
/// particles have, `rest`, and `fade`, which is 1 where the surface is bare.
struct Dressed {
    CarriedSkin carried;
    Surface skin; ///< All points of the mesh, and the triangles that are left
    Surface bare;
};

/// Particles at rest are those that the skin was made on, by id.
Dressed dress(const RenderSkin& skin, const SurfaceInput& rest, const SurfaceInput& now,
              const SurfaceParams& params, const Surface& surface);

/// One after the other, as one mesh. Attributes must be the same.
Surface join_surfaces(const Surface& first, const Surface& second);

} // namespace nendo
