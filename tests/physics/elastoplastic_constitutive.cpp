// SPDX-License-Identifier: Apache-2.0
// The material law of one particle, against finite differences and its own promises.
#include "elastoplastic/constitutive.h"

#include <gtest/gtest.h>

#include <random>

namespace nendo::elastoplastic {
namespace {

const Lame<double> moduli = lame(1.2e6, 0.35);
const Lame<double> auxetic = lame(1.2e6, -0.4); // Poisson's ratio below zero

Mat3d random_matrix(std::mt19937& random, double size) {
    std::uniform_real_distribution<double> u(-size, size);
    Mat3d m;
    for (int k = 0; k < 9; ++k) m(k / 3, k % 3) = u(random);
    return m;
}

double energy(const Lame<double>& m, const Mat3d& F) {
    return energy_density(m, svd3(F).sigma);
}

Mat3d stress(const Lame<double>& m, const Mat3d& F) {
    const Svd3<double> svd = svd3(F);
    return svd.U * energy_slope(m, svd.sigma).asDiagonal() * svd.V.transpose();
}

TEST(Constitutive, energy_is_the_fixed_corotated_one) {
    std::mt19937 random(1);
    for (int k = 0; k < 100; ++k) {
        const Mat3d F = Mat3d::Identity() + random_matrix(random, 0.6);
        const Mat3d R = polar_rotation(F);
        const double J = F.determinant();
        const double expected =
            moduli.mu * (F - R).squaredNorm() + 0.5 * moduli.lambda * (J - 1) * (J - 1);
        EXPECT_NEAR(energy(moduli, F) / expected, 1, 1e-10);
    }
}

TEST(Constitutive, matter_that_swells_when_pulled_resists_any_stretch) {
    // For small strain it is Hooke's law, as for any Poisson's ratio.
    std::mt19937 random(6);
    for (int k = 0; k < 100; ++k) {
        const Mat3d slope = 1e-5 * random_matrix(random, 1);
        const Mat3d strain = 0.5 * (slope + slope.transpose());
        const double hooke = auxetic.mu * strain.squaredNorm() +
                             0.5 * auxetic.lambda * strain.trace() * strain.trace();
        EXPECT_NEAR(energy(auxetic, Mat3d::Identity() + slope) / hooke, 1, 1e-3);
    }
    double before = 0;
    for (double stretch = 1.1; stretch < 10; stretch += 0.1) {
        const double now = energy(auxetic, stretch * Mat3d::Identity());
        EXPECT_GT(now, before) << "at " << stretch;
        before = now;
    }
}

TEST(Constitutive, stress_is_the_slope_of_the_energy) {
    std::mt19937 random(2);
    for (const Lame<double>& m : {moduli, auxetic})
        for (int k = 0; k < 100; ++k) {
            const Mat3d F = Mat3d::Identity() + random_matrix(random, 0.4);
            const Mat3d dF = random_matrix(random, 1);
            const double e = 1e-6;
            const double slope = (energy(m, F + e * dF) - energy(m, F - e * dF)) / (2 * e);
            const double work = stress(m, F).cwiseProduct(dF).sum();
            EXPECT_NEAR(slope, work, 1e-6 * stress(m, F).norm() * dF.norm());
        }
}

TEST(Constitutive, curvature_is_the_slope_of_the_stress_squeezed_or_stretched) {
    std::mt19937 random(3);
    for (const Lame<double>& m : {moduli, auxetic})
        for (int k = 0; k < 100; ++k) {
            const Mat3d F = Mat3d::Identity() + random_matrix(random, 0.3);
            const Mat3d dF = random_matrix(random, 1);
            const Svd3<double> svd = svd3(F);
            const Mat3d local = svd.U.transpose() * dF * svd.V;
            const Mat3d dP =
                svd.U * apply(energy_curvature(m, svd.sigma), local) * svd.V.transpose();
            const double e = 1e-6;
            const Mat3d measured = (stress(m, F + e * dF) - stress(m, F - e * dF)) / (2 * e);
            EXPECT_LT((dP - measured).norm() / measured.norm(), 1e-6);
        }
}

TEST(Constitutive, positive_part_never_pushes_along_and_keeps_what_is_positive) {
    std::mt19937 random(4);
    int changed = 0;
    for (int k = 0; k < 1000; ++k) {
        const Mat3d F = Mat3d::Identity() + random_matrix(random, 0.9);
        const Vec3d sigma = svd3(F).sigma;
        const Stiffness<double> exact = energy_curvature(moduli, sigma);
        const Stiffness<double> positive = positive_part(exact);
        const Mat3d dF = random_matrix(random, 1);
        const double work = apply(positive, dF).cwiseProduct(dF).sum();
        EXPECT_GE(work, -1e-9 * moduli.lambda);
        const double exact_work = apply(exact, dF).cwiseProduct(dF).sum();
        EXPECT_GE(work, exact_work - 1e-9 * std::abs(exact_work));
        if (work > exact_work + 1e-9 * std::abs(exact_work)) ++changed;
    }
    EXPECT_GT(changed, 100); // squeezed and inverted matter did need it
}

TEST(Yield, splits_exactly_at_the_yield_points) {
    std::mt19937 random(5);
    for (int k = 0; k < 200; ++k) {
        const Mat3d trial = Mat3d::Identity() + random_matrix(random, 0.25);
        Mat3d F_E = trial;
        Mat3d F_P = Mat3d::Identity() + random_matrix(random, 0.1);
        double J_P = F_P.determinant();
        const Mat3d total = F_E * F_P;
        split_at_yield<double>({0.05, 0.1}, svd3(F_E), F_E, F_P, J_P);
        EXPECT_LT((F_E * F_P - total).norm(), 1e-12);
        EXPECT_NEAR(J_P, F_P.determinant(), 1e-12);
        EXPECT_GT(J_P, 0);
        // Volume may return from plastic to elastic, by one factor for all axes, until the plastic
        // part has no gain or the elastic part no loss left.
        const Vec3d sigma = svd3(F_E).sigma;
        EXPECT_LE(sigma[0] / sigma[2], 1.05 / 0.9 + 1e-12);
        EXPECT_TRUE(F_E.determinant() >= 1 - 1e-12 || J_P <= 1 + 1e-12);
    }
}

TEST(Yield, elastic_matter_keeps_its_deformation) {
    Mat3d F_E = 1.7 * Mat3d::Identity();
    Mat3d F_P = Mat3d::Identity();
    double J_P = 1;
    split_at_yield<double>({infinite, infinite}, svd3(F_E), F_E, F_P, J_P);
    EXPECT_EQ(F_E, 1.7 * Mat3d::Identity());
    EXPECT_EQ(J_P, 1);
}

TEST(Yield, an_inverted_trial_leaves_plastic_volume_positive) {
    std::mt19937 random(6);
    Mat3d F_P = Mat3d::Identity();
    double J_P = 1;
    for (int k = 0; k < 500; ++k) {
        Mat3d F_E = random_matrix(random, 1.5);
        split_at_yield<double>({0.1, 0.5}, svd3(F_E), F_E, F_P, J_P);
        EXPECT_GT(F_E.determinant(), 0);
        ASSERT_GT(J_P, 0);
    }
}

TEST(Yield, gained_volume_is_returned_when_squeezed) {
    // det F_P = 1.3 and a squeezed trial: the squeeze is subtracted from the plastic gain.
    Mat3d F_E = 0.95 * Mat3d::Identity();
    Mat3d F_P = std::cbrt(1.3) * Mat3d::Identity();
    double J_P = 1.3;
    split_at_yield<double>({0.1, 0.1}, svd3(F_E), F_E, F_P, J_P);
    EXPECT_NEAR(F_E.determinant(), 1, 1e-12);
    EXPECT_NEAR(J_P, 1.3 * std::pow(0.95, 3), 1e-12);
}

TEST(Hardening, hardens_and_never_softens) {
    const Lame<double> soft = lame(1e5, 0.3);
    EXPECT_DOUBLE_EQ(hardened(soft, 10.0, 1.5).mu, soft.mu);
    EXPECT_NEAR(hardened(soft, 10.0, 0.9).mu / soft.mu, std::exp(1.0), 1e-12);
    EXPECT_NEAR(hardened(soft, 10.0, 0.01).mu / soft.mu, std::exp(5.0), 1e-10);
    EXPECT_DOUBLE_EQ(hardened(soft, 0.0, 0.1).lambda, soft.lambda);
}

} // namespace
} // namespace nendo::elastoplastic
