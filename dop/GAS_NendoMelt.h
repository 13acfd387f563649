// SPDX-License-Identifier: Apache-2.0
// The microsolver of melting matter. Its state is in the data of the object:
// particles are the points of the geometry; clusters and
// colliders have geometries of their own.
#pragma once

#include <GAS/GAS_SubSolver.h>

class GAS_NendoMelt : public GAS_SubSolver {
protected:
    explicit GAS_NendoMelt(const SIM_DataFactory* factory) : BaseClass(factory) {}
    ~GAS_NendoMelt() override = default;

    bool solveGasSubclass(SIM_Engine& engine, SIM_Object* object, SIM_Time time,
                          SIM_Time timestep) override;

private:
    static const SIM_DopDescription* getDopDescription();

    DECLARE_STANDARD_GETCASTTOTYPE();
    DECLARE_DATAFACTORY(GAS_NendoMelt, GAS_SubSolver, "Nendo Melt", getDopDescription());
};
