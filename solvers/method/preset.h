// SPDX-License-Identifier: Apache-2.0
// Named materials that artists start from. otls/generate.py writes the tables from otls/presets;
// this file turns their values into a material by means of its declared fields.
#pragma once

#include "core/error.h"
#include "core/fields.h"
#include "core/names.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace nendo {

/// A value of a preset: a number in the field's unit, or the name of a choice.
struct PresetValue {
    std::string_view field;
    double number = 0;
    std::string_view choice = {};
};

namespace detail {

inline void set_preset_value(double& member, const Field&, const PresetValue& value) {
    member = value.number;
}
template <class Enum> void set_preset_value(Enum& member, const Field& f, const PresetValue& v) {
    static_assert(std::is_enum_v<Enum>, "materials are made of numbers and choices");
    const auto found = std::find(f.choices_.begin(), f.choices_.end(), v.choice);
    if (found != f.choices_.end()) member = static_cast<Enum>(found - f.choices_.begin());
}

} // namespace detail

/// Makes a material from the values of a preset. Fields without a value keep their defaults.
template <class Material> Material make_material(const std::vector<PresetValue>& values) {
    Material material;
    for_each_field(material, [&](auto& member, const Field& f) {
        for (const PresetValue& value : values)
            if (value.field == f.name_) detail::set_preset_value(member, f, value);
    });
    return material;
}

/// A material with a name.
template <class Material> struct Preset {
    std::string_view name;
    std::string_view source; ///< Where the numbers come from
    Material material;
};

template <class Material>
std::vector<std::string_view> preset_names(const std::vector<Preset<Material>>& presets) {
    std::vector<std::string_view> names;
    for (const Preset<Material>& preset : presets) names.push_back(preset.name);
    return names;
}

/// Throws an Error that suggests the closest known name.
template <class Material>
const Material& find_preset(const std::vector<Preset<Material>>& presets, std::string_view name) {
    for (const Preset<Material>& preset : presets)
        if (preset.name == name) return preset.material;
    throw Error("there is no preset '" + std::string(name) + "'", "material",
                suggest(name, preset_names(presets)));
}

/// A material in a scene file or a node: the name of a preset, and the values that differ from it.
template <class Material, const std::vector<Preset<Material>>& (*presets)()> struct PresetMaterial {
    std::string preset;
    Material material;

    static const Material& find(std::string_view name) { return find_preset(presets(), name); }

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.preset, field("preset")
                               .label("Preset")
                               .choices(preset_names(presets()))
                               .help("Named material that supplies every value not given here."));
        Material::fields(self.material, visit);
    }
};

} // namespace nendo
