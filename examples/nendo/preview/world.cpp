// SPDX-License-Identifier: Apache-2.0
#include "preview/world.h"

#include "geometry/level_set.h"

#include <openvdb/tools/Interpolation.h>
#include <openvdb/tools/RayIntersector.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace nendo::cli {
namespace {

using VdbRay = openvdb::math::Ray<double>;
using Intersector = openvdb::tools::LevelSetRayIntersector<openvdb::FloatGrid>;
template <class Tree> using Reader = openvdb::tree::ValueAccessor<const Tree, false>;

/// Distances of entry into a box and exit from it; the ray misses it if first > second.
std::pair<double, double> clip_to_box(const Ray& ray, const Box3& box) {
    double enter = 0, leave = infinite;
    for (int k = 0; k < 3; ++k) {
        const double inverse = 1 / ray.direction[k];
        double a = (box.min[k] - ray.origin[k]) * inverse;
        double b = (box.max[k] - ray.origin[k]) * inverse;
        if (std::isnan(a) || std::isnan(b)) continue; // The ray lies in a face of the box.
        if (a > b) std::swap(a, b);
        enter = std::max(enter, a);
        leave = std::min(leave, b);
    }
    return {enter, leave};
}

/// One surface, prepared for ray intersection.
class Skin {
public:
    Skin(const Surface& surface, const std::vector<Shade>& shades)
        : m_grid(surface.level_set->distance), m_intersector(*m_grid), m_bounds(surface.bounds),
          m_voxel(surface.voxel_size), m_shades(shades), m_body(surface.level_set->body) {
        const auto color_of = [&](std::int32_t body) {
            const auto i = std::size_t(std::max(body, 0));
            return shades.empty() ? default_color(i) : shades[std::min(i, shades.size() - 1)].color;
        };
        const openvdb::Int32Grid::ConstPtr bodies = m_body;
        m_first = std::size_t(std::max(surface.bodies.empty() ? 0 : surface.bodies.front(), 0));
        m_color = color_of(surface.bodies.empty() ? 0 : surface.bodies.front());
        const bool one_body =
            !bodies || std::all_of(surface.bodies.begin(), surface.bodies.end(),
                                   [&](auto b) { return color_of(b) == m_color; });
        if (one_body) return;
        m_colors = openvdb::Vec3STree::Ptr(new openvdb::Vec3STree(
            bodies->tree(), openvdb::Vec3s(m_color.cast<float>().eval().data()),
            openvdb::TopologyCopy()));
        Reader<openvdb::Int32Tree> body(bodies->tree());
        for (auto it = m_colors->beginValueOn(); it; ++it) {
            const Vec3d c = color_of(body.getValue(it.getCoord()));
            it.setValue(openvdb::Vec3s(float(c.x()), float(c.y()), float(c.z())));
        }
    }

    const Box3& bounds() const { return m_bounds; }
    double voxel() const { return m_voxel; }
    /// A copy for the rays of one thread.
    Intersector intersector() const { return m_intersector; }

    /// Normal by differences over more than a voxel, which is smoother than the exact gradient.
    Vec3d normal(const Vec3d& p) const {
        Reader<openvdb::FloatTree> reader(m_grid->tree());
        const openvdb::Vec3d ijk = m_grid->worldToIndex(to_vdb(p));
        Vec3d gradient;
        for (int k = 0; k < 3; ++k) {
            openvdb::Vec3d offset(0);
            offset[k] = 0.6;
            gradient[k] = double(openvdb::tools::BoxSampler::sample(reader, ijk + offset)) -
                          double(openvdb::tools::BoxSampler::sample(reader, ijk - offset));
        }
        const double length = gradient.norm();
        return length > 0 ? Vec3d(gradient / length) : Vec3d::UnitY();
    }

    /// Color. Where bodies have merged, their colors blend over about one spacing.
    Vec3d color(const Vec3d& p) const {
        if (!m_colors) return m_color;
        Reader<openvdb::Vec3STree> reader(*m_colors);
        const openvdb::Vec3d ijk = m_grid->worldToIndex(to_vdb(p));
        openvdb::Vec3s sum(0);
        for (int corner = 0; corner < 8; ++corner) {
            const openvdb::Vec3d offset(corner & 1 ? 0.9 : -0.9, corner & 2 ? 0.9 : -0.9,
                                        corner & 4 ? 0.9 : -0.9);
            sum += openvdb::tools::BoxSampler::sample(reader, ijk + offset);
        }
        return Vec3d(double(sum.x()), double(sum.y()), double(sum.z())) / 8;
    }

    const Look& look(const Vec3d& p) const {
        if (m_shades.empty()) return m_plain;
        std::size_t body = m_first;
        if (m_body) {
            Reader<openvdb::Int32Tree> reader(m_body->tree());
            const openvdb::Vec3d ijk = m_grid->worldToIndex(to_vdb(p));
            body = std::size_t(std::max(reader.getValue(openvdb::Coord::round(ijk)), 0));
        }
        return m_shades[std::min(body, m_shades.size() - 1)].look;
    }

private:
    openvdb::FloatGrid::ConstPtr m_grid;
    Intersector m_intersector;
    openvdb::Vec3STree::Ptr m_colors;
    Vec3d m_color;
    Box3 m_bounds;
    double m_voxel;
    std::vector<Shade> m_shades;
    openvdb::Int32Grid::ConstPtr m_body;
    std::size_t m_first = 0;
    Look m_plain = find_look("clay");
};

/// Sphere tracing: steps along the ray by the distance to the shape.
double trace_shape(const Sdf& shape, const Ray& ray, double longest, double precision) {
    const Box3 box = shape.bounds();
    const bool endless = !is_finite(box);
    const Box3 padded{box.min.array() - precision, box.max.array() + precision};
    auto [t, leave] = clip_to_box(ray, padded);
    leave = std::min(leave, longest);
    for (int i = 0; i < 256 && t < leave; ++i) {
        const Vec3d p = ray.origin + t * ray.direction;
        const double d = shape.distance(p);
        if (d < precision) return t;
        if (endless) {
            // A plane at a grazing angle needs thousands of such steps, or one Newton step.
            const double slope = shape.normal(p).dot(ray.direction);
            const double target = slope < 0 ? t - d / slope : infinite;
            if (target > leave) return infinite;
            if (std::abs(shape.distance(ray.origin + target * ray.direction)) < precision)
                return target;
        }
        t += d;
    }
    return infinite;
}

} // namespace

struct World::Hidden {
    std::vector<Skin> skins;
    std::vector<PreviewCollider> colliders;
    std::vector<Pose> to_local;
    std::optional<double> ground;
    Vec3d center = Vec3d::Zero();
    double size = 1;

    double precision() const { return 1e-4 * size; }
    Ray local(const Ray& ray, std::size_t collider) const {
        return {to_local[collider] * ray.origin, to_local[collider].linear() * ray.direction};
    }
};

World::World(const PreviewScene& scene) : m_hidden(std::make_unique<Hidden>()) {
    Hidden& h = *m_hidden;
    h.colliders = scene.colliders;
    h.ground = scene.ground;
    for (const Surface* surface : scene.surfaces) h.skins.emplace_back(*surface, scene.shades);
    for (const PreviewCollider& c : h.colliders) h.to_local.push_back(c.pose.inverse());
    const Box3 box = scene_bounds(scene);
    if (!is_finite(box)) return;
    h.center = (box.min + box.max) / 2;
    h.size = (box.max - box.min).norm();
}

World::~World() = default;

double World::size() const {
    return m_hidden->size;
}
const Vec3d& World::center() const {
    return m_hidden->center;
}
double World::ray_offset(const Hit& hit) const {
    return hit.kind == Kind::matter ? 0.75 * m_hidden->skins[hit.object].voxel()
                                    : 4 * m_hidden->precision();
}
Vec3d World::normal(std::size_t object, const Vec3d& p) const {
    return m_hidden->skins[object].normal(p);
}

// ---- the rays of a thread ----------------------------------------------------------------------

struct World::Rays::Hidden {
    std::vector<Intersector> intersectors;
};

World::Rays::Rays(const World& world) : m_hidden(std::make_unique<Hidden>()), m_world(world) {
    for (const Skin& skin : world.m_hidden->skins)
        m_hidden->intersectors.push_back(skin.intersector());
}

World::Rays::~Rays() = default;

Hit World::Rays::trace(const Ray& ray) const {
    const World::Hidden& w = *m_world.m_hidden;
    Hit hit;
    for (std::size_t i = 0; i < w.skins.size(); ++i) {
        const double t = exit_distance(ray, i);
        if (t < hit.t) {
            hit.t = t;
            hit.kind = Kind::matter;
            hit.object = i;
        }
    }
    for (std::size_t i = 0; i < w.colliders.size(); ++i) {
        const double t = trace_shape(*w.colliders[i].shape, w.local(ray, i), hit.t, w.precision());
        if (t < hit.t) {
            hit.t = t;
            hit.kind = is_finite(w.colliders[i].shape->bounds()) ? Kind::collider : Kind::floor;
            hit.object = i;
        }
    }
    bool drawn_ground = false;
    if (w.ground && ray.direction.y() < 0) {
        const double t = (*w.ground - ray.origin.y()) / ray.direction.y();
        if (t > 0 && t < hit.t) {
            hit.t = t;
            hit.kind = Kind::floor;
            hit.normal = Vec3d::UnitY();
            drawn_ground = true;
        }
    }
    if (hit.kind == Kind::background) return hit;
    const Vec3d p = ray.at(hit.t);
    if (hit.kind == Kind::matter) {
        hit.normal = w.skins[hit.object].normal(p);
        hit.color = w.skins[hit.object].color(p);
        hit.look = &w.skins[hit.object].look(p);
    } else if (!drawn_ground) {
        const PreviewCollider& c = w.colliders[hit.object];
        hit.normal = c.pose.linear() * c.shape->normal(w.to_local[hit.object] * p);
        hit.color = c.color;
    }
    if (hit.kind == Kind::floor) hit.color = Vec3d(0.44, 0.43, 0.415);
    return hit;
}

bool World::Rays::blocked(const Ray& ray, double longest) const {
    const World::Hidden& w = *m_world.m_hidden;
    for (const Intersector& intersector : m_hidden->intersectors) {
        const VdbRay r(to_vdb(ray.origin), to_vdb(ray.direction),
                       openvdb::math::Delta<double>::value(), std::min(longest, 1e30));
        if (intersector.intersectsWS(r)) return true;
    }
    for (std::size_t i = 0; i < w.colliders.size(); ++i)
        if (trace_shape(*w.colliders[i].shape, w.local(ray, i), longest, w.precision()) < longest)
            return true;
    return false;
}

double World::Rays::exit_distance(const Ray& ray, std::size_t object) const {
    openvdb::Vec3d where;
    double t = 0;
    const VdbRay r(to_vdb(ray.origin), to_vdb(ray.direction));
    if (!m_hidden->intersectors[object].intersectsWS(r, where, t)) return infinite;
    return (from_vdb(where) - ray.origin).dot(ray.direction);
}

} // namespace nendo::cli
