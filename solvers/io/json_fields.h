// SPDX-License-Identifier: Apache-2.0
// Reads and writes JSON for any struct that declares its fields, and describes it as a schema. A
// member is a double, int, bool, string, enum, Vec3d, a struct with fields, an optional of these,
// or a list of structs; other types specialize JsonForm. Every error is one line: file, key path,
// remedy.
#pragma once

#include "core/error.h"
#include "core/fields.h"
#include "core/names.h"
#include "core/range.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

namespace nendo {

/// Keys keep the order in which they were written.
using Json = nlohmann::ordered_json;

/// A position in a document, such as "scene.json" and "bodies.0.material".
struct JsonPlace {
    std::string file;
    std::string path;

    std::string where() const { return path.empty() ? file : file + ": " + path; }
    JsonPlace below(std::string_view key) const {
        return {file, path.empty() ? std::string(key) : path + "." + std::string(key)};
    }
    JsonPlace below(std::size_t index) const { return below(std::to_string(index)); }
};

/// Describes a JSON value in a message.
inline std::string describe_json(const Json& json) {
    switch (json.type()) {
    case Json::value_t::null: return "null";
    case Json::value_t::object: return "an object";
    case Json::value_t::array: return "a list of " + std::to_string(json.size());
    case Json::value_t::string: return "text \"" + json.get<std::string>() + "\"";
    case Json::value_t::boolean: return json.get<bool>() ? "true" : "false";
    default: return "the number " + json.dump();
    }
}

[[noreturn]] inline void throw_wrong_type(const Json& json, const JsonPlace& place,
                                          const std::string& expected) {
    throw Error("is " + describe_json(json), place.where(), "give " + expected);
}

/// How a type is read, written and described. The primary template covers the types listed above.
template <class T, class = void> struct JsonForm;

template <class T> void read_json(T& value, const Json& json, const Field& f, const JsonPlace& p) {
    JsonForm<T>::read(value, json, f, p);
}
template <class T> Json write_json(const T& value, const Field& f) {
    return JsonForm<T>::write(value, f);
}
/// `defs` collects the named types (T::schema_name), which may contain themselves.
template <class T> Json describe_type(const T& value, const Field& f, Json& defs) {
    return JsonForm<T>::schema(value, f, defs);
}

template <> struct JsonForm<double> {
    static void read(double& value, const Json& json, const Field& f, const JsonPlace& place) {
        if (f.may_be_none_ && json.is_null()) {
            value = infinite;
            return;
        }
        if (!json.is_number()) throw_wrong_type(json, place, describe_range(f, "a number"));
        const double number = json.get<double>();
        check_range(number, f, place.where(), "a number");
        value = number;
    }
    static Json write(double value, const Field&) {
        return std::isfinite(value) ? Json(value) : Json(nullptr);
    }
    static Json schema(double value, const Field& f, Json&) {
        Json schema;
        schema["type"] = f.may_be_none_ ? Json::array({"number", "null"}) : Json("number");
        if (f.min_ > -infinite) schema[f.above_min_ ? "exclusiveMinimum" : "minimum"] = f.min_;
        if (f.max_ < infinite) schema["maximum"] = f.max_;
        if (std::isfinite(value) || f.may_be_none_) schema["default"] = write(value, f);
        return schema;
    }
};

template <class T>
struct JsonForm<T, std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>>> {
    static void read(T& value, const Json& json, const Field& f, const JsonPlace& place) {
        if (!json.is_number()) throw_wrong_type(json, place, describe_range(f, "a whole number"));
        const double number = json.get<double>();
        check_range(number, f, place.where(), "a whole number");
        if (number != std::floor(number) ||
            number < static_cast<double>(std::numeric_limits<T>::min()) ||
            number > static_cast<double>(std::numeric_limits<T>::max()))
            throw_wrong_type(json, place, describe_range(f, "a whole number"));
        value = json.is_number_integer() ? json.get<T>() : static_cast<T>(number);
    }
    static Json write(T value, const Field&) { return value; }
    static Json schema(T value, const Field& f, Json&) {
        Json schema{{"type", "integer"}};
        if (f.min_ > -infinite) schema[f.above_min_ ? "exclusiveMinimum" : "minimum"] = f.min_;
        if (f.max_ < infinite) schema["maximum"] = f.max_;
        schema["default"] = value;
        return schema;
    }
};

template <> struct JsonForm<bool> {
    static void read(bool& value, const Json& json, const Field&, const JsonPlace& place) {
        if (!json.is_boolean()) throw_wrong_type(json, place, "true or false");
        value = json.get<bool>();
    }
    static Json write(bool value, const Field&) { return value; }
    static Json schema(bool value, const Field&, Json&) {
        return {{"type", "boolean"}, {"default", value}};
    }
};

/// Returns the index of `json` among the field's choices. Throws if it is not one of them.
inline std::size_t read_choice(const Json& json, const Field& f, const JsonPlace& place) {
    std::string names;
    for (const auto name : f.choices_) names += (names.empty() ? "" : ", ") + std::string(name);
    if (!json.is_string()) throw_wrong_type(json, place, "one of: " + names);
    const auto text = json.get<std::string>();
    const auto found = std::find(f.choices_.begin(), f.choices_.end(), text);
    if (found == f.choices_.end())
        throw Error("'" + text + "' is not one of: " + names, place.where(),
                    suggest(text, f.choices_));
    return static_cast<std::size_t>(found - f.choices_.begin());
}

template <> struct JsonForm<std::string> {
    static void read(std::string& value, const Json& json, const Field& f, const JsonPlace& place) {
        if (!f.choices_.empty()) read_choice(json, f, place);
        if (!json.is_string()) throw_wrong_type(json, place, "text in quotes");
        value = json.get<std::string>();
    }
    static Json write(const std::string& value, const Field&) { return value; }
    static Json schema(const std::string& value, const Field& f, Json&) {
        Json schema{{"type", "string"}};
        if (!f.choices_.empty()) schema["enum"] = f.choices_;
        if (!value.empty()) schema["default"] = value;
        return schema;
    }
};

template <class T> struct JsonForm<T, std::enable_if_t<std::is_enum_v<T>>> {
    static void read(T& value, const Json& json, const Field& f, const JsonPlace& place) {
        value = static_cast<T>(read_choice(json, f, place));
    }
    static Json write(T value, const Field& f) {
        return f.choices_.at(static_cast<std::size_t>(value));
    }
    static Json schema(T value, const Field& f, Json&) {
        return {{"type", "string"}, {"enum", f.choices_}, {"default", write(value, f)}};
    }
};

template <> struct JsonForm<Vec3d> {
    static void read(Vec3d& value, const Json& json, const Field& f, const JsonPlace& place) {
        if (!json.is_array() || json.size() != 3)
            throw_wrong_type(json, place, "a list of three numbers");
        for (std::size_t k = 0; k < 3; ++k)
            read_json(value[static_cast<Eigen::Index>(k)], json[k], f, place.below(k));
    }
    static Json write(const Vec3d& value, const Field&) { return {value[0], value[1], value[2]}; }
    static Json schema(const Vec3d& value, const Field& f, Json& defs) {
        Json item = describe_type(value[0], f, defs);
        item.erase("default");
        return {{"type", "array"},
                {"items", item},
                {"minItems", 3},
                {"maxItems", 3},
                {"default", write(value, f)}};
    }
};

/// Reads every key of `json` into the member of that name. Members without a key keep their values
/// in `object`.
template <class Object> void read_object(Object& object, const Json& json, const JsonPlace& place) {
    if (!json.is_object()) throw_wrong_type(json, place, "an object in braces");
    std::vector<std::string_view> known;
    for_each_field(object, [&](auto&, const Field& f) { known.push_back(f.name_); });
    for (const auto& [key, value] : json.items())
        if (std::find(known.begin(), known.end(), key) == known.end())
            throw Error("unknown key", place.below(key).where(),
                        known.empty() ? "remove it" : suggest(key, known));
    for_each_field(object, [&](auto& member, const Field& f) {
        const auto found = json.find(std::string(f.name_));
        if (found != json.end()) read_json(member, *found, f, place.below(f.name_));
    });
}

template <class T> struct IsOptional : std::false_type {};
template <class T> struct IsOptional<std::optional<T>> : std::true_type {};
template <class T> struct IsList : std::false_type {};
template <class T> struct IsList<std::vector<T>> : std::true_type {};

/// Writes all members; optionals, lists and strings only if they are not empty.
template <class Object> Json write_object(const Object& object) {
    Json json = Json::object();
    for_each_field(object, [&](const auto& member, const Field& f) {
        using T = std::decay_t<decltype(member)>;
        if constexpr (IsOptional<T>::value) {
            if (!member.has_value()) return;
        } else if constexpr (IsList<T>::value || std::is_same_v<T, std::string>) {
            if (member.empty()) return;
        }
        json[std::string(f.name_)] = write_json(member, f);
    });
    return json;
}

template <class Object> Json describe_object(const Object& object, Json& defs) {
    Json properties = Json::object();
    for_each_field(object, [&](const auto& member, const Field& f) {
        Json type = describe_type(member, f, defs);
        Json entry = Json::object();
        if (f.label_ != f.name_) entry["title"] = f.label_;
        std::string text(f.help_);
        if (f.unit_ != "1") text += (text.empty() ? "[" : " [") + std::string(f.unit_) + "]";
        if (!text.empty()) entry["description"] = text;
        entry.update(type);
        properties[std::string(f.name_)] = std::move(entry);
    });
    return {{"type", "object"}, {"additionalProperties", false}, {"properties", properties}};
}

template <class T, class = void> struct HasFields : std::false_type {};
template <class T> struct IgnoreFields {
    template <class Member> void operator()(Member&, const Field&) const {}
};
template <class T>
struct HasFields<T, std::void_t<decltype(T::fields(std::declval<T&>(), IgnoreFields<T>{}))>>
    : std::true_type {};

template <class T, class = void> struct HasSchemaName : std::false_type {};
template <class T>
struct HasSchemaName<T, std::void_t<decltype(T::schema_name)>> : std::true_type {};

/// Returns the schema of an object, by reference if its type has a name.
template <class T> Json describe_named(const T& object, Json& defs) {
    if constexpr (HasSchemaName<T>::value) {
        const std::string name(T::schema_name);
        if (!defs.contains(name)) {
            defs[name] = Json::object(); // ends the recursion of a type that contains itself
            Json schema = describe_object(object, defs);
            defs[name] = std::move(schema);
        }
        return {{"$ref", "#/$defs/" + name}};
    } else {
        return describe_object(object, defs);
    }
}

/// True for templates with fields that specialize JsonForm themselves.
template <class T> inline constexpr bool has_own_form = false;

template <class T> struct JsonForm<T, std::enable_if_t<HasFields<T>::value && !has_own_form<T>>> {
    static void read(T& value, const Json& json, const Field&, const JsonPlace& place) {
        read_object(value, json, place);
    }
    static Json write(const T& value, const Field&) { return write_object(value); }
    static Json schema(const T& value, const Field&, Json& defs) {
        return describe_named(value, defs);
    }
};

/// An initialized value to read into: Eigen's vectors are not zero by default.
template <class T> T blank() {
    if constexpr (std::is_same_v<T, Vec3d>)
        return Vec3d::Zero();
    else
        return T{};
}

template <class T> struct JsonForm<std::optional<T>> {
    static void read(std::optional<T>& value, const Json& json, const Field& f,
                     const JsonPlace& place) {
        T inner = blank<T>();
        read_json(inner, json, f, place);
        value = std::move(inner);
    }
    static Json write(const std::optional<T>& value, const Field& f) {
        return value ? write_json(*value, f) : Json(nullptr);
    }
    static Json schema(const std::optional<T>&, const Field& f, Json& defs) {
        Json schema = describe_type(blank<T>(), f, defs);
        schema.erase("default");
        return schema;
    }
};

template <class T> struct JsonForm<std::vector<T>> {
    static void read(std::vector<T>& value, const Json& json, const Field& f,
                     const JsonPlace& place) {
        if (!json.is_array()) throw_wrong_type(json, place, "a list in brackets");
        value.assign(json.size(), T{});
        for (std::size_t i = 0; i < json.size(); ++i)
            read_json(value[i], json[i], f, place.below(i));
    }
    static Json write(const std::vector<T>& value, const Field& f) {
        Json json = Json::array();
        for (const T& item : value) json.push_back(write_json(item, f));
        return json;
    }
    static Json schema(const std::vector<T>&, const Field& f, Json& defs) {
        return {{"type", "array"}, {"items", describe_type(T{}, f, defs)}};
    }
};

/// No scene is nested deeper than this. Readers are recursive, one call per level.
inline constexpr int max_json_depth = 100;

inline void check_json_depth(int depth, const std::string& file) {
    if (depth > max_json_depth)
        throw Error("is nested deeper than " + std::to_string(max_json_depth) + " levels", file,
                    "use fewer lists and objects within each other");
}

/// Parses a document. Comments are allowed, duplicate keys are not. Errors name the line and
/// column.
inline Json parse_json(const std::string& text, const std::string& file) {
    std::vector<std::set<std::string>> keys;
    const auto check = [&](int depth, Json::parse_event_t event, Json& parsed) {
        check_json_depth(depth, file);
        if (event == Json::parse_event_t::object_start) keys.emplace_back();
        if (event == Json::parse_event_t::object_end) keys.pop_back();
        if (event == Json::parse_event_t::key &&
            !keys.back().insert(parsed.get<std::string>()).second)
            throw Error("key \"" + parsed.get<std::string>() + "\" is given twice", file,
                        "keep one of them");
        return true;
    };
    try {
        return Json::parse(text, check, true, true);
    } catch (const Json::exception& problem) {
        std::string message = problem.what(); // "[json.exception...] parse error at line 3, ..."
        const auto prefix = message.find("] ");
        if (prefix != std::string::npos) message.erase(0, prefix + 2);
        throw Error(message, file,
                    "write JSON there; numbers must be finite (no NaN, no Infinity)");
    }
}

} // namespace nendo
