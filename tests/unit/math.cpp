// SPDX-License-Identifier: Apache-2.0
// Kernels, portable functions, singular values and polar rotations.
#include "math/kernels.h"
#include "math/portable_math.h"
#include "math/svd3.h"

#include <gtest/gtest.h>

#include <random>

namespace nendo {
namespace {

template <class Kernel> double integral(const Kernel& kernel, double reach) {
    const int n = 20000;
    double sum = 0;
    for (int k = 0; k < n; ++k) {
        const double r = (k + 0.5) * reach / n;
        sum += 4 * pi * r * r * kernel(r) * reach / n;
    }
    return sum;
}

TEST(Kernels, integrate_to_one) {
    const double h = 0.3;
    EXPECT_NEAR(integral([&](double r) { return cubic_spline(r, h); }, 2 * h), 1, 1e-6);
    EXPECT_NEAR(integral([&](double r) { return poly6(r, h); }, h), 1, 1e-6);
    // The slope of a kernel that integrates to one has -integral r/3 dW/dr = 1.
    EXPECT_NEAR(integral([&](double r) { return -r / 3 * spiky_slope(r, h); }, h), 1, 1e-6);
    // Its Laplacian, weighted by r^2/6, integrates to one.
    EXPECT_NEAR(integral([&](double r) { return r * r / 6 * viscosity_laplacian(r, h); }, h), 1,
                1e-6);
}

TEST(Kernels, cubic_spline_is_smooth_where_its_pieces_meet) {
    const auto slope = [](double q) {
        return (cubic_spline_shape(q + 1e-6) - cubic_spline_shape(q - 1e-6)) / 2e-6;
    };
    EXPECT_NEAR(cubic_spline_shape(1 - 1e-12), cubic_spline_shape(1 + 1e-12), 1e-11);
    EXPECT_NEAR(slope(1 - 1e-5), slope(1 + 1e-5), 1e-4);
    EXPECT_EQ(cubic_spline_shape(2.0), 0);
}

TEST(Portable, exp_and_cbrt_agree_with_the_standard_library) {
    for (double x = -30; x < 30; x += 0.0137)
        EXPECT_NEAR(portable_exp(x) / std::exp(x), 1, 4e-16 * 4);
    for (double x = 1e-12; x < 1e12; x *= 1.37)
        EXPECT_NEAR(portable_cbrt(x) / std::cbrt(x), 1, 4e-16 * 2);
}

template <class Real> void check_svd(const Mat3<Real>& A, Real tolerance) {
    const Svd3<Real> svd = svd3(A);
    const Real scale = std::max(A.norm(), std::numeric_limits<Real>::min());
    EXPECT_LT((svd.U * svd.sigma.asDiagonal() * svd.V.transpose() - A).norm() / scale, tolerance)
        << A;
    EXPECT_LT((svd.U.transpose() * svd.U - Mat3<Real>::Identity()).norm(), tolerance) << A;
    EXPECT_LT((svd.V.transpose() * svd.V - Mat3<Real>::Identity()).norm(), tolerance) << A;
    EXPECT_GT(svd.U.determinant(), Real(0.9)) << A;
    EXPECT_GT(svd.V.determinant(), Real(0.9)) << A;
    EXPECT_GE(svd.sigma[0], svd.sigma[1]);
    EXPECT_GE(svd.sigma[1] + tolerance * scale, std::abs(svd.sigma[2]));
    EXPECT_GE(svd.sigma[1], Real(0));
}

template <class Real> void check_many(Real tolerance) {
    std::mt19937 random(11);
    std::normal_distribution<Real> normal(0, 1);
    const auto draw = [&] {
        Mat3<Real> m;
        for (int k = 0; k < 9; ++k) m(k / 3, k % 3) = normal(random);
        return m;
    };
    for (int k = 0; k < 20000; ++k) {
        check_svd<Real>(draw(), tolerance);
        check_svd<Real>(Mat3<Real>::Identity() + Real(1e-4) * draw(), tolerance);
        const Vec3<Real> a = draw().col(0);
        const Vec3<Real> b = draw().col(1);
        check_svd<Real>(a * b.transpose(), tolerance);                     // rank one
        check_svd<Real>(a * b.transpose() + b * a.transpose(), tolerance); // rank two
        check_svd<Real>(Real(1e-15) * draw(), tolerance);
        check_svd<Real>(Real(1e15) * draw(), tolerance);
    }
    check_svd<Real>(Mat3<Real>::Zero(), tolerance);
    check_svd<Real>(Mat3<Real>::Identity(), tolerance);
    check_svd<Real>(-Mat3<Real>::Identity(), tolerance);
    check_svd<Real>(Vec3<Real>(1, 1, -1).asDiagonal(), tolerance);
    check_svd<Real>(Vec3<Real>(Real(1e-20), 1, Real(1e-3)).asDiagonal(), tolerance);
}

TEST(Svd, factors_any_double_matrix) {
    check_many<double>(1e-14);
}
TEST(Svd, factors_any_float_matrix) {
    check_many<float>(6e-6f);
}

TEST(Svd, eight_at_a_time_have_the_same_bits_as_one_by_one) {
    std::mt19937 random(13);
    std::normal_distribution<float> normal(0, 1);
    for (std::size_t k = 0; k < 20000; ++k) {
        std::array<Mat3<float>, lanes> in;
        for (std::size_t i = 0; i < lanes; ++i) {
            for (int e = 0; e < 9; ++e) in[i](e / 3, e % 3) = normal(random);
            switch ((k + i * i) % 8) { // lanes are independent of each other
            case 0: in[i] = Mat3<float>::Identity() + 0.01f * in[i]; break;
            case 1: in[i].setZero(); break;
            case 2: in[i].col(1) = in[i].col(0); break;
            case 3: in[i].setIdentity(); break;
            case 4: in[i] *= 1e-20f; break;
            default: break;
            }
        }
        const std::size_t count = 1 + k % lanes;
        std::array<Svd3<float>, lanes> out;
        svd3(
            count, [&](std::size_t i) { return in[i]; }, out);
        for (std::size_t i = 0; i < count; ++i) {
            const Svd3<float> one = svd3(in[i]);
            ASSERT_EQ(one.U, out[i].U);
            ASSERT_EQ(one.sigma, out[i].sigma);
            ASSERT_EQ(one.V, out[i].V);
        }
    }
}

TEST(Polar, is_the_nearest_rotation) {
    std::mt19937 random(12);
    std::normal_distribution<double> normal(0, 1);
    for (int k = 0; k < 100; ++k) {
        Mat3d A;
        for (int i = 0; i < 9; ++i) A(i / 3, i % 3) = normal(random);
        const Mat3d R = polar_rotation(A);
        EXPECT_NEAR(R.determinant(), 1, 1e-12);
        for (int turn = 0; turn < 20; ++turn) {
            const Vec3d axis(normal(random), normal(random), normal(random));
            const Mat3d other =
                R * Eigen::AngleAxisd(0.1 * normal(random), axis.normalized()).matrix();
            EXPECT_GE((A - other).norm(), (A - R).norm() - 1e-12);
        }
    }
}

} // namespace
} // namespace nendo
