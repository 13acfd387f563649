// SPDX-License-Identifier: Apache-2.0
// Names the random case that crashes, hangs or takes all memory, so that it can be run again.
#pragma once

#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define NENDO_HAS_ADDRESS_SANITIZER
#include <sanitizer/common_interface_defs.h>
#endif
#endif

namespace nendo::test {

/// Watches over one case: one that crashes, or takes more than a minute of computing, ends the test
/// with its seed. Without a sanitizer, memory is limited to 8 GB; with it, one allocation to 1 GB, by
/// __asan_default_options() in the test.
class Lifeguard {
public:
    Lifeguard(const char* what, std::uint64_t seed, const char* variable) {
        std::snprintf(text(), text_size, "%s %llu crashed or hangs; run it again with %s=%llu\n",
                      what, static_cast<unsigned long long>(seed), variable,
                      static_cast<unsigned long long>(seed));
        std::signal(SIGPROF, end);
#ifdef NENDO_HAS_ADDRESS_SANITIZER
        __sanitizer_set_death_callback(say);
#else
        for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS}) std::signal(signal, end);
        getrlimit(RLIMIT_AS, &m_limit);
        rlimit less = m_limit;
        less.rlim_cur = rlim_t(8) << 30;
        setrlimit(RLIMIT_AS, &less);
#endif
        limit_time(60);
    }
    ~Lifeguard() {
        limit_time(0);
#ifdef NENDO_HAS_ADDRESS_SANITIZER
        __sanitizer_set_death_callback(nullptr);
#else
        for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS}) std::signal(signal, SIG_DFL);
        setrlimit(RLIMIT_AS, &m_limit);
#endif
    }
    Lifeguard(const Lifeguard&) = delete;
    Lifeguard& operator=(const Lifeguard&) = delete;

private:
    static constexpr std::size_t text_size = 200;
    static char* text() {
        static char bytes[text_size];
        return bytes;
    }
    /// Of the processor [s], because the machine may be busy with other work.
    static void limit_time(int seconds) {
        itimerval limit{};
        limit.it_value.tv_sec = seconds;
        setitimer(ITIMER_PROF, &limit, nullptr);
    }
    static void say() {
        for (const char* c = text(); *c != 0; ++c)
            if (write(STDERR_FILENO, c, 1) != 1) return;
    }
    static void end(int signal) {
        say();
        std::signal(signal, SIG_DFL);
        std::raise(signal);
    }

    [[maybe_unused]] rlimit m_limit{};
};

} // namespace nendo::test
