// SPDX-License-Identifier: Apache-2.0
// The command line's host: signals, progress and messages, for people and for machines.
#pragma once

#include "core/host.h"
#include "io/json_fields.h"

#include <chrono>
#include <csignal>
#include <string>

namespace nendo::cli {

/// While this lives, SIGINT and SIGTERM are kept back and asked for. The second one ends the
/// process at once, as it always did.
class Signals {
public:
    Signals();
    ~Signals();
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;

    bool caught();

private:
    sigset_t m_watched{};
    sigset_t m_before{};
    bool m_caught = false;
};

/// silent: nothing at all, for processes that only help another.
enum class ConsoleMode { text, quiet, json, silent };

/// Progress of a run of frames: a bar with the time left on a terminal, else a line a frame.
class Console : public Host {
public:
    explicit Console(ConsoleMode mode);

    bool interrupted() override { return m_signals.caught(); }
    void progress(double fraction, std::string_view stage) override;
    void log(Severity severity, std::string_view text) override;

    /// Frames first..last will be done, beginning now.
    void begin_frames(int first, int last);
    /// A frame is done. `text` is for people, `row` for machines.
    void end_frame(int frame, const std::string& text, const Json& row);
    /// The last word of a command.
    void finish(const std::string& text, const Json& row);

private:
    double seconds_left(double frames_done) const;
    void clear_bar();

    using Clock = std::chrono::steady_clock;
    Signals m_signals;
    ConsoleMode m_mode;
    bool m_terminal;
    bool m_bar_shown = false;
    int m_first = 0, m_last = 0, m_frame = 0;
    Clock::time_point m_start = Clock::now();
    Clock::time_point m_drawn{};
};

} // namespace nendo::cli
