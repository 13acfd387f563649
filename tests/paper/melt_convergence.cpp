// SPDX-License-Identifier: Apache-2.0
// How fast pairings of a constraint with a solver restore a flattened body (melting thesis, §3.2).
// The figures are d_sum (melting thesis, eq 3.1) per pair of cluster and member, in spacings.
#include "support/melting.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <map>

namespace nendo::melt::test {
namespace {

constexpr double d = 0.05;

/// d_sum by iteration, and the mean angle [rad] between neighbors' orientations at the end.
struct Curve {
    std::map<int, double> d_sum;
    double misaligned = 0;
    double drift = 0; ///< Drift of the center of mass, in spacings
};

template <class Real> double misalignment(const Workspace<Real>& w) {
    double sum = 0, count = 0;
    for (std::uint32_t i = 0; i < w.clusters.size(); ++i) {
        const Segment& s = w.clusters[i];
        for (std::uint32_t k = s.begin; k < s.begin + s.count; ++k) {
            const double dot =
                std::abs(static_cast<double>(w.q[i].dot(w.q[w.clusters.member()[k]])));
            sum += 2 * std::acos(std::min(1.0, dot));
            ++count;
        }
    }
    return sum / count;
}

/// Iterates on a flattened state in which only the clusters move particles.
template <class Real>
Curve recover(const State<Real>& state, Params p, const Pairing& pairing, std::vector<int> at) {
    pairing.apply(p);
    p.iterations = at.back();
    Workspace<Real> w;
    prepare(w, state, p);
    Curve curve;
    for (int k = 0; k < at.back(); ++k) {
        iterate(w, k);
        if (std::find(at.begin(), at.end(), k + 1) != at.end())
            curve.d_sum[k + 1] = deformation(w, d);
    }
    Vec3d drift = Vec3d::Zero();
    for (std::size_t i = 0; i < w.clusters.size(); ++i)
        drift += (w.x[i] - w.target[i]).template head<3>().template cast<double>();
    curve.drift = drift.norm() / static_cast<double>(w.clusters.size()) / d;
    curve.misaligned = misalignment(w);
    return curve;
}

const Pairing& pairing(std::string_view name) {
    return *std::find_if(pairings().begin(), pairings().end(),
                         [&](const Pairing& p) { return p.name == name; });
}

/// The body of the measured table: 6546 particles, flattened along the axis in which it looks.
State<float> flattened_animal() {
    Body body = make_body(*make_animal(2.23), Material{}, d);
    body.squash = Vec3d(1, 1, 0);
    return start<float>({body}, cold(d));
}

TEST(MeltConvergence, of_a_flattened_animal_matches_the_measurements) {
    const State<float> state = flattened_animal();
    EXPECT_NEAR(static_cast<double>(state.particles.id.size()), 6560, 40);
    const auto of = [&](const char* name, const std::vector<int>& at) {
        const Curve curve = recover(state, cold(d), pairing(name), at);
        std::printf("%-32s", name);
        for (const auto& [k, value] : curve.d_sum) std::printf("  %4d: %.4f", k, value);
        std::printf("  drift %.1e\n", curve.drift);
        return curve;
    };
    Curve jacobi = of("OP Jacobi", {17, 100, 300});
    Curve weighted = of("OP weighted Jacobi", {17, 100, 300});
    Curve hybrid = of("OP weighted hybrid", {17, 100, 200});
    Curve seidel = of("OP Gauss-Seidel", {17, 100});
    Curve chebyshev = of("OP Jacobi + Chebyshev", {17, 100});
    EXPECT_LE(weighted.d_sum[300], 0.03);
    EXPECT_LE(hybrid.d_sum[200], weighted.d_sum[300]);
    EXPECT_LE(chebyshev.d_sum[100], 0.01);
    EXPECT_LT(seidel.drift, 1e-5); // in single precision; 1e-6 in double: see melt_clusters.cpp
    // The paper's orderings.
    for (const int k : {17, 100, 300}) EXPECT_LT(weighted.d_sum[k], jacobi.d_sum[k]);
    for (const int k : {17, 100}) EXPECT_LT(hybrid.d_sum[k], weighted.d_sum[k]);
    for (const int k : {17, 100}) EXPECT_LT(seidel.d_sum[k], hybrid.d_sum[k]);
}

/// Matter that lies along x, rolled up to a curl of `curvature` [1/m] and squashed across.
State<double> curled(const std::vector<Vec3d>& particles, double curvature, double squash) {
    Body body;
    body.name = "curl";
    body.particles = particles;
    State<double> state = start<double>({body}, cold(d));
    for (Vec3d& x : state.particles.x) {
        x.z() *= squash;
        if (curvature == 0) continue;
        const double radius = 1 / curvature - x.y(), angle = curvature * x.x();
        x = Vec3d(radius * std::sin(angle), 1 / curvature - radius * std::cos(angle), x.z());
    }
    return state;
}

TEST(MeltConvergence, ranks_the_solvers_by_shape) {
    struct Shape {
        const char* name;
        State<double> state;
    };
    std::vector<Vec3d> rope, sheet;
    for (int i = 0; i < 40; ++i) rope.push_back({d * i, 0, 0});
    for (int i = 0; i < 24; ++i)
        for (int j = 0; j < 12; ++j) sheet.push_back({d * i, 0, d * j});
    const std::vector<Shape> shapes = {
        {"thick body", curled(place_masters(*make_box({0, 0, 0}, {0.6, 0.6, 0.6}), d), 0, 0.1)},
        {"ear", curled(place_masters(*make_capsule({0, 0, 0}, {1, 0, 0}, 0.09), d), 2, 0.3)},
        {"rope", curled(rope, 2, 1)},
        {"sheet", curled(sheet, 2, 1)},
    };
    const std::vector<const char*> names = {
        "SM Jacobi",       "OP Jacobi",          "OP weighted Jacobi",
        "OP hybrid",       "OP weighted hybrid", "OP hybrid by colors",
        "SM Gauss-Seidel", "OP Gauss-Seidel",    "OP Jacobi + Chebyshev"};
    std::map<std::string, std::map<std::string, Curve>> found;
    std::printf("| d_sum / misalignment [deg] after 17 iterations |");
    for (const Shape& shape : shapes) std::printf(" %s |", shape.name);
    std::printf("\n");
    for (const char* name : names) {
        std::printf("| %s |", name);
        for (const Shape& shape : shapes) {
            const Curve curve = recover(shape.state, cold(d), pairing(name), {17});
            std::printf(" %.4f / %.2f |", curve.d_sum.at(17), curve.misaligned * 180 / pi);
            found[shape.name][name] = curve;
        }
        std::printf("\n");
    }
    for (const Shape& shape : shapes) {
        auto& by = found[shape.name];
        const auto sum = [&](const char* name) { return by[name].d_sum[17]; };
        SCOPED_TRACE(shape.name);
        EXPECT_LE(by["OP Jacobi"].misaligned, by["SM Jacobi"].misaligned);
        // Clusters of a rope have three particles: parity separates them badly, and d_sum hardly
        // distinguishes the solvers. The paper's orderings do not hold there.
        if (std::string_view(shape.name) == "rope") continue;
        EXPECT_LT(sum("OP Gauss-Seidel"), sum("OP hybrid"));
        EXPECT_LT(sum("OP hybrid"), sum("OP Jacobi"));
        EXPECT_LT(sum("OP weighted Jacobi"), sum("OP Jacobi"));
        EXPECT_LT(sum("OP weighted hybrid"), sum("OP hybrid"));
        // In a thick body orientations add nothing to d_sum.
        if (std::string_view(shape.name) == "thick body") continue;
        EXPECT_LT(sum("OP Jacobi"), sum("SM Jacobi"));
    }
    EXPECT_LT(found["rope"]["OP Jacobi"].misaligned, 0.6 * found["rope"]["SM Jacobi"].misaligned);
}

} // namespace
} // namespace nendo::melt::test
