// What a person should know of a node: its names, inputs and parameters. The operator, the help page
// and the tests read this one description; it needs no Houdini.
#pragma once

#include "dop/parameters.h"

#include <string>
#include <vector>

namespace nendo::houdini {

struct NodeInput {
    std::string label;
    std::string help;
    bool required = true;
};

struct NodeInfo {
    std::string context; ///< "sop" or "dop"
    std::string name;    ///< Houdini's name of the operator
    std::string label;
    std::string icon;    ///< A file of otls/config/Icons, without its ending
    std::string summary; ///< One sentence
    std::string text;    ///< Paragraphs in Houdini's help markup
    std::vector<NodeInput> inputs;
    std::vector<Parameter> parameters;
    std::vector<std::string> related; ///< Names of other nodes
};

} // namespace nendo::houdini
