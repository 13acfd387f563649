// SPDX-License-Identifier: Apache-2.0
// The step of all microsolvers: read the state from the data of the object, advance it, write it
// back. A method supplies a struct of traits, described at solve_object(); its class is a thin
// shell with Houdini's macros, because Houdini casts by the name of the class.
#pragma once

#include "core/error.h"
#include "dop/bridge/failure.h"
#include "dop/bridge/geometry.h"
#include "dop/bridge/host.h"
#include "dop/bridge/node_info.h"
#include "dop/nodes.h"
#include "dop/world.h"
#include "method/preset.h"
#include "method/solver.h"

#include <SIM/SIM_DopDescription.h>
#include <SIM/SIM_GeometryCopy.h>
#include <SIM/SIM_Object.h>
#include <SIM/SIM_Options.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace nendo::houdini {

/// The parameters that the simulation keeps with the solver.
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

/// Name of a data of the object in messages.
std::string data_name(const std::string& name);
/// Throws because an attribute that the solver itself wrote is missing.
[[noreturn]] void fail_missing(const std::string& attribute, const std::string& where);

/// Parameters of a node: its own, and those of the solver of its method.
template <class SolverMethod, class NodeParams> struct SolverSettings {
    NodeParams node;
    typename SolverMethod::Params params;

    explicit SolverSettings(const ParameterValues& values) {
        read_parameters(node, values);
        read_parameters(params, values);
    }
    /// Name of the matter in messages.
    std::string matter() const { return data_name(node.common.geometry); }
};

/// Parameters of a node whose points are made of a material, with the material of points that come
/// without their own.
template <class SolverMethod, class NodeParams>
struct MatterSettings : SolverSettings<SolverMethod, NodeParams> {
    typename SolverMethod::Material material;

    explicit MatterSettings(const ParameterValues& values)
        : SolverSettings<SolverMethod, NodeParams>(values),
          material(find_preset(SolverMethod::presets(), this->node.preset)) {
        read_parameters(material, values, Given::on_request);
    }
};

/// The lowest id from `next` on that is above all `ids`. Throws for ids that leave none to count on.
std::int64_t next_after(const std::vector<std::int64_t>& ids, std::int64_t next,
                        const std::string& where);
/// Throws unless a number that the solver keeps, such as the time or the next id, is one that it can
/// go on with.
void check_kept(double value, const Field& f, const std::string& where);
void check_kept(std::int64_t value, const Field& f, const std::string& where);

/// The geometry of this name in the object, or null.
const SIM_Geometry* find_geometry(const SIM_Object& object, const std::string& name);

/// The geometries of an object as they will be after the step. They replace the object's own all at
/// once, when everything is written, so that a step that fails while it writes changes nothing.
class Draft {
public:
    explicit Draft(SIM_Object& object) : m_object(object) {}
    /// The geometry of this name, to write to; empty if the object has none.
    GU_Detail& geometry(const std::string& name);
    /// Replaces the geometries of the object; those that do not exist are created.
    void commit();

private:
    SIM_Object& m_object;
    std::map<std::string, std::unique_ptr<GU_Detail>> m_geometries;
};

/// A parameter that names data of the object.
struct DataName {
    std::string label; ///< Of the parameter
    std::string name;
};

/// Throws unless the names differ, and none is that of data that is no geometry.
void check_data_names(const std::vector<DataName>& names, const SIM_Object& object);

/// The parameters of a node that name data: its texts without a menu.
template <class NodeParams> std::vector<DataName> data_names(const NodeParams& params) {
    std::vector<DataName> names;
    for_each_field(params, [&](const auto& value, const Field& f) {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>)
            if (f.choices_.empty()) names.push_back({std::string(f.label_), value});
    });
    return names;
}

ColliderMemory read_colliders(const SIM_Object& object, const std::string& name);

/// Duration of the step [s]. `state_time` is the clock of the state; it is set unless the state has
/// `begun`. The two clocks agree to the bit if they started together. `substep` is the longest
/// substep of the solver [s].
double duration_of(double& state_time, bool begun, double time, double timestep, double substep);

/// The surroundings of the object from `start` on, for `duration` [s]; updates `memory`. Colliding
/// polygons get voxels of half the `spacing` [m].
Scene build_world(const SIM_Object& object, const MicrosolverParams& params, double spacing,
                  double start, double duration, ColliderMemory& memory, Host& host);

/// Reads a table from the points of further data of the object, and returns the points of its rows.
/// `fail` is called with a missing attribute. Without such data nothing is read.
template <class Table>
Places read_table(const SIM_Object& object, const std::string& name, Table& table,
                  void (*fail)(const std::string&, const std::string&) = fail_missing) {
    Places places;
    const SIM_GeometryAutoReadLock lock(find_geometry(object, name));
    if (lock.getGdp() == nullptr) return places;
    const std::vector<GA_Offset> points = point_offsets(*lock.getGdp());
    const std::vector<std::string> missing =
        points_to_table(*lock.getGdp(), points, table, data_name(name));
    if (!points.empty() && !missing.empty()) fail(missing.front(), data_name(name));
    check_writable<Table>(*lock.getGdp(), data_name(name));
    for (std::size_t i = 0; i < points.size(); ++i) places[table.id[i]] = points[i];
    return places;
}

template <class Table>
void write_table(const Table& table, const Places& places, Draft& draft, const std::string& name) {
    table_to_points(table, places, draft.geometry(name), data_name(name));
}

/// A state, and the points and polygons that hold its rows.
template <class Method> struct Placed {
    typename Method::State state;
    Places matter;
    typename Method::OtherPlaces others; ///< Of the rows of further data
    ColliderMemory colliders;
    bool begun = false; ///< The solver has seen this geometry before
};

/// Reads the matter from the points of the geometry, and returns these points.
template <class Method>
std::vector<GA_Offset> read_matter(const GU_Detail& gdp, const std::string& where,
                                   Placed<Method>& placed) {
    auto& state = placed.state;
    auto& table = Method::matter(state);
    const std::vector<GA_Offset> points = point_offsets(gdp);
    const std::vector<std::string> missing = points_to_table(gdp, points, table, where);
    check_writable<std::decay_t<decltype(table)>>(gdp, where);
    placed.begun = detail_to_details(gdp, state.details, where);
    for_each_field(state.details, [&](auto value, const Field& f) { check_kept(value, f, where); });
    for (const std::string& column : missing) {
        if (column == "id") table.id.assign(points.size(), -1);
        Method::complete(state, column, placed.begun, where);
    }
    if (!placed.begun) Method::next_id(state) = next_after(table.id, Method::next_id(state), where);
    Method::read_lists(gdp, points, where, state);
    return points;
}

/// Reads and checks everything that the step needs, and turns new points into matter.
template <class Method>
Placed<Method> read_state(const SIM_Object& object, const SIM_Geometry& geometry,
                          const typename Method::Settings& settings) {
    Placed<Method> placed;
    std::vector<GA_Offset> points;
    const SIM_GeometryAutoReadLock lock(&geometry);
    if (lock.getGdp() != nullptr)
        points = read_matter<Method>(*lock.getGdp(), settings.matter(), placed);
    Method::read_others(object, settings, placed);
    placed.colliders = read_colliders(object, settings.node.common.collider_geometry);
    const std::vector<std::uint32_t> rows = Method::adopt(placed.state, settings);
    for (std::size_t i = 0; i < rows.size(); ++i)
        placed.matter[Method::matter(placed.state).id[i]] = points[rows[i]];
    return placed;
}

template <class Method>
void write_state(const Placed<Method>& placed, SIM_Object& object,
                 const typename Method::Settings& settings) {
    Draft draft(object);
    GU_Detail& gdp = draft.geometry(settings.node.common.geometry);
    const Places places =
        table_to_points(Method::matter(placed.state), placed.matter, gdp, settings.matter());
    details_to_detail(placed.state.details, gdp, settings.matter());
    Method::write_lists(placed.state, places, gdp, settings.matter());
    Method::write_others(placed, draft, settings);
    const std::string& memory = settings.node.common.collider_geometry;
    write_memory(placed.colliders, draft.geometry(memory), data_name(memory));
    draft.commit();
}

/// Traits that most microsolvers share. SolverMethod is the method of the solver.
template <class SolverMethod> struct MicrosolverTraits {
    using State = typename SolverMethod::template State<float>;
    using Solver = nendo::Solver<SolverMethod, float>;
    using Params = typename SolverMethod::Params;
    using OtherPlaces = Places;

    /// Twice the voxel of colliding polygons [m].
    static double collider_spacing(const Params& params) { return params.spacing; }
    /// The inputs of Solver::advance().
    template <class NodeParams>
    static typename SolverMethod::Inputs inputs(const State&, const NodeParams&) {
        return {};
    }
    /// Gives a column that the points lack its value for new points, and throws if the solver wrote
    /// the column before.
    static void complete(State&, const std::string& column, bool begun, const std::string& where) {
        if (begun) fail_missing(column, where);
    }
    /// Lists of other rows that points have as array attributes.
    static void read_lists(const GU_Detail&, const std::vector<GA_Offset>&, const std::string&,
                           State&) {}
    static void write_lists(const State&, const Places&, GU_Detail&, const std::string&) {}
    /// Changes state and scene before they are advanced.
    template <class NodeParams> static void prepare(State&, Scene&, const NodeParams&) {}
};

/// One step of a microsolver: true if it succeeded, otherwise the node has an error and the data is
/// unchanged. `get_geometry` returns the geometry that the parameter Geometry names.
///
/// A Method is a struct with the types of MicrosolverTraits and Settings, and the functions
/// - info(): the description of the node
/// - matter(state): the table whose rows are the points; next_id(state): the first unused id
/// - read_others(object, settings, placed), write_others(placed, draft, settings): further data
/// - adopt(state, settings): checks the state, turns new points into matter, and returns the former
///   row of each row
/// and those of MicrosolverTraits.
template <class Method, class GetGeometry>
bool solve_object(const SIM_Data& node, SIM_Object* object, const SIM_Options& options, double time,
                  double timestep, const GetGeometry& get_geometry) {
    const std::string failure = failure_of([&] {
        const typename Method::Settings settings(SimValues(options, Method::info()));
        check_data_names(data_names(settings.node), *object);
        const SIM_GeometryCopy* geometry = get_geometry();
        if (geometry == nullptr)
            throw Error("the object has no such geometry", settings.matter(),
                        "give it one, or correct the parameter Geometry");
        // Nothing is written until the step is done.
        Placed<Method> placed = read_state<Method>(*object, *geometry, settings);
        auto& state = placed.state;
        const double duration = duration_of(state.details.time, placed.begun, time, timestep,
                                            settings.params.time_step);
        NodeHost host(node, *object, Method::info().label.c_str());
        Scene scene =
            build_world(*object, settings.node.common, Method::collider_spacing(settings.params),
                        state.details.time, duration, placed.colliders, host);
        Method::prepare(state, scene, settings.node);
        typename Method::Solver().advance(state, scene, Method::inputs(state, settings.node),
                                          settings.params, duration, host);
        write_state<Method>(placed, *object, settings);
    });
    if (!failure.empty()) node.addError(object, SIM_MESSAGE, failure.c_str(), UT_ERROR_ABORT);
    return failure.empty();
}

/// The description of a microsolver for Houdini; `data` is the default name of the solver's data.
template <class Method> SIM_DopDescription& describe_dop(const char* data, const char* class_name) {
    static const ParameterTemplates templates(Method::info().parameters);
    static SIM_DopDescription description(true, Method::info().name.c_str(),
                                          Method::info().label.c_str(), data, class_name,
                                          templates.templates());
    return description;
}

} // namespace nendo::houdini
