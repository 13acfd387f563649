// SPDX-License-Identifier: Apache-2.0
// Signed distances of planes, boxes, spheres, ellipsoids, capsules, unions and the test animal.
#include "geometry/sdf.h"

#include "core/error.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace nendo {
namespace {

/// Returns v / |v|, or the x axis if v has no direction.
Vec3d safe_unit(const Vec3d& v) {
    const double length = v.norm();
    if (!(length > 0) || !std::isfinite(length)) return Vec3d::UnitX();
    return v / length;
}

void require_positive(double value, const char* shape, const char* quantity) {
    if (!(value > 0) || !std::isfinite(value))
        throw Error(std::string(quantity) + " is " + std::to_string(value), shape,
                    "use a finite number above 0");
}

void require_finite(const Vec3d& value, const char* shape, const char* quantity) {
    if (!value.allFinite())
        throw Error(std::string(quantity) + " is not finite", shape, "use three finite numbers");
}

class Plane final : public Sdf {
public:
    Plane(const Vec3d& point, const Vec3d& unit_normal) : m_point(point), m_normal(unit_normal) {}

    double distance(const Vec3d& p) const override { return m_normal.dot(p - m_point); }
    Vec3d normal(const Vec3d&) const override { return m_normal; }
    Box3 bounds() const override {
        Box3 box{Vec3d::Constant(-infinite), Vec3d::Constant(infinite)};
        for (int k = 0; k < 3; ++k) {
            if (m_normal[k] == 1) box.max[k] = m_point[k];
            if (m_normal[k] == -1) box.min[k] = m_point[k];
        }
        return box;
    }

private:
    Vec3d m_point, m_normal;
};

class Box final : public Sdf {
public:
    Box(const Vec3d& center, const Vec3d& size) : m_center(center), m_half(size / 2) {}

    double distance(const Vec3d& p) const override {
        const Vec3d q = (p - m_center).cwiseAbs() - m_half;
        return q.cwiseMax(0.0).norm() + std::min(q.maxCoeff(), 0.0);
    }
    Vec3d normal(const Vec3d& p) const override {
        const Vec3d local = p - m_center;
        const Vec3d q = local.cwiseAbs() - m_half;
        const auto sign = [&](int k) { return local[k] < 0 ? -1.0 : 1.0; };
        if (q.maxCoeff() > 0) {
            const Vec3d out = q.cwiseMax(0.0);
            return safe_unit({sign(0) * out.x(), sign(1) * out.y(), sign(2) * out.z()});
        }
        int nearest = 0;
        q.maxCoeff(&nearest);
        return sign(nearest) * Vec3d::Unit(nearest);
    }
    Box3 bounds() const override { return {m_center - m_half, m_center + m_half}; }

private:
    Vec3d m_center, m_half;
};

/// All points within `radius` of a segment. A sphere is a capsule whose ends coincide.
class Capsule final : public Sdf {
public:
    Capsule(const Vec3d& a, const Vec3d& b, double radius) : m_a(a), m_b(b), m_radius(radius) {}

    double distance(const Vec3d& p) const override { return from_axis(p).norm() - m_radius; }
    Vec3d normal(const Vec3d& p) const override { return safe_unit(from_axis(p)); }
    Box3 bounds() const override {
        return {m_a.cwiseMin(m_b).array() - m_radius, m_a.cwiseMax(m_b).array() + m_radius};
    }

private:
    Vec3d from_axis(const Vec3d& p) const {
        const Vec3d axis = m_b - m_a;
        const double length2 = axis.squaredNorm();
        const double t = length2 > 0 ? std::clamp((p - m_a).dot(axis) / length2, 0.0, 1.0) : 0.0;
        return p - (m_a + t * axis);
    }

    Vec3d m_a, m_b;
    double m_radius;
};

class Ellipsoid final : public Sdf {
public:
    Ellipsoid(const Vec3d& center, const Vec3d& radii) : m_center(center), m_radii(radii) {}

    double distance(const Vec3d& p) const override {
        const Vec3d local = p - m_center;
        const double gap = (local.cwiseAbs() - closest(local)).norm();
        return local.cwiseQuotient(m_radii).squaredNorm() < 1 ? -gap : gap;
    }
    Vec3d normal(const Vec3d& p) const override {
        const Vec3d local = p - m_center;
        Vec3d n = closest(local).cwiseQuotient(m_radii.cwiseAbs2());
        for (int k = 0; k < 3; ++k) n[k] = std::copysign(n[k], local[k]);
        return safe_unit(n);
    }
    Box3 bounds() const override { return {m_center - m_radii, m_center + m_radii}; }

private:
    /// Returns the closest point x of the surface in the positive octant: x_i = r_i^2 p_i / (t +
    /// r_i^2), where t solves sum (r_i p_i / (t + r_i^2))^2 = 1. The sum is convex and decreasing,
    /// so that Newton's method from the left of the root never overshoots. The unknown is s = t +
    /// min r_i^2, which keeps its precision near the pole.
    Vec3d closest(const Vec3d& local) const {
        const Vec3d r2 = m_radii.cwiseAbs2();
        const double pole = r2.minCoeff();
        const Vec3d beyond = r2.array() - pole;
        // On a plane of symmetry the root lies on a pole; moving the point slightly avoids this.
        const Vec3d p = local.cwiseAbs().cwiseMax(1e-13 * m_radii);
        double s = (m_radii.cwiseProduct(p) - beyond).maxCoeff();
        for (int i = 0; i < 64; ++i) {
            const Vec3d denominator = beyond.array() + s;
            const Vec3d q = m_radii.cwiseProduct(p).cwiseQuotient(denominator);
            const double slope = -2 * q.cwiseAbs2().cwiseQuotient(denominator).sum();
            const double step = -(q.squaredNorm() - 1) / slope;
            s += step;
            if (!(step > 1e-15 * s)) break;
        }
        return r2.cwiseProduct(p).array() / (beyond.array() + s);
    }

    Vec3d m_center, m_radii;
};

/// The polynomial smooth minimum. It blends the gradients of its arguments convexly, so that it is
/// a distance bound where both are. Returns the value and the weight of `b`.
std::pair<double, double> smooth_min(double a, double b, double blend) {
    const double overlap = blend > 0 ? std::max(blend - std::abs(a - b), 0.0) / blend : 0.0;
    const double value = std::min(a, b) - overlap * overlap * blend / 4;
    return {value, a < b ? overlap / 2 : 1 - overlap / 2};
}

class Union final : public Sdf {
public:
    Union(std::vector<SdfPtr> parts, double blend) : m_parts(std::move(parts)), m_blend(blend) {
        for (const SdfPtr& part : m_parts) {
            m_boxes.push_back(part->bounds());
            m_bounds = join_boxes(m_bounds, m_boxes.back());
        }
        // Each blend adds at most a quarter of `blend`, and none once the running minimum is
        // `blend` deep.
        const double bulge = m_blend * std::min(1.0, double(m_parts.size() - 1) / 4);
        m_bounds.min.array() -= bulge;
        m_bounds.max.array() += bulge;
    }

    double distance(const Vec3d& p) const override {
        double d = m_parts.front()->distance(p);
        for (std::size_t i = 1; i < m_parts.size(); ++i)
            if (matters(i, p, d)) d = smooth_min(d, m_parts[i]->distance(p), m_blend).first;
        return d;
    }
    Vec3d normal(const Vec3d& p) const override {
        double d = m_parts.front()->distance(p);
        Vec3d n = m_parts.front()->normal(p);
        for (std::size_t i = 1; i < m_parts.size(); ++i) {
            if (!matters(i, p, d)) continue;
            const auto [value, weight] = smooth_min(d, m_parts[i]->distance(p), m_blend);
            if (weight > 0) n = (1 - weight) * n + weight * m_parts[i]->normal(p);
            d = value;
        }
        return safe_unit(n);
    }
    Box3 bounds() const override { return m_bounds; }

private:
    /// False if the part's box is too far away for the part to change the running minimum.
    bool matters(std::size_t part, const Vec3d& p, double d) const {
        const Box3& box = m_boxes[part];
        const double gap2 = (box.min - p).cwiseMax(p - box.max).cwiseMax(0.0).squaredNorm();
        const double limit = std::max(d + m_blend, 0.0);
        return gap2 == 0 || gap2 < limit * limit;
    }

    std::vector<SdfPtr> m_parts;
    std::vector<Box3> m_boxes;
    double m_blend;
    Box3 m_bounds;
};

class Posed final : public Sdf {
public:
    Posed(SdfPtr shape, const Pose& pose)
        : m_shape(std::move(shape)), m_to_local(pose.inverse(Eigen::Isometry)),
          m_bounds(pose_box(m_shape->bounds(), pose)) {}

    double distance(const Vec3d& p) const override { return m_shape->distance(m_to_local * p); }
    Vec3d normal(const Vec3d& p) const override {
        return m_to_local.linear().transpose() * m_shape->normal(m_to_local * p);
    }
    bool inside(const Vec3d& p) const override { return m_shape->inside(m_to_local * p); }
    Box3 bounds() const override { return m_bounds; }

private:
    SdfPtr m_shape;
    Pose m_to_local;
    Box3 m_bounds;
};

/// An ear of the animal: an ellipsoid that leans outward and back.
struct Ear {
    Vec3d center{0.098, 0.81, 0.035};
    Vec3d radii{0.058, 0.195, 0.042};
    double lean = 0.23;  ///< About z [rad]
    double tilt = -0.14; ///< About x [rad]

    Pose pose(double side) const {
        Pose pose = Pose::Identity();
        pose.linear() = (Eigen::AngleAxisd(tilt, Vec3d::UnitX()) *
                         Eigen::AngleAxisd(-side * lean, Vec3d::UnitZ()))
                            .toRotationMatrix();
        pose.translation() = Vec3d(side * center.x(), center.y(), center.z());
        return pose;
    }
    /// Only the ears reach this height, so that no blend changes it.
    double top() const {
        return center.y() + pose(1).linear().row(1).cwiseProduct(radii.transpose()).norm();
    }
};

/// A sitting rabbit. Its soles are cut flat so that it stands.
class Animal final : public Sdf {
public:
    explicit Animal(double height) : m_scale(height / Ear().top()) {
        constexpr double blend = 0.03;
        std::vector<SdfPtr> parts{
            make_ellipsoid({0, 0.235, -0.09}, {0.185, 0.225, 0.21}),  // rump and back
            make_ellipsoid({0, 0.31, 0.035}, {0.135, 0.205, 0.13}),   // chest
            make_ellipsoid({0, 0.565, 0.085}, {0.132, 0.122, 0.142}), // head
            make_ellipsoid({0, 0.53, 0.195}, {0.072, 0.058, 0.062}),  // muzzle
            make_sphere({0, 0.135, -0.31}, 0.072),                    // tail
        };
        // Each pair is blended first, so that left and right are identical.
        const auto add_pair = [&](const auto& make) {
            parts.push_back(make_union({make(-1.0), make(1.0)}, blend));
        };
        add_pair([](double side) { // haunch
            return make_ellipsoid({side * 0.165, 0.155, -0.06}, {0.085, 0.15, 0.15});
        });
        add_pair([](double side) { // hind foot
            return make_capsule({side * 0.185, 0.04, -0.08}, {side * 0.205, 0.04, 0.11}, 0.05);
        });
        add_pair([](double side) { // front leg
            return make_capsule({side * 0.085, 0.27, 0.1}, {side * 0.09, 0.06, 0.17}, 0.045);
        });
        add_pair([](double side) { // paw
            return make_ellipsoid({side * 0.09, 0.035, 0.195}, {0.048, 0.045, 0.07});
        });
        add_pair([](double side) { return make_sphere({side * 0.07, 0.53, 0.13}, 0.07); }); // cheek
        add_pair([](double side) {
            return make_posed(make_ellipsoid(Vec3d::Zero(), Ear().radii), Ear().pose(side));
        });
        m_shape = make_union(std::move(parts), blend);
        m_bounds = m_shape->bounds();
        m_offset = {0, 0, -(m_bounds.min.z() + m_bounds.max.z()) / 2};
        m_bounds.min = m_scale * (m_bounds.min + m_offset);
        m_bounds.max = m_scale * (m_bounds.max + m_offset);
        m_bounds.min.y() = 0;
        m_bounds.max.y() = height;
    }

    double distance(const Vec3d& p) const override {
        return std::max(m_scale * m_shape->distance(to_unit(p)), -p.y());
    }
    Vec3d normal(const Vec3d& p) const override {
        const Vec3d q = to_unit(p);
        if (-p.y() > m_scale * m_shape->distance(q)) return -Vec3d::UnitY();
        return m_shape->normal(q);
    }
    Box3 bounds() const override { return m_bounds; }

private:
    Vec3d to_unit(const Vec3d& p) const { return p / m_scale - m_offset; }

    double m_scale;
    SdfPtr m_shape;
    Vec3d m_offset;
    Box3 m_bounds;
};

} // namespace

Box3 join_boxes(const Box3& a, const Box3& b) {
    return {a.min.cwiseMin(b.min), a.max.cwiseMax(b.max)};
}

Box3 pose_box(const Box3& box, const Pose& pose) {
    Box3 posed{pose.translation(), pose.translation()};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            const double r = pose.linear()(i, j);
            if (std::abs(r) < 1e-12) continue; // Zero times an infinite side stays zero.
            posed.min[i] += std::min(r * box.min[j], r * box.max[j]);
            posed.max[i] += std::max(r * box.min[j], r * box.max[j]);
        }
    return posed;
}

bool is_finite(const Box3& box) {
    return box.min.allFinite() && box.max.allFinite();
}

Vec3d Sdf::normal(const Vec3d& point) const {
    const Box3 box = bounds();
    const double size = is_finite(box) ? (box.max - box.min).norm() : 1.0;
    const double step = 1e-6 * std::max(size, point.cwiseAbs().maxCoeff());
    Vec3d gradient;
    for (int k = 0; k < 3; ++k) {
        const Vec3d offset = step * Vec3d::Unit(k);
        gradient[k] = distance(point + offset) - distance(point - offset);
    }
    return safe_unit(gradient);
}

SdfPtr make_plane(const Vec3d& point, const Vec3d& normal) {
    require_finite(point, "plane", "point");
    require_finite(normal, "plane", "normal");
    if (!(normal.norm() > 0))
        throw Error("the normal has no direction", "plane", "use a vector that is not zero");
    return std::make_shared<Plane>(point, normal.normalized());
}

SdfPtr make_box(const Vec3d& center, const Vec3d& size) {
    require_finite(center, "box", "center");
    for (int k = 0; k < 3; ++k) require_positive(size[k], "box", "size");
    return std::make_shared<Box>(center, size);
}

SdfPtr make_sphere(const Vec3d& center, double radius) {
    require_finite(center, "sphere", "center");
    require_positive(radius, "sphere", "radius");
    return std::make_shared<Capsule>(center, center, radius);
}

SdfPtr make_ellipsoid(const Vec3d& center, const Vec3d& radii) {
    require_finite(center, "ellipsoid", "center");
    for (int k = 0; k < 3; ++k) require_positive(radii[k], "ellipsoid", "radius");
    return std::make_shared<Ellipsoid>(center, radii);
}

SdfPtr make_capsule(const Vec3d& a, const Vec3d& b, double radius) {
    require_finite(a, "capsule", "first end");
    require_finite(b, "capsule", "second end");
    require_positive(radius, "capsule", "radius");
    return std::make_shared<Capsule>(a, b, radius);
}

SdfPtr make_union(std::vector<SdfPtr> parts, double blend) {
    if (parts.empty()) throw Error("there are no parts", "union", "add at least one shape");
    if (!(blend >= 0) || !std::isfinite(blend))
        throw Error("the blend is " + std::to_string(blend), "union", "use a length of 0 or more");
    return std::make_shared<Union>(std::move(parts), blend);
}

SdfPtr make_animal(double height) {
    require_positive(height, "animal", "height");
    return std::make_shared<Animal>(height);
}

SdfPtr make_posed(SdfPtr shape, const Pose& pose) {
    return std::make_shared<Posed>(std::move(shape), pose);
}

} // namespace nendo
