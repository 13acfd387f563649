// SPDX-License-Identifier: Apache-2.0
#include "dop/GAS_NendoMelt.h"

#include "dop/bridge/geometry.h"
#include "dop/cluster_points.h"
#include "dop/microsolver.h"
#include "melt/adopt.h"
#include "melt/solver.h"

#include <SIM/SIM_DopDescription.h>

#include <algorithm>

using namespace nendo;
using namespace nendo::houdini;
using namespace nendo::melt;

namespace {

/// All that the node was told.
struct Settings : MatterSettings<MeltNodeParams, Params, Material> {
    explicit Settings(const SIM_Options& options) : MatterSettings(options, melt_node(), preset) {}

    // How messages call the data.
    std::string particles() const { return data_name(node.common.geometry); }
    std::string clusters() const { return data_name(node.cluster_geometry); }
};

/// A state, and where in the geometries its rows are.
struct Placed {
    State<float> state;
    Places particles, links;
    ColliderMemory memory;
    bool begun = false; ///< Whether the solver has seen this geometry before
};

/// Returns where the points of the rows are.
std::vector<GA_Offset> read_particles(const GU_Detail& gdp, const std::string& where,
                                      Placed& placed) {
    State<float>& s = placed.state;
    const std::vector<GA_Offset> points = point_offsets(gdp);
    const std::vector<std::string> missing = points_to_table(gdp, points, s.particles, where);
    check_writable<Particles<float>>(gdp, where);
    placed.begun = detail_to_details(gdp, s.details, where);
    if (placed.begun && !missing.empty()) fail_missing(missing.front(), where);
    for (const std::string& name : missing)
        if (name == "id") s.particles.id.assign(points.size(), -1);
    if (!placed.begun)
        for (const std::int64_t id : s.particles.id)
            s.details.next_particle = std::max(s.details.next_particle, id + 1);
    return points;
}

void read_clusters(const SIM_Object& object, const Settings& settings, Placed& placed) {
    const SIM_GeometryAutoReadLock lock(find_geometry(object, settings.node.cluster_geometry));
    if (lock.getGdp() == nullptr) return;
    const std::vector<GA_Offset> points = point_offsets(*lock.getGdp());
    ClusterPoints table;
    const std::vector<std::string> missing =
        points_to_table(*lock.getGdp(), points, table, settings.clusters());
    if (!points.empty() && !missing.empty()) fail_missing(missing.front(), settings.clusters());
    check_writable<ClusterPoints>(*lock.getGdp(), settings.clusters());
    check_table(table, settings.clusters());
    placed.state.links = table.links();
    for (std::size_t i = 0; i < points.size(); ++i) placed.links[table.id[i]] = points[i];
}

/// Reads and checks all that the step needs, and makes matter of points that are new.
Placed read_state(const SIM_Object& object, const SIM_Geometry& geometry,
                  const Settings& settings) {
    Placed placed;
    State<float>& s = placed.state;
    std::vector<GA_Offset> points;
    const SIM_GeometryAutoReadLock lock(&geometry);
    if (lock.getGdp() != nullptr)
        points = read_particles(*lock.getGdp(), settings.particles(), placed);
    read_clusters(object, settings, placed);
    placed.memory = read_colliders(object, settings.node.common.collider_geometry);
    const Adoption adoption =
        adopt(s, settings.params, settings.material, settings.node.temperature);
    for (std::size_t i = 0; i < adoption.rows.size(); ++i)
        placed.particles[s.particles.id[i]] = points[adoption.rows[i]];
    check_table(s.particles, settings.particles());
    return placed;
}

void write_state(const Placed& placed, SIM_Object& object, SIM_GeometryCopy* geometry,
                 const Settings& settings) {
    const State<float>& state = placed.state;
    SIM_GeometryAutoWriteLock lock(geometry, SIM_DATA_ID_PRESERVE);
    table_to_points(state.particles, placed.particles, lock.getGdp(), settings.particles());
    details_to_detail(state.details, lock.getGdp(), settings.particles());
    SIM_GeometryAutoWriteLock cluster_lock(own_geometry(object, settings.node.cluster_geometry),
                                           SIM_DATA_ID_PRESERVE);
    table_to_points(ClusterPoints(state), placed.links, cluster_lock.getGdp(), settings.clusters());
    write_colliders(placed.memory, object, settings.node.common.collider_geometry);
}

/// The ball of the parameters, and colliders that are hot.
void add_heat(Scene& scene, const MeltNodeParams& node) {
    if (node.heat_ball) {
        HeatSource ball;
        ball.name = "heat ball";
        ball.shape = make_sphere(node.heat_center, node.heat_radius);
        ball.temperature = node.heat_temperature;
        ball.transfer = node.heat_transfer;
        ball.reach = node.heat_reach;
        scene.heat_sources.push_back(ball);
    }
    if (node.collider_transfer > 0)
        for (const Collider& collider : scene.colliders) {
            HeatSource hot;
            hot.name = collider.name;
            hot.shape = collider.shape;
            hot.motion = collider.motion;
            hot.temperature = node.collider_temperature;
            hot.transfer = node.collider_transfer;
            scene.heat_sources.push_back(hot);
        }
}

} // namespace

GAS_NendoMelt::GAS_NendoMelt(const SIM_DataFactory* factory) : BaseClass(factory) {}

GAS_NendoMelt::~GAS_NendoMelt() = default;

const SIM_DopDescription* GAS_NendoMelt::getDopDescription() {
    static const ParameterTemplates templates(melt_node().parameters);
    static SIM_DopDescription description(true, melt_node().name.c_str(), melt_node().label.c_str(),
                                          "NendoMelt", classname(), templates.templates());
    setGasDescription(description);
    return &description;
}

bool GAS_NendoMelt::solveGasSubclass(SIM_Engine&, SIM_Object* object, SIM_Time time,
                                     SIM_Time timestep) {
    return guarded_step(*this, object, [&] {
        const Settings settings(getOptions());
        SIM_GeometryCopy* geometry = getGeometryCopy(object, "geometry", true);
        if (geometry == nullptr)
            throw Error("the object has no such geometry", settings.particles(),
                        "give it one, or correct the parameter Geometry");
        // Nothing is written until the step is done.
        Placed placed = read_state(*object, *geometry, settings);
        State<float>& state = placed.state;
        const Params& params = settings.params;
        const double duration =
            duration_of(state.details.time, placed.begun, time, timestep, params.time_step);
        NodeHost host(*this, *object, "Nendo Melt");
        Scene scene = build_world(*object, settings.node.common, params.spacing, state.details.time,
                                  duration, placed.memory, host);
        add_heat(scene, settings.node);
        Solver<float>().advance(state, scene, {}, params, duration, host);
        write_state(placed, *object, geometry, settings);
    });
}
