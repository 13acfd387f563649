// SPDX-License-Identifier: Apache-2.0
// Error messages for attributes that do not fit a table.
#include "io/geo/table.h"

namespace nendo::geo_detail {
namespace {

std::string kind_of(const Attribute& attribute) {
    if (std::holds_alternative<StringColumn>(attribute.values)) return "text";
    if (std::holds_alternative<KeptAttribute>(attribute.values)) return "another kind of values";
    const bool real = std::holds_alternative<std::vector<float>>(attribute.values) ||
                      std::holds_alternative<std::vector<double>>(attribute.values);
    return std::to_string(attribute.tuple_size) + (real ? " real" : " integer") + " values";
}

} // namespace

void fail_missing(const Field& f, const std::vector<Attribute>& known, const std::string& where) {
    std::string names;
    for (const Attribute& attribute : known) names += (names.empty() ? "" : ", ") + attribute.name;
    throw Error("attribute '" + std::string(f.name_) + "' is missing", where,
                names.empty() ? "the file has no attributes; write it again"
                              : "add it; the file has " + names);
}

void fail_shape(const Field& f, const Attribute& found, int width, bool is_integer,
                const std::string& where) {
    throw Error("attribute '" + std::string(f.name_) + "' holds " + kind_of(found), where,
                "give it " + std::to_string(width) + (is_integer ? " integer" : " real") +
                    (width == 1 ? " value" : " values") + " per element");
}

} // namespace nendo::geo_detail
