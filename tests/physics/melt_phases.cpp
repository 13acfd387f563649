// SPDX-License-Identifier: Apache-2.0
// Between solid and liquid: results that do not depend on the substep, pieces that fall apart, ice
// that floats, matter that freezes again.
#include "support/melting.h"

#include <gtest/gtest.h>

#include <cmath>

namespace nendo::melt::test {
namespace {

constexpr double d = 0.05;

/// Height of the lowest particle at the free end of a beam at rest that is held at one end.
double sag(double time_step, Control control, const Pairing& pairing) {
    Material soft;
    soft.density = 1000;
    soft.young = 4e5;
    Params p = cold(d);
    p.time_step = time_step;
    p.control = control;
    p.hardness = 0.5;
    p.budget = 50;
    pairing.apply(p);
    p.iterations = 60;
    p.damping = 5;
    Scene scene;
    Pin pin;
    pin.shape = make_box({0, 0.1, 0.1}, {0.15, 1, 1});
    scene.pins.push_back(pin);
    State<float> state;
    Host host;
    const std::vector<Body> bodies = {make_block({12, 3, 3}, {0, 0, 0}, soft, d)};
    Solver<float>().advance(state, scene, bodies, p, 1.5, host);
    double y = 0;
    for (const auto& x : state.particles.x) y = std::min(y, static_cast<double>(x.y()));
    return y;
}

TEST(MeltPhases, stiffness_does_not_depend_on_the_substep) {
    for (const Control control : {Control::expert, Control::hardness})
        for (const std::size_t k : {3u, 4u, 5u, 8u}) {
            const Pairing& pairing = pairings()[k];
            SCOPED_TRACE(pairing.name);
            const double coarse = sag(0.01, control, pairing), fine = sag(0.005, control, pairing);
            EXPECT_LT(fine, -0.02) << "the beam does not bend";
            EXPECT_NEAR(coarse / fine, 1, 0.03);
        }
}

/// Time at which half of a block on a hot plate has melted [s].
double melting_time(double time_step) {
    Material wax = preset("wax");
    wax.conductivity = 50;
    Params p;
    p.spacing = d;
    p.time_step = time_step;
    p.heat.air_transfer = 0;
    p.heat.speed = 20;
    p.iterations = 2;
    p.fluid.pressure = sph::Pressure::implicit; // so that only time_step decides the substep
    Scene scene = weightless();
    HeatSource plate;
    plate.shape = make_plane({0, 0, 0}, {0, 1, 0});
    plate.temperature = 120;
    plate.transfer = 2000;
    scene.heat_sources.push_back(plate);
    Body body = make_block({4, 4, 4}, {0, 0, 0}, wax, d);
    State<float> state = start<float>({body}, p);
    Solver<float> solver;
    Host host;
    double before = 0;
    while (state.details.time < 60) {
        const Report report = solver.advance(state, scene, {}, p, 4 * time_step, host);
        const double share = static_cast<double>(report.liquid) / 64;
        // Half of the block, since the time of the last particle depends on that one alone.
        if (share >= 0.5) return state.details.time;
        before = share;
    }
    ADD_FAILURE() << "only " << before << " of the block melted";
    return 0;
}

TEST(MeltPhases, melting_time_does_not_depend_on_the_substep) {
    const double coarse = melting_time(0.02), fine = melting_time(0.01);
    EXPECT_GT(fine, 1);
    EXPECT_NEAR(coarse / fine, 1, 0.03);
}

/// Height of a half-melted block after it has flowed for a second, relative to its start.
double flowed_height(double time_step) {
    Material wax = preset("wax");
    wax.soft_young = 3e4;
    wax.flow = 1;
    Params p;
    p.spacing = d;
    p.time_step = time_step;
    p.iterations = 40;
    p.weighted = false;
    p.heat.air_transfer = 0;
    Body body = make_block({6, 6, 6}, {0, 0, 0}, wax, d);
    State<float> state = start<float>({body}, p);
    Particles<float>& c = state.particles;
    const heat::Matter matter{wax.heat_capacity, wax.melting_point, wax.latent_heat};
    for (double& h : c.enthalpy) h = matter.enthalpy(wax.melting_point, 0.5);
    heat::update_temperatures(heat_columns(c));
    Host host;
    Solver<float>().advance(state, ground(10), {}, p, 1, host);
    float top = 0;
    for (const auto& x : c.x) top = std::max(top, x.y());
    return (static_cast<double>(top) + d / 2) / (6 * d);
}

TEST(MeltPhases, beta_flow_does_not_depend_on_the_substep) {
    const double coarse = flowed_height(0.008), fine = flowed_height(0.004);
    EXPECT_LT(fine, 0.95) << "the block does not flow";
    EXPECT_GT(fine, 0.3) << "the block has flowed away";
    EXPECT_NEAR(coarse / fine, 1, 0.03);
}

/// The lasting stretch of a block that was pulled by 0.3 of its length and held for a second.
double stretch_that_stays(double yield, double time_step) {
    Material clay;
    clay.young = 1e6;
    clay.yield = yield;
    clay.creep = 5;
    Params p = cold(d);
    p.time_step = time_step;
    p.weighted = false;
    p.damping = 20;
    Scene scene = weightless();
    for (const bool top : {false, true}) {
        Pin pin;
        pin.shape = make_box({0, (top ? 7.5 : 0.5) * d, 0}, {1, 0.8 * d, 1});
        if (top)
            pin.motion = Motion({{0, {0, 0, 0}, {0, 0, 0}}, {0.2, {0, 2.1 * d, 0}, {0, 0, 0}}});
        pin.end = 1.2;
        scene.pins.push_back(pin);
    }
    State<float> state;
    Host host;
    Solver<float> solver;
    const std::vector<Body> bodies = {make_block({4, 8, 4}, {0, 0, 0}, clay, d)};
    solver.advance(state, scene, bodies, p, 2.4, host);
    double low = infinite, high = -infinite;
    for (const auto& x : state.particles.x) {
        low = std::min(low, static_cast<double>(x.y()));
        high = std::max(high, static_cast<double>(x.y()));
    }
    return (high - low) / (7 * d);
}

TEST(MeltPhases, rest_shapes_flow_only_above_the_yield_point) {
    EXPECT_NEAR(stretch_that_stays(infinite, 0.01), 1, 0.01);
    EXPECT_NEAR(stretch_that_stays(0.2, 0.01), 1, 0.01) << "it flows below its yield";
    // A stretch beyond the yield point flows: strain is a root mean square, sqrt(2)/3 of a stretch.
    // All of that flow lasts where the sides are free to contract, two thirds where they are not;
    // here the ends hold them.
    const double pull = 0.3, yield = 0.05;
    const double flows = pull - yield * 3 / std::sqrt(2.0);
    const double coarse = stretch_that_stays(yield, 0.01), fine = stretch_that_stays(yield, 0.005);
    EXPECT_GT(fine - 1, flows * 2 / 3);
    EXPECT_LT(fine - 1, flows);
    EXPECT_NEAR((coarse - 1) / (fine - 1), 1, 0.03);
}

TEST(MeltPhases, a_body_melted_in_two_is_two_bodies) {
    Material ice = preset("ice");
    ice.conductivity = 0;
    Params p;
    p.spacing = d;
    p.time_step = 0.005;
    p.heat.air_transfer = 0;
    p.heat.speed = 4;
    Scene scene;
    Collider knife; // the pieces slide off on both sides
    knife.shape = make_capsule({0, 0, -1}, {0, 0, 1}, 0.1);
    knife.friction = 0;
    scene.colliders.push_back(knife);
    HeatSource blade;
    blade.shape = make_box({0, 0.2, 0}, {0.12, 1, 2});
    blade.temperature = 200;
    blade.transfer = 1e5;
    scene.heat_sources.push_back(blade);
    Body body = make_block({16, 3, 3}, {-0.4, 0.105, -0.075}, ice, d);
    body.temperature = -1;
    State<float> state = start<float>({body}, p);
    Solver<float> solver;
    Host host;
    double most = 0, sum = 0, mass = 0;
    std::int64_t pieces = 0;
    int substeps = 0;
    for (int k = 0; k < 40; ++k) {
        const Report report = solver.advance(state, scene, {}, p, 0.02, host);
        most = std::max(most, report.work_most);
        sum += report.work * report.substeps;
        substeps += report.substeps;
        pieces = report.pieces;
        if (k == 0) mass = report.mass;
        EXPECT_EQ(report.mass, mass);
    }
    EXPECT_EQ(pieces, 2);
    EXPECT_LT(most, 2 * sum / substeps) << "a step cost more than twice the average";
    double left = 0, right = 0, ice_left = 0, ice_right = 0;
    for (std::size_t i = 0; i < state.particles.id.size(); ++i) {
        if (state.particles.phase[i] != solid) continue;
        const auto x = static_cast<double>(state.particles.x[i].x());
        const bool on_left = state.particles.id[i] < 72;
        (on_left ? left : right) += x;
        (on_left ? ice_left : ice_right) += 1;
    }
    ASSERT_GT(ice_left, 40);
    ASSERT_GT(ice_right, 40);
    // Their centers started at most 0.45 m apart, and no link between them is left.
    EXPECT_GT(right / ice_right - left / ice_left, 0.5);
}

/// Root mean square distance of particles from their center [m].
double extent(const State<float>& state) {
    const auto n = static_cast<double>(state.particles.x.size());
    Vec3d middle = Vec3d::Zero();
    for (const auto& x : state.particles.x) middle += x.cast<double>() / n;
    double squares = 0;
    for (const auto& x : state.particles.x) squares += (x.cast<double>() - middle).squaredNorm();
    return std::sqrt(squares / n);
}

/// Wax swells by 15 % as it melts. A ball of wax that melts while it falls swells by that much,
/// without surface tension to hold it, and is still one drop after two meters.
TEST(MeltPhases, a_drop_that_melts_as_it_falls_stays_in_one_piece) {
    const Material wax = preset("wax");
    Params p;
    p.spacing = 0.02;
    p.heat.air_transfer = 2e5;
    p.heat.air_temperature = wax.melting_point + 300;
    Body ball = make_body(*make_sphere({0, 0, 0}, 0.1), wax, p.spacing);
    ball.temperature = wax.melting_point - 0.1;
    State<float> state = start<float>({ball}, p);
    const double solid_size = extent(state);
    const Report report = run(state, Scene(), p, 2.0 / 3, 16);
    const double swollen = std::cbrt(wax.density / wax.liquid_density);
    EXPECT_GT(report.liquid, 0.95 * static_cast<double>(report.particles));
    EXPECT_GT(extent(state), solid_size);
    EXPECT_LT(extent(state), 1.1 * swollen * solid_size);
    for (const auto& v : state.particles.v)
        EXPECT_LT((v.cast<double>() - report.momentum / report.mass).norm(), 0.3);
}

TEST(MeltPhases, liquid_freezes_and_joins_the_solid) {
    Material ice = preset("ice");
    ice.conductivity = 500;
    Params p;
    p.spacing = d;
    p.time_step = 0.01;
    p.heat.air_temperature = -30;
    p.heat.air_transfer = 1e4;
    p.heat.speed = 50;
    p.samples = 0.3;
    Body warm = make_block({4, 2, 4}, {0, 0, 0}, ice, d);
    warm.temperature = 1;
    Body block = make_block({4, 2, 4}, {0, 2 * d, 0}, ice, d, 1);
    block.temperature = -20;
    State<float> state = start<float>({warm, block}, p);
    Solver<float> solver;
    Host host;
    Scene scene = weightless();
    Report report;
    for (int k = 0; k < 30 && report.liquid + (k == 0) > 0; ++k)
        report = solver.advance(state, scene, {}, p, 0.1, host);
    EXPECT_EQ(report.liquid, 0);
    EXPECT_EQ(report.particles_frozen, 32);
    report = solver.advance(state, scene, {}, p, 0.1, host);
    EXPECT_EQ(report.pieces, 1) << "the frozen liquid did not join";
    // It is one body now: when thrown, it keeps its shape.
    for (auto& v : state.particles.v) v = Vec3<float>(1, 0, 0);
    Workspace<float> w;
    prepare(w, state, p);
    EXPECT_LT(deformation(w, d), 0.01);
}

TEST(MeltPhases, an_ice_cube_floats_and_keeps_its_mass_while_it_melts) {
    const double h = 0.02;
    const int n = 14, depth = 9, c = 6;
    Scene scene;
    const auto wall = [&](const Vec3d& point, const Vec3d& normal) {
        Collider plane = ground_plane(0);
        plane.shape = make_plane(point, normal);
        scene.colliders.push_back(plane);
    };
    wall({0, 0, 0}, {0, 1, 0});
    wall({0, 0, 0}, {1, 0, 0});
    wall({n * h, 0, 0}, {-1, 0, 0});
    wall({0, 0, 0}, {0, 0, 1});
    wall({0, 0, n * h}, {0, 0, -1});
    Params p;
    p.spacing = h;
    p.time_step = 0.005;
    p.iterations = 10;
    p.heat.enabled = false;
    p.fluid.stiffness = 400; // so that water keeps its volume to a quarter of a percent
    Material ice = preset("ice");
    const Vec3d corner((n - c) / 2 * h, (depth - c + 1) * h, (n - c) / 2 * h);
    Body water = make_block({n, depth, n}, {0, 0, 0}, ice, h);
    water.temperature = 20;
    water.particles.erase(std::remove_if(water.particles.begin(), water.particles.end(),
                                         [&](const Vec3d& x) {
                                             return (x - corner).minCoeff() > 0 &&
                                                    (x - corner).maxCoeff() < c * h;
                                         }),
                          water.particles.end());
    Body cube = make_block({c, c, c}, corner, ice, h, 1);
    cube.temperature = -1;
    State<float> state = start<float>({water, cube}, p);
    Solver<float> solver;
    Host host;
    solver.advance(state, scene, {}, p, 1, host);
    // The water's level follows from its volume; the share of the cube above it is the mean of a
    // second.
    double above = 0;
    for (int k = 0; k < 10; ++k) {
        solver.advance(state, scene, {}, p, 0.1, host);
        double low = 1, high = 0, volume = 0;
        for (std::size_t i = 0; i < state.particles.id.size(); ++i) {
            const auto y = static_cast<double>(state.particles.x[i].y());
            if (state.particles.body[i] == 0) {
                volume += static_cast<double>(state.particles.mass[i]) / ice.liquid_density;
            } else {
                low = std::min(low, y - h / 2);
                high = std::max(high, y + h / 2);
            }
        }
        const double face = c * c * h * h;
        const double level = (volume - face * low) / (n * n * h * h - face);
        above += (high - level) / (high - low) / 10;
    }
    EXPECT_GE(above, 0.08);
    EXPECT_LE(above, 0.10);

    p.heat.enabled = true;
    p.heat.speed = 3e4;
    Report report = solver.advance(state, scene, {}, p, 0.02, host);
    const double mass = report.mass;
    const std::int64_t solid_before = report.particles - report.liquid;
    for (int k = 0; k < 4; ++k) {
        report = solver.advance(state, scene, {}, p, 0.05, host);
        EXPECT_EQ(report.mass, mass);
    }
    EXPECT_LT(report.particles - report.liquid, solid_before - 20) << "the cube does not melt";
    EXPECT_GT(report.particles - report.liquid, 0);
}

TEST(MeltPhases, hardness_is_one_parameter_within_a_budget) {
    const double budget = 20;
    double softer = infinite;
    for (const double hardness : {0.2, 0.4, 1.0}) {
        Params p = cold(d);
        p.control = Control::hardness;
        p.hardness = hardness;
        p.budget = budget;
        p.time_step = 1.0 / 120;
        Body body = make_block({4, 16, 4}, {0, 0.001, 0}, {}, d);
        State<float> state = start<float>({body}, p);
        Solver<float> solver;
        Host host;
        const Report report = solver.advance(state, ground(), {}, p, 0.5, host);
        float top = 0;
        for (const auto& x : state.particles.x) top = std::max(top, x.y());
        const double lost = 1 - (static_cast<double>(top) + d / 2) / (16 * d);
        EXPECT_LT(lost, softer) << "hardness " << hardness;
        softer = lost;
        // The cost model: 12 ns per pair of solved cluster and member, 60 ns per particle.
        const double pairs = report.work / 2;
        EXPECT_LE(pairs * 1.2e-5 * 4, budget);
        EXPECT_EQ(report.clusters_solved<report.particles, hardness> 0.3);
    }
    EXPECT_LT(softer, 0.02);
}

} // namespace
} // namespace nendo::melt::test
