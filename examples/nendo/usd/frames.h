// SPDX-License-Identifier: Apache-2.0
// The files of a frame as prims of USD: particles, skins and surfaces, parted by what they look
// like.
#pragma once

#include "preview/preview.h"

#include "geometry/mesh.h"
#include "io/geo/geo.h"
#include "io/usd/scene.h"
#include "io/usd/shapes.h"

#include <cstdint>
#include <string>
#include <vector>

namespace nendo::cli {

/// Which attributes become primvars: these, or all when the list is {"all"}.
using PrimvarNames = std::vector<std::string>;

/// The materials of a run, one for each look, and which of them each shade has.
struct Palette {
    std::vector<Shade> shades;
    std::vector<UsdMaterial> materials;
    std::vector<std::size_t> material_of_shade;
    std::vector<bool> one_color; ///< Of each material: whether all its shades have the same

    explicit Palette(std::vector<Shade> shades);
    std::size_t shade(std::int64_t number) const;
};

/// A geometry's particles; its shades are those of its points (`shade`, else `body`).
UsdPoints read_usd_points(const Geometry& geometry, const PrimvarNames& names);
/// Its polygons, with their corners counter-clockwise.
UsdMesh read_usd_mesh(const Geometry& geometry, const PrimvarNames& names);
UsdMesh usd_mesh_of(const TriMesh& mesh);
/// `shade` of each point, else `body`; empty when the geometry has neither.
std::vector<std::int64_t> shades_of_points(const Geometry& geometry);

/// A prim for each material that is there, below the group. `shades` may be empty: all are 0.
std::vector<UsdPrim> part_points(const std::string& group, const UsdPoints& points,
                                 const std::vector<std::int64_t>& shades, const Palette& palette);
std::vector<UsdPrim> part_mesh(const std::string& group, const UsdMesh& mesh,
                               const std::vector<std::int64_t>& shades, const Palette& palette);

} // namespace nendo::cli
