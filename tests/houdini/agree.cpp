// SPDX-License-Identifier: Apache-2.0
// The declared fields, the parameters given to Houdini, the JSON schema and the help pages agree.
#include "otls/help_page.h"

#include "coupling/params.h"
#include "dop/nodes.h"
#include "elastoplastic/material.h"
#include "elastoplastic/params.h"
#include "io/scene/scenes.h"
#include "melt/params.h"
#include "rheology/params.h"
#include "sop/nodes.h"
#include "support/source_dir.h"

#include <PRM/PRM_ChoiceList.h>
#include <PRM/PRM_Default.h>
#include <PRM/PRM_Name.h>
#include <PRM/PRM_Range.h>
#include <PRM/PRM_Template.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

using namespace nendo;
using namespace nendo::houdini;
namespace fs = std::filesystem;

namespace {

const fs::path help_folder = test::source_dir() / "otls/help";

std::string read_text(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// The description of a parameter in one of the four places.
struct Said {
    std::string label; ///< Label with its unit
    std::string help;
    std::vector<std::string> choices;
};

/// The help page as text: "Label:", "#id: name", then the help.
std::map<std::string, Said> read_help(const std::string& page) {
    std::map<std::string, Said> found;
    std::istringstream lines(page.substr(page.find("@parameters")));
    std::string line, label, name;
    while (std::getline(lines, line)) {
        if (line.empty()) continue;
        if (line[0] != ' ' && line.back() == ':') label = line.substr(0, line.size() - 1);
        if (line.rfind("    #id: ", 0) == 0) {
            name = line.substr(9);
            found[name].label = label;
        } else if (line.rfind("        `", 0) == 0) {
            found[name].choices.push_back(line.substr(9, line.size() - 10));
        } else if (line.rfind("    ", 0) == 0 && line.back() != ':') {
            found[name].help = line.substr(4);
        }
    }
    return found;
}

std::map<std::string, Said> read_templates(const PRM_Template* t) {
    std::map<std::string, Said> found;
    for (; t->standin_type.standin_kind != standin_ParmKind::list_end; ++t) {
        if (t->standin_type.standin_kind == standin_ParmKind::folders) continue;
        Said& said = found[t->standin_name->standin_token()];
        said.label = t->standin_name->standin_label();
        said.help = t->standin_help;
        if (t->standin_choices == nullptr) continue;
        for (const PRM_Name* n = t->standin_choices->standin_names; n->standin_token() != nullptr;
             ++n)
            said.choices.emplace_back(n->standin_token());
    }
    return found;
}

TEST(Agree, help_pages_are_the_ones_that_the_nodes_declare) {
    std::size_t files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(help_folder))
        if (entry.is_regular_file()) ++files;
    EXPECT_EQ(files, all_nodes().size());
    for (const NodeInfo* node : all_nodes())
        EXPECT_EQ(read_text(help_folder / help_path(*node)), help_page(*node))
            << "is stale; run: nendo_help otls";
}

TEST(Agree, help_and_templates_have_the_same_parameters) {
    for (const NodeInfo* node : all_nodes()) {
        const ParameterTemplates made(node->parameters);
        const auto templates = read_templates(made.templates());
        const auto help = read_help(read_text(help_folder / help_path(*node)));
        ASSERT_EQ(templates.size(), node->parameters.size());
        ASSERT_EQ(help.size(), templates.size()) << node->name;
        for (const auto& [name, said] : templates) {
            ASSERT_TRUE(help.count(name)) << name;
            EXPECT_EQ(help.at(name).label, said.label);
            EXPECT_EQ(help.at(name).choices, said.choices);
            EXPECT_EQ(help.at(name).help.rfind(said.help, 0), 0u) << help.at(name).help;
            EXPECT_FALSE(said.help.empty()) << name;
        }
    }
}

/// Compares the fields of `Object` with a part of the schema and with a node's templates and help.
template <class Object> void expect_agreement(const Json& schema, const NodeInfo& node) {
    const ParameterTemplates made(node.parameters);
    const auto templates = read_templates(made.templates());
    const auto help = read_help(read_text(help_folder / help_path(node)));
    const std::vector<Field> fields = list_fields<Object>();
    for (const Field& f : fields) {
        const std::string name(f.name_);
        ASSERT_TRUE(schema.contains(name)) << name;
        ASSERT_TRUE(templates.count(name)) << name;
        ASSERT_TRUE(help.count(name)) << name;
        const Json& entry = schema[name];
        const std::string unit = f.unit_ == "1" ? "" : " [" + std::string(f.unit_) + "]";
        EXPECT_EQ(entry["title"].get<std::string>() + unit, templates.at(name).label);
        EXPECT_EQ(entry["description"].get<std::string>(), templates.at(name).help + unit);
        const std::vector<std::string> none;
        EXPECT_EQ(entry.contains("enum") ? entry["enum"].get<std::vector<std::string>>() : none,
                  templates.at(name).choices);
        EXPECT_EQ(templates.at(name).label, help.at(name).label);
    }
}

const Json& properties(const Json& schema) {
    return schema["properties"];
}

/// The part `name` of a method's scenes in the schema.
Json scene_part(const std::string& method, const std::string& name) {
    return properties(properties(scene_schema()["$defs"][method + "_scene"])[name]);
}

TEST(Agree, the_material_is_the_same_in_schema_templates_and_help) {
    const Json schema = scene_schema()["$defs"]["elastoplastic_scene"];
    const Json& material = properties(properties(schema)["bodies"]["items"])["material"];
    for (const NodeInfo* node : {&elastoplastic_node(), &source_node()})
        expect_agreement<elastoplastic::Material>(properties(material), *node);
}

/// Compares the parameters of a solver in its scenes and in its node.
template <class Params> void expect_same_solver(const std::string& method, const NodeInfo& node) {
    const Json solver = scene_part(method, "solver");
    expect_agreement<Params>(solver, node);
    // The defaults and the hard limits agree too.
    const ParameterTemplates made(node.parameters);
    for (const PRM_Template* t = made.templates();
         t->standin_type.standin_kind != standin_ParmKind::list_end; ++t) {
        const std::string name = t->standin_name->standin_token();
        if (!solver.contains(name)) continue;
        const Json& entry = solver[name];
        if (entry["default"].is_number()) {
            EXPECT_EQ(entry["default"].get<double>(), t->standin_defaults->standin_number);
        } else if (entry["default"].is_string()) {
            EXPECT_EQ(entry["default"].get<std::string>(), t->standin_defaults->standin_text);
        } else {
            EXPECT_EQ(entry["default"].get<bool>(), t->standin_defaults->standin_number != 0);
        }
        const PRM_Range* range = t->standin_range;
        if (range != nullptr && range->standin_low_flag == PRM_RANGE_RESTRICTED) {
            const char* key = entry.contains("minimum") ? "minimum" : "exclusiveMinimum";
            EXPECT_EQ(entry[key].get<double>(), range->standin_low) << name;
        }
        if (range != nullptr && range->standin_high_flag == PRM_RANGE_RESTRICTED) {
            EXPECT_EQ(entry["maximum"].get<double>(), range->standin_high) << name;
        }
    }
}

TEST(Agree, the_solver_is_the_same_in_schema_templates_and_help) {
    expect_same_solver<elastoplastic::Params>("elastoplastic", elastoplastic_node());
    expect_same_solver<coupling::Params>("coupling", coupling_node());
    expect_same_solver<rheology::Params>("rheology", rheology_node());
    expect_same_solver<melt::Params>("melt", melt_node());
}

TEST(Agree, rules_name_existing_parameters) {
    for (const NodeInfo* node : all_nodes()) {
        std::map<std::string, Parameter> by_name;
        for (const Parameter& p : node->parameters) {
            EXPECT_TRUE(by_name.emplace(p.name, p).second) << p.name << " is declared twice";
        }
        for (const Parameter& p : node->parameters) {
            std::istringstream words(p.disable_when + " " + p.hide_when);
            std::string brace, name, is, value;
            while (words >> brace >> name >> is >> value >> brace) {
                ASSERT_TRUE(by_name.count(name)) << p.name << ": " << name;
                EXPECT_EQ(is, "==");
                const Parameter& other = by_name.at(name);
                const bool known = std::count(other.choices.begin(), other.choices.end(), value);
                EXPECT_TRUE(known || value == "0" || value == "1") << p.name << ": " << value;
            }
        }
    }
}

TEST(Agree, every_node_has_an_icon) {
    for (const NodeInfo* node : all_nodes())
        EXPECT_TRUE(fs::exists(test::source_dir() / "otls/config/Icons" / (node->icon + ".svg")));
}

} // namespace
