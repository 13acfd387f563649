// SPDX-License-Identifier: Apache-2.0
// Writes the help pages and nodes.json from the declarations of the nodes: nendo_help otls
#include "otls/help_page.h"
#include "otls/nodes_json.h"

#include <filesystem>
#include <fstream>
#include <iostream>

namespace {

/// False if the file can't be written.
bool write_file(const std::filesystem::path& path, const std::string& text) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream file(path, std::ios::binary);
    file << text;
    if (!file.flush()) {
        std::cerr << path.string() << " can't be written; check space and permissions\n";
        return false;
    }
    std::cout << path.string() << "\n";
    return true;
}

} // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        std::cerr << "usage: nendo_help FOLDER (otls)\n";
        return 2;
    }
    const std::filesystem::path folder = arguments[1];
    bool written = write_file(folder / "nodes.json", nendo::houdini::nodes_json());
    for (const nendo::houdini::NodeInfo* node : nendo::houdini::all_nodes())
        written = write_file(folder / "help" / nendo::houdini::help_path(*node),
                             nendo::houdini::help_page(*node)) &&
                  written;
    return written ? 0 : 1;
}
