// SPDX-License-Identifier: Apache-2.0
// A block of elastoplastic matter in a network, the colliders it falls on, and measurements of it.
#pragma once

#include "network.h"

#include "dop/bridge/points.h"
#include "elastoplastic/solver.h"

#include <openvdb/tools/LevelSetSphere.h>

#include <algorithm>
#include <string>

namespace nendo::houdini::test {

inline constexpr double d = 0.125; // Its multiples are exact in float.

inline elastoplastic::Params make_params() {
    elastoplastic::Params p;
    p.spacing = d;
    p.time_step = 5e-3;
    return p;
}

inline openvdb::FloatGrid::Ptr ball_grid(const Vec3d& center, double radius) {
    openvdb::initialize();
    auto grid = openvdb::tools::createLevelSetSphere<openvdb::FloatGrid>(
        float(radius), openvdb::Vec3f(float(center.x()), float(center.y()), float(center.z())),
        float(d / 2));
    grid->setName("surface");
    return grid;
}

/// A box whose faces point outward.
inline TriMesh box_mesh(const Vec3d& low, const Vec3d& high) {
    TriMesh mesh;
    for (int k = 0; k < 8; ++k)
        mesh.points.emplace_back((k & 1) != 0 ? high.x() : low.x(),
                                 (k & 2) != 0 ? high.y() : low.y(),
                                 (k & 4) != 0 ? high.z() : low.z());
    mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                      {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return mesh;
}

/// A polygonal collider: the ground, with its top at y = 0.
inline SIM_Object& add_ground(Network& net) {
    SIM_Object& ground = net.add_collider("ground");
    write_polygons(net.geometry("ground"), box_mesh({-4, -1, -4}, {4, 0, 4}));
    return ground;
}

inline void set_transform(SIM_Object& object, const Vec3d& place) {
    UT_DMatrix4 m(1.0);
    for (unsigned k = 0; k < 3; ++k) m.standin_at(3, k) = place[int(k)];
    SIM_DATA_CREATE(object, "Position", SIM_Position, SIM_DATA_RETURN_EXISTING)
        ->standin_set_transform(m);
}

inline void set_friction(SIM_Object& object, double friction) {
    SIM_DATA_CREATE(object, "PhysicalParms", SIM_PhysicalParms, SIM_DATA_RETURN_EXISTING)
        ->standin_options()
        .setOptionF("friction", friction);
}

/// A block of bare points above the ground; they become the node's own material.
inline SIM_Options& add_block(Network& net, const char* name, const char* material,
                              const Vec3d& corner, const Eigen::Vector3i& cells = {3, 3, 3}) {
    SIM_Options& options = net.add_matter(name);
    set_options(options, make_params());
    set_option(options, "preset", std::string(material));
    net.emit(name, lattice(cells, corner, d));
    return options;
}

inline double lowest(const State<float>& s) {
    double y = infinite;
    for (const auto& x : s.masters.x) y = std::min(y, double(x.y()));
    return y;
}

inline Vec3d mean_velocity(const State<float>& s) {
    Vec3d sum = Vec3d::Zero();
    for (const auto& v : s.masters.v) sum += v.cast<double>() / double(s.masters.v.size());
    return sum;
}

} // namespace nendo::houdini::test
