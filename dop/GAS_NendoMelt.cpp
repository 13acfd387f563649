// SPDX-License-Identifier: Apache-2.0
#include "dop/GAS_NendoMelt.h"

#include "dop/bridge/cluster_points.h"
#include "dop/microsolver.h"
#include "melt/adopt.h"
#include "melt/solver.h"

namespace nendo::houdini {
namespace {

using namespace nendo::melt;

struct Melt : MicrosolverTraits<melt::Method> {
    using Settings = MatterSettings<melt::Method, MeltNodeParams>;

    static const NodeInfo& info() { return melt_node(); }
    template <class S> static auto& matter(S& state) { return state.particles; }
    static std::int64_t& next_id(State& state) { return state.details.next_particle; }

    static void read_others(const SIM_Object& object, const Settings& settings,
                            Placed<Melt>& placed) {
        ClusterPoints table;
        placed.others = read_table(object, settings.node.cluster_geometry, table);
        check_table(table, data_name(settings.node.cluster_geometry));
        placed.state.links = table.links();
    }
    static void write_others(const Placed<Melt>& placed, Draft& draft, const Settings& settings) {
        write_table(ClusterPoints(placed.state), placed.others, draft,
                    settings.node.cluster_geometry);
    }

    static std::vector<std::uint32_t> adopt(State& state, const Settings& settings) {
        const Adoption adoption =
            melt::adopt(state, settings.params, settings.material, settings.node.temperature);
        check_table(state.particles, settings.matter());
        return adoption.rows;
    }

    /// Adds the ball of the parameters and the hot colliders.
    static void prepare(State&, Scene& scene, const MeltNodeParams& node) {
        if (node.heat_ball) {
            HeatSource ball;
            ball.name = "heat ball";
            ball.shape = make_sphere(node.heat_center, node.heat_radius);
            ball.temperature = node.heat_temperature;
            ball.transfer = node.heat_transfer;
            ball.reach = node.heat_reach;
            scene.heat_sources.push_back(ball);
        }
        if (node.collider_transfer <= 0) return;
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
};

} // namespace
} // namespace nendo::houdini

using namespace nendo::houdini;

const SIM_DopDescription* GAS_NendoMelt::getDopDescription() {
    SIM_DopDescription& description = describe_dop<Melt>("NendoMelt", classname());
    setGasDescription(description);
    return &description;
}

bool GAS_NendoMelt::solveGasSubclass(SIM_Engine&, SIM_Object* object, SIM_Time time,
                                     SIM_Time timestep) {
    return solve_object<Melt>(*this, object, getOptions(), time, timestep,
                              [&] { return getGeometryCopy(object, "geometry", true); });
}
