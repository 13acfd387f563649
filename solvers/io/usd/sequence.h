// SPDX-License-Identifier: Apache-2.0
// A sequence of frames as USD: one layer with time samples while it is small, otherwise one layer
// per frame, which renderers open one at a time (value clips).
#pragma once

#include "io/usd/shapes.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace nendo {

/// Timing metadata of every layer.
struct UsdTiming {
    double fps = 24; ///< Time codes are frames
    int first = 0;
    int last = 0;
};

/// The prim that contains all others.
inline constexpr const char* usd_root = "nendo";

/// Returns the metadata of a standalone layer: meters, y up, frames.
std::vector<std::string> usd_metadata(const UsdTiming& timing);

enum class UsdLayout { by_size, samples, clips };

class UsdSequence {
public:
    /// Layers are written to `folder`. With the layout by_size, clips are used above `limit` bytes.
    UsdSequence(std::string folder, double fps, UsdLayout layout, std::size_t limit = 32 << 20);

    /// Adds a frame; frames must come in order. A prim that a frame lacks is empty there.
    void add(int frame, std::vector<UsdPrim> prims);
    /// Writes geometry.usda, which shows all frames, and the manifest of the clips, if any.
    void finish();

    /// True if there is one layer per frame.
    bool clips() const { return m_clips; }
    /// Returns the groups of prims, such as "surface" for surface/water.
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
    std::vector<UsdPrim> m_prims;   ///< All prims so far, without values
    std::vector<int> m_clip_frames; ///< Frames written as clips
};

} // namespace nendo
