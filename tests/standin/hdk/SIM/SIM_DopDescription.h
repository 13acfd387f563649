// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: the node that makes a kind of data.
#pragma once

#include "UT/UT_StringHolder.h"

class PRM_Template;

class SIM_DopDescription {
public:
    SIM_DopDescription(bool createdop, const char* dopname, const char* dopenglish,
                       const char* dataname, const char* datatypename,
                       const PRM_Template* templates)
        : standin_creates(createdop), standin_name(dopname), standin_label(dopenglish),
          standin_data_name(dataname), standin_type(datatypename), m_templates(templates) {}

    const PRM_Template* getTemplates() const { return m_templates; }
    void setDefaultUniqueDataName(int unique) { standin_unique = unique != 0; }

    bool standin_creates;
    UT_StringHolder standin_name, standin_label, standin_data_name, standin_type;
    bool standin_unique = false;
    bool standin_is_gas = false;

private:
    const PRM_Template* m_templates;
};
