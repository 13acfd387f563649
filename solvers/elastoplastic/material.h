// SPDX-License-Identifier: Apache-2.0
// Material of elastoplastic matter, and the presets that artists start from.
#pragma once

#include "core/fields.h"
#include "method/preset.h"

namespace nendo::elastoplastic {

/// The values that each particle carries: one number of each in a material, a column of each in the
/// state.
template <class T> struct Strength {
    T young = initial<T>(1e6);               ///< Young's modulus [Pa]
    T poisson = initial<T>(0.35);            ///< Poisson's ratio [1]
    T yield_stretch = initial<T>(infinite);  ///< theta_s, yield strain in tension [1]
    T yield_compress = initial<T>(infinite); ///< theta_c, yield strain in compression [1]
    T hardening = initial<T>(0);             ///< xi, hardening rate [1]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.young, field("young")
                              .label("Young's modulus")
                              .usual(1e4, 1e8)
                              .unit("Pa")
                              .above(0)
                              .help("Stiffness of the material. Jelly has about 1e4, rubber 1e6 "
                                    "and hard plastic 1e8."));
        visit(self.poisson,
              field("poisson")
                  .label("Poisson's ratio")
                  .range(-0.95, 0.499)
                  .help("How much the material bulges sideways when it is squeezed. Near 0.5 it "
                        "keeps its volume."));
        visit(self.yield_stretch,
              field("yield_stretch")
                  .label("Yield in stretch")
                  .usual(0, 1)
                  .range(0, infinite)
                  .may_be_none()
                  .help("Strain above which stretching is permanent. Without a limit the material "
                        "always springs back."));
        visit(self.yield_compress,
              field("yield_compress")
                  .label("Yield in compression")
                  .usual(0, 1)
                  .range(0, infinite)
                  .may_be_none()
                  .help("Strain above which compression is permanent. Without a limit the material "
                        "always springs back."));
        visit(self.hardening,
              field("hardening")
                  .label("Hardening")
                  .usual(0, 20)
                  .range(0, 100)
                  .help("How fast the material stiffens as it is permanently compressed. 0 turns "
                        "hardening off."));
    }
};

/// What a body is made of.
struct Material : Strength<double> {
    double density = 1000; ///< [kg/m^3]

    Material() = default;
    Material(double of_density, const Strength<double>& strength)
        : Strength(strength), density(of_density) {}

    bool plastic() const { return yield_stretch < infinite || yield_compress < infinite; }

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.density, field("density")
                                .label("Density")
                                .usual(100, 10000)
                                .unit("kg/m^3")
                                .above(0)
                                .help("Mass per cubic meter of material at rest."));
        Strength::fields(self, visit);
    }
};

const std::vector<Preset<Material>>& presets();
/// The material of a preset. Throws an error that suggests the nearest known name.
const Material& preset(std::string_view name);

} // namespace nendo::elastoplastic
