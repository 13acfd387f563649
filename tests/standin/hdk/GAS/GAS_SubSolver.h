// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: one stage of a simulation, called for each object.
#pragma once

#include "GAS/GAS_Utils.h"
#include "SIM/SIM_Engine.h"
#include "SIM/SIM_GeometryCopy.h"
#include "SIM/SIM_OptionsUser.h"
#include "SIM/SIM_Solver.h"

class GAS_SubSolver : public SIM_Solver, public SIM_OptionsUser {
public:
    /// The data named by the parameter `token`; null if there is no such parameter or data.
    /// Geometry of another kind is replaced by one that can be changed.
    SIM_GeometryCopy* getGeometryCopy(SIM_Object* object, const char* token, bool silent = false);

    bool solveGas(SIM_Engine& engine, SIM_Object* object, SIM_Time time, SIM_Time timestep) {
        return solveGasSubclass(engine, object, time, timestep);
    }
    bool standin_is(const std::string& type) const override {
        return type == "GAS_SubSolver" || SIM_Solver::standin_is(type);
    }

protected:
    explicit GAS_SubSolver(const SIM_DataFactory* factory)
        : SIM_Solver(factory), SIM_OptionsUser(this) {}
    virtual bool solveGasSubclass(SIM_Engine& engine, SIM_Object* object, SIM_Time time,
                                  SIM_Time timestep) = 0;
    static void setGasDescription(SIM_DopDescription& description) {
        description.standin_is_gas = true;
    }
    void makeEqualSubclass(const SIM_Data* source) override;
    void standin_save_own(std::ostream& stream) const override;
    void standin_load_own(std::istream& stream) override;
};
