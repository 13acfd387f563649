// SPDX-License-Identifier: Apache-2.0
// Pictures as pixels: PNG files, and contact sheets.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace nendo::cli {

/// Pixels with eight bits per channel, sRGB, row by row from the top left.
struct Image {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;
};

void write_png(const std::filesystem::path& path, const Image& image);
Image read_png(const std::filesystem::path& path);

/// Pictures side by side, each `cell_width` pixels wide, with labels of digits in their corners.
/// All cells have the aspect ratio of the first picture.
Image contact_sheet(const std::vector<Image>& images, int columns,
                    const std::vector<std::string>& labels, int cell_width = 480);

} // namespace nendo::cli
