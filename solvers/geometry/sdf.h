// SPDX-License-Identifier: Apache-2.0
// Shapes as signed distance: negative inside, in meters, in the shape's own frame. Colliders, pins
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

/// The smallest box that holds both.
Box3 join_boxes(const Box3& a, const Box3& b);
/// The smallest box that holds `box` seen through a pose.
Box3 pose_box(const Box3& box, const Pose& pose);
bool is_finite(const Box3& box);

class Sdf {
public:
    virtual ~Sdf() = default;
    /// Signed distance [m] at a point of the shape's frame; far away any lower bound on it.
    virtual double distance(const Vec3d& point) const = 0;
    /// Unit outward normal; where the distance has no gradient, any unit vector.
    virtual Vec3d normal(const Vec3d& point) const;
    /// Whether the point is inside; for shapes that know it for less than the distance costs.
    virtual bool inside(const Vec3d& point) const { return distance(point) < 0; }
    /// A small box that holds the inside; infinite where the shape is.
    virtual Box3 bounds() const = 0;
};

using SdfPtr = std::shared_ptr<const Sdf>;

/// Velocity [m/s] of a shape's matter, in the shape's frame.
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
/// Where any of the parts is; edges between parts are rounded over `blend` [m] (0: sharp).
SdfPtr make_union(std::vector<SdfPtr> parts, double blend);
/// A rabbit-like animal with head, ears, paws and tail, `height` [m] tall, feet at y = 0, that
/// looks along +z.
SdfPtr make_animal(double height);
/// `shape` seen through a pose.
SdfPtr make_posed(SdfPtr shape, const Pose& pose);

} // namespace nendo
