// SPDX-License-Identifier: Apache-2.0
// Builds bones and joints from line segments with cross sections.
#include "skinning/skeleton.h"

#include "core/error.h"
#include "math/kernels.h"
#include "math/rotation.h"

#include <algorithm>
#include <cmath>

namespace nendo::rheology {
namespace {

/// Returns axes with x along `along` and z as close to `up` as possible.
Mat3d axes_of(const Vec3d& along, const Vec3d& up) {
    Vec3d side = up.cross(along);
    if (side.norm() < 1e-6 * up.norm())
        side = (std::abs(along.x()) < 0.6 ? Vec3d::UnitX() : Vec3d::UnitZ()).cross(along);
    Mat3d axes;
    axes.col(0) = along;
    axes.col(1) = side.normalized();
    axes.col(2) = along.cross(axes.col(1));
    return axes;
}

/// 1 / stiffness of half a segment about x, y and z, for modulus E (G = E / (2 + 2 nu) for twist).
Vec3d half_softness(const Segment& s, double modulus, double poisson) {
    const double half = 0.5 * s.length();
    return Vec3d(half * 2 * (1 + poisson) / s.section.twist(), half / s.section.about_y,
                 half / s.section.about_z) /
           modulus;
}

/// Second moment of area in the weaker bending direction.
double weak_moment(const Section& s) {
    return std::min(s.about_y, s.about_z);
}

/// Torque at which the surface reaches the yield stress.
double yield_torque(const Section& s, double stress) {
    return stress == 0 ? 0 : stress * weak_moment(s) / std::min(s.half_width(), s.half_height());
}

Bone make_bone(const Segment& s) {
    Bone bone;
    bone.pose.linear() = s.rotation;
    bone.pose.translation() = s.center;
    bone.mass = s.mass;
    bone.inertia = s.inertia;
    const double width = s.section.half_width(), height = s.section.half_height();
    bone.radius = std::min(width, height);
    bone.half = Vec3d(0.5 * s.length(), width - bone.radius, height - bone.radius);
    for (int k = 1; k < 3; ++k)
        if (bone.half[k] < 0.1 * bone.radius) bone.half[k] = 0;
    return bone;
}

Joint make_joint(int parent, int child, const Vec3d& place, const std::vector<Segment>& segments,
                 const Material& material) {
    const Segment* a = parent < 0 ? nullptr : &segments[static_cast<std::size_t>(parent)];
    const Segment& b = segments[static_cast<std::size_t>(child)];
    Joint joint;
    joint.parent = parent;
    joint.child = child;
    joint.frame.linear() = b.rotation;
    joint.frame.translation() = place;
    joint.rheology = rheology_between(a, b, material);
    return joint;
}

void join_in_a_row(Body& body, const std::vector<Segment>& segments, std::size_t first,
                   const Material& material) {
    for (std::size_t k = first + 1; k < segments.size(); ++k)
        body.joints.push_back(make_joint(static_cast<int>(k - 1), static_cast<int>(k),
                                         segments[k].begin, segments, material));
}

double distance_to(const Segment& s, const Vec3d& x) {
    const Vec3d d = s.end - s.begin, r = x - s.begin;
    const double t = std::clamp(r.dot(d) / d.squaredNorm(), 0.0, 1.0);
    return (r - t * d).norm();
}

} // namespace

Section Section::ellipse(double width, double height) {
    Section s;
    s.area = 0.25 * pi * width * height;
    s.about_y = pi / 64 * width * height * height * height;
    s.about_z = pi / 64 * height * width * width * width;
    return s;
}

Section Section::rectangle(double width, double height) {
    Section s;
    s.area = width * height;
    s.about_y = width * height * height * height / 12;
    s.about_z = height * width * width * width / 12;
    return s;
}

double Section::half_width() const {
    return 2 * std::sqrt(about_z / area);
}

double Section::half_height() const {
    return 2 * std::sqrt(about_y / area);
}

std::vector<Segment> segments_of_line(const std::vector<Vec3d>& points, const Section& section,
                                      const Vec3d& up, const Material& material) {
    if (points.size() < 2)
        throw Error("a line of " + std::to_string(points.size()) + " points has no segment",
                    "points", "use two points or more");
    std::vector<Segment> segments;
    for (std::size_t k = 0; k + 1 < points.size(); ++k) {
        Segment s;
        s.begin = points[k];
        s.end = points[k + 1];
        s.section = section;
        const double length = s.length();
        if (!(length > 0) || !std::isfinite(length))
            throw Error("a segment of the line has zero length",
                        "points[" + std::to_string(k) + "]",
                        "remove points that repeat the one before");
        s.rotation = axes_of((s.end - s.begin) / length, up);
        s.mass = material.density * section.area * length;
        s.center = 0.5 * (s.begin + s.end);
        const double across = s.mass * length * length / 12;
        s.inertia = (material.density * length *
                     Vec3d(section.about_y + section.about_z, section.about_y, section.about_z))
                        .asDiagonal();
        s.inertia(1, 1) += across;
        s.inertia(2, 2) += across;
        segments.push_back(s);
    }
    return segments;
}

Rheology rheology_between(const Segment* parent, const Segment& child, const Material& material) {
    const auto softness = [&](double modulus) {
        Vec3d sum = half_softness(child, modulus, material.poisson);
        if (parent != nullptr) sum += half_softness(*parent, modulus, material.poisson);
        return sum;
    };
    Rheology r;
    r.stiffness = softness(material.young).cwiseInverse();
    r.damping =
        std::isfinite(material.young) ? Vec3d(material.delay * r.stiffness) : Vec3d(Vec3d::Zero());
    r.first_stiffness = softness(material.first_young).cwiseInverse();
    const auto flow_softness = [](const Segment& s) {
        return 0.5 * s.length() / weak_moment(s.section);
    };
    r.flow = material.viscosity /
             (flow_softness(child) + (parent == nullptr ? 0 : flow_softness(*parent)));
    r.yield = yield_torque(child.section, material.yield);
    if (parent != nullptr)
        r.yield = std::min(r.yield, yield_torque(parent->section, material.yield));
    return r;
}

Body make_skeleton(const std::vector<Segment>& segments, const Material& material, Clamp clamp) {
    Body body;
    for (const Segment& s : segments) body.bones.push_back(make_bone(s));
    const auto last = static_cast<int>(segments.size()) - 1;
    if (clamp != Clamp::none)
        body.joints.push_back(make_joint(-1, 0, segments.front().begin, segments, material));
    join_in_a_row(body, segments, 0, material);
    if (clamp == Clamp::both)
        body.joints.push_back(make_joint(-1, last, segments.back().end, segments, material));
    return body;
}

void add_branch(Body& body, std::vector<Segment>& segments, const std::vector<Segment>& branch,
                const Material& material) {
    const Vec3d& place = branch.front().begin;
    std::size_t nearest = 0;
    double least = infinite;
    for (std::size_t k = 0; k < segments.size(); ++k) {
        const double distance = distance_to(segments[k], place);
        if (distance < least) least = distance, nearest = k;
    }
    const Section& own = branch.front().section;
    const Section& other = segments[nearest].section;
    const double reach = std::max(own.half_width(), own.half_height()) +
                         std::max(other.half_width(), other.half_height());
    if (least > reach)
        throw Error("the branch begins " + std::to_string(least) + " m from the nearest bone",
                    "points[0]", "start it within " + std::to_string(reach) + " m of a line");
    const auto first = segments.size();
    segments.insert(segments.end(), branch.begin(), branch.end());
    for (const Segment& s : branch) body.bones.push_back(make_bone(s));
    body.joints.push_back(
        make_joint(static_cast<int>(nearest), static_cast<int>(first), place, segments, material));
    join_in_a_row(body, segments, first, material);
}

} // namespace nendo::rheology
