// Solid matter that falls on colliders: contact makes no energy, whatever shortens the substep.
#include "support/melting.h"

#include <gtest/gtest.h>

namespace nendo::melt::test {
namespace {

constexpr double d = 0.05;

/// The most that energy is above what a block had when it began to fall, over what it loses.
double energy_gained(const Pairing& pairing, double young, double time_step) {
    Material material;
    material.young = young;
    Params p = cold(d);
    pairing.apply(p);
    p.time_step = time_step;
    p.samples = 0.3;
    const double height = 0.6;
    State<float> state = start<float>({make_block({8, 6, 5}, {0, height, 0}, material, d)}, p);
    Scene scene = ground();
    Collider slope; // one side lands first
    slope.shape = make_plane({0, 0, 0}, Vec3d(-0.3, 1, 0.1).normalized());
    slope.friction = 0.3;
    scene.colliders.push_back(slope);
    Solver<float> solver;
    Host host;
    double begin = 0, most = -infinite, mass = 0;
    for (int frame = 0; frame < 40; ++frame) {
        const Report report = solver.advance(state, scene, {}, p, 1.0 / 30, host);
        const double energy = report.kinetic_energy + report.gravity_energy;
        if (frame == 0) begin = energy;
        most = std::max(most, energy - begin);
        mass = report.mass;
    }
    return most / (mass * scene.gravity.norm() * height);
}

/// Not the hybrid schemes: where 17 of their iterations follow an impact, they throw a little back.
TEST(MeltContact, makes_no_energy) {
    for (const std::size_t k : {3u, 4u, 8u})
        for (const double young : {infinite, 1e5})
            for (const double time_step : {1.0 / 60, 1.0 / 240})
                EXPECT_LT(energy_gained(pairings()[k], young, time_step), 0.02)
                    << pairings()[k].name << ", young " << young << ", step " << time_step;
}

} // namespace
} // namespace nendo::melt::test
