#include "dop/GAS_NendoElastoplastic.h"

#include "core/error.h"
#include "dop/geometry.h"
#include "dop/host.h"
#include "dop/nodes.h"
#include "dop/scene.h"
#include "elastoplastic/adopt.h"
#include "elastoplastic/solver.h"

#include <SIM/SIM_DataUtils.h>
#include <SIM/SIM_DopDescription.h>
#include <SIM/SIM_GeometryCopy.h>
#include <SIM/SIM_Object.h>
#include <SIM/SIM_Options.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>

using namespace nendo;
using namespace nendo::houdini;
using namespace nendo::elastoplastic;

namespace {

/// Point attribute that lists the remembered neighbours.
const char* const neighbours_name = "neighbours";

/// Parameters as the simulation keeps them with the solver.
class SimValues final : public ParameterValues {
public:
    explicit SimValues(const SIM_Options& options) : m_options(options) {}
    double number(const std::string& name, int component) const override {
        for (const Parameter& p : elastoplastic_node().parameters)
            if (p.name == name && p.kind == ParameterKind::vector) {
                const UT_OptionEntry* entry = m_options.getOptionEntry(name.c_str());
                if (entry == nullptr) return 0;
                const UT_Vector3D v = entry->getOptionV3();
                return component == 0 ? v.x() : component == 1 ? v.y() : v.z();
            }
        return m_options.getOptionF(name.c_str());
    }
    std::int64_t whole(const std::string& name) const override {
        return m_options.getOptionI(name.c_str());
    }
    bool toggle(const std::string& name) const override {
        return m_options.getOptionB(name.c_str());
    }
    std::string text(const std::string& name) const override {
        return m_options.getOptionS(name.c_str()).c_str();
    }

private:
    const SIM_Options& m_options;
};

/// All that the node was told.
struct Settings {
    ElastoplasticNodeParams node;
    Params params;
    Material material;

    // How messages call the data.
    std::string masters() const { return "data '" + node.geometry + "'"; }
    std::string slaves() const { return "data '" + node.slave_geometry + "'"; }
    std::string colliders() const { return "data '" + node.collider_geometry + "'"; }
};

Settings read_settings(const SIM_Options& options) {
    Settings settings;
    const SimValues values(options);
    read_parameters(settings.node, values);
    read_parameters(settings.params, values);
    settings.material = preset(settings.node.preset);
    read_parameters(settings.material, values, Given::on_request);
    return settings;
}

/// A state, and where in the geometries its particles are.
struct Placed {
    State<float> state;
    Places masters, slaves;
    ColliderMemory memory;
    bool begun = false; ///< Whether the solver has seen this geometry before
};

[[noreturn]] void fail_missing(const std::string& name, const std::string& where) {
    throw Error("attribute '" + name + "' is missing", where,
                "keep the attributes that the solver wrote, or delete all of them, the detail "
                "attributes too, to begin anew");
}

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
    points_to_pairs(gdp, points, s.masters.id, neighbours_name, where, s.neighbours.id,
                    s.neighbours.other);
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

const SIM_Geometry* find_geometry(const SIM_Object& object, const std::string& name) {
    return SIM_DATA_CASTCONST(object.getConstNamedSubData(name.c_str()), SIM_Geometry);
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
    const SIM_GeometryAutoReadLock memory_lock(
        find_geometry(object, settings.node.collider_geometry));
    if (memory_lock.getGdp() != nullptr)
        placed.memory = read_memory(*memory_lock.getGdp(), settings.colliders());
    take_in(placed, points, settings);
    return placed;
}

/// How long the step is. The simulation's clock and the state's agree to the bit when they started
/// together.
double duration_of(Placed& placed, double time, double timestep, const Params& params) {
    if (!std::isfinite(timestep) || timestep < 0)
        throw Error("the time step is " + std::to_string(timestep) + " s", "simulation",
                    "give the DOP network a time step of one frame");
    const double most_substeps = 1e5;
    if (timestep / params.time_step > most_substeps)
        throw Error("the time step of " + std::to_string(timestep) +
                        " s would take more than 100,000 substeps",
                    "simulation",
                    "give the DOP network a time step of one frame, or raise Time step");
    Details& details = placed.state.details;
    if (!placed.begun) details.time = time - timestep;
    const double by_clock = time - details.time;
    return std::abs(by_clock - timestep) < 1e-6 * timestep ? by_clock : timestep;
}

WorldOptions world_options(const Settings& settings, double start, double duration) {
    WorldOptions world;
    world.gravity = settings.node.gravity;
    world.friction = settings.node.collider_friction;
    world.voxel = settings.params.spacing / 2;
    world.start = start;
    world.end = start + duration;
    return world;
}

/// The geometry of this name, made when it is not there.
SIM_GeometryCopy* own_geometry(SIM_Object& object, const std::string& name) {
    SIM_GeometryCopy* made =
        SIM_DATA_CREATE(object, name.c_str(), SIM_GeometryCopy,
                        SIM_DATA_RETURN_EXISTING | SIM_DATA_ADOPT_EXISTING_ON_DELETE);
    if (made == nullptr)
        throw Error("can't be made", "data '" + name + "'", "give it another name");
    return made;
}

void write_state(const Placed& placed, SIM_Object& object, SIM_GeometryCopy* geometry,
                 const Settings& settings) {
    const State<float>& state = placed.state;
    SIM_GeometryAutoWriteLock lock(geometry, SIM_DATA_ID_PRESERVE);
    GU_Detail& gdp = lock.getGdp();
    const Places places = table_to_points(state.masters, placed.masters, gdp, settings.masters());
    details_to_detail(state.details, gdp, settings.masters());
    pairs_to_points(state.neighbours.id, state.neighbours.other, places, gdp, neighbours_name,
                    settings.masters());
    SIM_GeometryAutoWriteLock slave_lock(own_geometry(object, settings.node.slave_geometry),
                                         SIM_DATA_ID_PRESERVE);
    table_to_points(state.slaves, placed.slaves, slave_lock.getGdp(), settings.slaves());
    SIM_GeometryAutoWriteLock memory_lock(own_geometry(object, settings.node.collider_geometry),
                                          SIM_DATA_ID_PRESERVE);
    write_memory(placed.memory, memory_lock.getGdp(), settings.colliders());
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
    const auto say = [&](const std::string& text, UT_ErrorSeverity severity) {
        addError(object, SIM_MESSAGE, text.c_str(), severity);
        return false;
    };
    try {
        const Settings settings = read_settings(getOptions());
        SIM_GeometryCopy* geometry = getGeometryCopy(object, "geometry", true);
        if (geometry == nullptr)
            throw Error("the object has no such geometry", settings.masters(),
                        "give it one, or correct the parameter Geometry");
        // Nothing is written until the step is done.
        Placed placed = read_state(*object, *geometry, settings);
        State<float>& state = placed.state;
        const double duration = duration_of(placed, time, timestep, settings.params);
        NodeHost host(*this, *object, "Nendo Elastoplastic");
        const Scene scene = build_scene(
            *object, world_options(settings, state.details.time, duration), placed.memory, host);
        Solver<float>().advance(state, scene, {}, settings.params, duration, host);
        write_state(placed, *object, geometry, settings);
        return true;
    } catch (const Interrupted&) {
        return say("interrupted: the geometry is as it was before this frame", UT_ERROR_ABORT);
    } catch (const std::bad_alloc&) {
        return say("out of memory: use fewer particles, a larger Spacing", UT_ERROR_ABORT);
    } catch (const std::exception& e) {
        return say(e.what(), UT_ERROR_ABORT);
    }
}
