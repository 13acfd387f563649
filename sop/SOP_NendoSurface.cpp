// SPDX-License-Identifier: Apache-2.0
#include "sop/SOP_NendoSurface.h"

#include "dop/bridge/points.h"
#include "geometry/level_set.h"
#include "sop/nodes.h"
#include "surface/carried.h"
#include "surface/matter.h"
#include "surface/render_skin.h"
#include "surface/rest_uv.h"

#include <GU/GU_PrimVDB.h>

#include <algorithm>
#include <numeric>
#include <type_traits>
#include <unordered_set>
#include <variant>

using namespace nendo;
using namespace nendo::houdini;

namespace {

const std::string particle_input = "input 1";
const std::string mesh_input = "input 2";
const std::string rest_input = "input 3";

/// Adds an attribute that the mesh gets too, if the particles have it.
template <class T>
void carry(const GU_Detail& geometry, const CarriedAttribute& a, const std::string& where,
           SurfaceInput& particles) {
    using Traits = ElementTraits<T>;
    const auto column = read_column<T>(geometry, field(a.name).meaning(a.meaning), where);
    if (!column) return;
    std::vector<typename Traits::Scalar> values;
    for (const T& entry : *column)
        for (int k = 0; k < Traits::width; ++k) values.push_back(Traits::get(entry, k));
    particles.attributes.push_back({std::string(a.name), a.width, a.meaning, std::move(values)});
}

void carry_all(const GU_Detail& geometry, const std::string& where, SurfaceInput& particles) {
    for (const CarriedAttribute& a : carried_attributes)
        if (a.is_integer)
            carry<std::int64_t>(geometry, a, where, particles);
        else if (a.width == 3)
            carry<Vec3<float>>(geometry, a, where, particles);
        else
            carry<float>(geometry, a, where, particles);
}

/// Reads the columns of the solvers that the particles have.
MatterColumns read_matter(const GU_Detail& geometry, const std::string& where) {
    MatterColumns matter;
    const auto take = [&](auto& column, const Field& f) {
        using T = typename std::decay_t<decltype(column)>::value_type;
        if (auto found = read_column<T>(geometry, f, where)) column = std::move(*found);
    };
    take(matter.F_E, field("F_E").meaning(Meaning::matrix));
    take(matter.F_P, field("F_P").meaning(Meaning::matrix));
    take(matter.orient, field("orient"));
    take(matter.radii, field("radii"));
    take(matter.melted, field("melted"));
    take(matter.phase, field("phase"));
    take(matter.pscale, field("pscale"));
    return matter;
}

SurfaceInput read_particles(const GU_Detail& geometry, const std::string& where,
                            const SurfaceNodeParams& params) {
    SurfaceInput particles;
    particles.positions = read_positions(geometry, where);
    if (const auto v = read_column<Vec3<float>>(geometry, field("v"), where))
        particles.velocities = cast<double>(*v);
    if (auto body = read_column<std::int32_t>(geometry, field("body"), where))
        particles.bodies = std::move(*body);
    if (auto join = read_column<std::int32_t>(geometry, field("join"), where))
        particles.groups = std::move(*join);
    carry_all(geometry, where, particles);
    const MatterColumns matter = read_matter(geometry, where);
    if (params.from_pscale && matter.pscale.empty() && !particles.positions.empty())
        throw Error("attribute 'pscale' is missing, so the spacing is not known", where,
                    "turn off Spacing from pscale, and set Spacing");
    particles.spacing = params.from_pscale ? 0 : params.spacing;
    describe_matter(matter, particles);
    return particles;
}

void write_level_set(GU_Detail& geometry, const LevelSet& level_set) {
    const auto add = [&](const auto& grid, const char* name, openvdb::GridClass kind) {
        const auto copy = grid->copy(); // shares the voxels; the class is the copy's own
        copy->setGridClass(kind);
        GU_PrimVDB::buildFromGrid(geometry, copy, nullptr, name);
    };
    add(level_set.distance, "surface", openvdb::GRID_LEVEL_SET);
    add(level_set.velocity, "v", openvdb::GRID_UNKNOWN);
}

/// Writes one column to an attribute of the points.
template <class T, class Scalar>
void write_values(GU_Detail& geometry, const std::vector<GA_Offset>& points,
                  const PointAttribute& a, const std::vector<Scalar>& values) {
    using Traits = ElementTraits<T>;
    std::vector<T> column(points.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        Traits::set(column[i / Traits::width], static_cast<int>(i % Traits::width), values[i]);
    write_column(geometry, points, field(a.name).meaning(a.meaning), column);
}

void write_attribute(GU_Detail& geometry, const std::vector<GA_Offset>& points,
                     const PointAttribute& a) {
    if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&a.values))
        return write_values<std::int64_t>(geometry, points, a, *integers);
    const auto& numbers = std::get<std::vector<float>>(a.values);
    if (a.width == 3)
        write_values<Vec3<float>>(geometry, points, a, numbers);
    else
        write_values<float>(geometry, points, a, numbers);
}

/// The particles at rest. Those of the third input also set the attribute rest of `now`; without
/// them, the particles of the first input are moved to their attribute rest.
SurfaceInput read_rest(const GU_Detail* geometry, const SurfaceNodeParams& params,
                       SurfaceInput& now) {
    if (geometry != nullptr) {
        SurfaceInput rest = read_particles(*geometry, rest_input, params);
        set_rest(now, rest);
        return rest;
    }
    const auto has = [&](const char* name) {
        return std::any_of(now.attributes.begin(), now.attributes.end(),
                           [&](const PointAttribute& a) { return a.name == name; });
    };
    if (!has("rest"))
        throw Error(
            "the rest positions of the particles are not known", particle_input,
            "wire the particles at the frame at which the mesh fits them to input 3, or give "
            "them the attribute rest");
    if (!has("id")) { // the particles at rest are the same, in the same order
        std::vector<std::int64_t> ids(now.positions.size());
        std::iota(ids.begin(), ids.end(), 0);
        now.attributes.push_back({"id", 1, Meaning::value, std::move(ids)});
    }
    SurfaceInput rest = now;
    rest.positions = rest_of(now.attributes);
    return rest;
}

TexturedMesh read_textured(const GU_Detail& geometry) {
    TexturedMesh textured;
    textured.mesh = read_polygons(geometry, mesh_input);
    if (textured.mesh.triangles.empty())
        throw Error("there are no polygons", mesh_input, "connect the mesh at rest");
    if (auto uv = read_column<Vec3<float>>(geometry, field("uv"), mesh_input))
        textured.uv = std::move(*uv);
    return textured;
}

void write_attributes(GU_Detail& geometry, const std::vector<GA_Offset>& points,
                      const Surface& surface) {
    write_column(geometry, points, field("v").meaning(Meaning::vector),
                 cast<float>(surface.mesh.velocities));
    write_column(geometry, points, field("body"), surface.bodies);
    for (const PointAttribute& attribute : surface.attributes)
        write_attribute(geometry, points, attribute);
}

/// Deletes the polygons that have lost a triangle, and then the points without a polygon.
void tear_polygons(GU_Detail& geometry, const std::vector<std::uint32_t>& left) {
    std::uint32_t triangle = 0;
    std::size_t next = 0;
    std::vector<GEO_Primitive*> gone;
    std::unordered_set<GA_Offset> used;
    GEO_Primitive* primitive = nullptr;
    GA_FOR_ALL_PRIMITIVES(&geometry, primitive) {
        if (primitive->getTypeId() != GA_PRIMPOLY) continue;
        bool whole = true;
        for (GA_Size k = 2; k < primitive->getVertexCount(); ++k, ++triangle) {
            const bool here = next < left.size() && left[next] == triangle;
            next += here;
            whole = whole && here;
        }
        if (!whole) gone.push_back(primitive);
        for (GA_Size k = 0; whole && k < primitive->getVertexCount(); ++k)
            used.insert(primitive->getPointOffset(k));
    }
    if (gone.empty()) return;
    for (GEO_Primitive* torn : gone) geometry.destroyPrimitive(*torn, false);
    GA_PointGroup loose(geometry);
    for (const GA_Offset point : point_offsets(geometry))
        if (used.count(point) == 0) loose.addOffset(point);
    geometry.destroyPointOffsets(GA_Range(loose));
}

/// Writes the mesh of the second input, moved by the particles, and the surface where it is open.
void write_skin(GU_Detail& geometry, const GU_Detail& mesh, Dressed& dressed) {
    geometry.replaceWith(mesh);
    auto& own = dressed.skin.attributes; // the mesh has its own uv
    own.erase(std::remove_if(own.begin(), own.end(),
                             [](const PointAttribute& a) { return a.name == "uv"; }),
              own.end());
    const std::vector<GA_Offset> points = point_offsets(geometry);
    write_column(geometry, points, field("P").meaning(Meaning::point),
                 cast<float>(dressed.skin.mesh.points));
    write_attributes(geometry, points, dressed.skin);
    tear_polygons(geometry, dressed.carried.triangles);
    if (!dressed.bare.mesh.triangles.empty())
        write_attributes(geometry, write_polygons(geometry, dressed.bare.mesh), dressed.bare);
}

} // namespace

void SOP_NendoSurface::fill(const ParameterValues& values, OP_Context& context) {
    SurfaceNodeParams params;
    read_parameters(params, values);
    SurfaceParams shape;
    read_parameters(shape, values);
    SurfaceInput particles =
        read_particles(required_input(0, "particles", context), particle_input, params);
    if (particles.positions.empty()) return; // before the first particles enter

    const GU_Detail* mesh = inputGeo(1, context);
    SurfaceInput rest;
    TexturedMesh textured;
    if (mesh != nullptr) {
        textured = read_textured(*mesh);
        rest = read_rest(inputGeo(2, context), params, particles);
    }
    Surface surface = surface_particles(particles, shape);
    const bool uv_only = params.rest_mesh == RestMeshUse::uv;
    if (mesh != nullptr && (uv_only || !textured.uv.empty())) carry_uv(surface, textured);
    if (params.output != SurfaceOutput::vdb) {
        if (mesh != nullptr && !uv_only) {
            const RenderSkin skin(textured.mesh, rest.positions, rest.spacing);
            Dressed dressed = dress(skin, rest, particles, shape, surface);
            write_skin(*gdp, *mesh, dressed);
        } else {
            write_attributes(*gdp, write_polygons(*gdp, surface.mesh), surface);
        }
    }
    if (params.output != SurfaceOutput::mesh) write_level_set(*gdp, *surface.level_set);
    gdp->bumpAllDataIds();
}
