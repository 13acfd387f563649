// SPDX-License-Identifier: Apache-2.0
// The note in a run's checkpoint beside the state: the scene, the frame and the version of Nendo.
#pragma once

#include "io/json_fields.h"

#include <fmt/format.h>

#include <string>

namespace nendo::cli {

struct RunNote {
    std::string scene; ///< Hash of the scene
    int frame = 0;     ///< Frame of the state
    std::string nendo; ///< Version that wrote it

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.scene, field("scene"));
        visit(self.frame, field("frame").range(0, infinite));
        visit(self.nendo, field("nendo"));
    }
};

inline std::string write_note(const RunNote& note) {
    return write_object(note).dump();
}

inline RunNote read_note(const std::string& text, const std::string& path) {
    RunNote note;
    read_object(note, parse_json(text, path), {path, "note"});
    return note;
}

/// A hash as 16 hexadecimal digits.
inline std::string hex(std::uint64_t hash) {
    return fmt::format("{:016x}", hash);
}

} // namespace nendo::cli
