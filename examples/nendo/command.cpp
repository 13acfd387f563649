// SPDX-License-Identifier: Apache-2.0
#include "command.h"

#include <CLI/CLI.hpp>

namespace nendo::cli {

void add_common_options(CLI::App& command, CommonOptions& options) {
    command.add_option("--out", options.out, "Folder for the results (default: DIR).");
    command.add_option("--frames", options.frames,
                       "Frames to work on, as A-B or A (default: all frames).");
    command.add_flag("--json", options.json, "Report progress as one JSON object per line.");
    command.add_flag("--quiet", options.quiet, "Print only warnings and errors.");
}

void add_folder_options(CLI::App& command, FolderOptions& options) {
    command.add_option("DIR", options.folder, "Folder of a run.")->required();
    add_common_options(command, options);
}

} // namespace nendo::cli
