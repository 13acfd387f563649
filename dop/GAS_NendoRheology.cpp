// SPDX-License-Identifier: Apache-2.0
#include "dop/GAS_NendoRheology.h"

#include "dop/bridge/geometry.h"
#include "dop/microsolver.h"
#include "rheology/bend.h"
#include "rheology/solver.h"

#include <SIM/SIM_DopDescription.h>

#include <algorithm>
#include <set>

using namespace nendo;
using namespace nendo::houdini;
using namespace nendo::rheology;

namespace {

/// Colliders that are polygons get voxels of half of this [m].
constexpr double collider_spacing = 0.02;

/// All that the node was told.
struct Settings {
    RheologyNodeParams node;
    Params params;

    // How messages call the data.
    std::string bones() const { return data_name(node.common.geometry); }
    std::string joints() const { return data_name(node.joint_geometry); }
};

Settings read_settings(const SIM_Options& options) {
    Settings settings;
    const SimValues values(options, rheology_node());
    read_parameters(settings.node, values);
    read_parameters(settings.params, values);
    return settings;
}

/// A state, and where in the geometries its rows are.
struct Placed {
    State<float> state;
    Places bones, joints;
    ColliderMemory memory;
    bool begun = false; ///< Whether the solver has seen this geometry before
};

/// Reads a table of the object's data; an empty one when it has no points.
template <class Table>
Places read_table(const GU_Detail& gdp, Table& table, const std::string& where) {
    const std::vector<GA_Offset> points = point_offsets(gdp);
    const std::vector<std::string> missing = points_to_table(gdp, points, table, where);
    if (!points.empty() && !missing.empty())
        throw Error("attribute '" + missing.front() + "' is missing", where,
                    "make bones and joints with Nendo Skin, and keep their attributes");
    check_writable<Table>(gdp, where);
    Places places;
    for (std::size_t i = 0; i < points.size(); ++i) places[table.id[i]] = points[i];
    return places;
}

/// Joints and contacts of bones that other nodes have deleted go with them.
void drop_orphans(State<float>& s) {
    const std::set<std::int64_t> there(s.bones.id.begin(), s.bones.id.end());
    std::vector<std::uint8_t> marked(s.joints.id.size());
    for (std::size_t j = 0; j < marked.size(); ++j)
        marked[j] = there.count(s.joints.child[j]) == 0 ||
                    (s.joints.parent[j] >= 0 && there.count(s.joints.parent[j]) == 0);
    erase_marked(s.joints, marked);
    marked.resize(s.contacts.id.size());
    for (std::size_t c = 0; c < marked.size(); ++c)
        marked[c] = there.count(s.contacts.id[c]) == 0 ||
                    (s.contacts.other[c] >= 0 && there.count(s.contacts.other[c]) == 0);
    erase_marked(s.contacts, marked);
}

/// Reads and checks all that the step needs.
Placed read_state(const SIM_Object& object, const SIM_Geometry& geometry,
                  const Settings& settings) {
    Placed placed;
    State<float>& s = placed.state;
    const SIM_GeometryAutoReadLock lock(&geometry);
    if (lock.getGdp() != nullptr) {
        placed.bones = read_table(*lock.getGdp(), s.bones, settings.bones());
        placed.begun = detail_to_details(*lock.getGdp(), s.details, settings.bones());
    }
    const SIM_GeometryAutoReadLock joint_lock(find_geometry(object, settings.node.joint_geometry));
    if (joint_lock.getGdp() != nullptr)
        placed.joints = read_table(*joint_lock.getGdp(), s.joints, settings.joints());
    const SIM_GeometryAutoReadLock contact_lock(
        find_geometry(object, settings.node.contact_geometry));
    if (contact_lock.getGdp() != nullptr)
        read_table(*contact_lock.getGdp(), s.contacts, data_name(settings.node.contact_geometry));
    placed.memory = read_colliders(object, settings.node.common.collider_geometry);
    drop_orphans(s);
    for (const std::int64_t id : s.bones.id)
        s.details.next_bone = std::max(s.details.next_bone, id + 1);
    for (const std::int64_t id : s.joints.id)
        s.details.next_joint = std::max(s.details.next_joint, id + 1);
    return placed;
}

void write_state(const Placed& placed, SIM_Object& object, SIM_GeometryCopy* geometry,
                 const Settings& settings) {
    const State<float>& state = placed.state;
    SIM_GeometryAutoWriteLock lock(geometry, SIM_DATA_ID_PRESERVE);
    table_to_points(state.bones, placed.bones, lock.getGdp(), settings.bones());
    details_to_detail(state.details, lock.getGdp(), settings.bones());
    SIM_GeometryAutoWriteLock joint_lock(own_geometry(object, settings.node.joint_geometry),
                                         SIM_DATA_ID_PRESERVE);
    table_to_points(state.joints, placed.joints, joint_lock.getGdp(), settings.joints());
    // Contacts have no points of their own to keep: a bone may have many.
    SIM_GeometryAutoWriteLock contact_lock(own_geometry(object, settings.node.contact_geometry),
                                           SIM_DATA_ID_PRESERVE);
    rows_to_points(state.contacts, contact_lock.getGdp(),
                   data_name(settings.node.contact_geometry));
    write_colliders(placed.memory, object, settings.node.common.collider_geometry);
}

} // namespace

GAS_NendoRheology::GAS_NendoRheology(const SIM_DataFactory* factory) : BaseClass(factory) {}

GAS_NendoRheology::~GAS_NendoRheology() = default;

const SIM_DopDescription* GAS_NendoRheology::getDopDescription() {
    static const ParameterTemplates templates(rheology_node().parameters);
    static SIM_DopDescription description(true, rheology_node().name.c_str(),
                                          rheology_node().label.c_str(), "NendoRheology",
                                          classname(), templates.templates());
    setGasDescription(description);
    return &description;
}

bool GAS_NendoRheology::solveGasSubclass(SIM_Engine&, SIM_Object* object, SIM_Time time,
                                         SIM_Time timestep) {
    return guarded_step(*this, object, [&] {
        const Settings settings = read_settings(getOptions());
        SIM_GeometryCopy* geometry = getGeometryCopy(object, "geometry", true);
        if (geometry == nullptr)
            throw Error("the object has no such geometry", settings.bones(),
                        "give it one, or correct the parameter Geometry");
        // Nothing is written until the step is done.
        Placed placed = read_state(*object, *geometry, settings);
        State<float>& state = placed.state;
        if (settings.node.bend == BendAction::blend) blend_bends(state, settings.node.bend_share);
        if (settings.node.bend == BendAction::bake) bake_bends(state);
        const double duration = duration_of(state.details.time, placed.begun, time, timestep,
                                            settings.params.time_step);
        NodeHost host(*this, *object, "Nendo Rheology");
        const Scene scene = build_world(*object, settings.node.common, collider_spacing,
                                        state.details.time, duration, placed.memory, host);
        Solver<float>().advance(state, scene, {}, settings.params, duration, host);
        write_state(placed, *object, geometry, settings);
    });
}
