// SPDX-License-Identifier: Apache-2.0
// Code that the fuzz targets share. A target accepts any bytes: it may refuse them with an Error
// and must keep its promises on what it accepts. With NENDO_FUZZ it is driven by libFuzzer,
// otherwise by main.cpp.
#pragma once

#include "core/error.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

extern "C" {
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
/// Changes the bytes in place and returns their new number. Defined by libFuzzer or main.cpp.
std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);
/// The target's own mutator, where it has one.
std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                    unsigned seed);
}

namespace nendo::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

/// Ends the process when a promise does not hold, in debug and release builds.
inline void require(bool holds, const char* promise) {
    if (holds) return;
    std::fprintf(stderr, "fuzz: broken promise: %s\n", promise);
    std::abort();
}

/// Returns true if `action` completed, false if it threw an Error, which must have a remedy or a
/// place. Any other exception ends the process.
template <class Action> bool accepted(const Action& action) {
    try {
        action();
        return true;
    } catch (const Error& error) {
        require(std::string_view(error.what()).size() > 1, "an error says something");
        return false;
    }
}

/// Puts `text` into the buffer unless it is too long; returns the new size, or 0.
inline std::size_t put_back(const std::string& text, std::uint8_t* data, std::size_t max_size) {
    if (text.size() > max_size) return 0;
    for (std::size_t i = 0; i < text.size(); ++i) data[i] = static_cast<std::uint8_t>(text[i]);
    return text.size();
}

} // namespace nendo::fuzz
