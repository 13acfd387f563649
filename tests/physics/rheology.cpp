// SPDX-License-Identifier: Apache-2.0
// Joints of springs and dashpots against their equations (rheology paper): creep, lasting bends,
// yield, energy, and bars against Euler and Bernoulli.
#include "math/rotation.h"
#include "support/bones.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <random>

namespace nendo::rheology::test {
namespace {

/// The body of Fig 2 (rheology paper): 0.1 kg on a joint of three elements, pushed by 1 N for 1 s.
struct OneBody {
    double mass = 0.1;
    Rheology rheology;
    double force = 1; ///< [N], or [N m] for a joint that bends
    double until = 1; ///< [s]
    JointKind kind = JointKind::slide;

    OneBody() { rheology.flow = 20; }

    Body make() const {
        Body body;
        body.name = "one body";
        Bone bone;
        bone.mass = mass;
        bone.inertia = mass * Mat3d::Identity();
        body.bones.push_back(bone);
        Joint joint;
        joint.kind = kind;
        joint.rheology = rheology;
        body.joints.push_back(joint);
        Load load;
        const Vec3d push(force, 0, 0), nothing(0, 0, 0);
        const bool slides = kind == JointKind::slide;
        const LoadKey on{0, slides ? push : nothing, slides ? nothing : push};
        load.keys = {on, {until, on.force, on.torque}, {until, nothing, nothing}};
        body.loads.push_back(load);
        return body;
    }

    /// Displacement at time t under a force that acts from time 0 on: the inverse Laplace transform
    /// of F N / (s^2 Q), N = (D_d + D_f) s + K_f, Q = m (D_d + D_f) s^2 + (D_f D_d + m K_f) s + D_d
    /// K_f.
    double pushed(double t) const {
        if (t <= 0) return 0;
        using Complex = std::complex<double>;
        const double K = rheology.stiffness.x(), Df = rheology.damping.x(), Dd = rheology.flow;
        const double a = mass * (Dd + Df), b = Df * Dd + mass * K, c = Dd * K;
        const Complex root = std::sqrt(Complex(b * b - 4 * a * c));
        const double N0 = K, N1 = Dd + Df;
        Complex x = N0 / c * t + (N1 * c - N0 * b) / (c * c);
        for (const Complex s : {(-b + root) / (2 * a), (-b - root) / (2 * a)})
            x += (N1 * s + N0) / (s * s * (2 * a * s + b)) * std::exp(s * t);
        return force * x.real();
    }
    double analytic(double t) const { return pushed(t) - pushed(t - until); }
};

double displacement(const State<double>& s, JointKind kind) {
    return kind == JointKind::slide ? s.bones.x[0].x() : rotation_log(Quat(s.bones.orient[0])).x();
}

struct Curve {
    double peak = 0;
    double worst = 0; ///< Largest distance from the analytic curve [m]
    double residual = 0;
};

Curve follow(const OneBody& one, double h, double seconds) {
    Params params;
    params.time_step = h;
    State<double> state;
    Solver<double> solver;
    Host host;
    Curve curve;
    const std::vector<Body> bodies{one.make()};
    const int steps = static_cast<int>(std::lround(seconds / h));
    for (int k = 1; k <= steps; ++k) {
        solver.advance(state, weightless(), bodies, params, h, host);
        const double x = displacement(state, one.kind);
        curve.peak = std::max(curve.peak, x);
        curve.worst = std::max(curve.worst, std::abs(x - one.analytic(k * h)));
        curve.residual = x;
    }
    return curve;
}

class ThreeElements : public testing::TestWithParam<JointKind> {};
INSTANTIATE_TEST_SUITE_P(joints, ThreeElements, testing::Values(JointKind::slide, JointKind::bend),
                         [](const auto& test) {
                             return test.param == JointKind::slide ? "that_slide" : "that_bend";
                         });

TEST_P(ThreeElements, keep_a_bend_of_impulse_over_flow) {
    OneBody one;
    one.kind = GetParam();
    for (const double mass : {0.01, 0.1, 3.0})
        for (const double stiffness : {10.0, 1000.0}) {
            one.mass = mass;
            one.rheology.stiffness.setConstant(stiffness);
            const Curve curve = follow(one, 0.02, 100);
            EXPECT_NEAR(curve.residual, one.force * one.until / one.rheology.flow, 1e-9 * 0.05);
        }
}

TEST_P(ThreeElements, follow_the_analytic_curve_at_the_papers_step) {
    OneBody one;
    one.kind = GetParam();
    const Curve paper = follow(one, 0.02, 4), fine = follow(one, 0.01, 4);
    std::printf("h 0.02 s: peak %.4f m, error %.2f %% of it; h 0.01 s: %.2f %%\n", paper.peak,
                100 * paper.worst / paper.peak, 100 * fine.worst / fine.peak);
    EXPECT_NEAR(paper.peak, 0.150, 0.001);
    EXPECT_LT(paper.worst, 0.025 * paper.peak);
    EXPECT_LT(fine.worst, 0.55 * paper.worst) << "the error is not of first order";
}

TEST(Yield, leaves_the_strain_of_the_table) {
    const double expected[][2] = {{0.5, 0.0253}, {1.0, 0.0017}, {1.5, 0}};
    for (const auto& [yield, residual] : expected) {
        OneBody one;
        one.rheology.yield = yield;
        EXPECT_NEAR(follow(one, 0.02, 20).residual, residual, 5e-5) << "yield " << yield << " N";
    }
    OneBody one;
    one.rheology.yield = 1.5;
    EXPECT_NEAR(follow(one, 0.02, 20).residual, 0, 1e-12);
}

TEST(Yield, is_a_ball_that_favors_no_direction) {
    double straight = 0;
    for (const double angle : {0.0, 0.3, 0.7853981633974483, 1.1}) {
        OneBody one;
        one.rheology.yield = 0.6;
        Body body = one.make();
        const Vec3d push(std::cos(angle), std::sin(angle), 0);
        body.loads[0].keys[0].force = body.loads[0].keys[1].force = push;
        Params params;
        params.time_step = 0.02;
        State<double> state;
        Host host;
        Solver<double>().advance(state, weightless(), {body}, params, 20, host);
        const Vec3d x = state.bones.x[0];
        if (angle == 0) straight = x.x();
        EXPECT_GT(straight, 0.01);
        EXPECT_NEAR((x - straight * push).norm(), 0, 1e-9);
    }
}

/// The other models have the same elements in series, with some left out.
struct Model {
    const char* name;
    double K_m, K_f, D_f, D_d;
};

/// Displacement of a massless chain of elements under a constant force.
double creep(const Model& m, double force, double t) {
    double x = std::isfinite(m.D_d) ? force * t / m.D_d : 0;
    if (std::isfinite(m.K_m)) x += force / m.K_m;
    if (std::isfinite(m.K_f))
        x += force / m.K_f * (m.D_f > 0 ? 1 - std::exp(-t * m.K_f / m.D_f) : 1);
    return x;
}

TEST(Models, creep_as_their_equations_predict) {
    const Model models[] = {{"three elements", infinite, 10, 2, 20},
                            {"Kelvin-Voigt", infinite, 10, 2, infinite},
                            {"Maxwell", infinite, 10, 0, 20},
                            {"Burgers", 25, 10, 2, 20}};
    for (const Model& m : models) {
        OneBody one;
        one.mass = 1e-6; // so light that the massless curve holds
        one.until = 100;
        one.rheology.stiffness.setConstant(m.K_f);
        one.rheology.damping.setConstant(m.D_f);
        one.rheology.first_stiffness.setConstant(m.K_m);
        one.rheology.flow = m.D_d;
        Params params;
        params.time_step = 1e-3;
        State<double> state;
        Solver<double> solver;
        Host host;
        const std::vector<Body> bodies{one.make()};
        for (const double t : {0.1, 0.3, 1.0}) {
            solver.advance(state, weightless(), bodies, params, t - state.details.time, host);
            EXPECT_NEAR(state.bones.x[0].x(), creep(m, 1, t), 2e-3 * creep(m, 1, 1.0))
                << m.name << " at " << t << " s";
        }
    }
}

/// A short chain with random masses, springs, dashpots, yields, steps and motion.
struct Throw {
    Body body;
    State<double> state;
    Params params;
};

Throw any_throw(std::mt19937_64& random) {
    const auto uniform = [&](double low, double high) {
        return low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53;
    };
    const auto log_uniform = [&](double low, double high) {
        return std::exp(uniform(std::log(low), std::log(high)));
    };
    const auto any_vector = [&](double size) {
        return Vec3d(uniform(-size, size), uniform(-size, size), uniform(-size, size));
    };
    Throw t;
    t.params.time_step = log_uniform(1e-4, 1);
    const int bones = 1 + static_cast<int>(random() % 4);
    const bool free = random() % 3 == 0;
    for (int k = 0; k < bones; ++k) {
        Bone bone;
        bone.pose.translation() = Vec3d(k + 0.5, 0, 0);
        bone.mass = log_uniform(1e-3, 1e3);
        const double across = uniform(0.01, 1);
        bone.inertia = bone.mass *
                       Vec3d(across, 1.0 / 12 + 0.5 * across, 1.0 / 12 + 0.6 * across).asDiagonal();
        t.body.bones.push_back(bone);
        if (k == 0 && free) continue;
        Joint joint;
        joint.parent = k - 1;
        joint.child = k;
        joint.kind = random() % 4 == 0 ? JointKind::slide : JointKind::bend;
        joint.frame.translation() = Vec3d(k, 0, 0);
        Rheology& r = joint.rheology;
        for (int axis = 0; axis < 3; ++axis) {
            r.stiffness[axis] = log_uniform(1e-2, 1e10);
            r.damping[axis] = random() % 3 == 0 ? 0 : log_uniform(1e-3, 1e6);
            if (random() % 3 == 0) r.first_stiffness[axis] = log_uniform(1e-2, 1e10);
        }
        if (random() % 3 != 0) r.flow = log_uniform(1e-2, 1e8);
        if (random() % 2 == 0) r.yield = log_uniform(1e-3, 1e4);
        t.body.joints.push_back(joint);
    }
    t.params.self_contact = false;
    add_body(t.state, t.body);
    for (int k = 0; k < bones; ++k) {
        t.state.bones.v[static_cast<std::size_t>(k)] = any_vector(10);
        t.state.bones.w[static_cast<std::size_t>(k)] = any_vector(10);
    }
    for (std::size_t j = 0; j < t.state.joints.id.size(); ++j) {
        // As if bent before, by a displacement with a noticeable energy.
        for (int axis = 0; axis < 3; ++axis) {
            t.state.joints.q_sf[j][axis] =
                uniform(-1, 1) / std::sqrt(1 + t.state.joints.stiffness[j][axis]);
            if (std::isfinite(t.state.joints.first_stiffness[j][axis]))
                t.state.joints.q_sm[j][axis] =
                    uniform(-1, 1) / std::sqrt(1 + t.state.joints.first_stiffness[j][axis]);
        }
    }
    return t;
}

TEST(Energy, never_rises_in_20000_chains_with_random_parameters) {
    std::mt19937_64 random(3);
    Solver<double> solver;
    Host host;
    double worst = 0;
    int unsettled = 0;
    for (int k = 0; k < 20000; ++k) {
        Throw t = any_throw(random);
        double before = infinite;
        const Report start = solver.advance(t.state, weightless(), {}, t.params, 0, host);
        before = start.kinetic_energy + start.elastic_energy;
        for (int step = 0; step < 12; ++step) {
            const Report r =
                solver.advance(t.state, weightless(), {}, t.params, t.params.time_step, host);
            const double energy = r.kinetic_energy + r.elastic_energy;
            ASSERT_TRUE(std::isfinite(energy)) << "set " << k;
            worst = std::max(worst, (energy - before) / start.kinetic_energy);
            ASSERT_LE(energy, before + 1e-9 * start.kinetic_energy)
                << "set " << k << " step " << step;
            before = energy;
            unsettled += r.yield_unconverged;
        }
    }
    std::printf("largest rise of energy: %.2e of the kinetic energy at the start; %d of 240000 "
                "steps did not settle their yield\n",
                worst, unsettled);
    EXPECT_EQ(unsettled, 0);
}

TEST(Momentum, of_a_free_chain_is_conserved) {
    Material material = preset("plastic");
    material.viscosity = infinite;
    Body body = make_skeleton(straight(8, 0.8, Section::ellipse(0.02, 0.02), material), material,
                              Clamp::none);
    body.velocity = Vec3d(1, 2, 0.5);
    body.angular_velocity = Vec3d(0.3, 2, 3);
    Params params;
    params.time_step = 1e-3;
    State<double> state;
    Solver<double> solver;
    Host host;
    const Report begin = solver.advance(state, weightless(), {body}, params, 0, host);
    const Report end = solver.advance(state, weightless(), {body}, params, 1, host);
    EXPECT_LT((end.momentum - begin.momentum).norm(), 1e-12 * begin.momentum.norm());
    EXPECT_LT((end.angular_momentum - begin.angular_momentum).norm(),
              0.01 * begin.angular_momentum.norm());
    Vec3d center = Vec3d::Zero();
    double mass = 0;
    for (std::size_t b = 0; b < state.bones.id.size(); ++b) {
        center += state.bones.mass[b] * state.bones.x[b];
        mass += state.bones.mass[b];
    }
    EXPECT_LT((center / mass - Vec3d(1.4, 2, 0.5)).norm(), 1e-9);
}

TEST(Momentum, of_a_tumbling_bone_is_conserved_and_its_energy_does_not_rise) {
    Body body;
    Bone bone;
    bone.inertia = Vec3d(1, 2, 3).asDiagonal();
    body.bones.push_back(bone);
    body.angular_velocity = Vec3d(0.01, 5, 0.01); // about the middle axis, so that it flips over
    Params params;
    params.time_step = 1e-3;
    State<double> state;
    Solver<double> solver;
    Host host;
    const Report begin = solver.advance(state, weightless(), {body}, params, 0, host);
    double before = begin.kinetic_energy;
    bool flipped = false;
    for (int k = 0; k < 600; ++k) {
        const Report r = solver.advance(state, weightless(), {body}, params, 0.01, host);
        EXPECT_LE(r.kinetic_energy, before * (1 + 1e-12));
        before = r.kinetic_energy;
        flipped = flipped || (Quat(state.bones.orient[0]) * Vec3d::UnitY()).y() < -0.9;
    }
    EXPECT_TRUE(flipped);
    EXPECT_GT(before, 0.95 * begin.kinetic_energy);
}

TEST(Chain, of_50_at_250_hertz_has_no_gaps) {
    Material material;
    material.young = 1e6;
    Body body = make_skeleton(straight(50, 2, Section::ellipse(0.02, 0.02), material), material,
                              Clamp::first);
    body.velocity = Vec3d(0, 0, 0);
    Params params;
    Scene scene;
    State<double> state;
    Solver<double> solver;
    Host host;
    double gap = 0, speed = 0;
    for (int k = 0; k < 500; ++k) {
        const Report r = solver.advance(state, scene, {body}, params, 0.004, host);
        gap = std::max(gap, r.joint_gap);
        speed = std::max(speed, r.max_speed);
    }
    std::printf("widest gap %.1e m at up to %.1f m/s\n", gap, speed);
    EXPECT_GT(speed, 3) << "the chain does not swing";
    EXPECT_LT(gap, 1e-5);

    State<float> single;
    Solver<float> single_solver;
    for (int k = 0; k < 250; ++k) {
        const Report r = single_solver.advance(single, scene, {body}, params, 0.004, host);
        EXPECT_LT(r.joint_gap, 1e-5);
    }
}

TEST(Bar, of_20_bones_sags_as_euler_and_bernoulli_predict) {
    const double length = 1, width = 0.04, height = 0.02, force = 0.2;
    Material material;
    material.young = 1e8;
    material.delay = 0.2;
    const Section section = Section::rectangle(width, height);
    const double EI = material.young * width * height * height * height / 12;
    Body body = make_skeleton(straight(20, length, section, material), material, Clamp::first);
    body.loads = {constant_load(-1, Vec3d(body.bones.back().half.x(), 0, 0), {0, -force, 0})};
    Params params;
    params.time_step = 0.01;
    params.drag = 2;
    State<double> state;
    Host host;
    Solver<double>().advance(state, weightless(), {body}, params, 20, host);
    const double expected = force * length * length * length / (3 * EI);
    std::printf("tip load: sags by %.5f m, Euler-Bernoulli %.5f m\n", -tip(state).y(), expected);
    EXPECT_NEAR(-tip(state).y(), expected, 0.02 * expected);

    // Under its own weight, over the longer side of the section.
    body.loads.clear();
    Scene sideways;
    sideways.gravity = Vec3d(0, 0, 0.5);
    State<double> other;
    Solver<double>().advance(other, sideways, {body}, params, 20, host);
    const double EI_side = material.young * height * width * width * width / 12;
    const double weight = material.density * width * height * 0.5;
    const double sag = weight * std::pow(length, 4) / (8 * EI_side);
    EXPECT_NEAR(tip(other).z(), sag, 0.02 * sag);
}

TEST(Bar, creeps_under_a_constant_load_as_three_elements_do) {
    Material material;
    material.young = 1e8;
    material.delay = 0.2;
    material.viscosity = 3e8;
    material.density = 1; // so light that the massless curve holds
    const Section section = Section::ellipse(0.02, 0.02);
    Body body = make_skeleton(straight(20, 1, section, material), material, Clamp::first);
    const double force = 0.01, I = section.about_y;
    body.loads = {constant_load(-1, Vec3d(body.bones.back().half.x(), 0, 0), {0, -force, 0})};
    Params params;
    params.time_step = 2e-3;
    State<double> state;
    Solver<double> solver;
    Host host;
    for (const double t : {0.1, 0.5, 1.0, 3.0}) {
        solver.advance(state, weightless(), {body}, params, t - state.details.time, host);
        const double shape = force / (3 * I);
        const double expected =
            shape * ((1 - std::exp(-t / material.delay)) / material.young + t / material.viscosity);
        EXPECT_NEAR(-tip(state).y(), expected, 0.02 * expected) << "at " << t << " s";
    }
}

} // namespace
} // namespace nendo::rheology::test
