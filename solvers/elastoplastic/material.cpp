#include "elastoplastic/material.h"

#include "core/error.h"
#include "core/names.h"

namespace nendo::elastoplastic {

const std::vector<Preset>& presets() {
    // name, source, {density, young, poisson, yield_stretch, yield_compress, hardening}
    static const std::vector<Preset> list = {
        {"rubber", "S000 Table 1, Fig 9 top", {1000, 6.9e7, 0.3, infinite, infinite, 0}},
        {"jelly", "S000 Table 1, Fig 9 bottom", {1000, 1e6, 0.4, infinite, infinite, 0}},
        {"clay", "S000 Table 1, Fig 10 right", {1000, 1.4e5, 0.2, 7.5e-4, 2.5e-3, 10}},
        {"firm_clay", "S000 Table 1, Fig 10 left", {1000, 1.4e5, 0.2, 4.5e-3, 1.5e-2, 10}},
        {"gum", "S000 Table 1, Fig 13 top", {1000, 1.2e6, 0.25, 0.1, 0.75, 10}},
        {"cream", "S000 Table 1, Fig 13 bottom", {1000, 2e5, 0.45, 0.05, 0.2, 10}},
        {"dough", "S000 Table 1, Fig 7, 8 and 14", {1000, 1.2e6, 0.35, 0.1, 0.8, 10}},
        {"snow", "Stomakhin et al. 2013, Table 2", {400, 1.4e5, 0.2, 7.5e-3, 2.5e-2, 10}},
        {"metal", "S000 Table 1, Fig 12; density of lead", {11340, 2e7, 0.4, 7.5e-4, 2.5e-3, 10}},
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

} // namespace nendo::elastoplastic
