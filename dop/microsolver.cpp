// SPDX-License-Identifier: Apache-2.0
#include "dop/microsolver.h"

#include <SIM/SIM_DataUtils.h>

#include <cmath>

namespace nendo::houdini {

double SimValues::number(const std::string& name, int component) const {
    for (const Parameter& p : m_node.parameters)
        if (p.name == name && p.kind == ParameterKind::vector) {
            const UT_OptionEntry* entry = m_options.getOptionEntry(name.c_str());
            if (entry == nullptr) return 0;
            const UT_Vector3D v = entry->getOptionV3();
            return component == 0 ? v.x() : component == 1 ? v.y() : v.z();
        }
    return m_options.getOptionF(name.c_str());
}

std::int64_t SimValues::whole(const std::string& name) const {
    return m_options.getOptionI(name.c_str());
}

bool SimValues::toggle(const std::string& name) const {
    return m_options.getOptionB(name.c_str());
}

std::string SimValues::text(const std::string& name) const {
    return m_options.getOptionS(name.c_str()).c_str();
}

std::string data_name(const std::string& name) {
    return "data '" + name + "'";
}

void fail_missing(const std::string& attribute, const std::string& where) {
    throw Error("attribute '" + attribute + "' is missing", where,
                "keep the attributes that the solver wrote, or delete all of them, including the "
                "detail attributes, to start over");
}

const SIM_Geometry* find_geometry(const SIM_Object& object, const std::string& name) {
    return SIM_DATA_CASTCONST(object.getConstNamedSubData(name.c_str()), SIM_Geometry);
}

SIM_GeometryCopy* own_geometry(SIM_Object& object, const std::string& name) {
    SIM_GeometryCopy* made =
        SIM_DATA_CREATE(object, name.c_str(), SIM_GeometryCopy,
                        SIM_DATA_RETURN_EXISTING | SIM_DATA_ADOPT_EXISTING_ON_DELETE);
    if (made == nullptr) throw Error("can't be created", data_name(name), "choose another name");
    return made;
}

ColliderMemory read_colliders(const SIM_Object& object, const std::string& name) {
    const SIM_GeometryAutoReadLock lock(find_geometry(object, name));
    return lock.getGdp() != nullptr ? read_memory(*lock.getGdp(), data_name(name))
                                    : ColliderMemory{};
}

void write_colliders(const ColliderMemory& memory, SIM_Object& object, const std::string& name) {
    SIM_GeometryAutoWriteLock lock(own_geometry(object, name), SIM_DATA_ID_PRESERVE);
    write_memory(memory, lock.getGdp(), data_name(name));
}

double duration_of(double& state_time, bool begun, double time, double timestep, double substep) {
    if (!std::isfinite(timestep) || timestep < 0)
        throw Error("the time step is " + std::to_string(timestep) + " s", "simulation",
                    "give the DOP network a time step of one frame");
    const double most_substeps = 1e5;
    if (timestep / substep > most_substeps)
        throw Error("the time step of " + std::to_string(timestep) +
                        " s would take more than 100,000 substeps",
                    "simulation",
                    "give the DOP network a time step of one frame, or raise Time step");
    if (!begun) state_time = time - timestep;
    const double by_clock = time - state_time;
    return std::abs(by_clock - timestep) < 1e-6 * timestep ? by_clock : timestep;
}

Scene build_world(const SIM_Object& object, const MicrosolverParams& params, double spacing,
                  double start, double duration, ColliderMemory& memory, Host& host) {
    WorldOptions world;
    world.gravity = params.gravity;
    world.friction = params.collider_friction;
    world.voxel = spacing / 2;
    world.start = start;
    world.end = start + duration;
    return build_scene(object, world, memory, host);
}

} // namespace nendo::houdini
