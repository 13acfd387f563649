// SPDX-License-Identifier: Apache-2.0
// Scratch memory of the coupling solver. Nothing in it is kept from one call to the next.
#pragma once

#include "coupling/solver.h"
#include "neighbors/grid.h"
#include "sph/fluid.h"

#include <optional>
#include <vector>

namespace nendo::coupling {

/// A spring as seen from one of its ends.
struct Link {
    std::uint32_t other;  ///< Node at the other end
    std::uint32_t spring; ///< Row in the table of springs
};

/// A spring linearized for this substep.
template <class Real> struct LinearSpring {
    Vec3<Real> axis; ///< Unit vector from a to b
    Real force;      ///< Pulls the ends together when they do not move [N]
    Real along;      ///< Impulse per relative velocity along the axis [kg]
    Real across;     ///< Impulse per relative velocity in any direction [kg]
};

/// Two nodes without a common spring that may collide in this substep.
template <class Real> struct BodyContact {
    std::uint32_t a, b; ///< Rows of the two particles
    Real distance;      ///< Distance that they must keep [m]
};

/// A fluid particle near a face of a membrane.
template <class Real> struct MembraneContact {
    std::uint32_t row;  ///< Row of the particle
    std::uint32_t face; ///< Row in the table of faces
    Real side;          ///< 1 or -1: the side of the face that it must stay on
};

template <class Real> struct Workspace {
    State<Real> trial; ///< Working copy: swapped into the state on success, discarded on failure
    double end = 0;    ///< Time at the end of the call, when goals are reached [s]

    // SPH particles, by slot.
    std::optional<sph::Kernels<Real>> kernels;
    sph::Neighborhood<Real> near;
    sph::Matter<Real> matter;
    sph::Walls<Real> walls;

    // By particle row.
    std::vector<Real> volume;              ///< Calibrated volume without stretch [m^3]
    std::vector<std::uint32_t> node_of;    ///< Node of the particle, or no_node
    std::vector<Vec3<Real>> held_velocity; ///< Velocity imposed by a pin or goal [m/s]
    double lightest = 0;                   ///< Lowest rest density [kg/m^3]
    double heaviest = 0;                   ///< Highest rest density [kg/m^3]
    double most_viscous = 0;               ///< Highest kinematic viscosity [m^2/s]
    double smallest = 0;                   ///< Smallest radius [m]

    // Nodes are the particles of bodies.
    static constexpr auto no_node = static_cast<std::uint32_t>(-1);
    std::vector<std::uint32_t> row_of;                       ///< Particle row of each node
    std::vector<std::uint32_t> link_start;                   ///< First link of each node
    std::vector<Link> links;                                 ///< Links of each node, by spring id
    std::vector<std::array<std::uint32_t, 2>> ends;          ///< Nodes of each spring
    std::vector<std::array<std::uint32_t, 3>> faces;         ///< Nodes of each face
    std::vector<std::uint32_t> face_start, faces_of;         ///< Faces of each node
    std::vector<LinearSpring<Real>> linear_springs;          ///< By spring
    std::vector<Vec3<Real>> u, residual, direction, product; ///< By node: the spring solve
    std::vector<Real> per_diagonal; ///< By node: inverse diagonal, the preconditioner [1/kg]

    Grid<Real> node_grid;
    std::vector<Vec3<Real>> node_x; ///< Position of each node [m]
    std::vector<BodyContact<Real>> body_contacts;
    std::vector<std::vector<BodyContact<Real>>> body_contact_blocks;
    std::vector<MembraneContact<Real>> membrane_contacts;
    std::vector<std::vector<MembraneContact<Real>>> membrane_contact_blocks;
    double collision_residual = 0; ///< Deepest overlap left, in diameters [1]

    std::vector<MovedShape> colliders, pins; ///< The scene in this substep
    std::vector<MuscleKey> muscles; ///< Values now; entry 0 is for springs without a muscle
    Partials<double> partials;
    std::vector<std::uint32_t> order;
    std::vector<std::uint8_t> marked;

    bool held(std::size_t row) const { return trial.particles.pin[row] != 0; }
    /// visit(member) for each member: how memory is counted.
    template <class Self, class Visit> static void columns(Self& self, Visit&& visit) {
        visit_each(visit, self.trial, self.end, self.kernels, self.near, self.matter, self.walls,
                   self.volume, self.node_of, self.held_velocity, self.lightest, self.heaviest,
                   self.most_viscous, self.smallest, self.row_of, self.link_start, self.links,
                   self.ends, self.faces, self.face_start, self.faces_of, self.linear_springs,
                   self.u, self.residual, self.direction, self.product, self.per_diagonal,
                   self.node_grid, self.node_x, self.body_contacts, self.body_contact_blocks,
                   self.membrane_contacts, self.membrane_contact_blocks, self.collision_residual,
                   self.colliders, self.pins, self.muscles, self.partials, self.order, self.marked);
    }
};

} // namespace nendo::coupling
