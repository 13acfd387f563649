// SPDX-License-Identifier: Apache-2.0
// Heat in particles: no energy is lost, no temperature leaves the bounds of its sources, and a
// melting front moves as in the analytic solution.
#include "support/melting.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace nendo::melt::test {
namespace {

constexpr double cell = 0.02;

Body frozen_block(const Eigen::Vector3i& cells, const Vec3d& corner, const char* material,
                  double spacing) {
    Body body = make_block(cells, corner, preset(material), spacing);
    body.temperature = -10;
    return body;
}

double energy(const Particles<double>& c) {
    double sum = 0;
    for (std::size_t i = 0; i < c.id.size(); ++i) sum += c.mass[i] * c.enthalpy[i];
    return sum;
}

/// Sets temperatures and the matching enthalpies; matter at the melting point is solid.
template <class Of> void set_temperatures(Particles<double>& c, const Of& of) {
    for (std::size_t i = 0; i < c.id.size(); ++i) {
        const heat::Matter matter{c.heat_capacity[i], c.melting_point[i], c.latent_heat[i]};
        c.enthalpy[i] = matter.enthalpy(of(i), 0);
    }
    heat::update_temperatures(heat_columns(c));
}

heat::Params no_air() {
    heat::Params p;
    p.air_transfer = 0;
    return p;
}

TEST(Heat, enthalpy_and_temperature_are_inverse) {
    const heat::Matter wax{2500, 55, 2e5};
    for (double h = -1e5; h < 6e5; h += 1234.5) {
        const double T = wax.temperature(h);
        EXPECT_NEAR(wax.enthalpy(T, wax.melted(h)), h, 1e-9 * std::abs(h) + 1e-9);
    }
    EXPECT_EQ(wax.melted(55 * 2500.0), 0);
    EXPECT_EQ(wax.melted(55 * 2500.0 + 1e5), 0.5);
    EXPECT_EQ(wax.temperature(55 * 2500.0 + 1e5), 55);
}

TEST(Heat, is_conserved_and_stays_in_bounds) {
    State<double> state =
        start<double>({frozen_block({8, 8, 8}, {0, 0, 0}, "wax", cell)}, cold(cell));
    Particles<double>& c = state.particles;
    std::mt19937 random(3);
    std::uniform_real_distribution<double> any(0, 1);
    for (std::size_t i = 0; i < c.id.size(); ++i) {
        c.conductivity[i] = any(random) < 0.5 ? 0.25 : 400;
        c.melting_point[i] = 20 + 60 * any(random);
        c.latent_heat[i] = any(random) < 0.3 ? 0 : 2e5;
    }
    set_temperatures(c, [&](std::size_t) { return 100 * any(random); });
    const auto columns = heat_columns(c);
    const auto [low, high] = std::minmax_element(c.temperature.begin(), c.temperature.end());
    const double coldest = *low, hottest = *high, before = energy(c);
    heat::Conduction<double> conduction;
    conduction.place(columns, cell);
    conduction.exchange(columns, {}, no_air(), 0);
    // Steps that are too long are divided.
    for (const double dt : {1e-3, 0.1, 10.0}) {
        EXPECT_EQ(conduction.flow(columns, dt), 0);
        EXPECT_NEAR(energy(c) / before, 1, 1e-12);
        for (const double T : c.temperature) {
            EXPECT_GE(T, coldest - 1e-9);
            EXPECT_LE(T, hottest + 1e-9);
        }
    }
    EXPECT_GT(conduction.steps(), 10);
}

TEST(Heat, from_outside_is_counted_and_never_exceeds_its_source) {
    State<double> state =
        start<double>({frozen_block({8, 8, 8}, {0, 0, 0}, "wax", cell)}, cold(cell));
    Particles<double>& c = state.particles;
    set_temperatures(c, [](std::size_t) { return 10.0; });
    HeatSource plate; // heats by contact
    plate.shape = make_plane({0, 0, 0}, {0, 1, 0});
    plate.temperature = 90;
    plate.transfer = 1e4;
    HeatSource lamp; // heats through the air
    lamp.shape = make_sphere({0.08, 0.3, 0.08}, 0.02);
    lamp.temperature = 80;
    lamp.reach = 0.15;
    HeatSource inside; // heats a volume with a given power
    inside.shape = make_box({0.08, 0.08, 0.08}, {0.05, 0.05, 0.05});
    inside.transfer = 0;
    inside.power = 20;
    heat::Params air;
    air.air_temperature = 30;
    const auto columns = heat_columns(c);
    heat::Conduction<double> conduction;
    double taken = 0;
    const double before = energy(c);
    conduction.place(columns, cell);
    const auto heat_for = [&](const std::vector<HeatSource>& sources, double duration) {
        conduction.exchange(columns, sources, air, 0);
        taken += conduction.flow(columns, duration);
    };
    heat_for({plate, lamp}, 500);
    EXPECT_NEAR((energy(c) - before) / taken, 1, 1e-8);
    double bottom = 0, middle = 0;
    for (std::size_t i = 0; i < c.id.size(); ++i) {
        EXPECT_GE(c.temperature[i], 10);
        EXPECT_LE(c.temperature[i], 90);
        (c.x[i].y() < cell ? bottom : middle) += c.melted[i];
    }
    EXPECT_GT(bottom, 0) << "the plate melted nothing";
    EXPECT_GT(bottom, middle) << "it did not melt from the heated side";
    const double at_500 = taken;
    heat_for({inside}, 1);
    EXPECT_NEAR((energy(c) - before) / taken, 1, 1e-8);
    EXPECT_NEAR(taken - at_500, 20, 5) << "20 W for a second, plus the exchange with the air";
}

TEST(Heat, air_reaches_the_surface_only) {
    State<double> state =
        start<double>({frozen_block({10, 10, 10}, {0, 0, 0}, "ice", cell)}, cold(cell));
    heat::Conduction<double> conduction;
    conduction.place(heat_columns(state.particles), cell);
    double area = 0;
    for (std::size_t i = 0; i < state.particles.id.size(); ++i) {
        const Vec3d x = state.particles.x[i];
        const bool inner = x.minCoeff() > 1.1 * cell && x.maxCoeff() < 8.9 * cell;
        if (inner) {
            EXPECT_EQ(conduction.free_area()[i], 0);
        } else {
            EXPECT_GT(conduction.free_area()[i], 0);
        }
        area += conduction.free_area()[i];
    }
    EXPECT_NEAR(area / (6 * 100 * cell * cell), 1, 0.1);
}

/// Neumann's solution of Stefan's problem: liquid at `hot` left of 0, solid at `cold` right of it.
double stefan_lambda(double hot, double cold_side, double melting, double latent, double capacity) {
    const auto imbalance = [&](double l) {
        return (hot - melting) / std::erfc(-l) - (melting - cold_side) / std::erfc(l) -
               l * std::sqrt(pi) * std::exp(l * l) * latent / capacity;
    };
    double low = 0, high = 3;
    for (int k = 0; k < 60; ++k) (imbalance((low + high) / 2) > 0 ? low : high) = (low + high) / 2;
    return low;
}

TEST(Heat, front_of_stefans_problem_is_where_it_should_be) {
    Material ice = preset("ice");
    ice.latent_heat = 8e4; // so that the front keeps up with the heat ahead of it
    const double h = 0.01;
    const Params p = cold(h);
    State<double> state = start<double>({frozen_block({100, 5, 5}, {-0.5, 0, 0}, "ice", h)}, p);
    Particles<double>& c = state.particles;
    for (double& latent : c.latent_heat) latent = ice.latent_heat;
    const double hot = 60, cold_side = -5;
    set_temperatures(c, [&](std::size_t i) { return c.x[i].x() < 0 ? hot : cold_side; });
    const double alpha = ice.conductivity / (ice.density * ice.heat_capacity);
    const double lambda =
        stefan_lambda(hot, cold_side, ice.melting_point, ice.latent_heat, ice.heat_capacity);
    ASSERT_GT(lambda, 0.25);
    const auto columns = heat_columns(c);
    heat::Conduction<double> conduction;
    conduction.place(columns, h);
    conduction.exchange(columns, {}, no_air(), 0);
    // Long enough for many particles, but before heat has reached the ends of the bar.
    double time = 0;
    for (const double front : {0.06, 0.08, 0.1}) {
        const double until = front * front / (4 * lambda * lambda * alpha);
        conduction.flow(columns, until - time);
        time = until;
        double melted = 0; // volume of the liquid right of 0
        for (std::size_t i = 0; i < c.id.size(); ++i)
            if (c.x[i].x() > 0) melted += c.melted[i];
        EXPECT_NEAR(melted * h / 25 / front, 1, 0.03) << "front at " << front;
    }
}

} // namespace
} // namespace nendo::melt::test
