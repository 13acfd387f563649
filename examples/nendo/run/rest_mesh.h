// SPDX-License-Identifier: Apache-2.0
// What an artist's mesh gives to the surfaces of a run: texture coordinates, and a skin.
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
    std::string skin; ///< The mesh that becomes the skin
    std::string uv;   ///< The mesh that the surface has its uv of
    std::string rest; ///< Particles at rest; empty: the first frame of the run
    bool any() const { return !skin.empty() || !uv.empty() || !rest.empty(); }
};

class RestMesh {
public:
    /// `first` is the run's first frame, or empty when there is no run.
    RestMesh(const RestOptions& options, const std::filesystem::path& first, double spacing);

    /// Gives particles their place at rest; a warning says who has none.
    void set_places(SurfaceInput& now, Host& host);
    /// Gives the surface its uv.
    void texture(Surface& surface) const;
    /// The skin over the surface, when there is one.
    std::optional<Surface> dress_surface(const SurfaceInput& now, const SurfaceParams& params,
                                         const Surface& surface) const;

private:
    SurfaceInput m_rest;
    std::optional<TexturedMesh> m_texture;
    TexturedMesh m_mesh; ///< Of the skin
    std::unique_ptr<RenderSkin> m_skin;
    bool m_warned = false;
};

} // namespace nendo::cli
