// SPDX-License-Identifier: Apache-2.0
// How materials look in pictures: values shared by the preview, USD materials and other renderers.
#pragma once

#include "core/types.h"

#include <string>
#include <string_view>
#include <vector>

namespace nendo {

struct Look {
    std::string_view name;
    double roughness = 0.6;  ///< Roughness of reflections, 0 to 1
    double metallic = 0;     ///< 0: a dielectric, 1: a metal
    double ior = 1.5;        ///< Index of refraction
    double transmission = 0; ///< Fraction of the light inside that goes straight through
    double subsurface = 0;   ///< Fraction of the rest that scatters below the surface
    double depth = 0.05;     ///< Distance light travels inside, as a fraction of the scene's size
    Vec3d scatter{1, 0.5, 0.3}; ///< That distance in red, green and blue, relative to depth
    double glow = 0;            ///< Emission, as a multiple of the color
};

const std::vector<Look>& looks();
/// Throws an Error that lists the known names.
const Look& find_look(std::string_view name);

/// Returns the look of a material: by its preset, or else by the method that simulates it.
const Look& look_of(std::string_view preset, std::string_view method, bool liquid);

} // namespace nendo
