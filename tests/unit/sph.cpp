// SPDX-License-Identifier: Apache-2.0
// Smoothed particles alone: kernels, walls, forces, pressure.
#include "neighbors/grid.h"
#include "sph/expansion.h"
#include "sph/fluid.h"

#include <gtest/gtest.h>

#include <random>

namespace nendo::sph {
namespace {

/// Particles with everything that a solve needs, of one fluid unless groups are given.
struct Pool {
    Params params;
    Kernels<double> kernels;
    std::vector<Vec3<double>> x;
    std::vector<Vec3<double>> v;
    std::vector<double> volume;
    std::vector<std::int32_t> group;
    std::vector<SdfPtr> shapes;
    std::vector<MovedShape> colliders;
    Neighborhood<double> near;
    Matter<double> matter;
    Walls<double> walls;
    double viscosity = 0; ///< Dynamic [Pa s]

    explicit Pool(double support = 2) : kernels(1, support) {
        params.spacing = 1;
        params.support = support;
    }
    void add(const Vec3<double>& point, double size = 1, std::int32_t of = free_group) {
        x.push_back(point);
        v.emplace_back(0, 0, 0);
        volume.push_back(calibrated_volume(size * size * size, size, 1, params.support));
        group.push_back(of);
    }
    /// A lattice of edge 1, each point displaced by up to `disorder`.
    void add_lattice(const Eigen::Vector3i& cells, double disorder) {
        std::mt19937 random(1);
        std::uniform_real_distribution<double> u(-disorder, disorder);
        for (int i = 0; i < cells.x(); ++i)
            for (int j = 0; j < cells.y(); ++j)
                for (int k = 0; k < cells.z(); ++k)
                    add(Vec3d(i + 0.5 + u(random), j + 0.5 + u(random), k + 0.5 + u(random)));
    }
    void add_wall(const SdfPtr& shape, double friction = 0) {
        shapes.push_back(shape); // a moved shape does not own its shape
        colliders.push_back(move_shape(shape, Motion(), 0, 0.01));
        colliders.back().friction = friction;
    }
    void find_density() {
        near.place(x, params.support_radius());
        matter.resize(x.size());
        for (std::size_t slot = 0; slot < x.size(); ++slot) {
            const std::uint32_t i = near.index()[slot];
            matter.position[slot] << x[i], volume[i];
            matter.velocity[slot] << v[i], 0;
            matter.volume[slot] = volume[i];
            matter.per_mass[slot] = 1 / (1000 * volume[i]);
            matter.viscosity[slot] = viscosity;
            matter.rest_density[slot] = 1000;
            matter.group[slot] = group[i];
        }
        near.find(kernels, matter.volume, matter.group, matter.compression);
        walls.find(colliders, near, kernels);
        walls.add_density(matter.compression);
    }
    void find_forces() {
        find_density();
        state_equation(matter, kernels, params);
        add_forces(matter, near, walls, kernels, params);
    }
    /// Energy of the pressure [J].
    double energy() {
        find_density();
        state_equation(matter, kernels, params);
        double sum = 0;
        for (std::size_t k = 0; k < x.size(); ++k) {
            const double squeeze = kernels.response * matter.velocity[k][3];
            sum += 0.5 * matter.volume[k] * squeeze * squeeze / (1000 * params.stiffness);
        }
        return sum;
    }
    Vec3d force(std::size_t i) const { return matter.force[i].head<3>(); }
};

TEST(SphKernels, have_rest_density_on_the_lattice) {
    for (const double support : {1.5, 2.0, 2.5}) {
        Pool pool(support);
        pool.add_lattice({7, 7, 7}, 0);
        pool.find_density();
        EXPECT_NEAR(pool.matter.compression[7 * 7 * 3 + 7 * 3 + 3], 1, 1e-12) << support;
    }
}

TEST(SphKernels, weigh_fine_particles_beside_coarse_ones_by_volume) {
    Pool pool;
    for (int i = -6; i < 6; ++i)
        for (int j = -3; j < 3; ++j)
            for (int k = -3; k < 3; ++k) {
                const Vec3d cell(i, j, k);
                if (i < 0) {
                    pool.add(cell + Vec3d(0.5, 0.5, 0.5));
                    continue;
                }
                for (int part = 0; part < 8; ++part)
                    pool.add(cell + Vec3d(0.25 + 0.5 * (part & 1), 0.25 + 0.5 * (part >> 1 & 1),
                                          0.25 + 0.5 * (part >> 2)),
                             0.5, 1);
            }
    pool.find_density();
    for (std::size_t i = 0; i < pool.x.size(); ++i) {
        const Vec3d inner = pool.x[i].cwiseAbs();
        if (inner.x() > 3.5 || inner.y() > 1 || inner.z() > 1) continue;
        EXPECT_NEAR(pool.matter.compression[i], 1, 0.04) << pool.x[i].transpose();
    }
}

TEST(SphWalls, complete_the_density_of_the_lattice_beside_them) {
    Pool pool;
    pool.add_lattice({8, 8, 8}, 0);
    pool.add_wall(make_plane({0, 0, 0}, {0, 1, 0}));
    pool.add_wall(make_plane({0, 0, 0}, {1, 0, 0}));
    pool.find_density();
    const auto at = [&](int i, int j, int k) {
        return pool.matter.compression[static_cast<std::size_t>(64 * i + 8 * j + k)];
    };
    EXPECT_NEAR(at(4, 0, 4), 1, 1e-3);
    EXPECT_NEAR(at(4, 1, 4), 1, 1e-3);
    EXPECT_NEAR(at(0, 0, 4), 1, 0.03) << "at the edge between two walls";
    EXPECT_LT(at(4, 7, 4), 0.9) << "there is no wall above";
}

TEST(SphWalls, have_the_slope_of_their_density) {
    const Kernels<double> kernels(1, 2);
    for (double d = -0.3; d < 2; d += 0.07) {
        const double step = 1e-6;
        const auto low = kernels.wall(d - step), high = kernels.wall(d + step);
        EXPECT_NEAR(kernels.wall(d).slope, (low.density - high.density) / (2 * step), 1e-6) << d;
        EXPECT_NEAR(kernels.wall(d).cut, (low.filled - high.filled) / (2 * step), 1e-6) << d;
    }
    EXPECT_EQ(kernels.wall(2).density, 0);
}

TEST(SphForces, are_the_gradient_of_the_pressures_energy) {
    Pool pool;
    pool.add_lattice({4, 5, 4}, 0.3);
    for (auto& x : pool.x) x *= 0.9;
    pool.add_wall(make_plane({0, 0, 0}, {0, 1, 0}));
    pool.add_wall(make_plane({-0.1, 0, 0}, {1, 0, 0}));
    pool.add_wall(make_sphere({5, 2, 2}, 1.5));
    for (std::size_t i = 0; i < pool.x.size(); i += 9)
        for (int axis = 0; axis < 3; ++axis) {
            const double step = 1e-6, there = pool.x[i][axis];
            pool.x[i][axis] = there + step;
            const double high = pool.energy();
            pool.x[i][axis] = there - step;
            const double low = pool.energy();
            pool.x[i][axis] = there;
            pool.find_forces();
            const double expected = -(high - low) / (2 * step);
            EXPECT_NEAR(pool.force(i)[axis], expected, 1e-6 * (1e5 + std::abs(expected)));
        }
}

TEST(SphForces, sum_to_zero) {
    Pool pool;
    pool.viscosity = 50;
    pool.params.surface_tension = 20;
    pool.add_lattice({6, 6, 6}, 0.3);
    for (auto& x : pool.x) x *= 0.93;
    for (auto& v : pool.v) v = Vec3d::Random();
    for (std::size_t i = 0; i < pool.x.size(); i += 2) pool.group[i] = 1;
    pool.find_forces();
    Vec3d sum = Vec3d::Zero();
    double size = 0;
    for (std::size_t i = 0; i < pool.x.size(); ++i) {
        sum += pool.force(i);
        size += pool.force(i).norm();
    }
    EXPECT_GT(size, 1e5);
    EXPECT_LT(sum.norm(), 1e-13 * size);
}

TEST(SphForces, do_not_act_within_a_group) {
    Pool pool;
    for (const double z : {0.0, 0.2, 0.4, 0.6}) pool.add({0, 0, z}, 1, 3);
    pool.find_forces();
    EXPECT_GT(pool.matter.velocity[1][3], 0) << "it is squeezed";
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(pool.force(i).norm(), 0);
    pool.group[3] = 4;
    pool.find_forces();
    EXPECT_GT(pool.force(3).z(), 0);
}

TEST(SphForces, viscosity_slows_a_shear_as_the_equation_predicts) {
    // v = sin(2 pi y / L) along x: its rate of decay is nu (2 pi / L)^2.
    Pool pool;
    const double length = 16, wave = 2 * pi / length;
    pool.viscosity = 300; // nu = 0.3
    pool.add_lattice({6, 16, 6}, 0);
    for (std::size_t i = 0; i < pool.x.size(); ++i)
        pool.v[i] = Vec3d(std::sin(wave * pool.x[i].y()), 0, 0);
    pool.find_forces();
    for (std::size_t i = 0; i < pool.x.size(); ++i) {
        const Vec3d inner = (pool.x[i] - Vec3d(3, 8, 3)).cwiseAbs();
        if (inner.x() > 1 || inner.y() > 5.6 || inner.z() > 1) continue;
        const double slowing = -pool.force(i).x() / 1000;
        EXPECT_NEAR(slowing, 0.3 * wave * wave * pool.v[i].x(), 0.02 * 0.3 * wave * wave);
    }
}

TEST(SphForces, surface_tension_rounds_a_cube_to_a_ball) {
    Pool pool;
    pool.params.surface_tension = 1000;
    pool.add_lattice({6, 6, 6}, 0);
    pool.find_forces();
    const Vec3d middle(3, 3, 3);
    const auto inward = [&](const Vec3d& corner) {
        std::size_t nearest = 0;
        for (std::size_t i = 0; i < pool.x.size(); ++i)
            if ((pool.x[i] - corner).norm() < (pool.x[nearest] - corner).norm()) nearest = i;
        return pool.force(nearest).dot((middle - pool.x[nearest]).normalized());
    };
    EXPECT_GT(inward({0, 0, 0}), inward({0, 3, 3})) << "corners are drawn in more than sides";
    EXPECT_GT(inward({0, 3, 3}), 0);
}

/// Momentum, energy and mean outward speed of a block that moves by `flow`, after `steps` of
/// resist_expansion() over dt [s] each.
struct Parting {
    Vec3d momentum = Vec3d::Zero();
    double energy = 0, outwards = 0;

    template <class Flow> Parting(const Flow& flow, int steps, double dt = 0.02) {
        Pool pool;
        pool.add_lattice({8, 8, 8}, 0.1);
        for (std::size_t i = 0; i < pool.x.size(); ++i)
            pool.v[i] = flow(Vec3d(pool.x[i] - Vec3d::Constant(4))) + Vec3d(3, 2, 1);
        pool.find_density();
        for (int k = 0; k < steps; ++k)
            resist_expansion(pool.matter, pool.near, pool.kernels, pool.params, dt);
        for (std::size_t i = 0; i < pool.x.size(); ++i) {
            const Vec3d v = pool.matter.velocity[i].head<3>();
            const double mass = 1 / pool.matter.per_mass[i];
            momentum += mass * v;
            energy += 0.5 * mass * (v - Vec3d(3, 2, 1)).squaredNorm();
            outwards += mass * (v - Vec3d(3, 2, 1)).dot(pool.x[i] - Vec3d::Constant(4));
        }
    }
};

TEST(SphParting, slows_expansion_and_creates_no_momentum) {
    const auto expands = [](const Vec3d& x) { return x; };
    const Parting before(expands, 0), after(expands, 200);
    EXPECT_LT((after.momentum - before.momentum).norm(), 1e-12 * before.momentum.norm());
    EXPECT_LT(after.energy, 0.5 * before.energy);
    EXPECT_LT(std::abs(after.outwards), 0.5 * before.outwards);
    double last = before.energy;
    for (const int steps : {1, 2, 5, 20, 100}) { // no step overshoots
        const double energy = Parting(expands, steps).energy;
        EXPECT_LT(energy, last);
        last = energy;
    }
}

TEST(SphParting, does_not_depend_on_the_substep) {
    const auto expands = [](const Vec3d& x) { return x; };
    const double energy = Parting(expands, 20, 0.02).energy;
    EXPECT_LT(energy, 0.9 * Parting(expands, 0).energy);
    EXPECT_NEAR(Parting(expands, 80, 0.005).energy, energy, 0.02 * energy);
}

TEST(SphParting, does_not_act_on_rotation_shear_or_compression) {
    for (const Vec3d& axis : {Vec3d(0, 0, 1), Vec3d(1, 1, 0)}) {
        const auto turns = [&](const Vec3d& x) { return Vec3d(axis.cross(x)); };
        EXPECT_GT(Parting(turns, 20).energy, (1 - 1e-12) * Parting(turns, 0).energy);
    }
    const auto shrinks = [](const Vec3d& x) { return Vec3d(-x); };
    EXPECT_EQ(Parting(shrinks, 20).energy, Parting(shrinks, 0).energy);
    const auto spreads = [](const Vec3d& x) { return Vec3d(x.x(), -2 * x.y(), x.z()); };
    EXPECT_GT(Parting(spreads, 20).energy, 0.9 * Parting(spreads, 0).energy);
}

TEST(SphPressure, solved_implicitly_leaves_nothing_denser_than_at_rest) {
    Pool pool;
    pool.add_lattice({6, 6, 6}, 0.1);
    pool.add_wall(make_plane({0, 0, 0}, {0, 1, 0}));
    for (auto& v : pool.v) v = Vec3d(0, -1, 0);
    pool.params.pressure = Pressure::implicit;
    pool.params.pressure_tolerance = 1e-5;
    pool.find_density();
    Partials<double> partials;
    const double dt = 0.02;
    const PressureSolve solve =
        solve_pressure(pool.matter, pool.near, pool.walls, pool.kernels, pool.params, dt, partials);
    EXPECT_TRUE(solve.converged);
    EXPECT_GT(solve.iterations, 2);
    for (std::size_t i = 0; i < pool.x.size(); ++i)
        pool.x[i] += dt * pool.matter.velocity[i].head<3>() + pool.matter.shift[i];
    pool.find_density();
    double mean = 0;
    for (const double c : pool.matter.compression) mean += std::max(c - 1, 0.0) / 216;
    EXPECT_LT(mean, 1e-3);
}

} // namespace
} // namespace nendo::sph
