// SPDX-License-Identifier: Apache-2.0
// Jobs for a farm: one scene, many wedges of it, and the tasks that make them. A job is a folder:
//   job.json         what was asked for, all of it checked
//   submit/          what the farm's engine is given; submit.sh hands it over, as often as one likes
//   scenes/, wedges/ the scene of each wedge, and its run
//   log/             a file for each task: every start and every end
//   report/          the page, the table and the contact sheet that compare the wedges
#pragma once

#include "run/frames.h"

#include "io/json_fields.h"

#include <filesystem>
#include <string>
#include <vector>

namespace nendo {

/// Any value, as it stands in the file.
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
        visit(self.name, field("name").label("Name").help("Of its folder; not given: w0, w1..."));
        visit(self.set, field("set").label("Set").help("What differs, as path=value."));
    }
};

/// The wedges of a file: a grid, a list or a Latin hypercube. Throws when it is none of these, when
/// names collide or when a name is not one for a folder.
std::vector<Wedge> read_wedges(const std::filesystem::path& file);

/// Throws unless it can name a folder, a job and a task on any engine.
void check_name(const std::string& name, const std::string& where);

/// "bodies.0.material.young" and "1e5" of an assignment.
std::string path_of(const std::string& assignment);
std::string value_of(const std::string& assignment);

// ---- jobs --------------------------------------------------------------------------------------

enum class Engine { local, slurm, openjd, opencue, hqueue, deadline, tractor };

struct Job {
    std::string name;
    Engine engine = Engine::local;
    std::string nendo;      ///< The command, as the nodes find it
    std::string scene_file; ///< Paths in the scene start at its folder
    Json scene;             ///< As it was when the job was made
    std::vector<Wedge> wedges;
    std::vector<std::string> chunks; ///< Ranges of frames
    bool surface = true;
    bool render = true;
    std::string mesh;
    std::string size;
    int threads = 0; ///< 0: all
    int retries = 2;

    std::filesystem::path folder; ///< Where job.json is; not in it

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

    /// All frames that the chunks hold.
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

/// "0-9,20-29" in chunks of at most `size` frames. Throws when ranges overlap.
std::vector<std::string> split_frames(const std::string& ranges, int size);

/// Throws unless every wedge is a scene that `nendo sim` takes, as long as the frames, and of its
/// own; and unless the engine's command is there, if `submits`, and names can be handed to it.
void check_job(const Job& job, bool submits);

/// Makes the job's folder and all files in it. Throws when there is a job in it already.
void write_job(const Job& job);
Job read_job(const std::filesystem::path& folder);

/// The scene of a wedge, with paths from the scene file's folder.
Json scene_with(const Job& job, const Wedge& wedge);

// ---- tasks -------------------------------------------------------------------------------------

enum class TaskKind { sim, frames, report };

/// What one node does at a time.
struct Task {
    TaskKind kind = TaskKind::sim;
    std::size_t wedge = 0;
    std::size_t chunk = 0;
};

/// All tasks, in an order in which they can be done.
std::vector<Task> list_tasks(const Job& job);
/// As people and log files call it: "sim.w3", "frames.w3.10-19", "report".
std::string task_name(const Job& job, const Task& task);
/// As the command line calls it: "frames 3 1".
std::string task_arguments(const Task& task);

/// One start of a task, and how it ended.
struct Attempt {
    std::string host;
    std::string started; ///< UTC
    int from = 0;        ///< The frame of the checkpoint that a simulation went on from
    bool ended = false;
    int code = 0; ///< What it ended with; 128 + N when signal N killed it
    double seconds = 0;

    /// By a signal, or together with its node: when a later one has started, or `last` is false.
    bool killed(bool last) const { return ended ? code > 128 && code != 130 : !last; }
    bool done() const { return ended && code == 0; }
};

void log_start(const Job& job, const Task& task, const Attempt& attempt);
void log_end(const Job& job, const Task& task, int code, double seconds);
/// All starts, the first first.
std::vector<Attempt> read_attempts(const Job& job, const Task& task);

/// Runs a task to its end and logs it; one that is done already ends at once. Gives the exit code.
int run_task(const Job& job, const Task& task);

enum class TaskState { waiting, started, done, failed };

/// Where a task stands by its log; one that was lost with its node counts as started.
TaskState state_of(const std::vector<Attempt>& attempts);

/// A task that was started again: which, and in one sentence why, and what became of it.
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

/// The files of submit/; submit.sh is among them.
std::vector<SubmitFile> submit_files(const Job& job);
/// The command that submit.sh needs.
std::string submit_command(Engine engine);
/// How the engine wants to be told how far a task is.
std::string progress_line(Engine engine, double percent);

// ---- the report --------------------------------------------------------------------------------

/// Writes report/: index.html, table.csv and, when there are pictures, sheet.png.
void write_report(const Job& job);

} // namespace nendo::cli::farm
