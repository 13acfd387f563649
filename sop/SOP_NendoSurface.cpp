#include "sop/SOP_NendoSurface.h"

#include "geometry/level_set.h"
#include "geometry/surface.h"
#include "sop/nodes.h"
#include "sop/points.h"

#include <GU/GU_PrimVDB.h>

#include <algorithm>

using namespace nendo;
using namespace nendo::houdini;

namespace {

const std::string where = "input 1";

SurfaceInput read_particles(const GU_Detail& geometry, const SurfaceNodeParams& params) {
    SurfaceInput particles;
    particles.positions = read_positions(geometry, where);
    if (const auto v = read_column<Vec3<float>>(geometry, field("v"), where))
        particles.velocities = cast<double>(*v);
    if (auto body = read_column<std::int32_t>(geometry, field("body"), where))
        particles.bodies = std::move(*body);
    if (auto join = read_column<std::int32_t>(geometry, field("join"), where))
        particles.groups = std::move(*join);
    particles.spacing = params.spacing;
    if (!params.from_pscale || particles.positions.empty()) return particles;
    const auto radius = read_column<float>(geometry, field("pscale"), where);
    if (!radius)
        throw Error("attribute 'pscale' is missing, so that the spacing is not known", where,
                    "turn off Spacing from pscale, and set Spacing");
    particles.spacing = 2 * double(*std::max_element(radius->begin(), radius->end()));
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
    }
    gdp->bumpAllDataIds();
}
