// SPDX-License-Identifier: Apache-2.0
// The table of looks, and the choice of a look for each material preset.
#include "io/scene/look.h"

#include "core/error.h"
#include "core/names.h"

#include <algorithm>
#include <array>
#include <utility>

namespace nendo {

const std::vector<Look>& looks() {
    // roughness, metallic, ior, transmission, subsurface, depth, scatter, glow
    static const Vec3d even(1, 1, 1), warm(1, 0.5, 0.3);
    static const std::vector<Look> list{
        {"clay", 0.85, 0, 1.5, 0, 0, 0.01, warm, 0},
        {"rubber", 0.45, 0, 1.5, 0, 0, 0.01, warm, 0},
        {"plastic", 0.3, 0, 1.5, 0, 0, 0.01, warm, 0},
        {"metal", 0.32, 1, 1.5, 0, 0, 0.01, even, 0},
        {"dough", 0.75, 0, 1.45, 0, 0.35, 0.03, warm, 0},
        {"gum", 0.35, 0, 1.45, 0, 0.4, 0.03, warm, 0},
        {"cream", 0.5, 0, 1.4, 0, 0.7, 0.04, warm, 0},
        {"snow", 0.8, 0, 1.31, 0, 0.6, 0.04, Vec3d(0.7, 0.85, 1), 0},
        {"wax", 0.4, 0, 1.44, 0, 0.8, 0.06, warm, 0},
        {"butter", 0.4, 0, 1.46, 0, 0.6, 0.04, warm, 0},
        {"chocolate", 0.3, 0, 1.5, 0, 0.2, 0.01, warm, 0},
        {"leaf", 0.5, 0, 1.45, 0, 0.3, 0.02, Vec3d(0.6, 1, 0.4), 0},
        {"lava", 0.8, 0, 1.5, 0, 0, 0.01, warm, 0.8},
        {"jelly", 0.12, 0, 1.35, 0.45, 0.9, 0.25, even, 0},
        {"water", 0.02, 0, 1.33, 1, 0, 0.4, even, 0},
        {"ice", 0.1, 0, 1.31, 0.7, 0.8, 0.3, Vec3d(0.7, 0.85, 1), 0},
        {"oil", 0.02, 0, 1.47, 0.95, 0, 0.25, even, 0},
        {"honey", 0.05, 0, 1.5, 0.85, 0.8, 0.12, warm, 0},
    };
    return list;
}

const Look& find_look(std::string_view name) {
    std::vector<std::string_view> names;
    for (const Look& look : looks()) {
        if (look.name == name) return look;
        names.push_back(look.name);
    }
    throw Error("there is no look '" + std::string(name) + "'", "", suggest(name, names));
}

const Look& look_of(std::string_view preset, std::string_view method, bool liquid) {
    using Pair = std::pair<std::string_view, std::string_view>;
    static constexpr std::array<Pair, 12> by_preset{{{"firm_clay", "clay"},
                                                     {"large_water", "water"},
                                                     {"membrane", "rubber"},
                                                     {"telescopic", "rubber"},
                                                     {"balloon", "rubber"},
                                                     {"jellyfish", "jelly"},
                                                     {"gelatin", "jelly"},
                                                     {"paper", "wax"},
                                                     {"steel", "metal"},
                                                     {"aluminium", "metal"},
                                                     {"lead", "metal"},
                                                     {"copper", "metal"}}};
    if (preset == "ice" && liquid) return find_look("water");
    for (const auto& [name, look] : by_preset)
        if (name == preset) return find_look(look);
    for (const Look& look : looks())
        if (look.name == preset) return look;
    if (method == "coupling") return find_look(liquid ? "water" : "rubber");
    if (method == "melt") return find_look("wax");
    return find_look(method == "rheology" ? "plastic" : "clay");
}

} // namespace nendo
