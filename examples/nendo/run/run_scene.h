// SPDX-License-Identifier: Apache-2.0
// The scene of a run as pictures need it: colliders, colors and looks, and the camera.
#pragma once

#include "preview/preview.h"
#include "run/frames.h"
#include "run/particles.h"

#include "io/scene/scene_file.h"

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace nendo::cli {

struct RunScene {
    SceneCommon common;
    Scene world;
    std::vector<Shade> shades; ///< One per body; for melting bodies one solid and one liquid each
    bool has_ground = false;   ///< Whether a visible collider is infinite
};

/// Reads the scene.json of a run's folder; warnings go to the host.
RunScene load_run_scene(const std::filesystem::path& folder, Host& host);

/// The visible colliders at their positions in a frame.
PreviewScene colliders_at(const RunScene& scene, int frame);

/// The particles for which `wanted` is true.
SurfaceInput pick_particles(const SurfaceInput& all,
                            const std::function<bool(std::size_t)>& wanted);

/// The particles that remain after the camera's section.
SurfaceInput apply_section(const RunScene& scene, SurfaceInput all);

/// Box around the particles and visible colliders of all frames [m].
Box3 bounds_of_run(const RunScene& scene, const std::vector<FrameFile>& files);

/// Parses width and height from text such as "960x540".
std::pair<int, int> parse_size(const std::string& text);

/// The scene's camera, or one that sees the whole box. `aspect` is the width of the picture divided
/// by its height.
Camera place_camera(const RunScene& scene, const Box3& box, double aspect);

} // namespace nendo::cli
