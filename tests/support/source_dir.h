// SPDX-License-Identifier: Apache-2.0
// Where the repository is, for tests that read its scenes and help pages.
#pragma once

#include <filesystem>

namespace nendo::test {

std::filesystem::path source_dir();

} // namespace nendo::test
