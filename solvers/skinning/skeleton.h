// SPDX-License-Identifier: Apache-2.0
// From art to bones: a line or a mesh becomes bones and joints, with masses, inertias and
// stiffness as its matter and sections give them.
#pragma once

#include "geometry/mesh.h"
#include "rheology/material.h"
#include "rheology/solver.h"

#include <vector>

namespace nendo::rheology {

/// What holds a skeleton to the world.
enum class Clamp { none, first, both };

/// The cross section of a bar, as an ellipse: its own axes are y (width) and z (height).
struct Section {
    double area = 0;    ///< [m^2]
    double about_y = 0; ///< Second moment of area for bending about y: integral of z^2 [m^4]
    double about_z = 0; ///< Integral of y^2 [m^4]

    static Section ellipse(double width, double height);
    static Section rectangle(double width, double height);
    /// For twist [m^4]: that of an ellipse with these moments.
    double twist() const { return 4 * about_y * about_z / (about_y + about_z); }
    double half_width() const;  ///< Of the ellipse with these moments [m]
    double half_height() const; ///< [m]
};

/// One straight piece of a skeleton.
struct Segment {
    Vec3d begin, end; ///< [m]
    Section section;
    Mat3d turn;      ///< Its axes: x along it, y and z those of the section
    double mass = 0; ///< [kg]
    Vec3d center;    ///< Of mass [m]
    Mat3d inertia;   ///< About the center, in its axes [kg m^2]

    double length() const { return (end - begin).norm(); }
};

/// Straight bars between the points, all of one section, whose height is along `up` where it can
/// be. Throws when there are fewer than two points or two follow one another at the same place.
std::vector<Segment> segments_of_line(const std::vector<Vec3d>& points, const Section& section,
                                      const Vec3d& up, const Material& material);

/// The line in the middle of a mesh: `count` pieces from one end to the other, by the way through
/// its matter, each with the mass, inertia and section of the matter around it. `turn_about` says
/// which points of `fill` each piece got.
struct MeshSegments {
    std::vector<Segment> segments;
    double volume = 0; ///< Of the mesh [m^3]
};
MeshSegments segments_of_mesh(const TriMesh& mesh, int count, const Material& material);

/// Springs and dashpots between two pieces: each is as soft as half the length on either side. A
/// null `parent` is the world.
Rheology rheology_between(const Segment* parent, const Segment& child, const Material& material);

/// Bones on the pieces, joined in a row.
Body make_skeleton(const std::vector<Segment>& segments, const Material& material, Clamp clamp);

/// Adds bones on the pieces of a branch, whose first point is joined to the nearest of the pieces
/// that the skeleton has, and appends them to these. Throws where the branch begins outside of what
/// is there.
void add_branch(Body& body, std::vector<Segment>& segments, const std::vector<Segment>& branch,
                const Material& material);

} // namespace nendo::rheology
