// SPDX-License-Identifier: Apache-2.0
// The scene of a run as pictures need it: what is drawn beside the particles, colors and looks,
// and the camera.
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
    std::vector<Shade> shades; ///< Of each body, or of what is solid and what is liquid of each
    bool has_ground = false;   ///< Whether a collider is one
};

/// From the scene.json of a run's folder; warnings go to the host.
RunScene load_run_scene(const std::filesystem::path& folder, Host& host);

/// The colliders that are shown, where they are at a frame.
PreviewScene colliders_at(const RunScene& scene, int frame);

/// Those of the particles for which `wanted` is true.
SurfaceInput pick_particles(const SurfaceInput& all,
                            const std::function<bool(std::size_t)>& wanted);

/// The particles of a frame that the camera's section leaves.
SurfaceInput cut_away(const RunScene& scene, SurfaceInput all);

/// All that any of the frames shows.
Box3 bounds_of_run(const RunScene& scene, const std::vector<FrameFile>& files);

/// Width and height from "960x540".
std::pair<int, int> parse_size(const std::string& text);

/// The scene's camera, or one that sees the box. `aspect` is width over height of the picture.
Camera place_camera(const RunScene& scene, const Box3& box, double aspect);

} // namespace nendo::cli
