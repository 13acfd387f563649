// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests. As in Houdini, a menu only points to the caller's list, which ends with a
// default name.
#pragma once

#include <PRM/PRM_Name.h>

enum PRM_ChoiceListType { PRM_CHOICELIST_SINGLE = 1 };

class PRM_ChoiceList {
public:
    PRM_ChoiceList(PRM_ChoiceListType type, PRM_Name* names)
        : standin_type(type), standin_names(names) {}

    PRM_ChoiceListType standin_type;
    PRM_Name* standin_names;
};
