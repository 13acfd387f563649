// SPDX-License-Identifier: Apache-2.0
// The version of the library, of the program and of the package.
#pragma once

namespace nendo {

/// The version that CMakeLists.txt gives, for example "0.1.0".
const char* version();

} // namespace nendo
