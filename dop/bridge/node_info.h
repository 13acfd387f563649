// SPDX-License-Identifier: Apache-2.0
// What a person should know of a node: its names, inputs and parameters. The operator, the help page
// and the tests read this one description; it needs no Houdini.
#pragma once

#include "dop/bridge/parameters.h"

#include <string>
#include <vector>

namespace nendo::houdini {

struct NodeInput {
    std::string label;
    std::string help;
    bool required = true;
};

/// What the node reads from its geometry, or leaves there.
struct NodeAttribute {
    std::string name;
    std::string unit = "1";
    std::string help;
};

/// One of each declared column.
template <class Table> std::vector<NodeAttribute> describe_columns() {
    std::vector<NodeAttribute> list;
    for (const Field& f : list_fields<Table>())
        list.push_back({std::string(f.name_), std::string(f.unit_), std::string(f.help_)});
    return list;
}

struct NodeInfo {
    std::string context; ///< "sop" or "dop"
    std::string name;    ///< Houdini's name of the operator
    std::string label;
    std::string icon;    ///< A file of otls/config/Icons, without its ending
    std::string summary; ///< One sentence
    std::string text;    ///< Paragraphs in Houdini's help markup
    std::string how;     ///< How it works, in three sentences
    std::string paper;   ///< Where that is from; empty where it is nobody's
    std::string limits;
    std::string advice; ///< How to make it fast
    std::vector<NodeInput> inputs;
    std::string output;
    std::vector<NodeAttribute> reads;  ///< Attributes of points, beside P
    std::vector<NodeAttribute> writes; ///< Likewise
    std::vector<Parameter> parameters;
    std::vector<std::string> related; ///< Names of other nodes
};

} // namespace nendo::houdini
