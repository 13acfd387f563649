#include "melt/material.h"

#include "core/error.h"
#include "core/names.h"

namespace nendo::melt {

const std::vector<Preset>& presets() {
    // {density, young, yield, creep, melting_point, latent_heat, heat_capacity, conductivity,
    //  softening, soft_young, blend, flow, liquid_density, viscosity, thinning}
    static const std::vector<Preset> list = {
        {"ice",
         "handbook values of ice and water",
         {917, infinite, infinite, 0, 0, 3.34e5, 2100, 2.2, 0, 2e4, 0, 0, 1000, 1.8e-3, infinite}},
        {"paper",
         "S004 Table 3.2: density 998.29, viscosity 0.04",
         {998.29, infinite, infinite, 0, 50, 1e5, 2000, 1, 0, 2e4, 0, 0, 998.29, 0.04, infinite}},
        {"wax",
         "handbook values of paraffin; flow by eye",
         {900, infinite, infinite, 0, 55, 2e5, 2500, 0.25, 15, 2e4, 1, 2, 780, 0.05, 20}},
        {"chocolate",
         "handbook values of dark chocolate; flow by eye",
         {1300, infinite, 0.2, 1, 33, 4.5e4, 1600, 0.25, 8, 3e4, 1, 1.5, 1250, 2, 15}},
        {"butter",
         "handbook values; flow by eye",
         {911, 1e6, 0.05, 2, 34, 6e4, 2500, 0.2, 20, 1e4, 1, 3, 890, 0.04, 20}},
        {"gelatin",
         "stiffness of a dessert; handbook heat of water",
         {1000, 1e4, infinite, 0, 32, 2e4, 4000, 0.6, 4, 4e3, 0.5, 2, 1000, 0.01, infinite}},
        {"lava",
         "handbook values of basalt; flow by eye",
         {2700, infinite, 0.1, 0.5, 1100, 4e5, 1200, 1.5, 150, 1e5, 1, 0.5, 2600, 100, 60}},
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

} // namespace nendo::melt
