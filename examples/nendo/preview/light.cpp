// SPDX-License-Identifier: Apache-2.0
#include "preview/light.h"

#include "math/kernels.h"

#include <algorithm>
#include <cmath>

namespace nendo::cli {
namespace {

float positive(double x) {
    return static_cast<float>(std::max(0.0, x));
}

/// The normal, on the side that the ray comes from.
Vec3d facing(const Vec3d& normal, const Vec3d& ray) {
    return normal.dot(ray) < 0 ? normal : Vec3d(-normal);
}

} // namespace

std::pair<Vec3d, Vec3d> orthogonal_pair(const Vec3d& axis) {
    const Vec3d helper = std::abs(axis.y()) < 0.9 ? Vec3d::UnitY() : Vec3d::UnitX();
    const Vec3d u = axis.cross(helper).normalized();
    return {u, axis.cross(u)};
}

double fresnel(double cosine, double eta) {
    const double c = std::clamp(cosine, 0.0, 1.0);
    const double g2 = eta * eta - 1 + c * c;
    if (g2 <= 0) return 1;
    const double g = std::sqrt(g2);
    const double a = (g - c) / (g + c);
    const double b = (c * (g + c) - 1) / (c * (g - c) + 1);
    return 0.5 * a * a * (1 + b * b);
}

Vec3d refract(const Vec3d& direction, const Vec3d& normal, double eta) {
    const double c = -normal.dot(direction), k = 1 / eta;
    const double rest = 1 - k * k * (1 - c * c);
    if (rest < 0) return Vec3d::Zero();
    return (k * direction + (k * c - std::sqrt(rest)) * normal).normalized();
}

Light::Light(const World& world, const Daylight& day, const Vec3d& sun, double sun_width)
    : m_world(world), m_day(day), m_sun(sun.normalized()), m_sun_width(sun_width) {
    std::tie(m_sun_u, m_sun_v) = orthogonal_pair(m_sun);
}

Color Light::background(double height) const {
    const auto t = static_cast<float>(std::clamp(0.5 + 0.5 * height, 0.0, 1.0));
    const float s = t * t * (3 - 2 * t);
    return (1 - s) * m_day.low + s * m_day.high;
}

std::pair<float, float> Light::visible_light(const Hit& hit, const Vec3d& eye_ray, const Vec3d& p,
                                             int number, const World::Rays& rays) const {
    // The R2 sequence [Roberts 2018] over the pattern's 64 places.
    const double a = std::fmod(0.5 + 0.7548776662466927 * number, 1.0);
    const double b = std::fmod(0.5 + 0.5698402909980532 * number, 1.0);
    const Vec3d n = facing(hit.normal, eye_ray);
    const Vec3d start = p + m_world.ray_offset(hit) * n;

    const double r = m_sun_width * std::sqrt(a), phi = 2 * pi * b;
    const Vec3d to_sun =
        (m_sun + r * (std::cos(phi) * m_sun_u + std::sin(phi) * m_sun_v)).normalized();
    float sun = 0, sky = 0.22f; // Light reflected by other surfaces.
    if (n.dot(to_sun) > 0) sun = rays.blocked({start, to_sun}, infinite) ? 0.0f : 1.0f;

    const auto [u, v] = orthogonal_pair(n);
    const double s = std::sqrt(b), psi = 2 * pi * a;
    const Vec3d out =
        (s * (std::cos(psi) * u + std::sin(psi) * v) + std::sqrt(std::max(0.0, 1 - b)) * n)
            .normalized();
    if (!rays.blocked({start, out}, 0.6 * m_world.size()))
        sky = out.y() > 0 ? 0.8f + 0.2f * static_cast<float>(out.y()) : 0.45f; // Sky or floor.
    return {sun, sky};
}

Color Light::reflected(const Hit& hit, const Ray& ray, float sun, float sky) const {
    const Vec3d n = facing(hit.normal, ray.direction);
    const Color color = hit.color.cast<float>();
    const double cosine = n.dot(m_sun);
    if (hit.look == nullptr) {
        Color light = color.cwiseProduct(sun * positive(cosine) * m_day.sun + sky * m_day.sky);
        if (hit.kind == Kind::floor) {
            // The floor fades into the background, so that there is no horizon.
            const double far = (ray.at(hit.t) - m_world.center()).norm() / (3.5 * m_world.size());
            const auto fade = static_cast<float>(std::exp(-far * far));
            light = fade * light + (1 - fade) * background(ray.direction.y());
        }
        return light;
    }
    const Look& look = *hit.look;
    // Scattered light leaves around its point of entry: lighting wraps, and keeps its total.
    const double wrap = 0.5 * look.subsurface;
    const float lit = positive((cosine + wrap) / ((1 + wrap) * (1 + wrap)));
    const Color diffuse = color.cwiseProduct(sun * lit * m_day.sun + sky * m_day.sky);
    // A highlight of the sun, and a reflection of the sky in smooth surfaces.
    const Vec3d half = (m_sun - ray.direction).normalized();
    const double gloss = 2 / std::pow(std::max(look.roughness, 0.15), 4);
    const double peak = std::min((gloss + 2) / 8, 6.0);
    const Vec3d mirror = ray.direction - 2 * n.dot(ray.direction) * n;
    const double smooth = 1 - look.roughness;
    const double mirrored = fresnel(-n.dot(ray.direction), look.ior) * smooth * smooth;
    const auto metal = static_cast<float>(look.metallic);
    const Color share = (1 - metal) * static_cast<float>(mirrored) * Color::Ones() + metal * color;
    const Color shine = sun *
                            static_cast<float>(peak * std::pow(std::max(0.0, n.dot(half)), gloss)) *
                            positive(cosine) * m_day.sun +
                        std::min(1.0f, sky + 0.1f) * background(mirror.y());
    Color light =
        (1 - metal) * diffuse.cwiseProduct(Color::Ones() - share) + share.cwiseProduct(shine);
    if (look.glow > 0) light += static_cast<float>(look.glow) * color;
    return light;
}

Color Light::scattered(const Hit& hit, const Ray& ray, const World::Rays& rays) const {
    if (hit.look == nullptr || hit.look->subsurface <= 0) return Color::Zero();
    const Vec3d n = facing(hit.normal, ray.direction);
    const double lift = m_world.ray_offset(hit);
    const Ray inside{ray.at(hit.t) - 1.5 * lift * n, m_sun};
    const double length = rays.exit_distance(inside, hit.object);
    if (length == infinite) return Color::Zero();
    const double reach = hit.look->depth * m_world.size();
    Color light;
    for (int c = 0; c < 3; ++c)
        light[c] =
            static_cast<float>(hit.color[c] * std::exp(-length / (reach * hit.look->scatter[c])));
    // Reduced where the sun lights the surface from the front.
    const auto share =
        static_cast<float>(0.6 * hit.look->subsurface) * (1 - positive(n.dot(m_sun)));
    return share * light.cwiseProduct(m_day.sun);
}

Color Light::absorb(const Hit& hit, double length) const {
    const double scale = length / (hit.look->depth * m_world.size());
    Color left;
    for (int c = 0; c < 3; ++c)
        left[c] = static_cast<float>(std::pow(std::clamp(hit.color[c], 0.02, 1.0), scale));
    return left;
}

Color Light::through(const Hit& hit, const Ray& ray, const World::Rays& rays, int depth) const {
    const Vec3d n = facing(hit.normal, ray.direction), p = ray.at(hit.t);
    const double lift = m_world.ray_offset(hit), ior = hit.look->ior;
    const auto mirrored = static_cast<float>(fresnel(-n.dot(ray.direction), ior));
    const Vec3d mirror = ray.direction - 2 * n.dot(ray.direction) * n;
    Color light = mirrored * along({p + lift * n, mirror}, rays, 0);

    Ray inside{p, refract(ray.direction, n, ior)};
    Color left = (1 - mirrored) * Color::Ones();
    for (int bounce = 0; bounce < 4; ++bounce) {
        // Step along the ray itself, so that its path is not displaced.
        const double step =
            lift / std::max(0.2, std::abs(inside.direction.dot(bounce == 0 ? n : hit.normal)));
        inside.origin = inside.at(step);
        const double length = rays.exit_distance(inside, hit.object);
        const Hit other = rays.trace(inside);
        if (other.kind != Kind::background && other.t < 0.999 * length) {
            const Color seen =
                depth > 0 ? along(inside, rays, depth - 1) : reflected(other, inside, 0.5f, 0.5f);
            return light + left.cwiseProduct(absorb(hit, other.t)).cwiseProduct(seen);
        }
        if (length == infinite) return light + left.cwiseProduct(background(inside.direction.y()));
        left = left.cwiseProduct(absorb(hit, length + step));
        const Vec3d end = inside.at(length);
        const Vec3d wall = facing(m_world.normal(hit.object, end), -inside.direction);
        const Vec3d out = refract(inside.direction, -wall, 1 / ior);
        const double back = fresnel(inside.direction.dot(wall), 1 / ior);
        if (!out.isZero()) {
            const Ray on{end + out * (lift / std::max(0.2, out.dot(wall))), out};
            light += static_cast<float>(1 - back) * left.cwiseProduct(along(on, rays, depth - 1));
            left *= static_cast<float>(back);
        }
        inside = {end, inside.direction - 2 * wall.dot(inside.direction) * wall};
    }
    // The remaining light leaves somewhere: assume that it comes from all around.
    return light + left.cwiseProduct(0.5f * (m_day.low + m_day.high));
}

Color Light::along(const Ray& ray, const World::Rays& rays, int depth) const {
    const Hit hit = rays.trace(ray);
    if (hit.kind == Kind::background) return background(ray.direction.y());
    const Vec3d n = facing(hit.normal, ray.direction), p = ray.at(hit.t);
    const bool lit =
        n.dot(m_sun) > 0 && !rays.blocked({p + m_world.ray_offset(hit) * n, m_sun}, infinite);
    Color light = reflected(hit, ray, lit ? 1.0f : 0.0f, 0.65f) + scattered(hit, ray, rays);
    if (hit.look != nullptr && hit.look->transmission > 0 && depth > 0) {
        const auto clear = static_cast<float>(hit.look->transmission);
        light = (1 - clear) * light + clear * through(hit, ray, rays, depth - 1);
    }
    return light;
}

} // namespace nendo::cli
