// SPDX-License-Identifier: Apache-2.0
// Entry points of the plugin: one line per simulation node, and all geometry nodes.
#include "dop/GAS_NendoCoupling.h"
#include "dop/GAS_NendoElastoplastic.h"
#include "dop/GAS_NendoMelt.h"
#include "dop/GAS_NendoRheology.h"
#include "sop/SOP_NendoNode.h"

#include <OP/OP_OperatorTable.h>
#include <SIM/SIM_DataUtils.h>
#include <UT/UT_DSOVersion.h>

extern "C" void initializeSIM(void*) {
    IMPLEMENT_DATAFACTORY(GAS_NendoElastoplastic);
    IMPLEMENT_DATAFACTORY(GAS_NendoCoupling);
    IMPLEMENT_DATAFACTORY(GAS_NendoRheology);
    IMPLEMENT_DATAFACTORY(GAS_NendoMelt);
}

extern "C" void newSopOperator(OP_OperatorTable* table) {
    nendo::houdini::add_geometry_nodes(*table);
}
