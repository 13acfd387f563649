// SPDX-License-Identifier: Apache-2.0
// A ball of clay falls to the ground. Prints its time [s] and the height of its center [m], frame by
// frame.
#include <nendo/elastoplastic/fill.h>

#include <cstdio>

using namespace nendo;

int main() {
    elastoplastic::Params params;
    params.spacing = 0.05; // between particles [m]

    Scene scene; // its gravity points down -Y
    Collider ground;
    ground.shape = make_plane(/*point*/ {0, 0, 0}, /*normal*/ {0, 1, 0});
    scene.colliders.push_back(ground);

    const elastoplastic::Material& clay = elastoplastic::preset("clay");
    const SdfPtr ball = make_sphere(/*center*/ {0, 1, 0}, /*radius*/ 0.25);
    const std::vector<elastoplastic::Body> bodies{
        elastoplastic::fill(*ball, clay, params.spacing),
    };

    elastoplastic::State<float> state;
    elastoplastic::Solver<float> solver;
    Host host; // override its functions to see progress and messages, and to interrupt
    for (int frame = 0; frame <= 36; ++frame) {
        const double time = frame / 24.0;
        solver.advance(state, scene, bodies, params, time - state.details.time, host);
        double height = 0;
        for (const Vec3<float>& x : state.masters.x) height += x.y();
        std::printf("%.4f %.4f\n", time, height / static_cast<double>(state.masters.x.size()));
    }
}
