// SPDX-License-Identifier: Apache-2.0
// Materials of matter that melts, and the presets that artists start from.
#pragma once

#include "core/fields.h"
#include "method/preset.h"

namespace nendo::melt {

/// How a solid particle holds its shape: one number of each in a material, a column of each in the
/// state.
template <class T> struct Strength {
    T young = initial<T>(infinite); ///< Stiffness when cold [Pa]
    T yield = initial<T>(infinite); ///< Strain above which the rest shape flows [1]
    T creep = initial<T>(0);        ///< Rate at which it flows [1/s]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.young, field("young")
                              .label("Young's modulus")
                              .usual(1e3, 1e7)
                              .unit("Pa")
                              .above(0)
                              .may_be_none()
                              .help("Stiffness of the cold solid. Without a limit it is as hard as "
                                    "iterations and samples can make it."));
        visit(self.yield, field("yield")
                              .label("Yield")
                              .usual(0, 1)
                              .range(0, infinite)
                              .may_be_none()
                              .help("Strain above which the rest shape flows permanently. Without "
                                    "a limit it never does."));
        visit(self.creep, field("creep")
                              .label("Creep")
                              .usual(0, 10)
                              .unit("1/s")
                              .range(0, infinite)
                              .help("Rate at which the rest shape flows above the yield strain."));
    }
};

/// How a particle warms, softens, melts and flows; likewise.
template <class T> struct Melting {
    T melting_point = initial<T>(60);   ///< [degC]
    T latent_heat = initial<T>(2e5);    ///< [J/kg]
    T heat_capacity = initial<T>(2000); ///< [J/(kg K)]
    T conductivity = initial<T>(0.3);   ///< [W/(m K)]
    T softening = initial<T>(0);        ///< Degrees below melting over which it softens [K]
    T soft_young = initial<T>(2e4);     ///< Stiffness when half softened [Pa]
    T blend = initial<T>(0);            ///< How much it flows while it melts; 0: ice [1]
    T flow = initial<T>(1);             ///< Rate of that flow when half melted [1/s]
    T viscosity = initial<T>(1e-2);     ///< Of the liquid at the melting point [Pa s]
    T thinning = initial<T>(infinite);  ///< Warming that divides the viscosity by e [K]
    T liquid_density = initial<T>(900); ///< [kg/m^3]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.melting_point,
              field("melting_point")
                  .label("Melting point")
                  .usual(0, 1500)
                  .unit("degC")
                  .range(-273.15, infinite)
                  .help("Temperature at which the material melts and freezes."));
        visit(self.latent_heat, field("latent_heat")
                                    .label("Latent heat")
                                    .usual(0, 4e5)
                                    .unit("J/kg")
                                    .range(0, infinite)
                                    .help("Heat needed to melt one kilogram at the melting point. "
                                          "Raise it for slower melting and freezing."));
        visit(self.heat_capacity, field("heat_capacity")
                                      .label("Heat capacity")
                                      .usual(500, 5000)
                                      .unit("J/(kg K)")
                                      .above(0)
                                      .help("Heat needed to warm one kilogram by one degree. Raise "
                                            "it for slower warming and cooling."));
        visit(self.conductivity,
              field("conductivity")
                  .label("Conductivity")
                  .usual(0, 100)
                  .unit("W/(m K)")
                  .range(0, infinite)
                  .help("How well the material conducts heat. With true values, small objects melt "
                        "in minutes; raise it to melt them in seconds."));
        visit(self.softening,
              field("softening")
                  .label("Softening range")
                  .usual(0, 100)
                  .unit("K")
                  .range(0, infinite)
                  .help("The solid softens over this many degrees below the melting point."));
        visit(self.soft_young, field("soft_young")
                                   .label("Soft modulus")
                                   .usual(1e3, 1e6)
                                   .unit("Pa")
                                   .above(0)
                                   .help("Stiffness of the solid when half softened."));
        visit(self.blend, field("blend").label("Blend").range(0, 1).help(
                              "How gradually the material melts. 0: a particle stays solid until "
                              "it has absorbed all of its latent heat, like ice. 1: it flows more "
                              "and more as it melts, like wax."));
        visit(self.flow, field("flow")
                             .label("Flow")
                             .usual(0, 10)
                             .unit("1/s")
                             .range(0, infinite)
                             .help("Rate at which the rest shape flows when half melted."));
        visit(self.viscosity, field("viscosity")
                                  .label("Viscosity")
                                  .usual(0, 100)
                                  .unit("Pa s")
                                  .range(0, infinite)
                                  .help("Dynamic viscosity of the liquid at the melting point."));
        visit(
            self.thinning,
            field("thinning")
                .label("Thinning")
                .usual(1, 200)
                .unit("K")
                .above(0)
                .may_be_none()
                .help("Temperature rise that divides the viscosity by e. Lower values thin the "
                      "liquid faster as it warms. Without a limit the viscosity stays constant."));
        visit(self.liquid_density, field("liquid_density")
                                       .label("Liquid density")
                                       .usual(100, 10000)
                                       .unit("kg/m^3")
                                       .above(0)
                                       .help("Mass per cubic meter of the liquid."));
    }
};

/// What a body is made of.
struct Material : Strength<double>, Melting<double> {
    double density = 900; ///< Density of the solid [kg/m^3]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.density, field("density")
                                .label("Density")
                                .usual(100, 10000)
                                .unit("kg/m^3")
                                .above(0)
                                .help("Mass per cubic meter of the solid."));
        Strength::fields(self, visit);
        Melting::fields(self, visit);
    }
};

const std::vector<Preset<Material>>& presets();
/// Throws an Error that suggests the closest known name.
const Material& preset(std::string_view name);

} // namespace nendo::melt
