// SPDX-License-Identifier: Apache-2.0
// The files of a run: names with frame numbers, ranges of frames, and lists of a folder's files.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace nendo::cli {

struct FrameRange {
    int first = 0;
    int last = 0;
    bool holds(int frame) const { return first <= frame && frame <= last; }
};

/// Parses "3-17" or "5". Throws an Error that shows the format.
FrameRange parse_frames(const std::string& text);

/// "masters", 7, ".bgeo.sc" -> "masters.0007.bgeo.sc".
std::string frame_name(const std::string& stem, int frame, const std::string& suffix);

/// The frame number of a name like "stem.0012.suffix"; none for other names and temporary files.
std::optional<int> frame_of(const std::string& name, const std::string& stem);

/// Files `stem.NNNN.anything` of a folder, by frame. Empty if the folder does not exist.
std::map<int, std::filesystem::path> list_frames(const std::filesystem::path& folder,
                                                 const std::string& stem);

/// The files in a folder that `nendo` writes; other files belong to the user.
std::vector<std::filesystem::path> list_run_files(const std::filesystem::path& folder);

/// Half-written files of a run that was killed. Leaves out the files of other commands, which may
/// still be running.
std::vector<std::filesystem::path> list_leftovers(const std::filesystem::path& folder);

/// Creates the folder and its parents. Throws an Error that names it.
void make_folder(const std::filesystem::path& folder);

} // namespace nendo::cli
