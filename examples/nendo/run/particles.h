// SPDX-License-Identifier: Apache-2.0
// Particles of a frame file, as surfaces and pictures need them.
#pragma once

#include "run/frames.h"

#include "surface/surface.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace nendo {

/// Points with P; v, body, join and pscale where the file has them. Files of other programs need
/// `spacing` [m] when they have no pscale (half the spacing); 0 takes the file's.
SurfaceInput read_particles(const std::string& path, double spacing);
/// The same for pictures: where the file has `shade`, it stands for the body, and picks the color.
SurfaceInput read_shaded(const std::string& path);

/// A frame file and its number; -1 for a file that has none in its name.
struct FrameFile {
    int frame = -1;
    std::filesystem::path path;
};

/// The frame number in the name of a run's particle file, -1 for other files.
int shown_frame(const std::filesystem::path& file);

/// The particles of a run's folder, in order, those of `range` only unless it is empty. Throws when
/// there are none.
std::vector<FrameFile> find_particles(const std::filesystem::path& folder,
                                      const std::string& range);

/// The same of a run's skins, when it has any, else its particles.
std::vector<FrameFile> find_shown(const std::filesystem::path& folder, const std::string& range);
/// Points of a frame, for its bounds: of a mesh too.
SurfaceInput read_shown(const std::string& path);
/// The polygons of a frame as meshes, by the `body` of their points; none when it has no polygons.
std::map<std::int32_t, TriMesh> read_skins(const std::string& path);

} // namespace nendo
