// SPDX-License-Identifier: Apache-2.0
// The surfaces of a frame as pictures show them: read from the run's folder if `nendo surface` has
// written them, else made from the particles.
#pragma once

#include "run/particles.h"
#include "run/run_scene.h"

#include "surface/surface.h"

#include <string>
#include <string_view>
#include <vector>

namespace nendo::cli {

/// Stem of the files that `nendo surface` writes.
inline constexpr std::string_view surface_file_stem = "surface";
/// Key of a VDB file's metadata: the section that cut the particles.
inline constexpr const char* section_key = "section";

/// The section of the scene's camera as text; empty if it has none.
std::string section_text(const RunScene& scene);

/// The surfaces of a frame, one of them for everything transparent, so that objects inside are
/// visible. The bodies of the surfaces are indices of `scene.shades`. `box` bounds the run.
///
/// A frame file with polygons is drawn as it is. For particles, the surface file of the frame
/// (.vdb, else a mesh) is drawn if it is at least as new as the particles, was cut by the same
/// section, and if not both transparent and opaque particles are in it.
std::vector<Surface> surfaces_of_frame(const RunScene& scene, const FrameFile& file,
                                       const Box3& box);

} // namespace nendo::cli
