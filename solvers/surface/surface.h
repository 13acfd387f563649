// SPDX-License-Identifier: Apache-2.0
// Surfaces of particles: a level set, and the mesh of its surface with the velocity and body of the
// particles below it.
#pragma once

#include "core/fields.h"
#include "geometry/mesh.h"
#include "geometry/point_attribute.h"
#include "geometry/sdf.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace nendo {

/// An OpenVDB grid, defined in geometry/level_set.h.
struct LevelSet;

/// How particles are turned into a field.
enum class SurfaceMode {
    matter,      ///< Ellipsoids that use the solver's deformation and state
    anisotropic, ///< Ellipsoids from the neighbors' positions alone [Yu and Turk 2013]
    metaball,    ///< Spheres [Mueller et al. 2003]
};

/// Parameters of the surface. Lengths are in particle spacings, so that they fit any scale.
struct SurfaceParams {
    SurfaceMode mode = SurfaceMode::matter;
    double voxel = 0.5;
    double reach = 3;
    double radius = 0.5;
    int smoothing = 4;
    double adaptivity = 0;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(
            self.mode,
            field("mode")
                .label("Mode")
                .choices({"matter", "anisotropic", "metaball"})
                .help(
                    "How particles are turned into a surface. matter: like anisotropic, and also "
                    "uses the solver's data, so that sheets stay thin and flat, edges stay sharp "
                    "and melted parts become smooth. anisotropic: each particle is an ellipsoid "
                    "that follows the particles around it. metaball: each particle is a sphere."));
        visit(self.voxel, field("voxel")
                              .label("Voxel")
                              .unit("spacings")
                              .range(0.1, 1)
                              .help("Edge length of the level set's voxels. Half the length takes "
                                    "four times the memory."));
        visit(self.reach, field("reach")
                              .label("Reach")
                              .unit("spacings")
                              .range(1.5, 4)
                              .help("Distance at which other particles influence the shape of a "
                                    "particle. Higher values are smoother."));
        visit(self.radius, field("radius")
                               .label("Radius")
                               .unit("spacings")
                               .range(0.3, 1.5)
                               .help("Distance of the surface from the centers of the outermost "
                                     "particles. Higher values make it thicker."));
        visit(self.smoothing,
              field("smoothing")
                  .label("Smoothing")
                  .range(0, 100)
                  .help("Number of smoothing passes. Volume and thin parts are preserved."));
        visit(self.adaptivity, field("adaptivity")
                                   .label("Adaptivity")
                                   .range(0, 1)
                                   .help("Allows larger triangles where the surface is flat. At 0 "
                                         "all triangles have about the same size."));
    }
};

/// The particles to surface. Columns have equal length; some may be empty.
struct SurfaceInput {
    std::vector<Vec3d> positions;     ///< [m]
    std::vector<Vec3d> velocities;    ///< [m/s]; empty: at rest
    std::vector<std::int32_t> bodies; ///< Empty: all 0
    std::vector<std::int32_t> groups; ///< Surfaces of different groups never blend; empty: one
    /// Data of the solver on the material around each particle; empty if there is none
    std::vector<Mat3<float>> deformations; ///< Deformation relative to the lattice [1]
    std::vector<float> melted;             ///< 0: solid, 1: liquid
    std::vector<double> sizes;             ///< Spacing of each particle [m]; empty: `spacing`
    double spacing = 0;                    ///< Largest spacing of the particles [m]
    PointAttributes attributes;            ///< Transferred to the mesh
};

struct Surface {
    std::shared_ptr<const LevelSet> level_set;
    TriMesh mesh;                     ///< With velocities
    std::vector<std::int32_t> bodies; ///< Body of the nearest particle, for each point of the mesh
    PointAttributes attributes;       ///< Attributes of the mesh's points, from the particles
    double volume = 0;                ///< [m^3]
    double area = 0;                  ///< [m^2]
    double voxel_size = 0;            ///< [m]
    Box3 bounds;                      ///< Bounds of the mesh [m]
};

/// Makes the surface of particles. Throws if there are none, or if one is not finite.
Surface surface_particles(const SurfaceInput& input, const SurfaceParams& params);

/// Transfers velocities, bodies and attributes of the particles to any mesh near them, as
/// surface_particles() does to its own mesh.
void carry_to_mesh(const SurfaceInput& input, const SurfaceParams& params, Surface& surface);

/// Makes a closed mesh into the surface of one body, with voxels of this edge length [m].
Surface surface_of_mesh(const TriMesh& mesh, std::int32_t body, double voxel);

/// Extracts the mesh and measures of a complete level set, such as one read from a file.
Surface mesh_level_set(std::shared_ptr<const LevelSet> level_set, double adaptivity);

} // namespace nendo
