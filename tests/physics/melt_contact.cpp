// SPDX-License-Identifier: Apache-2.0
// Solid matter that falls on colliders: contact creates no energy, whatever shortens the substep.
#include "support/melting.h"

#include <gtest/gtest.h>

namespace nendo::melt::test::contact {
namespace {

constexpr double d = 0.05;

/// The largest energy gain of a falling block over its start, relative to the energy that it loses.
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

TEST(MeltContact, creates_no_energy) {
    for (const Pairing& pairing : pairings())
        for (const double young : {infinite, 1e5})
            for (const double time_step : {1.0 / 60, 1.0 / 240})
                EXPECT_LT(energy_gained(pairing, young, time_step), 0.02)
                    << pairing.name << ", young " << young << ", step " << time_step;
}

/// Hard matter on a foot that softens and melts on a hot plate sinks. As soon as there is liquid,
/// it needs shorter steps than the solid did, and the depth to which few iterations let the solid
/// be pressed in must not be turned into speed.
struct MeltingFoot {
    double most = 0;    ///< Largest energy, over the energy when it is set down [1]
    double fastest = 0; ///< [m/s]
    double sunk = 0;    ///< Energy at the end, over the energy when it is set down [1]
    std::int64_t liquid = 0;

    MeltingFoot(double spacing, double samples, int frames) {
        Material material = preset("chocolate");
        material.conductivity = 1.5;
        material.viscosity = 10;
        material.thinning = infinite;
        Params p;
        p.spacing = spacing;
        p.samples = samples;
        p.time_step = 0.005;
        p.heat.speed = 150;
        p.heat.air_temperature = 22;
        p.fluid.stiffness = 20;
        p.fluid.surface_tension = 0.3;
        Scene scene = ground(0.6);
        HeatSource plate;
        plate.shape = scene.colliders.front().shape;
        plate.temperature = 60;
        plate.transfer = 400;
        scene.heat_sources.push_back(plate);
        Body body = make_body(*make_animal(0.14), material, p.spacing);
        body.temperature = 22;
        State<float> state = start<float>({body}, p);
        Solver<float> solver;
        Host host;
        const double begin = solver.advance(state, scene, {}, p, 0, host).gravity_energy;
        for (int frame = 0; frame < frames; ++frame) {
            const Report report = solver.advance(state, scene, {}, p, 1.0 / 24, host);
            sunk = (report.kinetic_energy + report.gravity_energy) / begin;
            most = std::max(most, sunk);
            fastest = std::max(fastest, report.max_speed);
            liquid = report.liquid;
        }
    }
};

TEST(MeltContact, a_melting_foot_does_not_throw_the_body_up) {
    for (const double samples : {0.2, 1.0}) {
        const MeltingFoot foot(0.01, samples, 48);
        EXPECT_GT(foot.liquid, 0) << "samples " << samples;
        EXPECT_LT(foot.sunk, 0.8) << "samples " << samples;
        EXPECT_LT(foot.most, 1.05) << "samples " << samples;
        EXPECT_LT(foot.fastest, 2) << "samples " << samples;
    }
    const MeltingFoot fine(0.005, 0.2, 9);
    EXPECT_GT(fine.liquid, 0);
    EXPECT_LT(fine.most, 1.05);
    EXPECT_LT(fine.fastest, 2);
}

} // namespace
} // namespace nendo::melt::test::contact
