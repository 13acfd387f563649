// SPDX-License-Identifier: Apache-2.0
// What bones are made of, and the presets that artists start from.
#pragma once

#include "core/fields.h"

#include <string_view>
#include <vector>

namespace nendo::rheology {

/// A material for bars: from it and a section follow the springs and dashpots of a joint.
struct Material {
    double density = 1000;         ///< [kg/m^3]
    double young = 1e9;            ///< E of the part that comes back [Pa]
    double poisson = 0.3;          ///< [1]
    double delay = 0.05;           ///< D_f / K_f: how long the part that comes back takes [s]
    double first_young = infinite; ///< E of what answers at once [Pa]
    double viscosity = infinite;   ///< In stretch, of the part that stays [Pa s]
    double yield = 0;              ///< Stress below which nothing stays [Pa]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.density, field("density")
                                .label("Density")
                                .usual(100, 10000)
                                .unit("kg/m^3")
                                .above(0)
                                .help("Mass of a cubic meter."));
        visit(self.young, field("young")
                              .label("Young's modulus")
                              .usual(1e6, 1e11)
                              .unit("Pa")
                              .above(0)
                              .may_be_none()
                              .help("Stiffness of the part of a bend that comes back."));
        visit(self.poisson, field("poisson")
                                .label("Poisson's ratio")
                                .range(-0.95, 0.5)
                                .help("Sets how hard it is to twist."));
        visit(self.delay, field("delay")
                              .label("Delay")
                              .usual(0, 1)
                              .unit("s")
                              .range(0, infinite)
                              .help("How long a bend takes to come back: 0 rings like a bell."));
        visit(self.first_young,
              field("first_young")
                  .label("First modulus")
                  .usual(1e6, 1e11)
                  .unit("Pa")
                  .above(0)
                  .may_be_none()
                  .help("Stiffness of a spring in series that answers at once (Burgers' model); "
                        "no limit: three elements."));
        visit(self.viscosity, field("viscosity")
                                  .label("Viscosity")
                                  .usual(1e6, 1e12)
                                  .unit("Pa s")
                                  .above(0)
                                  .may_be_none()
                                  .help("Resistance of the part of a bend that stays; no limit: "
                                        "all comes back."));
        visit(self.yield, field("yield")
                              .label("Yield stress")
                              .usual(0, 1e9)
                              .unit("Pa")
                              .range(0, infinite)
                              .may_be_none()
                              .help("Stress at the surface below which nothing stays."));
    }
};

struct Preset {
    std::string_view name;
    std::string_view source; ///< Where its numbers come from.
    Material material;
};

const std::vector<Preset>& presets();
/// Throws with the nearest known name.
const Material& preset(std::string_view name);

} // namespace nendo::rheology
