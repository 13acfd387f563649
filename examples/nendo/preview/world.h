// SPDX-License-Identifier: Apache-2.0
// Ray intersection with level sets, colliders and a floor. Hides OpenVDB.
#pragma once

#include "preview/preview.h"

#include <cstdint>
#include <memory>

namespace nendo::cli {

struct Ray {
    Vec3d origin, direction; ///< Unit direction

    Vec3d at(double t) const { return origin + t * direction; }
};

enum class Kind : std::uint8_t { background, matter, collider, floor };

struct Hit {
    double t = infinite;
    Kind kind = Kind::background;
    Vec3d normal{0, 1, 0};
    Vec3d color{0, 0, 0};
    const Look* look = nullptr; ///< For matter only
    std::size_t object = 0;
};

class World {
public:
    explicit World(const PreviewScene& scene);
    ~World();

    /// Queries of one thread. Must not outlive the world.
    class Rays {
    public:
        explicit Rays(const World& world);
        ~Rays();

        /// The nearest hit along the ray.
        Hit trace(const Ray& ray) const;
        bool blocked(const Ray& ray, double longest) const;
        /// Distance from a start inside a surface to where the ray leaves it.
        double exit_distance(const Ray& ray, std::size_t object) const;

    private:
        struct Hidden;
        std::unique_ptr<Hidden> m_hidden;
        const World& m_world;
    };

    double size() const;
    const Vec3d& center() const;
    /// Offset of secondary rays from the surface, so that they do not hit it again.
    double ray_offset(const Hit& hit) const;
    /// Outward unit normal of a surface.
    Vec3d normal(std::size_t object, const Vec3d& p) const;

private:
    struct Hidden;
    std::unique_ptr<Hidden> m_hidden;
};

} // namespace nendo::cli
