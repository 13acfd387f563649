// SPDX-License-Identifier: Apache-2.0
// Description of a node: its names, texts, inputs, attributes and parameters. The operator, the
// help page and the tests all read this one description. It compiles without Houdini.
#pragma once

#include "dop/bridge/parameters.h"
#include "method/preset.h"

#include <string>
#include <string_view>
#include <vector>

namespace nendo::houdini {

struct NodeInput {
    std::string label;
    std::string help;
    bool required = true;
};

/// A point attribute that the node reads or writes.
struct NodeAttribute {
    std::string name;
    std::string unit = "1";
    std::string help;
};

/// One attribute for each column that the table declares.
template <class Table> std::vector<NodeAttribute> describe_columns() {
    std::vector<NodeAttribute> list;
    for (const Field& f : list_fields<Table>())
        list.push_back({std::string(f.name_), std::string(f.unit_), std::string(f.help_)});
    return list;
}

/// A menu of the presets of a material.
template <class Preset>
Field preset_field(std::string_view name, std::string_view label,
                   const std::vector<Preset>& presets) {
    return field(name).label(label).folder("Material").choices(preset_names(presets));
}

struct NodeInfo {
    std::string context; ///< "sop" or "dop"
    std::string name;    ///< Houdini's name of the operator
    std::string label;
    std::string icon;    ///< A file of otls/config/Icons, without its ending
    std::string summary; ///< One sentence
    std::string text;    ///< Paragraphs in Houdini's help markup
    std::string how;     ///< How it works, in about three sentences
    std::string paper;   ///< Reference of the method; empty where there is none
    std::string limits;
    std::string advice; ///< How to make it fast
    std::vector<NodeInput> inputs;
    std::string output;
    std::vector<NodeAttribute> reads;  ///< Point attributes that it reads, besides P
    std::vector<NodeAttribute> writes; ///< Point attributes that it writes, besides P
    std::vector<Parameter> parameters;
    std::vector<std::string> related; ///< Names of other nodes

    NodeInfo(const char* in_context, const char* operator_name, const char* shown_label)
        : context(in_context), name(operator_name), label(shown_label), icon(operator_name) {}

    /// Adds the parameters that set the fields of an object; names that are there already are kept.
    template <class Object>
    void add_parameters(const Object& defaults, Given given = Given::always,
                        const std::string& folder = "") {
        append_parameters(parameters, describe_parameters(defaults, given, folder));
    }
};

} // namespace nendo::houdini
