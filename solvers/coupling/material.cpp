#include "coupling/material.h"

#include "core/error.h"
#include "core/names.h"

namespace nendo::coupling {

const std::vector<Preset>& presets() {
    // Phase, density, viscosity, stiffness, damping, connection, break strain.
    static const std::vector<Preset> all{
        {"water",
         "thicker than real water, as particles of a few centimetres need",
         {Phase::fluid, 1000, 0.01, 0, 0, 2.1, infinite}},
        {"large_water",
         "S002 section 4: water with particles a metre apart",
         {Phase::fluid, 1000, 0.3, 0, 0, 2.1, infinite}},
        {"oil", "a light, slow fluid", {Phase::fluid, 900, 0.05, 0, 0, 2.1, infinite}},
        {"honey", "a heavy, slow fluid", {Phase::fluid, 1400, 0.5, 0, 0, 2.1, infinite}},
        {"membrane",
         "S002 Fig 2 with the stiffness that holds its shape",
         {Phase::body, 1100, 0.3, 120, 4, 2.1, infinite}},
        {"telescopic", "S002 Fig 3", {Phase::body, 700, 0.3, 10, 15, 2.4, infinite}},
        {"jellyfish", "S002 Fig 5", {Phase::body, 1100, 0.3, 50, 10, 4.1, infinite}},
        {"balloon",
         "thin rubber that bursts at three times its length",
         {Phase::body, 1100, 0.05, 4000, 10, 1.6, 2}},
    };
    return all;
}

const Material& preset(std::string_view name) {
    std::vector<std::string_view> names;
    for (const Preset& known : presets()) {
        if (known.name == name) return known.material;
        names.push_back(known.name);
    }
    throw Error("there is no preset '" + std::string(name) + "'", "material", suggest(name, names));
}

} // namespace nendo::coupling
