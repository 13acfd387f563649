// SPDX-License-Identifier: Apache-2.0
#include "dop/nodes.h"

#include "registry/methods.h"

namespace nendo::houdini {
namespace {

/// A microsolver with the texts that all of them share.
NodeInfo describe_microsolver(const char* name, const char* label) {
    NodeInfo node("dop", name, label);
    node.output = "The objects, with this solver attached.";
    return node;
}

std::string cache_text() {
    return "Everything that the solver remembers between steps is in the data of the object, so "
           "that scrubbing, caching and resimulating work from any frame.";
}

/// Attributes that a solver reads from new points, and then some of its own.
std::vector<NodeAttribute> point_reads(const std::vector<NodeAttribute>& own) {
    std::vector<NodeAttribute> list = {
        {"v", "m/s", "Velocity of a new point."},
        {"body", "1", "Number of the body that a new point belongs to."}};
    list.insert(list.end(), own.begin(), own.end());
    return list;
}

/// Attributes that push and move the points in every step.
std::vector<NodeAttribute> pushed_point_reads() {
    return point_reads({{"force", "N", "Force on the point in every step."},
                        {"pin", "1", "-1: the point is moved to `goal`."},
                        {"goal", "m", "Position of a pinned point at the end of the step."}});
}

NodeInfo describe_elastoplastic() {
    NodeInfo node = describe_microsolver("nendo_elastoplastic", "Nendo Elastoplastic");
    node.summary = "Simulates matter that springs back, flows, tears and joins.";
    node.text =
        "This is a microsolver. Wire it as the solver of an object whose geometry has points, such "
        "as the points of Nendo Source. It moves the points and takes its own substeps, so no "
        "other node may change P, and no Gas SubStep is needed.\n\n" +
        cache_text() +
        " The data are attributes of the points and of the geometry, and two more geometries.\n\n"
        "Points that other nodes add become matter: they get an id, slaves around them, and the "
        "material of this node unless they have their own. Points that other nodes delete are "
        "removed.\n\n"
        "The point attribute `force` [N] pushes a point. A point whose attribute `pin` is -1 is "
        "moved to the position `goal` in each step.\n\n"
        "Colliders are the objects that affect this one: signed distance data, level sets (VDB) or "
        "polygons, at rest, moving or changing their shape. A VDB named v, vel or collisionvel "
        "gives the velocity of the surface. Without it, the surface moves as its shape changes, "
        "which follows changes of up to one spacing per step.\n\n"
        "The scalar field `collision` of this object is one more collider, as in Houdini's own "
        "fluids: its distances are above zero inside, as Gas Build Collision Mask From Pieces "
        "makes them. The vector field `collisionvel` gives its velocity. Without it the field is "
        "at rest, so a moving field needs one. Both fields are in the space of the points, and "
        "continue beyond their box with the values at its sides. A field that is nowhere above "
        "zero is not a collider.";
    node.how = "Masters are particles that carry the matter. Slaves are points between them at "
               "which stress is computed, which keeps neighbors apart without a grid. Each substep "
               "solves the elastic forces implicitly, together with contact, and explicitly where "
               "hard matter bounces. Stretch beyond the yield limit moves from the elastic to the "
               "plastic part of the deformation and stays.";
    node.paper = "Saida, Fujisawa and Mikawa, Elastoplastic simulation with slave particles, IPSJ "
                 "Journal 58(7), 2017.";
    node.limits =
        "There is no internal friction, so sand is only approximated. Parts thinner than one "
        "spacing are lost. Tearing is chaotic: the exact tear depends on the time step.";
    node.advice =
        "Simulation time grows with the number of particles and with the square root of stiffness "
        "over spacing. Raise Solver tolerance and Time step first. Reduce the spacing last: half "
        "the spacing means eight times the particles. Turn Stress points off for tests only.";
    node.reads = pushed_point_reads();
    node.writes = describe_columns<elastoplastic::Masters<float>>();
    node.add_parameters(elastoplastic::Params{});
    node.add_parameters(ElastoplasticNodeParams{});
    node.add_parameters(elastoplastic::Material{}, Given::on_request, "Material");
    node.related = {"nendo_source", "nendo_surface", "nendo_visualize"};
    return node;
}

NodeInfo describe_coupling() {
    NodeInfo node = describe_microsolver("nendo_coupling", "Nendo Coupling");
    node.summary = "Simulates fluids and the stretchy bodies in them.";
    node.text =
        "This is a microsolver. Wire it as the solver of an object whose geometry has points. The "
        "point attribute `phase` is 0 for fluid and 1 for a point of a body; `body` tells bodies "
        "and fluids apart. Without `phase`, the material decides. The solver moves the points and "
        "takes its own substeps, so no other node may change P.\n\n"
        "New points become matter: they get an id, and their mass, rest density and viscosity from "
        "the material unless they have their own. New points of a body are joined by springs "
        "within the connection radius. Points that other nodes delete are removed, and so are "
        "their springs.\n\n"
        "The data Springs holds the springs: polygons of two corners, whose points have the ids of "
        "the two particles that the spring joins, with the primitive attributes `rest`, "
        "`stiffness`, `damping`, `break_strain` and `muscle`. Nendo Source makes the springs of a "
        "body; this node makes them for points that come without any. Other nodes may change, add "
        "and delete springs. Attributes that an added spring lacks come from the material, and its "
        "rest length from its length when it was added. The data Faces holds the triangles that "
        "stop fluid, in the same way.\n\n"
        "Springs whose `muscle` is above 0 follow Muscle length and Muscle force. A single spring "
        "can be driven too: `contraction` is the fraction by which its rest length is shortened, "
        "and `push` [m/s^2] is the force with which it pushes, per unit mass. Set both again in "
        "every frame.\n\n" +
        cache_text() +
        " The point attribute `force` [N] pushes a point. A point whose attribute `pin` is -1 is "
        "moved to the position `goal` in each step. Colliders are the objects that affect this "
        "one, as in Nendo Elastoplastic. Fluid slides along colliders with friction 0 and sticks "
        "to those with friction 1.";
    node.how = "Fluid consists of particles whose pressure keeps the density constant. Bodies are "
               "particles joined by springs. The rest density of a body follows its stretch, so a "
               "contracted body sinks and a stretched one floats. The faces of single-layer "
               "membranes stop fluid.";
    node.paper = "Hirato and Kawaguchi, Particle-based coupling simulation of telescopic "
                 "deformable objects and fluids.";
    node.limits = "Water is more viscous than real water, because coarse particles need it. "
                  "Springs do not keep volume: very soft bodies can fold. Fluid leaks through "
                  "membranes whose faces are larger than the fluid's spacing.";
    node.advice =
        "Bodies look best at half the spacing of the fluid, and then take most of the time. Fine "
        "fluid needs shorter substeps, because it may move only a fraction of a spacing in each.";
    node.reads = pushed_point_reads();
    node.reads.push_back({"phase", "1", "0: fluid; 1: part of a body."});
    node.writes = describe_columns<coupling::Particles<float>>();
    node.add_parameters(coupling::Params{});
    node.add_parameters(CouplingNodeParams{});
    node.add_parameters(coupling::Material{}, Given::on_request, "Material");
    node.related = {"nendo_source", "nendo_surface", "nendo_elastoplastic"};
    return node;
}

NodeInfo describe_rheology() {
    NodeInfo node = describe_microsolver("nendo_rheology", "Nendo Rheology");
    node.summary = "Simulates bones whose joints bend, spring back and stay bent.";
    node.text =
        "This is a microsolver. Wire it as the solver of an object whose geometry has the bones as "
        "points (P, orient, v, w, mass, inertia) and whose data Joints has the joints as points. "
        "Nendo Skin makes both from a mesh, and moves the mesh with the simulated bones.\n\n"
        "Each joint is a spring beside a dashpot, which springs back, in series with a dashpot "
        "whose bend stays. Below its yield limit no bend stays. Springs are implicit: the "
        "simulation is stable at any stiffness and any step. The elastic bend is the attribute "
        "q_sf of the joints; the rest of the bend is plastic.\n\n"
        "The point attribute `f` [N] is a force at the center of a bone, and `torque` [N m] is a "
        "torque. Set them from a handle to pull at the bones interactively. A bone whose attribute "
        "`pin` is -1 is moved to `goal` and `goal_orient` in each step.\n\n"
        "The plastic bend can be reset, blended and baked: see the folder Bend.\n\n"
        "Bones are capsules or boxes with rounded edges (half, pscale). They collide with "
        "colliders and with each other, with friction. When another node deletes a bone, its "
        "joints are removed too.";
    node.how = "Each joint is a spring beside a dashpot, which springs back, in series with a "
               "dashpot whose bend stays above the yield limit. Bones, joints and contacts with "
               "friction are solved together in each step. Springs are implicit, so stiff springs "
               "need no shorter step.";
    node.paper = "Presentation of global plastic deformation based on rheologic model and SSD.";
    node.limits = "Bones do not stretch or break. The skin between bones has no contact of its "
                  "own, so dents smaller than a bone do not appear.";
    node.advice = "Simulation time grows with the number of bones and contacts, and hardly with "
                  "the mesh. Steps of 4 ms are fast; shorter steps follow fast swings better.";
    node.reads = {{"orient", "1", "Orientation of the bone."},
                  {"f", "N", "Force at the center of the bone in every step."},
                  {"torque", "N m", "Torque on the bone in every step."},
                  {"pin", "1", "-1: the bone is moved to `goal` and `goal_orient`."},
                  {"goal", "m", "Position of a pinned bone at the end of the step."},
                  {"goal_orient", "1", "Orientation of a pinned bone at the end of the step."}};
    node.writes = describe_columns<rheology::Bones<float>>();
    node.add_parameters(rheology::Params{});
    node.add_parameters(RheologyNodeParams{});
    node.related = {"nendo_skin", "nendo_elastoplastic"};
    return node;
}

NodeInfo describe_melt() {
    NodeInfo node = describe_microsolver("nendo_melt", "Nendo Melt");
    node.summary = "Simulates solids that warm, soften, melt, flow and freeze.";
    node.text =
        "This is a microsolver. Wire it as the solver of an object whose geometry has points, such "
        "as the points of Nendo Source. It moves the points and takes its own substeps, so no "
        "other node may change P.\n\n"
        "New points become matter: they get an id, the material, the start temperature, and "
        "clusters with the points of the same `body` around them. Points that come with a "
        "material, such as those of Nendo Source, keep it and their temperature. On other points "
        "the attributes `conductivity` and `melting_point` may be painted. Points that other nodes "
        "delete are removed, and so are their links.\n\n"
        "Each point has `temperature` [degC], `melted` (0 to 1), `phase` (0 solid, 1 liquid) and "
        "`orient`. The data Clusters has one point for each member of each cluster.\n\n" +
        cache_text() +
        " Colliders are the objects that affect this one, as in Nendo Elastoplastic.";
    node.how = "Each solid particle is the center of a cluster, whose best fitting rotation pulls "
               "the members back to their shape. Heat flows between particles and from heat "
               "sources. Latent heat is included, and clusters soften as they melt. Liquid is a "
               "fluid whose pressure keeps its volume.";
    node.paper = "Thesis on real-time melting with clusters of oriented particles; its title page "
                 "is not available.";
    node.limits =
        "The stiffness of hard matter depends on the number of iterations. A single layer of "
        "liquid does not form a film: it beads. Steam and burning are not simulated.";
    node.advice = "Raise the conductivity of small objects to melt them in seconds instead of "
                  "minutes. Fewer iterations and fewer solved clusters are faster and softer.";
    node.reads = point_reads(
        {{"conductivity", "W/(m K)", "Painted value that replaces that of the material."},
         {"melting_point", "degC", "Painted value that replaces that of the material."}});
    node.writes = describe_columns<melt::Particles<float>>();
    node.add_parameters(melt::Params{});
    node.add_parameters(MeltNodeParams{});
    node.add_parameters(melt::Material{}, Given::on_request, "Material");
    node.related = {"nendo_source", "nendo_surface", "nendo_elastoplastic"};
    return node;
}

/// A method that has no description of its own.
template <class Method> const NodeInfo& node_of(TypeOf<Method>) {
    static const NodeInfo node = [] {
        const std::string name(Method::name);
        NodeInfo made = describe_microsolver(("nendo_" + name).c_str(), ("Nendo " + name).c_str());
        made.text = cache_text();
        made.add_parameters(MicrosolverParams{});
        made.add_parameters(typename Method::Params{});
        made.add_parameters(typename Method::Material{}, Given::on_request, "Material");
        return made;
    }();
    return node;
}
const NodeInfo& node_of(TypeOf<elastoplastic::Method>) {
    return elastoplastic_node();
}
const NodeInfo& node_of(TypeOf<coupling::Method>) {
    return coupling_node();
}
const NodeInfo& node_of(TypeOf<rheology::Method>) {
    return rheology_node();
}
const NodeInfo& node_of(TypeOf<melt::Method>) {
    return melt_node();
}

} // namespace

const NodeInfo& melt_node() {
    static const NodeInfo node = describe_melt();
    return node;
}

const NodeInfo& coupling_node() {
    static const NodeInfo node = describe_coupling();
    return node;
}

const NodeInfo& rheology_node() {
    static const NodeInfo node = describe_rheology();
    return node;
}

const NodeInfo& elastoplastic_node() {
    static const NodeInfo node = describe_elastoplastic();
    return node;
}

std::vector<const NodeInfo*> microsolver_nodes() {
    std::vector<const NodeInfo*> nodes;
    for_each_type(Methods{}, [&](auto method) { nodes.push_back(&node_of(method)); });
    return nodes;
}

} // namespace nendo::houdini
