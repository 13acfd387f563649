// SPDX-License-Identifier: Apache-2.0
#include "run/console.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>

namespace nendo::cli {

Signals::Signals() {
    sigemptyset(&m_watched);
    sigaddset(&m_watched, SIGINT);
    sigaddset(&m_watched, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &m_watched, &m_before);
}

Signals::~Signals() {
    pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
}

bool Signals::caught() {
    const timespec at_once{};
    if (!m_caught && sigtimedwait(&m_watched, nullptr, &at_once) > 0) {
        m_caught = true;
        pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
    }
    return m_caught;
}

namespace {

std::string clock_text(double seconds) {
    const long s = std::lround(seconds);
    if (s >= 3600) return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
    return fmt::format("{}:{:02}", s / 60, s % 60);
}

} // namespace

Console::Console(ConsoleMode mode) : m_mode(mode), m_terminal(isatty(STDOUT_FILENO) == 1) {}

double Console::seconds_left(double frames_done) const {
    const double spent = std::chrono::duration<double>(Clock::now() - m_start).count();
    const double all = m_last - m_first + 1;
    return frames_done > 0 ? spent / frames_done * (all - frames_done) : 0;
}

void Console::clear_bar() {
    if (m_bar_shown) std::cout << "\r\033[K";
    m_bar_shown = false;
}

void Console::begin_frames(int first, int last) {
    m_first = m_frame = first;
    m_last = last;
    m_start = Clock::now();
}

void Console::progress(double fraction, std::string_view stage) {
    const auto now = Clock::now();
    if (m_mode != ConsoleMode::text || !m_terminal ||
        now - m_drawn < std::chrono::milliseconds(100))
        return;
    m_drawn = now;
    const double done = m_frame - m_first + std::clamp(fraction, 0.0, 1.0);
    const double share = done / std::max(1, m_last - m_first + 1);
    const int width = 24, filled = static_cast<int>(share * width);
    const std::string left = done > 0 ? clock_text(seconds_left(done)) + " left" : "";
    std::cout << fmt::format("\r\033[Kframe {}/{} [{}{}] {:3.0f} %  {}  {}", m_frame, m_last,
                             std::string(static_cast<std::size_t>(filled), '#'),
                             std::string(static_cast<std::size_t>(width - filled), '.'),
                             share * 100, left, stage)
              << std::flush;
    m_bar_shown = true;
}

void Console::log(Severity severity, std::string_view text) {
    if (m_mode == ConsoleMode::silent) return;
    const char* const kind = severity == Severity::info      ? "info"
                             : severity == Severity::warning ? "warning"
                                                             : "error";
    if (m_mode == ConsoleMode::json) {
        std::cout << Json{{"event", "log"}, {"severity", kind}, {"text", text}} << std::endl;
    } else if (severity != Severity::info) {
        clear_bar();
        std::cout.flush();
        std::cerr << "nendo: " << kind << ": " << text << std::endl;
    } else if (m_mode == ConsoleMode::text) {
        clear_bar();
        std::cout << text << std::endl;
    }
}

void Console::end_frame(int frame, const std::string& text, const Json& row) {
    m_frame = frame + 1;
    if (m_mode == ConsoleMode::json) {
        Json line{{"event", "frame"}};
        line.update(row);
        std::cout << line << std::endl;
    } else if (m_mode == ConsoleMode::text) {
        clear_bar();
        std::cout << fmt::format("frame {}/{}: {}", frame, m_last, text);
        if (frame < m_last)
            std::cout << fmt::format(", {} left", clock_text(seconds_left(m_frame - m_first)));
        std::cout << std::endl;
    }
}

void Console::finish(const std::string& text, const Json& row) {
    if (m_mode == ConsoleMode::json) {
        Json line{{"event", "done"}};
        line.update(row);
        std::cout << line << std::endl;
    } else if (m_mode == ConsoleMode::text) {
        clear_bar();
        std::cout << text << std::endl;
    }
}

} // namespace nendo::cli
