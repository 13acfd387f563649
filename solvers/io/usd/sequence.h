// SPDX-License-Identifier: Apache-2.0
// A sequence of frames as USD: one layer with time samples while it is small, else a layer for each
// frame, which renderers open one at a time (value clips).
#pragma once

#include "io/usd/shapes.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace nendo {

/// Of every layer: what its numbers mean.
struct UsdTiming {
    double fps = 24; ///< Time codes are frames
    int first = 0;
    int last = 0;
};

/// The prim that all others are below.
inline constexpr const char* usd_root = "nendo";

/// Metadata of a layer that stands by itself: meters, y upwards, frames.
std::vector<std::string> usd_metadata(const UsdTiming& timing);

enum class UsdLayout { by_size, samples, clips };

class UsdSequence {
public:
    /// Layers are written into `folder`; by size, clips are made of more than `limit` bytes.
    UsdSequence(std::string folder, double fps, UsdLayout layout, std::size_t limit = 32 << 20);

    /// Frames come in order. A prim that a frame does not have is empty there.
    void add(int frame, std::vector<UsdPrim> prims);
    /// Writes geometry.usda, which shows all frames, and with clips its manifest.
    void finish();

    /// Whether there are layers for each frame.
    bool clips() const { return m_clips; }
    /// The groups of prims, such as "surface" for surface/water.
    std::vector<std::string> groups() const;
    const UsdTiming& timing() const { return m_timing; }

private:
    using Frame = std::pair<int, std::vector<UsdPrim>>;

    void write_clip(const Frame& frame);
    void write_manifest() const;
    void remember(const std::vector<UsdPrim>& prims);
    std::vector<std::string> clip_metadata() const;

    std::string m_folder;
    UsdTiming m_timing;
    UsdLayout m_layout;
    std::size_t m_limit;
    bool m_clips = false;
    std::size_t m_bytes = 0;
    std::vector<Frame> m_frames;    ///< Not written yet
    std::vector<UsdPrim> m_prims;   ///< All that there ever were, without values
    std::vector<int> m_clip_frames; ///< Written
};

} // namespace nendo
