// SPDX-License-Identifier: Apache-2.0
// Fluids and stretchy bodies against the laws of physics.
#include "support/flow.h"

#include <gtest/gtest.h>

#include <random>

namespace nendo::coupling::test {
namespace {

double energy(const Report& r) {
    return r.kinetic_energy + r.spring_energy + r.pressure_energy + r.gravity_energy;
}

Params coarse(double time_step = 0.02) {
    Params p;
    p.spacing = 1;
    p.time_step = time_step;
    return p;
}

Material fluid(double viscosity) {
    Material m = preset("large_water");
    m.viscosity = viscosity;
    return m;
}

/// A rotating drop and a rotating block that fly at each other, far from everything else.
Inputs crash(double viscosity) {
    Inputs in;
    in.bodies.push_back(make_block({5, 5, 5}, {-5.2, -2.5, -2.5}, fluid(viscosity), 1, 0));
    in.bodies.back().velocity = Vec3d(2, 0, 0);
    Material rubber = preset("membrane");
    rubber.viscosity = viscosity;
    in.bodies.push_back(make_block({6, 6, 6}, {0, -1.2, -1.5}, rubber, 0.5, 1));
    in.bodies.back().velocity = Vec3d(-3, 0, 0);
    in.bodies.back().angular_velocity = Vec3d(0, 0, 1);
    return in;
}

TEST(CouplingMomentum, is_kept_to_rounding_between_fluid_and_body) {
    const Scene scene = weightless();
    for (const SpringSolve springs : {SpringSolve::explicit_, SpringSolve::implicit}) {
        Params p = coarse();
        p.springs = springs;
        const Inputs in = crash(0.3);
        State<double> state;
        Host host;
        const Report start = Solver<double>().advance(state, scene, in, p, 0, host);
        double swing = 0;
        const Report end = run(state, scene, in, p, 1, [&](const auto& s, const Report&) {
            swing = std::max(swing, center(s, body_phase).x());
        });
        EXPECT_LT(end.kinetic_energy, 0.7 * start.kinetic_energy) << "they did not meet";
        double size = 0;
        for (std::size_t i = 0; i < state.particles.id.size(); ++i)
            size += state.particles.mass[i] * state.particles.v[i].norm();
        EXPECT_LT((end.momentum - start.momentum).norm(), 1e-13 * size);
    }
}

TEST(CouplingEnergy, never_grows_when_nothing_drives_it) {
    for (const double viscosity : {0.0, 0.3})
        for (const SpringSolve springs : {SpringSolve::explicit_, SpringSolve::implicit}) {
            Scene scene = make_tank(9, 6, 0);
            add_wall(scene, {0, 6, 0}, {0, -1, 0});
            for (Collider& wall : scene.colliders)
                wall.shape = make_posed(wall.shape, Pose(Eigen::Translation3d(-5.4, -3, -3)));
            Params p = coarse();
            p.springs = springs;
            const Inputs in = crash(viscosity);
            State<double> state;
            Host host;
            const double begin = energy(Solver<double>().advance(state, scene, in, p, 0, host));
            const Report end = run(state, scene, in, p, 4, [&](const auto&, const Report& r) {
                EXPECT_LT(energy(r), begin);
            });
            EXPECT_LT(energy(end), 0.95 * begin);
            EXPECT_GT(energy(end), 0.02 * begin) << "nothing moves anymore";
        }
}

TEST(CouplingSprings, swing_as_the_equation_says) {
    // Two particles: k and d are per unit mass, so the distance swings with 2 k and 2 d.
    Inputs in;
    Body pair;
    pair.material = preset("membrane");
    pair.material.stiffness = 50;
    pair.material.damping = 0.5;
    pair.spacing = 0.5;
    pair.points = {{0, 0, 0}, {0.5, 0, 0}};
    in.bodies.push_back(pair);
    const Scene scene = weightless();
    for (const SpringSolve springs : {SpringSolve::explicit_, SpringSolve::implicit}) {
        Params p = coarse(springs == SpringSolve::implicit ? 1e-5 : 1e-4);
        p.springs = springs;
        p.collisions = false;
        State<double> state;
        Host host;
        Solver<double> solver;
        solver.advance(state, scene, in, p, 0, host);
        state.particles.x[1].x() += 0.1;
        for (int k = 1; k <= 10; ++k) {
            solver.advance(state, scene, in, p, 0.05, host);
            const double t = 0.05 * k, rate = 0.5, swing = std::sqrt(100 - rate * rate);
            const double expected = 0.1 * std::exp(-rate * t) *
                                    (std::cos(swing * t) + rate / swing * std::sin(swing * t));
            const double length = (state.particles.x[1] - state.particles.x[0]).norm();
            EXPECT_NEAR(length - 0.5, expected, 2e-4);
        }
    }
}

/// A sagging beam of rubber, held at one end.
struct Beam {
    Inputs in;
    Scene scene;
    Beam(double stiffness, double damping) {
        Material m = preset("membrane");
        m.stiffness = stiffness;
        m.damping = damping;
        in.bodies.push_back(make_block({12, 3, 3}, {0, 0, 0}, m, 0.5, 0));
        Pin pin;
        pin.name = "clamp";
        pin.shape = make_box({0, 0, 0}, {2.1, 9, 9});
        scene.pins.push_back(pin);
        scene.gravity = Vec3d(0, -6, 0);
    }
};

TEST(CouplingSprings, agree_between_implicit_and_explicit_steps) {
    const auto sag = [](double damping, SpringSolve springs, double time_step, double seconds) {
        const Beam beam(3000, damping);
        Params p = coarse(time_step);
        p.springs = springs;
        State<double> state;
        run(state, beam.scene, beam.in, p, seconds);
        return 0.25 - extent(state, body_phase).first; // below the start of the lowest particle
    };
    // In full swing, with short steps.
    for (const double seconds : {0.25, 1.0}) {
        const double fall = sag(20, SpringSolve::explicit_, 1e-3, seconds);
        EXPECT_GT(fall, 0.1);
        EXPECT_NEAR(sag(20, SpringSolve::implicit, 1e-3, seconds), fall, 0.02 * fall);
    }
    // At rest, with long steps: the beam hangs, since bending would swing for minutes.
    const auto length = [](SpringSolve springs, double time_step) {
        Beam beam(300, 20);
        beam.scene.gravity = Vec3d(6, 0, 0);
        Params p = coarse(time_step);
        p.springs = springs;
        State<double> state;
        run(state, beam.scene, beam.in, p, 4);
        double end = 0;
        for (const Vec3d& x : state.particles.x) end = std::max(end, x.x());
        return end - 5.75;
    };
    const double rest = length(SpringSolve::explicit_, 1);
    EXPECT_GT(rest, 0.05);
    EXPECT_NEAR(length(SpringSolve::implicit, 0.02), rest, 0.01 * rest);
}

TEST(CouplingSprings, need_no_short_steps_for_implicit_dampers) {
    const Beam beam(5000, 2000);
    Params p = coarse(1.0 / 96);
    State<float> state;
    const Report implicit = run(state, beam.scene, beam.in, p, 1);
    EXPECT_LE(implicit.substeps, 4);
    EXPECT_EQ(implicit.cg_unconverged, 0);
    EXPECT_LT(implicit.max_stretch, 1.3);
    p.springs = SpringSolve::explicit_;
    State<float> other;
    Host host;
    const Report explicit_ = Solver<float>().advance(other, beam.scene, beam.in, p, 1.0 / 96, host);
    EXPECT_GT(explicit_.substeps, 100);
}

TEST(CouplingSprings, break_where_stretched_too_far) {
    Beam beam(20, 4);
    beam.in.bodies[0].material.break_strain = 0.5;
    State<float> state;
    Params p = coarse();
    const Report r = run(state, beam.scene, beam.in, p, 3);
    EXPECT_GT(r.springs_broken, 50);
    EXPECT_EQ(r.springs_broken + r.springs, state.details.next_spring);
    EXPECT_LE(r.max_stretch, 1.5);
    EXPECT_LT(extent(state, body_phase).first, -10) << "the torn end falls";
}

TEST(CouplingMuscles, shorten_and_lengthen_as_requested) {
    for (const bool by_force : {false, true}) {
        Inputs in;
        Material m = preset("membrane");
        in.bodies.push_back(make_block({6, 6, 6}, {0, 0, 0}, m, 0.5, 0));
        Muscle muscle;
        muscle.keys = {{0, 1, 0}, {1, by_force ? 1 : 0.8, by_force ? -0.1 * 120 : 0}};
        in.muscles.push_back(muscle);
        const Scene scene = weightless();
        State<float> state;
        run(state, scene, in, coarse(), 4);
        const auto [low, high] = extent(state, body_phase);
        if (by_force)
            EXPECT_LT(high - low, 0.95 * 2.5);
        else
            EXPECT_NEAR(high - low, 0.8 * 2.5, 0.01);
        for (const float stretch : state.particles.stretch) EXPECT_LT(stretch, 0.95f);
    }
}

TEST(CouplingBodies, without_a_common_spring_stay_a_diameter_apart) {
    // Rows of twenty, pressed together: the sweeps end, and the rest of the overlap is reported.
    Inputs in;
    Body row;
    row.material = preset("membrane");
    row.spacing = 0.5;
    for (int k = 0; k < 20; ++k) {
        row.points = {{0.3 * k, 0, 0}};
        row.index = k;
        in.bodies.push_back(row);
    }
    const Scene scene = weightless();
    Params p = coarse();
    State<float> state;
    Host host;
    Solver<float> solver;
    const Report first = solver.advance(state, scene, in, p, 0.01, host);
    EXPECT_GT(first.collision_residual, 1e-3) << "16 sweeps were enough in one step";
    Report last;
    for (int k = 0; k < 40; ++k) last = solver.advance(state, scene, in, p, 0.01, host);
    EXPECT_LE(last.collision_residual, 1.5e-3);
}

TEST(CouplingWalls, do_not_leak) {
    // A jet of 20 spacings per second against a wall.
    Inputs in;
    in.bodies.push_back(make_block({4, 12, 4}, {0, 1, 0}, fluid(0), 1));
    in.bodies.back().velocity = Vec3d(0, -20, 0);
    Scene scene = make_tank(4, 4, 6);
    State<float> state;
    run(state, scene, in, coarse(), 2, [](const auto& s, const Report&) {
        for (const auto& x : s.particles.x) {
            ASSERT_GE(x.minCoeff(), -1e-5f);
            ASSERT_LE(x.x(), 4 + 1e-5f);
            ASSERT_LE(x.z(), 4 + 1e-5f);
        }
    });
}

TEST(CouplingWalls, slow_fluid_by_friction_and_let_it_slide_without) {
    const auto speed_after = [](double friction) {
        Inputs in;
        in.bodies.push_back(make_block({6, 3, 6}, {0, 0, 0}, fluid(0.3), 1));
        in.bodies.back().velocity = Vec3d(1, 0, 0);
        Scene scene;
        scene.gravity = Vec3d(0, -6, 0);
        add_wall(scene, {0, 0, 0}, {0, 1, 0}, friction);
        State<float> state;
        const Report r = run(state, scene, in, coarse(), 1);
        return r.momentum.x() / (108 * 1000);
    };
    EXPECT_NEAR(speed_after(0), 1, 1e-3);
    EXPECT_LT(speed_after(0.5), 0.9);
    EXPECT_LT(speed_after(1), speed_after(0.5));
}

double total_energy(const Report& r) {
    return r.kinetic_energy + r.gravity_energy + r.pressure_energy + r.spring_energy;
}

/// Water of 0.5 x 0.6 x 0.4 m beside the left wall of a tank, on lattices that do not fit it.
TEST(CouplingWalls, keep_the_energy_of_water_that_is_placed_too_close) {
    for (const double spacing : {0.06, 0.071, 0.083}) {
        Inputs in;
        Body water;
        water.material = fluid(0.01);
        water.spacing = spacing;
        water.points = place_masters(*make_box({0.25, 0.3, 0.2}, {0.5, 0.6, 0.4}), spacing);
        in.bodies.push_back(water);
        Params p = coarse(0.005);
        p.spacing = spacing;
        State<float> state;
        Solver<float> solver;
        Host host;
        const Scene scene = make_tank(1, 0.4, 9.81);
        const Report start = solver.advance(state, scene, in, p, 0, host);
        EXPECT_EQ(start.max_speed, 0) << "settling makes no velocity";
        const double bound = 3 * std::sqrt(2 * 9.81 * 0.7);
        run(state, scene, in, p, 1, [&](const auto&, const Report& r) {
            EXPECT_LT(total_energy(r), 1.01 * total_energy(start)) << "spacing " << spacing;
            EXPECT_LT(r.max_speed, bound) << "spacing " << spacing;
        });
    }
}

/// Alone, in company of one or two, straight or at an angle, faster and slower than sound.
TEST(CouplingWalls, throw_nothing_back_faster_than_it_came) {
    for (const double speed : {0.5, 5.0, 40.0, 200.0})
        for (const int count : {1, 2, 3}) {
            Inputs in;
            Body drop;
            drop.material = fluid(0);
            drop.spacing = 1;
            for (int k = 0; k < count; ++k) drop.points.push_back(Vec3d(2.3, 2.1 + k, 2.2));
            drop.velocity = speed * Vec3d(-1, -0.4, -0.3).normalized();
            in.bodies.push_back(drop);
            Scene scene = make_tank(5, 5, 0);
            scene.colliders.push_back(
                nendo::test::make_collider(make_plane({0, 6, 0}, {0, -1, 0}), 0, "lid"));
            State<double> state;
            run(state, scene, in, coarse(), 1, [&](const auto&, const Report& r) {
                ASSERT_LT(r.kinetic_energy, 1.01 * 0.5 * 1000 * count * speed * speed)
                    << count << " particles at " << speed << " m/s";
            });
        }
}

TEST(CouplingWalls, hold_water_at_rest_in_tanks_of_any_width) {
    for (const sph::Pressure pressure : {sph::Pressure::state_equation, sph::Pressure::implicit})
        for (const double width : {0.433, 0.387}) {
            const double spacing = 0.05;
            Inputs in;
            Body water;
            water.material = preset("water");
            water.spacing = spacing;
            water.points =
                place_masters(*make_box({width / 2, 0.2, width / 2}, {width, 0.4, width}), spacing);
            in.bodies.push_back(water);
            Params p = coarse(0.01);
            p.spacing = spacing;
            p.pressure = pressure;
            State<float> state;
            const Report r = run(state, make_tank(width, width, 9.81), in, p, 5);
            const double mass = 1000 * std::pow(spacing, 3) * static_cast<double>(r.particles);
            const double height = mass / 1000 / (width * width);
            EXPECT_LT(std::sqrt(2 * r.kinetic_energy / mass), 0.01 * std::sqrt(2 * 9.81 * height));
            EXPECT_NEAR(2 * r.gravity_energy / (mass * 9.81), height, 0.02 * height);
        }
}

TEST(CouplingTaps, pour_at_their_speed_and_drains_remove_the_fluid) {
    Inputs in;
    Tap tap;
    tap.center = Vec3d(0, 10, 0);
    tap.radius = 1.2;
    tap.speed = 4;
    tap.start = 0.5;
    tap.end = 1.5;
    tap.material = fluid(0.3);
    in.taps.push_back(tap);
    Drain drain;
    drain.shape = make_plane({0, -5, 0}, {0, 1, 0});
    in.drains.push_back(drain);
    Scene scene;
    scene.gravity = Vec3d(0, -6, 0);
    State<float> state;
    Report r = run(state, scene, in, coarse(), 2);
    // Layers of four particles, one spacing apart, the first and the last at the ends.
    EXPECT_EQ(r.poured, 4 * 5);
    EXPECT_EQ(r.particles + r.drained, r.poured);
    r = run(state, scene, in, coarse(), 3);
    EXPECT_EQ(r.drained, r.poured);
    EXPECT_EQ(r.particles, 0);
}

/// A tap that opens inside a full tank drives the surrounding water and does not compress it.
TEST(CouplingTaps, under_water_drive_the_surrounding_fluid) {
    Inputs in;
    in.bodies.push_back(make_block({12, 8, 8}, {0, 0, 0}, fluid(0.05), 1));
    Tap tap;
    tap.center = Vec3d(2, 4, 4);
    tap.direction = Vec3d(1, 0, 0);
    tap.radius = 2;
    tap.speed = 3;
    tap.material = fluid(0.05);
    in.taps.push_back(tap);
    for (const sph::Pressure pressure : {sph::Pressure::state_equation, sph::Pressure::implicit}) {
        Params p = coarse();
        p.pressure = pressure;
        State<float> state;
        double fastest = 0, most_ahead = 0;
        const Report r =
            run(state, make_tank(12, 8, 6), in, p, 4, [&](const auto& s, const Report& now) {
                fastest = std::max(fastest, now.max_speed);
                double along = 0, count = 0;
                for (std::size_t i = 0; i < s.particles.id.size(); ++i) {
                    const Vec3d x = s.particles.x[i].template cast<double>() - tap.center;
                    if (std::abs(x.x() - 3) > 1 || std::hypot(x.y(), x.z()) > 1.5) continue;
                    along += double(s.particles.v[i].x());
                    ++count;
                }
                most_ahead = std::max(most_ahead, along / std::max(count, 1.0));
            });
        EXPECT_GT(most_ahead, 0.5 * tap.speed) << "nothing flows ahead of the tap";
        // Bernoulli: from the mouth, water can fall at most the whole depth.
        EXPECT_LT(fastest, std::sqrt(tap.speed * tap.speed + 2 * 6 * 8)) << "the fluid burst";
        // In free air the tap would have poured 12 layers of 12 particles.
        EXPECT_LT(r.poured, 0.3 * 12 * 12);
    }
}

TEST(CouplingFluids, heavy_fluids_sink_below_light_ones) {
    Inputs in;
    Material heavy = fluid(0.05), light = fluid(0.05);
    heavy.density = 4000;
    in.bodies.push_back(make_block({8, 3, 8}, {0, 3, 0}, heavy, 1, 0));
    in.bodies.push_back(make_block({8, 3, 8}, {0, 0, 0}, light, 1, 1));
    // Nothing falls from a perfect lattice, so disturb it a little. In a tank of half the width, most
    // particles would be held up by its walls.
    std::mt19937 random(3);
    std::uniform_real_distribution<double> u(-0.1, 0.1);
    for (Body& body : in.bodies)
        for (Vec3d& x : body.points) x += Vec3d(u(random), u(random), u(random));
    State<float> state;
    run(state, make_tank(8, 8, 6), in, coarse(), 12);
    double height[2] = {0, 0};
    for (std::size_t i = 0; i < state.particles.id.size(); ++i)
        height[state.particles.body[i]] += double(state.particles.x[i].y()) / 192;
    EXPECT_LT(height[0], height[1] - 1);
}

TEST(CouplingFluids, solved_pressure_keeps_the_volume_at_larger_steps) {
    Inputs in;
    in.bodies.push_back(make_block({3, 8, 3}, {0, 0, 0}, fluid(0.3), 1));
    Params p = coarse(1.0 / 48);
    p.pressure = sph::Pressure::implicit;
    State<float> state;
    const Report r = run(state, make_tank(3, 3, 6), in, p, 5);
    EXPECT_LE(r.substeps, 3);
    EXPECT_EQ(r.pressure_unconverged, 0);
    EXPECT_LT(r.max_compression, 1.01);
    EXPECT_NEAR(extent(state, fluid_phase).second, 7.5, 0.1);
}

/// A sheet of one layer, held at its rim, under fluid.
Report pour_on_sheet(bool membrane, State<float>& state) {
    Inputs in;
    Material rubber = preset("membrane");
    rubber.stiffness = 600;
    rubber.damping = 20; // so that nothing splashes over the rim
    in.bodies.push_back(make_block({20, 1, 20}, {-5, 0, -5}, rubber, 0.5, 0));
    in.bodies.back().membrane = membrane;
    in.bodies.push_back(make_block({5, 4, 5}, {-2.5, 0.8, -2.5}, fluid(0.3), 1, 1));
    Scene scene;
    scene.gravity = Vec3d(0, -6, 0);
    for (const Vec3d& side : {Vec3d(5, 0, 0), Vec3d(-5, 0, 0), Vec3d(0, 0, 5), Vec3d(0, 0, -5)}) {
        Pin pin;
        pin.shape = make_box(side, side.x() != 0 ? Vec3d(1.1, 2, 12) : Vec3d(12, 2, 1.1));
        scene.pins.push_back(pin);
    }
    return run(state, scene, in, coarse(), 3);
}

int below(const State<float>& state) {
    const double lowest = extent(state, body_phase).first;
    int count = 0;
    for (std::size_t i = 0; i < state.particles.id.size(); ++i)
        count += state.particles.phase[i] == fluid_phase &&
                         double(state.particles.x[i].y()) < lowest - 0.1
                     ? 1
                     : 0;
    return count;
}

TEST(CouplingMembrane, of_one_layer_holds_fluid_by_its_faces) {
    State<float> with, without;
    const Report r = pour_on_sheet(true, with);
    EXPECT_EQ(below(with), 0);
    EXPECT_LT(r.max_stretch, 2.2);
    pour_on_sheet(false, without);
    EXPECT_GT(below(without), 0) << "particles alone held it";
}

} // namespace
} // namespace nendo::coupling::test
