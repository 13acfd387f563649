// SPDX-License-Identifier: Apache-2.0
// The two operators between masters and slaves, and the forces built on them.
#include "math/kernels.h"
#include "support/matter.h"

#include <gtest/gtest.h>

#include <mutex>

namespace nendo::elastoplastic::test::operators {
namespace {

constexpr double d = 0.0625;

Params double_params() {
    Params p;
    p.spacing = d;
    return p;
}

/// A block whose slaves are displaced by up to `jitter` spacings on each axis.
State<double> shaken_block(int n, double jitter, std::uint32_t seed) {
    const Params p = double_params();
    State<double> s =
        start<double>({make_block({n, n, n}, Vec3d(0.3, 0.1, -0.2), preset("jelly"), d)}, p);
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> shake(-jitter * d, jitter * d);
    for (Vec3d& x : s.slaves.x) x += Vec3d(shake(random), shake(random), shake(random));
    return s;
}

Mat3d random_matrix(std::mt19937& random, double size) {
    std::uniform_real_distribution<double> u(-size, size);
    Mat3d m;
    for (int k = 0; k < 9; ++k) m(k / 3, k % 3) = u(random);
    return m;
}

TEST(Operators, an_affine_field_has_an_exact_gradient_on_jittered_slaves) {
    Workspace<double> w;
    prepare(w, shaken_block(8, 0.3, 1), double_params());
    Mat3d A;
    A << 1.2, -0.7, 0.4, 3.1, 0.2, -1.5, 0.6, 2.2, -0.9;
    const Vec3d b(0.4, -0.3, 0.7);
    std::vector<Vec4<double>> v;
    for (const Vec4<double>& x : w.x) v.push_back(widen<double>(A * x.head<3>() + b));
    double worst = 0;
    std::mutex one_at_a_time;
    to_masters(w, v, [&](std::uint32_t m, const Affine<double>& gathered) {
        const Vec3d mean = A * w.center[m].head<3>() + b;
        const double gradient_error = (gathered.matrix() * w.D_inv[m] - A).norm() / A.norm();
        const double mean_error = (gathered.mean() - mean).norm() / b.norm();
        const std::lock_guard<std::mutex> lock(one_at_a_time);
        worst = std::max({worst, gradient_error, mean_error});
    });
    EXPECT_LT(worst, 1e-12);
}

TEST(Operators, an_interior_master_sees_32_slaves_and_the_lattice_moment) {
    Workspace<double> w;
    const Params p = double_params();
    const State<double> s =
        start<double>({make_block({6, 6, 6}, Vec3d(0, 0, 0), preset("jelly"), d)}, p);
    prepare(w, s, p);
    // Every master has as many slaves around it as an interior one, since slaves lie outside the
    // body too.
    w.pairs.in_any_order([](const PairBlock<double>& block) {
        for (std::size_t row = 0; row < block.rows(); ++row)
            EXPECT_EQ(block.start[row + 1] - block.start[row], 32u);
    });
    for (std::size_t m = 0; m < s.masters.id.size(); ++m) {
        const Mat3d D = w.D_inv[m].inverse() / (d * d);
        EXPECT_LT((D - 0.30088 * Mat3d::Identity()).norm(), 1e-4);
    }
}

TEST(Operators, slaves_carry_the_masters_mass_and_momentum) {
    Workspace<double> w;
    State<double> s = shaken_block(8, 0.3, 2);
    std::mt19937 random(3);
    for (std::size_t m = 0; m < s.masters.id.size(); ++m) {
        s.masters.v[m] = random_matrix(random, 5).col(0);
        s.masters.C[m] = random_matrix(random, 5);
        s.masters.mass[m] *= 1 + 0.5 * random_matrix(random, 1)(0, 0);
    }
    prepare(w, s, double_params());
    masters_to_slaves(w, weightless(), double_params(), 0.0, 1.0);
    double mass = 0;
    double slave_mass = 0;
    Vec3d momentum = Vec3d::Zero();
    Vec3d slave_momentum = Vec3d::Zero();
    double size = 0;
    for (std::size_t m = 0; m < s.masters.id.size(); ++m) {
        mass += s.masters.mass[m];
        momentum += s.masters.mass[m] * s.masters.v[m];
        size += s.masters.mass[m] * s.masters.v[m].norm();
    }
    for (std::size_t k = 0; k < w.x.size(); ++k) {
        slave_mass += w.mass[k];
        slave_momentum += w.mass[k] * w.v_old[k].head<3>();
    }
    EXPECT_NEAR(slave_mass / mass, 1, 1e-12);
    EXPECT_LT((slave_momentum - momentum).norm() / size, 1e-12);
}

TEST(Operators, forces_sum_to_zero_and_so_do_their_torques) {
    Workspace<double> w;
    State<double> s = shaken_block(8, 0.3, 4);
    std::mt19937 random(5);
    for (Mat3d& F : s.masters.F_E) F = Mat3d::Identity() + random_matrix(random, 0.2);
    prepare(w, s, double_params());
    masters_to_slaves(w, weightless(), double_params(), 0.0, 1.0);
    Vec3d sum = Vec3d::Zero();
    Vec3d torque = Vec3d::Zero();
    double size = 0;
    double torque_size = 0;
    const Vec3d middle(0.55, 0.35, 0.05);
    for (std::size_t k = 0; k < w.x.size(); ++k) {
        const Vec3d f = w.mass[k] * w.v_star[k].head<3>();
        const Vec3d arm = w.x[k].head<3>() - middle;
        sum += f;
        torque += arm.cross(f);
        size += f.norm();
        torque_size += arm.norm() * f.norm();
    }
    EXPECT_GT(size, 1);
    EXPECT_LT(sum.norm() / size, 1e-14);
    EXPECT_LT(torque.norm() / torque_size, 1e-14);
}

/// Phi of the block when its slaves are displaced by u from the positions of the weights.
double energy_of(const Workspace<double>& w, const std::vector<Vec4<double>>& u) {
    const Masters<double>& masters = w.trial.masters;
    std::vector<double> energy(masters.id.size());
    to_masters(w, u, [&](std::uint32_t m, const Affine<double>& gathered) {
        const Mat3d F = (Mat3d::Identity() + gathered.matrix() * w.D_inv[m]) * masters.F_E[m];
        energy[m] = masters.volume[m] *
                    energy_density(lame(masters.young[m], masters.poisson[m]), svd3(F).sigma);
    });
    return std::accumulate(energy.begin(), energy.end(), 0.0);
}

class Derivatives : public ::testing::Test {
protected:
    Derivatives() {
        State<double> s = shaken_block(5, 0.2, 6);
        // In stretched matter the exact second derivative is positive, so nothing is cut off.
        for (Mat3d& F : s.masters.F_E) {
            const Mat3d A = random_matrix(m_random, 0.05);
            F = polar_rotation(random_matrix(m_random, 1)) *
                (1.08 * Mat3d::Identity() + A * A.transpose());
        }
        prepare(w, s, double_params());
        masters_to_slaves(w, weightless(), double_params(), 1.0, 1.0);
        u.resize(w.x.size());
        for (auto& a : u) a = widen<double>(d * random_matrix(m_random, 1).col(0));
    }
    std::mt19937 m_random{7};
    Workspace<double> w;
    std::vector<Vec4<double>> u;

    std::vector<Vec4<double>> scaled(double factor) const {
        std::vector<Vec4<double>> out = u;
        for (auto& a : out) a *= factor;
        return out;
    }
};

TEST_F(Derivatives, force_is_minus_the_slope_of_the_energy) {
    const double e = 1e-4;
    const double slope = (energy_of(w, scaled(e)) - energy_of(w, scaled(-e))) / (2 * e);
    double work = 0;
    for (std::size_t s = 0; s < u.size(); ++s) work -= w.mass[s] * w.v_star[s].dot(u[s]);
    EXPECT_NEAR(work / slope, 1, 1e-6);
}

TEST_F(Derivatives, stiffness_is_the_curvature_of_the_energy) {
    // With beta dt^2 = 1, multiply() is mass plus stiffness.
    std::vector<Vec4<double>> product;
    multiply(w, u, product);
    double curvature = 0;
    for (std::size_t s = 0; s < u.size(); ++s) curvature += u[s].dot(product[s] - w.mass[s] * u[s]);
    const double e = 1e-3;
    const double measured =
        (energy_of(w, scaled(e)) - 2 * energy_of(w, scaled(0)) + energy_of(w, scaled(-e))) /
        (e * e);
    EXPECT_NEAR(curvature / measured, 1, 1e-6);
}

} // namespace
} // namespace nendo::elastoplastic::test::operators
