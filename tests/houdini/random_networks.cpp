// SPDX-License-Identifier: Apache-2.0
// Random networks: objects of all methods made by Nendo's own nodes, colliders, edits between frames,
// and trouble (trouble.h). Whatever a node is given, it gives a sound result, or an error that says
// what is wrong and leaves the geometry as it was; and it works again once the trouble is gone.
//
// NENDO_NETWORKS is the number of networks, NENDO_NETWORK=seed runs one again, and
// NENDO_NETWORK_FIRST is the first seed.
#include "support.h"
#include "trouble.h"

#include "coupling/state.h"
#include "dop/bridge/cluster_points.h"
#include "dop/bridge/links.h"
#include "dop/nodes.h"
#include "elastoplastic/state.h"
#include "melt/state.h"
#include "rheology/state.h"
#include "sop/nodes.h"
#include "support/lifeguard.h"

#include <map>
#include <set>

#ifdef NENDO_HAS_ADDRESS_SANITIZER
extern "C" const char* __asan_default_options() {
    return "max_allocation_size_mb=1024:hard_rss_limit_mb=4096";
}
#endif

namespace nendo::houdini::test {
namespace {

constexpr double spacing = 0.1; ///< [m]

// ---- methods -----------------------------------------------------------------------------------

/// A microsolver, and what its objects are made of.
struct Matter {
    const char* solver;
    const NodeInfo& (*info)();
    std::vector<const char*> data; ///< Its data besides Geometry
};

const std::vector<Matter>& all_matter() {
    static const std::vector<Matter> list = {
        {"GAS_NendoElastoplastic", elastoplastic_node, {"Slaves"}},
        {"GAS_NendoCoupling", coupling_node, {"Springs", "Faces"}},
        {"GAS_NendoMelt", melt_node, {"Clusters"}},
        {"GAS_NendoRheology", rheology_node, {"Joints", "NendoContacts"}}};
    return list;
}

using Ids = std::set<std::int64_t>;

/// Reads a table and returns its ids; throws if a column is missing, a value is unsound or an id is
/// there twice.
template <class Table> Ids sound_ids(const GU_Detail& gdp, Table& table, const char* name) {
    const auto missing = points_to_table(gdp, point_offsets(gdp), table, name);
    if (!missing.empty() && !table.id.empty())
        throw std::runtime_error(std::string(name) + " lacks " + missing.front());
    check_table(table, name);
    Ids ids(table.id.begin(), table.id.end());
    if (ids.size() != table.id.size()) throw std::runtime_error(std::string("ids of ") + name);
    return ids;
}

template <class Table>
void read_polygon_table(const GU_Detail& gdp, Table& table, const Ids& ends) {
    std::vector<GA_Offset> offsets;
    polygons_to_table(gdp, table, offsets, "polygons");
    check_table(table, "polygons");
    for (const auto* corner : Table::corners(table))
        for (const std::int64_t id : *corner)
            if (ends.count(id) == 0)
                throw std::runtime_error("a polygon of a particle that is gone");
}

void expect_known(const Ids& ids, const std::vector<std::int64_t>& named, const char* what) {
    for (const std::int64_t id : named)
        if (id >= 0 && ids.count(id) == 0)
            throw std::runtime_error(std::string(what) + " of particles that are gone");
}

template <class Details> Details read_details(const GU_Detail& gdp) {
    Details details;
    if (!detail_to_details(gdp, details, "details")) throw std::runtime_error("no details");
    return details;
}

void check_elastoplastic(const Network& net, const std::string& name) {
    elastoplastic::State<float> s;
    const Ids ids = sound_ids(net.geometry(name), s.masters, "masters");
    sound_ids(net.geometry(name, "Slaves"), s.slaves, "slaves");
    s.details = read_details<elastoplastic::Details>(net.geometry(name));
    if (!ids.empty() && *ids.rbegin() >= s.details.next_master)
        throw std::runtime_error("an id is not below next_master");
}

void check_coupling(const Network& net, const std::string& name) {
    coupling::State<float> s;
    const Ids ids = sound_ids(net.geometry(name), s.particles, "particles");
    read_polygon_table(net.geometry(name, "Springs"), s.springs, ids);
    read_polygon_table(net.geometry(name, "Faces"), s.faces, ids);
    read_details<coupling::Details>(net.geometry(name));
}

void check_melt(const Network& net, const std::string& name) {
    melt::State<float> s;
    ClusterPoints clusters;
    const Ids ids = sound_ids(net.geometry(name), s.particles, "particles");
    sound_ids(net.geometry(name, "Clusters"), clusters, "clusters");
    expect_known(ids, clusters.center, "clusters");
    expect_known(ids, clusters.other, "members");
    read_details<melt::Details>(net.geometry(name));
}

void check_rheology(const Network& net, const std::string& name) {
    rheology::State<float> s;
    const Ids ids = sound_ids(net.geometry(name), s.bones, "bones");
    sound_ids(net.geometry(name, "Joints"), s.joints, "joints");
    expect_known(ids, s.joints.child, "joints");
    expect_known(ids, s.joints.parent, "joints");
    read_details<rheology::Details>(net.geometry(name));
}

/// What is unsound about an object that a solver has solved, or an empty text. Data of other names
/// than the default are not looked at.
std::string unsound(const Network& net, const std::string& name, const Matter& matter) {
    static const std::map<std::string, void (*)(const Network&, const std::string&)> checks = {
        {"GAS_NendoElastoplastic", check_elastoplastic},
        {"GAS_NendoCoupling", check_coupling},
        {"GAS_NendoMelt", check_melt},
        {"GAS_NendoRheology", check_rheology}};
    try {
        checks.at(matter.solver)(net, name);
    } catch (const std::exception& e) {
        return std::string("the result is unsound: ") + e.what();
    }
    return "";
}

// ---- promises ----------------------------------------------------------------------------------

/// What is wrong with the message of a node, or an empty text.
std::string wrong_message(const std::string& text) {
    if (text.rfind("interrupted", 0) == 0) return "";
    if (text.find("HDK stand-in") != std::string::npos) return "misuses the HDK: " + text;
    if (text.find("out of memory") != std::string::npos) return "took all memory: " + text;
    const bool has_place = text.find(": ") != std::string::npos;
    const bool has_remedy = text.find("; ") != std::string::npos;
    return has_place && has_remedy ? "" : "says neither where nor what to do: '" + text + "'";
}

/// What became of a cook.
struct Outcome {
    bool done = false;
    std::string message; ///< The error of the node
    std::string problem; ///< The promise that was broken
    bool interrupted() const { return message.rfind("interrupted", 0) == 0; }
};

struct NetworkTotal {
    long networks = 0, cooks = 0, results = 0, errors = 0, interrupts = 0, geometry_cooks = 0;
};

NetworkTotal total;

// ---- one network -------------------------------------------------------------------------------

class RandomNetwork {
public:
    explicit RandomNetwork(std::uint64_t seed) : m_seed(seed), m_draw(seed) {
        m_net.engine.standin_fps = m_draw.one_of({24.0, 96.0, 96.0, 240.0});
        m_net.engine.standin_nodes = [this](SIM_Engine&, int frame) { edit(frame); };
        m_net.engine.standin_solve = [this](SIM_Engine&, double timestep) { solve(timestep); };
        for (int k = m_draw.whole(1, 2); k > 0; --k) add_matter();
        for (int k = m_draw.whole(0, 2); k > 0; --k) add_collider();
    }

    /// The first promise that is broken, or an empty text.
    std::string run() {
        const int frames = m_draw.whole(1, 3);
        for (int frame = 1; frame <= frames; ++frame) go_to(frame);
        const std::string last = bytes();
        if (m_draw.chance(0.3)) { // scrub back, and simulate again
            go_to(m_draw.whole(0, frames));
            m_net.engine.standin_forget_after(m_net.engine.standin_frame());
            go_to(frames);
            if (m_problem.empty() && bytes() != last) m_problem = "scrubbing gives other bits";
        }
        if (m_problem.empty()) look_at_results();
        return m_problem;
    }

private:
    // ---- building ----

    /// Points on a lattice, or what Nendo Source makes of a box.
    void add_matter() {
        const auto number = static_cast<std::size_t>(m_draw.whole(0, 3));
        const Matter& matter = all_matter()[number];
        const std::string name = "object" + std::to_string(m_matter.size());
        SIM_Object& object = m_net.engine.standin_add_object(name.c_str());
        SIM_DATA_CREATE(object, "Geometry", SIM_GeometryCopy, 0);
        object.createNamedSubData("Solver", matter.solver, 0);
        SIM_Options& options = options_of(object);
        options = default_options(*standin::find_data_factory(matter.solver)->standin_description);
        if (options.hasOption("spacing")) set_option(options, "spacing", spacing);
        set_option(options, "time_step", m_draw.one_of({0.005, 0.01}));
        if (options.hasOption("contact_sweeps")) set_option(options, "contact_sweeps", 20);
        m_matter.push_back({name, &matter});
        if (number == 3)
            add_bones(name);
        else if (m_draw.chance(0.4))
            add_source(name, number);
        else
            m_net.emit(name, lattice({m_draw.whole(0, 3), m_draw.whole(1, 4), m_draw.whole(1, 3)},
                                     corner(), spacing));
        GA_PointGroup* group = m_net.geometry(name).newPointGroup("some");
        for (const GA_Offset point : point_offsets(m_net.geometry(name)))
            if (m_draw.chance(0.3)) group->addOffset(point);
    }

    Vec3d corner() {
        return {m_draw.uniform(-0.5, 0.5), m_draw.uniform(0.01, 0.5), m_draw.uniform(-0.5, 0.5)};
    }

    /// A node whose input is geometry of an object, so that it is saved and compared with it.
    std::unique_ptr<Node> make_node(const char* type, const std::string& object) {
        auto node = std::make_unique<Node>(type);
        node->wire(m_net.geometry(object, "Input"));
        return node;
    }

    void take(Node& node, const std::string& object, const char* data) {
        if (const Outcome outcome = cook(node, object); outcome.done)
            m_net.geometry(object, data).replaceWith(node.sop->standin_geometry());
        else
            fail("a node without trouble has an error: " + outcome.message + outcome.problem);
    }

    void add_source(const std::string& name, std::size_t method) {
        const Vec3d low = corner();
        GU_Detail& input = m_net.geometry(name, "Input");
        add_box(input, low,
                low + spacing * Vec3d(m_draw.whole(1, 3), m_draw.whole(1, 4), m_draw.whole(1, 3)));
        auto node = make_node("nendo_source", name);
        const auto source = [&](const char* show) {
            node->set("show", std::string(show));
            return node.get();
        };
        node->set("matter", std::vector<std::string>{"elastoplastic", "coupling", "melt"}[method]);
        node->set("spacing", method == 1 ? spacing / 2 : spacing);
        const bool membrane = method == 1 && m_draw.chance(0.3);
        if (method == 1) {
            node->set("coupling_preset", std::string("membrane"))
                .set("membrane", membrane ? 1. : 0.);
            take(*source("springs"), name, "Springs");
            take(*source("faces"), name, "Faces");
        }
        take(*source("particles"), name, "Geometry");
    }

    void add_bones(const std::string& name) {
        GU_Detail& input = m_net.geometry(name, "Input");
        // Above all colliders: one that holds bones between two clamps away from them asks for the
        // impossible.
        const Vec3d low = corner() + Vec3d(0, 0.5, 0);
        if (m_draw.chance(0.85)) {
            GU_PrimPoly* line = GU_PrimPoly::build(&input, 0, GU_POLY_OPEN, 0);
            for (int k = m_draw.whole(2, 5), at = 0; at < k; ++at) {
                line->appendVertex(input.appendPoint());
                input.setPos3(line->getPointOffset(at), UT_Vector3(float(low.x() + 0.2 * at),
                                                                   float(low.y()), float(low.z())));
            }
        } else {
            add_box(input, low, low + Vec3d(1, 0.1, 0.1));
        }
        auto node = make_node("nendo_skin", name);
        node->set("bones", double(m_draw.whole(1, 4)));
        node->set("clamp", std::string(m_draw.one_of({"none", "first", "both"})));
        take(node->set("output", std::string("joints")), name, "Joints");
        take(node->set("output", std::string("bones")), name, "Geometry");
    }

    void add_collider() {
        const std::string name = "collider" + std::to_string(m_colliders.size());
        SIM_Object& collider = m_net.engine.standin_add_object(name.c_str());
        SIM_DATA_CREATE(collider, "Geometry", SIM_GeometryCopy, 0);
        m_colliders.push_back(name);
        if (m_draw.chance(0.75)) {
            auto* sdf = SIM_DATA_CREATE(collider, "Geometry/SDF", SIM_SDF, 0);
            const double height = m_draw.uniform(-0.3, 0.2);
            sdf->standin_sdf().standin_distance = [height](const UT_Vector3& p) {
                return double(p.y()) - height;
            };
        } else {
            add_box(m_net.geometry(name), {-0.6, -0.3, -0.6}, {0.6, 0, 0.6});
        }
        for (const auto& [own, matter] : m_matter)
            m_net.engine.standin_collide(*m_net.object(own), collider);
    }

    // ---- sound edits between frames ----

    /// A draw that depends on the frame only, so that a frame that is simulated again is the same.
    Draw draw_of(int frame, int what) const {
        return Draw(m_seed * 1000 + static_cast<std::uint64_t>(10 * frame + what));
    }

    void edit(int frame) {
        Draw draw = draw_of(frame, 0);
        for (const auto& [name, matter] : m_matter) edit_matter(draw, name, *matter);
        for (const std::string& name : m_colliders) edit_collider(draw, name);
        for (const auto& [own, matter] : m_matter) {
            std::vector<int>& there =
                m_net.engine.standin_affectors[m_net.object(own)->getObjectId()];
            there.clear();
            for (const std::string& name : m_colliders)
                if (draw.chance(0.8)) there.push_back(m_net.object(name)->getObjectId());
        }
    }

    void edit_matter(Draw& draw, const std::string& name, const Matter& matter) {
        GU_Detail& gdp = m_net.geometry(name);
        const bool bones = std::string(matter.solver) == "GAS_NendoRheology";
        if (draw.chance(0.3)) draw_deletion(draw, gdp, draw.one_of({0.05, 0.2}));
        if (draw.chance(0.2) && gdp.findPointAttribute("pin") != nullptr)
            for (const char* data : matter.data)
                if (draw.chance(0.3)) delete_links(draw, m_net.geometry(name, data));
        if (!bones && draw.chance(0.3))
            m_net.emit(name,
                       lattice({1, 1, draw.whole(1, 3)}, {draw.uniform(2, 3), 1, 0}, spacing));
        if (!bones && draw.chance(0.2)) {
            const std::vector<GA_Offset> points = point_offsets(gdp);
            if (!points.empty()) {
                const GA_Offset copy = copy_point(gdp, draw_from(draw, points));
                gdp.setPos3(copy, UT_Vector3(5, float(draw.uniform(1, 9)), 0));
            }
        }
        for (const Parameter& p : matter.info().parameters)
            if (!asks_for_work(p) && draw.chance(0.02))
                draw_option(draw, p, true, options_of(*m_net.object(name)));
    }

    /// Deletes springs and faces.
    static void delete_links(Draw& draw, GU_Detail& gdp) {
        for (const GA_Offset offset : gdp.standin_primitives())
            if (draw.chance(0.2)) gdp.destroyPrimitive(*gdp.getPrimitive(offset));
    }

    /// Moves a collider.
    void edit_collider(Draw& draw, const std::string& name) {
        SIM_Object& collider = *m_net.object(name);
        if (draw.chance(0.5)) {
            UT_DMatrix4 m(1.0);
            for (unsigned k = 0; k < 3; ++k) m.standin_at(3, k) = draw.uniform(-0.05, 0.05);
            SIM_DATA_CREATE(collider, "Position", SIM_Position, SIM_DATA_RETURN_EXISTING)
                ->standin_set_transform(m);
        }
    }

    // ---- trouble ----

    void make_trouble(Draw& draw, const std::string& name, const Matter& matter) {
        SIM_Object& own = *m_net.object(name);
        switch (draw.whole(0, 9)) {
        case 0:
        case 1:
        case 2:
            draw_option(draw, draw_from(draw, matter.info().parameters), draw.chance(0.2),
                        options_of(own));
            break;
        case 3: draw_unsound_geometry(draw, m_net.geometry(name, draw_data(draw, matter))); break;
        case 4: own.removeNamedSubData(draw_data(draw, matter)); break;
        case 5: make_collider_trouble(draw); break;
        case 6: make_field(draw, own); break;
        default: draw_unsound_geometry(draw, m_net.geometry(name));
        }
    }

    static const char* draw_data(Draw& draw, const Matter& matter) {
        if (draw.chance(0.2)) return "NendoColliders";
        return draw.chance(0.1) ? "Geometry" : draw_from(draw, matter.data);
    }

    void make_collider_trouble(Draw& draw) {
        if (m_colliders.empty()) return;
        const std::string name = draw_from(draw, m_colliders);
        SIM_Object& collider = *m_net.object(name);
        GU_Detail& gdp = m_net.geometry(name);
        switch (draw.whole(0, 4)) {
        case 0: {
            UT_DMatrix4 m(1.0);
            m.standin_at(static_cast<unsigned>(draw.whole(0, 3)),
                         static_cast<unsigned>(draw.whole(0, 2))) = draw_wild_number(draw);
            SIM_DATA_CREATE(collider, "Position", SIM_Position, SIM_DATA_RETURN_EXISTING)
                ->standin_set_transform(m);
            break;
        }
        case 1: collider.removeNamedSubData("Geometry"); break;
        case 2: {
            const double value = draw_wild_number(draw);
            SIM_DATA_CREATE(collider, "SDF", SIM_SDF, 0)->standin_sdf().standin_distance =
                [value](const UT_Vector3&) { return value; };
            break;
        }
        default: draw_unsound_geometry(draw, gdp);
        }
    }

    /// The object's own fields, with any numbers in them.
    static void make_field(Draw& draw, SIM_Object& own) {
        auto* field = SIM_DATA_CREATE(own, "collision", SIM_ScalarField, 0);
        if (draw.chance(0.2)) return; // without voxels
        field->standin_init(UT_Vector3D(-1, -0.5, -1), UT_Vector3D(0.5, 0.25, 0.5), {4, 2, 4});
        const double wild = draw_wild_number(draw);
        const bool sound = draw.chance(0.5);
        field->standin_field().standin_fill(
            [&](const UT_Vector3D& p) { return sound ? -p.y() : wild; });
    }

    // ---- cooking ----

    struct Saved {
        std::map<std::string, std::unique_ptr<SIM_Data>> objects;
        std::map<int, std::vector<int>> affectors;
    };

    Saved save() {
        Saved saved;
        for (const std::string& name : names())
            saved.objects[name] = m_net.object(name)->standin_copy();
        saved.affectors = m_net.engine.standin_affectors;
        return saved;
    }
    void restore(const Saved& saved) {
        for (const auto& [name, copy] : saved.objects)
            m_net.object(name)->standin_make_equal(*copy);
        m_net.engine.standin_affectors = saved.affectors;
    }
    std::vector<std::string> names() const {
        std::vector<std::string> all = m_colliders;
        for (const auto& [name, matter] : m_matter) all.push_back(name);
        return all;
    }
    std::string bytes() {
        std::string all;
        for (const std::string& name : names()) all += bytes_of(*m_net.object(name));
        return all;
    }

    static SIM_Options& options_of(SIM_Object& object) {
        return dynamic_cast<SIM_OptionsUser&>(*object.getNamedSubData("Solver")).standin_options();
    }

    void go_to(int frame) {
        if (!m_problem.empty()) return;
        m_net.engine.standin_go_to(frame);
    }

    /// Solves all objects: those that are in trouble first with it, and then without it.
    void solve(double timestep) {
        const int frame = m_net.engine.standin_frame();
        if (frame == 1) m_upset.clear();
        if (frame > 1) m_upset = m_upset_at[frame - 1];
        int number = 0;
        for (const auto& [name, matter] : m_matter) {
            if (!m_problem.empty()) return;
            Draw draw = draw_of(frame, ++number);
            if (draw.chance(0.6) && !solve_in_trouble(draw, name, *matter, timestep)) continue;
            expect_success(name, *matter, timestep);
        }
        m_upset_at[frame] = m_upset;
    }

    /// Makes trouble and cooks. Returns whether the trouble was removed again.
    bool solve_in_trouble(Draw& draw, const std::string& name, const Matter& matter,
                          double timestep) {
        const Saved before = save();
        std::int64_t patience = most_questions;
        if (draw.chance(0.2))
            patience = draw.whole(0, 5);
        else
            for (int k = draw.whole(1, 3); k > 0; --k) make_trouble(draw, name, matter);
        if (draw.chance(0.1)) timestep = draw_wild_number(draw);
        const Outcome outcome = cook(name, matter, timestep, patience);
        if (outcome.done && draw.chance(0.3)) {
            // It was no trouble for now, and stays. Colliders are everybody's trouble.
            for (const auto& [other, its_matter] : m_matter) m_upset.insert(other);
            return false;
        }
        restore(before);
        return true;
    }

    /// Nothing is wrong with the object, unless it was left in trouble.
    void expect_success(const std::string& name, const Matter& matter, double timestep) {
        const Outcome outcome = cook(name, matter, timestep, most_questions);
        if (!outcome.done && !outcome.interrupted() && m_upset.count(name) == 0)
            fail("an object without trouble has an error: " + outcome.message + describe(name));
    }

    /// The parameters of an object that are not the default.
    std::string describe(const std::string& name) const {
        SIM_Object& object = *m_net.object(name);
        const std::string type = object.getNamedSubData("Solver")->standin_type_name();
        std::string text = "\n" + type;
        const SIM_Options defaults =
            default_options(*standin::find_data_factory(type)->standin_description);
        for (const auto& entry : options_of(object).standin_values())
            std::visit(
                [&](const auto& own) {
                    using T = std::decay_t<decltype(own)>;
                    if constexpr (std::is_arithmetic_v<T>)
                        if (own != std::get<T>(defaults.standin_values().at(entry.first)))
                            text += " " + entry.first + "=" + std::to_string(own);
                },
                entry.second);
        return text;
    }

    /// Runs the solver of an object and checks all promises.
    Outcome cook(const std::string& name, const Matter& matter, double timestep,
                 std::int64_t patience) {
        SIM_Object& own = *m_net.object(name);
        const std::string before = bytes();
        const GA_Size count = count_points(own);
        UTgetInterrupt()->standin_reset(patience);
        Outcome outcome = run_solver(own, timestep);
        ++total.cooks;
        total.results += outcome.done ? 1 : 0;
        total.errors += outcome.done ? 0 : 1;
        total.interrupts += outcome.interrupted() ? 1 : 0;
        if (outcome.problem.empty() && UTgetInterrupt()->standin_depth != 0)
            outcome.problem = "an operation has not ended";
        if (outcome.problem.empty() && !outcome.done)
            outcome.problem = bytes() == before ? wrong_message(outcome.message)
                                                : "an error changed the object: " + outcome.message;
        if (outcome.problem.empty() && outcome.done && has_own_names(own, matter))
            outcome.problem =
                count_points(own) == count ? unsound(m_net, name, matter) : "particles were lost";
        fail(outcome.problem);
        return outcome;
    }

    Outcome run_solver(SIM_Object& own, double timestep) {
        Outcome outcome;
        standin::messages().clear();
        try {
            auto& solver = dynamic_cast<GAS_SubSolver&>(*own.getNamedSubData("Solver"));
            outcome.done =
                solver.solveGas(m_net.engine, &own, m_net.engine.getSimulationTime(), timestep);
        } catch (const std::exception& e) {
            outcome.problem = std::string("an exception escaped: ") + e.what();
            return outcome;
        }
        int errors = 0;
        for (const auto& message : standin::messages()) {
            if (message.severity < UT_ERROR_ABORT) continue;
            outcome.message = message.text;
            ++errors;
        }
        if (errors != (outcome.done ? 0 : 1))
            outcome.problem = std::to_string(errors) + " errors: " + outcome.message;
        return outcome;
    }

    /// Points of the object's matter; none if it has no geometry.
    static GA_Size count_points(const SIM_Object& object) {
        const SIM_GeometryAutoReadLock lock(object.getGeometry());
        return lock.getGdp() == nullptr ? 0 : lock.getGdp()->getNumPoints();
    }

    /// Whether the data have their usual names.
    static bool has_own_names(SIM_Object& own, const Matter& matter) {
        for (const Parameter& p : matter.info().parameters)
            if (p.kind == ParameterKind::text &&
                options_of(own).getOptionS(p.name).standin_text() != p.default_text)
                return false;
        return true;
    }

    // ---- geometry nodes ----

    /// Cooks a geometry node and checks that its inputs are as before.
    Outcome cook(Node& node, const std::string& object) {
        const std::string before = bytes_of(*m_net.object(object));
        Outcome outcome;
        UTgetInterrupt()->standin_reset();
        ++total.geometry_cooks;
        try {
            outcome.done = node.sop->standin_cook() < UT_ERROR_ABORT;
        } catch (const std::exception& e) {
            outcome.problem = std::string("an exception escaped: ") + e.what();
        }
        if (!node.sop->standin_errors.empty()) outcome.message = node.sop->standin_errors.front();
        const GU_Detail& made = node.sop->standin_geometry();
        if (outcome.problem.empty() && bytes_of(*m_net.object(object)) != before)
            outcome.problem = "an input changed";
        if (outcome.problem.empty() && !outcome.done) {
            outcome.problem = wrong_message(outcome.message);
            if (made.getNumPoints() + made.getNumPrimitives() > 0)
                outcome.problem = "an error left geometry";
        }
        // Nendo Visualize hands on the positions that it is given.
        if (outcome.problem.empty() && outcome.done && !is_finite(made) &&
            is_finite(*node.sop->standin_inputs.front()))
            outcome.problem = "P is not finite";
        fail(outcome.problem);
        return outcome;
    }

    static bool is_finite(const GU_Detail& gdp) {
        const std::vector<GA_Offset> points = point_offsets(gdp);
        return std::all_of(points.begin(), points.end(), [&](GA_Offset point) {
            const UT_Vector3 p = gdp.getPos3(point);
            return std::isfinite(p.x()) && std::isfinite(p.y()) && std::isfinite(p.z());
        });
    }

    /// The nodes after the simulation, first in trouble, and then without.
    void look_at_results() {
        for (const auto& [name, matter] : m_matter) {
            if (!m_problem.empty()) return;
            for (const char* type : {"nendo_visualize", "nendo_skin", "nendo_source",
#ifndef NENDO_WITHOUT_SURFACE
                                     "nendo_surface"
#endif
                 })
                if (m_problem.empty() && m_draw.chance(0.3)) look_with(type, name, *matter);
        }
    }

    void look_with(const char* type, const std::string& name, const Matter& matter) {
        const Saved before = save();
        Node node(type);
        const bool of_mesh =
            type == std::string("nendo_skin") || type == std::string("nendo_source");
        if (of_mesh && m_net.geometry(name, "Input").getNumPoints() == 0)
            add_box(m_net.geometry(name, "Input"), {0, 0, 0}, {0.2, 0.3, 0.2});
        GU_Detail& input = m_net.geometry(name, of_mesh ? "Input" : "Geometry");
        GU_Detail& second = m_net.geometry(name, of_mesh ? "Geometry" : matter.data.front());
        node.wire(input);
        if (m_draw.chance(0.7)) node.wire(second);
        for (const Parameter& p : info_of(type).parameters)
            if (m_draw.chance(p.kind == ParameterKind::menu ? 0.4 : 0.05))
                draw_parameter(m_draw, p, m_draw.chance(0.7),
                               [&](const auto& value) { set_parm(node, p.name, value); });
        for (int k = m_draw.whole(0, 2); k > 0; --k)
            draw_unsound_geometry(m_draw, m_draw.chance(0.7) ? input : second);
        cook(node, name);
        restore(before);
        if (of_mesh || m_upset.count(name) > 0) return;
        look_without_trouble(node, type, name, matter);
    }

    /// The same node, after its parameters and its input are as they should be again.
    void look_without_trouble(Node& node, const char* type, const std::string& name,
                              const Matter& matter) {
        GU_Detail& geometry = m_net.geometry(name);
        const bool shown = matter.info().name != "nendo_rheology" &&
                           geometry.findPointAttribute("pscale") != nullptr;
        if (!shown) return; // bones, or particles that no frame has solved
        for (const Parameter& p : info_of(type).parameters)
            if (p.kind == ParameterKind::menu || p.kind == ParameterKind::text)
                node.set(p.name, p.default_text);
            else
                node.set(p.name, p.defaults);
        if (type == std::string("nendo_visualize"))
            node.set("matter", matter.info().name.substr(std::string("nendo_").size()));
        node.sop->standin_inputs = {&geometry};
        const Outcome outcome = cook(node, name);
        if (!outcome.done) fail("a node whose trouble is gone has an error: " + outcome.message);
    }

    static const NodeInfo& info_of(const std::string& type) {
        for (const NodeInfo* info :
             {&source_node(), &skin_node(), &surface_node(), &visualize_node()})
            if (info->name == type) return *info;
        throw std::runtime_error("there is no node " + type);
    }

    template <class Value>
    static void set_parm(Node& node, const std::string& name, const Value& value) {
        if constexpr (std::is_same_v<Value, std::string>)
            node.set(name, value);
        else if constexpr (std::is_same_v<Value, Vec3d>)
            node.set(name, std::vector<double>{value.x(), value.y(), value.z()});
        else
            node.set(name, static_cast<double>(value));
    }

    void fail(const std::string& problem) {
        if (m_problem.empty() && !problem.empty())
            m_problem = "frame " + std::to_string(m_net.engine.standin_frame()) + ": " + problem;
    }

    /// Questions after which a cook is interrupted: a few times the substeps that it should need.
    static constexpr std::int64_t most_questions = 200;

    std::uint64_t m_seed;
    Draw m_draw;
    Network m_net;
    std::vector<std::pair<std::string, const Matter*>> m_matter;
    std::vector<std::string> m_colliders;
    std::set<std::string> m_upset; ///< Objects that were left in trouble
    std::map<int, std::set<std::string>> m_upset_at;
    std::string m_problem;
};

// ---- the test ----------------------------------------------------------------------------------

void check(std::uint64_t seed) {
    const nendo::test::Lifeguard lifeguard("network", seed, "NENDO_NETWORK");
    ++total.networks;
    RandomNetwork network(seed);
    // There is too little work in a network for threads to share.
    const std::string problem = nendo::test::with_threads(1, [&] { return network.run(); });
    if (!problem.empty())
        ADD_FAILURE() << "network " << seed << ", " << problem
                      << "\nrun it again with NENDO_NETWORK=" << seed;
}

TEST(RandomNetworks, give_a_result_or_an_error_that_changes_nothing) {
    using nendo::test::number_from_environment;
    total = {};
    if (std::getenv("NENDO_NETWORK") != nullptr) {
        check(number_from_environment("NENDO_NETWORK", 0));
    } else {
        const std::uint64_t first = number_from_environment("NENDO_NETWORK_FIRST", 1);
        const std::uint64_t count = number_from_environment("NENDO_NETWORKS", 300);
        for (std::uint64_t seed = first; seed < first + count; ++seed) check(seed);
    }
    std::cout << total.networks << " networks, " << total.cooks << " cooks of solvers ("
              << total.results << " results, " << total.errors << " errors, " << total.interrupts
              << " of them interrupts), " << total.geometry_cooks << " cooks of geometry nodes\n";
}

} // namespace
} // namespace nendo::houdini::test
