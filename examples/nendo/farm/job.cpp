// SPDX-License-Identifier: Apache-2.0
#include "farm/farm.h"

#include "io/file.h"
#include "io/scene/scenes.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cctype>
#include <cstdlib>
#include <map>
#include <sstream>

namespace nendo::cli::farm {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
    return parts;
}

bool on_path(const std::string& command) {
    const char* const path = std::getenv("PATH");
    for (const std::string& folder : split(path == nullptr ? "" : path, ':'))
        if (access((fs::path(folder) / command).c_str(), X_OK) == 0) return true;
    return false;
}

/// Engines pass commands to shells, Tcl and Python, where only these characters have no meaning.
void check_path(const std::string& path, const std::string& remedy) {
    for (const char c : path)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0 &&
            std::string_view("._/+,@=-").find(c) == std::string_view::npos)
            throw Error(fmt::format("contains '{}', which some engines cannot pass on", c), path,
                        remedy);
}

std::string place_of(const Job& job, const Wedge& wedge) {
    return fmt::format("wedge {} of {}", wedge.name, job.scene_file);
}

/// Returns the hash of the wedge. Throws unless it is a valid scene with enough frames.
std::uint64_t check_wedge(const Job& job, const Wedge& wedge) {
    const std::string where = place_of(job, wedge);
    std::uint64_t hash = 0;
    with_scene(scene_with(job, wedge), where, [&](const auto& spec) {
        hash = scene_hash(spec, job.scene_file);
        const int last = job.frames().last;
        if (spec.common.frames < last)
            throw Error(fmt::format("ends at frame {}, before frame {}", spec.common.frames, last),
                        where, "choose fewer with --frames, or raise `frames`");
    });
    return hash;
}

std::string log_file(const Job& job, const Task& task) {
    return (job.folder / "log" / (task_name(job, task) + ".jsonl")).string();
}

} // namespace

std::vector<std::string> split_frames(const std::string& ranges, int size) {
    std::vector<std::string> chunks;
    int next = 0;
    for (const std::string& text : split(ranges, ',')) {
        const FrameRange range = parse_frames(text);
        if (range.first < next)
            throw Error(fmt::format("{} overlaps an earlier range, or is out of order", text),
                        "--frames " + ranges, "give each frame once, in order");
        for (int first = range.first; first <= range.last; first += size)
            chunks.push_back(fmt::format("{}-{}", first, std::min(first + size - 1, range.last)));
        next = range.last + 1;
    }
    if (chunks.empty()) parse_frames(ranges);
    return chunks;
}

void check_job(const Job& job, bool submits) {
    check_name(job.name, "--name");
    check_path(job.folder.string(), "choose another --out");
    check_path(job.nendo, "choose another --nendo");
    std::map<std::uint64_t, std::string> known;
    for (const Wedge& wedge : job.wedges) {
        const auto [other, fresh] = known.emplace(check_wedge(job, wedge), wedge.name);
        if (!fresh)
            throw Error("is the same as wedge " + other->second, place_of(job, wedge),
                        "remove one of them");
    }
    const std::string command = submit_command(job.engine);
    if (submits && !on_path(command))
        throw Error("is not on the PATH", command,
                    "install the client of the engine, or only write the files with --no-submit");
}

Json scene_with(const Job& job, const Wedge& wedge) {
    Json document = job.scene;
    for (const std::string& assignment : wedge.set)
        set_in_json(document, assignment, "wedge " + wedge.name);
    return document;
}

void write_job(const Job& job) {
    for (const char* part : {"submit", "scenes", "wedges", "log", "report"})
        make_folder(job.folder / part);
    for (const SubmitFile& file : submit_files(job))
        write_file_atomically((job.folder / "submit" / file.name).string(), file.text);
    // Written last: if it exists, so do the others.
    write_file_atomically((job.folder / "job.json").string(), write_object(job).dump(1) + "\n");
}

Job read_job(const fs::path& folder) {
    const fs::path file = folder / "job.json";
    if (!fs::exists(file))
        throw Error("has no job.json", folder.string(), "create a job with nendo farm submit");
    Job job;
    read_object(job, parse_json(read_file(file.string()), file.string()), {file.string(), ""});
    job.folder = fs::absolute(folder).lexically_normal();
    if (job.wedges.empty() || job.chunks.empty())
        throw Error("has no wedges or no frames", file.string(), "create the job again");
    return job;
}

// ---- tasks -------------------------------------------------------------------------------------

std::vector<Task> list_tasks(const Job& job) {
    std::vector<Task> tasks;
    for (std::size_t w = 0; w < job.wedges.size(); ++w) tasks.push_back({TaskKind::sim, w, 0});
    if (job.has_frame_tasks())
        for (std::size_t c = 0; c < job.chunks.size(); ++c)
            for (std::size_t w = 0; w < job.wedges.size(); ++w)
                tasks.push_back({TaskKind::frames, w, c});
    tasks.push_back({TaskKind::report, 0, 0});
    return tasks;
}

std::string task_name(const Job& job, const Task& task) {
    if (task.kind == TaskKind::report) return "report";
    const std::string& wedge = job.wedges.at(task.wedge).name;
    if (task.kind == TaskKind::sim) return "sim." + wedge;
    return fmt::format("frames.{}.{}", wedge, job.chunks.at(task.chunk));
}

std::string task_arguments(const Task& task) {
    if (task.kind == TaskKind::report) return "report";
    if (task.kind == TaskKind::sim) return fmt::format("sim {}", task.wedge);
    return fmt::format("frames {} {}", task.wedge, task.chunk);
}

void log_start(const Job& job, const Task& task, const Attempt& attempt) {
    const Json row{{"event", "start"},
                   {"host", attempt.host},
                   {"time", attempt.started},
                   {"from", attempt.from}};
    append_to_file(log_file(job, task), row.dump() + "\n");
}

void log_end(const Job& job, const Task& task, int code, double seconds) {
    const Json row{{"event", "end"}, {"code", code}, {"seconds", seconds}};
    append_to_file(log_file(job, task), row.dump() + "\n");
}

std::vector<Attempt> read_attempts(const Job& job, const Task& task) {
    std::vector<Attempt> attempts;
    const std::string file = log_file(job, task);
    if (!fs::exists(file)) return attempts;
    for (const std::string& line : split(read_file(file), '\n')) {
        const Json row = Json::parse(line, nullptr, false);
        if (!row.is_object()) continue; // a line cut off when its node failed
        if (row.value("event", "") == "start") {
            attempts.emplace_back();
            attempts.back().host = row.value("host", "");
            attempts.back().started = row.value("time", "");
            attempts.back().from = row.value("from", 0);
        } else if (!attempts.empty()) {
            attempts.back().ended = true;
            attempts.back().code = row.value("code", 0);
            attempts.back().seconds = row.value("seconds", 0.0);
        }
    }
    return attempts;
}

TaskState state_of(const std::vector<Attempt>& attempts) {
    if (attempts.empty()) return TaskState::waiting;
    if (!attempts.back().ended) return TaskState::started;
    return attempts.back().done() ? TaskState::done : TaskState::failed;
}

namespace {

std::string describe_end(const Attempt& attempt, bool last) {
    if (attempt.killed(last))
        return attempt.ended ? fmt::format("was killed by signal {}", attempt.code - 128)
                             : "was killed, its process or node lost";
    if (!attempt.ended) return "is running";
    return attempt.done() ? "completed" : fmt::format("ended with code {}", attempt.code);
}

} // namespace

std::vector<Restart> list_restarts(const Job& job) {
    std::vector<Restart> restarts;
    for (const Task& task : list_tasks(job)) {
        if (task.kind == TaskKind::report) continue;
        const std::vector<Attempt> attempts = read_attempts(job, task);
        for (std::size_t k = 1; k < attempts.size(); ++k) {
            const Attempt &before = attempts[k - 1], &next = attempts[k];
            const std::string from =
                task.kind == TaskKind::sim ? fmt::format(" from frame {}", next.from) : "";
            restarts.push_back(
                {task, fmt::format("{}: attempt {} on {} {}; attempt {} on {} continued{} and {}",
                                   task_name(job, task), k, before.host,
                                   describe_end(before, false), k + 1, next.host, from,
                                   describe_end(next, k + 1 == attempts.size()))});
        }
    }
    return restarts;
}

} // namespace nendo::cli::farm
