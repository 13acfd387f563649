// SPDX-License-Identifier: Apache-2.0
// USD layers as text (.usda): names, values and nested prims, without any library.
#pragma once

#include "core/types.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nendo {

/// A value at a frame.
using UsdSample = std::pair<int, std::string>;

/// Quoted text; a path between at signs; the nearest name that USD allows.
std::string usd_string(std::string_view text);
std::string usd_asset(std::string_view path);
std::string usd_name(std::string_view text);

/// Formats a number in the fewest digits that read back to the same single-precision value. Throws
/// for a value that is not finite.
std::string usd_number(double value);
std::string usd_tuple(const Vec3d& v);
/// Formats in double precision. USD multiplies row vectors: its matrix is the transpose of ours.
std::string usd_matrix(const Eigen::Matrix4d& matrix);
std::string usd_array(const std::vector<Vec3d>& vectors);
/// Formats numbers, in tuples of `width` if it is more than one.
std::string usd_array(const std::vector<double>& numbers, int width = 1);
std::string usd_array(const std::vector<std::int64_t>& numbers);

/// A layer under construction.
class UsdText {
public:
    /// Metadata are lines such as `upAxis = "Y"`.
    explicit UsdText(const std::vector<std::string>& metadata);

    /// Opens a prim. `head` is a specifier, a type and a name, such as def Mesh "skin". Attributes
    /// accept metadata too.
    void open(std::string_view head, const std::vector<std::string>& metadata = {});
    void close();
    void line(std::string_view text);
    void attribute(std::string_view declaration, std::string_view value,
                   const std::vector<std::string>& metadata = {});
    /// Writes a value that changes with time; one that never changes is written once.
    void attribute(std::string_view declaration, const std::vector<UsdSample>& samples,
                   const std::vector<std::string>& metadata = {});

    std::string take() { return std::move(m_text); }

private:
    void indent();
    void add_metadata(const std::vector<std::string>& metadata);

    std::string m_text = "#usda 1.0\n";
    int m_depth = 0;
};

} // namespace nendo
