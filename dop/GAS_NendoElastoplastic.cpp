// SPDX-License-Identifier: Apache-2.0
#include "dop/GAS_NendoElastoplastic.h"

#include "dop/microsolver.h"
#include "elastoplastic/adopt.h"
#include "elastoplastic/solver.h"

namespace nendo::houdini {
namespace {

using namespace nendo::elastoplastic;

struct Elastoplastic : MicrosolverTraits<elastoplastic::Method> {
    using Settings = MatterSettings<elastoplastic::Method, ElastoplasticNodeParams>;

    /// Point attribute that lists the remembered neighbors.
    static constexpr const char* neighbors_name = "neighbours";

    static const NodeInfo& info() { return elastoplastic_node(); }
    template <class S> static auto& matter(S& state) { return state.masters; }
    static std::int64_t& next_id(State& state) { return state.details.next_master; }

    static void complete(State& state, const std::string& column, bool begun,
                         const std::string& where) {
        MicrosolverTraits::complete(state, column, begun, where);
        if (column == "join") state.masters.join.assign(state.masters.id.size(), join_by_rule);
    }

    static void read_lists(const GU_Detail& gdp, const std::vector<GA_Offset>& points,
                           const std::string& where, State& state) {
        points_to_pairs(gdp, points, state.masters.id, neighbors_name, where, state.neighbors.id,
                        state.neighbors.other);
    }
    static void write_lists(const State& state, const Places& places, GU_Detail& gdp,
                            const std::string& where) {
        pairs_to_points(state.neighbors.id, state.neighbors.other, places, gdp, neighbors_name,
                        where);
    }

    static void read_others(const SIM_Object& object, const Settings& settings,
                            Placed<Elastoplastic>& placed) {
        placed.others = read_table(object, settings.node.slave_geometry, placed.state.slaves);
        check_table(placed.state.slaves, data_name(settings.node.slave_geometry));
    }
    static void write_others(const Placed<Elastoplastic>& placed, Draft& draft,
                             const Settings& settings) {
        write_table(placed.state.slaves, placed.others, draft, settings.node.slave_geometry);
    }

    static std::vector<std::uint32_t> adopt(State& state, const Settings& settings) {
        const bool had_slaves = !state.slaves.id.empty();
        const Adoption adoption = elastoplastic::adopt(state, settings.params, settings.material);
        if (adoption.first > 0 && !had_slaves &&
            settings.params.stress_points == StressPoints::slaves)
            throw Error("has no points, and the matter needs them",
                        data_name(settings.node.slave_geometry),
                        "keep it with the object, or delete the attribute J_P of the points of the "
                        "matter and the detail attributes to start over");
        check_table(state.masters, settings.matter());
        return adoption.rows;
    }
};

} // namespace
} // namespace nendo::houdini

using namespace nendo::houdini;

const SIM_DopDescription* GAS_NendoElastoplastic::getDopDescription() {
    SIM_DopDescription& description =
        describe_dop<Elastoplastic>("NendoElastoplastic", classname());
    setGasDescription(description);
    return &description;
}

bool GAS_NendoElastoplastic::solveGasSubclass(SIM_Engine&, SIM_Object* object, SIM_Time time,
                                              SIM_Time timestep) {
    return solve_object<Elastoplastic>(*this, object, getOptions(), time, timestep,
                                       [&] { return getGeometryCopy(object, "geometry", true); });
}
