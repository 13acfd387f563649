// SPDX-License-Identifier: Apache-2.0
#include "preview/image.h"

#include "core/error.h"

#include <png.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace nendo::cli {
namespace {

void check_image(const Image& image, const std::string& where) {
    if (image.width < 1 || image.height < 1 ||
        image.rgb.size() != 3 * std::size_t(image.width) * std::size_t(image.height))
        throw Error("is not a picture", where, "give width x height x 3 bytes");
}

/// The digits in 5 x 7 dots, five bits per row.
const std::array<std::array<std::uint8_t, 7>, 10>& digits() {
    static const std::array<std::array<std::uint8_t, 7>, 10> rows{{
        {14, 17, 19, 21, 25, 17, 14},
        {4, 12, 4, 4, 4, 4, 14},
        {14, 17, 1, 2, 4, 8, 31},
        {31, 2, 4, 2, 1, 17, 14},
        {2, 6, 10, 18, 31, 2, 2},
        {31, 16, 30, 1, 1, 17, 14},
        {6, 8, 16, 30, 17, 17, 14},
        {31, 1, 2, 4, 8, 8, 8},
        {14, 17, 17, 14, 17, 17, 14},
        {14, 17, 17, 15, 1, 2, 12},
    }};
    return rows;
}

void draw_number(Image& image, int left, int top, const std::string& label, int dot) {
    for (const char c : label) {
        if (c >= '0' && c <= '9')
            for (int row = 0; row < 7 * dot; ++row)
                for (int column = 0; column < 5 * dot; ++column) {
                    const auto bits = digits()[std::size_t(c - '0')][std::size_t(row / dot)];
                    const int x = left + column, y = top + row;
                    if (((bits >> (4 - column / dot)) & 1) == 0 || x >= image.width ||
                        y >= image.height)
                        continue;
                    const std::size_t at =
                        3 * (std::size_t(y) * std::size_t(image.width) + std::size_t(x));
                    std::fill_n(image.rgb.begin() + std::ptrdiff_t(at), 3, std::uint8_t(250));
                }
        left += 6 * dot;
    }
}

/// Averages the source pixels under each target pixel.
Image shrink(const Image& image, int width, int height) {
    Image small{width, height,
                std::vector<std::uint8_t>(3 * std::size_t(width) * std::size_t(height))};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const int x0 = x * image.width / width, y0 = y * image.height / height;
            const int x1 = std::max(x0 + 1, (x + 1) * image.width / width);
            const int y1 = std::max(y0 + 1, (y + 1) * image.height / height);
            for (int c = 0; c < 3; ++c) {
                int sum = 0;
                for (int j = y0; j < y1; ++j)
                    for (int i = x0; i < x1; ++i)
                        sum += image.rgb[3 * std::size_t(j * image.width + i) + std::size_t(c)];
                small.rgb[3 * std::size_t(y * width + x) + std::size_t(c)] =
                    std::uint8_t(sum / ((x1 - x0) * (y1 - y0)));
            }
        }
    return small;
}

} // namespace

void write_png(const std::filesystem::path& path, const Image& image) {
    check_image(image, path.string());
    png_image png;
    std::memset(&png, 0, sizeof png);
    png.version = PNG_IMAGE_VERSION;
    png.width = png_uint_32(image.width);
    png.height = png_uint_32(image.height);
    png.format = PNG_FORMAT_RGB;
    const std::filesystem::path temporary = path.string() + ".tmp";
    const bool written =
        png_image_write_to_file(&png, temporary.c_str(), 0, image.rgb.data(), 0, nullptr) != 0;
    std::error_code error;
    if (written) std::filesystem::rename(temporary, path, error);
    if (!written || error)
        throw Error("cannot be written (" + (written ? error.message() : png.message) + ")",
                    path.string(), "check that the folder exists, its space and its permissions",
                    Error::Kind::failure);
}

Image read_png(const std::filesystem::path& path) {
    png_image png;
    std::memset(&png, 0, sizeof png);
    png.version = PNG_IMAGE_VERSION;
    Image image;
    bool read = png_image_begin_read_from_file(&png, path.c_str()) != 0;
    if (read) {
        png.format = PNG_FORMAT_RGB;
        image.width = int(png.width);
        image.height = int(png.height);
        image.rgb.resize(PNG_IMAGE_SIZE(png));
        read = png_image_finish_read(&png, nullptr, image.rgb.data(), 0, nullptr) != 0;
    }
    if (!read)
        throw Error(std::string("cannot be read as PNG (") + png.message + ")", path.string(),
                    "render it again");
    return image;
}

Image contact_sheet(const std::vector<Image>& images, int columns,
                    const std::vector<std::string>& labels, int cell_width) {
    if (images.empty()) throw Error("has no pictures", "contact sheet", "render some frames first");
    if (columns < 1 || cell_width < 16)
        throw Error("is too small", "contact sheet",
                    "use at least 1 column and cells at least 16 pixels wide");
    for (const Image& image : images) check_image(image, "contact sheet");
    constexpr int gap = 4;
    columns = std::min(columns, int(images.size()));
    const int cell_height =
        std::max(1, int(std::lround(double(cell_width) * images[0].height / images[0].width)));
    const int rows = (int(images.size()) + columns - 1) / columns;
    Image sheet{columns * (cell_width + gap) + gap, rows * (cell_height + gap) + gap, {}};
    sheet.rgb.assign(3 * std::size_t(sheet.width) * std::size_t(sheet.height), 24);
    for (std::size_t n = 0; n < images.size(); ++n) {
        const Image cell = shrink(images[n], cell_width, cell_height);
        const int left = gap + int(n) % columns * (cell_width + gap);
        const int top = gap + int(n) / columns * (cell_height + gap);
        for (int y = 0; y < cell_height; ++y)
            std::copy_n(cell.rgb.begin() + std::ptrdiff_t(3) * y * cell_width, 3 * cell_width,
                        sheet.rgb.begin() + 3 * (std::ptrdiff_t(top + y) * sheet.width + left));
        const int dot = std::max(1, cell_width / 160);
        if (n < labels.size()) draw_number(sheet, left + 4 * dot, top + 4 * dot, labels[n], dot);
    }
    return sheet;
}

} // namespace nendo::cli
