// SPDX-License-Identifier: Apache-2.0
// USD as text: names, numbers, and when a sequence becomes one layer per frame.
#include "core/error.h"
#include "io/file.h"
#include "io/usd/sequence.h"
#include "io/usd/text.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

namespace nendo {
namespace {

class UsdFolder : public testing::Test {
protected:
    UsdFolder()
        : m_folder(std::filesystem::temp_directory_path() /
                   ("nendo_usd_" + std::to_string(::getpid()))) {
        std::filesystem::create_directories(m_folder);
    }
    ~UsdFolder() override { std::filesystem::remove_all(m_folder); }

    std::string path(const std::string& name) const { return (m_folder / name).string(); }
    bool exists(const std::string& name) const { return std::filesystem::exists(m_folder / name); }

    std::filesystem::path m_folder;
};

UsdPrim dots(int count, double height) {
    UsdPoints points;
    for (int i = 0; i < count; ++i) points.positions.emplace_back(i, height, 0);
    return usd_points("particles/clay", points, "clay");
}

std::size_t occurrences(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

TEST(UsdText, names_strings_and_paths_are_allowed_by_usd) {
    EXPECT_EQ(usd_name("left hand.2"), "left_hand_2");
    EXPECT_EQ(usd_name("2nd"), "_2nd");
    EXPECT_EQ(usd_name(""), "_");
    EXPECT_EQ(usd_string("a \"b\" \\ \n"), R"("a \"b\" \\ \n")");
    EXPECT_EQ(usd_asset("./a.vdb"), "@./a.vdb@");
    EXPECT_EQ(usd_asset("./me@home.vdb"), "@@@./me@home.vdb@@@");
}

TEST(UsdText, numbers_read_back_to_the_same_float) {
    for (const double value : {0.1, -1e-20, 3.4028234663852886e38, 1.0 / 3, 12345678.0})
        EXPECT_EQ(std::stof(usd_number(value)), static_cast<float>(value));
    EXPECT_EQ(usd_array(std::vector<double>{1, 2, 3, 4}, 2), "[(1, 2), (3, 4)]");
    EXPECT_THROW(usd_number(std::nan("")), Error);
    EXPECT_THROW(usd_array(std::vector<Vec3d>{{0, infinite, 0}}), Error);
}

TEST(UsdText, matrices_transform_row_vectors) {
    Eigen::Matrix4d shift = Eigen::Matrix4d::Identity();
    shift(0, 3) = 7;
    EXPECT_EQ(usd_matrix(shift), "( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (7, 0, 0, 1) )");
}

TEST_F(UsdFolder, a_large_sequence_becomes_clips) {
    UsdSequence small(m_folder.string(), 24, UsdLayout::by_size, 100000);
    for (int frame = 0; frame < 3; ++frame) small.add(frame, {dots(10, frame)});
    small.finish();
    EXPECT_FALSE(small.clips());
    EXPECT_FALSE(exists("geometry.0000.usda"));
    EXPECT_EQ(occurrences(read_file(path("geometry.usda")), "timeSamples"),
              2u); // points and extent

    // The frames held back before the limit was exceeded become layers too.
    UsdSequence large(m_folder.string(), 24, UsdLayout::by_size, 250);
    for (int frame = 0; frame < 3; ++frame) large.add(frame, {dots(10, frame)});
    large.finish();
    EXPECT_TRUE(large.clips());
    for (const char* name : {"geometry.0000.usda", "geometry.0001.usda", "geometry.0002.usda",
                             "geometry.manifest.usda"})
        EXPECT_TRUE(exists(name)) << name;
    EXPECT_EQ(occurrences(read_file(path("geometry.usda")), "timeSamples"), 0u);
}

TEST_F(UsdFolder, constant_values_are_written_once) {
    UsdSequence still(m_folder.string(), 24, UsdLayout::samples);
    for (int frame = 0; frame < 5; ++frame) still.add(frame, {dots(4, 1)});
    still.finish();
    const std::string text = read_file(path("geometry.usda"));
    EXPECT_EQ(occurrences(text, "timeSamples"), 0u);
    EXPECT_EQ(occurrences(text, "(3, 1, 0)"), 2u); // in points and extent
}

TEST_F(UsdFolder, refuses_frames_that_are_not_a_sequence) {
    UsdSequence sequence(m_folder.string(), 24, UsdLayout::samples);
    EXPECT_THROW(sequence.finish(), Error);
    sequence.add(3, {dots(2, 0)});
    EXPECT_THROW(sequence.add(3, {dots(2, 0)}), Error);
    UsdPoints uneven;
    uneven.positions = {{0, 0, 0}, {1, 0, 0}};
    uneven.widths = {1};
    EXPECT_THROW(usd_points("particles/clay", uneven, ""), Error);
}

} // namespace
} // namespace nendo
