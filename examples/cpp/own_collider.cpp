// SPDX-License-Identifier: Apache-2.0
// A collider of one's own: a shape is a class with a signed distance. Here a ball of jelly drops into
// a bowl beside its middle, and slides down. Prints its time [s], the position of its center [m], and
// how deep its deepest particle is inside the bowl's wall [m].
#include <nendo/elastoplastic/fill.h>

#include <algorithm>
#include <cstdio>
#include <memory>

using namespace nendo;

/// Everything below y = 0 except a ball of `radius` [m] around the origin.
class Bowl : public Sdf {
public:
    explicit Bowl(double radius) : m_radius(radius) {}

    /// Negative inside the wall.
    double distance(const Vec3d& point) const override {
        return std::max(point.y(), m_radius - point.norm());
    }
    Box3 bounds() const override {
        return {Vec3d::Constant(-infinite), Vec3d(infinite, 0, infinite)};
    }

private:
    double m_radius;
};

int main() {
    elastoplastic::Params params;
    params.spacing = 0.05;

    const auto bowl = std::make_shared<Bowl>(0.6);
    Collider collider;
    collider.name = "bowl";
    collider.shape = bowl;
    collider.friction = 0.1;
    Scene scene;
    scene.colliders.push_back(collider);

    const SdfPtr ball = make_sphere({0.25, 0, 0}, 0.15);
    const std::vector<elastoplastic::Body> bodies{
        elastoplastic::fill(*ball, find_preset(elastoplastic::presets(), "jelly"), params.spacing),
    };

    elastoplastic::State<float> state;
    elastoplastic::Solver<float> solver;
    Host host;
    for (int frame = 0; frame <= 72; ++frame) {
        const double time = frame / 24.0;
        solver.advance(state, scene, bodies, params, time - state.details.time, host);
        Vec3d center(0, 0, 0);
        double depth = -infinite;
        for (const Vec3<float>& x : state.masters.x) {
            center += x.cast<double>();
            depth = std::max(depth, -bowl->distance(x.cast<double>()));
        }
        center /= static_cast<double>(state.masters.x.size());
        std::printf("%.4f %.4f %.4f %.4f %.4f\n", time, center.x(), center.y(), center.z(), depth);
    }
}
