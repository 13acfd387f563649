// SPDX-License-Identifier: Apache-2.0
#include "preview/preview.h"

#include "preview/light.h"
#include "preview/world.h"

#include "core/error.h"
#include "math/kernels.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

namespace nendo::cli {
namespace {

/// One sample of the picture before shading.
struct Sample {
    Hit hit;
    float sun = 0;        ///< Visible fraction of the sun
    float sky = 0;        ///< Light from the sky and its reflections; 1: open sky
    Color inner{0, 0, 0}; ///< Light from inside the body
};

/// Neighboring samples send their rays in different directions, in a pattern that repeats every 8
/// by 8 samples. Averaging over such a square gives smooth shadows from few rays.
constexpr int pattern = 8;

/// Index in Morton order, so that every small square of samples covers all directions evenly.
int place_in_pattern(int x, int y) {
    int place = 0;
    for (int bit = 0; (1 << bit) < pattern; ++bit)
        place |= ((x >> bit) & 1) << (2 * bit) | ((y >> bit) & 1) << (2 * bit + 1);
    return place;
}

/// `dither` in [0, 1) varies the rounding between neighbors, so that gradients show no bands.
std::uint8_t to_srgb(float linear, float dither) {
    const float c = std::clamp(linear, 0.0f, 1.0f);
    const float s = c <= 0.0031308f ? 12.92f * c : 1.055f * std::pow(c, 1 / 2.4f) - 0.055f;
    return std::uint8_t(std::min(255 * s + dither, 255.0f));
}

/// Keeps midtones and compresses highlights below white.
float tone(float c) {
    constexpr float knee = 0.6f;
    if (c < knee) return c;
    const float over = (c - knee) / (1 - knee);
    return knee + (1 - knee) * over / (1 + over) * 1.15f;
}

/// Replaces sun and sky of each sample by the mean over samples of the same face in the square
/// around it. Two passes give the square soft edges.
void share_light(std::vector<Sample>& samples, int width, int height) {
    std::vector<std::pair<float, float>> shared(samples.size());
    const auto index = [&](int x, int y) {
        return std::size_t(y) * std::size_t(width) + std::size_t(x);
    };
    tbb::parallel_for(0, height, [&](int y) {
        for (int x = 0; x < width; ++x) {
            const Sample& here = samples[index(x, y)];
            if (here.hit.kind == Kind::background) continue;
            float sun = 0, sky = 0, count = 0;
            const int left = std::max(x - pattern / 2, 0), right = std::min(x + pattern / 2, width);
            for (int j = std::max(y - pattern / 2, 0); j < std::min(y + pattern / 2, height); ++j)
                for (int i = left; i < right; ++i) {
                    const Sample& there = samples[index(i, j)];
                    if (there.hit.kind != here.hit.kind ||
                        there.hit.normal.dot(here.hit.normal) < 0.85 ||
                        std::abs(there.hit.t - here.hit.t) > 0.03 * here.hit.t)
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
        throw Error("has nothing to look at", "camera", "give eye and target in the scene");
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
    const Light light(world, scene.daylight, params.sun, params.sun_width);

    const auto direction = [&](int x, int y) -> Vec3d {
        const double sx = (2 * (x + 0.5) - width) / height, sy = (height - 2 * (y + 0.5)) / height;
        return (forward + tangent * (sx * right + sy * up)).normalized();
    };

    // First pass: find what each sample sees, and how much of sun and sky reaches it.
    std::vector<Sample> samples(std::size_t(width) * std::size_t(height));
    constexpr int rows = 8;
    tbb::parallel_for(0, (height + rows - 1) / rows, [&](int strip) {
        const World::Rays rays(world);
        for (int y = strip * rows; y < std::min(height, (strip + 1) * rows); ++y)
            for (int x = 0; x < width; ++x) {
                const Ray ray{camera.eye, direction(x, y)};
                Sample& s = samples[std::size_t(y) * std::size_t(width) + std::size_t(x)];
                s.hit = rays.trace(ray);
                if (s.hit.kind == Kind::background) continue;
                std::tie(s.sun, s.sky) = light.visible_light(s.hit, ray.direction, ray.at(s.hit.t),
                                                             place_in_pattern(x, y), rays);
                if (s.hit.look == nullptr) continue;
                const auto clear = float(s.hit.look->transmission);
                s.inner = (1 - clear) * light.scattered(s.hit, ray, rays);
                if (clear > 0) s.inner += clear * light.through(s.hit, ray, rays);
            }
    });

    for (int pass = 0; pass < 2; ++pass) share_light(samples, width, height);

    // Second pass: compute the light that reaches the camera.
    Image image{params.width, params.height, {}};
    image.rgb.resize(3 * std::size_t(params.width) * std::size_t(params.height));
    tbb::parallel_for(0, params.height, [&](int py) {
        for (int px = 0; px < params.width; ++px) {
            Color sum(0, 0, 0);
            for (int k = 0; k < params.samples * params.samples; ++k) {
                const int x = px * params.samples + k % params.samples;
                const int y = py * params.samples + k / params.samples;
                const Sample& s = samples[std::size_t(y) * std::size_t(width) + std::size_t(x)];
                const Ray ray{camera.eye, direction(x, y)};
                Color seen = light.background(ray.direction.y());
                if (s.hit.kind != Kind::background) {
                    const double clear = s.hit.look ? s.hit.look->transmission : 0.0;
                    seen = s.inner + float(1 - clear) * light.reflected(s.hit, ray, s.sun, s.sky);
                }
                for (int c = 0; c < 3; ++c) sum[c] += tone(float(params.exposure) * seen[c]);
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

} // namespace nendo::cli
