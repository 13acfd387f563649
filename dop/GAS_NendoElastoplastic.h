// SPDX-License-Identifier: Apache-2.0
// The microsolver of elastoplastic matter. Its state is in the data of the object:
// masters are the points of the geometry; slaves and
// colliders have geometries of their own.
#pragma once

#include <GAS/GAS_SubSolver.h>

class GAS_NendoElastoplastic : public GAS_SubSolver {
protected:
    explicit GAS_NendoElastoplastic(const SIM_DataFactory* factory) : BaseClass(factory) {}
    ~GAS_NendoElastoplastic() override = default;

    bool solveGasSubclass(SIM_Engine& engine, SIM_Object* object, SIM_Time time,
                          SIM_Time timestep) override;

private:
    static const SIM_DopDescription* getDopDescription();

    DECLARE_STANDARD_GETCASTTOTYPE();
    DECLARE_DATAFACTORY(GAS_NendoElastoplastic, GAS_SubSolver, "Nendo Elastoplastic",
                        getDopDescription());
};
