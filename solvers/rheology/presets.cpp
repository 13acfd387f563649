// SPDX-License-Identifier: Apache-2.0
// Written by otls/generate.py from otls/presets/rheology.json: change that.
// clang-format off
#include "rheology/material.h"

namespace nendo::rheology {

const std::vector<Preset<Material>>& presets() {
    static const std::vector<Preset<Material>> list = {
        {"steel",
         "handbook values of mild steel; viscosity such that a bend follows the hand",
         make_material<Material>({
             {"density", 7850},
             {"young", 200000000000},
             {"poisson", 0.3},
             {"delay", 0.01},
             {"first_young", infinite},
             {"viscosity", 200000000},
             {"yield", 250000000},
         })},
        {"aluminium",
         "handbook values of soft aluminium wire; viscosity such that a bend follows the hand",
         make_material<Material>({
             {"density", 2700},
             {"young", 70000000000},
             {"poisson", 0.33},
             {"delay", 0.01},
             {"first_young", infinite},
             {"viscosity", 100000000},
             {"yield", 35000000},
         })},
        {"lead",
         "handbook values of lead; no yield: it creeps under its weight",
         make_material<Material>({
             {"density", 11340},
             {"young", 16000000000},
             {"poisson", 0.44},
             {"delay", 0.02},
             {"first_young", infinite},
             {"viscosity", 1000000000},
             {"yield", 0},
         })},
        {"wax",
         "candle wax on a warm day: handbook density and stiffness of paraffin; creep by eye",
         make_material<Material>({
             {"density", 900},
             {"young", 200000000},
             {"poisson", 0.45},
             {"delay", 0.3},
             {"first_young", infinite},
             {"viscosity", 200000000},
             {"yield", 0},
         })},
        {"plastic",
         "handbook values of polypropylene; viscosity such that a bend follows the hand",
         make_material<Material>({
             {"density", 905},
             {"young", 1500000000},
             {"poisson", 0.42},
             {"delay", 0.05},
             {"first_young", infinite},
             {"viscosity", 20000000},
             {"yield", 30000000},
         })},
        {"leaf",
         "a fresh leaf: stiffness between those of blade and midrib; all comes back",
         make_material<Material>({
             {"density", 700},
             {"young", 20000000},
             {"poisson", 0.35},
             {"delay", 0.08},
             {"first_young", infinite},
             {"viscosity", infinite},
             {"yield", 0},
         })},
        {"dough",
         "bread dough as Burgers' model; orders of magnitude of creep tests",
         make_material<Material>({
             {"density", 1100},
             {"young", 20000},
             {"poisson", 0.48},
             {"delay", 0.5},
             {"first_young", 50000},
             {"viscosity", 500000},
             {"yield", 0},
         })},
        {"copper",
         "handbook values of annealed copper wire; viscosity such that a bend follows the hand",
         make_material<Material>({
             {"density", 8960},
             {"young", 117000000000},
             {"poisson", 0.34},
             {"delay", 0.01},
             {"first_young", infinite},
             {"viscosity", 100000000},
             {"yield", 70000000},
         })},
    };
    return list;
}

const Material& preset(std::string_view name) {
    return find_preset(presets(), name);
}

} // namespace nendo::rheology
