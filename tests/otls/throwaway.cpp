// SPDX-License-Identifier: Apache-2.0
// The products of the fields of a solver to which a test has added one. The headers that declare the
// fields are copies with two more lines (tests/otls/CMakeLists.txt). Writes to a folder: the files of
// nendo_help, the parameters given to Houdini, and the schema of the solver's scene files.
#include "otls/help_page.h"
#include "otls/nodes_json.h"

#include "dop/nodes.h"
#include "io/scene/melt.h"

#include <PRM/PRM_Default.h>
#include <PRM/PRM_Name.h>
#include <PRM/PRM_Range.h>
#include <PRM/PRM_Template.h>

#include <filesystem>
#include <fstream>
#include <iostream>

namespace {

using namespace nendo;

/// The parameters of a node as given to Houdini.
Json describe_templates(const houdini::NodeInfo& node) {
    const houdini::ParameterTemplates made(node.parameters);
    Json list = Json::object();
    for (const PRM_Template* t = made.templates();
         t->standin_type.standin_kind != standin_ParmKind::list_end; ++t) {
        if (t->standin_range == nullptr) continue;
        const PRM_Range& range = *t->standin_range;
        list[t->standin_name->standin_token()] = {
            {"label", t->standin_name->standin_label()},
            {"help", t->standin_help},
            {"default", t->standin_defaults->standin_number},
            {"range", {range.standin_low, range.standin_high}},
            {"hard",
             {range.standin_low_flag == PRM_RANGE_RESTRICTED,
              range.standin_high_flag == PRM_RANGE_RESTRICTED}}};
    }
    return list;
}

} // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        std::cerr << "usage: nendo_throwaway FOLDER\n";
        return 2;
    }
    const std::filesystem::path folder = arguments[1];
    std::ofstream(folder / "nodes.json") << houdini::nodes_json();
    std::ofstream(folder / "help.txt") << houdini::help_page(houdini::melt_node());
    std::ofstream(folder / "templates.json") << describe_templates(houdini::melt_node()).dump(1);
    Json defs = Json::object();
    std::ofstream(folder / "schema.json") << describe_object(melt::SceneSpec{}, defs).dump(1);
    return 0;
}
