// SPDX-License-Identifier: Apache-2.0
#include "sop/nodes.h"

#include "surface/carried.h"

#include <algorithm>

namespace nendo::houdini {
namespace {

NodeInfo describe_source() {
    NodeInfo node("sop", "nendo_source", "Nendo Source");
    node.summary = "Fills geometry or a level set with particles of soft matter.";
    node.text = "Fills the inside of the polygons and level sets (VDB) of the input with particles "
                "on a lattice. The particles carry their material as attributes: a preset, then "
                "the values that override it, then the attributes of the points of the input. "
                "Meshes with holes have an inside too; a warning says how open they are.\n\n"
                "For Nendo Coupling it makes fluids and bodies of springs. One node that shows "
                "particles feeds the geometry of the simulated object. A second node that shows "
                "springs, with the same other parameters, feeds its data Springs.\n\n"
                "For Nendo Melt it makes solid or liquid matter at a temperature. The solver makes "
                "its clusters. `temperature` and the values of the material may be painted before "
                "the points enter the solver.";
    node.inputs = {{"Geometry to fill", "Polygons, level sets (VDB), or both."}};
    node.how = "Winding numbers tell the inside, so holes do no harm. A particle is placed at each "
               "lattice point inside. Its mass is the density times the volume of a lattice cell.";
    node.limits = "Details thinner than one spacing get no particles. Reduce the spacing, or use "
                  "Membrane for skins in fluid.";
    node.advice = "The number of particles grows with the cube of one over the spacing. Level sets "
                  "(VDB) are filled faster than large meshes.";
    node.output = "Points with v, pscale, mass, body and the material; or slaves, springs or "
                  "faces, to look at or to wire.";
    node.reads = {{"density, young, ...", "",
                   "Painted values of the material, if Use point attributes is on."}};
    node.writes = {{"v", "m/s", "Velocity."},
                   {"pscale", "m", "Half the spacing."},
                   {"mass", "kg", "Mass."},
                   {"volume", "m^3", "Volume at rest."},
                   {"body", "1", "Number of the body."},
                   {"join", "1", "Bodies with equal values grow together."}};
    node.add_parameters(SourceParams{});
    node.add_parameters(elastoplastic::Material{}, Given::on_request, "Material");
    node.add_parameters(coupling::Material{}, Given::on_request, "Springs and fluid");
    node.add_parameters(MeltSourceMaterial{}, Given::on_request, "Melting");
    node.related = {"nendo_elastoplastic", "nendo_coupling", "nendo_melt", "nendo_surface"};
    return node;
}

/// Names of the attributes that a surface carries to its mesh.
std::string carried_names() {
    std::string names;
    for (const CarriedAttribute& a : carried_attributes)
        names += (names.empty() ? "" : ", ") + std::string(a.name);
    return names;
}

NodeInfo describe_surface() {
    NodeInfo node("sop", "nendo_surface", "Nendo Surface");
    node.summary = "Makes the surface of particles: a mesh, a level set, or both.";
    node.text =
        "Bodies that do not join (attribute `join`) get surfaces that do not blend; "
        "melting matter shares one surface with its liquid. The mesh has `v` for motion "
        "blur and `body`. It also has `id`, `Cd`, `temperature`, `melted`, `rest` and `uv` if the "
        "particles have them; elastoplastic matter adds `plastic_strain`. Integers come "
        "from the nearest particle, all other values are blended.\n\n"
        "The particles carry a mesh at rest, if one is wired to the second input, in place "
        "of their own surface: a render skin with its UVs and all its attributes. Torn "
        "polygons disappear, and the surface of the particles shows where the skin is "
        "open. Where matter melts, the skin fades into the surface by the attribute "
        "`fade`, from 0 to 1, and disappears at 1. Alternatively the mesh supplies its "
        "`uv` to the surface of the particles, by closest rest point.";
    node.inputs = {
        {"Particles",
         "Points with P. The node uses v, body, join and pscale if the points have them, and in "
         "the mode matter F_E and F_P, or orient, radii, phase and melted."},
        {"Mesh at rest",
         "Polygons around the particles at rest, with uv on their points. Vertex Split makes such "
         "points from UVs on vertices; the skin keeps those on vertices in any case.",
         false},
        {"Particles at rest",
         "The same particles, with id, at the frame at which the mesh fits them, such as from a "
         "Time Shift to the first frame. If nothing is wired, the attribute rest of the particles "
         "is used.",
         false}};
    node.how = "Each particle adds a kernel to a field on sparse voxels, stretched by its "
               "neighbors or by its own deformation. The surface lies where the field has the "
               "value that it has at the rim of full matter. Triangles follow it.";
    node.limits = "Gaps narrower than the reach of the kernels are closed. The surface is rebuilt "
                  "every frame and has one uv per point, so its triangles are smeared across "
                  "texture seams. Skins do not have this problem.";
    node.advice = "Memory grows with the square of one over Voxel. Output vdb if your renderer "
                  "reads level sets.";
    node.output = "Triangles with the attributes of the particles, level sets, or both. With a "
                  "skin: its polygons, and the triangles where it is open.";
    node.reads = {{"v", "m/s", "Velocity, for motion blur."},
                  {"body", "1", "Number of the body, passed on to the mesh."},
                  {"join", "1", "Surfaces of different values do not blend."},
                  {"pscale", "m", "Half the spacing; the largest one counts."},
                  {"F_E, F_P, orient, radii, phase, melted", "",
                   "Shape of the particles in the mode matter."},
                  {"id", "1", "Identifies the particles at rest."},
                  {carried_names(), "", "Carried to the mesh."}};
    node.writes = {
        {"v", "m/s", "Velocity."},
        {"body", "1", "Body of the nearest particle."},
        {"fade", "1", "Only on skins: 0 where the skin is whole, 1 where the surface shows."},
        {carried_names() + ", plastic_strain", "", "Written if the particles have them."}};
    node.add_parameters(SurfaceNodeParams{});
    node.add_parameters(SurfaceParams{}, Given::always, "Shape");
    node.related = {"nendo_source", "nendo_visualize"};
    return node;
}

NodeInfo describe_visualize() {
    NodeInfo node("sop", "nendo_visualize", "Nendo Visualize");
    node.summary = "Shows quantities inside simulated particles as colors.";
    node.text = "Sets `Cd` by a ramp, and adds an attribute with the name of the quantity if the "
                "points have none. The detail attributes `nendo_low` and `nendo_high` hold the "
                "values at the ends of the ramp.";
    node.inputs = {{"Particles", "Points that Nendo has simulated."},
                   {"Slaves or clusters",
                    "The slaves, to count them; or the data Clusters of Nendo Melt, for strain and "
                    "orientation.",
                    false}};
    node.how = "Computes the quantity from the stored deformation of each particle, as the solver "
               "does. Fits or clamps it to a range, and colors it by a ramp.";
    node.limits = "Reads particles of Nendo Elastoplastic, Nendo Coupling and Nendo Melt. Bones "
                  "have no quantities to show.";
    node.advice =
        "The node is cheap compared to the simulation: it makes one pass over the particles.";
    node.output = "The particles with colors.";
    node.reads = {
        {"F_E, F_P", "1", "Elastic and plastic deformation."},
        {"temperature, phase, density, ...", "", "Values that the quantity is computed from."},
        {"young, poisson, ...", "", "Values of the material."}};
    node.writes = {{"Cd", "1", "Color."}, {"the quantity's name", "", "Value of the quantity."}};
    node.add_parameters(VisualizeParams{});
    node.related = {"nendo_elastoplastic", "nendo_coupling", "nendo_melt", "nendo_surface"};
    return node;
}

NodeInfo describe_skin() {
    NodeInfo node("sop", "nendo_skin", "Nendo Skin");
    node.summary = "Makes bones and joints from a mesh, and moves the mesh with them.";
    node.text =
        "Three of these nodes on one mesh make a spoon that bends. One with Output bones feeds the "
        "geometry of the simulated object. One with Output joints feeds its data Joints. One with "
        "Output skin moves the mesh with the bones that Nendo Rheology has simulated.\n\n"
        "Bones lie along the center line of the mesh. Their masses and inertias are those of the "
        "matter around them. The stiffness of the joints follows from Young's modulus and the "
        "cross sections of the mesh.";
    node.inputs = {
        {"Mesh", "Closed polygons at rest; or a line, to make bones and joints from it."},
        {"Bones", "Points that Nendo Rheology has simulated.", false}};
    node.how = "Bones follow the center line of the mesh, measured along paths through its matter. "
               "Weights say how much each bone moves each point: by distance, by heat, or as "
               "painted. Points are moved by dual quaternions or linearly.";
    node.paper = "Presentation of global plastic deformation based on rheologic model and SSD.";
    node.limits = "Branches of a mesh get no bones of their own; draw lines for them.";
    node.advice =
        "Weights by heat take longest, but only once. Moving the mesh is one pass over its points.";
    node.output = "The moved mesh, or the bones or joints as points.";
    node.reads = {{"weight0, weight1, ...", "1", "Painted weights, one per bone."}};
    node.writes = {
        {"P", "m", "Positions of the moved points, of the centers of the bones, or of the joints."},
        {"orient", "1", "Orientation of the bones."},
        {"mass", "kg", "Mass of the bones."},
        {"body", "1", "Number of the body."}};
    node.add_parameters(SkinParams{});
    node.add_parameters(rheology::Material{}, Given::on_request, "Material");
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
