// SPDX-License-Identifier: Apache-2.0
// Matter at rest under its own weight, against the analytic solution.
#include "support/matter.h"

#include <gtest/gtest.h>

namespace nendo::elastoplastic::test {
namespace {

struct Column {
    State<double> state;
    double mid_stress; ///< Mean vertical stress at mid-height over the analytic one
    double shortening; ///< Shortening at the top over the analytic one
    double bottom;     ///< Height of the lowest master, in spacings
};

/// A column 1 m high and half as wide, with `cells` across its height, at rest on a smooth
/// floor. Without friction the exact stress is rho g times the height above, the exact shortening
/// of the part below y is rho g (L y - y^2/2) / E, for any Poisson's ratio.
Column settle(int cells) {
    const double length = 1;
    const Material material{1000, {4e5, 0.3, infinite, infinite, 0}};
    Params p;
    p.spacing = length / cells;
    p.time_step = 4e-3;
    p.cg_tolerance = 1e-6;
    const int across = cells / 2;
    Column column;
    Host host;
    const std::vector<Body> bodies = {
        make_block({across, cells, across}, Vec3d(0, 0, 0), material, p.spacing)};
    const State<double> rest = start<double>(bodies, p);
    Solver<double> solver;
    // Weight is applied slowly and smoothly, so that nothing swings.
    for (int k = 1; k <= 60; ++k) {
        Scene scene = ground(0);
        const double t = std::min(1.0, k / 50.0);
        scene.gravity *= t * t * (3 - 2 * t);
        solver.advance(column.state, scene, bodies, p, 0.02, host);
    }

    const Masters<double>& masters = column.state.masters;
    std::map<std::int64_t, double> rest_height;
    for (std::size_t m = 0; m < rest.masters.id.size(); ++m)
        rest_height[rest.masters.id[m]] = rest.masters.x[m].y();
    double stress = 0;
    double expected = 0;
    double sunk = 0;
    double exact = 0;
    for (std::size_t m = 0; m < masters.id.size(); ++m) {
        const double y = rest_height[masters.id[m]];
        if (std::abs(y - length / 2) < 1.01 * p.spacing) {
            const Svd3<double> svd = svd3(masters.F_E[m]);
            const Vec3d tau = energy_slope(lame(material.young, material.poisson), svd.sigma)
                                  .cwiseProduct(svd.sigma);
            const Mat3d kirchhoff = svd.U * tau.asDiagonal() * svd.U.transpose();
            stress -= kirchhoff(1, 1) / svd.sigma.prod();
            expected += material.density * 9.81 * (length - y);
        }
        if (y > length - p.spacing) {
            sunk += y - masters.x[m].y();
            exact += material.density * 9.81 * (length * y - y * y / 2) / material.young;
        }
    }
    column.mid_stress = stress / expected;
    column.shortening = sunk / exact;
    column.bottom = lowest(column.state) / p.spacing;
    return column;
}

TEST(Statics, a_column_carries_its_weight_and_shortens_as_predicted) {
    const Column coarse = settle(16);
    const Column fine = settle(24);
    for (const Column* c : {&coarse, &fine}) {
        EXPECT_NEAR(c->mid_stress, 1, 0.05);
        EXPECT_GT(c->shortening, 0.95);
        EXPECT_LT(c->shortening, 1.15);
        EXPECT_GT(c->bottom, 0.45);
        EXPECT_LT(c->bottom, 0.55);
    }
    EXPECT_LE(std::abs(fine.shortening - 1), std::abs(coarse.shortening - 1));
    std::printf("column: stress %.4f %.4f, shortening %.4f %.4f, bottom %.3f %.3f d\n",
                coarse.mid_stress, fine.mid_stress, coarse.shortening, fine.shortening,
                coarse.bottom, fine.bottom);
}

} // namespace
} // namespace nendo::elastoplastic::test
