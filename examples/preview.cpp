#include "preview.h"

#include "core/error.h"
#include "geometry/level_set.h"

#include <openvdb/tools/Interpolation.h>
#include <openvdb/tools/RayIntersector.h>

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <tuple>
#include <utility>

namespace nendo {
namespace {

const double pi = 3.14159265358979323846;

using VdbRay = openvdb::math::Ray<double>;
using Intersector = openvdb::tools::LevelSetRayIntersector<openvdb::FloatGrid>;
template <class Tree> using Reader = openvdb::tree::ValueAccessor<const Tree, false>;

struct Ray {
    Vec3d origin, direction; ///< Unit direction
};

enum class Kind : std::uint8_t { background, matter, collider, floor };

struct Hit {
    double t = infinite;
    Kind kind = Kind::background;
    Vec3d normal{0, 1, 0};
    Vec3d color{0, 0, 0};
    std::size_t object = 0;
};

/// Entry and exit of a ray through a box; empty when first > second.
std::pair<double, double> clip_to_box(const Ray& ray, const Box3& box) {
    double enter = 0, leave = infinite;
    for (int k = 0; k < 3; ++k) {
        const double inverse = 1 / ray.direction[k];
        double a = (box.min[k] - ray.origin[k]) * inverse;
        double b = (box.max[k] - ray.origin[k]) * inverse;
        if (std::isnan(a) || std::isnan(b)) continue; // Along the face of the slab.
        if (a > b) std::swap(a, b);
        enter = std::max(enter, a);
        leave = std::min(leave, b);
    }
    return {enter, leave};
}

/// One surface, ready for rays.
class Skin {
public:
    Skin(const Surface& surface, const std::vector<Shade>& shades)
        : m_grid(surface.level_set->distance), m_intersector(*m_grid), m_bounds(surface.bounds),
          m_voxel(surface.voxel_size) {
        const auto color_of = [&](std::int32_t body) {
            const auto i = std::size_t(std::max(body, 0));
            return shades.empty() ? default_color(i) : shades[std::min(i, shades.size() - 1)].color;
        };
        const openvdb::Int32Grid::Ptr bodies = surface.level_set->body;
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
    /// Rays of one thread ask their own copy.
    Intersector intersector() const { return m_intersector; }

    /// By differences over more than a voxel: smoother than the surface's own facets.
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

    /// Where bodies have grown together their colours run into each other over about a spacing.
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

private:
    openvdb::FloatGrid::ConstPtr m_grid;
    Intersector m_intersector;
    openvdb::Vec3STree::Ptr m_colors;
    Vec3d m_color;
    Box3 m_bounds;
    double m_voxel;
};

/// Walks along the ray by the distance that the shape promises to be free.
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
            // A plane at a grazing angle takes thousands of such steps, or one of Newton's.
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

class World {
public:
    World(const PreviewScene& scene) : m_colliders(scene.colliders), m_ground(scene.ground) {
        for (const Surface* surface : scene.surfaces) m_skins.emplace_back(*surface, scene.shades);
        for (const PreviewCollider& c : m_colliders) m_to_local.push_back(c.pose.inverse());
        const Box3 box = scene_bounds(scene);
        m_center = is_finite(box) ? Vec3d((box.min + box.max) / 2) : Vec3d::Zero();
        m_size = is_finite(box) ? (box.max - box.min).norm() : 1.0;
    }

    double size() const { return m_size; }
    const Vec3d& center() const { return m_center; }
    double precision() const { return 1e-4 * m_size; }
    const std::vector<Skin>& skins() const { return m_skins; }

    /// What a thread needs for itself.
    std::vector<Intersector> intersectors() const {
        std::vector<Intersector> list;
        for (const Skin& skin : m_skins) list.push_back(skin.intersector());
        return list;
    }

    Hit trace(const Ray& ray, const std::vector<Intersector>& intersectors) const {
        Hit hit;
        for (std::size_t i = 0; i < m_skins.size(); ++i) {
            openvdb::Vec3d where;
            double t = 0;
            const VdbRay r(to_vdb(ray.origin), to_vdb(ray.direction));
            if (!intersectors[i].intersectsWS(r, where, t)) continue;
            t = (from_vdb(where) - ray.origin).dot(ray.direction);
            if (t < hit.t) {
                hit.t = t;
                hit.kind = Kind::matter;
                hit.object = i;
            }
        }
        for (std::size_t i = 0; i < m_colliders.size(); ++i) {
            const double t =
                trace_shape(*m_colliders[i].shape, to_local(ray, i), hit.t, precision());
            if (t < hit.t) {
                hit.t = t;
                hit.kind = is_finite(m_colliders[i].shape->bounds()) ? Kind::collider : Kind::floor;
                hit.object = i;
            }
        }
        bool drawn_ground = false;
        if (m_ground && ray.direction.y() < 0) {
            const double t = (*m_ground - ray.origin.y()) / ray.direction.y();
            if (t > 0 && t < hit.t) {
                hit.t = t;
                hit.kind = Kind::floor;
                hit.normal = Vec3d::UnitY();
                drawn_ground = true;
            }
        }
        if (hit.kind == Kind::background) return hit;
        const Vec3d p = ray.origin + hit.t * ray.direction;
        if (hit.kind == Kind::matter) {
            hit.normal = m_skins[hit.object].normal(p);
            hit.color = m_skins[hit.object].color(p);
        } else if (!drawn_ground) {
            const PreviewCollider& c = m_colliders[hit.object];
            hit.normal = c.pose.linear() * c.shape->normal(m_to_local[hit.object] * p);
            hit.color = c.color;
        }
        if (hit.kind == Kind::floor) hit.color = Vec3d(0.44, 0.43, 0.415);
        return hit;
    }

    bool blocked(const Ray& ray, double longest,
                 const std::vector<Intersector>& intersectors) const {
        for (const Intersector& intersector : intersectors) {
            const VdbRay r(to_vdb(ray.origin), to_vdb(ray.direction),
                           openvdb::math::Delta<double>::value(), std::min(longest, 1e30));
            if (intersector.intersectsWS(r)) return true;
        }
        for (std::size_t i = 0; i < m_colliders.size(); ++i)
            if (trace_shape(*m_colliders[i].shape, to_local(ray, i), longest, precision()) <
                longest)
                return true;
        return false;
    }

    /// How far from the surface secondary rays start, so that they do not meet it again.
    double lift(const Hit& hit) const {
        return hit.kind == Kind::matter ? 0.75 * m_skins[hit.object].voxel() : 4 * precision();
    }

private:
    Ray to_local(const Ray& ray, std::size_t collider) const {
        return {m_to_local[collider] * ray.origin, m_to_local[collider].linear() * ray.direction};
    }

    std::vector<Skin> m_skins;
    std::vector<PreviewCollider> m_colliders;
    std::vector<Pose> m_to_local;
    std::optional<double> m_ground;
    Vec3d m_center;
    double m_size = 1;
};

/// Two vectors that make a frame with `axis`.
std::pair<Vec3d, Vec3d> across(const Vec3d& axis) {
    const Vec3d helper = std::abs(axis.y()) < 0.9 ? Vec3d::UnitY() : Vec3d::UnitX();
    const Vec3d u = axis.cross(helper).normalized();
    return {u, axis.cross(u)};
}

/// Everything that a sample of the picture knows before it is lit.
struct Sample {
    Eigen::Vector3f color{0, 0, 0};
    Eigen::Vector3f normal{0, 0, 0};
    float depth = 0;
    float sun = 0; ///< Share of the sun that is seen
    float sky = 0; ///< Light from the sky and its reflections, 1: open sky
    Kind kind = Kind::background;
};

/// Neighbouring samples look in different directions, in a pattern that repeats every 8 by 8, and
/// then share what they saw with their like in such a square. So few rays give smooth shadows.
constexpr int pattern = 8;

/// Morton's order of the places: every small square in it looks evenly all around.
int place_in_pattern(int x, int y) {
    int place = 0;
    for (int bit = 0; (1 << bit) < pattern; ++bit)
        place |= ((x >> bit) & 1) << (2 * bit) | ((y >> bit) & 1) << (2 * bit + 1);
    return place;
}

struct Lighting {
    const World& world;
    Vec3d sun, sun_u, sun_v;
    double sun_width;

    void light(Sample& sample, const Hit& hit, const Vec3d& eye_ray, const Vec3d& p, int number,
               const std::vector<Intersector>& intersectors) const {
        // The R2 sequence [Roberts 2018] over the pattern's 64 places.
        const double a = std::fmod(0.5 + 0.7548776662466927 * number, 1.0);
        const double b = std::fmod(0.5 + 0.5698402909980532 * number, 1.0);
        const Vec3d n = hit.normal.dot(eye_ray) < 0 ? hit.normal : Vec3d(-hit.normal);
        const Vec3d start = p + world.lift(hit) * n;

        const double r = sun_width * std::sqrt(a), phi = 2 * pi * b;
        const Vec3d to_sun =
            (sun + r * (std::cos(phi) * sun_u + std::sin(phi) * sun_v)).normalized();
        if (n.dot(to_sun) > 0)
            sample.sun = world.blocked({start, to_sun}, infinite, intersectors) ? 0.0f : 1.0f;

        const auto [u, v] = across(n);
        const double s = std::sqrt(b), psi = 2 * pi * a;
        const Vec3d out =
            (s * (std::cos(psi) * u + std::sin(psi) * v) + std::sqrt(std::max(0.0, 1 - b)) * n)
                .normalized();
        const double reach = 0.6 * world.size();
        if (world.blocked({start, out}, reach, intersectors))
            sample.sky = 0.22f; // What surfaces lend each other.
        else
            sample.sky = out.y() > 0 ? 0.8f + 0.2f * float(out.y()) : 0.45f; // Sky, or floor.
    }
};

Eigen::Vector3f background(double height) {
    const auto t = float(std::clamp(0.5 + 0.5 * height, 0.0, 1.0));
    const Eigen::Vector3f low(0.60f, 0.59f, 0.57f), high(0.22f, 0.27f, 0.34f);
    const float s = t * t * (3 - 2 * t);
    return (1 - s) * low + s * high;
}

/// `dither` in [0, 1) spreads the rounding over neighbours, so that gradients show no bands.
std::uint8_t to_srgb(float linear, float dither) {
    const float c = std::clamp(linear, 0.0f, 1.0f);
    const float s = c <= 0.0031308f ? 12.92f * c : 1.055f * std::pow(c, 1 / 2.4f) - 0.055f;
    return std::uint8_t(std::min(255 * s + dither, 255.0f));
}

/// Leaves mid tones alone and bends highlights below white.
float tone(float c) {
    constexpr float knee = 0.6f;
    if (c < knee) return c;
    const float over = (c - knee) / (1 - knee);
    return knee + (1 - knee) * over / (1 + over) * 1.15f;
}

/// Sun and sky of each sample become the mean over the square around it, over samples of the same
/// face. Done twice, the square has soft edges.
void share_light(std::vector<Sample>& samples, int width, int height) {
    std::vector<std::pair<float, float>> shared(samples.size());
    const auto index = [&](int x, int y) {
        return std::size_t(y) * std::size_t(width) + std::size_t(x);
    };
    tbb::parallel_for(0, height, [&](int y) {
        for (int x = 0; x < width; ++x) {
            const Sample& here = samples[index(x, y)];
            if (here.kind == Kind::background) continue;
            float sun = 0, sky = 0, count = 0;
            const int left = std::max(x - pattern / 2, 0), right = std::min(x + pattern / 2, width);
            for (int j = std::max(y - pattern / 2, 0); j < std::min(y + pattern / 2, height); ++j)
                for (int i = left; i < right; ++i) {
                    const Sample& there = samples[index(i, j)];
                    if (there.kind != here.kind || there.normal.dot(here.normal) < 0.85f ||
                        std::abs(there.depth - here.depth) > 0.03f * here.depth)
                        continue;
                    sun += there.sun;
                    sky += there.sky;
                    ++count;
                }
            shared[index(x, y)] = {sun / count, sky / count};
        }
    });
    for (std::size_t i = 0; i < samples.size(); ++i)
        std::tie(samples[i].sun, samples[i].sky) = shared[i];
}

} // namespace

Camera frame_box(const Box3& box, double aspect, const Vec3d& direction, double fov) {
    if (!is_finite(box))
        throw Error("nothing to look at", "camera", "give eye and target in the scene");
    const Vec3d forward = direction.normalized();
    const Vec3d right = forward.cross(Vec3d::UnitY()).normalized();
    const Vec3d up = right.cross(forward);
    const double tangent = std::tan(fov * pi / 360);
    const Vec3d center = (box.min + box.max) / 2;
    double distance = 0;
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3d p =
            Vec3d(corner & 1 ? box.max.x() : box.min.x(), corner & 2 ? box.max.y() : box.min.y(),
                  corner & 4 ? box.max.z() : box.min.z()) -
            center;
        const double needed =
            std::max(std::abs(p.dot(right)) / (tangent * aspect), std::abs(p.dot(up)) / tangent);
        distance = std::max(distance, 1.12 * needed - p.dot(forward));
    }
    return {center - distance * forward, center, fov};
}

Box3 scene_bounds(const PreviewScene& scene) {
    Box3 box;
    for (const Surface* surface : scene.surfaces) box = join_boxes(box, surface->bounds);
    for (const PreviewCollider& collider : scene.colliders) {
        const Box3 bounds = pose_box(collider.shape->bounds(), collider.pose);
        if (is_finite(bounds)) box = join_boxes(box, bounds);
    }
    return box;
}

Vec3d default_color(std::size_t body) {
    static const std::array<Vec3d, 6> palette{Vec3d(0.70, 0.27, 0.16), Vec3d(0.11, 0.36, 0.52),
                                              Vec3d(0.75, 0.49, 0.12), Vec3d(0.22, 0.44, 0.23),
                                              Vec3d(0.55, 0.22, 0.42), Vec3d(0.58, 0.53, 0.45)};
    return palette[body % palette.size()];
}

Image render_preview(const PreviewScene& scene, const Camera& camera, const PreviewParams& params) {
    const World world(scene);
    const Vec3d forward = (camera.target - camera.eye).normalized();
    Vec3d right = forward.cross(Vec3d::UnitY());
    right = right.norm() > 1e-9 ? Vec3d(right.normalized()) : Vec3d::UnitX();
    const Vec3d up = right.cross(forward);
    const double tangent = std::tan(camera.fov * pi / 360);
    const int width = params.width * params.samples, height = params.height * params.samples;
    const Vec3d sun = params.sun.normalized();
    const auto [sun_u, sun_v] = across(sun);
    const Lighting lighting{world, sun, sun_u, sun_v, params.sun_width};

    const auto direction = [&](int x, int y) -> Vec3d {
        const double sx = (2 * (x + 0.5) - width) / height, sy = (height - 2 * (y + 0.5)) / height;
        return (forward + tangent * (sx * right + sy * up)).normalized();
    };

    // First what each sample sees, and how much of sun and sky reaches it.
    std::vector<Sample> samples(std::size_t(width) * std::size_t(height));
    constexpr int rows = 8;
    tbb::parallel_for(0, (height + rows - 1) / rows, [&](int strip) {
        const std::vector<Intersector> intersectors = world.intersectors();
        for (int y = strip * rows; y < std::min(height, (strip + 1) * rows); ++y)
            for (int x = 0; x < width; ++x) {
                const Ray ray{camera.eye, direction(x, y)};
                const Hit hit = world.trace(ray, intersectors);
                if (hit.kind == Kind::background) continue;
                Sample& s = samples[std::size_t(y) * std::size_t(width) + std::size_t(x)];
                const Vec3d p = ray.origin + hit.t * ray.direction;
                s.kind = hit.kind;
                s.color = hit.color.cast<float>();
                s.normal = hit.normal.cast<float>();
                s.depth = float(hit.t);
                lighting.light(s, hit, ray.direction, p, place_in_pattern(x, y), intersectors);
            }
    });

    for (int pass = 0; pass < 2; ++pass) share_light(samples, width, height);

    // Then the light that it sends to the eye.
    const Eigen::Vector3f sun_color = Eigen::Vector3f(1.0f, 0.93f, 0.82f) * 1.3f;
    const Eigen::Vector3f sky_color = Eigen::Vector3f(0.80f, 0.90f, 1.04f) * 0.55f;
    Image image{params.width, params.height, {}};
    image.rgb.resize(3 * std::size_t(params.width) * std::size_t(params.height));
    tbb::parallel_for(0, params.height, [&](int py) {
        for (int px = 0; px < params.width; ++px) {
            Eigen::Vector3f sum(0, 0, 0);
            for (int k = 0; k < params.samples * params.samples; ++k) {
                const int x = px * params.samples + k % params.samples;
                const int y = py * params.samples + k / params.samples;
                const Sample& s = samples[std::size_t(y) * std::size_t(width) + std::size_t(x)];
                const Vec3d ray = direction(x, y);
                Eigen::Vector3f light = background(ray.y());
                if (s.kind != Kind::background) {
                    const auto facing = float(std::max(0.0, s.normal.cast<double>().dot(sun)));
                    light = s.color.cwiseProduct(s.sun * facing * sun_color + s.sky * sky_color);
                    if (s.kind == Kind::matter) {
                        const Vec3d half = (sun - ray).normalized();
                        const auto gloss = float(std::max(0.0, s.normal.cast<double>().dot(half)));
                        light += 0.05f * s.sun * std::pow(gloss, 24.0f) * sun_color;
                    }
                    if (s.kind == Kind::floor) {
                        // The floor runs out into the background, with no horizon.
                        const Vec3d p = camera.eye + double(s.depth) * ray;
                        const double far = (p - world.center()).norm() / (3.5 * world.size());
                        const auto fade = float(std::exp(-far * far));
                        light = fade * light + (1 - fade) * background(ray.y());
                    }
                }
                for (int c = 0; c < 3; ++c) sum[c] += tone(float(params.exposure) * light[c]);
            }
            sum /= float(params.samples * params.samples);
            const auto dither = float(std::fmod(0.7548776662 * px + 0.5698402910 * py, 1.0));
            for (int c = 0; c < 3; ++c)
                image.rgb[3 * (std::size_t(py) * std::size_t(params.width) + std::size_t(px)) +
                          std::size_t(c)] = to_srgb(sum[c], dither);
        }
    });
    return image;
}

} // namespace nendo
