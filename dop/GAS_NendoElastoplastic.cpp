// SPDX-License-Identifier: Apache-2.0
#include "dop/GAS_NendoElastoplastic.h"

#include "dop/bridge/geometry.h"
#include "dop/microsolver.h"
#include "elastoplastic/adopt.h"
#include "elastoplastic/solver.h"

#include <SIM/SIM_DopDescription.h>

#include <algorithm>

using namespace nendo;
using namespace nendo::houdini;
using namespace nendo::elastoplastic;

namespace {

/// Point attribute that lists the remembered neighbors.
const char* const neighbors_name = "neighbours";

/// All that the node was told.
struct Settings : MatterSettings<ElastoplasticNodeParams, Params, Material> {
    explicit Settings(const SIM_Options& options)
        : MatterSettings(options, elastoplastic_node(), preset) {}

    // How messages call the data.
    std::string masters() const { return data_name(node.common.geometry); }
    std::string slaves() const { return data_name(node.slave_geometry); }
};

/// A state, and where in the geometries its particles are.
struct Placed {
    State<float> state;
    Places masters, slaves;
    ColliderMemory memory;
    bool begun = false; ///< Whether the solver has seen this geometry before
};

/// Returns where the points of the rows are.
std::vector<GA_Offset> read_masters(const GU_Detail& gdp, const std::string& where,
                                    Placed& placed) {
    State<float>& s = placed.state;
    const std::vector<GA_Offset> points = point_offsets(gdp);
    const std::vector<std::string> missing = points_to_table(gdp, points, s.masters, where);
    check_writable<Masters<float>>(gdp, where);
    placed.begun = detail_to_details(gdp, s.details, where);
    if (placed.begun && !missing.empty()) fail_missing(missing.front(), where);
    for (const std::string& name : missing) {
        if (name == "id") s.masters.id.assign(points.size(), -1);
        if (name == "join") s.masters.join.assign(points.size(), join_by_rule);
    }
    if (!placed.begun)
        for (const std::int64_t id : s.masters.id)
            s.details.next_master = std::max(s.details.next_master, id + 1);
    points_to_pairs(gdp, points, s.masters.id, neighbors_name, where, s.neighbors.id,
                    s.neighbors.other);
    return points;
}

void read_slaves(const GU_Detail& gdp, const std::string& where, Placed& placed) {
    const std::vector<GA_Offset> points = point_offsets(gdp);
    Slaves<float>& slaves = placed.state.slaves;
    const std::vector<std::string> missing = points_to_table(gdp, points, slaves, where);
    if (!points.empty() && !missing.empty()) fail_missing(missing.front(), where);
    check_writable<Slaves<float>>(gdp, where);
    check_table(slaves, where);
    for (std::size_t i = 0; i < points.size(); ++i) placed.slaves[slaves.id[i]] = points[i];
}

/// Makes matter of points that are new, and checks the rest.
void take_in(Placed& placed, const std::vector<GA_Offset>& points, const Settings& settings) {
    State<float>& s = placed.state;
    const bool had_slaves = !s.slaves.id.empty();
    const Adoption adoption = adopt(s, settings.params, settings.material);
    if (adoption.first > 0 && !had_slaves && settings.params.stress_points == StressPoints::slaves)
        throw Error("has no points, and the matter hangs by them", settings.slaves(),
                    "keep it with the object, or delete the attribute J_P of the matter's points "
                    "and the detail attributes to begin anew");
    for (std::size_t m = 0; m < adoption.rows.size(); ++m)
        placed.masters[s.masters.id[m]] = points[adoption.rows[m]];
    check_table(s.masters, settings.masters());
}

/// Reads and checks all that the step needs.
Placed read_state(const SIM_Object& object, const SIM_Geometry& geometry,
                  const Settings& settings) {
    Placed placed;
    std::vector<GA_Offset> points;
    const SIM_GeometryAutoReadLock lock(&geometry);
    if (lock.getGdp() != nullptr) points = read_masters(*lock.getGdp(), settings.masters(), placed);
    const SIM_GeometryAutoReadLock slave_lock(find_geometry(object, settings.node.slave_geometry));
    if (slave_lock.getGdp() != nullptr)
        read_slaves(*slave_lock.getGdp(), settings.slaves(), placed);
    placed.memory = read_colliders(object, settings.node.common.collider_geometry);
    take_in(placed, points, settings);
    return placed;
}

void write_state(const Placed& placed, SIM_Object& object, SIM_GeometryCopy* geometry,
                 const Settings& settings) {
    const State<float>& state = placed.state;
    SIM_GeometryAutoWriteLock lock(geometry, SIM_DATA_ID_PRESERVE);
    GU_Detail& gdp = lock.getGdp();
    const Places places = table_to_points(state.masters, placed.masters, gdp, settings.masters());
    details_to_detail(state.details, gdp, settings.masters());
    pairs_to_points(state.neighbors.id, state.neighbors.other, places, gdp, neighbors_name,
                    settings.masters());
    SIM_GeometryAutoWriteLock slave_lock(own_geometry(object, settings.node.slave_geometry),
                                         SIM_DATA_ID_PRESERVE);
    table_to_points(state.slaves, placed.slaves, slave_lock.getGdp(), settings.slaves());
    write_colliders(placed.memory, object, settings.node.common.collider_geometry);
}

} // namespace

GAS_NendoElastoplastic::GAS_NendoElastoplastic(const SIM_DataFactory* factory)
    : BaseClass(factory) {}

GAS_NendoElastoplastic::~GAS_NendoElastoplastic() = default;

const SIM_DopDescription* GAS_NendoElastoplastic::getDopDescription() {
    static const ParameterTemplates templates(elastoplastic_node().parameters);
    static SIM_DopDescription description(true, elastoplastic_node().name.c_str(),
                                          elastoplastic_node().label.c_str(), "NendoElastoplastic",
                                          classname(), templates.templates());
    setGasDescription(description);
    return &description;
}

bool GAS_NendoElastoplastic::solveGasSubclass(SIM_Engine&, SIM_Object* object, SIM_Time time,
                                              SIM_Time timestep) {
    return guarded_step(*this, object, [&] {
        const Settings settings(getOptions());
        SIM_GeometryCopy* geometry = getGeometryCopy(object, "geometry", true);
        if (geometry == nullptr)
            throw Error("the object has no such geometry", settings.masters(),
                        "give it one, or correct the parameter Geometry");
        // Nothing is written until the step is done.
        Placed placed = read_state(*object, *geometry, settings);
        State<float>& state = placed.state;
        const Params& params = settings.params;
        const double duration =
            duration_of(state.details.time, placed.begun, time, timestep, params.time_step);
        NodeHost host(*this, *object, "Nendo Elastoplastic");
        const Scene scene = build_world(*object, settings.node.common, params.spacing,
                                        state.details.time, duration, placed.memory, host);
        Solver<float>().advance(state, scene, {}, params, duration, host);
        write_state(placed, *object, geometry, settings);
    });
}
