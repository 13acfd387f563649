// SPDX-License-Identifier: Apache-2.0
// The files of a run: names with frame numbers, ranges of frames, and what is in a folder.
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

/// "3-17" or "5". Throws an Error with the remedy.
FrameRange parse_frames(const std::string& text);

/// "masters", 7, ".bgeo.sc" -> "masters.0007.bgeo.sc".
std::string frame_name(const std::string& stem, int frame, const std::string& suffix);

/// The frame number of "stem.0012.suffix", if it is such a name and no temporary file's.
std::optional<int> frame_of(const std::string& name, const std::string& stem);

/// Files `stem.NNNN.anything` of a folder, by frame. Empty when there is no such folder.
std::map<int, std::filesystem::path> list_frames(const std::filesystem::path& folder,
                                                 const std::string& stem);

/// Files of the kinds that `nendo` writes; what else is in the folder is not ours.
std::vector<std::filesystem::path> list_run_files(const std::filesystem::path& folder);

/// What a run that was killed left half-written; no file of other commands, which may be at work.
std::vector<std::filesystem::path> list_leftovers(const std::filesystem::path& folder);

/// Makes the folder and the ones above it; throws an Error that names it.
void make_folder(const std::filesystem::path& folder);

} // namespace nendo::cli
