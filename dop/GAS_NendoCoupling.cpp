// SPDX-License-Identifier: Apache-2.0
#include "dop/GAS_NendoCoupling.h"

#include "coupling/adopt.h"
#include "coupling/solver.h"
#include "dop/bridge/links.h"
#include "dop/microsolver.h"

#include <SIM/SIM_DopDescription.h>

#include <algorithm>

using namespace nendo;
using namespace nendo::houdini;
using namespace nendo::coupling;

namespace {

/// All that the node was told.
struct Settings : MatterSettings<CouplingNodeParams, Params, Material> {
    explicit Settings(const SIM_Options& options)
        : MatterSettings(options, coupling_node(), preset) {}

    // How messages call the data.
    std::string particles() const { return data_name(node.common.geometry); }
};

/// A state, and where in the geometries its rows are.
struct Placed {
    State<float> state;
    Places particles, springs, faces;
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
    for (const std::string& name : missing) {
        if (name == "id") s.particles.id.assign(points.size(), -1);
        if (name == "phase") s.particles.phase.assign(points.size(), phase_by_material);
    }
    if (!placed.begun)
        for (const std::int64_t id : s.particles.id)
            s.details.next_particle = std::max(s.details.next_particle, id + 1);
    return points;
}

/// What a spring that somebody drew has not of its own: it is at rest as it is, of the material.
void complete(Springs<float>& springs, const std::string& column, const Positions& positions,
              const Material& material) {
    const auto all = [&](double value) {
        return std::vector<float>(springs.id.size(), static_cast<float>(value));
    };
    if (column == "stiffness") springs.stiffness = all(material.stiffness);
    if (column == "damping") springs.damping = all(material.damping);
    if (column == "break_strain") springs.break_strain = all(material.break_strain);
    if (column != "rest") return;
    for (std::size_t k = 0; k < springs.id.size(); ++k) {
        const auto a = positions.find(springs.a[k]), b = positions.find(springs.b[k]);
        if (a != positions.end() && b != positions.end())
            springs.rest[k] = (a->second - b->second).norm();
    }
}

/// Springs and faces are polygons. Those that are new, or copies, get an id.
template <class Table>
std::vector<std::string> read_links(const SIM_Object& object, const std::string& name, Table& table,
                                    Places& places, std::int64_t& next) {
    const SIM_GeometryAutoReadLock lock(find_geometry(object, name));
    if (lock.getGdp() == nullptr) return {};
    const std::string where = data_name(name);
    std::vector<GA_Offset> offsets;
    std::vector<std::string> missing = polygons_to_table(*lock.getGdp(), table, offsets, where);
    for (const std::string& column : missing)
        if (column == "id") table.id.assign(offsets.size(), -1);
    for (const std::int64_t id : table.id) next = std::max(next, id + 1);
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        if (table.id[i] < 0 || places.count(table.id[i]) != 0) table.id[i] = next++;
        places[table.id[i]] = offsets[i];
    }
    return missing;
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
    const std::vector<std::string> missing = read_links(
        object, settings.node.spring_geometry, s.springs, placed.springs, s.details.next_spring);
    for (const std::string& column : missing)
        complete(s.springs, column, positions_of(s.particles), settings.material);
    read_links(object, settings.node.face_geometry, s.faces, placed.faces, s.details.next_face);
    placed.memory = read_colliders(object, settings.node.common.collider_geometry);
    const Adoption adoption = adopt(s, settings.params, settings.material);
    for (std::size_t i = 0; i < adoption.rows.size(); ++i)
        placed.particles[s.particles.id[i]] = points[adoption.rows[i]];
    check_table(s.particles, settings.particles());
    check_table(s.springs, data_name(settings.node.spring_geometry));
    return placed;
}

template <class Table>
void write_links(const Table& table, const Places& places, const Positions& positions,
                 SIM_Object& object, const std::string& name) {
    SIM_GeometryAutoWriteLock lock(own_geometry(object, name), SIM_DATA_ID_PRESERVE);
    table_to_polygons(table, places, positions, lock.getGdp(), data_name(name));
}

void write_state(const Placed& placed, SIM_Object& object, SIM_GeometryCopy* geometry,
                 const Settings& settings) {
    const State<float>& state = placed.state;
    SIM_GeometryAutoWriteLock lock(geometry, SIM_DATA_ID_PRESERVE);
    table_to_points(state.particles, placed.particles, lock.getGdp(), settings.particles());
    details_to_detail(state.details, lock.getGdp(), settings.particles());
    const Positions positions = positions_of(state.particles);
    write_links(state.springs, placed.springs, positions, object, settings.node.spring_geometry);
    write_links(state.faces, placed.faces, positions, object, settings.node.face_geometry);
    write_colliders(placed.memory, object, settings.node.common.collider_geometry);
}

/// The muscles are as many as springs name, and all do what the node is told now.
Inputs muscles_of(const State<float>& state, const CouplingNodeParams& node) {
    Inputs inputs;
    std::int32_t most = 0;
    for (const std::int32_t muscle : state.springs.muscle) most = std::max(most, muscle);
    Muscle muscle;
    muscle.name = "Muscles";
    muscle.keys = {{0, node.muscle_length, node.muscle_force}};
    inputs.muscles.assign(static_cast<std::size_t>(most), muscle);
    return inputs;
}

} // namespace

GAS_NendoCoupling::GAS_NendoCoupling(const SIM_DataFactory* factory) : BaseClass(factory) {}

GAS_NendoCoupling::~GAS_NendoCoupling() = default;

const SIM_DopDescription* GAS_NendoCoupling::getDopDescription() {
    static const ParameterTemplates templates(coupling_node().parameters);
    static SIM_DopDescription description(true, coupling_node().name.c_str(),
                                          coupling_node().label.c_str(), "NendoCoupling",
                                          classname(), templates.templates());
    setGasDescription(description);
    return &description;
}

bool GAS_NendoCoupling::solveGasSubclass(SIM_Engine&, SIM_Object* object, SIM_Time time,
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
        NodeHost host(*this, *object, "Nendo Coupling");
        const Scene scene = build_world(*object, settings.node.common, params.spacing,
                                        state.details.time, duration, placed.memory, host);
        Solver<float>().advance(state, scene, muscles_of(state, settings.node), params, duration,
                                host);
        write_state(placed, *object, geometry, settings);
    });
}
