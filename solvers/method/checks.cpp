// SPDX-License-Identifier: Apache-2.0
#include "method/checks.h"

namespace nendo {

void check_duration(double duration) {
    if (!(duration >= 0) || !std::isfinite(duration))
        throw Error("cannot advance by " + std::to_string(duration) + " s", "solver",
                    "use a duration of zero or more");
}

void check_pin(std::int32_t pin, std::size_t pins, bool goals, std::int64_t id) {
    if (pin < (goals ? -1 : 0) || pin > static_cast<std::int64_t>(pins))
        throw Error("pin is " + std::to_string(pin) + ", and the scene has " +
                        std::to_string(pins) + " pins",
                    "particle id " + std::to_string(id),
                    goals ? "use 0 for free matter, or -1 for matter that is held by its goal"
                          : "use 0 for free matter");
}

} // namespace nendo
