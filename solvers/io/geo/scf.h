// SPDX-License-Identifier: Apache-2.0
// The compressed container of Houdini's .sc files: Blosc chunks between "scf1" and an index.
#pragma once

#include <string>
#include <string_view>

namespace nendo {

bool is_scf(std::string_view bytes);

/// Returns the content of a container. `path` is used in messages.
std::string unpack_scf(std::string_view bytes, const std::string& path);

std::string pack_scf(std::string_view content);

} // namespace nendo
