#include "geometry/surface.h"

#include "core/error.h"
#include "core/parallel.h"
#include "geometry/level_set.h"
#include "geometry/vdb_sdf.h"
#include "neighbours/grid.h"

#include <openvdb/tools/Composite.h>
#include <openvdb/tools/Interpolation.h>
#include <openvdb/tools/LevelSetFilter.h>
#include <openvdb/tools/SignedFloodFill.h>
#include <openvdb/tools/VolumeToMesh.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

namespace nendo {
namespace {

using Leaf = openvdb::FloatTree::LeafNodeType;

constexpr float half_width = 3; // Of the narrow band, in voxels.
/// Matter further than this from all particles, in spacings, is none: without it, the local middle
/// of two surfaces that face each other would bridge the gap. Particles of one piece are at most
/// two apart.
constexpr double farthest = 1.1;
/// Offset before smoothing and back after it, in voxels: parts thinner than the smoothing survive.
constexpr float shelter = 1.5f;

double weight(double r2, double reach2) {
    const double s = 1 - r2 / reach2;
    return s * s * s;
}

void check_input(const SurfaceInput& input) {
    const std::size_t n = input.positions.size();
    if (n == 0) throw Error("no particles", "surface", "simulate or load a frame that has some");
    if (!(input.spacing > 0) || !std::isfinite(input.spacing))
        throw Error("spacing is " + std::to_string(input.spacing) + " m", "surface",
                    "give the distance of neighbouring particles");
    const auto check = [&](std::size_t size, const char* name) {
        if (size != 0 && size != n)
            throw Error(std::string(name) + " has " + std::to_string(size) + " entries for " +
                            std::to_string(n) + " particles",
                        "surface", "give one a particle, or none");
    };
    check(input.velocities.size(), "velocities");
    check(input.bodies.size(), "bodies");
    check(input.groups.size(), "groups");
    for (std::size_t i = 0; i < n; ++i)
        if (!input.positions[i].allFinite())
            throw Error("position is not finite", "particle " + std::to_string(i), "remove it");
}

/// Origins of all leaves within `reach` [voxels] of a particle, in order.
std::vector<openvdb::Coord> touched_leaves(const std::vector<Vec3d>& x, double voxel_size,
                                           double reach) {
    std::vector<openvdb::Coord> origins;
    for (const Vec3d& point : x) {
        const Vec3d p = point / voxel_size;
        openvdb::Coord low, high;
        for (int k = 0; k < 3; ++k) {
            low[k] = int(std::floor(p[k] - reach)) & ~7;
            high[k] = int(std::ceil(p[k] + reach)) & ~7;
        }
        for (int i = low.x(); i <= high.x(); i += 8)
            for (int j = low.y(); j <= high.y(); j += 8)
                for (int k = low.z(); k <= high.z(); k += 8) origins.emplace_back(i, j, k);
        // Neighbours in space touch the same leaves: keep the list short as it grows.
        if (origins.size() > (1u << 22)) {
            std::sort(origins.begin(), origins.end());
            origins.erase(std::unique(origins.begin(), origins.end()), origins.end());
        }
    }
    std::sort(origins.begin(), origins.end());
    origins.erase(std::unique(origins.begin(), origins.end()), origins.end());
    return origins;
}

/// Distance to the local middle of the particles, less the radius [Zhu and Bridson 2005]: flat over
/// a lattice, closed over a single layer. Leaves that the surface does not cross are not kept.
openvdb::FloatGrid::Ptr distance_field(const std::vector<Vec3d>& x, double spacing,
                                       const SurfaceParams& params) {
    const double voxel_size = params.voxel * spacing;
    const double reach = params.reach * spacing, radius = params.radius * spacing;
    const float background = half_width * float(voxel_size);
    const auto transform = openvdb::math::Transform::createLinearTransform(voxel_size);
    Grid<double> cells;
    cells.build(x, reach);

    const std::vector<openvdb::Coord> origins =
        touched_leaves(x, voxel_size, params.reach / params.voxel);
    auto grid = openvdb::FloatGrid::create(background);
    grid->setTransform(transform);
    grid->setGridClass(openvdb::GRID_LEVEL_SET);
    // In portions, so that memory follows the surface and not the volume.
    constexpr std::size_t portion = 4096;
    std::vector<Leaf*> leaves;
    for (std::size_t start = 0; start < origins.size(); start += portion) {
        const std::size_t count = std::min(portion, origins.size() - start);
        leaves.assign(count, nullptr);
        tbb::parallel_for(std::size_t(0), count, [&](std::size_t i) {
            auto* leaf = new Leaf(origins[start + i], background, false);
            leaves[i] = leaf;
            Grid<double>::Around around(cells);
            for (openvdb::Index n = 0; n < Leaf::SIZE; ++n) {
                const Vec3d p = from_vdb(transform->indexToWorld(leaf->offsetToGlobalCoord(n)));
                double sum = 0, nearest2 = reach * reach;
                Vec3d middle = Vec3d::Zero();
                around.visit(p, reach, [&](std::uint32_t slot, double r2) {
                    const double w = weight(r2, reach * reach);
                    sum += w;
                    middle += w * (cells.point(slot) - p);
                    nearest2 = std::min(nearest2, r2);
                });
                if (!(sum > 0)) continue;
                const double d = std::max(middle.norm() / sum - radius,
                                          std::sqrt(nearest2) - farthest * spacing);
                if (std::abs(d) < double(background))
                    leaf->setValueOn(n, float(d));
                else
                    leaf->setValueOff(n, d < 0 ? -background : background);
            }
        });
        for (Leaf* leaf : leaves) {
            if (!leaf->isEmpty()) {
                grid->tree().addLeaf(leaf);
                continue;
            }
            if (leaf->getFirstValue() < 0)
                grid->tree().addTile(1, leaf->origin(), -background, false);
            delete leaf;
        }
    }
    openvdb::tools::signedFloodFill(grid->tree());
    return grid;
}

void smooth(openvdb::FloatGrid& grid, int rounds) {
    openvdb::tools::LevelSetFilter<openvdb::FloatGrid> filter(grid);
    // The field is close to a distance already; higher orders cost five times as much here.
    filter.setSpatialScheme(openvdb::math::FIRST_BIAS);
    filter.setTemporalScheme(openvdb::math::TVD_RK1);
    filter.normalize();
    if (rounds == 0) return;
    const float offset = shelter * float(grid.voxelSize()[0]);
    filter.offset(-offset);
    for (int i = 0; i < rounds; ++i) filter.laplacian();
    filter.offset(offset);
}

/// Particles in drops and threads, which smoothing would take away: few others are near.
std::vector<Vec3d> find_thin(const std::vector<Vec3d>& x, double reach) {
    constexpr int few = 4; // With itself; the corner of a solid lattice has 8, a thread 3.
    Grid<double> cells;
    cells.build(x, reach);
    std::vector<std::uint8_t> thin(x.size());
    parallel_for(x.size(), [&](std::size_t i) {
        int near = 0;
        cells.visit(x[i], reach, [&](std::uint32_t, double) { ++near; });
        thin[i] = near <= few;
    });
    std::vector<Vec3d> found;
    for (std::size_t i = 0; i < x.size(); ++i)
        if (thin[i] != 0) found.push_back(x[i]);
    return found;
}

openvdb::FloatGrid::Ptr skin(const std::vector<Vec3d>& x, double spacing,
                             const SurfaceParams& params) {
    openvdb::FloatGrid::Ptr grid = distance_field(x, spacing, params);
    smooth(*grid, params.smoothing);
    const std::vector<Vec3d> thin = find_thin(x, 2 * spacing);
    if (thin.empty() || params.smoothing == 0) return grid;
    const openvdb::FloatGrid::Ptr kept = distance_field(thin, spacing, params);
    openvdb::tools::csgUnion(*grid, *kept);
    return grid;
}

/// The particles of each group, in order of the groups' numbers.
std::vector<std::vector<Vec3d>> split_groups(const SurfaceInput& input) {
    if (input.groups.empty()) return {input.positions};
    std::map<std::int32_t, std::vector<Vec3d>> groups;
    for (std::size_t i = 0; i < input.positions.size(); ++i)
        groups[input.groups[i]].push_back(input.positions[i]);
    std::vector<std::vector<Vec3d>> list;
    list.reserve(groups.size());
    for (auto& [group, positions] : groups) list.push_back(std::move(positions));
    return list;
}

/// What the particles around a point say about it.
struct Around {
    Vec3d velocity{0, 0, 0};
    std::int32_t body = -1; ///< -1: no particle near
};

class ParticleLookup {
public:
    ParticleLookup(const SurfaceInput& input, double radius) : m_input(input), m_radius(radius) {
        m_cells.build(input.positions, radius);
    }

    Around at(const Vec3d& x) const {
        Around found;
        double sum = 0, nearest2 = infinite;
        std::uint32_t nearest = 0;
        m_cells.visit(x, m_radius, [&](std::uint32_t k, double r2) {
            const double w = weight(r2, m_radius * m_radius);
            sum += w;
            if (!m_input.velocities.empty()) found.velocity += w * m_input.velocities[k];
            if (r2 < nearest2) {
                nearest2 = r2;
                nearest = k;
            }
        });
        if (!(sum > 0)) return found;
        found.velocity /= sum;
        found.body = m_input.bodies.empty() ? 0 : m_input.bodies[nearest];
        return found;
    }

private:
    const SurfaceInput& m_input;
    double m_radius;
    Grid<double> m_cells;
};

/// Velocity and body in the voxels of the narrow band.
void add_attributes(LevelSet& level_set, const ParticleLookup& lookup) {
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
    tbb::parallel_for(std::size_t(0), velocity_leaves.size(), [&](std::size_t i) {
        for (auto it = velocity_leaves[i]->beginValueOn(); it; ++it) {
            const Around here =
                lookup.at(from_vdb(distance.transform().indexToWorld(it.getCoord())));
            it.setValue(openvdb::Vec3s(here.velocity.cast<float>().eval().data()));
            body_leaves[i]->setValueOn(it.pos(), here.body);
        }
    });
}

void measure(Surface& surface) {
    for (const Vec3d& p : surface.mesh.points) surface.bounds = join_boxes(surface.bounds, {p, p});
    const Vec3d center = (surface.bounds.min + surface.bounds.max) / 2;
    for (const auto& t : surface.mesh.triangles) {
        const Vec3d a = surface.mesh.points[t[0]] - center, b = surface.mesh.points[t[1]] - center,
                    c = surface.mesh.points[t[2]] - center;
        surface.volume += a.dot(b.cross(c)) / 6;
        surface.area += (b - a).cross(c - a).norm() / 2;
    }
}

Surface extract_mesh(std::shared_ptr<const LevelSet> level_set, double adaptivity) {
    Surface surface;
    std::vector<openvdb::Vec3s> points;
    std::vector<openvdb::Vec3I> triangles;
    std::vector<openvdb::Vec4I> quads;
    openvdb::tools::volumeToMesh(*level_set->distance, points, triangles, quads, 0, adaptivity);
    surface.mesh.points.reserve(points.size());
    for (const openvdb::Vec3s& p : points)
        surface.mesh.points.emplace_back(double(p.x()), double(p.y()), double(p.z()));
    // OpenVDB's faces are clockwise seen from outside; quads are cut along the shorter diagonal.
    auto& out = surface.mesh.triangles;
    for (const openvdb::Vec3I& t : triangles) out.push_back({t[0], t[2], t[1]});
    const auto& p = surface.mesh.points;
    for (const openvdb::Vec4I& q : quads) {
        const bool first = (p[q[0]] - p[q[2]]).squaredNorm() <= (p[q[1]] - p[q[3]]).squaredNorm();
        if (first) {
            out.push_back({q[0], q[2], q[1]});
            out.push_back({q[0], q[3], q[2]});
        } else {
            out.push_back({q[0], q[3], q[1]});
            out.push_back({q[1], q[3], q[2]});
        }
    }
    surface.voxel_size = level_set->distance->voxelSize()[0];
    surface.level_set = std::move(level_set);
    measure(surface);
    return surface;
}

} // namespace

Surface surface_particles(const SurfaceInput& input, const SurfaceParams& params) {
    check_input(input);
    openvdb::initialize();
    auto level_set = std::make_shared<LevelSet>();
    for (const std::vector<Vec3d>& positions : split_groups(input)) {
        const openvdb::FloatGrid::Ptr grid = skin(positions, input.spacing, params);
        if (level_set->distance)
            openvdb::tools::csgUnion(*level_set->distance, *grid);
        else
            level_set->distance = grid;
    }
    level_set->distance->setName("surface");

    const double band = double(half_width) * params.voxel + farthest;
    const ParticleLookup lookup(input, band * input.spacing);
    add_attributes(*level_set, lookup);

    Surface surface = extract_mesh(level_set, params.adaptivity);
    const std::size_t n = surface.mesh.points.size();
    surface.mesh.velocities.assign(n, Vec3d::Zero());
    surface.bodies.assign(n, -1);
    parallel_for(n, [&](std::size_t i) {
        const Around here = lookup.at(surface.mesh.points[i]);
        surface.mesh.velocities[i] = here.velocity;
        surface.bodies[i] = here.body;
    });
    return surface;
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
