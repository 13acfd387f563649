#include "sop/SOP_NendoSource.h"

#include "core/range.h"
#include "elastoplastic/material.h"
#include "geometry/nearest.h"
#include "geometry/sample.h"
#include "sop/nodes.h"
#include "sop/points.h"

#include <limits>

using namespace nendo;
using namespace nendo::houdini;
using elastoplastic::Material;

namespace {

/// Replaces values of the materials by attributes of the input's points of the same names.
void take_attributes(std::vector<Material>& materials, const std::vector<Vec3d>& masters,
                     const GU_Detail& input) {
    std::vector<std::uint32_t> nearest;
    for (const Field& f : list_fields<Material>()) {
        const auto numbers = read_numbers(input, std::string(f.name_), 1);
        if (!numbers) continue;
        if (nearest.empty()) nearest = nearest_points(read_positions(input), masters);
        for (std::size_t i = 0; i < masters.size(); ++i)
            for_each_field(materials[i], [&](double& value, const Field& own) {
                if (own.name_ != f.name_) return;
                value = (*numbers)[nearest[i]];
                check_range(value, own,
                            "point attribute " + std::string(own.name_) + " of point " +
                                std::to_string(nearest[i]),
                            "a number");
            });
    }
}

/// The column of each material value but the density, by its declared name.
void write_materials(GU_Detail& geometry, const std::vector<GA_Offset>& points,
                     const std::vector<Material>& materials) {
    for (const Field& f : list_fields<Material>()) {
        if (f.name_ == "density") continue; // the mass says it
        std::vector<double> column;
        for (const Material& material : materials)
            for_each_field(material, [&](const double& value, const Field& own) {
                // Geometry holds finite numbers; the largest stands for no limit.
                const double most = double(std::numeric_limits<float>::max());
                if (own.name_ == f.name_) column.push_back(std::min(value, most));
            });
        write_numbers(geometry, std::string(f.name_), 1, GA_TYPE_VOID, points, column);
    }
}

} // namespace

OP_Node* SOP_NendoSource::create(OP_Network* parent, const char* name, OP_Operator* op) {
    return new SOP_NendoSource(parent, name, op);
}

void SOP_NendoSource::fill(const ParameterValues& values, OP_Context& context) {
    SourceParams params;
    read_parameters(params, values);
    Material material = elastoplastic::preset(params.preset);
    read_parameters(material, values, Given::on_request);

    const GU_Detail& source = required_input(0, "polygons or a level set (VDB)", context);
    std::vector<std::string> warnings;
    const SdfPtr shape = read_shape(source, warnings);
    for (const std::string& text : warnings) warn(text);

    const std::vector<Vec3d> masters = place_masters(*shape, params.spacing);
    const double d = params.spacing;
    if (params.show == SourceShow::slaves) {
        const std::vector<Vec3d> slaves = place_slaves(masters, d);
        write_vectors(*gdp, "P", GA_TYPE_POINT, append_points(*gdp, slaves.size()), slaves);
        return;
    }

    const std::size_t count = masters.size();
    std::vector<Material> materials(count, material);
    if (params.use_attributes) take_attributes(materials, masters, source);
    Vec3d centre = Vec3d::Zero();
    for (const Vec3d& x : masters) centre += x / static_cast<double>(count);
    std::vector<Vec3d> velocities;
    std::vector<double> masses;
    std::vector<std::int32_t> joins;
    for (std::size_t i = 0; i < count; ++i) {
        velocities.push_back(params.velocity + params.angular_velocity.cross(masters[i] - centre));
        masses.push_back(materials[i].density * d * d * d);
        const std::int32_t own = materials[i].plastic() ? 0 : params.body + 1;
        joins.push_back(params.join_rule == JoinRule::automatic ? own : params.join);
    }

    const std::vector<GA_Offset> points = append_points(*gdp, count);
    write_vectors(*gdp, "P", GA_TYPE_POINT, points, masters);
    write_vectors(*gdp, "v", GA_TYPE_VECTOR, points, velocities);
    write_numbers(*gdp, "pscale", 1, GA_TYPE_VOID, points, std::vector<double>(count, d / 2));
    write_numbers(*gdp, "mass", 1, GA_TYPE_VOID, points, masses);
    write_numbers(*gdp, "volume", 1, GA_TYPE_VOID, points, std::vector<double>(count, d * d * d));
    write_materials(*gdp, points, materials);
    write_integers(*gdp, "body", points, std::vector<std::int32_t>(count, params.body));
    write_integers(*gdp, "join", points, joins);
}
