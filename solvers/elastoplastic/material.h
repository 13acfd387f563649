// SPDX-License-Identifier: Apache-2.0
// What elastoplastic matter is made of, and the presets that artists start from.
#pragma once

#include "core/fields.h"

#include <string>
#include <vector>

namespace nendo::elastoplastic {

/// Material of one particle. Materials are columns of the state, so each particle has its own.
struct Material {
    double density = 1000;            ///< [kg/m^3]
    double young = 1e6;               ///< [Pa]
    double poisson = 0.35;            ///< [1]
    double yield_stretch = infinite;  ///< theta_s [1]
    double yield_compress = infinite; ///< theta_c [1]
    double hardening = 0;             ///< xi [1]

    bool plastic() const { return yield_stretch < infinite || yield_compress < infinite; }

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.density, field("density")
                                .label("Density")
                                .usual(100, 10000)
                                .unit("kg/m^3")
                                .above(0)
                                .help("Mass of a cubic meter of matter at rest."));
        visit(self.young, field("young")
                              .label("Young's modulus")
                              .usual(1e4, 1e8)
                              .unit("Pa")
                              .above(0)
                              .help("Stiffness: 1e4 jelly, 1e6 rubber, 1e8 hard plastic."));
        visit(self.poisson,
              field("poisson")
                  .label("Poisson's ratio")
                  .range(-0.95, 0.499)
                  .help("How much it bulges when it is squeezed; near 0.5 the volume stays."));
        visit(self.yield_stretch,
              field("yield_stretch")
                  .label("Yield in stretch")
                  .usual(0, 1)
                  .range(0, infinite)
                  .may_be_none()
                  .help("Strain above which a stretch stays; no limit: it always springs back."));
        visit(self.yield_compress,
              field("yield_compress")
                  .label("Yield in compression")
                  .usual(0, 1)
                  .range(0, infinite)
                  .may_be_none()
                  .help("Strain above which a squeeze stays; no limit: it always springs back."));
        visit(self.hardening,
              field("hardening")
                  .label("Hardening")
                  .usual(0, 20)
                  .range(0, 100)
                  .help("How fast matter that was squeezed for good gets stiffer."));
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

} // namespace nendo::elastoplastic
