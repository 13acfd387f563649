// SPDX-License-Identifier: Apache-2.0
#include "sop/SOP_NendoSkin.h"

#include "dop/bridge/points.h"
#include "math/rotation.h"
#include "skinning/skeleton.h"
#include "skinning/skin.h"
#include "sop/nodes.h"

#include <algorithm>
#include <numeric>

using namespace nendo;
using namespace nendo::houdini;
using namespace nendo::rheology;

namespace {

const std::string mesh_input = "input 1";
const std::string bone_input = "input 2";

/// The points of the only polygon, in its order; empty if there are more polygons, as in a mesh.
std::vector<Vec3d> read_line(const GU_Detail& input) {
    std::vector<Vec3d> line;
    if (input.getNumPrimitives() != 1) return line;
    const std::vector<Vec3d> positions = read_positions(input, mesh_input);
    const std::vector<GA_Offset> points = point_offsets(input);
    const GEO_Primitive* primitive = nullptr;
    GA_FOR_ALL_PRIMITIVES(&input, primitive)
    for (GA_Size k = 0; k < primitive->getVertexCount(); ++k) {
        const auto found = std::find(points.begin(), points.end(), primitive->getPointOffset(k));
        line.push_back(positions[static_cast<std::size_t>(found - points.begin())]);
    }
    return line;
}

State<float> make_state(const GU_Detail& input, const TriMesh& mesh, const SkinParams& params,
                        const Material& material) {
    State<float> state;
    const std::vector<Vec3d> line = read_line(input);
    const auto segments =
        line.size() > 1
            ? segments_of_line(line, Section::ellipse(params.line_radius, params.line_radius),
                               Vec3d::UnitY(), material)
            : segments_of_mesh(mesh, params.bones, material).segments;
    Body body = make_skeleton(segments, material, params.clamp);
    body.name = "skeleton";
    body.index = params.body;
    add_body(state, body);
    return state;
}

/// The bones of one body, sorted by number, in double precision.
Bones<double> read_bones(const GU_Detail& input, std::int32_t body) {
    Bones<float> all;
    const std::vector<std::string> missing =
        points_to_table(input, point_offsets(input), all, bone_input);
    if (!missing.empty())
        throw Error("attribute '" + missing.front() + "' is missing", bone_input,
                    "connect bones that Nendo Rheology has simulated");
    std::vector<std::uint32_t> rows;
    for (std::uint32_t b = 0; b < all.id.size(); ++b)
        if (all.body[b] == body) rows.push_back(b);
    if (rows.empty())
        throw Error("no bone belongs to body " + std::to_string(body), bone_input,
                    "set Body to the body of the bones");
    std::sort(rows.begin(), rows.end(),
              [&](std::uint32_t a, std::uint32_t b) { return all.number[a] < all.number[b]; });
    gather_table(all, rows);
    Bones<double> bones;
    resize_table(bones, rows.size());
    for (std::size_t b = 0; b < rows.size(); ++b) {
        bones.x[b] = all.x[b].cast<double>();
        bones.orient[b] = all.orient[b].cast<double>();
        bones.rest[b] = all.rest[b].cast<double>();
        bones.rest_orient[b] = all.rest_orient[b].cast<double>();
        bones.half[b] = all.half[b].cast<double>();
    }
    return bones;
}

Influences painted(const GU_Detail& input, std::size_t points, std::size_t bones, int per_vertex) {
    std::vector<float> weights(points * bones, 0.0f);
    for (std::size_t b = 0; b < bones; ++b) {
        const std::string name = "weight" + std::to_string(b);
        const auto column = read_column<float>(input, field(name), mesh_input);
        if (!column)
            throw Error("attribute '" + name + "' is missing", mesh_input,
                        "paint one for each bone, or choose other Weights");
        for (std::size_t v = 0; v < points; ++v) weights[v * bones + b] = (*column)[v];
    }
    return influences_from_painted(weights, bones, per_vertex);
}

Influences make_influences(const GU_Detail& input, const TriMesh& mesh, const Bones<double>& bones,
                           const SkinParams& params) {
    const std::vector<BoneLine> lines = bone_lines(bones);
    switch (params.weights) {
    case SkinWeights::heat: return influences_by_heat(mesh, lines, params.influences, 1);
    case SkinWeights::painted:
        return painted(input, mesh.points.size(), lines.size(), params.influences);
    case SkinWeights::distance: break;
    }
    return influences_by_distance(mesh.points, lines, params.influences, 4);
}

} // namespace

void SOP_NendoSkin::fill(const ParameterValues& values, OP_Context& context) {
    SkinParams params;
    read_parameters(params, values);
    const GU_Detail& input = required_input(0, "a mesh", context);
    const TriMesh mesh = read_polygons(input, mesh_input);
    if (params.output != SkinOutput::skin) {
        Material material = preset(params.preset);
        read_parameters(material, values, Given::on_request);
        const State<float> state = make_state(input, mesh, params, material);
        if (params.output == SkinOutput::bones)
            table_to_points(state.bones, Places{}, *gdp, "output");
        else
            table_to_points(state.joints, Places{}, *gdp, "output");
        return;
    }
    const GU_Detail& simulated = required_input(1, "the simulated bones", context);
    const Bones<double> bones = read_bones(simulated, params.body);
    const Skin skin(mesh.points, point_normals(mesh), make_influences(input, mesh, bones, params),
                    rest_poses(bones));
    std::vector<Vec3<float>> places, normals;
    const std::vector<Pose> now = poses(bones);
    skin.deform(now, params.blend, places, normals);
    if (params.detail > 0)
        SkinDetail(mesh, 0.02).correct(skin.rotations(now), params.detail, places);
    gdp->replaceWith(input);
    const std::vector<GA_Offset> points = point_offsets(*gdp);
    write_column(*gdp, points, field("P").meaning(Meaning::point), places);
    write_column(*gdp, points, field("N").meaning(Meaning::vector), normals);
}
