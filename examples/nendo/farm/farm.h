// SPDX-License-Identifier: Apache-2.0
// Render farm jobs: one scene, many wedges (variations) of it, and their tasks. A job is a folder:
//   job.json         the request, checked
//   submit/          files for the farm's engine; submit.sh submits them and may be run again
//   scenes/, wedges/ the scene of each wedge, and its run
//   log/             one file per task, with every start and end
//   report/          page, table and contact sheet that compare the wedges
#pragma once

#include "run/frames.h"

#include "io/json_fields.h"

#include <filesystem>
#include <string>
#include <vector>

namespace nendo {

/// Reads and writes any JSON value unchanged.
template <> struct JsonForm<Json> {
    static void read(Json& value, const Json& json, const Field&, const JsonPlace&) {
        value = json;
    }
    static Json write(const Json& value, const Field&) { return value; }
};

} // namespace nendo

namespace nendo::cli::farm {

// ---- wedges ------------------------------------------------------------------------------------

/// One variation of the scene.
struct Wedge {
    std::string name;
    std::vector<std::string> set; ///< "path=value", as for nendo sim --set

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.name, field("name").label("Name").help(
                             "Name of the wedge and its folder. Default: w0, w1, ..."));
        visit(self.set,
              field("set").label("Set").help("Values that differ from the scene, as path=value."));
    }
};

/// Reads a file with a grid, a list or a Latin hypercube of wedges. Throws if it has none or
/// several of these, if names collide, or if a name cannot name a folder.
std::vector<Wedge> read_wedges(const std::filesystem::path& file);

/// Throws unless the text can name a folder, a job and a task on any engine.
void check_name(const std::string& name, const std::string& where);

/// The two sides of an assignment such as "bodies.0.material.young=1e5".
std::string path_of(const std::string& assignment);
std::string value_of(const std::string& assignment);

// ---- jobs --------------------------------------------------------------------------------------

enum class Engine { local, slurm, openjd, opencue, hqueue, deadline, tractor };

struct Job {
    std::string name;
    Engine engine = Engine::local;
    std::string nendo;      ///< The nendo command on the nodes
    std::string scene_file; ///< Paths in the scene are relative to its folder
    Json scene;             ///< The scene when the job was made
    std::vector<Wedge> wedges;
    std::vector<std::string> chunks; ///< Ranges of frames
    bool surface = true;
    bool render = true;
    std::string mesh;
    std::string size;
    int threads = 0; ///< Threads per simulation; 0: all
    int retries = 2;

    std::filesystem::path folder; ///< Folder of job.json; not stored in the file

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.name, field("name"));
        visit(self.engine, field("engine").choices(engines()));
        visit(self.nendo, field("nendo"));
        visit(self.scene_file, field("scene_file"));
        visit(self.scene, field("scene"));
        visit(self.wedges, field("wedges"));
        visit(self.chunks, field("chunks"));
        visit(self.surface, field("surface"));
        visit(self.render, field("render"));
        visit(self.mesh, field("mesh"));
        visit(self.size, field("size"));
        visit(self.threads, field("threads").range(0, 1024));
        visit(self.retries, field("retries").range(0, 100));
    }

    static std::vector<std::string_view> engines() {
        return {"local", "slurm", "openjd", "opencue", "hqueue", "deadline", "tractor"};
    }

    /// First and last frame of all chunks.
    FrameRange frames() const {
        return {parse_frames(chunks.front()).first, parse_frames(chunks.back()).last};
    }
    bool has_frame_tasks() const { return surface || render; }
    std::filesystem::path run_folder(const Wedge& wedge) const {
        return folder / "wedges" / wedge.name;
    }
    std::filesystem::path scene_of(const Wedge& wedge) const {
        return folder / "scenes" / (wedge.name + ".json");
    }
};

/// Splits ranges such as "0-9,20-29" into chunks of at most `size` frames. Throws if they overlap.
std::vector<std::string> split_frames(const std::string& ranges, int size);

/// Throws unless every wedge is a valid scene with enough frames and differs from the others, all
/// names and paths are safe for every engine and, if `submits`, the engine's command is installed.
void check_job(const Job& job, bool submits);

/// Creates the job's folder and all files in it.
void write_job(const Job& job);
Job read_job(const std::filesystem::path& folder);

/// The scene of a wedge, with paths relative to the scene file's folder.
Json scene_with(const Job& job, const Wedge& wedge);

// ---- tasks -------------------------------------------------------------------------------------

enum class TaskKind { sim, frames, report };

/// The unit of work of a node.
struct Task {
    TaskKind kind = TaskKind::sim;
    std::size_t wedge = 0;
    std::size_t chunk = 0;
};

/// All tasks, in an order that respects their dependencies.
std::vector<Task> list_tasks(const Job& job);
/// Name in messages and log files: "sim.w3", "frames.w3.10-19", "report".
std::string task_name(const Job& job, const Task& task);
/// Arguments of `nendo farm task`, such as "frames 3 1".
std::string task_arguments(const Task& task);

/// One start of a task, and how it ended.
struct Attempt {
    std::string host;
    std::string started; ///< UTC
    int from = 0;        ///< Frame of the checkpoint from which a simulation continued
    bool ended = false;
    int code = 0; ///< Exit code; 128 + N if signal N killed it
    double seconds = 0;

    /// Whether a signal killed it, or its node was lost: it has no end, and is not the last
    /// attempt.
    bool killed(bool last) const { return ended ? code > 128 && code != 130 : !last; }
    bool done() const { return ended && code == 0; }
};

void log_start(const Job& job, const Task& task, const Attempt& attempt);
void log_end(const Job& job, const Task& task, int code, double seconds);
/// All attempts, in order.
std::vector<Attempt> read_attempts(const Job& job, const Task& task);

/// Runs a task, logs it, and returns its exit code. Returns at once if the task is already done.
int run_task(const Job& job, const Task& task);

enum class TaskState { waiting, started, done, failed };

/// The state of a task by its log. A task that was lost with its node counts as started.
TaskState state_of(const std::vector<Attempt>& attempts);

/// A task that was restarted, and one sentence on the reason and the outcome.
struct Restart {
    Task task;
    std::string text;
};
std::vector<Restart> list_restarts(const Job& job);

// ---- engines -----------------------------------------------------------------------------------

struct SubmitFile {
    std::string name;
    std::string text;
};

/// The files of submit/, including submit.sh.
std::vector<SubmitFile> submit_files(const Job& job);
/// The command that submit.sh needs.
std::string submit_command(Engine engine);
/// A line of output that tells the engine the progress of a task.
std::string progress_line(Engine engine, double percent);

// ---- the report --------------------------------------------------------------------------------

/// Writes report/: index.html, table.csv and, if there are pictures, sheet.png.
void write_report(const Job& job);

} // namespace nendo::cli::farm
