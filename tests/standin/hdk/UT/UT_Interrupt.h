// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: the artist's Escape key.
#pragma once

#include "SYS/SYS_Types.h"

/// A test sets the number of questions after which the result is yes. There is one for the program.
class UT_Interrupt {
public:
    int opInterrupt(int percent = -1) {
        standin_percent = percent;
        return standin_questions++ >= standin_patience ? 1 : 0;
    }
    void standin_reset(int64 patience = INT64_MAX) {
        standin_patience = patience;
        standin_questions = 0;
        standin_depth = 0;
        standin_percent = -1;
    }

    int64 standin_patience = INT64_MAX;
    int64 standin_questions = 0;
    int standin_depth = 0; ///< Operations that have started and not ended
    int standin_percent = -1;
};

inline UT_Interrupt* UTgetInterrupt() {
    static UT_Interrupt boss;
    return &boss;
}

class UT_AutoInterrupt {
public:
    explicit UT_AutoInterrupt(const char* /*operation_name*/, UT_Interrupt* boss = UTgetInterrupt())
        : m_boss(boss) {
        ++m_boss->standin_depth;
    }
    ~UT_AutoInterrupt() { --m_boss->standin_depth; }
    UT_AutoInterrupt(const UT_AutoInterrupt&) = delete;
    UT_AutoInterrupt& operator=(const UT_AutoInterrupt&) = delete;

    bool wasInterrupted() { return m_boss->opInterrupt() != 0; }
    bool wasInterrupted(int percent) { return m_boss->opInterrupt(percent) != 0; }

private:
    UT_Interrupt* m_boss;
};
