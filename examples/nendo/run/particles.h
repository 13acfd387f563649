// SPDX-License-Identifier: Apache-2.0
// Reads the particles of frame files for surfaces and pictures.
#pragma once

#include "run/frames.h"

#include "surface/surface.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace nendo {
struct Geometry;
}

namespace nendo::cli {

/// The values of a point attribute with three components; empty if there is none.
std::vector<Vec3d> point_vectors(const Geometry& geometry, std::string_view name);

/// Points with P, and with v, body, join and pscale if the file has them. Files of other programs
/// without pscale (half the spacing) need `spacing` [m]; 0: use the file's.
SurfaceInput read_particles(const std::string& path, double spacing);

/// Particles for pictures: their bodies are indices of the colors and looks.
struct ShadedParticles {
    SurfaceInput particles;
    bool by_body = true; ///< False if the file's `shade` replaced the bodies
};
ShadedParticles read_shaded(const std::string& path);

/// A frame file and its number; -1 if its name has none.
struct FrameFile {
    int frame = -1;
    std::filesystem::path path;
};

/// The frame number in the name of a run's particle file; -1 for other files.
int frame_of_particles(const std::filesystem::path& file);

/// The particle files of a run's folder in order. Only those in `range`, unless it is empty. Throws
/// if there are none.
std::vector<FrameFile> find_particles(const std::filesystem::path& folder,
                                      const std::string& range);

/// The skin files of a run's folder if it has any, else its particle files.
std::vector<FrameFile> find_drawn(const std::filesystem::path& folder, const std::string& range);
/// Points of a frame file, particles or mesh, for its bounds.
SurfaceInput read_points(const std::string& path);
/// The polygons of a frame file as meshes, by the `body` of their points. Empty without polygons.
std::map<std::int32_t, TriMesh> read_skins(const std::string& path);

} // namespace nendo::cli
