// SPDX-License-Identifier: Apache-2.0
// Saida 2017, Fig 7: the purpose of slaves. The same matter and the same steps, with one switch.
#include "support/matter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

namespace nendo::elastoplastic::test {
namespace {

constexpr int n = 14;                                       // masters along an edge: 2744 in total
const Material material{1000, {1.2e6, 0.35, 0.1, 0.8, 10}}; // Saida 2017, Table 1, Fig 7

/// A cube of matter on a lattice, moved by substeps of a given length, without a planner.
class Cube {
public:
    Cube(StressPoints where, double spacing, double height) : m_corner(0, height, 0) {
        params.spacing = spacing;
        params.stress_points = where;
        const Body body = make_block({n, n, n}, m_corner, material, spacing);
        w.trial = start<double>({body}, params);
        index_neighbors(w);
        const Masters<double>& masters = w.trial.masters;
        m_cell.resize(masters.id.size());
        for (std::size_t m = 0; m < masters.id.size(); ++m) {
            const Vec3d c = (masters.x[m] - m_corner) / spacing;
            m_cell[static_cast<std::size_t>(masters.id[m])] =
                cell(static_cast<int>(c.x()), static_cast<int>(c.y()), static_cast<int>(c.z()));
        }
    }

    void step(const Scene& scene, double dt, double beta) {
        Host host;
        std::vector<StageTime> stages;
        StageClock clock(stages);
        build_slave_grid(w, params);
        add_and_remove_slaves(w, params);
        place_scene(w, scene, dt);
        substep(w, scene, params, Plan{dt, beta, 45}, host, clock);
        w.trial.details.time += dt;
    }

    /// Adds a velocity that alternates from master to master.
    void alternate(double speed) {
        for (std::size_t m = 0; m < masters().id.size(); ++m)
            w.trial.masters.v[m].x() += parity(m) * speed;
    }
    /// Current amplitude of that velocity.
    double alternation() const {
        double sum = 0;
        for (std::size_t m = 0; m < masters().id.size(); ++m) sum += parity(m) * masters().v[m].x();
        return std::abs(sum) / static_cast<double>(masters().id.size());
    }

    /// Share of the velocity's energy in its fourth difference along the lattice; 1 for an
    /// alternating velocity.
    double roughness() const {
        std::vector<Vec3d> v(masters().id.size());
        double all = 0;
        for (std::size_t m = 0; m < v.size(); ++m) {
            v[static_cast<std::size_t>(m_cell[static_cast<std::size_t>(masters().id[m])])] =
                masters().v[m];
            all += masters().v[m].squaredNorm() / static_cast<double>(v.size());
        }
        double rough = 0;
        int count = 0;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                for (int k = 2; k < n - 2; ++k)
                    for (int axis = 0; axis < 3; ++axis) {
                        const auto at = [&](int o) {
                            const int a = k + o;
                            const int c = axis == 0   ? cell(a, i, j)
                                          : axis == 1 ? cell(i, a, j)
                                                      : cell(i, j, a);
                            return v[static_cast<std::size_t>(c)];
                        };
                        rough += ((at(-2) - 4 * at(-1) + 6 * at(0) - 4 * at(1) + at(2)) / 16)
                                     .squaredNorm();
                        ++count;
                    }
        return rough / count / all;
    }

    double nearest() const {
        Grid<double> grid;
        grid.build(masters().x, params.spacing);
        double least = 1;
        for (std::size_t m = 0; m < masters().x.size(); ++m)
            grid.visit(masters().x[m], params.spacing, [&](std::uint32_t other, double r2) {
                if (other != m) least = std::min(least, std::sqrt(r2) / params.spacing);
            });
        return least;
    }
    /// Distance between the outermost masters over the cube's edge; 13/14 = 0.929 at rest.
    double extent() const { return (highest(w.trial) - lowest(w.trial)) / (n * params.spacing); }
    double fastest() const {
        double speed = 0;
        for (const Vec3d& v : masters().v) speed = std::max(speed, v.norm());
        return speed;
    }

    Params params;
    Workspace<double> w;

private:
    static int cell(int i, int j, int k) { return (i * n + j) * n + k; }
    const Masters<double>& masters() const { return w.trial.masters; }
    double parity(std::size_t m) const {
        const int c = m_cell[static_cast<std::size_t>(masters().id[m])];
        return (c / (n * n) + c / n % n + c % n) % 2 == 0 ? 1 : -1;
    }

    Vec3d m_corner;
    std::vector<int> m_cell; ///< Cell of each master, by id
};

struct Landing {
    double roughness;
    double nearest;
    double extent;
};

/// The cube falls on the ground at 2.5 m/s, semi-implicit, in substeps of 0.5 ms, and is measured
/// after 0.3 s.
Landing land(StressPoints where) {
    const double d = 0.025;
    Cube cube(where, d, 1.5 * d);
    cube.params.contact_solve = ContactSolve::after; // as in the paper
    for (Vec3d& v : cube.w.trial.masters.v) v = Vec3d(0, -2.5, 0);
    const Scene scene = ground();
    double rough = 0;
    for (int k = 0; k < 600; ++k) {
        cube.step(scene, 5e-4, 1);
        if (k >= 400) rough += cube.roughness() / 200; // over the last 0.1 s
    }
    return {rough, cube.nearest(), cube.extent()};
}

TEST(Fig7, on_the_ground_slaves_keep_the_lattice_and_masters_alone_collapse) {
    const Landing with = land(StressPoints::slaves);
    const Landing without = land(StressPoints::masters);
    std::printf("landing   roughness %.5f / %.3f, nearest %.3f / %.4f d, extent %.3f / %.3f "
                "(slaves / none)\n",
                with.roughness, without.roughness, with.nearest, without.nearest, with.extent,
                without.extent);
    EXPECT_LT(with.roughness, 0.01);
    EXPECT_GT(without.roughness, 0.2);
    EXPECT_GT(with.nearest, 0.9);
    EXPECT_LT(without.nearest, 0.1);
    EXPECT_GT(with.extent, 0.91);
    EXPECT_LT(with.extent, 0.94);
    EXPECT_LT(without.extent, 0.86);
}

/// Growth of an alternating velocity in matter squeezed by 3 %, explicit, 100 substeps of 0.25 ms.
double growth(StressPoints where) {
    Cube cube(where, 0.025, 0);
    for (Mat3d& F : cube.w.trial.masters.F_E) F = 0.97 * Mat3d::Identity();
    // Held on all sides, so that the squeeze stays.
    Scene scene = weightless();
    const double low = 0;
    const double high = n * cube.params.spacing;
    for (int axis = 0; axis < 3; ++axis)
        for (const double side : {-1.0, 1.0}) {
            Collider wall;
            wall.name = "wall";
            const Vec3d normal = -side * Vec3d::Unit(axis);
            wall.shape = make_plane(Vec3d::Constant(side < 0 ? low : high), normal);
            wall.friction = 0;
            scene.colliders.push_back(wall);
        }
    const double speed = 1e-3;
    cube.alternate(speed);
    for (int k = 0; k < 100; ++k) cube.step(scene, 2.5e-4, 0);
    return cube.alternation() / speed;
}

TEST(Fig7, squeezed_matter_lets_an_alternating_velocity_grow_only_without_slaves) {
    const double with = growth(StressPoints::slaves);
    const double without = growth(StressPoints::masters);
    std::printf("squeezed  growth %.2e / %.2f (slaves / none)\n", with, without);
    EXPECT_LT(with, 1e-3);
    EXPECT_GT(without, 3);
}

/// Speed of the fastest master while the cube falls on a bar at 2.5 m/s, explicit. The bar is `off`
/// its middle.
double fastest_on_bar(StressPoints where, double dt, double off) {
    const double d = 0.025;
    const double radius = 1.2 * d; // the bar of Fig 13
    Cube cube(where, d, radius + 1.5 * d);
    cube.params.contact_solve = ContactSolve::after; // as in the paper
    for (Vec3d& v : cube.w.trial.masters.v) v = Vec3d(0, -2.5, 0);
    Scene scene;
    Collider bar;
    bar.name = "bar";
    const double x = 7 * d + off;
    bar.shape = make_capsule(Vec3d(x, 0, -30 * d), Vec3d(x, 0, 30 * d), radius);
    scene.colliders.push_back(bar);
    double fastest = 0;
    for (int k = 0; k * dt < 0.2 && fastest < 100; ++k) {
        cube.step(scene, dt, 0);
        fastest = std::max(fastest, cube.fastest());
    }
    return fastest;
}

TEST(Fig7, explicit_steps_on_a_bar_tear_matter_only_without_slaves) {
    // Torn matter is chaotic: a bar moved by a tenth of a millimeter gives another speed. So there
    // are nine bars from the middle to half a spacing off it: with slaves all of them count,
    // without slaves their median. The paper gives neither bar nor contact: contact is as printed,
    // the bar is that of Fig 13.
    std::vector<double> with;
    std::vector<double> without;
    for (int k = 0; k < 9; ++k) {
        const double off = 0.0125 * k / 8;
        with.push_back(fastest_on_bar(StressPoints::slaves, 5e-4, off));
        without.push_back(fastest_on_bar(StressPoints::masters, 5e-4, off));
    }
    std::sort(with.begin(), with.end());
    std::sort(without.begin(), without.end());
    std::printf("bar       fastest %.2f (%.2f to %.2f) / %.2f (%.2f to %.2f) m/s (slaves / none)\n",
                with[4], with[0], with[8], without[4], without[0], without[8]);
    EXPECT_LT(with.back(), 4);
    EXPECT_GT(without[4], 10);
}

} // namespace
} // namespace nendo::elastoplastic::test
