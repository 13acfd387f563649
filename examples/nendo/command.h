// SPDX-License-Identifier: Apache-2.0
// The commands of `nendo`: each adds itself to the parser, and runs when it was asked for.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace nendo {

/// What the process ends with; `nendo --help` lists them.
namespace exit_code {
inline constexpr int ok = 0;
inline constexpr int bad_input = 1;
inline constexpr int usage = 2;
inline constexpr int failure = 3;
inline constexpr int interrupted = 130;
} // namespace exit_code

struct Session {
    int result = exit_code::ok;
    /// What an error means now: a command sets it to `failure` once its input is read and checked.
    int error_code = exit_code::bad_input;
};

void add_sim(CLI::App& app, Session& session);
void add_surface(CLI::App& app, Session& session);
void add_render(CLI::App& app, Session& session);
void add_vdb(CLI::App& app, Session& session);
void add_usd(CLI::App& app, Session& session);
void add_info(CLI::App& app, Session& session);
void add_scene(CLI::App& app, Session& session);
void add_farm(CLI::App& app, Session& session);

} // namespace nendo
