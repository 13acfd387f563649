// SPDX-License-Identifier: Apache-2.0
// What the microsolvers share: parameters as the simulation keeps them, the object's geometries, the
// world, the length of the step, and the one place where an exception becomes the node's error.
#pragma once

#include "core/error.h"
#include "dop/bridge/host.h"
#include "dop/bridge/node_info.h"
#include "dop/nodes.h"
#include "dop/world.h"

#include <SIM/SIM_GeometryCopy.h>
#include <SIM/SIM_Object.h>
#include <SIM/SIM_Options.h>

#include <exception>
#include <new>
#include <string>
#include <string_view>

namespace nendo::houdini {

/// Parameters as the simulation keeps them with the solver.
class SimValues final : public ParameterValues {
public:
    SimValues(const SIM_Options& options, const NodeInfo& node)
        : m_options(options), m_node(node) {}
    double number(const std::string& name, int component) const override;
    std::int64_t whole(const std::string& name) const override;
    bool toggle(const std::string& name) const override;
    std::string text(const std::string& name) const override;

private:
    const SIM_Options& m_options;
    const NodeInfo& m_node;
};

/// All that the node of a matter was told: its own parameters, the solver's, and the material of
/// points that bring none.
template <class NodeParams, class SolverParams, class Material> struct MatterSettings {
    NodeParams node;
    SolverParams params;
    Material material;

    MatterSettings(const SIM_Options& options, const NodeInfo& info,
                   const Material& (*preset)(std::string_view)) {
        const SimValues values(options, info);
        read_parameters(node, values);
        read_parameters(params, values);
        material = preset(node.preset);
        read_parameters(material, values, Given::on_request);
    }
};

/// How messages call a data of the object.
std::string data_name(const std::string& name);
/// An attribute that the solver itself wrote is gone.
[[noreturn]] void fail_missing(const std::string& attribute, const std::string& where);

/// The object's geometry of this name, or null.
const SIM_Geometry* find_geometry(const SIM_Object& object, const std::string& name);
/// The same, made when it is not there.
SIM_GeometryCopy* own_geometry(SIM_Object& object, const std::string& name);

ColliderMemory read_colliders(const SIM_Object& object, const std::string& name);
void write_colliders(const ColliderMemory& memory, SIM_Object& object, const std::string& name);

/// How long the step is [s]. `state_time` is the state's own clock, set when it has not `begun`; it
/// and the simulation's agree to the bit when they started together. `substep` is the longest of the
/// solver [s].
double duration_of(double& state_time, bool begun, double time, double timestep, double substep);

/// What is around the object from `start` on, for `duration` [s]; `memory` is brought up to date.
/// Polygons that collide get voxels of half the `spacing` [m].
Scene build_world(const SIM_Object& object, const MicrosolverParams& params, double spacing,
                  double start, double duration, ColliderMemory& memory, Host& host);

/// Runs a step: true when it went well, else the node has an error and the data is as it was.
template <class Step>
bool guarded_step(const SIM_Data& node, SIM_Object* object, const Step& step) {
    const auto say = [&](const std::string& text) {
        node.addError(object, SIM_MESSAGE, text.c_str(), UT_ERROR_ABORT);
        return false;
    };
    try {
        step();
        return true;
    } catch (const Interrupted&) {
        return say("interrupted: the geometry is as it was before this frame");
    } catch (const std::bad_alloc&) {
        return say("out of memory: use fewer particles, a larger Spacing");
    } catch (const std::exception& e) {
        return say(e.what());
    }
}

} // namespace nendo::houdini
