// SPDX-License-Identifier: Apache-2.0
// Runs one task on a node: its commands as child processes, its log, and progress for the engine.
#include "command.h"
#include "farm/farm.h"
#include "run/run_note.h"

#include "io/checkpoint.h"
#include "io/file.h"
#include "io/scene/scenes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <iostream>

namespace nendo::cli::farm {

namespace fs = std::filesystem;

namespace {

using Command = std::vector<std::string>;

/// The node's name: that of Slurm, which may have several per machine, else the machine's.
std::string host_name() {
    if (const char* const node = std::getenv("SLURMD_NODENAME")) return node;
    char name[256] = {};
    return gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[32] = {};
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

/// The frame from which a simulation would continue; 0 if it would start.
int checkpoint_frame(const Job& job, const Task& task) {
    const fs::path file = job.run_folder(job.wedges.at(task.wedge)) / "checkpoint.nendo";
    if (task.kind != TaskKind::sim || !fs::exists(file)) return 0;
    return read_note(read_checkpoint_header(file.string()).note, file.string()).frame;
}

std::vector<Command> commands_of(const Job& job, const Task& task) {
    const std::string nendo = fs::read_symlink("/proc/self/exe").string();
    if (task.kind == TaskKind::report) return {{nendo, "farm", "report", job.folder.string()}};
    const Wedge& wedge = job.wedges.at(task.wedge);
    const std::string run = job.run_folder(wedge).string();
    if (task.kind == TaskKind::sim) {
        const FrameRange frames = job.frames();
        Command sim{nendo,
                    "sim",
                    job.scene_of(wedge).string(),
                    "--out",
                    run,
                    "--resume",
                    "--frames",
                    fmt::format("{}-{}", frames.first, frames.last),
                    "--json"};
        if (job.threads > 0) sim.insert(sim.end(), {"--threads", std::to_string(job.threads)});
        return {sim};
    }
    const std::string& chunk = job.chunks.at(task.chunk);
    std::vector<Command> commands;
    if (job.surface) {
        commands.push_back({nendo, "surface", run, "--frames", chunk, "--json"});
        if (!job.mesh.empty()) commands.back().insert(commands.back().end(), {"--mesh", job.mesh});
    }
    if (job.render) {
        commands.push_back({nendo, "render", run, "--frames", chunk, "--json"});
        if (!job.size.empty()) commands.back().insert(commands.back().end(), {"--size", job.size});
    }
    return commands;
}

/// Throws unless the tasks before this one are done. Writes the scene that it reads.
void prepare(const Job& job, const Task& task) {
    if (task.kind == TaskKind::sim) {
        const Wedge& wedge = job.wedges.at(task.wedge);
        const fs::path file = job.scene_of(wedge);
        const Json scene =
            move_scene_json(scene_with(job, wedge), job.scene_file, file.parent_path());
        write_file_atomically(file.string(), scene.dump(1) + "\n");
    }
    if (task.kind == TaskKind::frames) {
        const Task sim{TaskKind::sim, task.wedge, 0};
        const std::vector<Attempt> attempts = read_attempts(job, sim);
        if (attempts.empty() || !attempts.back().done())
            throw Error("needs " + task_name(job, sim) + ", which is not done",
                        task_name(job, task), "run that task first");
    }
}

// ---- child processes ----------------------------------------------------------------------------

/// SIGINT and SIGTERM as a file to poll. restore() gives a child the usual signals.
class SignalFile {
public:
    SignalFile() {
        sigset_t watched;
        sigemptyset(&watched);
        sigaddset(&watched, SIGINT);
        sigaddset(&watched, SIGTERM);
        pthread_sigmask(SIG_BLOCK, &watched, &m_before);
        m_fd = signalfd(-1, &watched, SFD_CLOEXEC);
    }
    ~SignalFile() {
        close(m_fd);
        pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
    }
    SignalFile(const SignalFile&) = delete;
    SignalFile& operator=(const SignalFile&) = delete;

    int fd() const { return m_fd; }
    void restore() const { pthread_sigmask(SIG_SETMASK, &m_before, nullptr); }

private:
    sigset_t m_before{};
    int m_fd = -1;
};

struct Child {
    pid_t pid = -1;
    int output = -1;
};

/// Starts a command whose output we read. It is killed when this process ends in any way, so that a
/// killed task leaves no process behind that holds the folder.
Child start(const Command& command, const SignalFile& signals) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        throw Error("cannot be started", command.front(), "check why the system has no pipes left");
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    std::cout.flush();
    const pid_t pid = fork();
    if (pid == 0) {
        signals.restore();
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(ends[1], STDOUT_FILENO);
        execv(arguments.front(), arguments.data());
        _exit(127);
    }
    close(ends[1]);
    if (pid < 0)
        throw Error("cannot be started", command.front(),
                    "check why the system has no processes left");
    return {pid, ends[0]};
}

/// The exit code of a child; 128 + N for signal N, as in shells.
int wait_for(const Child& child) {
    int status = 0;
    while (waitpid(child.pid, &status, 0) < 0 && errno == EINTR) {
    }
    close(child.output);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Splits the output of a child into lines.
class Lines {
public:
    template <class Action> void add(const char* data, std::size_t size, const Action& action) {
        m_rest.append(data, size);
        for (std::size_t end; (end = m_rest.find('\n')) != std::string::npos;) {
            action(m_rest.substr(0, end));
            m_rest.erase(0, end + 1);
        }
    }

private:
    std::string m_rest;
};

/// Runs the commands of one attempt in sequence.
class Attempter {
public:
    Attempter(const Job& job, const Task& task) : m_job(job), m_task(task) {}

    int run(const SignalFile& signals) {
        const std::vector<Command> commands = commands_of(m_job, m_task);
        for (std::size_t k = 0; k < commands.size(); ++k) {
            m_begin = 100.0 * static_cast<double>(k) / static_cast<double>(commands.size());
            m_share = 100.0 / static_cast<double>(commands.size());
            const int code = run_command(commands[k], signals);
            if (code != exit_code::ok) return code;
        }
        return exit_code::ok;
    }
    bool interrupted() const { return m_interrupted; }

private:
    int run_command(const Command& command, const SignalFile& signals) {
        const Child child = start(command, signals);
        Lines lines;
        pollfd watched[2] = {{child.output, POLLIN, 0}, {signals.fd(), POLLIN, 0}};
        while (true) {
            if (poll(watched, 2, -1) < 0 && errno != EINTR) break;
            if ((watched[1].revents & POLLIN) != 0) {
                signalfd_siginfo info{};
                if (read(signals.fd(), &info, sizeof info) > 0) kill(child.pid, SIGTERM);
                m_interrupted = true;
            }
            if (watched[0].revents == 0) continue;
            char buffer[4096];
            const ssize_t size = read(child.output, buffer, sizeof buffer);
            if (size <= 0) break;
            lines.add(buffer, static_cast<std::size_t>(size),
                      [&](const std::string& line) { report(line); });
        }
        return wait_for(child);
    }

    /// Turns events into progress, and passes on all other output.
    void report(const std::string& line) {
        const Json event = Json::parse(line, nullptr, false);
        const std::string kind = event.is_object() ? event.value("event", "") : "";
        if (kind == "frame") {
            const FrameRange range = m_task.kind == TaskKind::sim
                                         ? FrameRange{1, m_job.frames().last}
                                         : parse_frames(m_job.chunks.at(m_task.chunk));
            const int frame = event.value("frame", 0);
            const double done = static_cast<double>(frame - range.first + 1) /
                                std::max(1, range.last - range.first + 1);
            std::cout << fmt::format("{}: frame {} of {}\n", task_name(m_job, m_task), frame,
                                     range.last)
                      << progress_line(m_job.engine, m_begin + m_share * done) << std::endl;
        } else if (kind == "log") {
            std::cout << event.value("severity", "") << ": " << event.value("text", "")
                      << std::endl;
        } else {
            std::cout << line << std::endl;
        }
    }

    const Job& m_job;
    const Task& m_task;
    double m_begin = 0, m_share = 100; ///< Start and share of the current command [percent]
    bool m_interrupted = false;
};

} // namespace

int run_task(const Job& job, const Task& task) {
    const std::vector<Attempt> before = read_attempts(job, task);
    if (task.kind != TaskKind::report && !before.empty() && before.back().done()) {
        std::cout << task_name(job, task) << ": already done" << std::endl;
        return exit_code::ok;
    }
    prepare(job, task);
    const SignalFile signals;
    using Clock = std::chrono::steady_clock;
    for (int left = job.retries;; --left) {
        const auto begin = Clock::now();
        Attempt attempt;
        attempt.host = host_name();
        attempt.started = utc_now();
        attempt.from = checkpoint_frame(job, task);
        log_start(job, task, attempt);
        Attempter attempter(job, task);
        const int code = attempter.run(signals);
        log_end(job, task, code, std::chrono::duration<double>(Clock::now() - begin).count());
        attempt.ended = true;
        attempt.code = code;
        if (!attempt.killed(true) || attempter.interrupted() || left == 0) return code;
        std::cout << fmt::format("warning: {} was killed by signal {}; restarting it",
                                 task_name(job, task), code - 128)
                  << std::endl;
    }
}

} // namespace nendo::cli::farm
