// SPDX-License-Identifier: Apache-2.0
// The parameters of heat, declared once; methods that have heat list them with theirs.
#pragma once

#include "core/fields.h"

namespace nendo::heat {

struct Params {
    bool enabled = true;
    double air_temperature = 20; ///< [degC]
    double air_transfer = 10;    ///< c_d [W/(m^2 K)]
    double speed = 1;            ///< Seconds of heat in a second [1]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.enabled,
              field("heat").label("Heat").folder("Heat").help("Off: temperatures stay."));
        visit(self.air_temperature, field("air_temperature")
                                        .label("Air temperature")
                                        .folder("Heat")
                                        .disable_when("{ heat == 0 }")
                                        .usual(-20, 100)
                                        .unit("degC")
                                        .range(-273.15, infinite)
                                        .help("Of the air around all matter."));
        visit(self.air_transfer,
              field("air_transfer")
                  .label("Air transfer")
                  .folder("Heat")
                  .disable_when("{ heat == 0 }")
                  .usual(0, 500)
                  .unit("W/(m^2 K)")
                  .range(0, infinite)
                  .help("Heat through a square meter of surface for a degree of difference: still "
                        "air 10, wind 50."));
        visit(self.speed, field("heat_speed")
                              .label("Heat speed")
                              .folder("Heat")
                              .disable_when("{ heat == 0 }")
                              .usual(1, 1000)
                              .range(0, infinite)
                              .help("Seconds of heat in a second of motion: a candle that takes an "
                                    "hour melts in a shot."));
    }
};

} // namespace nendo::heat
