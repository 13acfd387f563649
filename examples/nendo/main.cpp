// SPDX-License-Identifier: Apache-2.0
// nendo: scenes in, caches, surfaces and pictures out.
#include "command.h"

#include "core/error.h"
#include "math/lanes.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <new>

namespace {

/// Tells an error in one line, whatever is in its text.
int fail(std::string text, int code) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    std::cout.flush();
    std::cerr << "nendo: error: " << text << std::endl;
    return code;
}

} // namespace

int main(int argc, char** argv) {
    using namespace nendo;
    // A limit of file sizes is an error like a full disk.
    std::signal(SIGXFSZ, SIG_IGN);
    Session session;
    CLI::App app("Simulates soft, plastic and melting matter.", "nendo");
    app.set_version_flag("--version",
                         std::string(NENDO_VERSION) + ", solvers: " + instruction_set());
    app.require_subcommand(1);
    app.footer("Exit codes: 0 done, 1 bad input, 2 bad usage, 3 failure while running (disk,\n"
               "memory, solver), 130 interrupted (the last finished frame is in the checkpoint).");
    add_sim(app, session);
    add_surface(app, session);
    add_render(app, session);
    add_vdb(app, session);
    add_usd(app, session);
    add_info(app, session);
    add_scene(app, session);
    add_farm(app, session);
    try {
        app.parse(argc, argv);
        return session.result;
    } catch (const CLI::ParseError& problem) {
        return app.exit(problem) == 0 ? exit_code::ok : exit_code::usage;
    } catch (const Interrupted&) {
        return exit_code::interrupted;
    } catch (const Error& problem) {
        return fail(problem.what(), session.error_code);
    } catch (const std::bad_alloc&) {
        return fail("out of memory; raise the spacing, or use precision float", exit_code::failure);
    } catch (const std::exception& problem) {
        return fail(problem.what(), exit_code::failure);
    }
}
