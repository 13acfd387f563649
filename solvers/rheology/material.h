// SPDX-License-Identifier: Apache-2.0
// The material of bones and their joints, and the presets that artists start from.
#pragma once

#include "core/fields.h"
#include "method/preset.h"

namespace nendo::rheology {

/// Material of a bar. With the bar's cross section it determines the springs and dashpots of a
/// joint.
struct Material {
    double density = 1000;         ///< [kg/m^3]
    double young = 1e9;            ///< E of the reversible part of a bend [Pa]
    double poisson = 0.3;          ///< [1]
    double delay = 0.05;           ///< D_f / K_f: relaxation time of the reversible part [s]
    double first_young = infinite; ///< E of the instantaneous spring in series [Pa]
    double viscosity = infinite;   ///< Elongational viscosity of the permanent part [Pa s]
    double yield = 0;              ///< Stress below which no bend becomes permanent [Pa]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.density, field("density")
                                .label("Density")
                                .usual(100, 10000)
                                .unit("kg/m^3")
                                .above(0)
                                .help("Mass per cubic meter."));
        visit(self.young, field("young")
                              .label("Young's modulus")
                              .usual(1e6, 1e11)
                              .unit("Pa")
                              .above(0)
                              .may_be_none()
                              .help("Stiffness of the reversible part of a bend, the part that "
                                    "springs back. Higher values bend less."));
        visit(self.poisson, field("poisson")
                                .label("Poisson's ratio")
                                .range(-0.95, 0.5)
                                .help("Ratio of sideways contraction to stretch. It sets how hard "
                                      "the bones are to twist: higher values twist more easily."));
        visit(self.delay,
              field("delay")
                  .label("Delay")
                  .usual(0, 1)
                  .unit("s")
                  .range(0, infinite)
                  .help("Time a bend takes to spring back. At 0 the bone rings like a bell."));
        visit(self.first_young,
              field("first_young")
                  .label("First modulus")
                  .usual(1e6, 1e11)
                  .unit("Pa")
                  .above(0)
                  .may_be_none()
                  .help("Stiffness of a spring in series that responds instantly (Burgers model). "
                        "With no limit this spring is rigid and the joint has three elements."));
        visit(self.viscosity, field("viscosity")
                                  .label("Viscosity")
                                  .usual(1e6, 1e12)
                                  .unit("Pa s")
                                  .above(0)
                                  .may_be_none()
                                  .help("Resistance to permanent bending. Lower values keep more "
                                        "of a bend; with no limit every bend springs back."));
        visit(self.yield,
              field("yield")
                  .label("Yield stress")
                  .usual(0, 1e9)
                  .unit("Pa")
                  .range(0, infinite)
                  .may_be_none()
                  .help("Stress at the bone's surface below which no bend becomes permanent."));
    }
};

const std::vector<Preset<Material>>& presets();
/// Throws an Error that suggests the nearest known name.
const Material& preset(std::string_view name);

} // namespace nendo::rheology
