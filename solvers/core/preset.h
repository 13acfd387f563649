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

/// The material of the preset called `name`. Throws an error that suggests the nearest known name.
template <class Preset>
const auto& find_preset(const std::vector<Preset>& presets, std::string_view name) {
    std::vector<std::string_view> names;
    for (const Preset& p : presets) {
        if (p.name == name) return p.material;
        names.push_back(p.name);
    }
    throw Error("there is no preset '" + std::string(name) + "'", "material", suggest(name, names));
}

} // namespace nendo
