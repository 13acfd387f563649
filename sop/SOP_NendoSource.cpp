// SPDX-License-Identifier: Apache-2.0
#include "sop/SOP_NendoSource.h"

#include "core/range.h"
#include "core/rows.h"
#include "coupling/solver.h"
#include "dop/bridge/links.h"
#include "dop/bridge/points.h"
#include "elastoplastic/solver.h"
#include "geometry/nearest.h"
#include "geometry/sample.h"
#include "melt/solver.h"
#include "sop/nodes.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

using namespace nendo;
using namespace nendo::houdini;

namespace {

const std::string where = "input 1";

/// More would take minutes, which nobody can interrupt, and fill gigabytes.
constexpr SampleLimits limits{1e8, 1e7};

/// A value that melting particles have besides their material.
struct StartTemperature {
    double temperature; ///< [degC]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.temperature, field("temperature").unit("degC").range(-273.15, infinite));
    }
};

/// Replaces values of the materials by the point attributes of the same names, from the nearest
/// points of the input.
template <class Material>
void apply_painted(std::vector<Material>& materials, const std::vector<Vec3d>& masters,
                   const GU_Detail& input) {
    std::vector<std::uint32_t> nearest;
    for (const Field& f : list_fields<Material>()) {
        const auto column = read_column<float>(input, f, where);
        if (!column) continue;
        if (nearest.empty()) nearest = nearest_points(read_positions(input, where), masters);
        for (std::size_t i = 0; i < masters.size(); ++i)
            for_each_field(materials[i], [&](double& value, const Field& own) {
                if (own.name_ != f.name_) return;
                value = double((*column)[nearest[i]]);
                if (own.may_be_none_ && value == infinite) return;
                check_range(value, own,
                            where + ", attribute '" + std::string(own.name_) + "' of point " +
                                std::to_string(nearest[i]),
                            "a number");
            });
    }
}

/// Writes columns except the named ones, which belong to the solver.
template <class Table>
void write_columns(GU_Detail& geometry, const std::vector<GA_Offset>& points, const Table& table,
                   std::initializer_list<std::string_view> except) {
    for_each_field(table, [&](const auto& column, const Field& f) {
        if (std::find(except.begin(), except.end(), f.name_) == except.end())
            write_column(geometry, points, f, column);
    });
}

} // namespace

void SOP_NendoSource::fill(const ParameterValues& values, OP_Context& context) {
    SourceParams params;
    read_parameters(params, values);
    const GU_Detail& source = required_input(0, "polygons or a level set (VDB)", context);
    switch (params.matter) {
    case SourceMatter::elastoplastic: return fill_elastoplastic(params, values, source);
    case SourceMatter::coupling: return fill_coupling(params, values, source);
    case SourceMatter::melt: return fill_melt(params, values, source);
    }
}

std::vector<Vec3d> SOP_NendoSource::fill_shape(const GU_Detail& source, double spacing) {
    std::vector<std::string> warnings;
    const SdfPtr shape = read_shape(source, where, warnings);
    for (const std::string& text : warnings) warn(text);
    return place_masters(*shape, spacing, limits);
}

void SOP_NendoSource::fill_coupling(const SourceParams& params, const ParameterValues& values,
                                    const GU_Detail& source) {
    coupling::Body body;
    body.name = "source";
    body.material = coupling::preset(params.coupling_preset);
    read_parameters(body.material, values, Given::on_request);
    body.spacing = params.spacing;
    body.velocity = params.velocity;
    body.angular_velocity = params.angular_velocity;
    body.index = params.body;
    body.membrane = params.membrane;
    if (params.membrane) {
        const TriMesh mesh = read_polygons(source, where);
        body.points = mesh.points;
        body.faces = mesh.triangles;
    } else {
        body.points = fill_shape(source, params.spacing);
    }
    coupling::State<float> state;
    state.details.next_particle = params.first_id;
    coupling::add_body(state, body, {}, coupling::Params{});
    const Positions positions = positions_of(state.particles);
    if (params.show == SourceShow::springs)
        table_to_polygons(state.springs, {}, positions, *gdp, where);
    else if (params.show == SourceShow::faces)
        table_to_polygons(state.faces, {}, positions, *gdp, where);
    else
        table_to_points(state.particles, {}, *gdp, where);
}

void SOP_NendoSource::fill_melt(const SourceParams& params, const ParameterValues& values,
                                const GU_Detail& source) {
    MeltSourceMaterial given{melt::preset(params.melt_preset)};
    read_parameters(given, values, Given::on_request);
    melt::Body body;
    body.name = "source";
    body.material = given.material;
    body.temperature = params.temperature;
    body.velocity = params.velocity;
    body.angular_velocity = params.angular_velocity;
    body.index = params.body;
    body.particles = fill_shape(source, params.spacing);
    melt::Params solver;
    solver.spacing = params.spacing;
    melt::State<float> state;
    melt::add_body(state, body, solver);
    melt::Particles<float>& particles = state.particles;
    if (params.use_attributes) {
        std::vector<melt::Material> materials(body.particles.size(), body.material);
        std::vector<StartTemperature> start(body.particles.size(), {params.temperature});
        apply_painted(materials, body.particles, source);
        apply_painted(start, body.particles, source);
        for (std::size_t i = 0; i < materials.size(); ++i)
            melt::set_material(particles, i, materials[i], start[i].temperature, false,
                               params.spacing);
    }
    write_columns(*gdp, append_points(*gdp, body.particles), particles,
                  {"id", "P", "enthalpy", "pressure", "pin", "solved", "colour"});
}

void SOP_NendoSource::fill_elastoplastic(const SourceParams& params, const ParameterValues& values,
                                         const GU_Detail& source) {
    elastoplastic::Body body;
    body.name = "source";
    body.material = elastoplastic::preset(params.preset);
    read_parameters(body.material, values, Given::on_request);
    body.masters = fill_shape(source, params.spacing);
    if (params.show == SourceShow::slaves) {
        append_points(*gdp, place_slaves(body.masters, params.spacing));
        return;
    }
    body.velocity = params.velocity;
    body.angular_velocity = params.angular_velocity;
    body.index = params.body;
    elastoplastic::Params solver;
    solver.spacing = params.spacing;
    elastoplastic::State<float> state;
    elastoplastic::add_body(state, body, solver);

    std::vector<elastoplastic::Material> materials(body.masters.size(), body.material);
    if (params.use_attributes) apply_painted(materials, body.masters, source);
    elastoplastic::Masters<float>& masters = state.masters;
    const double d = params.spacing;
    for (std::size_t i = 0; i < materials.size(); ++i) {
        set_rows<elastoplastic::Strength>(masters, i, i + 1, materials[i]);
        masters.mass[i] = static_cast<float>(materials[i].density * d * d * d);
        const std::int32_t own = materials[i].plastic() ? 0 : params.body + 1;
        masters.join[i] = params.join_rule == JoinRule::automatic ? own : params.join;
    }
    write_columns(*gdp, append_points(*gdp, body.masters), masters,
                  {"id", "P", "C", "F_E", "F_P", "J_P", "pin", "goal", "force"});
}
