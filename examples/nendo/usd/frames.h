// SPDX-License-Identifier: Apache-2.0
// Turns the files of a frame into USD prims: particles, skins and surfaces, one prim per material.
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

/// Names of the attributes that become primvars; {"all"}: all attributes.
using PrimvarNames = std::vector<std::string>;

/// The materials of a run, one per look, and the material of each shade.
struct Palette {
    std::vector<Shade> shades;
    std::vector<UsdMaterial> materials;
    std::vector<std::size_t> material_of_shade;
    std::vector<bool> one_color; ///< Per material: whether all its shades have the same color

    explicit Palette(std::vector<Shade> shades);
    std::size_t shade(std::int64_t number) const;
};

/// The particles of a geometry.
UsdPoints read_usd_points(const Geometry& geometry, const PrimvarNames& names);
/// The polygons of a geometry, with corners in counterclockwise order.
UsdMesh read_usd_mesh(const Geometry& geometry, const PrimvarNames& names);
UsdMesh usd_mesh_of(const TriMesh& mesh);
/// The attribute `shade` of the points, else `body`; empty if the geometry has neither.
std::vector<std::int64_t> shades_of_points(const Geometry& geometry);

/// One prim per material in use, below the group. Empty `shades` mean 0 for all points.
std::vector<UsdPrim> split_points(const std::string& group, const UsdPoints& points,
                                  const std::vector<std::int64_t>& shades, const Palette& palette);
std::vector<UsdPrim> split_mesh(const std::string& group, const UsdMesh& mesh,
                                const std::vector<std::int64_t>& shades, const Palette& palette);

} // namespace nendo::cli
