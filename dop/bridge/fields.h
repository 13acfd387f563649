// SPDX-License-Identifier: Apache-2.0
// A collider from the fields of a simulation object, as Houdini's own fluids have them.
#pragma once

#include "scene/scene.h"

#include <optional>

class SIM_Object;

namespace nendo::houdini {

/// The object's scalar field `collision` as a collider, which moves as its vector field
/// `collisionvel` says, or is at rest without one. Houdini's convention: `collision` is the negated
/// signed distance [m], above zero inside. Both are in the space of the object's points, and go on
/// beyond their box as they are at its sides. None when there is no such field, or nothing in it is
/// inside. The collider reads the fields as long as it lives. `start` and `end` are those of the
/// step [s]; the fields are as of its end. Throws when data of these names are no such fields.
std::optional<Collider> find_field_collider(const SIM_Object& object, double start, double end);

} // namespace nendo::houdini
