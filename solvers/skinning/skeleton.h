// SPDX-License-Identifier: Apache-2.0
// Builds a skeleton from a line or a mesh: bones and joints with masses, inertias and stiffness
// that follow from the material and the cross sections.
#pragma once

#include "geometry/mesh.h"
#include "rheology/material.h"
#include "rheology/solver.h"

#include <vector>

namespace nendo::rheology {

/// Ends of a skeleton that are fixed to the world.
enum class Clamp { none, first, both };

/// The cross section of a bar, described by its moments. Its axes are y (width) and z (height).
struct Section {
    double area = 0;    ///< [m^2]
    double about_y = 0; ///< Second moment of area for bending about y: integral of z^2 [m^4]
    double about_z = 0; ///< Second moment of area for bending about z: integral of y^2 [m^4]

    static Section ellipse(double width, double height);
    static Section rectangle(double width, double height);
    /// Torsion constant of an ellipse with these moments [m^4].
    double twist() const { return 4 * about_y * about_z / (about_y + about_z); }
    double half_width() const;  ///< Half the width of the ellipse with these moments [m]
    double half_height() const; ///< Half its height [m]
};

/// One straight segment of a skeleton.
struct Segment {
    Vec3d begin, end; ///< [m]
    Section section;
    Mat3d rotation;  ///< Axes: x along the segment, y and z those of the section
    double mass = 0; ///< [kg]
    Vec3d center;    ///< Center of mass [m]
    Mat3d inertia;   ///< About the center, in the segment's axes [kg m^2]

    double length() const { return (end - begin).norm(); }
};

/// Returns straight bars between the points, all with one section, whose height is along `up` where
/// possible. Throws if there are fewer than two points or two successive points coincide.
std::vector<Segment> segments_of_line(const std::vector<Vec3d>& points, const Section& section,
                                      const Vec3d& up, const Material& material);

/// The center line of a mesh: `count` segments from one end to the other, following the path
/// through its interior. Each has the mass, inertia and section of the material around it.
struct MeshSegments {
    std::vector<Segment> segments;
    double volume = 0; ///< Volume of the mesh [m^3]
};
MeshSegments segments_of_mesh(const TriMesh& mesh, int count, const Material& material);

/// Returns the springs and dashpots between two segments. The joint is as soft as the half lengths
/// on either side. A null `parent` is the world.
Rheology rheology_between(const Segment* parent, const Segment& child, const Material& material);

/// Makes bones from the segments, joined in a row.
Body make_skeleton(const std::vector<Segment>& segments, const Material& material, Clamp clamp);

/// Adds the bones of a branch, joins its first point to the nearest existing segment, and appends
/// its segments. Throws if the branch does not begin on the skeleton.
void add_branch(Body& body, std::vector<Segment>& segments, const std::vector<Segment>& branch,
                const Material& material);

} // namespace nendo::rheology
