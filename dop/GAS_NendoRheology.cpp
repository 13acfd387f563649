// SPDX-License-Identifier: Apache-2.0
#include "dop/GAS_NendoRheology.h"

#include "dop/microsolver.h"
#include "rheology/bend.h"
#include "rheology/solver.h"

#include <numeric>
#include <set>

namespace nendo::houdini {
namespace {

using namespace nendo::rheology;

[[noreturn]] void fail_without(const std::string& attribute, const std::string& where) {
    throw Error("attribute '" + attribute + "' is missing", where,
                "make bones and joints with Nendo Skin, and keep their attributes");
}

/// Removes joints and contacts of bones that other nodes have deleted.
void drop_orphans(State<float>& s) {
    const std::set<std::int64_t> bones(s.bones.id.begin(), s.bones.id.end());
    std::vector<std::uint8_t> marked(s.joints.id.size());
    for (std::size_t j = 0; j < marked.size(); ++j)
        marked[j] = bones.count(s.joints.child[j]) == 0 ||
                    (s.joints.parent[j] >= 0 && bones.count(s.joints.parent[j]) == 0);
    erase_marked(s.joints, marked);
    marked.resize(s.contacts.id.size());
    for (std::size_t c = 0; c < marked.size(); ++c)
        marked[c] = bones.count(s.contacts.id[c]) == 0 ||
                    (s.contacts.other[c] >= 0 && bones.count(s.contacts.other[c]) == 0);
    erase_marked(s.contacts, marked);
}

struct Rheological : MicrosolverTraits<rheology::Method> {
    using Settings = SolverSettings<rheology::Method, RheologyNodeParams>;

    static const NodeInfo& info() { return rheology_node(); }
    template <class S> static auto& matter(S& state) { return state.bones; }
    static std::int64_t& next_id(State& state) { return state.details.next_bone; }
    static double collider_spacing(const Params&) { return 0.02; }

    /// Bones are never completed: Nendo Skin makes all their columns.
    static void complete(State& state, const std::string& column, bool, const std::string& where) {
        if (!state.bones.id.empty()) fail_without(column, where);
    }

    static void read_others(const SIM_Object& object, const Settings& settings,
                            Placed<Rheological>& placed) {
        State& s = placed.state;
        placed.others = read_table(object, settings.node.joint_geometry, s.joints, fail_without);
        read_table(object, settings.node.contact_geometry, s.contacts, fail_without);
    }
    static void write_others(const Placed<Rheological>& placed, Draft& draft,
                             const Settings& settings) {
        write_table(placed.state.joints, placed.others, draft, settings.node.joint_geometry);
        // A bone may have many contacts, so the ids of contacts do not name points.
        const std::string& name = settings.node.contact_geometry;
        rows_to_points(placed.state.contacts, draft.geometry(name), data_name(name));
    }

    static std::vector<std::uint32_t> adopt(State& state, const Settings& settings) {
        drop_orphans(state);
        auto& details = state.details;
        details.next_bone = next_after(state.bones.id, details.next_bone, settings.matter());
        details.next_joint = next_after(state.joints.id, details.next_joint,
                                        data_name(settings.node.joint_geometry));
        std::vector<std::uint32_t> rows(state.bones.id.size());
        std::iota(rows.begin(), rows.end(), 0u);
        return rows;
    }

    static void prepare(State& state, Scene&, const RheologyNodeParams& node) {
        if (node.bend == BendAction::blend) blend_bends(state, node.bend_share);
        if (node.bend == BendAction::bake) bake_bends(state);
    }
};

} // namespace
} // namespace nendo::houdini

using namespace nendo::houdini;

const SIM_DopDescription* GAS_NendoRheology::getDopDescription() {
    SIM_DopDescription& description = describe_dop<Rheological>("NendoRheology", classname());
    setGasDescription(description);
    return &description;
}

bool GAS_NendoRheology::solveGasSubclass(SIM_Engine&, SIM_Object* object, SIM_Time time,
                                         SIM_Time timestep) {
    return solve_object<Rheological>(*this, object, getOptions(), time, timestep,
                                     [&] { return getGeometryCopy(object, "geometry", true); });
}
