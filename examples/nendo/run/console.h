// SPDX-License-Identifier: Apache-2.0
// The host of the command line: signals, progress and messages, as text or as JSON.
#pragma once

#include "core/host.h"
#include "io/json_fields.h"

#include <chrono>
#include <csignal>
#include <string>

namespace nendo::cli {

/// Holds back SIGINT and SIGTERM while it exists; caught() reports the first one. A second one ends
/// the process at once.
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

/// quiet: warnings and errors only; silent: nothing, for the processes that serve the first.
enum class ConsoleMode { text, quiet, json, silent };

/// Progress over frames: a bar with the time left on a terminal, else one line per frame.
class Console : public Host {
public:
    explicit Console(ConsoleMode mode);

    bool interrupted() override { return m_signals.caught(); }
    void progress(double fraction, std::string_view stage) override;
    void log(Severity severity, std::string_view text) override;

    /// Starts the clock for frames first..last.
    void begin_frames(int first, int last);
    /// Reports a finished frame, as `text` or as the JSON of `row`.
    void end_frame(int frame, const std::string& text, const Json& row);
    /// Reports the end of a command.
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
