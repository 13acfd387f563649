// SPDX-License-Identifier: Apache-2.0
// nendo farm: runs many wedges of a scene as the tasks of a job, on the engine of a farm.
#include "farm/farm.h"
#include "command.h"
#include "run/console.h"
#include "run/failure.h"

#include "io/file.h"
#include "io/scene/scenes.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <iostream>
#include <memory>

namespace nendo::cli {

namespace fs = std::filesystem;

namespace {

using namespace farm;

struct SubmitOptions {
    std::string scene;
    std::string wedges;
    std::string out;
    std::string name;
    std::string engine = "local";
    std::string nendo;
    std::string frames;
    int chunk = 10;
    std::vector<std::string> set;
    bool no_surface = false;
    bool no_render = false;
    bool no_submit = false;
    bool dry_run = false;
    Job job; ///< Options that are copied unchanged
};

/// Absolute path with links resolved; parts of it need not exist.
std::string absolute(const fs::path& path) {
    return fs::weakly_canonical(fs::absolute(path)).string();
}

Job plan_job(const SubmitOptions& options) {
    Job job = options.job;
    job.folder = absolute(options.out);
    job.name = options.name.empty() ? job.folder.filename().string() : options.name;
    job.nendo = options.nendo.empty() ? fs::read_symlink("/proc/self/exe").string() : options.nendo;
    const auto engines = Job::engines();
    job.engine = static_cast<Engine>(std::find(engines.begin(), engines.end(), options.engine) -
                                     engines.begin());
    job.scene_file = absolute(options.scene);
    job.scene = load_scene_json(options.scene);
    for (const std::string& assignment : options.set)
        set_in_json(job.scene, assignment, options.scene);
    job.wedges = read_wedges(options.wedges);
    const std::string method = method_of(job.scene, options.scene);
    job.surface = !options.no_surface && method != rheology::SceneSpec::method; // it has a skin
    job.render = !options.no_render;
    std::string frames = options.frames;
    const Wedge& first = job.wedges.front();
    with_scene(scene_with(job, first), "wedge " + first.name, [&](const auto& spec) {
        if (frames.empty()) frames = fmt::format("0-{}", spec.common.frames);
    });
    job.chunks = split_frames(frames, options.chunk);
    return job;
}

/// Samples the bodies of the first wedge, as `nendo scene --check` does.
void try_first_wedge(const Job& job, Host& host) {
    const Wedge& first = job.wedges.front();
    with_scene(scene_with(job, first), "wedge " + first.name,
               [&](const auto& spec) { build_scene(spec, job.scene_file, host); });
}

void warn_without_camera(const Job& job, Host& host) {
    if (job.render && !scene_with(job, job.wedges.front()).contains("camera"))
        host.log(Severity::warning, "the scene has no camera: each wedge gets its own, so the "
                                    "pictures differ in scale");
}

void print_plan(const Job& job) {
    for (const Wedge& wedge : job.wedges)
        std::cout << fmt::format("wedge {}: {}\n", wedge.name, fmt::join(wedge.set, " "));
    for (const Task& task : list_tasks(job))
        std::cout << fmt::format("task {}: {} farm task {} {}\n", task_name(job, task), job.nendo,
                                 job.folder.string(), task_arguments(task));
}

void check_folder(const Job& job) {
    if (fs::exists(job.folder / "job.json"))
        throw Error("already holds a job", job.folder.string(),
                    "continue it with bash submit/submit.sh there, or choose another --out");
    make_folder(job.folder);
    if (access(job.folder.c_str(), W_OK) != 0)
        throw Error("is not writable", job.folder.string(), "choose another --out");
}

int run_submit(const SubmitOptions& options) {
    Console console(ConsoleMode::text);
    const Job job = plan_job(options);
    check_job(job, !options.no_submit && !options.dry_run);
    try_first_wedge(job, console);
    if (options.dry_run) {
        print_plan(job);
        return exit_code::ok;
    }
    check_folder(job);
    warn_without_camera(job, console);
    as_failure([&] { write_job(job); });
    std::cout << fmt::format("farm: {} wedges, {} tasks for {} in {}", job.wedges.size(),
                             list_tasks(job).size(), options.engine, job.folder.string())
              << std::endl;
    if (options.no_submit) return exit_code::ok;
    const std::string command = "bash " + (job.folder / "submit" / "submit.sh").string();
    const int status = std::system(command.c_str());
    if (status == 0) return exit_code::ok;
    throw Error(fmt::format("ended with code {}", WIFEXITED(status) ? WEXITSTATUS(status) : 128),
                command, "fix what its messages above say, and run it again", Error::Kind::failure);
}

Task parse_task(const Job& job, const std::string& stage, const std::vector<std::size_t>& numbers) {
    Task task;
    task.kind = stage == "sim"      ? TaskKind::sim
                : stage == "frames" ? TaskKind::frames
                                    : TaskKind::report;
    const std::size_t wanted = task.kind == TaskKind::sim      ? 1
                               : task.kind == TaskKind::frames ? 2
                                                               : 0;
    if (numbers.size() == wanted) {
        if (wanted > 0) task.wedge = numbers[0];
        if (wanted > 1) task.chunk = numbers[1];
        if (task.wedge < job.wedges.size() && task.chunk < job.chunks.size()) return task;
    }
    throw Error(fmt::format("has no task {} {}", stage, fmt::join(numbers, " ")),
                job.folder.string(),
                fmt::format("give sim WEDGE, frames WEDGE CHUNK, or report; there are {} wedges "
                            "and {} chunks",
                            job.wedges.size(), job.chunks.size()));
}

void print_status(const Job& job, bool json) {
    const std::array<const char*, 4> states{"waiting", "started", "done", "failed"};
    const std::array<const char*, 3> stages{"sim", "frames", "report"};
    std::array<std::array<std::size_t, 4>, 3> counts{};
    Json failed = Json::array(), restarts = Json::array(), started = Json::array();
    for (const Task& task : list_tasks(job)) {
        const std::vector<Attempt> attempts = read_attempts(job, task);
        const TaskState state = state_of(attempts);
        ++counts[static_cast<std::size_t>(task.kind)][static_cast<std::size_t>(state)];
        if (state == TaskState::failed)
            failed.push_back(fmt::format("{} on {}: code {}", task_name(job, task),
                                         attempts.back().host, attempts.back().code));
        if (state == TaskState::started)
            started.push_back(fmt::format("{} on {} since {}", task_name(job, task),
                                          attempts.back().host, attempts.back().started));
    }
    for (const Restart& restart : list_restarts(job)) restarts.push_back(restart.text);
    Json summary{{"job", job.name},
                 {"engine", Job::engines()[static_cast<std::size_t>(job.engine)]}};
    for (std::size_t s = 0; s < stages.size(); ++s)
        for (std::size_t k = 0; k < states.size(); ++k)
            summary[stages[s]][states[k]] = counts[s][k];
    summary["started"] = started;
    summary["failed"] = failed;
    summary["restarts"] = restarts;
    if (json) {
        std::cout << summary.dump() << '\n';
        return;
    }
    std::cout << fmt::format("{} ({})\n{:8}", job.name, summary["engine"].get<std::string>(), "");
    for (const char* state : states) std::cout << fmt::format("{:>9}", state);
    std::cout << '\n';
    for (std::size_t s = 0; s < stages.size(); ++s) {
        std::cout << fmt::format("{:8}", stages[s]);
        for (const std::size_t count : counts[s]) std::cout << fmt::format("{:9}", count);
        std::cout << '\n';
    }
    for (const char* list : {"started", "failed", "restarts"})
        for (const Json& line : summary[list])
            std::cout << list << ": " << line.get<std::string>() << '\n';
}

void add_submit(CLI::App& farm, int& result) {
    auto options = std::make_shared<SubmitOptions>();
    CLI::App* command =
        farm.add_subcommand("submit", "Check a job, write its files, and submit it.");
    command->add_option("SCENE", options->scene, "Scene file.")->required();
    command
        ->add_option("--wedges", options->wedges,
                     "File with a grid, a list or a Latin hypercube of wedges.")
        ->required();
    command->add_option("--out", options->out, "Folder of the job, on a disk that all nodes share.")
        ->required();
    const auto engines = Job::engines();
    command->add_option("--engine", options->engine, "Engine that runs the job (default: local).")
        ->check(CLI::IsMember(std::vector<std::string>(engines.begin(), engines.end())));
    command->add_option("--name", options->name, "Name of the job (default: name of its folder).");
    command->add_option("--nendo", options->nendo,
                        "The nendo command on the nodes (default: this program).");
    command->add_option("--frames", options->frames,
                        "Frames to surface and render, as A-B or A-B,C-D (default: all frames).");
    command->add_option("--chunk", options->chunk, "Frames per task (default: 10).")
        ->check(CLI::Range(1, 1000000));
    command
        ->add_option("--set", options->set,
                     "PATH=VALUE: replace a value of the scene in all wedges. May be repeated.")
        ->allow_extra_args(false);
    command
        ->add_option("--threads", options->job.threads,
                     "Threads per simulation (default: all cores).")
        ->check(CLI::Range(1, 1024));
    command
        ->add_option("--retries", options->job.retries,
                     "How often a node restarts a task that a signal killed (default: 2).")
        ->check(CLI::Range(0, 100));
    command->add_option("--mesh", options->job.mesh, "Also write meshes in this format.")
        ->check(CLI::IsMember({"obj", "ply"}));
    command->add_option("--size", options->job.size,
                        "Size of the pictures in pixels, as WIDTHxHEIGHT (default: 960x540).");
    command->add_flag("--no-surface", options->no_surface, "Make no level sets and meshes.");
    command->add_flag("--no-render", options->no_render, "Make no pictures.");
    command->add_flag("--no-submit", options->no_submit,
                      "Write the files of the job, but do not submit it.");
    command->add_flag("--dry-run", options->dry_run,
                      "Only list the wedges and tasks; write nothing.");
    command->callback([options, &result] { result = run_submit(*options); });
}

struct JobOptions {
    std::string folder;
    std::string stage;
    std::vector<std::size_t> numbers;
    bool json = false;
};

void add_task(CLI::App& farm, int& result) {
    auto options = std::make_shared<JobOptions>();
    CLI::App* command = farm.add_subcommand("task", "Run one task of a job. Engines call this.");
    command->add_option("DIR", options->folder, "Folder of a job.")->required();
    command->add_option("STAGE", options->stage, "sim WEDGE, frames WEDGE CHUNK, or report.")
        ->required()
        ->check(CLI::IsMember({"sim", "frames", "report"}));
    command->add_option("NUMBER", options->numbers, "Wedge and chunk, counted from 0.");
    command->callback([options, &result] {
        const Job job = read_job(options->folder);
        const Task task = parse_task(job, options->stage, options->numbers);
        result = as_failure([&] { return run_task(job, task); });
    });
}

void add_status(CLI::App& farm) {
    auto options = std::make_shared<JobOptions>();
    CLI::App* command =
        farm.add_subcommand("status", "Show the progress and the failures of a job.");
    command->add_option("DIR", options->folder, "Folder of a job.")->required();
    command->add_flag("--json", options->json, "Print one JSON object.");
    command->callback([options] { print_status(read_job(options->folder), options->json); });
}

void add_report(CLI::App& farm) {
    auto options = std::make_shared<JobOptions>();
    CLI::App* command =
        farm.add_subcommand("report", "Compare the wedges, finished or not, in DIR/report.");
    command->add_option("DIR", options->folder, "Folder of a job.")->required();
    command->callback([options] {
        const Job job = read_job(options->folder);
        as_failure([&] { write_report(job); });
        std::cout << (job.folder / "report" / "index.html").string() << std::endl;
    });
}

} // namespace

void add_farm(CLI::App& app, int& result) {
    CLI::App* farm = app.add_subcommand("farm", "Run many wedges of a scene as a job on a farm.");
    farm->require_subcommand(1);
    add_submit(*farm, result);
    add_task(*farm, result);
    add_status(*farm);
    add_report(*farm);
}

} // namespace nendo::cli
