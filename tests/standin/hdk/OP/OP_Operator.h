// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: a kind of node. As in Houdini, its texts are copied, its templates are not.
#pragma once

#include "PRM/PRM_Template.h"

#include <string>
#include <vector>

class CH_LocalVariable;
class OP_Network;
class OP_Node;
class OP_Operator;

using OP_Constructor = OP_Node* (*)(OP_Network*, const char*, OP_Operator*);

class OP_Operator {
public:
    OP_Operator(const char* name, const char* english, OP_Constructor construct,
                PRM_Template* templates, unsigned min_sources, unsigned max_sources = 9999,
                CH_LocalVariable* variables = nullptr, unsigned flags = 0,
                const char** input_labels = nullptr, int max_outputs = 1,
                const char* tab_submenu_path = nullptr)
        : standin_name(name), standin_english(english), standin_construct(construct),
          standin_templates(templates), standin_min(min_sources), standin_max(max_sources),
          standin_submenu(tab_submenu_path == nullptr ? "" : tab_submenu_path) {
        (void)variables, (void)flags, (void)max_outputs;
        for (; input_labels != nullptr && *input_labels != nullptr; ++input_labels)
            standin_inputs.emplace_back(*input_labels);
    }
    void setIconName(const char* icon) { standin_icon = icon; }

    std::string standin_name;
    std::string standin_english;
    OP_Constructor standin_construct;
    PRM_Template* standin_templates;
    unsigned standin_min;
    unsigned standin_max;
    std::string standin_submenu;
    std::string standin_icon;
    std::vector<std::string> standin_inputs;
};
