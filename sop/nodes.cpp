#include "sop/nodes.h"

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
        "values, its data Springs.";
    node.inputs = {{"Geometry to fill", "Polygons, level sets (VDB), or both."}};
    node.parameters = describe_parameters(SourceParams{});
    append_parameters(node.parameters, describe_parameters(elastoplastic::Material{},
                                                           Given::on_request, "Material"));
    append_parameters(node.parameters, describe_parameters(coupling::Material{}, Given::on_request,
                                                           "Springs and fluid"));
    node.related = {"nendo_elastoplastic", "nendo_coupling", "nendo_surface"};
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
        "one "
        "with its liquid. The mesh has `v` for motion blur, `body`, and of `id`, `Cd`, "
        "`temperature`, `rest` and `uv` what the particles have; elastoplastic matter has "
        "`plastic_strain` too. Integers are those of the nearest particle, all else is blended.";
    node.inputs = {{"Particles",
                    "Points with P. Used when there: v, body, join, pscale, and for the "
                    "mode matter F_E and F_P, or orient, radii, phase and melted."}};
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
    node.summary = "Shows what happens inside simulated particles as colours.";
    node.text = "Sets `Cd` by a ramp, and an attribute with the quantity's name. The detail "
                "attributes `nendo_low` and `nendo_high` say what the ramp's ends stand for.";
    node.inputs = {{"Particles", "Points that Nendo has simulated."},
                   {"Slaves", "Their slaves, to count them.", false}};
    node.parameters = describe_parameters(VisualizeParams{});
    node.related = {"nendo_elastoplastic", "nendo_surface"};
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
    node.parameters = describe_parameters(SkinParams{});
    append_parameters(node.parameters,
                      describe_parameters(rheology::Material{}, Given::on_request, "Material"));
    node.related = {"nendo_rheology", "nendo_surface"};
    return node;
}

} // namespace

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
