// SPDX-License-Identifier: Apache-2.0
// The microsolver of bones that bend and stay bent. All that it must remember is in the object's
// data: bones are the points of the geometry, joints, contacts and colliders have their own.
#pragma once

#include <GAS/GAS_SubSolver.h>

class GAS_NendoRheology : public GAS_SubSolver {
protected:
    explicit GAS_NendoRheology(const SIM_DataFactory* factory);
    ~GAS_NendoRheology() override;

    bool solveGasSubclass(SIM_Engine& engine, SIM_Object* object, SIM_Time time,
                          SIM_Time timestep) override;

private:
    static const SIM_DopDescription* getDopDescription();

    DECLARE_STANDARD_GETCASTTOTYPE();
    DECLARE_DATAFACTORY(GAS_NendoRheology, GAS_SubSolver, "Nendo Rheology", getDopDescription());
};
