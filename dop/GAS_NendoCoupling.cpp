// SPDX-License-Identifier: Apache-2.0
#include "dop/GAS_NendoCoupling.h"

#include "coupling/adopt.h"
#include "coupling/solver.h"
#include "dop/bridge/links.h"
#include "dop/microsolver.h"

namespace nendo::houdini {
namespace {

using namespace nendo::coupling;

/// Fills a column that drawn springs lack: they are at rest at their length, made of the material.
void complete_springs(Springs<float>& springs, const std::string& column,
                      const Positions& positions, const Material& material) {
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

/// Reads springs or faces from polygons, and returns the columns that these lack. New polygons and
/// copies get an id.
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
    next = next_after(table.id, next, where);
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        if (table.id[i] < 0 || places.count(table.id[i]) != 0) table.id[i] = next++;
        places[table.id[i]] = offsets[i];
    }
    return missing;
}

template <class Table>
void write_links(const Table& table, const Places& places, const Positions& positions, Draft& draft,
                 const std::string& name) {
    table_to_polygons(table, places, positions, draft.geometry(name), data_name(name));
}

/// Muscles are a list without gaps, so their numbers are limited.
constexpr std::int32_t most_muscles = 10000;

struct Coupling : MicrosolverTraits<coupling::Method> {
    using Settings = MatterSettings<coupling::Method, CouplingNodeParams>;
    struct OtherPlaces {
        Places springs, faces;
    };

    static const NodeInfo& info() { return coupling_node(); }
    template <class S> static auto& matter(S& state) { return state.particles; }
    static std::int64_t& next_id(State& state) { return state.details.next_particle; }

    static void complete(State& state, const std::string& column, bool begun,
                         const std::string& where) {
        MicrosolverTraits::complete(state, column, begun, where);
        if (column == "phase")
            state.particles.phase.assign(state.particles.id.size(), phase_by_material);
    }

    static void read_others(const SIM_Object& object, const Settings& settings,
                            Placed<Coupling>& placed) {
        State& s = placed.state;
        const std::vector<std::string> missing =
            read_links(object, settings.node.spring_geometry, s.springs, placed.others.springs,
                       s.details.next_spring);
        for (const std::string& column : missing)
            complete_springs(s.springs, column, positions_of(s.particles), settings.material);
        read_links(object, settings.node.face_geometry, s.faces, placed.others.faces,
                   s.details.next_face);
    }
    static void write_others(const Placed<Coupling>& placed, Draft& draft,
                             const Settings& settings) {
        const State& s = placed.state;
        const Positions positions = positions_of(s.particles);
        write_links(s.springs, placed.others.springs, positions, draft,
                    settings.node.spring_geometry);
        write_links(s.faces, placed.others.faces, positions, draft, settings.node.face_geometry);
    }

    static std::vector<std::uint32_t> adopt(State& state, const Settings& settings) {
        const Adoption adoption = coupling::adopt(state, settings.params, settings.material);
        check_table(state.particles, settings.matter());
        check_table(state.springs, data_name(settings.node.spring_geometry));
        return adoption.rows;
    }

    /// One muscle for each number that springs name; all follow the parameters of the node.
    static Inputs inputs(const State& state, const CouplingNodeParams& node) {
        std::int32_t most = 0;
        for (const std::int32_t muscle : state.springs.muscle) most = std::max(most, muscle);
        if (most > most_muscles)
            throw Error("the muscle " + std::to_string(most) + " is above " +
                            std::to_string(most_muscles),
                        data_name(node.spring_geometry), "number the muscles from 1 on");
        Muscle muscle;
        muscle.name = "Muscles";
        muscle.keys = {{0, node.muscle_length, node.muscle_force}};
        Inputs inputs;
        inputs.muscles.assign(static_cast<std::size_t>(most), muscle);
        return inputs;
    }
};

} // namespace
} // namespace nendo::houdini

using namespace nendo::houdini;

const SIM_DopDescription* GAS_NendoCoupling::getDopDescription() {
    SIM_DopDescription& description = describe_dop<Coupling>("NendoCoupling", classname());
    setGasDescription(description);
    return &description;
}

bool GAS_NendoCoupling::solveGasSubclass(SIM_Engine&, SIM_Object* object, SIM_Time time,
                                         SIM_Time timestep) {
    return solve_object<Coupling>(*this, object, getOptions(), time, timestep,
                                  [&] { return getGeometryCopy(object, "geometry", true); });
}
