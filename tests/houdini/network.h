// SPDX-License-Identifier: Apache-2.0
// A DOP network for tests, on the stand-in: objects with matter, their solvers, and colliders.
#pragma once

#include "core/hash.h"
#include "dop/GAS_NendoElastoplastic.h"
#include "dop/bridge/geometry.h"
#include "elastoplastic/solver.h"

#include <GU/GU_PrimPoly.h>
#include <GU/GU_PrimVDB.h>
#include <PRM/PRM_Default.h>
#include <PRM/PRM_Name.h>
#include <PRM/PRM_Template.h>
#include <SIM/SIM_Engine.h>
#include <SIM/SIM_PhysicalParms.h>
#include <SIM/SIM_Position.h>
#include <UT/UT_Interrupt.h>

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

extern "C" void initializeSIM(void*);

namespace nendo::houdini::test {

using elastoplastic::State;

/// A node's parameters with their defaults, as Houdini passes them to the data that it makes.
inline SIM_Options default_options(const SIM_DopDescription& description) {
    SIM_Options options;
    for (const PRM_Template* t = description.getTemplates();
         t->standin_type.standin_kind != standin_ParmKind::list_end; ++t) {
        const char* name = t->standin_name->standin_token();
        const PRM_Default* d = t->standin_defaults;
        switch (t->standin_type.standin_kind) {
        case standin_ParmKind::number: options.setOptionF(name, d[0].standin_number); break;
        case standin_ParmKind::whole:
            options.setOptionI(name, static_cast<int64>(d[0].standin_number));
            break;
        case standin_ParmKind::toggle: options.setOptionB(name, d[0].standin_number != 0); break;
        case standin_ParmKind::text: options.setOptionS(name, d[0].standin_text); break;
        case standin_ParmKind::vector:
            options.setOptionV3(
                name, UT_Vector3D(d[0].standin_number, d[1].standin_number, d[2].standin_number));
            break;
        default: break;
        }
    }
    return options;
}

/// Sets one parameter; a name that the node does not have fails the test.
template <class Value>
void set_option(SIM_Options& options, const std::string& name, const Value& value) {
    ASSERT_TRUE(options.hasOption(name)) << name;
    if constexpr (std::is_same_v<Value, bool>)
        options.setOptionB(name, value);
    else if constexpr (std::is_integral_v<Value>)
        options.setOptionI(name, value);
    else if constexpr (std::is_floating_point_v<Value>)
        options.setOptionF(name, value);
    else if constexpr (std::is_same_v<Value, Vec3d>)
        options.setOptionV3(name, UT_Vector3D(value.x(), value.y(), value.z()));
    else
        options.setOptionS(name, UT_StringHolder(value));
}

/// Sets all fields of a declared struct as a node's parameters.
template <class Object> void set_options(SIM_Options& options, const Object& object) {
    for_each_field(object, [&](const auto& value, const Field& f) {
        const std::string name(f.name_);
        if constexpr (std::is_enum_v<std::decay_t<decltype(value)>>)
            set_option(options, name, std::string(f.choices_[static_cast<std::size_t>(value)]));
        else
            set_option(options, name, value);
    });
}

/// All bytes of an object: geometry, parameters, solver, everything below it.
inline std::string bytes_of(const SIM_Data& data) {
    std::ostringstream stream;
    data.standin_save(stream);
    return stream.str();
}

class Network {
public:
    Network() {
        initializeSIM(nullptr);
        standin::messages().clear();
        UTgetInterrupt()->standin_reset();
        engine.standin_solve = [this](SIM_Engine&, double timestep) { solve(timestep); };
        engine.standin_nodes = [this](SIM_Engine&, int frame) {
            for (const auto& node : nodes) node(frame);
        };
    }
    Network(const Network&) = delete;
    Network& operator=(const Network&) = delete;

    /// An object with a solver; returns the solver's parameters.
    SIM_Options& add_matter(const char* name) {
        SIM_Object& object = engine.standin_add_object(name);
        SIM_DATA_CREATE(object, "Geometry", SIM_GeometryCopy, 0);
        auto* solver = SIM_DATA_CREATE(object, "Solver", GAS_NendoElastoplastic, 0);
        solver->standin_options() = default_options(
            *standin::find_data_factory("GAS_NendoElastoplastic")->standin_description);
        matter.push_back(name);
        return solver->standin_options();
    }
    SIM_Object& add_collider(const char* name) {
        SIM_Object& collider = engine.standin_add_object(name);
        for (const std::string& own : matter) engine.standin_collide(*object(own), collider);
        return collider;
    }

    SIM_Object* object(const std::string& name) const { return engine.standin_object(name); }
    SIM_Options& options(const std::string& name) const {
        return SIM_DATA_GET(*object(name), "Solver", GAS_NendoElastoplastic)->standin_options();
    }

    /// Geometry that a test reads or changes, as another node would; created if it is missing.
    GU_Detail& geometry(const std::string& name, const char* data = "Geometry") const {
        auto* copy =
            SIM_DATA_CREATE(*object(name), data, SIM_GeometryCopy, SIM_DATA_RETURN_EXISTING);
        GU_Detail* gdp = copy->lockGeometry().gdpNC();
        copy->releaseGeometry(SIM_DATA_ID_PRESERVE);
        return *gdp;
    }

    /// The state in an object's geometries, read as the solver reads it.
    State<float> state(const std::string& name) const {
        State<float> s;
        const GU_Detail& gdp = geometry(name);
        const GU_Detail& slaves = geometry(name, "Slaves");
        const std::vector<GA_Offset> points = point_offsets(gdp);
        EXPECT_TRUE(points_to_table(gdp, points, s.masters, "test").empty());
        EXPECT_TRUE(points_to_table(slaves, point_offsets(slaves), s.slaves, "test").empty());
        EXPECT_TRUE(detail_to_details(gdp, s.details, "test"));
        points_to_pairs(gdp, points, s.masters.id, "neighbours", "test", s.neighbors.id,
                        s.neighbors.other);
        return s;
    }
    std::uint64_t hash(const std::string& name) const { return hash_state(state(name)); }

    /// Writes a whole state to an object's geometries.
    void place(const std::string& name, const State<float>& s) const {
        GU_Detail& gdp = geometry(name);
        const Places places = table_to_points(s.masters, {}, gdp, "test");
        details_to_detail(s.details, gdp, "test");
        pairs_to_points(s.neighbors.id, s.neighbors.other, places, gdp, "neighbours", "test");
        table_to_points(s.slaves, {}, geometry(name, "Slaves"), "test");
    }

    /// Adds bare points, as an emitter would.
    std::vector<GA_Offset> emit(const std::string& name, const std::vector<Vec3d>& places) const {
        GU_Detail& gdp = geometry(name);
        std::vector<GA_Offset> points;
        for (const Vec3d& x : places) {
            points.push_back(gdp.appendPoint());
            gdp.setPos3(points.back(), UT_Vector3(float(x.x()), float(x.y()), float(x.z())));
        }
        return points;
    }

    /// Goes to a frame and expects no message on the way.
    void go_to(int frame) {
        engine.standin_go_to(frame);
        EXPECT_EQ(complaints(), "");
    }
    std::string complaints() const {
        std::string all;
        for (const auto& message : standin::messages()) all += message.text + "\n";
        return all;
    }

    SIM_Engine engine;
    std::vector<std::string> matter;             ///< Objects that are solved, in order
    std::vector<std::function<void(int)>> nodes; ///< Other nodes, before the solvers
    std::function<GAS_SubSolver*(SIM_Object&)>
        solver_of;  ///< Used instead of the object's own solver
    int solved = 0; ///< Steps that succeeded

private:
    void solve(double timestep) {
        for (const std::string& name : matter) {
            SIM_Object& own = *object(name);
            GAS_SubSolver* solver =
                solver_of ? solver_of(own) : SIM_DATA_GET(own, "Solver", GAS_SubSolver);
            if (solver->solveGas(engine, &own, engine.getSimulationTime(), timestep)) ++solved;
        }
    }
};

/// A box on a lattice, as bare positions [m].
inline std::vector<Vec3d> lattice(const Eigen::Vector3i& cells, const Vec3d& corner,
                                  double spacing) {
    std::vector<Vec3d> places;
    for (int i = 0; i < cells.x(); ++i)
        for (int j = 0; j < cells.y(); ++j)
            for (int k = 0; k < cells.z(); ++k)
                places.push_back(corner + spacing * Vec3d(i + 0.5, j + 0.5, k + 0.5));
    return places;
}

} // namespace nendo::houdini::test
