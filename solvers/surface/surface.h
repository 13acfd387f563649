// SPDX-License-Identifier: Apache-2.0
// The skin of a heap of particles: a level set, and the mesh of its surface with the velocity and
// body of the particles under it.
#pragma once

#include "core/fields.h"
#include "geometry/mesh.h"
#include "geometry/point_attribute.h"
#include "geometry/sdf.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace nendo {

/// An OpenVDB grid; geometry/level_set.h opens it.
struct LevelSet;

/// How particles become a field.
enum class SurfaceMode {
    matter,      ///< Ellipsoids, and what the solvers know of the matter's deformation and state
    anisotropic, ///< Ellipsoids by the positions of others alone [Yu and Turk 2013]
    metaball,    ///< Balls [Mueller et al. 2003]
};

/// Lengths are in particle spacings, so that they fit any scale.
struct SurfaceParams {
    SurfaceMode mode = SurfaceMode::matter;
    double voxel = 0.5;
    double reach = 3;
    double radius = 0.5;
    int smoothing = 4;
    double adaptivity = 0;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.mode,
              field("mode")
                  .label("Mode")
                  .choices({"matter", "anisotropic", "metaball"})
                  .help("matter: as anisotropic, with what the solver knows: sheets stay thin and "
                        "flat, edges sharp, and what has melted goes smooth. anisotropic: each "
                        "particle is an ellipsoid that follows those around it. metaball: each is "
                        "a ball."));
        visit(self.voxel, field("voxel")
                              .label("Voxel")
                              .unit("spacings")
                              .range(0.1, 1)
                              .help("Edge of the level set's voxels; halved, memory is fourfold."));
        visit(self.reach,
              field("reach")
                  .label("Reach")
                  .unit("spacings")
                  .range(1.5, 4)
                  .help("How far a particle looks for others that shape it; more is smoother."));
        visit(self.radius,
              field("radius")
                  .label("Radius")
                  .unit("spacings")
                  .range(0.3, 1.5)
                  .help("Distance of the surface from the centers of the outermost particles."));
        visit(self.smoothing, field("smoothing")
                                  .label("Smoothing")
                                  .range(0, 100)
                                  .help("Rounds of smoothing; volume and thin parts are kept."));
        visit(self.adaptivity,
              field("adaptivity")
                  .label("Adaptivity")
                  .range(0, 1)
                  .help("Larger triangles where the surface is flat; 0: all alike."));
    }
};

/// Columns of equal length, or empty where they may be.
struct SurfaceInput {
    std::vector<Vec3d> positions;     ///< [m]
    std::vector<Vec3d> velocities;    ///< [m/s]; empty: at rest
    std::vector<std::int32_t> bodies; ///< Empty: all 0
    std::vector<std::int32_t> groups; ///< Surfaces of different groups never blend; empty: one
    /// What the solver knows of the matter around each particle; empty: nothing
    std::vector<Mat3<float>> deformations; ///< Since it was on a lattice [1]
    std::vector<float> melted;             ///< 0: solid, 1: liquid
    std::vector<double> sizes;             ///< Each one's own spacing [m]; empty: `spacing`
    double spacing = 0;                    ///< The largest of the particles [m]
    PointAttributes attributes;            ///< Carried to the mesh
};

struct Surface {
    std::shared_ptr<const LevelSet> level_set;
    TriMesh mesh;                     ///< With velocities
    std::vector<std::int32_t> bodies; ///< Of the nearest particle, for each point of the mesh
    PointAttributes attributes;       ///< Of the points of the mesh, as the particles have them
    double volume = 0;                ///< [m^3]
    double area = 0;                  ///< [m^2]
    double voxel_size = 0;            ///< [m]
    Box3 bounds;                      ///< Of the mesh [m]
};

/// Throws when there are no particles, or when one is not finite.
Surface surface_particles(const SurfaceInput& input, const SurfaceParams& params);

/// Gives any mesh near the particles what their surface is given: velocities, bodies, attributes.
void carry_to_mesh(const SurfaceInput& input, const SurfaceParams& params, Surface& surface);

/// A closed mesh as a surface of one body, with voxels of this edge [m].
Surface surface_of_mesh(const TriMesh& mesh, std::int32_t body, double voxel);

/// The mesh and measures of a level set that is complete, for one that was read from a file.
Surface mesh_level_set(std::shared_ptr<const LevelSet> level_set, double adaptivity);

} // namespace nendo
