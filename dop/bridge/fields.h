// SPDX-License-Identifier: Apache-2.0
// A collider made from the fields of a simulation object, as in Houdini's own fluids.
#pragma once

#include "scene/scene.h"

#include <optional>

class SIM_Object;

namespace nendo::houdini {

/// The scalar field `collision` of the object as a collider. It moves with the vector field
/// `collisionvel`, or is at rest without one. Houdini's convention: `collision` is the negated
/// signed distance [m], above zero inside. Both fields are in the space of the object's points, and
/// continue beyond their box with the values at its sides. None if there is no such field or none
/// of it is inside. The collider reads the fields as long as it lives. `start` and `end` are those
/// of the step [s]; the fields are those at its end. Throws if data of these names are other
/// fields.
std::optional<Collider> find_field_collider(const SIM_Object& object, double start, double end);

} // namespace nendo::houdini
