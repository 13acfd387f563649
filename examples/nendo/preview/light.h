// SPDX-License-Identifier: Apache-2.0
// Light from sun and sky that reaches the camera by way of surfaces.
#pragma once

#include "preview/world.h"

#include <utility>

namespace nendo::cli {

using Color = Eigen::Vector3f;

/// Two unit vectors that form an orthonormal frame with `axis`.
std::pair<Vec3d, Vec3d> orthogonal_pair(const Vec3d& axis);

/// Fraction of unpolarized light that a surface between two media reflects (Fresnel). `cosine` is
/// that of the angle of incidence, `eta` the index of refraction on the far side divided by that on
/// the near side.
double fresnel(double cosine, double eta);
/// The refracted direction by Snell's law; zero for total reflection.
Vec3d refract(const Vec3d& direction, const Vec3d& normal, double eta);

class Light {
public:
    Light(const World& world, const Daylight& day, const Vec3d& sun, double sun_width);

    /// Visible fractions of sun and sky at a point, estimated with one ray each. `number` selects
    /// their directions from a sequence.
    std::pair<float, float> visible_light(const Hit& hit, const Vec3d& eye_ray, const Vec3d& p,
                                          int number, const World::Rays& rays) const;
    /// Light that an opaque surface reflects back along the ray, given the visible fractions of sun
    /// and sky.
    Color reflected(const Hit& hit, const Ray& ray, float sun, float sky) const;
    /// Sunlight that reaches this point through the body.
    Color scattered(const Hit& hit, const Ray& ray, const World::Rays& rays) const;
    /// Light from reflection and refraction at a transparent surface.
    Color through(const Hit& hit, const Ray& ray, const World::Rays& rays, int depth = 3) const;
    /// All light along one ray.
    Color along(const Ray& ray, const World::Rays& rays, int depth = 3) const;
    Color background(double height) const;

private:
    Color absorb(const Hit& hit, double length) const;

    const World& m_world;
    Daylight m_day;
    Vec3d m_sun, m_sun_u, m_sun_v;
    double m_sun_width;
};

} // namespace nendo::cli
