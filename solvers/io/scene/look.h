// SPDX-License-Identifier: Apache-2.0
// How matter looks: numbers that the preview, USD's materials and other renderers share.
#pragma once

#include "core/types.h"

#include <string>
#include <string_view>
#include <vector>

namespace nendo {

struct Look {
    std::string_view name;
    double roughness = 0.6;     ///< Of reflections, 0 to 1
    double metallic = 0;        ///< 0: a dielectric, 1: a metal
    double ior = 1.5;           ///< Index of refraction
    double transmission = 0;    ///< Share of the light inside that goes straight through
    double subsurface = 0;      ///< Share of the rest that scatters below the surface
    double depth = 0.05;        ///< How far light goes inside, as a share of the scene's size
    Vec3d scatter{1, 0.5, 0.3}; ///< The same for red, green and blue, relative to depth
    double glow = 0;            ///< Light of its own, times its color
};

const std::vector<Look>& looks();
/// Throws with the known names.
const Look& find_look(std::string_view name);

/// Which look a material has: by its preset, else by the method that it is simulated with.
const Look& look_of(std::string_view preset, std::string_view method, bool liquid);

} // namespace nendo
