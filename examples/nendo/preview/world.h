// SPDX-License-Identifier: Apache-2.0
// What rays meet: level sets, colliders and a floor. OpenVDB stays behind it.
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
    const Look* look = nullptr; ///< Of matter
    std::size_t object = 0;
};

class World {
public:
    explicit World(const PreviewScene& scene);
    ~World();

    /// Asks for one thread; it must not outlive the world.
    class Rays {
    public:
        explicit Rays(const World& world);
        ~Rays();

        /// The nearest thing on the ray.
        Hit trace(const Ray& ray) const;
        bool blocked(const Ray& ray, double longest) const;
        /// How far a ray that starts inside of a body's matter goes until it leaves it.
        double leave(const Ray& ray, std::size_t object) const;

    private:
        struct Hidden;
        std::unique_ptr<Hidden> m_hidden;
        const World& m_world;
    };

    double size() const;
    const Vec3d& center() const;
    /// How far from the surface secondary rays start, so that they do not meet it again.
    double lift(const Hit& hit) const;
    /// Outward, unit, of a body's matter.
    Vec3d normal(std::size_t object, const Vec3d& p) const;

private:
    struct Hidden;
    std::unique_ptr<Hidden> m_hidden;
};

} // namespace nendo::cli
