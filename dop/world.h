// SPDX-License-Identifier: Apache-2.0
// The world of a simulation object: what it collides with, and gravity.
#pragma once

#include "core/host.h"
#include "scene/scene.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

class GU_Detail;
class SIM_Object;

namespace nendo {
struct LevelSet;
}

namespace nendo::houdini {

/// Colliders as they were at the end of the last step: a table, so that it is kept as points.
struct ColliderTable {
    std::vector<std::int64_t> id;    ///< Of the simulation object, and which of its shapes
    std::vector<std::int64_t> shape; ///< Fingerprint
    std::vector<Mat3d> turn;
    std::vector<Vec3d> place; ///< [m]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.id, field("id").help("65536 times the object's id, plus the shape's number."));
        visit(self.shape, field("shape").help("Fingerprint of its shape."));
        visit(self.turn, field("turn").meaning(Meaning::matrix).help("Its rotation."));
        visit(self.place, field("place").unit("m").help("Where its origin was."));
    }
};

/// What a step must know of the one before to see how colliders move and change. It lives in a
/// geometry of its own: a point for each collider, and a VDB for each that has a level set.
struct ColliderMemory {
    ColliderTable table;
    std::map<std::int64_t, std::shared_ptr<const LevelSet>> shapes; ///< By id
};

ColliderMemory read_memory(const GU_Detail& gdp, const std::string& where);
void write_memory(const ColliderMemory& memory, GU_Detail& gdp, const std::string& where);

struct WorldOptions {
    Vec3d gravity{0, -9.81, 0}; ///< [m/s^2], unless the object has gravity of its own
    double friction = 0.5;      ///< Of colliders that have none
    double voxel = 0;           ///< Of level sets that are made from polygons [m]
    double start = 0;           ///< Of the step [s]
    double end = 0;
};

/// What affects the object at the end of the step, and how it came there from where `memory` says
/// it was; `memory` is brought up to date. What is seen for the first time is at rest, unless it
/// has a velocity of its own (a VDB called v, vel or collisionvel). A collider's shape is its signed
/// distance data, or the level sets in its geometry, or else its polygons. Throws when one has no
/// shape, or is scaled. The object's own fields are one more collider: see dop/bridge/fields.h.
Scene build_scene(const SIM_Object& object, const WorldOptions& options, ColliderMemory& memory,
                  Host& host);

} // namespace nendo::houdini
