// SPDX-License-Identifier: Apache-2.0
// Quantities derived from a particle, against values computed by hand; color ramps; nearest points.
#include "elastoplastic/inspect.h"

#include "core/error.h"
#include "core/range.h"
#include "elastoplastic/constitutive.h"
#include "geometry/nearest.h"
#include "math/ramp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace nendo;
using namespace nendo::elastoplastic;

namespace {

Inspected stretched(double x, double y, double z) {
    Inspected p;
    p.F_E = Vec3d(x, y, z).asDiagonal();
    p.young = 1e6;
    p.poisson = 0.25; // mu = lambda = 4e5 Pa
    return p;
}

TEST(Inspect, everything_is_zero_at_rest) {
    const Inspected p = stretched(1, 1, 1);
    EXPECT_EQ(von_mises_stress(p), 0);
    EXPECT_EQ(pressure(p), 0);
    EXPECT_EQ(yield_ratio(p), 0);
    EXPECT_EQ(plastic_strain(p), 0);
    EXPECT_EQ(energy_density(p), 0);
}

/// F = diag(s,1,1): P = diag(2 mu (s-1) + lambda (s-1), lambda (s-1) s, lambda (s-1) s), and the
/// Cauchy stress is P F^T / s.
TEST(Inspect, a_stretch_along_one_axis_has_the_stress_of_the_law) {
    const double s = 1.2, mu = 4e5, lambda = 4e5;
    const Inspected p = stretched(s, 1, 1);
    const double along = (2 * mu + lambda) * (s - 1), across = lambda * (s - 1);
    EXPECT_NEAR(von_mises_stress(p), along - across, 1e-6);
    EXPECT_NEAR(pressure(p), -(along + 2 * across) / 3, 1e-6);
    EXPECT_NEAR(energy_density(p), mu * 0.04 + lambda / 2 * 0.04, 1e-8);
}

TEST(Inspect, a_rotation_changes_nothing) {
    Inspected p = stretched(1.3, 0.9, 1.05);
    const double stress = von_mises_stress(p), energy = energy_density(p);
    const Mat3d rotation = Eigen::AngleAxisd(0.7, Vec3d(1, 2, 3).normalized()).toRotationMatrix();
    p.F_E = rotation * p.F_E * rotation.transpose() * rotation;
    EXPECT_NEAR(von_mises_stress(p), stress, 1e-9 * stress);
    EXPECT_NEAR(energy_density(p), energy, 1e-9 * energy);
}

/// Equal compression on all axes causes pressure only.
TEST(Inspect, uniform_compression_is_pressure_alone) {
    const double s = 0.95, mu = 4e5, lambda = 4e5, J = s * s * s;
    const Inspected p = stretched(s, s, s);
    EXPECT_NEAR(von_mises_stress(p), 0, 1e-6);
    EXPECT_NEAR(pressure(p), -(2 * mu * (s - 1) * s / J + lambda * (J - 1)), 1e-6);
}

/// The Cauchy stress is per current area: plastic flow that doubled the volume halves it.
TEST(Inspect, gained_volume_reduces_stress) {
    Inspected p = stretched(1.2, 1, 1);
    const double stress = von_mises_stress(p);
    p.J_P = 2;
    EXPECT_NEAR(von_mises_stress(p), stress / 2, 1e-9 * stress);
}

TEST(Inspect, hardening_multiplies_stress) {
    Inspected p = stretched(1.1, 1, 1);
    const double stress = von_mises_stress(p);
    p.hardening = 10;
    p.J_P = 0.9;
    EXPECT_NEAR(von_mises_stress(p), stress * std::exp(1.0) / 0.9, 1e-9 * stress);
}

TEST(Inspect, yield_ratio_is_the_strain_over_the_yield_point) {
    Inspected p = stretched(1.04, 0.97, 1);
    EXPECT_EQ(yield_ratio(p), 0); // elastic
    p.yield_stretch = 0.1;
    EXPECT_NEAR(yield_ratio(p), 0.4, 1e-9);
    p.yield_compress = 0.04;
    EXPECT_NEAR(yield_ratio(p), 0.75, 1e-9);
    p.yield_stretch = 0.02;
    EXPECT_EQ(yield_ratio(p), 1);
    p.yield_stretch = infinite;
    p.yield_compress = 0;
    EXPECT_EQ(yield_ratio(p), 1);
}

/// Strain that was cut back to the yield point lies exactly there.
TEST(Inspect, flowing_matter_is_at_its_yield_point) {
    Inspected p = stretched(1.5, 0.7, 1);
    p.yield_stretch = 0.1;
    p.yield_compress = 0.2;
    split_at_yield<double>({p.yield_stretch, p.yield_compress}, svd3(p.F_E), p.F_E, p.F_P, p.J_P);
    EXPECT_NEAR(yield_ratio(p), 1, 1e-12);
    EXPECT_GT(plastic_strain(p), 0.2);
}

TEST(Inspect, plastic_strain_of_a_stretch_is_its_logarithm) {
    Inspected p;
    const double stretch = 1.7;
    p.F_P = Vec3d(stretch, 1 / std::sqrt(stretch), 1 / std::sqrt(stretch)).asDiagonal();
    EXPECT_NEAR(plastic_strain(p), std::log(stretch), 1e-12);
    p.F_P = 2 * Mat3d::Identity();
    EXPECT_NEAR(plastic_strain(p), std::sqrt(2.0) * std::log(2.0), 1e-12);
}

TEST(Inspect, columns_are_computed_for_every_master) {
    InspectedColumns columns;
    for (const float s : {1.0f, 1.2f}) {
        Mat3<float> F = Mat3<float>::Identity();
        F(0, 0) = s;
        columns.F_E.push_back(F);
        columns.F_P.push_back(Mat3<float>::Identity());
        columns.J_P.push_back(1);
        columns.young.push_back(1e6f);
        columns.poisson.push_back(0.25f);
        columns.yield_stretch.push_back(0.4f);
        columns.yield_compress.push_back(std::numeric_limits<float>::infinity());
        columns.hardening.push_back(0);
    }
    const auto stress = inspect(columns, Quantity::stress);
    ASSERT_EQ(stress.size(), 2u);
    EXPECT_EQ(stress[0], 0);
    EXPECT_NEAR(stress[1], 160000, 0.1);
    EXPECT_NEAR(inspect(columns, Quantity::yield)[1], 0.5, 1e-6);
    EXPECT_NEAR(inspect(columns, Quantity::energy)[1], 24000, 0.03);
    EXPECT_LT(inspect(columns, Quantity::pressure)[1], 0);
    EXPECT_EQ(inspect(columns, Quantity::plastic_strain)[1], 0);
    EXPECT_THROW(inspect(columns, Quantity::slaves), Error);
}

TEST(Inspect, slaves_are_counted_within_a_spacing) {
    const std::vector<Vec3d> masters = {{0, 0, 0}, {10, 0, 0}};
    std::vector<Vec3d> slaves;
    for (const double x : {-0.5, 0.5})
        for (const double y : {-0.5, 0.5})
            for (const double z : {-0.5, 0.5}) slaves.emplace_back(x, y, z);
    slaves.emplace_back(1.5, 0.5, 0.5); // too far from the first
    EXPECT_EQ(count_slaves(masters, slaves, 1), (std::vector<double>{8, 0}));
    EXPECT_EQ(count_slaves(masters, {}, 1), (std::vector<double>{0, 0}));
    EXPECT_THROW(count_slaves(masters, slaves, 0), Error);
}

TEST(Ramps, are_exact_at_the_ends_and_the_middle_and_constant_beyond) {
    for (const Ramp ramp : {Ramp::heat, Ramp::blue_to_red, Ramp::gray}) {
        EXPECT_EQ(ramp_color(ramp, -5), ramp_color(ramp, 0));
        EXPECT_EQ(ramp_color(ramp, 5), ramp_color(ramp, 1));
        EXPECT_EQ(ramp_color(ramp, std::nan("")), ramp_color(ramp, 0));
    }
    EXPECT_EQ(ramp_color(Ramp::blue_to_red, 0), Vec3d(0, 0, 1));
    EXPECT_EQ(ramp_color(Ramp::blue_to_red, 0.5), Vec3d(0, 1, 0));
    EXPECT_EQ(ramp_color(Ramp::blue_to_red, 0.625), Vec3d(0.5, 1, 0));
    EXPECT_EQ(ramp_color(Ramp::blue_to_red, 1), Vec3d(1, 0, 0));
    EXPECT_EQ(ramp_color(Ramp::gray, 0.25), Vec3d(0.25, 0.25, 0.25));
}

TEST(Nearest, finds_what_comparing_all_points_finds) {
    std::mt19937 random(7);
    std::uniform_int_distribution<int> place(0, 9); // many at equal distances
    const auto some = [&](std::size_t n) {
        std::vector<Vec3d> points(n);
        for (Vec3d& p : points) p = Vec3d(place(random), place(random), place(random));
        return points;
    };
    const auto points = some(300), places = some(500);
    const auto found = nearest_points(points, places);
    for (std::size_t i = 0; i < places.size(); ++i) {
        std::uint32_t best = 0;
        for (std::uint32_t k = 0; k < points.size(); ++k)
            if ((points[k] - places[i]).squaredNorm() < (points[best] - places[i]).squaredNorm())
                best = k;
        ASSERT_EQ(found[i], best) << i;
    }
}

TEST(Nearest, refuses_bad_input) {
    EXPECT_TRUE(nearest_points({}, {}).empty());
    EXPECT_THROW(nearest_points({}, {Vec3d::Zero()}), Error);
    EXPECT_THROW(nearest_points({Vec3d(infinite, 0, 0)}, {Vec3d::Zero()}), Error);
}

TEST(Numbers, have_as_few_digits_as_read_back_exactly) {
    const std::vector<std::pair<double, std::string>> cases = {{0, "0"},
                                                               {-1, "-1"},
                                                               {0.1, "0.1"},
                                                               {1000, "1000"},
                                                               {1e5, "100000"},
                                                               {1e-14, "1e-14"},
                                                               {0.0625, "0.0625"},
                                                               {1e20, "1e+20"},
                                                               {1.0 / 3, "0.3333333333333333"},
                                                               {-0.95, "-0.95"},
                                                               {123456.75, "123456.75"}};
    for (const auto& [number, text] : cases) EXPECT_EQ(format_number(number), text);
}

} // namespace
