// Writes the nodes' help pages: nendo_help otls/help
#include "otls/help_page.h"

#include <filesystem>
#include <fstream>
#include <iostream>

int main(int count, char** arguments) {
    if (count != 2) {
        std::cerr << "usage: nendo_help FOLDER (otls/help)\n";
        return 2;
    }
    for (const nendo::houdini::NodeInfo* node : nendo::houdini::all_nodes()) {
        const auto path = std::filesystem::path(arguments[1]) / nendo::houdini::help_path(*node);
        std::filesystem::create_directories(path.parent_path());
        std::ofstream file(path, std::ios::binary);
        file << nendo::houdini::help_page(*node);
        if (!file.flush()) {
            std::cerr << path.string() << " can't be written; check space and permissions\n";
            return 1;
        }
        std::cout << path.string() << "\n";
    }
    return 0;
}
