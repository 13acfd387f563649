// SPDX-License-Identifier: Apache-2.0
#include "sop/nodes.h"

#include <algorithm>

namespace nendo::houdini {
namespace {

NodeInfo describe_source() {
    NodeInfo node;
    node.context = "sop";
    node.name = "nendo_source";
    node.label = "Nendo Source";
    node.icon = "nendo_source";
    node.summary = "Fills geometry or a level set with particles of soft matter.";
    node.text =
        "The inside of the polygons and of the level sets (VDB) of the input is filled with "
        "particles on a lattice. They carry their material as attributes, from a preset, from "
        "values that override it, and from attributes of the input's points. Meshes with holes "
        "have an inside too; a warning says how open they are.\n\n"
        "For Nendo Coupling it makes fluids, and bodies of springs: one node that shows particles "
        "feeds the geometry of a simulated object, another that shows springs, with the same "
        "values, its data Springs.\n\n"
        "For Nendo Melt it makes matter at a temperature, solid or liquid. The solver makes its "
        "clusters; `temperature` and the values of the material may be painted before it takes "
        "the points.";
    node.inputs = {{"Geometry to fill", "Polygons, level sets (VDB), or both."}};
    node.how = "The inside is found by winding numbers, so that holes do not matter. Particles are "
               "put on a lattice whose cells' middles are inside. Mass is density times the cell's "
               "volume.";
    node.limits = "Details thinner than a spacing get no particles; raise the resolution, or use "
                  "Membrane for skins in fluid.";
    node.advice = "Particles grow with the cube of one over the spacing. Level sets (VDB) are "
                  "filled faster than large meshes.";
    node.output = "Points with v, pscale, mass, body and the material; or slaves, springs or faces "
                  "to look at and to wire.";
    node.reads = {{"density, young, ...", "",
                   "The material's values, painted, when Use point "
                   "attributes is on."}};
    node.writes = {{"v", "m/s", "Velocity."},
                   {"pscale", "m", "Half the spacing."},
                   {"mass", "kg", "Mass."},
                   {"volume", "m^3", "Volume at rest."},
                   {"body", "1", "Number of the body."},
                   {"join", "1", "Matter of equal value grows together."}};
    node.parameters = describe_parameters(SourceParams{});
    append_parameters(node.parameters, describe_parameters(elastoplastic::Material{},
                                                           Given::on_request, "Material"));
    append_parameters(node.parameters, describe_parameters(coupling::Material{}, Given::on_request,
                                                           "Springs and fluid"));
    append_parameters(node.parameters,
                      describe_parameters(MeltSourceMaterial{}, Given::on_request, "Melting"));
    node.related = {"nendo_elastoplastic", "nendo_coupling", "nendo_melt", "nendo_surface"};
    return node;
}

NodeInfo describe_surface() {
    NodeInfo node;
    node.context = "sop";
    node.name = "nendo_surface";
    node.label = "Nendo Surface";
    node.icon = "nendo_surface";
    node.summary = "Makes the skin of particles: a mesh, a level set, or both.";
    node.text =
        "Bodies that do not join (attribute `join`) keep skins that do not blend; what melts is "
        "one with its liquid. The mesh has `v` for motion blur, `body`, and of `id`, `Cd`, "
        "`temperature`, `rest` and `uv` what the particles have; elastoplastic matter has "
        "`plastic_strain` too. Integers are those of the nearest particle, all else is blended.\n\n"
        "A mesh at rest, wired to the second input, is carried by the particles in place of their "
        "own surface: a render skin with its UVs and all its attributes. Polygons that tear are "
        "gone, and the surface of the particles shows where the skin is open. Where matter melts "
        "the skin goes over into the surface by `fade`, from 0 to 1, and is gone at 1. Or the mesh "
        "gives its `uv` to the surface of the particles, by closest rest point.";
    node.inputs = {{"Particles",
                    "Points with P. Used when there: v, body, join, pscale, and for the "
                    "mode matter F_E and F_P, or orient, radii, phase and melted."},
                   {"Mesh at rest",
                    "Polygons around the particles at rest, with uv on their points (Vertex Split "
                    "makes them of UVs on vertices, which the skin keeps in any case).",
                    false},
                   {"Particles at rest",
                    "The same particles, with id, when the mesh fits them: a Time Shift to the "
                    "first frame. Not wired: the attribute rest of the particles.",
                    false}};
    node.how = "Each particle adds a kernel to a field on sparse voxels, stretched by its "
               "neighbors or by its own deformation. The skin is where the field has the value "
               "that it has at the rim of full matter. Triangles follow it.";
    node.limits = "Gaps narrower than the kernels' reach are closed. Surface triangles across a "
                  "seam of the texture are smeared: it is made anew every frame and has a uv for "
                  "each point. Skins have no such seams.";
    node.advice = "Memory grows with the square of one over Voxel. Use vdb output where a renderer "
                  "takes level sets.";
    node.output = "Triangles with what the particles carry, level sets, or both; with a skin, its "
                  "polygons and the triangles that it leaves bare.";
    node.reads = {{"v", "m/s", "Motion blur."},
                  {"body", "1", "Passed on."},
                  {"join", "1", "Skins of different values do not blend."},
                  {"pscale", "m", "Spacing is twice the largest."},
                  {"F_E, F_P, orient, radii, phase, melted", "", "The mode matter."},
                  {"id", "1", "Which particle is which at rest."},
                  {"id, Cd, temperature, rest, uv", "", "Carried to the mesh."}};
    node.writes = {
        {"v", "m/s", "Velocity."},
        {"body", "1", "Of the nearest particle."},
        {"fade", "1", "Of a skin: 0 where it is whole, 1 where the surface shows."},
        {"id, Cd, temperature, rest, uv, plastic_strain", "", "Where particles have them."}};
    node.parameters = describe_parameters(SurfaceNodeParams{});
    append_parameters(node.parameters,
                      describe_parameters(SurfaceParams{}, Given::always, "Shape"));
    node.related = {"nendo_source", "nendo_visualize"};
    return node;
}

NodeInfo describe_visualize() {
    NodeInfo node;
    node.context = "sop";
    node.name = "nendo_visualize";
    node.label = "Nendo Visualize";
    node.icon = "nendo_visualize";
    node.summary = "Shows what happens inside simulated particles as colors.";
    node.text = "Sets `Cd` by a ramp, and an attribute with the quantity's name where the points "
                "have none. The detail attributes `nendo_low` and `nendo_high` say what the ramp's "
                "ends stand for.";
    node.inputs = {{"Particles", "Points that Nendo has simulated."},
                   {"Slaves or clusters",
                    "Slaves, to count them; or the data Clusters of Nendo Melt, for strain and "
                    "orientation.",
                    false}};
    node.how = "Computes the quantity from the stored deformation of each particle, as the solver "
               "does. Fits or clamps it to a range. Colors it by a ramp.";
    node.limits =
        "Knows particles of Nendo Elastoplastic, Nendo Coupling and Nendo Melt; bones have "
        "nothing inside to show.";
    node.advice = "Cheap beside the simulation: a pass over the particles.";
    node.output = "The particles with colors.";
    node.reads = {{"F_E, F_P", "1", "Elastic and plastic deformation."},
                  {"temperature, phase, density, ...", "", "What the quantity is made of."},
                  {"young, poisson, ...", "", "The material."}};
    node.writes = {{"Cd", "1", "Color."}, {"the quantity's name", "", "Its value."}};
    node.parameters = describe_parameters(VisualizeParams{});
    node.related = {"nendo_elastoplastic", "nendo_coupling", "nendo_melt", "nendo_surface"};
    return node;
}

NodeInfo describe_skin() {
    NodeInfo node;
    node.context = "sop";
    node.name = "nendo_skin";
    node.label = "Nendo Skin";
    node.icon = "nendo_skin";
    node.summary = "Makes bones and joints of a mesh, and moves the mesh with them.";
    node.text =
        "Three nodes on one mesh make a spoon that bends: one with Output bones feeds the geometry "
        "of a simulated object, one with Output joints its data Joints, and one with Output skin "
        "moves the mesh with the bones that Nendo Rheology has simulated.\n\n"
        "Bones lie along the line in the middle of the mesh. Their masses and inertias are those "
        "of the matter around them; the stiffness of joints follows from Young's modulus and the "
        "sections of the mesh.";
    node.inputs = {{"Mesh", "Closed polygons, at rest; or a line, to make bones and joints of it."},
                   {"Bones", "Points that Nendo Rheology has simulated.", false}};
    node.how = "Bones follow the line in the middle of the mesh, by the way through its matter. "
               "Weights say "
               "how much each bone moves each point, by distance, by heat, or as painted. Points "
               "are moved by dual quaternions or linearly.";
    node.paper =
        "rheology paper: Presentation of global plastic deformation based on rheologic model and "
        "SSD.";
    node.limits = "Branches of a mesh get no bones of their own; draw lines for these.";
    node.advice = "Weights by heat take longest, once. Moving the mesh takes a pass over it.";
    node.output = "The moved mesh, or bones, or joints, as points.";
    node.reads = {{"weight0, weight1, ...", "1", "Painted weights, one a bone."}};
    node.writes = {{"P", "m", "Moved points; or centers of bones, or joints."},
                   {"orient", "1", "Orientation of bones."},
                   {"mass", "kg", "Mass of bones."},
                   {"body", "1", "Number of the body."}};
    node.parameters = describe_parameters(SkinParams{});
    append_parameters(node.parameters,
                      describe_parameters(rheology::Material{}, Given::on_request, "Material"));
    node.related = {"nendo_rheology", "nendo_surface"};
    return node;
}

} // namespace

std::string_view MeltSourceMaterial::prefixed(std::string_view name) {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const Field& f : list_fields<melt::Material>())
            all.push_back(std::string(prefix) + std::string(f.name_));
        return all;
    }();
    return *std::find_if(names.begin(), names.end(), [&](const std::string& full) {
        return std::string_view(full).substr(prefix.size()) == name;
    });
}

const NodeInfo& skin_node() {
    static const NodeInfo node = describe_skin();
    return node;
}

const NodeInfo& source_node() {
    static const NodeInfo node = describe_source();
    return node;
}

const NodeInfo& surface_node() {
    static const NodeInfo node = describe_surface();
    return node;
}

const NodeInfo& visualize_node() {
    static const NodeInfo node = describe_visualize();
    return node;
}

} // namespace nendo::houdini
