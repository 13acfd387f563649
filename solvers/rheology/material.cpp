#include "rheology/material.h"

#include "core/error.h"
#include "core/names.h"

namespace nendo::rheology {

const std::vector<Preset>& presets() {
    // name, source, {density, young, poisson, delay, first_young, viscosity, yield}. Densities,
    // moduli and yields are handbook values; viscosities are such that a bend follows the hand.
    static const std::vector<Preset> list = {
        {"steel", "mild steel", {7850, 2e11, 0.3, 0.01, infinite, 2e8, 2.5e8}},
        {"aluminium", "soft aluminium wire", {2700, 7e10, 0.33, 0.01, infinite, 1e8, 3.5e7}},
        {"lead", "lead; creeps under its weight", {11340, 1.6e10, 0.44, 0.02, infinite, 1e9, 0}},
        {"wax", "candle wax on a warm day", {900, 2e8, 0.45, 0.3, infinite, 2e8, 0}},
        {"plastic", "polypropylene", {905, 1.5e9, 0.42, 0.05, infinite, 2e7, 3e7}},
        {"leaf", "a fresh leaf: all comes back", {700, 2e7, 0.35, 0.08, infinite, infinite, 0}},
        {"dough", "bread dough (Burgers)", {1100, 2e4, 0.48, 0.5, 5e4, 5e5, 0}},
    };
    return list;
}

const Material& preset(std::string_view name) {
    std::vector<std::string_view> names;
    for (const Preset& p : presets()) {
        if (p.name == name) return p.material;
        names.push_back(p.name);
    }
    throw Error("unknown preset '" + std::string(name) + "'", "", suggest(name, names));
}

} // namespace nendo::rheology
