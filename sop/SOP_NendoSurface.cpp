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

SurfaceInput read_particles(const GU_Detail& geometry, const SurfaceNodeParams& params) {
    SurfaceInput particles;
    particles.positions = read_positions(geometry);
    particles.velocities = read_vectors(geometry, "v").value_or(std::vector<Vec3d>());
    particles.bodies = read_integers(geometry, "body").value_or(std::vector<std::int32_t>());
    particles.groups = read_integers(geometry, "join").value_or(std::vector<std::int32_t>());
    particles.spacing = params.spacing;
    if (params.from_pscale) {
        const auto radius = read_numbers(geometry, "pscale", 1);
        if (!radius && !particles.positions.empty())
            throw Error("is missing, so that the particles' spacing is not known",
                        "point attribute pscale", "turn off Spacing from pscale, and set Spacing");
        if (radius && !radius->empty())
            particles.spacing = 2 * *std::max_element(radius->begin(), radius->end());
    }
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
        write_vectors(*gdp, "v", GA_TYPE_VECTOR, points, surface.mesh.velocities);
        write_integers(*gdp, "body", points, surface.bodies);
    }
    gdp->bumpAllDataIds();
}
