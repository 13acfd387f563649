// SPDX-License-Identifier: Apache-2.0
// The artist's own mesh, moved by the particles that fill it. It tears where the material tears and
// fades where it melts.
#pragma once

#include "geometry/mesh.h"
#include "surface/surface.h"

#include <array>
#include <cstdint>
#include <vector>

namespace nendo {

/// The particles at one time, in the order in which the skin was bound to them.
struct SkinCarriers {
    std::vector<Vec3d> positions; ///< [m]; not a number if the particle is gone
    std::vector<float> melted;    ///< 0: solid, 1: liquid; empty: all solid
};

/// Returns the current particles in the order of those with the same ids at rest. Throws if there
/// are no ids.
SkinCarriers match_carriers(const SurfaceInput& rest, const SurfaceInput& now);

struct CarriedSkin {
    std::vector<Vec3d> points; ///< All points of the mesh, in its order [m]
    std::vector<float> fade;   ///< 0: the skin is visible; 1: it has melted into the level set
    /// Indices of the remaining triangles, in order, without those that tore or melted.
    std::vector<std::uint32_t> triangles;
};

class RenderSkin {
public:
    /// Binds a mesh at rest around or in particles of this spacing [m]. Throws if there are none.
    RenderSkin(const TriMesh& mesh, const std::vector<Vec3d>& particles, double spacing);

    /// Moves the skin. Throws if the number of particles differs from that at rest.
    CarriedSkin carry(const SkinCarriers& now) const;
    /// Moves the skin, and blends its fading parts into the surface of the same particles.
    CarriedSkin carry(const SkinCarriers& now, const Surface& surface) const;
    /// Returns the remaining triangles as a mesh with all points.
    TriMesh mesh_of(const CarriedSkin& carried) const;
    /// Returns the part of a surface that the skin does not cover, because it has torn open or
    /// melted there: triangles farther than a spacing from the skin, facing the other way, or next
    /// to its rim.
    Surface bare_part(const CarriedSkin& carried, const Surface& surface) const;
    const TriMesh& mesh() const { return m_mesh; } ///< At rest

private:
    static constexpr std::size_t max_bonds = 12;
    /// The particles that move a point: those nearest to it at rest.
    struct Bond {
        std::array<std::uint32_t, max_bonds> particle{};
        std::array<float, max_bonds> weight{};
        std::uint32_t count = 0;
    };
    Vec3d place(std::size_t point, const std::vector<Vec3d>& now) const;

    TriMesh m_mesh;
    double m_spacing;
    std::vector<Vec3d> m_rest;
    std::vector<Bond> m_bonds;
};

/// A skin over the surface of the particles that move it. Points of both parts have the attributes
/// of the particles, `rest`, and `fade`, which is 1 where the surface is bare.
struct Dressed {
    CarriedSkin carried;
    Surface skin; ///< All points of the mesh, and the remaining triangles
    Surface bare;
};

/// Combines skin and surface. `rest` are the particles that the skin was bound to, matched by id.
Dressed dress(const RenderSkin& skin, const SurfaceInput& rest, const SurfaceInput& now,
              const SurfaceParams& params, const Surface& surface);

/// Joins two surfaces into one mesh. They must have the same attributes.
Surface join_surfaces(const Surface& first, const Surface& second);

} // namespace nendo
