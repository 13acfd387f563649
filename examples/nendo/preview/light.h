// SPDX-License-Identifier: Apache-2.0
// How light goes from sun and sky over matter to the eye.
#pragma once

#include "preview/world.h"

#include <utility>

namespace nendo::cli {

using Color = Eigen::Vector3f;

/// Two unit vectors that make a frame with `axis`.
std::pair<Vec3d, Vec3d> across(const Vec3d& axis);

/// Share of light that a surface between two media reflects [Fresnel], unpolarised. `cosine` is of
/// the angle of incidence, `eta` the index of refraction on the far side over that on the near one.
double fresnel(double cosine, double eta);
/// The direction beyond a surface by Snell's law; zero when all light is reflected.
Vec3d refract(const Vec3d& direction, const Vec3d& normal, double eta);

class Light {
public:
    Light(const World& world, const Daylight& day, const Vec3d& sun, double sun_width);

    /// Sun and sky at a place, each as the share that is seen, along one direction of many:
    /// `number` says which.
    std::pair<float, float> reach(const Hit& hit, const Vec3d& eye_ray, const Vec3d& p, int number,
                                  const World::Rays& rays) const;
    /// What an opaque surface sends back along the ray, given its shares of sun and sky.
    Color reflected(const Hit& hit, const Ray& ray, float sun, float sky) const;
    /// Light of the sun that comes through matter to this place.
    Color scattered(const Hit& hit, const Ray& ray, const World::Rays& rays) const;
    /// What is seen in and through a surface that is clear: reflection and refraction.
    Color through(const Hit& hit, const Ray& ray, const World::Rays& rays, int depth = 3) const;
    /// All of it, along one ray.
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
