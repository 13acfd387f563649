// SPDX-License-Identifier: Apache-2.0
// nendo sim: reads a scene file; writes frames, statistics and a checkpoint.
#include "command.h"
#include "run/console.h"
#include "run/failure.h"
#include "run/frames.h"
#include "run/methods.h"
#include "run/processes.h"
#include "run/run_note.h"

#include "core/hash.h"
#include "core/version.h"
#include "elastoplastic/distributed.h"
#include "io/checkpoint.h"
#include "io/file.h"
#include "io/geo/geo.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <chrono>
#include <memory>
#include <optional>
#include <sstream>

namespace nendo::cli {

namespace fs = std::filesystem;

namespace {

struct SimOptions : CommonOptions {
    std::string scene;
    int threads = 0;
    bool resume = false;
    bool overwrite = false;
    bool mpi = false;
    std::vector<std::string> set;
};

// ---- the folder --------------------------------------------------------------------------------

/// The folder that a run writes to.
class RunFolder {
public:
    explicit RunFolder(const SimOptions& options)
        : m_path(options.out), m_resume(options.resume), m_overwrite(options.overwrite) {}

    const fs::path& path() const { return m_path; }
    fs::path checkpoint() const { return m_path / "checkpoint.nendo"; }
    fs::path stats() const { return m_path / "stats.jsonl"; }
    bool resumes() const { return m_resume && fs::exists(checkpoint()); }

    /// Throws if this run may not write here: files of two runs are never mixed. Locks the folder
    /// if it exists, so that the result of the check stays true.
    void check_and_lock(Host& host) {
        if (m_lock) return;
        check();
        if (!fs::is_directory(m_path)) return;
        as_failure([&] { m_lock.emplace(m_path.string()); });
        if (m_lock->state() == FolderLock::State::unknown)
            host.log(Severity::warning,
                     m_path.string() + ": this file system has no locks; make sure that no other "
                                       "nendo writes to this folder");
        check();
    }

private:
    void check() const {
        if (m_lock && m_lock->state() == FolderLock::State::busy)
            throw Error("another nendo is writing to this folder", m_path.string(),
                        "wait until it ends, or choose another folder with --out");
        const bool used = !list_run_files(m_path).empty();
        if (m_resume && used && !fs::exists(checkpoint()))
            throw Error("has frames but no checkpoint to resume from", m_path.string(),
                        "use --overwrite to start over");
        if (used && !m_resume && !m_overwrite)
            throw Error("holds the files of an earlier run", m_path.string(),
                        "use --resume to continue it, --overwrite to start over, or another --out");
        if (fs::exists(m_path) && !fs::is_directory(m_path))
            throw Error("is not a folder", m_path.string(), "choose another one with --out");
    }

    fs::path m_path;
    bool m_resume;
    bool m_overwrite;
    std::optional<FolderLock> m_lock; ///< Set once the folder exists
};

/// The request of a run, independent of its method.
struct Run {
    std::string scene_file;
    Json document; ///< The scene, with --set applied
    SceneCommon common;
    std::string scene_hash;
    FrameRange wanted;
    RunFolder folder;
};

/// Writes the simulated scene, with --set applied, beside its frames.
void write_scene_copy(const Run& run) {
    const Json copy = move_scene_json(run.document, run.scene_file, run.folder.path());
    write_file_atomically((run.folder.path() / "scene.json").string(), copy.dump(4) + "\n");
}

// ---- statistics --------------------------------------------------------------------------------

template <class Report>
Json stats_row(int frame, double time, std::uint64_t hash, const Report& report, double wall_ms) {
    Json row{{"frame", frame}, {"time", time}, {"hash", hex(hash)}, {"wall_ms", wall_ms}};
    row.update(write_object(report));
    Json stages = Json::object();
    for (const auto& stage : report.stages) stages[std::string(stage.name)] = stage.seconds * 1e3;
    row["stages_ms"] = stages;
    return row;
}

/// Drops the rows after `frame`, and a last row that was cut off.
void cut_stats(const fs::path& file, int frame) {
    if (!fs::exists(file)) return;
    std::istringstream lines(read_file(file.string()));
    std::string kept, line;
    while (std::getline(lines, line)) {
        const Json row = Json::parse(line, nullptr, false);
        if (!row.is_object() || !row.contains("frame") || row["frame"] > frame) break;
        kept += line + "\n";
    }
    write_file_atomically(file.string(), kept);
}

void append_stats(const fs::path& file, const Json& row) {
    append_to_file(file.string(), row.dump() + "\n");
}

// ---- the loop ----------------------------------------------------------------------------------

template <class Spec, class Real, class Solver> class Simulation {
public:
    using Method = MethodOf<Spec>;
    using Report = typename Method::Report;
    using State = typename Method::template State<Real>;

    Simulation(Run& run, const typename Method::Built& built, Console& console, Solver& solver)
        : m_run(run), m_built(built), m_console(console), m_solver(solver) {}

    /// Simulates up to the last frame wanted, and returns the exit code.
    int run() {
        begin();
        return as_failure([&] { return advance_frames(); });
    }

private:
    /// Reads the checkpoint, or places the bodies that exist from the start. A run that ended
    /// before frame 1 starts over, because the files of frame 0 may be missing.
    void begin() {
        if (m_run.folder.resumes()) {
            const std::string path = m_run.folder.checkpoint().string();
            State saved;
            const RunNote note = read_note(read_checkpoint(path, saved, Spec::method), path);
            if (note.scene != m_run.scene_hash)
                throw Error("belongs to another scene", path,
                            "use the scene and --set of the first run, or --overwrite");
            if (note.frame > 0) {
                m_state = std::move(saved);
                m_done = note.frame;
                m_resumed = m_saved = true;
                return;
            }
        }
        m_start = advance(0);
    }

    int advance_frames() {
        prepare_folder();
        m_console.begin_frames(m_done + 1, m_run.wanted.last);
        for (int frame = m_done + 1; frame <= m_run.wanted.last; ++frame) {
            try {
                if (m_console.interrupted()) throw Interrupted();
                advance_frame(frame);
            } catch (const Interrupted&) {
                save_checkpoint();
                m_console.log(
                    Severity::warning,
                    fmt::format("interrupted; frame {} is saved, continue with --resume", m_done));
                return exit_code::interrupted;
            }
        }
        save_checkpoint();
        const std::string hash = hex(hash_state(m_state));
        m_console.finish(fmt::format("done: frames {}-{} in {}, state {}", m_run.wanted.first,
                                     std::max(m_done, m_run.wanted.last),
                                     m_run.folder.path().string(), hash),
                         {{"frame", m_done}, {"hash", hash}});
        return exit_code::ok;
    }

    void prepare_folder() {
        const fs::path& folder = m_run.folder.path();
        make_folder(folder);
        m_run.folder.check_and_lock(m_console);
        for (const fs::path& file : list_leftovers(folder)) fs::remove(file);
        if (m_resumed) {
            cut_stats(m_run.folder.stats(), m_done);
            return;
        }
        // The checkpoint comes first: wherever the process is killed, a resumed run knows that the
        // other files are not its own.
        save_checkpoint();
        for (const fs::path& file : list_run_files(folder))
            if (file != m_run.folder.checkpoint()) fs::remove(file);
        write_scene_copy(m_run);
        write_frame(0);
        append_stats(m_run.folder.stats(), stats_row(0, 0, hash_state(m_state), m_start, 0));
    }

    Report advance(double duration) {
        return m_solver.advance(m_state, m_built.scene, m_built.bodies, m_built.params, duration,
                                m_console);
    }

    /// Like advance(), but saves the state of the last frame if it fails.
    Report advance_or_save(double duration) {
        try {
            return advance(duration);
        } catch (...) {
            save_checkpoint();
            throw;
        }
    }

    void advance_frame(int frame) {
        using Clock = std::chrono::steady_clock;
        const auto start = Clock::now();
        const Report report = advance_or_save(frame / m_run.common.fps - m_state.details.time);
        // If a write fails, no checkpoint may claim that this frame is done.
        write_frame(frame);
        const double wall = std::chrono::duration<double>(Clock::now() - start).count();
        const Json row =
            stats_row(frame, m_state.details.time, hash_state(m_state), report, wall * 1e3);
        append_stats(m_run.folder.stats(), row);
        m_done = frame;
        m_saved = false;
        if (frame % m_run.common.output.checkpoint_every == 0) save_checkpoint();
        m_console.end_frame(frame, fmt::format("{}, {:.2f} s", Method::summary(report), wall), row);
    }

    void write_frame(int frame) const {
        if (!m_run.wanted.holds(frame)) return;
        const OutputSpec& output = m_run.common.output;
        const std::string suffix = "." + write_object(output)["format"].get<std::string>();
        const auto path = [&](std::string_view stem) {
            return (m_run.folder.path() / frame_name(std::string(stem), frame, suffix)).string();
        };
        const FrameGeometry geometry = Method::frame(m_state, output.internals);
        write_geometry(path(Method::stems.shown), geometry.shown);
        if (output.internals && !Method::stems.internals.empty())
            write_geometry(path(Method::stems.internals), geometry.internals);
        if constexpr (has_skin<Method, typename Method::Built, State>)
            write_geometry(path(skin_stem), Method::skin(m_built, m_state));
    }

    void save_checkpoint() {
        if (m_saved) return;
        write_checkpoint(m_run.folder.checkpoint().string(), m_state, Spec::method,
                         write_note({m_run.scene_hash, m_done, version()}));
        m_saved = true;
    }

    Run& m_run;
    const typename Method::Built& m_built;
    Console& m_console;
    Solver& m_solver;
    State m_state;
    Report m_start; ///< Report of frame 0
    int m_done = 0; ///< Frame of the state
    bool m_resumed = false;
    bool m_saved = false; ///< Whether the checkpoint holds that frame
};

/// Simulates with the solver of one process, or with one that shares the work between processes.
/// The first of several processes writes the results; the others serve it.
template <class Spec, class Real>
int simulate_with_precision(Run& run, const typename MethodOf<Spec>::Built& built, Console& console,
                            Exchange* processes) {
    if constexpr (std::is_same_v<Spec, elastoplastic::SceneSpec>) {
        if (processes != nullptr) {
            elastoplastic::check_shareable(built.bodies, built.params);
            elastoplastic::DistributedSolver<Real> solver(*processes, run.scene_hash);
            if (processes->rank() == 0)
                return Simulation<Spec, Real, decltype(solver)>(run, built, console, solver).run();
            solver.serve(built.scene, built.bodies, built.params);
            return exit_code::ok;
        }
    }
    typename MethodOf<Spec>::template Solver<Real> solver;
    return Simulation<Spec, Real, decltype(solver)>(run, built, console, solver).run();
}

template <class Spec>
int simulate_scene(Run& run, const Spec& spec, Console& console, Exchange* processes) {
    if (processes != nullptr && spec.method != elastoplastic::SceneSpec::method)
        throw Error("only elastoplastic scenes can be shared by processes", "--mpi",
                    "run this scene without it");
    const auto built = build_scene(spec, run.scene_file, console);
    run.scene_hash = hex(scene_hash(spec, run.scene_file));
    return spec.common.precision == Precision::double_
               ? simulate_with_precision<Spec, double>(run, built, console, processes)
               : simulate_with_precision<Spec, float>(run, built, console, processes);
}

/// Runs `action` on this many threads; 0: all of the machine's.
template <class Action> int on_threads(int count, const Action& action) {
    const int threads = count > 0 ? count : tbb::info::default_concurrency();
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(threads));
    tbb::task_arena arena(threads);
    return arena.execute(action);
}

/// One run from its options to its end. `processes` is null unless several share it.
int run_process(const SimOptions& options, Console& console, Exchange* processes) {
    Run run{options.scene, load_scene_json(options.scene), {}, {}, {}, RunFolder(options)};
    for (const std::string& assignment : options.set)
        set_in_json(run.document, assignment, options.scene);
    int result = exit_code::ok;
    with_scene(run.document, options.scene, [&](const auto& spec) {
        run.common = spec.common;
        if (processes == nullptr || processes->rank() == 0) {
            run.wanted = options.frames.empty() ? FrameRange{0, spec.common.frames}
                                                : parse_frames(options.frames);
            run.folder.check_and_lock(console);
        }
        result = on_threads(options.threads,
                            [&] { return simulate_scene(run, spec, console, processes); });
    });
    return result;
}

/// One process of a run that several share. The first one writes all files and messages.
int run_shared(const SimOptions& options, Console& console) {
    const std::unique_ptr<Exchange> processes = join_processes(console);
    if (processes->rank() > 0) {
        try {
            Console silent(ConsoleMode::silent);
            return run_process(options, silent, processes.get());
        } catch (const LostProcess&) {
            if (console.interrupted()) return exit_code::interrupted;
            throw;
        } catch (const std::exception& problem) {
            elastoplastic::refuse(*processes,
                                  fmt::format("process {}: {}", processes->rank(), problem.what()));
            return exit_code::ok;
        }
    }
    struct Dismissal {
        Exchange& processes;
        ~Dismissal() { elastoplastic::dismiss(processes); }
    } const at_the_end{*processes};
    return run_process(options, console, processes.get());
}

int run_sim(const SimOptions& options) {
    Console console(options.console_mode());
    return options.mpi ? run_shared(options, console) : run_process(options, console, nullptr);
}

} // namespace

void add_sim(CLI::App& app, int& result) {
    auto options = std::make_shared<SimOptions>();
    CLI::App* command = app.add_subcommand("sim", "Simulate a scene file.");
    command->add_option("SCENE", options->scene, "Scene file (see: nendo scene --schema).")
        ->required();
    add_common_options(*command, *options);
    command->get_option("--out")
        ->description("Folder for frames, statistics and the checkpoint.")
        ->required();
    command->get_option("--frames")
        ->description("A-B: simulate up to frame B and write frames A to B (default: all frames of "
                      "the scene).");
    command
        ->add_option("--threads", options->threads,
                     "Number of threads (default: all cores). Results do not depend on it.")
        ->check(CLI::Range(1, 1024));
    auto* resume = command->add_flag(
        "--resume", options->resume,
        "Continue from the folder's checkpoint. The result is the same, bit for bit.");
    command->add_flag("--mpi", options->mpi,
                      "Share the run with the other processes of mpirun, with the same result bit "
                      "for bit (elastoplastic with implicitness 0 only).");
    command
        ->add_flag("--overwrite", options->overwrite, "Delete the files of an earlier run first.")
        ->excludes(resume);
    command
        ->add_option("--set", options->set,
                     "PATH=VALUE: replace a value of the scene, for example "
                     "bodies.0.material.young=1e5. May be repeated.")
        ->allow_extra_args(false);
    command->callback([options, &result] { result = run_sim(*options); });
}

} // namespace nendo::cli
