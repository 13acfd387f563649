// SPDX-License-Identifier: Apache-2.0
// Samples OpenVDB level sets as shapes, makes them from meshes and reads them from files.
#include "geometry/vdb_sdf.h"

#include "core/error.h"
#include "core/hash.h"
#include "geometry/level_set.h"
#include "geometry/triangle_tree.h"

#include <openvdb/tools/Interpolation.h>
#include <openvdb/tools/LevelSetRebuild.h>
#include <openvdb/tools/MeshToVolume.h>

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace nendo {
namespace {

constexpr float half_width = 3; // Half width of narrow bands, in voxels.

/// More voxels than this would fill gigabytes.
constexpr double most_voxels = 1e8;

/// Voxels in the narrow band around a mesh, by its area. An open mesh may have to be closed across
/// its whole box, where a block of 8^3 voxels counts as eight.
double count_voxels(const TriMesh& mesh, const Vec3d& size, double voxel_size, bool open) {
    double area = 0;
    for (const auto& t : mesh.triangles)
        area += 0.5 * (mesh.points[t[1]] - mesh.points[t[0]])
                          .cross(mesh.points[t[2]] - mesh.points[t[0]])
                          .norm();
    const double band = (2 * half_width + 1) * area / (voxel_size * voxel_size);
    const Vec3d blocks = size / (8 * voxel_size) + Vec3d::Constant(3);
    return open ? band + 8 * blocks.prod() : band;
}

class VdbSdf final : public Sdf {
public:
    explicit VdbSdf(openvdb::FloatGrid::ConstPtr grid)
        : m_grid(std::move(grid)), m_voxel(m_grid->voxelSize()[0]) {
        openvdb::CoordBBox band;
        if (!m_grid->tree().evalLeafBoundingBox(band))
            throw Error("the level set is empty", m_grid->getName(), "use one that has a surface");
        m_band = {from_vdb(m_grid->indexToWorld(band.min())),
                  from_vdb(m_grid->indexToWorld(band.max()))};
        if ((m_band.min.array() > m_band.max.array()).any())
            m_band = {m_band.min.cwiseMin(m_band.max), m_band.min.cwiseMax(m_band.max)};
        m_bounds = inside_box();
    }

    double distance(const Vec3d& p) const override {
        const double value = interpolate(p);
        // Far outside, the box around the narrow band gives a better bound than the background
        // value.
        const double far = (m_band.min - p).cwiseMax(p - m_band.max).cwiseMax(0.0).norm();
        return value > 0 ? std::max(value, far) : value;
    }
    Vec3d normal(const Vec3d& p) const override {
        Vec3d gradient;
        for (int k = 0; k < 3; ++k) {
            const Vec3d offset = 0.5 * m_voxel * Vec3d::Unit(k);
            gradient[k] = interpolate(p + offset) - interpolate(p - offset);
        }
        if (gradient.norm() < 1e-6 * m_voxel)
            gradient = p - (m_bounds.min + m_bounds.max) / 2; // Outside the band: away from it.
        const double length = gradient.norm();
        return length > 0 ? Vec3d(gradient / length) : Vec3d::UnitX();
    }
    bool inside(const Vec3d& p) const override { return interpolate(p) < 0; }
    Box3 bounds() const override { return m_bounds; }

private:
    double interpolate(const Vec3d& p) const {
        // An accessor that is not registered with the tree costs nothing to make, and the tree
        // never changes.
        openvdb::tree::ValueAccessor<const openvdb::FloatTree, false> accessor(m_grid->tree());
        return double(
            openvdb::tools::BoxSampler::sample(accessor, m_grid->worldToIndex(to_vdb(p))));
    }
    Box3 inside_box() const {
        openvdb::CoordBBox box;
        for (auto it = m_grid->cbeginValueOn(); it; ++it)
            if (*it < 0) {
                openvdb::CoordBBox voxels;
                it.getBoundingBox(voxels);
                box.expand(voxels);
            }
        if (box.empty())
            throw Error("the level set has no inside", m_grid->getName(), "use finer voxels");
        box.expand(1);
        const Vec3d a = from_vdb(m_grid->indexToWorld(box.min()));
        const Vec3d b = from_vdb(m_grid->indexToWorld(box.max()));
        return {a.cwiseMin(b), a.cwiseMax(b)};
    }

    openvdb::FloatGrid::ConstPtr m_grid;
    double m_voxel;
    Box3 m_band, m_bounds;
};

class VdbVelocity final : public VelocityField {
public:
    explicit VdbVelocity(openvdb::Vec3SGrid::ConstPtr grid) : m_grid(std::move(grid)) {}
    Vec3d at(const Vec3d& p) const override {
        openvdb::tree::ValueAccessor<const openvdb::Vec3STree, false> accessor(m_grid->tree());
        const openvdb::Vec3s v =
            openvdb::tools::BoxSampler::sample(accessor, m_grid->worldToIndex(to_vdb(p)));
        return {double(v.x()), double(v.y()), double(v.z())};
    }

private:
    openvdb::Vec3SGrid::ConstPtr m_grid;
};

/// Computes distances to the mesh [m], using the instantiation that the OpenVDB library already
/// contains.
openvdb::FloatGrid::Ptr distances_to(const TriMesh& mesh, double voxel_size, int flags) {
    std::vector<openvdb::Vec3s> points; // in voxels
    points.reserve(mesh.points.size());
    for (const Vec3d& p : mesh.points) points.emplace_back(to_vdb(p / voxel_size));
    std::vector<openvdb::Vec3I> triangles;
    triangles.reserve(mesh.triangles.size());
    for (const auto& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
    const openvdb::tools::QuadAndTriangleDataAdapter<openvdb::Vec3s, openvdb::Vec3I> adapter(
        points, triangles);
    const auto transform = openvdb::math::Transform::createLinearTransform(voxel_size);
    openvdb::util::NullInterrupter never;
    return openvdb::tools::meshToVolume<openvdb::FloatGrid>(never, adapter, *transform, half_width,
                                                            half_width, flags);
}

/// Gives unsigned distances the sign of the winding number, and fills blocks near the holes with
/// values that cross zero where the winding number is 1/2. Then recomputes distances from that
/// surface.
openvdb::FloatGrid::Ptr sign_by_winding(openvdb::FloatGrid::Ptr grid, const TriMesh& mesh,
                                        bool flipped) {
    const TriangleTree tree(mesh);
    const double sign = flipped ? -1 : 1;
    const auto winding = [&](const openvdb::Coord& ijk) {
        return sign * tree.winding(from_vdb(grid->indexToWorld(ijk)));
    };
    const float background = grid->background();
    openvdb::FloatTree& distances = grid->tree();

    // All leaf-sized blocks that can contain an inside, plus a margin.
    openvdb::CoordBBox box = grid->evalActiveVoxelBoundingBox();
    box.expand(8);
    std::vector<openvdb::Coord> blocks;
    for (int x = box.min().x() & ~7; x <= box.max().x(); x += 8)
        for (int y = box.min().y() & ~7; y <= box.max().y(); y += 8)
            for (int z = box.min().z() & ~7; z <= box.max().z(); z += 8)
                blocks.emplace_back(x, y, z);

    enum class Kind : std::uint8_t { outside, inside, mixed };
    std::vector<Kind> kinds(blocks.size());
    tbb::parallel_for(std::size_t(0), blocks.size(), [&](std::size_t i) {
        const double w = winding(blocks[i].offsetBy(4));
        const bool clear = w < 0.2 || w > 0.8; // It is 1/2 where a hole is closed.
        kinds[i] = distances.probeConstLeaf(blocks[i]) != nullptr || !clear ? Kind::mixed
                   : w > 0.5                                                ? Kind::inside
                                                                            : Kind::outside;
    });
    std::vector<openvdb::FloatTree::LeafNodeType*> leaves;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (kinds[i] == Kind::mixed) leaves.push_back(distances.touchLeaf(blocks[i]));
        if (kinds[i] == Kind::inside) distances.addTile(1, blocks[i], -background, false);
    }
    tbb::parallel_for(std::size_t(0), leaves.size(), [&](std::size_t i) {
        for (openvdb::Index n = 0; n < openvdb::FloatTree::LeafNodeType::SIZE; ++n) {
            const double w = winding(leaves[i]->offsetToGlobalCoord(n));
            const float near = std::min(leaves[i]->getValue(n), background);
            const float value = leaves[i]->isValueOn(n)
                                    ? std::copysign(near, float(0.5 - w))
                                    : float(std::clamp(1 - 2 * w, -1.0, 1.0)) * background;
            leaves[i]->setValueOn(n, value);
        }
    });
    return openvdb::tools::levelSetRebuild(*grid, 0, half_width);
}

} // namespace

LevelSet fill_mesh(const TriMesh& mesh, double voxel_size, MeshReport* report) {
    if (!(voxel_size > 0) || !std::isfinite(voxel_size))
        throw Error("the voxel size is " + std::to_string(voxel_size) + " m", "mesh",
                    "use a length above 0");
    MeshReport found;
    const SdfPtr exact = make_mesh(mesh, &found); // Throws for meshes without an inside.
    const Vec3d size = exact->bounds().max - exact->bounds().min;
    if (!(size.maxCoeff() / voxel_size <= 1e5))
        throw Error("the mesh is more than 100,000 voxels wide", "mesh", "use larger voxels");

    const bool open = found.open_edges > 0 || found.twisted_edges > 0;
    if (!(count_voxels(mesh, size, voxel_size, open) <= most_voxels))
        throw Error("the mesh needs more than 100 million voxels of " + std::to_string(voxel_size) +
                        " m",
                    "mesh", "use larger voxels, a smaller mesh, or a closed one");

    openvdb::initialize();
    openvdb::FloatGrid::Ptr grid =
        distances_to(mesh, voxel_size, open ? openvdb::tools::UNSIGNED_DISTANCE_FIELD : 0);
    if (open) grid = sign_by_winding(grid, mesh, found.flipped);
    grid->setName("mesh");
    if (report != nullptr) *report = found;
    LevelSet level_set;
    level_set.distance = grid;
    return level_set;
}

SdfPtr make_mesh_collider(const TriMesh& mesh, double voxel_size, MeshReport* report) {
    return make_level_set(fill_mesh(mesh, voxel_size, report));
}

SdfPtr make_level_set(const LevelSet& level_set) {
    return std::make_shared<VdbSdf>(level_set.distance);
}

VelocityPtr make_velocity(const LevelSet& level_set) {
    return std::make_shared<VdbVelocity>(level_set.velocity);
}

std::uint64_t hash_level_set(const LevelSet& level_set) {
    Hasher hasher;
    const openvdb::FloatGrid& grid = *level_set.distance;
    const openvdb::Mat4R matrix = grid.transform().baseMap()->getAffineMap()->getMat4();
    hasher.add(matrix.asPointer(), sizeof(double) * 16);
    for (auto leaf = grid.tree().cbeginLeaf(); leaf; ++leaf) {
        hasher.add(leaf->origin().asPointer(), sizeof(openvdb::Int32) * 3);
        hasher.add(leaf->buffer().data(),
                   sizeof(float) * std::size_t(openvdb::FloatTree::LeafNodeType::SIZE));
    }
    return hasher.digest();
}

SdfPtr make_vdb(const std::filesystem::path& path, const std::string& grid) {
    openvdb::initialize();
    try {
        openvdb::io::File file(path.string());
        file.open();
        std::string names;
        for (auto it = file.beginName(); it != file.endName(); ++it) {
            names += (names.empty() ? "" : ", ") + *it;
            if (!grid.empty() && *it != grid) continue;
            const auto base = file.readGrid(*it);
            if (grid.empty() && base->getGridClass() != openvdb::GRID_LEVEL_SET) continue;
            return make_level_set(level_set_of(base, path.string() + ": grid \"" + *it + "\""));
        }
        throw Error(grid.empty() ? "there is no level set" : "there is no grid \"" + grid + "\"",
                    path.string(),
                    names.empty() ? "the file is empty" : "the file contains: " + names);
    } catch (const openvdb::Exception& e) {
        throw Error(std::string("cannot be read: ") + e.what(), path.string(),
                    "use a readable .vdb file");
    }
}

} // namespace nendo
