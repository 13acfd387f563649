// SPDX-License-Identifier: Apache-2.0
// Shapes as signed distances: negative inside, in meters, in the shape's own frame. Colliders, pins
// and bodies are all described by these.
#pragma once

#include "core/types.h"

#include <memory>
#include <string>
#include <vector>

namespace nendo {

struct Box3 {
    Vec3d min = Vec3d::Constant(infinite);
    Vec3d max = Vec3d::Constant(-infinite);
};

/// The smallest box that contains both.
Box3 join_boxes(const Box3& a, const Box3& b);
/// The smallest box that contains `box` transformed by a pose.
Box3 pose_box(const Box3& box, const Pose& pose);
bool is_finite(const Box3& box);

class Sdf {
public:
    virtual ~Sdf() = default;
    /// Signed distance [m] at a point in the shape's frame. Far away it may be any lower bound.
    virtual double distance(const Vec3d& point) const = 0;
    /// Unit outward normal. Where the distance has no gradient, any unit vector.
    virtual Vec3d normal(const Vec3d& point) const;
    /// True if the point is inside. Overridden by shapes that can tell faster than by the distance.
    virtual bool inside(const Vec3d& point) const { return distance(point) < 0; }
    /// A small box that contains the inside. Infinite if the shape is.
    virtual Box3 bounds() const = 0;
};

using SdfPtr = std::shared_ptr<const Sdf>;

/// Velocity [m/s] of the material of a shape, in the shape's frame.
class VelocityField {
public:
    virtual ~VelocityField() = default;
    virtual Vec3d at(const Vec3d& point) const = 0;
};

using VelocityPtr = std::shared_ptr<const VelocityField>;

SdfPtr make_plane(const Vec3d& point, const Vec3d& normal);
SdfPtr make_box(const Vec3d& center, const Vec3d& size);
SdfPtr make_sphere(const Vec3d& center, double radius);
SdfPtr make_ellipsoid(const Vec3d& center, const Vec3d& radii);
SdfPtr make_capsule(const Vec3d& a, const Vec3d& b, double radius);
/// The union of the parts. Edges between parts are rounded over `blend` [m] (0: sharp).
SdfPtr make_union(std::vector<SdfPtr> parts, double blend);
/// A rabbit-like animal with head, ears, paws and tail, `height` [m] tall, with its feet at y = 0,
/// facing +z.
SdfPtr make_animal(double height);
/// `shape` transformed by a pose.
SdfPtr make_posed(SdfPtr shape, const Pose& pose);

} // namespace nendo
