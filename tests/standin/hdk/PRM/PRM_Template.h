// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests. As in Houdini, a template only points to the objects that describe it.
#pragma once

#include <PRM/PRM_Type.h>

class PRM_ChoiceList;
class PRM_ConditionalBase;
class PRM_Default;
class PRM_Name;
class PRM_Range;
class PRM_SpareData;

class PRM_Callback {
public:
    PRM_Callback() = default;
};

class PRM_Template {
public:
    PRM_Template(PRM_Type type = PRM_LIST_TERMINATOR, int vector_size = 1, PRM_Name* name = nullptr,
                 PRM_Default* defaults = nullptr, PRM_ChoiceList* choices = nullptr,
                 PRM_Range* range = nullptr, PRM_Callback callback = PRM_Callback(),
                 PRM_SpareData* spare = nullptr, int group = 1, const char* help = nullptr,
                 PRM_ConditionalBase* conditions = nullptr)
        : standin_type(type), standin_size(vector_size), standin_name(name),
          standin_defaults(defaults), standin_choices(choices), standin_range(range),
          standin_help(help), standin_conditions(conditions) {
        (void)callback, (void)spare, (void)group;
    }

    PRM_Type standin_type;
    int standin_size;
    PRM_Name* standin_name;
    PRM_Default* standin_defaults;
    PRM_ChoiceList* standin_choices;
    PRM_Range* standin_range;
    const char* standin_help;
    PRM_ConditionalBase* standin_conditions;
};
