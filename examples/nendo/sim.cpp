// SPDX-License-Identifier: Apache-2.0
// nendo sim: a scene file in; frames, statistics and a checkpoint out.
#include "command.h"
#include "run/console.h"
#include "run/frames.h"
#include "run/methods.h"
#include "run/processes.h"
#include "run/run_note.h"

#include "core/hash.h"
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

namespace nendo {

namespace fs = std::filesystem;

namespace {

struct SimOptions {
    std::string scene;
    std::string out;
    std::string frames;
    int threads = 0;
    bool resume = false;
    bool overwrite = false;
    bool mpi = false;
    std::vector<std::string> set;
    bool json = false;
    bool quiet = false;
};

/// A run whose input has been read and checked, as far as it is the same for all methods.
struct Run {
    SimOptions options;
    fs::path folder;
    Json document; ///< The scene with --set in it
    SceneCommon common;
    std::string scene; ///< Hash of the scene
    FrameRange wanted;
    std::optional<FolderLock> lock; ///< Since the folder is there
    Exchange* others = nullptr;     ///< The processes that share the run, if any

    fs::path checkpoint() const { return folder / "checkpoint.nendo"; }
    fs::path stats() const { return folder / "stats.jsonl"; }
    double time(int frame) const { return frame / common.fps; }
};

/// An earlier run's files are never mixed with a new one's, nor those of two that run now.
void check_folder(const Run& run) {
    if (run.lock && run.lock->state() == FolderLock::State::busy)
        throw Error("another nendo writes into this folder", run.folder.string(),
                    "wait for its end, or give another one with --out");
    const bool used = !list_run_files(run.folder).empty();
    const bool can_resume = fs::exists(run.checkpoint());
    if (run.options.resume && used && !can_resume)
        throw Error("has frames but no checkpoint to resume from", run.folder.string(),
                    "use --overwrite to begin again");
    if (used && !run.options.resume && !run.options.overwrite)
        throw Error("holds the files of an earlier run", run.folder.string(),
                    "use --resume to go on, --overwrite to begin again, or another --out");
    if (fs::exists(run.folder) && !fs::is_directory(run.folder))
        throw Error("is not a folder", run.folder.string(), "give another one with --out");
}

/// Makes the folder ours, if nobody has it, so that what is checked then stays true.
void lock_folder(Run& run, Host& host) {
    run.lock.emplace(run.folder.string());
    if (run.lock->state() == FolderLock::State::unknown)
        host.log(Severity::warning, run.folder.string() +
                                        ": this file system has no locks; let no other nendo "
                                        "write into this folder");
}

/// The scene as it is simulated, beside its frames.
void write_scene_copy(const Run& run) {
    const Json copy = move_scene_json(run.document, run.options.scene, run.folder);
    write_file_atomically((run.folder / "scene.json").string(), copy.dump(4) + "\n");
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

/// Drops the rows after `frame`, and whatever an unclean end left behind.
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

    /// Reads the checkpoint, or places the bodies that are there from the start. A run that ended
    /// before frame 1 begins again: the files of frame 0 may not be there.
    void begin() {
        if (m_run.options.resume && fs::exists(m_run.checkpoint())) {
            const std::string path = m_run.checkpoint().string();
            State saved;
            const RunNote note = read_note(read_checkpoint(path, saved, Spec::method), path);
            if (note.scene != m_run.scene)
                throw Error("belongs to another scene", path,
                            "give the scene and --set of the first run, or use --overwrite");
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
                    fmt::format("interrupted; frame {} is saved, go on with --resume", m_done));
                return exit_code::interrupted;
            }
        }
        save_checkpoint();
        const std::string hash = hex(hash_state(m_state));
        m_console.finish(fmt::format("done: frames {}-{} in {}, state {}", m_run.wanted.first,
                                     std::max(m_done, m_run.wanted.last), m_run.folder.string(),
                                     hash),
                         {{"frame", m_done}, {"hash", hash}});
        return exit_code::ok;
    }

private:
    void prepare_folder() {
        make_folder(m_run.folder);
        if (!m_run.lock) {
            lock_folder(m_run, m_console);
            check_folder(m_run);
        }
        for (const fs::path& file : list_leftovers(m_run.folder)) fs::remove(file);
        if (m_resumed) {
            cut_stats(m_run.stats(), m_done);
            return;
        }
        // The checkpoint comes first: wherever the process is killed, a resumed run knows that
        // what else is there is not its own.
        save_checkpoint();
        for (const fs::path& file : list_run_files(m_run.folder))
            if (file != m_run.checkpoint()) fs::remove(file);
        write_scene_copy(m_run);
        write_frame(0);
        append_stats(m_run.stats(), stats_row(0, 0, hash_state(m_state), m_start, 0));
    }

    Report advance(double duration) {
        return m_solver.advance(m_state, m_built.scene, m_built.bodies, m_built.params, duration,
                                m_console);
    }

    /// As advance(); when it fails the state is that of the last frame, and is saved.
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
        const Report report = advance_or_save(m_run.time(frame) - m_state.details.time);
        // When a write fails no checkpoint may say that this frame is done.
        write_frame(frame);
        const double wall = std::chrono::duration<double>(Clock::now() - start).count();
        const Json row =
            stats_row(frame, m_state.details.time, hash_state(m_state), report, wall * 1e3);
        append_stats(m_run.stats(), row);
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
            return (m_run.folder / frame_name(std::string(stem), frame, suffix)).string();
        };
        const FrameGeometry geometry = Method::frame(m_state, output.internals);
        write_geometry(path(Method::stems.shown), geometry.shown);
        if (output.internals) write_geometry(path(Method::stems.internals), geometry.internals);
        if constexpr (has_skin<Method, typename Method::Built, State>)
            write_geometry(path(skin_stem), Method::skin(m_built, m_state));
    }

    void save_checkpoint() {
        if (m_saved) return;
        write_checkpoint(m_run.checkpoint().string(), m_state, Spec::method,
                         write_note({m_run.scene, m_done}));
        m_saved = true;
    }

    Run& m_run;
    const typename Method::Built& m_built;
    Console& m_console;
    Solver& m_solver;
    State m_state;
    Report m_start; ///< Of frame 0
    int m_done = 0; ///< The frame that the state is at
    bool m_resumed = false;
    bool m_saved = false; ///< Whether the checkpoint is of that frame
};

template <class Spec, class Real, class Solver>
int simulate(Run& run, const typename MethodOf<Spec>::Built& built, Console& console,
             Session& session, Solver& solver) {
    Simulation<Spec, Real, Solver> simulation(run, built, console, solver);
    simulation.begin();
    session.error_code = exit_code::failure;
    return simulation.advance_frames();
}

/// In one process, or in the first of several; the others help it.
template <class Spec, class Real>
int simulate(Run& run, const typename MethodOf<Spec>::Built& built, Console& console,
             Session& session) {
    if constexpr (std::is_same_v<Spec, elastoplastic::SceneSpec>) {
        if (run.others != nullptr) {
            elastoplastic::check_shareable(built.bodies, built.params);
            elastoplastic::DistributedSolver<Real> solver(*run.others, run.scene);
            if (run.others->rank() == 0)
                return simulate<Spec, Real>(run, built, console, session, solver);
            solver.serve(built.scene, built.bodies, built.params);
            return exit_code::ok;
        }
    }
    typename MethodOf<Spec>::template Solver<Real> solver;
    return simulate<Spec, Real>(run, built, console, session, solver);
}

template <class Spec> int simulate(Run& run, const Spec& spec, Console& console, Session& session) {
    if (run.others != nullptr && spec.method != elastoplastic::SceneSpec::method)
        throw Error("only elastoplastic matter can be shared by processes", "--mpi",
                    "run this scene without it");
    const auto built = build_scene(spec, run.options.scene, console);
    run.scene = hex(scene_hash(spec, run.options.scene));
    return spec.common.precision == Precision::double_
               ? simulate<Spec, double>(run, built, console, session)
               : simulate<Spec, float>(run, built, console, session);
}

/// Runs the simulation on as many threads as were asked for.
template <class Action> int on_threads(int wanted, const Action& action) {
    const int threads = wanted > 0 ? wanted : tbb::info::default_concurrency();
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(threads));
    tbb::task_arena arena(threads);
    return arena.execute(action);
}

/// Finds out what is wanted and whether the folder is free for it.
void prepare(Run& run, const SceneCommon& common, Console& console, Session& session) {
    run.common = common;
    run.wanted = run.options.frames.empty() ? FrameRange{0, common.frames}
                                            : parse_frames(run.options.frames);
    check_folder(run);
    if (!fs::is_directory(run.folder)) return;
    session.error_code = exit_code::failure;
    lock_folder(run, console);
    session.error_code = exit_code::bad_input;
    check_folder(run);
}

/// A run from its options to its end.
int run_alone(const SimOptions& options, Console& console, Session& session, Exchange* others) {
    Run run;
    run.options = options;
    run.folder = options.out;
    run.others = others;
    run.document = load_scene_json(options.scene);
    for (const std::string& assignment : options.set)
        set_in_json(run.document, assignment, options.scene);
    int result = exit_code::ok;
    with_scene(run.document, options.scene, [&](const auto& spec) {
        if (others == nullptr || others->rank() == 0) prepare(run, spec.common, console, session);
        result = on_threads(options.threads, [&] { return simulate(run, spec, console, session); });
    });
    return result;
}

/// One of the processes of a run. The first writes all files and says all there is to say.
int run_together(const SimOptions& options, Console& console, Session& session) {
    const std::unique_ptr<Exchange> others = join_processes(console);
    if (others->rank() > 0) {
        try {
            Console silent(Talk::silent);
            return run_alone(options, silent, session, others.get());
        } catch (const LostProcess&) {
            if (console.interrupted()) return exit_code::interrupted;
            throw;
        } catch (const std::exception& problem) {
            elastoplastic::refuse(*others,
                                  fmt::format("process {}: {}", others->rank(), problem.what()));
            return exit_code::ok;
        }
    }
    struct Dismissal {
        Exchange& others;
        ~Dismissal() { elastoplastic::dismiss(others); }
    } const at_the_end{*others};
    return run_alone(options, console, session, others.get());
}

int run_sim(const SimOptions& options, Session& session) {
    Console console(options.json ? Talk::json : options.quiet ? Talk::quiet : Talk::normal);
    if (options.mpi) return run_together(options, console, session);
    return run_alone(options, console, session, nullptr);
}

} // namespace

void add_sim(CLI::App& app, Session& session) {
    auto options = std::make_shared<SimOptions>();
    CLI::App* command = app.add_subcommand("sim", "Simulate a scene file");
    command->add_option("SCENE", options->scene, "A scene file (see: nendo scene --schema)")
        ->required();
    command->add_option("--out", options->out, "Folder for frames, statistics and checkpoint")
        ->required();
    command->add_option("--frames", options->frames,
                        "A-B: simulate up to frame B, write A to B (default: all of the scene)");
    command->add_option("--threads", options->threads, "Threads (default: all); same bits for any")
        ->check(CLI::Range(1, 1024));
    auto* resume = command->add_flag("--resume", options->resume,
                                     "Go on from the folder's checkpoint, to the same bits");
    command->add_flag("--mpi", options->mpi,
                      "Share the run with the other processes of mpirun, to the same bits "
                      "(elastoplastic, implicitness 0)");
    command->add_flag("--overwrite", options->overwrite, "Delete an earlier run in the folder")
        ->excludes(resume);
    command
        ->add_option("--set", options->set,
                     "PATH=VALUE, as bodies.0.material.young=1e5; may be given many times")
        ->allow_extra_args(false);
    command->add_flag("--json", options->json, "Progress as one JSON object a line");
    command->add_flag("--quiet", options->quiet, "Warnings and errors only");
    command->callback([options, &session] { session.result = run_sim(*options, session); });
}

} // namespace nendo
