// SPDX-License-Identifier: Apache-2.0
// Parameters of heat, each declared once. Methods that simulate heat list these together with their
// own.
#pragma once

#include "core/fields.h"

namespace nendo::heat {

struct Params {
    bool enabled = true;
    double air_temperature = 20; ///< [degC]
    double air_transfer = 10;    ///< c_d [W/(m^2 K)]
    double speed = 1;            ///< Seconds of heat flow per simulated second [1]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.enabled, field("heat").label("Heat").folder("Heat").help(
                                "Lets heat flow. When off, every temperature stays as it is."));
        visit(self.air_temperature, field("air_temperature")
                                        .label("Air temperature")
                                        .folder("Heat")
                                        .disable_when("{ heat == 0 }")
                                        .usual(-20, 100)
                                        .unit("degC")
                                        .range(-273.15, infinite)
                                        .help("Temperature of the air around all matter."));
        visit(self.air_transfer,
              field("air_transfer")
                  .label("Air transfer")
                  .folder("Heat")
                  .disable_when("{ heat == 0 }")
                  .usual(0, 500)
                  .unit("W/(m^2 K)")
                  .range(0, infinite)
                  .help("Heat that passes between air and matter, per square meter of surface and "
                        "per degree of difference. Still air has about 10, wind about 50."));
        visit(self.speed, field("heat_speed")
                              .label("Heat speed")
                              .folder("Heat")
                              .disable_when("{ heat == 0 }")
                              .usual(1, 1000)
                              .range(0, infinite)
                              .help("Seconds of heat flow per second of motion. Raise it to melt a "
                                    "candle that takes an hour within one shot."));
    }
};

} // namespace nendo::heat
