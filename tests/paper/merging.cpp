// What joins and what only touches: plastic bodies grow together by shared slaves, elastic ones
// meet by contact.
#include "support/matter.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace nendo::elastoplastic::test {
namespace {

constexpr double d = 0.0625;
constexpr int n = 6; // masters on an edge of a cube
const Material dough{1000, 1.2e6, 0.35, 0.1, 0.8, 10}; // S000 Table 1, Fig 14

/// Two cubes, the second above the first by `gap` spacings between the facing layers of masters
/// and moved sideways by `offset` spacings.
std::vector<Body> two_cubes(const Material& material, double gap, const Vec3d& offset) {
    return {make_block({n, n, n}, Vec3d(0, 0, 0), material, d, 0),
            make_block({n, n, n}, d * (Vec3d(0, n + gap - 1, 0) + offset), material, d, 1)};
}

/// What is measured of one of the two bodies.
struct Part {
    double mass = 0;
    double lowest = infinite;
    double highest = -infinite;
    Vec3d centre{0, 0, 0};
    Vec3d velocity{0, 0, 0};
};

Part part(const State<double>& s, int body) {
    Part part;
    for (std::size_t m = 0; m < s.masters.id.size(); ++m) {
        if (s.masters.body[m] != body) continue;
        part.mass += s.masters.mass[m];
        part.centre += s.masters.mass[m] * s.masters.x[m];
        part.velocity += s.masters.mass[m] * s.masters.v[m];
        part.lowest = std::min(part.lowest, s.masters.x[m].y());
        part.highest = std::max(part.highest, s.masters.x[m].y());
    }
    part.centre /= part.mass;
    part.velocity /= part.mass;
    return part;
}

/// Between the facing layers of masters, in spacings.
double gap(const State<double>& s) {
    return (part(s, 1).lowest - part(s, 0).highest) / d;
}

/// Mean pull [N] through the layers of masters between two pins.
class Pull {
public:
    explicit Pull(const State<double>& s) : m_layer(s.masters.id.size()) {
        std::vector<std::pair<double, std::size_t>> order;
        for (std::size_t m = 0; m < s.masters.id.size(); ++m)
            order.emplace_back(s.masters.x[m].y(), static_cast<std::size_t>(s.masters.id[m]));
        std::sort(order.begin(), order.end());
        for (std::size_t k = 0; k < order.size(); ++k)
            m_layer[order[k].second] = k / (n * n);
    }

    /// The pull through one layer is its stress times its volume over its thickness.
    double operator()(const State<double>& s) const {
        std::vector<double> y(layers, 0);
        std::vector<double> stress(layers, 0); // [J]
        for (std::size_t m = 0; m < s.masters.id.size(); ++m) {
            const std::size_t k = m_layer[static_cast<std::size_t>(s.masters.id[m])];
            const Svd3<double> svd = svd3(s.masters.F_E[m]);
            const Lame<double> moduli =
                hardened(lame(s.masters.young[m], s.masters.poisson[m]), s.masters.hardening[m],
                         s.masters.J_P[m]);
            const Vec3d tau = energy_slope(moduli, svd.sigma).cwiseProduct(svd.sigma);
            y[k] += s.masters.x[m].y() / (n * n);
            stress[k] += s.masters.volume[m] *
                         tau.dot(svd.U.row(1).transpose().cwiseAbs2());
        }
        double sum = 0;
        for (const std::size_t k : {3u, 4u, 7u, 8u}) // away from the pins and from the seam
            sum += stress[k] / (0.5 * (y[k + 1] - y[k - 1]));
        return sum / 4;
    }

private:
    static constexpr std::size_t layers = 2 * n;
    std::vector<std::size_t> m_layer; ///< By id, from below
};

struct Strength {
    double pull = 0;    ///< The strongest [N]
    double stretch = 0; ///< The pins' way until then, over the length
    std::vector<int> pieces;
};

/// Pulls a column apart by the two outermost layers at its ends.
Strength pull_apart(State<double> s, const Params& p, double stretch) {
    const double now = s.details.time;
    const double bottom = lowest(s);
    const double top = highest(s);
    const double length = top - bottom + d;
    const double speed = 0.5 * length; // [m/s] between the pins
    const double duration = stretch * length / speed;
    Scene scene = weightless();
    for (const double side : {-1.0, 1.0}) {
        Pin pin;
        pin.name = side < 0 ? "lower" : "upper";
        pin.shape = make_box(Vec3d(0, side < 0 ? bottom : top, 0), Vec3d(10, 3 * d, 10));
        pin.motion = Motion({{now, Vec3d(0, 0, 0), Vec3d(0, 0, 0)},
                             {now + duration, Vec3d(0, 0.5 * side * stretch * length, 0),
                              Vec3d(0, 0, 0)}});
        pin.start = now;
        scene.pins.push_back(pin);
    }
    const Pull pull(s);
    Solver<double> solver;
    Host host;
    Strength strongest;
    const int count = 60;
    for (int k = 1; k <= count; ++k) {
        solver.advance(s, scene, {}, p, duration / count, host);
        const double now_pulls = pull(s);
        if (std::getenv("TRACE")) std::printf("%g %g %zu\n", k * stretch / count, now_pulls, pieces(s, p).size());
        if (now_pulls <= strongest.pull) continue;
        strongest.pull = now_pulls;
        strongest.stretch = k * stretch / count;
    }
    strongest.pieces = pieces(s, p);
    return strongest;
}

TEST(Merging, plastic_cubes_become_one_and_hold_together) {
    Params p;
    std::vector<Body> bodies = two_cubes(dough, 5, Vec3d(0.3, 0, 0.4));
    bodies[0].velocity = Vec3d(0, 0.75, 0);
    bodies[1].velocity = Vec3d(0, -0.75, 0);
    State<double> s = start<double>(bodies, p);
    ASSERT_EQ(pieces(s, p).size(), 2u);
    Solver<double> solver;
    Host host;
    double joined_at = 0;
    while (s.details.time < 0.5) {
        solver.advance(s, weightless(), {}, p, s.details.time < 0.2 ? p.time_step : 0.02, host);
        const std::size_t count = pieces(s, p).size();
        if (joined_at == 0 && count == 1) joined_at = gap(s);
        if (joined_at > 0) ASSERT_EQ(count, 1u) << "fell apart at " << s.details.time << " s";
        if (std::getenv("TRACE")) { int k = (int)std::lround(s.details.time*1000); if (k%10==0) std::printf("t %g gap %g pieces %zu v %g\n", s.details.time, gap(s), count, part(s,1).velocity.y()); }
    }
    std::printf("two plastic cubes joined at a gap of %.2f spacings, came to rest at %.2f\n",
                joined_at, gap(s));

    const Strength seam = pull_apart(s, p, 0.5);
    const State<double> whole =
        start<double>({make_block({n, 2 * n, n}, Vec3d(0, 0, 0), dough, d)}, p);
    State<double> aged = whole;
    solver.advance(aged, weightless(), {}, p, 0.01, host);
    const Strength monolith = pull_apart(aged, p, 0.5);
    std::printf("seam bears %.0f N at stretch %.3f (%zu pieces after), monolith %.0f N at %.3f "
                "(%zu pieces): %.0f %%\n",
                seam.pull, seam.stretch, seam.pieces.size(), monolith.pull, monolith.stretch,
                monolith.pieces.size(), 100 * seam.pull / monolith.pull);
}

TEST(Merging, elastic_cubes_rest_on_each_other_and_part_again) {
    Params p;
    for (const Vec3d offset : {Vec3d(0.2, 0, 0.1), Vec3d(0.5, 0, 0.5)}) {
    State<double> s = start<double>(two_cubes(preset("jelly"), 1.0, offset), p);
    Solver<double> solver;
    Host host;
    Scene scene = ground(0.5);
    Report r;
    for (int k = 0; k < 25; ++k) {
        r = solver.advance(s, scene, {}, p, 0.02, host);
        std::printf("t %g gap %g pieces %zu mom %g %g %g x %g sub %d\n", s.details.time, gap(s), pieces(s, p).size(), r.momentum.x(), r.momentum.y(), r.momentum.z(), part(s,1).centre.x()/d, r.substeps);
    }
    State<double> side = s;
    const Vec3d before = part(s, 1).centre, below = part(s,0).centre;
    scene.gravity = Vec3d(0.2 * 9.81, -9.81, 0);
    solver.advance(side, scene, {}, p, 0.3, host);
    std::printf("slid %g d, lower %g\n", (part(side, 1).centre - before).x() / d, (part(side,0).centre - below).x()/d);
    State<double> steep = s;
    scene.gravity = Vec3d(0.8 * 9.81, -9.81, 0);
    solver.advance(steep, scene, {}, p, 0.3, host);
    std::printf("steep slid %g d lower %g\n", (part(steep, 1).centre - before).x() / d, (part(steep,0).centre - below).x()/d);
    Scene up = weightless();
    up.gravity = Vec3d(0, 9.81, 0);
    Pin pin;
    pin.name = "lower";
    pin.shape = make_box(below, Vec3d::Constant(n * d + 0.5*d));
    pin.start = s.details.time;
    up.pins.push_back(pin);
    const double g0 = gap(s);
    for (int k = 1; k <= 4; ++k) {
        solver.advance(s, up, {}, p, 0.05, host);
        std::printf("up %g gap+ %g free %g v %g gt %g\n", k * .05, (gap(s) - g0) * d, 0.5 * 9.81 * k * k * .0025, part(s,1).velocity.y(), 9.81*k*.05);
    }
    }
}

TEST(Merging, elastic_cubes_collide_and_keep_momentum) {
    for (double tol : {1e-4, 1e-10}) for (double off : {0.0, 0.3, 2.4}) {
    Params p;
    p.cg_tolerance = tol;
    std::vector<Body> bodies = two_cubes(preset("jelly"), 1.5, Vec3d(off, 0, 0));
    bodies[0].velocity = Vec3d(0, 1, 0);
    bodies[1].velocity = Vec3d(0, -1, 0);
    State<double> s = start<double>(bodies, p);
    Solver<double> solver;
    Host host;
    Report a = solver.advance(s, weightless(), {}, p, p.time_step, host), b;
    const auto spin = [&] { Workspace<double> w; prepare(w, s, p); Vec3d L(0,0,0);
        for (std::size_t m = 0; m < s.masters.id.size(); ++m) { Mat3d B = s.masters.C[m] * w.D_inv[m].inverse();
          L += s.masters.mass[m] * (s.masters.x[m].cross(s.masters.v[m]) + Vec3d(B(2,1)-B(1,2), B(0,2)-B(2,0), B(1,0)-B(0,1))); } return L; };
    const Vec3d L0 = spin();
    double size = 0, asize = 0;
    for (std::size_t m = 0; m < s.masters.id.size(); ++m) { size += s.masters.mass[m] * s.masters.v[m].norm(); asize += s.masters.mass[m]*s.masters.x[m].cross(s.masters.v[m]).norm(); }
    for (int k = 0; k < 6; ++k) {
        b = solver.advance(s, weightless(), {}, p, 0.025, host);
        std::printf("t %g gap %g v %g  dp %g dL %g dLB %g (rel to %g)\n", s.details.time, gap(s), part(s, 1).velocity.y(), (b.momentum - a.momentum).norm() / size, (b.angular_momentum-a.angular_momentum).norm()/asize, (spin()-L0).norm()/asize, L0.norm()/asize);
    }
    }
}

} // namespace
} // namespace nendo::elastoplastic::test
