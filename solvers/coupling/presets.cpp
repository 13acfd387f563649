// SPDX-License-Identifier: Apache-2.0
// Written by otls/generate.py from otls/presets/coupling.json: change that.
// clang-format off
#include "coupling/material.h"

namespace nendo::coupling {

const std::vector<Preset<Material>>& presets() {
    static const std::vector<Preset<Material>> list = {
        {"water",
         "density of water; ten thousand times its viscosity (1e-6 m^2/s), as particles of a few centimeters need",
         make_material<Material>({
             {"phase", 0, "fluid"},
             {"density", 1000},
             {"viscosity", 0.01},
             {"spring_stiffness", 0},
             {"spring_damping", 0},
             {"connection", 2.1},
             {"break_strain", infinite},
         })},
        {"large_water",
         "Hirato, section 4: water with particles a meter apart",
         make_material<Material>({
             {"phase", 0, "fluid"},
             {"density", 1000},
             {"viscosity", 0.3},
             {"spring_stiffness", 0},
             {"spring_damping", 0},
             {"connection", 2.1},
             {"break_strain", infinite},
         })},
        {"oil",
         "density of vegetable oil (handbooks: 910 to 930 kg/m^3), lowered to float clearly; thickened as water is",
         make_material<Material>({
             {"phase", 0, "fluid"},
             {"density", 900},
             {"viscosity", 0.05},
             {"spring_stiffness", 0},
             {"spring_damping", 0},
             {"connection", 2.1},
             {"break_strain", infinite},
         })},
        {"honey",
         "density of honey (handbooks: 1400 kg/m^3); viscosity scaled from 7e-3 m^2/s as water is",
         make_material<Material>({
             {"phase", 0, "fluid"},
             {"density", 1400},
             {"viscosity", 0.5},
             {"spring_stiffness", 0},
             {"spring_damping", 0},
             {"connection", 2.1},
             {"break_strain", infinite},
         })},
        {"membrane",
         "Hirato, Fig 2 with the stiffness that holds its shape",
         make_material<Material>({
             {"phase", 0, "body"},
             {"density", 1100},
             {"viscosity", 0.3},
             {"spring_stiffness", 120},
             {"spring_damping", 4},
             {"connection", 2.1},
             {"break_strain", infinite},
         })},
        {"telescopic",
         "Hirato, Fig 3",
         make_material<Material>({
             {"phase", 0, "body"},
             {"density", 700},
             {"viscosity", 0.3},
             {"spring_stiffness", 10},
             {"spring_damping", 15},
             {"connection", 2.4},
             {"break_strain", infinite},
         })},
        {"jellyfish",
         "Hirato, Fig 5",
         make_material<Material>({
             {"phase", 0, "body"},
             {"density", 1100},
             {"viscosity", 0.3},
             {"spring_stiffness", 50},
             {"spring_damping", 10},
             {"connection", 4.1},
             {"break_strain", infinite},
         })},
        {"balloon",
         "density of rubber; bursts at three times its length (real ones: five to seven); stiffness by eye",
         make_material<Material>({
             {"phase", 0, "body"},
             {"density", 1100},
             {"viscosity", 0.05},
             {"spring_stiffness", 4000},
             {"spring_damping", 10},
             {"connection", 1.6},
             {"break_strain", 2},
         })},
    };
    return list;
}

const Material& preset(std::string_view name) {
    return find_preset(presets(), name);
}

} // namespace nendo::coupling
