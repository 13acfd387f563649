// SPDX-License-Identifier: Apache-2.0
// Joining and touching: plastic bodies grow together by shared slaves, elastic ones meet by
// contact.
#include "support/matter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

namespace nendo::elastoplastic::test::merging {
namespace {

constexpr double d = 0.0625;
constexpr int n = 6;                                     // masters along an edge of a cube
const Material dough{1000, {1.2e6, 0.35, 0.1, 0.8, 10}}; // Saida 2017, Table 1, Fig 14

/// Two cubes. The second is above the first, with `gap` spacings between the facing layers of
/// masters, and shifted sideways by `offset` spacings.
std::vector<Body> two_cubes(const Material& material, double gap, const Vec3d& offset) {
    return {make_block({n, n, n}, Vec3d(0, 0, 0), material, d, 0),
            make_block({n, n, n}, d * (Vec3d(0, n + gap - 1, 0) + offset), material, d, 1)};
}

/// Center of mass and velocity of one of the two bodies.
struct Part {
    Vec3d center{0, 0, 0};
    Vec3d velocity{0, 0, 0};
};

Part part(const State<double>& s, int body) {
    Part part;
    double mass = 0;
    for (std::size_t m = 0; m < s.masters.id.size(); ++m) {
        if (s.masters.body[m] != body) continue;
        mass += s.masters.mass[m];
        part.center += s.masters.mass[m] * s.masters.x[m];
        part.velocity += s.masters.mass[m] * s.masters.v[m];
    }
    part.center /= mass;
    part.velocity /= mass;
    return part;
}

/// A column of two cubes: its layers of masters in the initial state, from below.
class Column {
public:
    static constexpr std::size_t layers = 2 * n;

    explicit Column(const State<double>& s) : m_layer(s.masters.id.size()) {
        std::vector<std::pair<double, std::size_t>> order;
        for (std::size_t m = 0; m < s.masters.id.size(); ++m)
            order.emplace_back(s.masters.x[m].y(), static_cast<std::size_t>(s.masters.id[m]));
        std::sort(order.begin(), order.end());
        for (std::size_t k = 0; k < order.size(); ++k) m_layer[order[k].second] = k / (n * n);
    }

    std::size_t layer(const State<double>& s, std::size_t m) const {
        return m_layer[static_cast<std::size_t>(s.masters.id[m])];
    }

    /// Mean height of each layer [m].
    std::vector<double> heights(const State<double>& s) const {
        std::vector<double> y(layers, 0);
        for (std::size_t m = 0; m < s.masters.id.size(); ++m)
            y[layer(s, m)] += s.masters.x[m].y() / (n * n);
        return y;
    }

    /// Gap between the two layers that face each other, in spacings.
    double gap(const State<double>& s) const {
        const std::vector<double> y = heights(s);
        return (y[n] - y[n - 1]) / d;
    }

    /// Pull through the column [N]: through one layer it is stress times volume over thickness.
    double pull(const State<double>& s) const {
        const std::vector<double> y = heights(s);
        std::vector<double> work(layers, 0); // [J]
        for (std::size_t m = 0; m < s.masters.id.size(); ++m) {
            const Svd3<double> svd = svd3(s.masters.F_E[m]);
            const Lame<double> moduli = hardened(lame(s.masters.young[m], s.masters.poisson[m]),
                                                 s.masters.hardening[m], s.masters.J_P[m]);
            const Vec3d tau = energy_slope(moduli, svd.sigma).cwiseProduct(svd.sigma);
            const Vec3d up = svd.U.row(1).transpose();
            work[layer(s, m)] += s.masters.volume[m] * tau.dot(up.cwiseAbs2());
        }
        double sum = 0;
        for (const std::size_t k : {3u, 8u}) // between the pins and the seam
            sum += work[k] / (0.5 * (y[k + 1] - y[k - 1]));
        return sum / 2;
    }

private:
    std::vector<std::size_t> m_layer; ///< Layer of each master, by id
};

struct Strength {
    double pull = 0; ///< The strongest pull [N]
    double gap = 0;  ///< The smallest gap before the pull, in spacings
};

/// Two pins hold the two outermost layers at each end: they press by `press` [m] in total, then
/// pull.
Strength press_and_pull(State<double> s, const Params& p, double press, double pull) {
    const Column column(s);
    const double speed = 0.4; // speed between the pins [m/s], a hundredth of the speed of sound
    const double turn = press / speed;
    const double end = turn + (press + pull) / speed;
    const std::vector<double> y = column.heights(s);
    Scene scene = weightless();
    for (const double side : {-1.0, 1.0}) {
        Pin pin;
        pin.name = side < 0 ? "lower" : "upper";
        pin.shape = make_box(Vec3d(0, side < 0 ? y.front() : y.back(), 0), Vec3d(10, 3 * d, 10));
        const auto at = [&](double time, double outward) {
            return Keyframe{time, Vec3d(0, 0.5 * side * outward, 0), Vec3d(0, 0, 0)};
        };
        std::vector<Keyframe> keys = {at(0, 0), at(turn, -press), at(end, pull)};
        if (press == 0) keys.erase(keys.begin());
        pin.motion = Motion(keys);
        scene.pins.push_back(pin);
    }
    for (std::size_t m = 0; m < s.masters.id.size(); ++m) {
        const std::size_t k = column.layer(s, m);
        if (k < 2) s.masters.pin[m] = 1;
        if (k >= Column::layers - 2) s.masters.pin[m] = 2;
    }
    Solver<double> solver;
    Host host;
    Strength strength;
    strength.gap = column.gap(s);
    while (s.details.time < end - 1e-6) {
        solver.advance(s, scene, {}, p, std::min(0.01, end - s.details.time), host);
        const double now = column.pull(s);
        strength.gap = std::min(strength.gap, column.gap(s));
        if (s.details.time > turn) strength.pull = std::max(strength.pull, now);
    }
    return strength;
}

TEST(Merging, plastic_cubes_that_meet_become_one) {
    const Params p;
    std::vector<Body> bodies = two_cubes(dough, 4, Vec3d(0.3, 0, 0.4));
    bodies[0].velocity = Vec3d(0, 0.75, 0);
    bodies[1].velocity = Vec3d(0, -0.75, 0);
    State<double> s = start<double>(bodies, p);
    const Column column(s);
    ASSERT_EQ(pieces(s, p).size(), 2u);
    Solver<double> solver;
    Host host;
    double joined_at = 0;
    while (s.details.time < 0.3) {
        solver.advance(s, weightless(), {}, p, 2 * p.time_step, host);
        const std::size_t count = pieces(s, p).size();
        if (joined_at == 0 && count == 1) joined_at = column.gap(s);
        if (joined_at > 0) {
            ASSERT_EQ(count, 1u) << "the body fell apart at " << s.details.time << " s";
        }
    }
    const Vec3d relative = part(s, 0).velocity - part(s, 1).velocity;
    const double closing = std::abs(relative.y());
    const double sliding = std::hypot(relative.x(), relative.z());
    std::printf("two plastic cubes joined at a gap of %.2f spacings; after 0.3 s the gap is %.2f, "
                "closing at %.4f m/s, sliding at %.4f m/s\n",
                joined_at, column.gap(s), closing, sliding);
    EXPECT_GT(joined_at, 1.4);
    EXPECT_LT(joined_at, 4.0); // a slave reaches masters within two spacings on both sides
    EXPECT_LT(column.gap(s), 2.5);
    EXPECT_LT(closing, 0.05); // it was 1.5 at the start
    EXPECT_LT(sliding, 0.15); // the lattices do not match, so the seam shears a little
}

TEST(Merging, a_pressed_seam_bears_a_fair_share_of_the_load_of_whole_matter) {
    const Params p;
    const State<double> two = start<double>(two_cubes(dough, 3.6, Vec3d(0.3, 0, 0.4)), p);
    const State<double> one =
        start<double>({make_block({n, 2 * n, n}, Vec3d(0, 0, 0), dough, d)}, p);
    const Strength seam = press_and_pull(two, p, 2.6 * d, 1.5 * d);
    const Strength whole = press_and_pull(one, p, 0, 1.5 * d);
    std::printf(
        "a seam pressed to %.2f spacings bears %.0f N, the same matter in one piece %.0f N: "
        "%.0f %%\n",
        seam.gap, seam.pull, whole.pull, 100 * seam.pull / whole.pull);
    EXPECT_GT(seam.pull, 0.3 * whole.pull);
    EXPECT_LE(seam.pull, 1.1 * whole.pull);
}

TEST(Merging, elastic_cubes_rest_on_each_other_and_part_without_sticking) {
    const Params p;
    State<double> s = start<double>(two_cubes(preset("jelly"), 0.97, Vec3d(0.1, 0, 0.05)), p);
    const Column column(s);
    Solver<double> solver;
    Host host;
    Scene scene = ground();
    Vec3d momentum = Vec3d::Zero();
    for (int k = 0; k < 10; ++k) {
        const Report r = solver.advance(s, scene, {}, p, 0.05, host);
        ASSERT_EQ(pieces(s, p).size(), 2u) << "at " << s.details.time << " s";
        EXPECT_GT(column.gap(s), 0.8);
        EXPECT_LT(column.gap(s), 1.1);
        momentum = r.momentum;
    }
    const double weight = 2 * 1000 * std::pow(n * d, 3);
    std::printf("an elastic cube rests on another at %.3f spacings, mean speed %.4f m/s\n",
                column.gap(s), momentum.norm() / weight);
    EXPECT_LT(momentum.norm() / weight, 0.03);

    // A slope of 0.2 is well below the friction of 0.5.
    const Vec3d upper = part(s, 1).center;
    const Vec3d lower = part(s, 0).center;
    State<double> tilted = s;
    scene.gravity = Vec3d(0.2 * 9.81, -9.81, 0);
    solver.advance(tilted, scene, {}, p, 0.3, host);
    const double slid =
        ((part(tilted, 1).center - upper) - (part(tilted, 0).center - lower)).x() / d;
    std::printf("on a slope of 0.2 it slides %.3f spacings in 0.3 s\n", slid);
    EXPECT_LT(std::abs(slid), 0.3);

    // Gravity is reversed while the lower cube is held: the upper one falls away freely.
    Scene upward;
    upward.gravity = Vec3d(0, 9.81, 0);
    Pin pin;
    pin.name = "lower";
    pin.shape = make_box(lower, Vec3d::Constant(n * d));
    pin.start = s.details.time;
    upward.pins.push_back(pin);
    const double before = column.gap(s);
    solver.advance(s, upward, {}, p, 0.2, host);
    const double fall = (column.gap(s) - before) * d;
    const double expected = 0.5 * 9.81 * 0.2 * 0.2;
    std::printf("it leaves by %.4f m, free fall is %.4f m\n", fall, expected);
    EXPECT_NEAR(fall, expected, 0.1 * expected);
    EXPECT_EQ(pieces(s, p).size(), 2u);
}

TEST(Merging, elastic_cubes_that_collide_keep_momentum_and_part) {
    const Params p;
    std::vector<Body> bodies = two_cubes(preset("jelly"), 1.5, Vec3d(0, 0, 0));
    bodies[0].velocity = Vec3d(0.3, 1, 0);
    bodies[1].velocity = Vec3d(0.3, -1, 0);
    State<double> s = start<double>(bodies, p);
    const Column column(s);
    Solver<double> solver;
    Host host;
    const Report before = solver.advance(s, weightless(), {}, p, p.time_step, host);
    double momentum = 0;
    double angular = 0;
    for (std::size_t m = 0; m < s.masters.id.size(); ++m) {
        momentum += s.masters.mass[m] * s.masters.v[m].norm();
        angular += s.masters.mass[m] * s.masters.x[m].cross(s.masters.v[m]).norm();
    }
    Report after;
    double closest = infinite;
    for (int k = 0; k < 10; ++k) {
        after = solver.advance(s, weightless(), {}, p, 0.01, host);
        ASSERT_EQ(pieces(s, p).size(), 2u);
        closest = std::min(closest, column.gap(s));
    }
    const double drift = (after.momentum - before.momentum).norm() / momentum;
    const double turn = (after.angular_momentum - before.angular_momentum).norm() / angular;
    const double leaving = (part(s, 1).velocity - part(s, 0).velocity).y();
    std::printf("two elastic cubes collide at 2 m/s: closest %.2f spacings, restitution %.2f, "
                "drift of momentum %.1e, of angular momentum %.1e\n",
                closest, leaving / 2, drift, turn);
    EXPECT_LT(drift, 1e-9);
    EXPECT_LT(turn, 1e-6);
    EXPECT_GT(closest, 0.5);
    EXPECT_GT(leaving, 0.2);
    EXPECT_GT(column.gap(s), 1.5);
}

} // namespace
} // namespace nendo::elastoplastic::test::merging
