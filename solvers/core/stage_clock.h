// SPDX-License-Identifier: Apache-2.0
// Measures how long each stage of the substeps takes, for the report of a solver.
#pragma once

#include <chrono>
#include <string_view>
#include <vector>

namespace nendo {

struct StageTime {
    std::string_view name;
    double seconds = 0; ///< Sum over all substeps [s]
};

/// done(name) adds the time since the previous call, or since construction, to the stage `name`.
class StageClock {
public:
    explicit StageClock(std::vector<StageTime>& stages) : m_stages(stages) {}
    void done(std::string_view name) {
        const auto now = std::chrono::steady_clock::now();
        const double seconds = std::chrono::duration<double>(now - m_last).count();
        m_last = now;
        for (StageTime& stage : m_stages)
            if (stage.name == name) {
                stage.seconds += seconds;
                return;
            }
        m_stages.push_back({name, seconds});
    }

private:
    std::vector<StageTime>& m_stages;
    std::chrono::steady_clock::time_point m_last = std::chrono::steady_clock::now();
};

} // namespace nendo
