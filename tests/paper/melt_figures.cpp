// SPDX-License-Identifier: Apache-2.0
// The results visible in Fig 3.6 and 3.7 of the melting thesis, as numbers.
#include "math/svd3.h"
#include "support/melting.h"

#include <gtest/gtest.h>

#include <cmath>

namespace nendo::melt::test::figures {
namespace {

constexpr double d = 0.1;

/// Root mean square distance of particles above `low` [m] at rest from their rest shape, after the
/// rigid motion that fits best [m].
double bent(const State<float>& state, const std::vector<Vec3d>& rest, double low) {
    const Particles<float>& c = state.particles;
    const auto at_rest = [&](std::size_t i) { return rest[static_cast<std::size_t>(c.id[i])]; };
    Vec3d from = Vec3d::Zero(), to = Vec3d::Zero();
    double count = 0;
    const auto visit = [&](const auto& use) {
        for (std::size_t i = 0; i < c.id.size(); ++i)
            if (at_rest(i).y() > low) use(at_rest(i), Vec3d(c.x[i].cast<double>()));
    };
    visit([&](const Vec3d& q, const Vec3d& x) {
        from += q;
        to += x;
        ++count;
    });
    from /= count;
    to /= count;
    Mat3d A = Mat3d::Zero();
    visit([&](const Vec3d& q, const Vec3d& x) { A += (x - to) * (q - from).transpose(); });
    const Mat3d R = polar_rotation(A);
    double squares = 0;
    visit([&](const Vec3d& q, const Vec3d& x) {
        squares += (x - to - R * (q - from)).squaredNorm();
    });
    return std::sqrt(squares / count);
}

/// Deformation of the ears of an animal that lands, over a second and a half, in spacings.
struct Landing {
    double mean = 0, worst = 0;

    explicit Landing(Constraint constraint) {
        Params p = cold(d);
        p.constraint = constraint;
        p.samples = 0.129;
        p.damping = 3;
        Body body = make_body(*make_animal(2.23), preset("paper"), d);
        const std::vector<Vec3d> rest = body.particles;
        for (Vec3d& x : body.particles) x.y() += 0.8;
        State<float> state = start<float>({body}, p);
        Solver<float> solver;
        Host host;
        const int frames = 45;
        for (int frame = 0; frame < frames; ++frame) {
            solver.advance(state, ground(), {}, p, 1.0 / 30, host);
            const double now = bent(state, rest, 1.6) / d;
            mean += now / frames;
            worst = std::max(worst, now);
        }
    }
};

/// Fig 3.6: 17 iterations keep thin ears stiff with orientations, and not by positions alone.
TEST(MeltFigures, ears_land_stiff_with_orientations) {
    const Landing oriented(Constraint::oriented), positions(Constraint::positions);
    EXPECT_LT(oriented.worst, 0.9 * positions.worst);
    EXPECT_LT(oriented.mean, 0.5 * positions.mean);
}

/// Fig 3.7: a hot ball that comes down on an animal melts its ears first; the liquid runs down, and
/// the body falls into pieces.
TEST(MeltFigures, ears_melt_first_and_the_body_falls_apart) {
    Params p;
    p.spacing = d;
    p.samples = 0.15;
    p.heat.speed = 40;
    p.heat.air_transfer = 0;
    p.fluid.stiffness = 150;
    p.fluid.surface_tension = 40;
    Material material = preset("paper");
    material.viscosity = 8;
    Body body = make_body(*make_animal(2), material, d);
    body.temperature = 30;
    const std::vector<Vec3d> rest = body.particles;
    Scene scene = ground();
    HeatSource ball;
    ball.shape = make_sphere({0, 0, 0}, 0.15);
    ball.temperature = 400;
    ball.transfer = 12000;
    ball.reach = 0.7;
    ball.motion = Motion::between(0, Pose(Eigen::Translation3d(0, 2.4, 0)), 3,
                                  Pose(Eigen::Translation3d(0, 0.4, 0)));
    scene.heat_sources.push_back(ball);
    State<float> state = start<float>({body}, p);
    Solver<float> solver;
    Host host;
    std::int64_t pieces = 1;
    double ears = -1;  // share of the ears in the first melted particles
    double fallen = 0; // how far the melted particles have fallen [m]
    for (int frame = 0; frame < 84; ++frame) {
        const Report report = solver.advance(state, scene, {}, p, 1.0 / 24, host);
        pieces = std::max(pieces, report.pieces);
        const Particles<float>& c = state.particles;
        double of_ears = 0, way = 0;
        const auto liquids = static_cast<double>(report.liquid);
        for (std::size_t i = 0; i < c.id.size(); ++i) {
            if (c.phase[i] != liquid) continue;
            const double y = rest[static_cast<std::size_t>(c.id[i])].y();
            of_ears += y > 1.45 ? 1 : 0;
            way += y - static_cast<double>(c.x[i].y());
        }
        if (ears < 0 && liquids > 0.02 * static_cast<double>(report.particles))
            ears = of_ears / liquids;
        fallen = report.liquid > 0 ? way / liquids : 0;
    }
    EXPECT_GT(ears, 0.99);
    EXPECT_GT(fallen, 0.5);
    EXPECT_GT(pieces, 1);
}

} // namespace
} // namespace nendo::melt::test::figures
