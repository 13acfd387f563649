// SPDX-License-Identifier: Apache-2.0
// Applies an artist's mesh to the surfaces of a run: texture coordinates, and a skin.
#pragma once

#include "run/particles.h"

#include "core/host.h"
#include "surface/render_skin.h"
#include "surface/rest_uv.h"

#include <memory>
#include <optional>
#include <string>

namespace nendo::cli {

struct RestOptions {
    std::string skin; ///< File of the mesh that becomes the skin
    std::string uv;   ///< File of the mesh with the texture coordinates
    std::string rest; ///< File of the particles at rest; empty: the first frame of the run
    bool any() const { return !skin.empty() || !uv.empty() || !rest.empty(); }
};

class RestMesh {
public:
    /// `first` is the file of the run's first frame, or empty if there is no run.
    RestMesh(const RestOptions& options, const std::filesystem::path& first, double spacing);

    /// Gives the particles their positions at rest. Warns once if some have none.
    void set_rest_positions(SurfaceInput& now, Host& host);
    /// Gives the surface its texture coordinates.
    void texture(Surface& surface) const;
    /// The skin joined with the bare surface, if there is a skin.
    std::optional<Surface> add_skin(const SurfaceInput& now, const SurfaceParams& params,
                                    const Surface& surface) const;

private:
    SurfaceInput m_rest;
    std::optional<TexturedMesh> m_texture;
    TexturedMesh m_mesh; ///< Mesh of the skin
    std::unique_ptr<RenderSkin> m_skin;
    bool m_warned = false;
};

} // namespace nendo::cli
