// SPDX-License-Identifier: Apache-2.0
// Reads and writes OpenVDB files.
#include "io/vdb_file.h"

#include "core/error.h"
#include "geometry/level_set.h"
#include "geometry/nearest.h"

#include <openvdb/tools/LevelSetUtil.h>

#include <fcntl.h>
#include <unistd.h>

#include <fstream>
#include <system_error>

namespace nendo {
namespace {

/// Runs `read` on the opened file and turns OpenVDB's exceptions into an Error that names the file.
template <class Read> auto with_file(const std::filesystem::path& path, const Read& read) {
    openvdb::initialize();
    if (!std::filesystem::exists(path))
        throw Error("there is no such file", path.string(), "check the path");
    try {
        openvdb::io::File file(path.string());
        file.open();
        return read(file);
    } catch (const openvdb::Exception& e) {
        throw Error(std::string("cannot be read as VDB (") + e.what() + ")", path.string(),
                    "write the file again");
    }
}

/// A file that checks its writes; OpenVDB's own File does not notice a full disk.
class CheckedFile : public openvdb::io::Archive {
public:
    void write(const std::filesystem::path& path, const openvdb::GridPtrVec& grids,
               const openvdb::MetaMap& metadata) const {
        std::ofstream stream;
        stream.exceptions(std::ios::badbit | std::ios::failbit);
        stream.open(path, std::ios::binary | std::ios::trunc);
        Archive::write(stream, grids, true, metadata);
        stream.close();
    }

private:
    using Archive::write;
};

/// Makes sure that the bytes are on the disk before the file gets its final name.
void flush_to_disk(const std::filesystem::path& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const bool flushed = file >= 0 && ::fsync(file) == 0;
    if (file >= 0) ::close(file);
    if (!flushed)
        throw Error("cannot be flushed to the disk", path.string(), "check space and permissions");
}

/// Writes the grids so that a reader sees either the old file or the complete new one.
void write_grids(const std::filesystem::path& path, const openvdb::GridPtrVec& grids,
                 const VdbMetadata& metadata) {
    openvdb::MetaMap file_metadata;
    for (const auto& [name, value] : metadata)
        file_metadata.insertMeta(name, openvdb::StringMetadata(value));

    const std::filesystem::path temporary = path.string() + ".tmp" + std::to_string(::getpid());
    try {
        CheckedFile().write(temporary, grids, file_metadata);
        flush_to_disk(temporary);
        std::filesystem::rename(temporary, path);
    } catch (const std::exception& e) {
        std::error_code ignored; // Report the first failure.
        std::filesystem::remove(temporary, ignored);
        throw Error(std::string("cannot be written (") + e.what() + ")", path.string(),
                    "check that the folder exists, and its space and permissions");
    }
}

/// Returns the temperature of the nearest particle in each voxel of the level set's band.
openvdb::FloatGrid::Ptr temperature_grid(const openvdb::FloatGrid& distance,
                                         const VolumeOptions& options) {
    std::vector<Vec3d> places;
    for (auto it = distance.cbeginValueOn(); it; ++it)
        places.push_back(from_vdb(distance.indexToWorld(it.getCoord())));
    const std::vector<std::uint32_t> nearest = nearest_points(options.points, places);
    openvdb::FloatTree::Ptr tree(
        new openvdb::FloatTree(distance.tree(), 0.0f, openvdb::TopologyCopy()));
    std::size_t k = 0;
    for (auto it = tree->beginValueOn(); it; ++it)
        it.setValue(static_cast<float>(options.temperatures[nearest[k++]]));
    const auto grid = openvdb::FloatGrid::create(tree);
    grid->setTransform(distance.transform().copy());
    return grid;
}

} // namespace

void write_vdb(const std::filesystem::path& path, const Surface& surface,
               const VdbMetadata& metadata) {
    const LevelSet& level_set = *surface.level_set;
    openvdb::GridPtrVec grids;
    const auto add = [&](const auto& grid, const char* name, openvdb::GridClass grid_class) {
        if (!grid) return;
        auto copy = grid->copy(); // Shares the voxels but has its own name.
        copy->setName(name);
        copy->setGridClass(grid_class);
        copy->setCreator("Nendo");
        grids.push_back(copy);
    };
    add(level_set.distance, "surface", openvdb::GRID_LEVEL_SET);
    add(level_set.velocity, "v", openvdb::GRID_UNKNOWN);
    add(level_set.body, "body", openvdb::GRID_UNKNOWN);
    if (level_set.velocity) grids[1]->setVectorType(openvdb::VEC_CONTRAVARIANT_RELATIVE);
    write_grids(path, grids, metadata);
}

Surface read_vdb_surface(const std::filesystem::path& path) {
    return with_file(path, [&](openvdb::io::File& file) {
        auto level_set = std::make_shared<LevelSet>();
        for (auto it = file.beginName(); it != file.endName(); ++it) {
            const openvdb::GridBase::Ptr grid = file.readGrid(*it);
            if (!level_set->distance && grid->getGridClass() == openvdb::GRID_LEVEL_SET)
                level_set->distance = openvdb::gridPtrCast<openvdb::FloatGrid>(grid);
            if (*it == "v") level_set->velocity = openvdb::gridPtrCast<openvdb::Vec3SGrid>(grid);
            if (*it == "body") level_set->body = openvdb::gridPtrCast<openvdb::Int32Grid>(grid);
        }
        if (!level_set->distance || !level_set->distance->hasUniformVoxels())
            throw Error("contains no level set with cubic voxels", path.string(),
                        "use a file written by nendo surface, or a distance VDB");
        return mesh_level_set(level_set, 0);
    });
}

void write_volume(const std::filesystem::path& surface, const std::filesystem::path& path,
                  const VolumeOptions& options) {
    const Surface read = read_vdb_surface(surface);
    const LevelSet& level_set = *read.level_set;
    openvdb::GridPtrVec grids;
    const auto add = [&](const openvdb::GridBase::Ptr& grid, const char* name,
                         openvdb::GridClass grid_class) {
        grid->setName(name);
        grid->setGridClass(grid_class);
        grid->setCreator("Nendo");
        grid->setSaveFloatAsHalf(options.half);
        grids.push_back(grid);
    };
    add(level_set.distance->copy(), "surface", openvdb::GRID_LEVEL_SET);
    if (level_set.velocity) {
        add(level_set.velocity->copy(), "vel", openvdb::GRID_UNKNOWN);
        grids.back()->setVectorType(openvdb::VEC_CONTRAVARIANT_RELATIVE);
    }
    if (!options.points.empty())
        add(temperature_grid(*level_set.distance, options), "temperature",
            openvdb::GRID_FOG_VOLUME);
    if (options.density) {
        const openvdb::FloatGrid::Ptr fog = level_set.distance->deepCopy();
        openvdb::tools::sdfToFogVolume(*fog);
        add(fog, "density", openvdb::GRID_FOG_VOLUME);
    }
    write_grids(path, grids, {{"source", surface.filename().string()}});
}

VdbInfo read_vdb_info(const std::filesystem::path& path) {
    return with_file(path, [&](openvdb::io::File& file) {
        VdbInfo info;
        const openvdb::MetaMap::Ptr metadata = file.getMetadata();
        for (auto it = metadata->beginMeta(); it != metadata->endMeta(); ++it)
            info.metadata.emplace_back(it->first, it->second->str());
        for (auto it = file.beginName(); it != file.endName(); ++it) {
            const openvdb::GridBase::Ptr grid = file.readGrid(*it);
            VdbGridInfo entry;
            entry.name = grid->getName();
            entry.type = grid->valueType();
            entry.grid_class = openvdb::GridBase::gridClassToMenuName(grid->getGridClass());
            entry.half = grid->saveFloatAsHalf();
            entry.voxels = std::int64_t(grid->activeVoxelCount());
            entry.voxel_size = from_vdb(grid->voxelSize());
            const openvdb::CoordBBox box = grid->evalActiveVoxelBoundingBox();
            if (!box.empty())
                entry.bounds = {from_vdb(grid->indexToWorld(box.min())),
                                from_vdb(grid->indexToWorld(box.max()))};
            info.grids.push_back(entry);
        }
        return info;
    });
}

} // namespace nendo
