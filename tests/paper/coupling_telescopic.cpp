// SPDX-License-Identifier: Apache-2.0
// The numbers and figures of Hirato's paper: telescopic objects in fluid.
#include "support/flow.h"

#include <gtest/gtest.h>

#include <iostream>

namespace nendo::coupling::test {
namespace {

/// Section 4: particles one meter apart, gravity 6 m/s^2.
constexpr double gravity = 6;

Params params() {
    Params p;
    p.spacing = 1;
    p.time_step = 0.02;
    return p;
}

/// Fluid with the body's shape cut out, `gap` [m] wider than the body.
Body fluid_around(const Eigen::Vector3i& cells, const Sdf& body, double gap) {
    Body fluid = make_block(cells, {0, 0, 0}, preset("large_water"), 1, 0);
    auto& x = fluid.points;
    x.erase(
        std::remove_if(x.begin(), x.end(), [&](const Vec3d& p) { return body.distance(p) < gap; }),
        x.end());
    return fluid;
}

double column_height(double stiffness, double& densest) {
    Params p = params();
    p.stiffness = stiffness;
    Inputs in;
    in.bodies.push_back(make_block({3, 8, 3}, {0, 0, 0}, preset("large_water"), 1));
    State<float> state;
    run(state, make_tank(3, 3, gravity), in, p, 10,
        [&](const auto&, const Report& r) { densest = std::max(densest, r.max_compression); });
    return extent(state, fluid_phase).second + 0.5;
}

TEST(TelescopicColumn, of_eight_meters_stands) {
    double densest = 0;
    const double height = column_height(2200, densest);
    EXPECT_GE(height, 7.4);
    EXPECT_LE(densest, 1.08);
    std::cout << "height " << height << " m, density up to " << densest << "\n";
}

TEST(TelescopicColumn, does_not_stand_with_the_printed_stiffness) {
    double densest = 0;
    const double height = column_height(2.2, densest);
    EXPECT_LT(height, 4);
    std::cout << "height " << height << " m\n";
}

/// Share of the height of a block of 6 x 4 x 6 m that is below the level of the water, on average
/// over the last second. The level follows from the volume of the water, which is incompressible
/// here.
double draft_of(double specific_gravity, State<float>& state) {
    const double side = 12, width = 6, height = 4, water = 7;
    Params p = params();
    p.pressure = sph::Pressure::implicit;
    Material m = preset("telescopic");
    m.density = 1000 * specific_gravity;
    m.stiffness = 1000;
    m.connection = 1.8;
    // Start near the position of floating, to be there soon.
    const double sunk = specific_gravity * height;
    const double bottom = water + sunk * (width * width / (side * side) - 1);
    Inputs in;
    in.bodies.push_back(
        fluid_around({12, 7, 12}, *make_box({6, bottom + 5, 6}, {width, 10, width}), 0.3));
    in.bodies.push_back(make_block({12, 8, 12}, {3, bottom, 3}, m, 0.5, 1));
    const auto volume = static_cast<double>(in.bodies[0].points.size());
    double sum = 0;
    int frame = 0;
    run(state, make_tank(side, side, gravity), in, p, 6, [&](const auto& s, const Report&) {
        if (++frame <= 5 * 24) return;
        const double low = center(s, body_phase).y() - height / 2;
        const double deep = (volume - side * side * low) / (side * side - width * width);
        sum += std::min(deep / height, 1.0) / 24;
    });
    return sum;
}

TEST(TelescopicBlock, floats_as_archimedes_predicts) {
    for (const double specific_gravity : {0.3, 0.5, 0.7, 0.9}) {
        State<float> state;
        const double draft = draft_of(specific_gravity, state);
        EXPECT_NEAR(draft, specific_gravity, 0.05 * specific_gravity);
        std::cout << "specific gravity " << specific_gravity << ": draft " << draft << "\n";
    }
}

TEST(TelescopicBlock, as_heavy_as_water_floats_flush_with_the_level) {
    State<float> state;
    const double draft = draft_of(1, state);
    EXPECT_NEAR(draft, 1, 0.05);
    std::cout << "draft " << draft << "\n";
}

TEST(TelescopicBlock, floats_sinks_contracted_and_floats_again_expanded) { // Fig 3
    Inputs in;
    in.bodies.push_back(make_block({11, 8, 11}, {0, 0, 0}, preset("large_water"), 1, 0));
    Material m = preset("telescopic");
    m.stiffness = 100;
    in.bodies.push_back(make_block({10, 8, 10}, {3, 8.2, 3}, m, 0.5, 1));
    Muscle all;
    all.body = 1;
    all.keys = {{0, 1, 0},     {4, 1, 0},     {5, 0.75, 0}, {10, 0.75, 0},
                {11, 1.15, 0}, {16, 1.15, 0}, {17, 1, 0}};
    in.muscles.push_back(all);
    State<float> state;
    const auto after = [&](double seconds) {
        run(state, make_tank(11, 11, gravity), in, params(), seconds);
        return extent(state, body_phase);
    };
    const auto floats = [&](const std::pair<double, double>& body) {
        return body.first > 3 && body.second > extent(state, fluid_phase).second - 0.7;
    };
    EXPECT_TRUE(floats(after(4)));
    EXPECT_LT(after(6).first, 0.6) << "at 10 s it is on the floor";
    EXPECT_TRUE(floats(after(6))) << "at 16 s, expanded";
    EXPECT_TRUE(floats(after(4))) << "at 20 s, as it was";
}

/// Fig 2: 216 fluid particles on a membrane of three layers that is held at its rim. Returns how
/// many particles get through, and the largest stretch of any spring.
std::pair<int, double> pour_on_membrane(bool density_change) {
    Params p = params();
    p.support = 1.5; // as printed
    p.density_change = density_change;
    Inputs in;
    in.bodies.push_back(make_block({32, 3, 32}, {-8, 0, -8}, preset("membrane"), 0.5, 1));
    in.bodies.push_back(make_block({9, 3, 8}, {-4.5, 1.5, -4}, preset("large_water"), 1, 0));
    Scene scene;
    scene.gravity = Vec3d(0, -gravity, 0);
    for (const Vec3d& side : {Vec3d(8, 0, 0), Vec3d(-8, 0, 0), Vec3d(0, 0, 8), Vec3d(0, 0, -8)}) {
        Pin pin;
        pin.shape = make_box(side, side.x() != 0 ? Vec3d(1.6, 4, 18) : Vec3d(18, 4, 1.6));
        scene.pins.push_back(pin);
    }
    State<float> state;
    double stretch = 0;
    int leaked = 0;
    run(state, scene, in, p, 3.5, [&](const auto& s, const Report& r) {
        stretch = std::max(stretch, r.max_stretch);
        // Below the lowest particle of the membrane, and so on its other side.
        const double lowest = extent(s, body_phase).first;
        int now = 0;
        for (std::size_t i = 0; i < s.particles.id.size(); ++i)
            if (s.particles.phase[i] == fluid_phase && double(s.particles.x[i].y()) < lowest) ++now;
        leaked = std::max(leaked, now);
    });
    return {leaked, stretch};
}

TEST(TelescopicMembrane, holds_fluid_when_its_density_follows_its_stretch) { // Fig 2
    const auto [leaked, stretch] = pour_on_membrane(true);
    std::cout << "leaked " << leaked << ", stretch " << stretch << "\n";
    EXPECT_EQ(leaked, 0);
    EXPECT_LE(stretch, 2.25); // the fluid settles clear of the membrane before it falls
    EXPECT_GT(stretch, 1.8) << "the membrane was hardly stretched";
    EXPECT_GT(pour_on_membrane(false).first, 0);
}

/// Fig 4 and 5: a bell of two layers in a tank, with or without a pulsing ring muscle, and with or
/// without a tap. Returns its position after some seconds.
Vec3d swim(bool pulse, bool tap) {
    const double radius = 5;
    const Vec3d middle(9, 6.5, 9);
    Params p = params();
    p.pressure = sph::Pressure::implicit;
    Material water = preset("large_water");
    water.viscosity = 0.05;
    Inputs in;
    Body fluid = make_block({18, 17, 18}, {0, 0, 0}, water, 1, 0);
    const auto in_bell = [&](const Vec3d& x, double gap) {
        const double r = (x - middle).norm();
        return r < radius + gap && r > radius - 1 - gap && x.y() > middle.y() - 1 - gap;
    };
    fluid.points.erase(std::remove_if(fluid.points.begin(), fluid.points.end(),
                                      [&](const Vec3d& x) { return in_bell(x, 0.45); }),
                       fluid.points.end());
    Body bell;
    bell.name = "bell";
    bell.index = 1;
    bell.spacing = 0.5;
    bell.material = preset("jellyfish");
    bell.material.stiffness = 1000;
    bell.material.connection = 2.4;
    for (const Vec3d& x : place_masters(*make_sphere(middle, radius), 0.5))
        if (in_bell(x, 0)) bell.points.push_back(x);
    in.bodies = {fluid, bell};
    Muscle ring;
    ring.body = 1;
    ring.shape = make_box(middle + Vec3d(0, 0.4, 0), {20, 3.3, 20});
    ring.axis = Vec3d(0, 1, 0);
    ring.center = middle;
    ring.keys = {{0, 1, 0}, {0.3, 0.5, 0}, {0.5, 0.5, 0}, {1.6, 1, 0}};
    ring.period = 2;
    if (pulse) in.muscles.push_back(ring);
    if (tap) {
        Tap right;
        right.center = Vec3d(17.4, 9, 9);
        right.direction = Vec3d(-1, 0, 0);
        right.radius = 2.5;
        right.speed = 4;
        right.material = water;
        right.index = 2;
        in.taps.push_back(right);
    }
    State<float> state;
    run(state, make_tank(18, 18, gravity), in, p, 4);
    return center(state, body_phase);
}

TEST(TelescopicJellyfish, swims_up_by_its_pulse_and_drifts_with_the_inflow) {
    const Vec3d pulsed = swim(true, false), still = swim(false, false), carried = swim(false, true);
    EXPECT_GT(pulsed.y(), still.y() + 1.5);
    EXPECT_GT(pulsed.y(), 8.8) << "it started at 8.6";
    EXPECT_LT(still.y(), 8.4) << "without a pulse it sinks";
    EXPECT_LT(carried.x(), still.x() - 0.3) << "the tap flows to the left";
}

} // namespace
} // namespace nendo::coupling::test
