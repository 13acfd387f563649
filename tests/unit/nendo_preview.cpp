// SPDX-License-Identifier: Apache-2.0
// The preview: silhouettes against the analytic projection, shadow, framing, PNG round trip.
#include "preview/preview.h"

#include "core/error.h"
#include "geometry/level_set.h"
#include "math/kernels.h"

#include <gtest/gtest.h>
#include <openvdb/tools/LevelSetSphere.h>
#include <unistd.h>

#include <cmath>
#include <fstream>

namespace nendo::cli {
namespace {

Surface ball(const Vec3d& center, double radius, double voxel) {
    openvdb::initialize();
    auto level_set = std::make_shared<LevelSet>();
    level_set->distance = openvdb::tools::createLevelSetSphere<openvdb::FloatGrid>(
        float(radius), openvdb::Vec3f(openvdb::Vec3d(center.data())), float(voxel));
    return mesh_level_set(level_set, 0);
}

const std::uint8_t* pixel(const Image& image, int x, int y) {
    return &image.rgb[3 * (std::size_t(y) * std::size_t(image.width) + std::size_t(x))];
}

/// Counts pixels that are much more red than blue, which only red bodies are.
double count_red(const Image& image) {
    double count = 0;
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            const std::uint8_t* p = pixel(image, x, y);
            count += p[0] > 2 * p[2] + 20;
        }
    return count;
}

PreviewParams small() {
    PreviewParams params;
    params.width = 320;
    params.height = 240;
    return params;
}

const Vec3d red(0.8, 0.02, 0.02);

/// Pixels of a ball whose center is the camera's target.
double projected_area(const Camera& camera, double radius, const PreviewParams& params) {
    const double distance = (camera.target - camera.eye).norm();
    const double tangent = radius / std::sqrt(distance * distance - radius * radius);
    const double pixels = tangent / std::tan(camera.fov * pi / 360) * params.height / 2;
    return pi * pixels * pixels;
}

TEST(Preview, the_silhouette_is_the_projection) {
    const Camera camera{{0, 1, 4}, {0, 1, 0}, 35};
    const double expected = projected_area(camera, 0.8, small());

    const Surface surface = ball({0, 1, 0}, 0.8, 0.05);
    PreviewScene matter;
    matter.surfaces = {&surface};
    matter.shades = {{red}};
    EXPECT_NEAR(count_red(render_preview(matter, camera, small())), expected, 0.01 * expected);

    PreviewScene solid;
    PreviewCollider collider;
    collider.shape = make_sphere({0, 0, 0}, 0.8);
    collider.pose.translation() = Vec3d(0, 1, 0);
    collider.color = red;
    solid.colliders = {collider};
    EXPECT_NEAR(count_red(render_preview(solid, camera, small())), expected, 0.01 * expected);
}

TEST(Preview, the_shadow_lies_opposite_the_sun) {
    const Surface surface = ball({0, 0.5, 0}, 0.5, 0.05);
    PreviewScene scene;
    scene.surfaces = {&surface};
    PreviewParams params = small();
    params.sun = Vec3d(-1, 1, 0);
    const Camera camera{{0, 3, 4}, {0, 0.3, 0}, 45};
    const auto brightness = [&](const Image& image, int x, int y) {
        return int(pixel(image, x, y)[0]) + pixel(image, x, y)[1] + pixel(image, x, y)[2];
    };
    // Two points on the floor at both sides of the ball, as the camera sees them.
    const int row = 150, left = 60, right = 260;
    PreviewCollider floor;
    floor.shape = make_plane({0, 0, 0}, {0, 1, 0});
    for (const bool as_collider : {false, true}) {
        scene.ground = as_collider ? std::nullopt : std::optional<double>(0.0);
        scene.colliders.clear();
        if (as_collider) scene.colliders = {floor};
        const Image image = render_preview(scene, camera, params);
        int darkest_left = 999, darkest_right = 999;
        for (int x = 0; x < left; ++x)
            darkest_left = std::min(darkest_left, brightness(image, x, row));
        for (int x = 210; x < right; ++x)
            darkest_right = std::min(darkest_right, brightness(image, x, row));
        EXPECT_LT(darkest_right, 0.8 * darkest_left);
    }
}

TEST(Preview, merged_bodies_show_their_own_colors) {
    SurfaceInput input;
    input.spacing = 0.1;
    for (int i = -10; i < 10; ++i)
        for (int j = 0; j < 5; ++j) {
            input.positions.emplace_back(0.1 * i + 0.05, 0.1 * j, 0);
            input.bodies.push_back(i < 0 ? 0 : 1);
        }
    const Surface surface = surface_particles(input, SurfaceParams());
    PreviewScene scene;
    scene.surfaces = {&surface};
    scene.shades = {{red}, {Vec3d(0.02, 0.02, 0.8)}};
    const Image image = render_preview(scene, {{0, 0.2, 4}, {0, 0.2, 0}, 35}, small());
    EXPECT_GT(pixel(image, 120, 120)[0], 2 * pixel(image, 120, 120)[2]);
    EXPECT_GT(pixel(image, 200, 120)[2], 2 * pixel(image, 200, 120)[0]);
}

TEST(Preview, a_framed_box_fills_the_picture) {
    const Surface surface = ball({5, 1, -3}, 1, 0.1);
    PreviewScene scene;
    scene.surfaces = {&surface};
    scene.shades = {{red}};
    const Camera camera = frame_box(scene_bounds(scene), 320.0 / 240);
    const Image image = render_preview(scene, camera, small());
    EXPECT_GT(count_red(image), 0.15 * 320 * 240);
    for (int x = 0; x < 320; ++x)
        for (const int y : {0, 239})
            ASSERT_LT(pixel(image, x, y)[0], 2 * pixel(image, x, y)[2] + 20);
    EXPECT_THROW(frame_box(Box3(), 1), Error);
}

TEST(Png, reads_back_and_contact_sheets_hold_their_pictures) {
    const auto path = std::filesystem::temp_directory_path() /
                      ("nendo_preview_" + std::to_string(::getpid()) + ".png");
    Image image{32, 18, std::vector<std::uint8_t>(3 * 32 * 18)};
    for (std::size_t i = 0; i < image.rgb.size(); ++i) image.rgb[i] = std::uint8_t(i * 7);
    write_png(path, image);
    const Image again = read_png(path);
    EXPECT_EQ(again.width, 32);
    EXPECT_EQ(again.height, 18);
    EXPECT_EQ(again.rgb, image.rgb);

    const Image sheet = contact_sheet({image, image, image}, 2, {}, 32);
    EXPECT_EQ(sheet.width, 2 * (32 + 4) + 4);
    EXPECT_EQ(sheet.height, 2 * (18 + 4) + 4);
    EXPECT_EQ(*pixel(sheet, 4 + 36 + 5, 4 + 7), *pixel(image, 5, 7));
    EXPECT_NE(contact_sheet({image}, 1, {"12"}, 32).rgb, contact_sheet({image}, 1, {}, 32).rgb);

    std::ofstream(path, std::ios::binary) << "not a picture";
    EXPECT_THROW(read_png(path), Error);
    std::filesystem::remove(path);
    EXPECT_THROW(read_png(path), Error);
    EXPECT_THROW(write_png(path / "deeper" / "a.png", image), Error);
    EXPECT_THROW(contact_sheet({}, 2, {}), Error);
}

} // namespace
} // namespace nendo::cli
