// SPDX-License-Identifier: Apache-2.0
// nendo: reads scenes; writes caches, surfaces and pictures.
#include "command.h"

#include "core/error.h"
#include "core/version.h"
#include "math/lanes.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <new>

namespace {

/// Prints an error on one line, even if its text has line breaks.
int fail(std::string text, int code) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    std::cout.flush();
    std::cerr << "nendo: error: " << text << std::endl;
    return code;
}

} // namespace

int main(int argc, char** argv) {
    using namespace nendo;
    using namespace nendo::cli;
    // Treat the limit of file sizes as an error like a full disk, not as a signal.
    std::signal(SIGXFSZ, SIG_IGN);
    int result = exit_code::ok;
    CLI::App app("Simulates soft, plastic and melting materials.", "nendo");
    app.set_version_flag("--version", std::string(version()) + ", solvers: " + instruction_set());
    app.require_subcommand(1);
    app.footer("Exit codes: 0 done, 1 bad input, 2 bad usage, 3 failure while running (disk,\n"
               "memory, solver), 130 interrupted (the checkpoint holds the last finished frame).");
    add_sim(app, result);
    add_surface(app, result);
    add_render(app, result);
    add_vdb(app, result);
    add_usd(app, result);
    add_info(app);
    add_scene(app);
    add_farm(app, result);
    try {
        app.parse(argc, argv);
        return result;
    } catch (const CLI::ParseError& problem) {
        return app.exit(problem) == 0 ? exit_code::ok : exit_code::usage;
    } catch (const Interrupted&) {
        return exit_code::interrupted;
    } catch (const Error& problem) {
        return fail(problem.what(), problem.kind() == Error::Kind::input ? exit_code::bad_input
                                                                         : exit_code::failure);
    } catch (const std::bad_alloc&) {
        return fail("out of memory; raise the spacing, or use precision float", exit_code::failure);
    } catch (const std::exception& problem) {
        return fail(problem.what(), exit_code::failure);
    }
}
