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

namespace {

/// Counters and ids end here, so that counting on from them never overflows.
constexpr std::int64_t most_counted = std::int64_t(1) << 62;
const char* const keep_details =
    "keep what the solver wrote, or delete all its detail attributes to start over";

} // namespace

std::int64_t next_after(const std::vector<std::int64_t>& ids, std::int64_t next,
                        const std::string& where) {
    for (const std::int64_t id : ids) {
        if (id >= most_counted)
            throw Error("the id " + std::to_string(id) + " is too large", where,
                        "delete the attribute 'id': the solver makes its own");
        next = std::max(next, id + 1);
    }
    return next;
}

void check_kept(double value, const Field& f, const std::string& where) {
    if (!std::isfinite(value))
        throw Error("detail attribute '" + std::string(f.name_) + "' is not finite", where,
                    keep_details);
}

void check_kept(std::int64_t value, const Field& f, const std::string& where) {
    if (value < 0 || value > most_counted)
        throw Error("detail attribute '" + std::string(f.name_) + "' is " + std::to_string(value) +
                        ", which is no count",
                    where, keep_details);
}

const SIM_Geometry* find_geometry(const SIM_Object& object, const std::string& name) {
    return SIM_DATA_CASTCONST(object.getConstNamedSubData(name.c_str()), SIM_Geometry);
}

namespace {

/// The geometry of this name in the object; it is created if it does not exist.
SIM_GeometryCopy* own_geometry(SIM_Object& object, const std::string& name) {
    SIM_GeometryCopy* made =
        SIM_DATA_CREATE(object, name.c_str(), SIM_GeometryCopy,
                        SIM_DATA_RETURN_EXISTING | SIM_DATA_ADOPT_EXISTING_ON_DELETE);
    if (made == nullptr) throw Error("can't be created", data_name(name), "choose another name");
    return made;
}

} // namespace

GU_Detail& Draft::geometry(const std::string& name) {
    std::unique_ptr<GU_Detail>& draft = m_geometries[name];
    if (draft) return *draft;
    draft = std::make_unique<GU_Detail>();
    const SIM_GeometryAutoReadLock lock(find_geometry(m_object, name));
    if (lock.getGdp() != nullptr) draft->replaceWith(*lock.getGdp());
    return *draft;
}

void Draft::commit() {
    for (const auto& [name, draft] : m_geometries) own_geometry(m_object, name);
    for (const auto& [name, draft] : m_geometries) {
        SIM_GeometryAutoWriteLock lock(own_geometry(m_object, name), SIM_DATA_ID_PRESERVE);
        lock.getGdp().replaceWith(*draft);
    }
}

void check_data_names(const std::vector<DataName>& names, const SIM_Object& object) {
    for (const DataName& one : names) {
        const std::string where = "parameter " + one.label;
        // The first is the matter: without a name there is no such geometry.
        if (one.name.empty() && &one == &names.front()) continue;
        if (one.name.empty()) throw Error("it is empty", where, "give the data a name");
        for (const DataName& other : names) {
            if (&other == &one) break;
            if (other.name == one.name)
                throw Error("it names the same data as " + other.label + ", '" + one.name + "'",
                            where, "choose another name");
        }
        const SIM_Data* there = object.getConstNamedSubData(one.name.c_str());
        if (there != nullptr && find_geometry(object, one.name) == nullptr)
            throw Error("'" + one.name + "' is data of the object that is no geometry", where,
                        "choose another name");
    }
}

ColliderMemory read_colliders(const SIM_Object& object, const std::string& name) {
    const SIM_GeometryAutoReadLock lock(find_geometry(object, name));
    return lock.getGdp() != nullptr ? read_memory(*lock.getGdp(), data_name(name))
                                    : ColliderMemory{};
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
