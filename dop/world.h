// SPDX-License-Identifier: Apache-2.0
// The world around a simulation object: its colliders and gravity.
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

/// Colliders at the end of the last step, as a table, which is kept as points.
struct ColliderTable {
    std::vector<std::int64_t> id;    ///< Simulation object and number of its shape
    std::vector<std::int64_t> shape; ///< Fingerprint of the shape
    std::vector<Mat3d> turn;         ///< Rotation
    std::vector<Vec3d> place;        ///< Position of the origin [m]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.id,
              field("id").help("65536 times the id of the object, plus the number of the shape."));
        visit(self.shape, field("shape").help("Fingerprint of the shape."));
        visit(self.turn, field("turn").meaning(Meaning::matrix).help("Rotation of the collider."));
        visit(self.place, field("place").unit("m").help("Position of its origin."));
    }
};

/// The colliders of the last step, from which the next step sees how they move and change. They are
/// kept in a geometry: one point per collider, and one VDB per level set.
struct ColliderMemory {
    ColliderTable table;
    std::map<std::int64_t, std::shared_ptr<const LevelSet>> shapes; ///< By id
};

ColliderMemory read_memory(const GU_Detail& gdp, const std::string& where);
void write_memory(const ColliderMemory& memory, GU_Detail& gdp, const std::string& where);

struct WorldOptions {
    Vec3d gravity{0, -9.81, 0}; ///< [m/s^2], unless the object has its own gravity
    double friction = 0.5;      ///< Friction of colliders without their own
    double voxel = 0;           ///< Voxel size of level sets made from polygons [m]
    double start = 0;           ///< Start of the step [s]
    double end = 0;             ///< End of the step [s]
};

/// The gravity and colliders that affect the object at the end of the step, moving from their poses
/// in `memory`, which is updated. A collider that is seen for the first time is at rest, unless it
/// has a velocity (a VDB named v, vel or collisionvel). The shape of a collider is its signed
/// distance data, or the level sets in its geometry, or else its polygons. Throws if a collider has
/// no shape or is scaled. The fields of the object itself are one more collider: see
/// dop/bridge/fields.h.
Scene build_scene(const SIM_Object& object, const WorldOptions& options, ColliderMemory& memory,
                  Host& host);

} // namespace nendo::houdini
