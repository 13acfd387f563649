// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: data that keeps a node's parameters.
#pragma once

#include "SIM/SIM_Data.h"
#include "SIM/SIM_Options.h"

class SIM_OptionsUser {
public:
    explicit SIM_OptionsUser(SIM_Data*) {}
    virtual ~SIM_OptionsUser() = default;
    const SIM_Options& getOptions() const { return m_options; }
    SIM_Options& standin_options() { return m_options; }

protected:
    SIM_Options& getOptions() { return m_options; }

private:
    SIM_Options m_options;
};

namespace standin {
void save_options(const SIM_Options& options, std::ostream& stream);
void load_options(SIM_Options& options, std::istream& stream);
} // namespace standin
