// SPDX-License-Identifier: Apache-2.0
// Scratch memory of the coupling solver. Nothing in it survives a call.
#pragma once

#include "coupling/solver.h"
#include "neighbors/grid.h"
#include "sph/fluid.h"

#include <optional>
#include <vector>

namespace nendo::coupling {

/// One spring as an end of it sees it.
struct Link {
    std::uint32_t other;  ///< Node at the other end
    std::uint32_t spring; ///< Row of the springs
};

/// A spring at this substep.
template <class Real> struct Pull {
    Vec3<Real> axis; ///< From a to b, of length one
    Real force;      ///< With which it draws its ends together, at rest [N]
    Real along;      ///< Impulse against a relative velocity along the axis [kg]
    Real across;     ///< Impulse against any relative velocity [kg]
};

/// Two nodes that no spring joins and that may meet in this substep.
template <class Real> struct Meeting {
    std::uint32_t a, b; ///< Rows of the particles
    Real distance;      ///< That they keep [m]
};

/// A fluid particle near a face of a membrane.
template <class Real> struct Holding {
    std::uint32_t row;  ///< Of the particle
    std::uint32_t face; ///< Row of the faces
    Real side;          ///< 1 or -1: on which side of the face it is, and stays
};

template <class Real> struct Workspace {
    State<Real> trial; ///< The state that a failed or interrupted step leaves behind
    double end = 0;    ///< Of the call: when goals are reached [s]

    // Smoothed particles, by slot.
    std::optional<sph::Kernels<Real>> kernels;
    sph::Neighborhood<Real> near;
    sph::Matter<Real> matter;
    sph::Walls<Real> walls;

    // By row of the particles.
    std::vector<Real> volume;              ///< At rest, without stretch, as kernels count it [m^3]
    std::vector<std::uint32_t> node_of;    ///< Node, or no_node
    std::vector<Vec3<Real>> held_velocity; ///< Of those that pins or goals hold [m/s]
    double lightest = 0;                   ///< Of all rest densities [kg/m^3]
    double heaviest = 0;
    double most_viscous = 0; ///< [m^2/s]
    double smallest = 0;     ///< Of all radii [m]

    // Nodes are the particles that have springs.
    static constexpr auto no_node = static_cast<std::uint32_t>(-1);
    std::vector<std::uint32_t> row_of; ///< Of each node
    std::vector<std::uint32_t> link_start;
    std::vector<Link> links;                                 ///< Of each node, by id of the spring
    std::vector<std::array<std::uint32_t, 2>> ends;          ///< Nodes of each spring
    std::vector<std::array<std::uint32_t, 3>> faces;         ///< Nodes of each face
    std::vector<std::uint32_t> face_start, faces_of;         ///< Of each node
    std::vector<Pull<Real>> pulls;                           ///< Of each spring
    std::vector<Vec3<Real>> u, residual, direction, product; ///< Of each node: the springs' solve
    std::vector<Real> per_diagonal;

    Grid<Real> node_grid;
    std::vector<Vec3<Real>> node_x; ///< Of each node [m]
    std::vector<Meeting<Real>> meetings;
    std::vector<std::vector<Meeting<Real>>> meeting_blocks;
    std::vector<Holding<Real>> holdings;
    std::vector<std::vector<Holding<Real>>> holding_blocks;
    double collision_residual = 0; ///< [1]

    std::vector<MovedShape> colliders, pins; ///< The world at this substep
    std::vector<MuscleKey> muscles;          ///< How they are now
    Partials<double> partials;
    std::vector<std::uint32_t> order;
    std::vector<std::uint8_t> marked;

    bool held(std::size_t row) const { return trial.particles.pin[row] != 0; }
    std::size_t bytes() const;
};

} // namespace nendo::coupling
