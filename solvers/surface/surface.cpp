// SPDX-License-Identifier: Apache-2.0
// Makes surfaces of particles: checks the input, builds the level set and extracts its mesh.
#include "surface/surface.h"

#include "core/error.h"
#include "core/parallel.h"
#include "geometry/level_set.h"
#include "geometry/vdb_sdf.h"
#include "surface/attributes.h"
#include "surface/field.h"
#include "surface/polygonize.h"

#include <openvdb/tools/Interpolation.h>
#include <openvdb/tools/SignedFloodFill.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

namespace nendo {
namespace {

using Leaf = openvdb::FloatTree::LeafNodeType;

void check_input(const SurfaceInput& input) {
    const std::size_t n = input.positions.size();
    if (n == 0)
        throw Error("there are no particles", "surface",
                    "simulate or load a frame that has particles");
    if (!(input.spacing > 0) || !std::isfinite(input.spacing))
        throw Error("the spacing is " + std::to_string(input.spacing) + " m", "surface",
                    "use the distance between neighboring particles");
    const auto check = [&](std::size_t size, const char* name) {
        if (size != 0 && size != n)
            throw Error(std::string(name) + " has " + std::to_string(size) + " entries for " +
                            std::to_string(n) + " particles",
                        "surface", "pass one per particle, or none");
    };
    check(input.velocities.size(), "velocities");
    check(input.bodies.size(), "bodies");
    check(input.groups.size(), "groups");
    check(input.deformations.size(), "deformations");
    check(input.melted.size(), "melted");
    check(input.sizes.size(), "sizes");
    for (const PointAttribute& a : input.attributes)
        std::visit([&](const auto& v) { check(v.size() / std::size_t(a.width), a.name.c_str()); },
                   a.values);
    for (std::size_t i = 0; i < n; ++i)
        if (!input.positions[i].allFinite())
            throw Error("the position is not finite", "particle " + std::to_string(i),
                        "remove the particle");
}

/// Returns the particles of each group, in order of group number. Melting matter shares one group
/// with its liquid.
std::vector<std::vector<std::uint32_t>> split_groups(const SurfaceInput& input,
                                                     const SurfaceParams& params) {
    const bool one =
        input.groups.empty() || (params.mode == SurfaceMode::matter && !input.melted.empty());
    std::map<std::int32_t, std::vector<std::uint32_t>> groups;
    for (std::uint32_t i = 0; i < input.positions.size(); ++i)
        groups[one ? 0 : input.groups[i]].push_back(i);
    std::vector<std::vector<std::uint32_t>> list;
    list.reserve(groups.size());
    for (auto& [group, members] : groups) list.push_back(std::move(members));
    return list;
}

/// Voxels resolve the smallest particles, but none below half the size of the largest. Otherwise a
/// sheet of small particles next to large ones would fall between voxels.
VoxelFrame frame_of(const SurfaceInput& input, const SurfaceParams& params) {
    double finest = input.spacing;
    for (const double size : input.sizes) finest = std::min(finest, size);
    return frame_around(input.positions, params.voxel * std::max(finest, 0.5 * input.spacing));
}

BlockField field_of(const SurfaceInput& input, const SurfaceParams& params,
                    const VoxelFrame& frame) {
    FieldParams field;
    field.smoothing = params.smoothing;
    field.spacing = static_cast<float>(input.spacing / frame.size);
    field.offset = static_cast<float>(params.radius - 0.5) * field.spacing;
    std::vector<BlockField> fields;
    for (const std::vector<std::uint32_t>& members : split_groups(input, params))
        fields.push_back(make_field(shape_blobs(input, members, params, frame), field));
    return fields.size() == 1 ? std::move(fields.front()) : join_fields(fields);
}

/// Makes leaves of the blocks that the surface crosses or comes near.
openvdb::FloatGrid::Ptr grid_of(const BlockField& field, const VoxelFrame& frame) {
    const auto size = static_cast<float>(frame.size);
    const float background = band_width * size;
    auto grid = openvdb::FloatGrid::create(background);
    grid->setTransform(openvdb::math::Transform::createLinearTransform(frame.size));
    grid->setGridClass(openvdb::GRID_LEVEL_SET);
    const auto origin = [&](const Cell& place) {
        return openvdb::Coord(frame.origin.x() + 8 * int(place.x),
                              frame.origin.y() + 8 * int(place.y),
                              frame.origin.z() + 8 * int(place.z));
    };
    std::vector<Leaf*> leaves(field.size());
    parallel_for(field.size(), [&](std::size_t block) {
        auto* leaf = new Leaf(origin(field.place(block)), background, false);
        leaves[block] = leaf;
        const float* values = field.values(block);
        for (openvdb::Index k = 0; k < Leaf::SIZE; ++k)
            if (std::abs(values[k]) < band_width)
                leaf->setValueOn(k, values[k] * size);
            else
                leaf->setValueOff(k, values[k] < 0 ? -background : background);
    });
    for (Leaf* leaf : leaves) {
        if (!leaf->isEmpty()) {
            grid->tree().addLeaf(leaf);
            continue;
        }
        if (leaf->getFirstValue() < 0) grid->tree().addTile(1, leaf->origin(), -background, false);
        delete leaf;
    }
    for (const Cell& place : field.inside())
        grid->tree().addTile(1, origin(place), -background, false);
    openvdb::tools::signedFloodFill(grid->tree());
    return grid;
}

/// Adds velocity and body to the voxels of the narrow band.
void add_attributes(LevelSet& level_set, const ParticleBlend& blend, const VoxelFrame& frame) {
    const openvdb::FloatGrid& distance = *level_set.distance;
    level_set.velocity = openvdb::Vec3SGrid::create(openvdb::Vec3s(0));
    level_set.velocity->setTree(std::make_shared<openvdb::Vec3STree>(
        distance.tree(), openvdb::Vec3s(0), openvdb::TopologyCopy()));
    level_set.body = openvdb::Int32Grid::create(-1);
    level_set.body->setTree(
        std::make_shared<openvdb::Int32Tree>(distance.tree(), -1, openvdb::TopologyCopy()));
    level_set.velocity->setTransform(distance.transform().copy());
    level_set.body->setTransform(distance.transform().copy());

    std::vector<openvdb::Vec3STree::LeafNodeType*> velocity_leaves;
    std::vector<openvdb::Int32Tree::LeafNodeType*> body_leaves;
    level_set.velocity->tree().getNodes(velocity_leaves);
    level_set.body->tree().getNodes(body_leaves);
    parallel_tasks(velocity_leaves.size(), [&](std::size_t i) {
        const openvdb::Coord& low = velocity_leaves[i]->origin();
        std::array<bool, block_edge * block_edge> wants{};
        for (auto it = velocity_leaves[i]->cbeginValueOn(); it; ++it)
            wants[it.pos() / block_edge] = true;
        ParticleBlend::Block block;
        blend.fill((Eigen::Vector3i(low.x(), low.y(), low.z()) - frame.origin).cast<float>(), wants,
                   block);
        for (auto it = velocity_leaves[i]->beginValueOn(); it; ++it) {
            const openvdb::Index k = it.pos();
            it.setValue({block.velocity[0][k], block.velocity[1][k], block.velocity[2][k]});
            body_leaves[i]->setValueOn(k, block.body[k]);
        }
    });
}

ParticleBlend make_blend(const SurfaceInput& input, const SurfaceParams& params,
                         const VoxelFrame& frame) {
    // The surface is about `radius` from the particles, and the edge of the band is one band width
    // farther.
    const double near = params.radius + 1.5;
    const double far = params.radius + double(band_width) * params.voxel + 0.6;
    return {input, frame, static_cast<float>(near / params.voxel),
            static_cast<float>(far / params.voxel)};
}

} // namespace

Surface surface_particles(const SurfaceInput& input, const SurfaceParams& params) {
    check_input(input);
    openvdb::initialize();
    auto level_set = std::make_shared<LevelSet>();
    const VoxelFrame frame = frame_of(input, params);
    level_set->distance = grid_of(field_of(input, params, frame), frame);
    level_set->distance->setName("surface");

    const ParticleBlend blend = make_blend(input, params, frame);
    add_attributes(*level_set, blend, frame);
    Surface surface = extract_mesh(level_set, params.adaptivity);
    blend.carry(surface);
    return surface;
}

void carry_to_mesh(const SurfaceInput& input, const SurfaceParams& params, Surface& surface) {
    check_input(input);
    const VoxelFrame frame = frame_of(input, params);
    make_blend(input, params, frame).carry(surface);
}

Surface mesh_level_set(std::shared_ptr<const LevelSet> level_set, double adaptivity) {
    Surface surface = extract_mesh(std::move(level_set), adaptivity);
    const openvdb::Vec3SGrid* velocity = surface.level_set->velocity.get();
    const openvdb::Int32Grid* body = surface.level_set->body.get();
    for (const Vec3d& p : surface.mesh.points) {
        if (velocity != nullptr) {
            const auto v = openvdb::tools::BoxSampler::sample(velocity->tree(),
                                                              velocity->worldToIndex(to_vdb(p)));
            surface.mesh.velocities.emplace_back(double(v.x()), double(v.y()), double(v.z()));
        }
        if (body != nullptr)
            surface.bodies.push_back(
                openvdb::tools::PointSampler::sample(body->tree(), body->worldToIndex(to_vdb(p))));
    }
    return surface;
}

Surface surface_of_mesh(const TriMesh& mesh, std::int32_t body, double voxel) {
    Surface surface =
        extract_mesh(std::make_shared<const LevelSet>(fill_mesh(mesh, voxel, nullptr)), 0);
    surface.bodies.assign(surface.mesh.points.size(), body);
    return surface;
}

} // namespace nendo
