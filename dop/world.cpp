// SPDX-License-Identifier: Apache-2.0
#include "dop/world.h"

#include "core/error.h"
#include "core/hash.h"
#include "dop/bridge/fields.h"
#include "dop/bridge/geometry.h"
#include "dop/bridge/points.h"
#include "geometry/level_set.h"
#include "geometry/vdb_sdf.h"

#include <GEO/GEO_PrimVDB.h>
#include <GU/GU_PrimVDB.h>
#include <GU/GU_SDF.h>
#include <SIM/SIM_ForceGravity.h>
#include <SIM/SIM_Geometry.h>
#include <SIM/SIM_Object.h>
#include <SIM/SIM_ObjectArray.h>
#include <SIM/SIM_PhysicalParms.h>
#include <SIM/SIM_Position.h>
#include <SIM/SIM_SDF.h>
#include <UT/UT_String.h>

#include <cmath>
#include <cstring>
#include <utility>

namespace nendo::houdini {

namespace {

/// Name of the VDB that keeps the shape of a collider.
std::string shape_name(std::int64_t id) {
    return "collider_" + std::to_string(id);
}

using LevelSetPtr = std::shared_ptr<const LevelSet>;

// ---- poses -------------------------------------------------------------------------------------

/// Converts a matrix of Houdini, which multiplies row vectors from the left.
Pose to_pose(const UT_DMatrix4& m, const std::string& where) {
    Pose pose = Pose::Identity();
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j)
            pose.linear()(j, i) = m(static_cast<unsigned>(i), static_cast<unsigned>(j));
        pose.translation()[i] = m(3, static_cast<unsigned>(i));
    }
    const Mat3d square = pose.linear() * pose.linear().transpose();
    if (!pose.matrix().allFinite() || (square - Mat3d::Identity()).norm() > 1e-5 ||
        pose.linear().determinant() < 0)
        throw Error("its transform scales, shears or mirrors", where,
                    "transform the geometry itself before it becomes a collider");
    return pose;
}

Pose pose_of(const SIM_Object& affector, const SIM_Geometry* geometry, const std::string& where) {
    Pose pose = Pose::Identity();
    UT_DMatrix4 m;
    if (const SIM_Position* position = affector.getPosition()) {
        position->getTransform(m);
        pose = to_pose(m, where);
    }
    if (geometry != nullptr) {
        geometry->getTransform(m);
        pose = pose * to_pose(m, where);
    }
    return pose;
}

// ---- shapes ------------------------------------------------------------------------------------

class SimSdf final : public Sdf {
public:
    explicit SimSdf(const GU_SDF& sdf) : m_sdf(sdf) {}
    double distance(const Vec3d& p) const override { return m_sdf.getDistance(point(p)); }
    Vec3d normal(const Vec3d& p) const override {
        const UT_Vector3 g = m_sdf.getGradient(point(p));
        const Vec3d gradient(g.x(), g.y(), g.z());
        const double length = gradient.norm();
        return length > 0 ? Vec3d(gradient / length) : Vec3d::UnitY();
    }
    Box3 bounds() const override { return {Vec3d::Constant(-infinite), Vec3d::Constant(infinite)}; }

private:
    static UT_Vector3 point(const Vec3d& p) {
        return UT_Vector3(static_cast<float>(p.x()), static_cast<float>(p.y()),
                          static_cast<float>(p.z()));
    }
    const GU_SDF& m_sdf;
};

/// The first signed distance data below another data. Houdini casts by the name of the class in the
/// source, so this can't be a template.
const SIM_SDF* find_sdf_below(const SIM_Data* data) {
    if (data == nullptr) return nullptr;
    for (int i = 0; i < data->getNumSubData(); ++i) {
        const SIM_Data* piece = data->getConstNamedSubData(data->getSubDataName(i).c_str());
        if (const SIM_SDF* sdf = SIM_DATA_CASTCONST(piece, SIM_SDF)) return sdf;
    }
    return nullptr;
}

/// A shape of a collider, and a fingerprint that tells it from other shapes.
struct Found {
    SdfPtr sdf; ///< Null if there is a level set
    LevelSetPtr level_set;
    std::int64_t fingerprint = 0;
};

std::int64_t as_signed(std::uint64_t hash) {
    std::int64_t number;
    std::memcpy(&number, &hash, sizeof number);
    return number;
}

std::int64_t fingerprint(const TriMesh& mesh, double voxel) {
    Hasher hasher;
    hasher.add(&voxel, sizeof voxel);
    hasher.add(mesh.points.data(), mesh.points.size() * sizeof(Vec3d));
    hasher.add(mesh.triangles.data(), mesh.triangles.size() * sizeof(mesh.triangles[0]));
    return as_signed(hasher.digest());
}

bool is_velocity(const GEO_PrimVDB& vdb) {
    const std::string name = vdb.getGridName();
    return vdb.getConstGridPtr()->isType<openvdb::Vec3SGrid>() &&
           (name == "v" || name == "vel" || name == "collisionvel");
}

/// The level sets of a geometry, each with the velocity grid beside them.
std::vector<Found> find_level_sets(const GU_Detail& gdp, const std::string& where) {
    std::vector<Found> found;
    openvdb::Vec3SGrid::Ptr velocity;
    const GEO_Primitive* primitive = nullptr;
    GA_FOR_ALL_PRIMITIVES(&gdp, primitive) {
        if (primitive->getTypeId() != GA_PRIMVDB) continue;
        const auto* vdb = static_cast<const GEO_PrimVDB*>(primitive);
        const auto grid = vdb->getConstGridPtr();
        if (is_velocity(*vdb))
            velocity = openvdb::ConstPtrCast<openvdb::Vec3SGrid>(
                openvdb::gridConstPtrCast<openvdb::Vec3SGrid>(grid));
        if (grid->getGridClass() != openvdb::GRID_LEVEL_SET) continue;
        auto level_set = std::make_shared<LevelSet>(level_set_of(grid, where));
        found.push_back({nullptr, level_set, as_signed(hash_level_set(*level_set))});
    }
    for (Found& shape : found) {
        auto moving = std::make_shared<LevelSet>(*shape.level_set);
        moving->velocity = velocity;
        shape.level_set = moving;
    }
    return found;
}

std::vector<Found> find_shapes(const SIM_Object& affector, std::int64_t id,
                               const WorldOptions& options, const ColliderMemory& memory,
                               const std::string& where, Host& host) {
    const SIM_Geometry* geometry = affector.getGeometry();
    const SIM_SDF* sdf = find_sdf_below(geometry);
    if (sdf == nullptr) sdf = find_sdf_below(&affector);
    if (sdf != nullptr && sdf->getSDF().isValid())
        return {{std::make_shared<SimSdf>(sdf->getSDF()), nullptr, 0}};

    const SIM_GeometryAutoReadLock lock(geometry);
    const GU_Detail* gdp = lock.getGdp();
    if (gdp != nullptr) {
        std::vector<Found> level_sets = find_level_sets(*gdp, where);
        if (!level_sets.empty()) return level_sets;
        const TriMesh mesh = read_polygons(*gdp, where);
        if (!mesh.triangles.empty()) {
            const std::int64_t print = fingerprint(mesh, options.voxel);
            // The polygons are those of the last step, and so is their level set.
            const auto old = memory.shapes.find(id);
            for (std::size_t k = 0; k < memory.table.id.size(); ++k)
                if (memory.table.id[k] == id && memory.table.shape[k] == print &&
                    old != memory.shapes.end())
                    return {{nullptr, old->second, print}};
            MeshReport report;
            auto level_set = std::make_shared<LevelSet>(fill_mesh(mesh, options.voxel, &report));
            if (const std::string text = report.warning(); !text.empty())
                host.log(Severity::warning, where + ": " + text);
            return {{nullptr, level_set, print}};
        }
    }
    throw Error("has no shape to collide with", where,
                "give it polygons, a level set (VDB) or signed distance data");
}

// ---- motion and forces
// --------------------------------------------------------------------------------

/// The row of a collider in the table, or null.
const std::size_t* find_row(const std::map<std::int64_t, std::size_t>& rows, std::int64_t id) {
    const auto row = rows.find(id);
    return row == rows.end() ? nullptr : &row->second;
}

double friction_of(const SIM_Object& affector, double otherwise) {
    const SIM_PhysicalParms* parms = affector.getPhysicalParms();
    if (parms == nullptr || !parms->getOptions().hasOption("friction")) return otherwise;
    return parms->getOptions().getOptionF("friction");
}

/// The gravity attached to the object, or else that of the node.
Vec3d gravity_of(const SIM_Object& object, const Vec3d& otherwise) {
    const SIM_Data* forces = object.getConstNamedSubData("Forces");
    if (forces == nullptr) return otherwise;
    Vec3d sum = Vec3d::Zero();
    bool any = false;
    for (int i = 0; i < forces->getNumSubData(); ++i) {
        const SIM_Data* force = forces->getConstNamedSubData(forces->getSubDataName(i).c_str());
        const SIM_ForceGravity* gravity = SIM_DATA_CASTCONST(force, SIM_ForceGravity);
        if (gravity == nullptr) continue;
        const UT_Vector3 g = gravity->getGravity();
        sum += Vec3d(g.x(), g.y(), g.z());
        any = true;
    }
    return any ? sum : otherwise;
}

} // namespace

ColliderMemory read_memory(const GU_Detail& gdp, const std::string& where) {
    ColliderMemory memory;
    points_to_table(gdp, point_offsets(gdp), memory.table, where);
    // VDBs have points too, which are not colliders.
    std::vector<std::uint8_t> others(memory.table.id.size(), 0);
    for (std::size_t k = 0; k < others.size(); ++k) others[k] = memory.table.id[k] < 0;
    erase_marked(memory.table, others);
    const GEO_Primitive* primitive = nullptr;
    GA_FOR_ALL_PRIMITIVES(&gdp, primitive) {
        if (primitive->getTypeId() != GA_PRIMVDB) continue;
        const auto* vdb = static_cast<const GEO_PrimVDB*>(primitive);
        for (const std::int64_t id : memory.table.id)
            if (vdb->getGridName() == shape_name(id))
                memory.shapes[id] =
                    std::make_shared<LevelSet>(level_set_of(vdb->getConstGridPtr(), where));
    }
    return memory;
}

void write_memory(const ColliderMemory& memory, GU_Detail& gdp, const std::string& where) {
    gdp.clearAndDestroy();
    table_to_points(memory.table, {}, gdp, where);
    for (const auto& [id, level_set] : memory.shapes) {
        GU_PrimVDB::buildFromGrid(gdp, level_set->distance->copyGrid(), nullptr,
                                  shape_name(id).c_str());
    }
    gdp.bumpDataIdsForAddOrRemove(true, true, true);
}

Scene build_scene(const SIM_Object& object, const WorldOptions& options, ColliderMemory& memory,
                  Host& host) {
    Scene scene;
    scene.gravity = gravity_of(object, options.gravity);
    std::map<std::int64_t, std::size_t> rows;
    for (std::size_t k = 0; k < memory.table.id.size(); ++k) rows[memory.table.id[k]] = k;

    ColliderMemory now;
    SIM_ConstObjectArray affectors;
    object.getConstAffectors(affectors, "SIM_RelationshipCollide");
    for (int i = 0; i < affectors.entries(); ++i) {
        const SIM_Object& affector = *affectors(i);
        if (affector.getObjectId() == object.getObjectId()) continue;
        const std::string where = std::string("collider '") + affector.getName().c_str() + "'";
        const Pose pose = pose_of(affector, affector.getGeometry(), where);
        std::int64_t id = std::int64_t(affector.getObjectId()) * 65536;
        for (const Found& found : find_shapes(affector, id, options, memory, where, host)) {
            const std::size_t* before = find_row(rows, id);
            Pose old_pose = pose;
            if (before != nullptr && options.end > options.start) {
                old_pose.linear() = memory.table.turn[*before];
                old_pose.translation() = memory.table.place[*before];
            }
            Collider collider;
            collider.name = where;
            collider.friction = friction_of(affector, options.friction);
            collider.motion = Motion::between(options.start, old_pose, options.end, pose);
            collider.shape = found.level_set ? make_level_set(*found.level_set) : found.sdf;
            if (found.level_set && options.end > options.start) {
                Deformation& change = collider.deformation;
                change.start = options.start;
                change.end = options.end;
                const auto old_shape = memory.shapes.find(id);
                const bool changed = before != nullptr && old_shape != memory.shapes.end() &&
                                     memory.table.shape[*before] != found.fingerprint;
                if (found.level_set->velocity) change.velocity = make_velocity(*found.level_set);
                if (changed || (change.velocity && before != nullptr)) {
                    change.end_shape = collider.shape;
                    if (changed) collider.shape = make_level_set(*old_shape->second);
                }
            }
            if (found.level_set) now.shapes[id] = found.level_set;
            now.table.id.push_back(id);
            now.table.shape.push_back(found.fingerprint);
            now.table.turn.push_back(pose.linear());
            now.table.place.push_back(pose.translation());
            scene.colliders.push_back(std::move(collider));
            ++id;
        }
    }
    if (auto field = find_field_collider(object, options.start, options.end)) {
        field->friction = options.friction;
        scene.colliders.push_back(std::move(*field));
    }
    memory = std::move(now);
    return scene;
}

} // namespace nendo::houdini
