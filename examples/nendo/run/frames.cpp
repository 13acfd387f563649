// SPDX-License-Identifier: Apache-2.0
#include "run/frames.h"

#include "run/methods.h"

#include "core/error.h"
#include "io/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace nendo::cli {

namespace fs = std::filesystem;

namespace {

std::optional<int> parse_number(std::string_view text) {
    int value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = result.ec == std::errc() && result.ptr == text.data() + text.size();
    return whole && value >= 0 ? std::optional<int>(value) : std::nullopt;
}

std::vector<fs::path> sorted_files(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code problem;
    for (const auto& entry : fs::directory_iterator(folder, problem)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

/// Stems of the frame files that `nendo sim` writes, for all methods.
std::vector<std::string> run_stems() {
    std::vector<std::string> stems{std::string(skin_stem)};
    for (const FrameStems& method : all_stems()) {
        stems.emplace_back(method.shown);
        stems.emplace_back(method.internals);
    }
    return stems;
}

} // namespace

FrameRange parse_frames(const std::string& text) {
    const std::size_t dash = text.find('-');
    const auto first = parse_number(text.substr(0, dash));
    const auto last = dash == std::string::npos ? first : parse_number(text.substr(dash + 1));
    if (!first || !last || *last < *first)
        throw Error("is not a range of frames", "--frames " + text,
                    "write it as --frames 0-48 or --frames 12");
    return {*first, *last};
}

std::string frame_name(const std::string& stem, int frame, const std::string& suffix) {
    return fmt::format("{}.{:04}{}", stem, frame, suffix);
}

std::optional<int> frame_of(const std::string& name, const std::string& stem) {
    if (name.rfind(stem + ".", 0) != 0 || is_temporary(name)) return std::nullopt;
    const std::size_t begin = stem.size() + 1, end = name.find('.', begin);
    if (end == std::string::npos) return std::nullopt;
    return parse_number(std::string_view(name).substr(begin, end - begin));
}

std::map<int, fs::path> list_frames(const fs::path& folder, const std::string& stem) {
    std::map<int, fs::path> frames;
    for (const fs::path& file : sorted_files(folder))
        if (const auto frame = frame_of(file.filename().string(), stem)) frames[*frame] = file;
    return frames;
}

std::vector<fs::path> list_run_files(const fs::path& folder) {
    std::vector<fs::path> ours;
    for (const fs::path& file : sorted_files(folder)) {
        const std::string name = file.filename().string();
        bool mine = false;
        for (const std::string& stem : run_stems()) mine = mine || frame_of(name, stem).has_value();
        for (const char* stem : {"surface", "volume", "render", "geometry"})
            mine = mine || frame_of(name, stem).has_value();
        for (const char* whole : {"scene.json", "stats.jsonl", "checkpoint.nendo", "sheet.png",
                                  "scene.usda", "geometry.usda", "geometry.manifest.usda"})
            mine = mine || name == whole;
        if (mine) ours.push_back(file);
    }
    return ours;
}

std::vector<fs::path> list_leftovers(const fs::path& folder) {
    std::vector<fs::path> leftovers;
    for (const fs::path& file : sorted_files(folder)) {
        const std::string name = file.filename().string();
        const auto begins = [&](const std::string& start) { return name.rfind(start, 0) == 0; };
        bool ours = begins("scene.json.") || begins("stats.jsonl.") || begins("checkpoint.nendo.");
        for (const std::string& stem : run_stems()) ours = ours || begins(stem + ".");
        if (ours && is_temporary(name)) leftovers.push_back(file);
    }
    return leftovers;
}

void make_folder(const fs::path& folder) {
    std::error_code problem;
    fs::create_directories(folder, problem);
    if (problem || !fs::is_directory(folder))
        throw Error("cannot create this folder" + (problem ? " (" + problem.message() + ")" : ""),
                    folder.string(), "choose another one with --out");
}

} // namespace nendo::cli
