// SPDX-License-Identifier: Apache-2.0
// Written by otls/generate.py from otls/presets/elastoplastic.json: change that.
// clang-format off
#include "elastoplastic/material.h"

namespace nendo::elastoplastic {

const std::vector<Preset<Material>>& presets() {
    static const std::vector<Preset<Material>> list = {
        {"rubber",
         "Saida 2017, Table 1, Fig 9 top; stiffer than most rubber (1e6 to 1e7 Pa), as the paper has it",
         make_material<Material>({
             {"density", 1000},
             {"young", 69000000},
             {"poisson", 0.3},
             {"yield_stretch", infinite},
             {"yield_compress", infinite},
             {"hardening", 0},
         })},
        {"jelly",
         "Saida 2017, Table 1, Fig 9 bottom; a firm jelly: desserts have 1e3 to 1e5 Pa",
         make_material<Material>({
             {"density", 1000},
             {"young", 1000000},
             {"poisson", 0.4},
             {"yield_stretch", infinite},
             {"yield_compress", infinite},
             {"hardening", 0},
         })},
        {"clay",
         "Saida 2017, Table 1, Fig 10 right; density is the paper's, potter's clay has 1700 to 2000 kg/m^3",
         make_material<Material>({
             {"density", 1000},
             {"young", 140000},
             {"poisson", 0.2},
             {"yield_stretch", 0.00075},
             {"yield_compress", 0.0025},
             {"hardening", 10},
         })},
        {"firm_clay",
         "Saida 2017, Table 1, Fig 10 left; yields at six times the strain of clay",
         make_material<Material>({
             {"density", 1000},
             {"young", 140000},
             {"poisson", 0.2},
             {"yield_stretch", 0.0045},
             {"yield_compress", 0.015},
             {"hardening", 10},
         })},
        {"gum",
         "Saida 2017, Table 1, Fig 13 top",
         make_material<Material>({
             {"density", 1000},
             {"young", 1200000},
             {"poisson", 0.25},
             {"yield_stretch", 0.1},
             {"yield_compress", 0.75},
             {"hardening", 10},
         })},
        {"cream",
         "Saida 2017, Table 1, Fig 13 bottom; holds its peaks",
         make_material<Material>({
             {"density", 1000},
             {"young", 200000},
             {"poisson", 0.45},
             {"yield_stretch", 0.05},
             {"yield_compress", 0.2},
             {"hardening", 10},
         })},
        {"dough",
         "Saida 2017, Table 1, Fig 7, 8 and 14",
         make_material<Material>({
             {"density", 1000},
             {"young", 1200000},
             {"poisson", 0.35},
             {"yield_stretch", 0.1},
             {"yield_compress", 0.8},
             {"hardening", 10},
         })},
        {"snow",
         "Stomakhin et al. 2013, Table 2",
         make_material<Material>({
             {"density", 400},
             {"young", 140000},
             {"poisson", 0.2},
             {"yield_stretch", 0.0075},
             {"yield_compress", 0.025},
             {"hardening", 10},
         })},
        {"metal",
         "Saida 2017, Table 1, Fig 12; density of lead; a thousandth of lead's stiffness (1.6e10 Pa), so that it bends in seconds",
         make_material<Material>({
             {"density", 11340},
             {"young", 20000000},
             {"poisson", 0.4},
             {"yield_stretch", 0.00075},
             {"yield_compress", 0.0025},
             {"hardening", 10},
         })},
        {"wet_sand",
         "density of packed wet sand (handbooks: 1900 to 2000 kg/m^3); a hundredth of its stiffness (1e7 Pa); yields by eye: crumbles, and holds a squeeze. There is no friction inside: it is sand-like, no model of sand",
         make_material<Material>({
             {"density", 1900},
             {"young", 100000},
             {"poisson", 0.3},
             {"yield_stretch", 0.002},
             {"yield_compress", 0.01},
             {"hardening", 10},
         })},
    };
    return list;
}

const Material& preset(std::string_view name) {
    return find_preset(presets(), name);
}

} // namespace nendo::elastoplastic
