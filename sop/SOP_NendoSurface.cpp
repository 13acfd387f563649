#include "sop/SOP_NendoSurface.h"

#include "geometry/level_set.h"
#include "geometry/surface_matter.h"
#include "sop/nodes.h"
#include "sop/points.h"

#include <GU/GU_PrimVDB.h>

#include <type_traits>
#include <variant>

using namespace nendo;
using namespace nendo::houdini;

namespace {

const std::string where = "input 1";

/// Attributes that the mesh is given, where the particles have them.
template <class T> void carry(const GU_Detail& geometry, const Field& f, SurfaceInput& particles) {
    using Traits = ElementTraits<T>;
    const auto column = read_column<T>(geometry, f, where);
    if (!column) return;
    std::vector<typename Traits::Scalar> values;
    for (const T& entry : *column)
        for (int k = 0; k < Traits::width; ++k) values.push_back(Traits::get(entry, k));
    particles.attributes.push_back(
        {std::string(f.name_), Traits::width, f.meaning_, std::move(values)});
}

/// What the solvers know, where the particles have it.
MatterColumns read_matter(const GU_Detail& geometry) {
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

SurfaceInput read_particles(const GU_Detail& geometry, const SurfaceNodeParams& params) {
    SurfaceInput particles;
    particles.positions = read_positions(geometry, where);
    if (const auto v = read_column<Vec3<float>>(geometry, field("v"), where))
        particles.velocities = cast<double>(*v);
    if (auto body = read_column<std::int32_t>(geometry, field("body"), where))
        particles.bodies = std::move(*body);
    if (auto join = read_column<std::int32_t>(geometry, field("join"), where))
        particles.groups = std::move(*join);
    carry<Vec3<float>>(geometry, field("Cd"), particles);
    carry<float>(geometry, field("temperature"), particles);
    carry<Vec3<float>>(geometry, field("rest").meaning(Meaning::point), particles);
    carry<Vec3<float>>(geometry, field("uv"), particles);
    carry<std::int64_t>(geometry, field("id"), particles);
    const MatterColumns matter = read_matter(geometry);
    if (params.from_pscale && matter.pscale.empty() && !particles.positions.empty())
        throw Error("attribute 'pscale' is missing, so that the spacing is not known", where,
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

/// One column as Houdini's attribute of the points.
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

} // namespace

OP_Node* SOP_NendoSurface::create(OP_Network* parent, const char* name, OP_Operator* op) {
    return new SOP_NendoSurface(parent, name, op);
}

void SOP_NendoSurface::fill(const ParameterValues& values, OP_Context& context) {
    SurfaceNodeParams params;
    read_parameters(params, values);
    SurfaceParams shape;
    read_parameters(shape, values);
    const SurfaceInput particles = read_particles(required_input(0, "particles", context), params);
    if (particles.positions.empty()) return; // before the first ones enter

    const Surface surface = surface_particles(particles, shape);
    if (params.output != SurfaceOutput::mesh) write_level_set(*gdp, *surface.level_set);
    if (params.output != SurfaceOutput::vdb) {
        const std::vector<GA_Offset> points = write_polygons(*gdp, surface.mesh);
        write_column(*gdp, points, field("v").meaning(Meaning::vector),
                     cast<float>(surface.mesh.velocities));
        write_column(*gdp, points, field("body"), surface.bodies);
        for (const PointAttribute& attribute : surface.attributes)
            write_attribute(*gdp, points, attribute);
    }
    gdp->bumpAllDataIds();
}
