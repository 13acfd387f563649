// SPDX-License-Identifier: Apache-2.0
// The commands of `nendo`: each adds itself to the parser, and runs when the user names it. Also
// the parts that commands share: exit codes and common options.
#pragma once

#include "run/console.h"

#include <filesystem>
#include <string>

namespace CLI {
class App;
}

namespace nendo::cli {

/// Exit codes of the process; `nendo --help` lists them.
namespace exit_code {
inline constexpr int ok = 0;
inline constexpr int bad_input = 1;
inline constexpr int usage = 2;
inline constexpr int failure = 3;
inline constexpr int interrupted = 130;
} // namespace exit_code

/// Options of every command that works through frames.
struct CommonOptions {
    std::string out;
    std::string frames;
    bool json = false;
    bool quiet = false;

    ConsoleMode console_mode() const {
        return json ? ConsoleMode::json : quiet ? ConsoleMode::quiet : ConsoleMode::text;
    }
};

/// Options of commands that read a run's folder.
struct FolderOptions : CommonOptions {
    std::string folder;

    std::filesystem::path out_folder() const { return out.empty() ? folder : out; }
};

/// Adds --out, --frames, --json and --quiet.
void add_common_options(CLI::App& command, CommonOptions& options);
/// Adds DIR and the common options.
void add_folder_options(CLI::App& command, FolderOptions& options);

/// Each adds one command. The commands store their exit code in `result`.
void add_sim(CLI::App& app, int& result);
void add_surface(CLI::App& app, int& result);
void add_render(CLI::App& app, int& result);
void add_vdb(CLI::App& app, int& result);
void add_usd(CLI::App& app, int& result);
void add_info(CLI::App& app);
void add_scene(CLI::App& app);
void add_farm(CLI::App& app, int& result);

} // namespace nendo::cli
