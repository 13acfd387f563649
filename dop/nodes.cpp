// SPDX-License-Identifier: Apache-2.0
#include "dop/nodes.h"

#include "coupling/params.h"
#include "coupling/state.h"
#include "elastoplastic/params.h"
#include "elastoplastic/state.h"
#include "melt/params.h"
#include "melt/state.h"
#include "rheology/params.h"
#include "rheology/state.h"

namespace nendo::houdini {
namespace {

const char* const object_output = "The objects, with this solver attached.";

/// What every solver of particles reads from new points.
std::vector<NodeAttribute> particle_reads() {
    return {{"v", "m/s", "Velocity with which a new point enters."},
            {"body", "1", "Which body a new point is of."},
            {"force", "N", "Pushes in each step."},
            {"pin", "1", "-1: the point is led to `goal`."},
            {"goal", "m", "Where points that are led go in the step."}};
}

NodeInfo describe_elastoplastic() {
    NodeInfo node;
    node.context = "dop";
    node.name = "nendo_elastoplastic";
    node.label = "Nendo Elastoplastic";
    node.icon = "nendo_elastoplastic";
    node.summary = "Simulates matter that springs back, flows, tears and joins.";
    node.text =
        "A microsolver: wire it as the solver of an object whose geometry has points, such as "
        "those of Nendo Source. It moves the points and makes its own substeps, so nothing else "
        "may move P, and no Gas SubStep is needed.\n\n"
        "All that it remembers is in the object's data: attributes of the points and of the "
        "geometry, and two more geometries. Scrubbing, caches and resimulation work from any "
        "frame.\n\n"
        "Points that other nodes add become matter: they get an id, slaves around them, and the "
        "node's material unless they bring their own. Points that other nodes delete are gone.\n\n"
        "The point attribute `force` [N] pushes. Points whose attribute `pin` is -1 are led to "
        "the position `goal` in each step.\n\n"
        "Colliders are the objects that affect this one: signed distance data, level sets (VDB) "
        "or polygons, at rest, moving or changing their shape. A VDB called v, vel or collisionvel "
        "gives their surface a velocity; without it, the surface moves as its shape changes, which "
        "sees changes of up to a spacing in a step.\n\n"
        "One more collider is this object's own scalar field `collision`, as Houdini's fluids have "
        "it: distances that are above zero inside, such as Gas Build Collision Mask From Pieces "
        "makes. The vector field `collisionvel` beside it gives its velocity; without it, it is at "
        "rest, so that a field that moves needs one. Both are in the space of the points and go on "
        "beyond their box as they are at its sides. A field that is nowhere above zero is no "
        "collider.";
    node.how =
        "Masters carry the matter; slaves, points between them, are where stress is computed, so "
        "that neighbors keep their distance without a grid. In each substep elastic forces are "
        "solved implicitly with contact as a part of the solve, and explicitly where hard matter "
        "bounces. Stretch beyond the yield moves from the elastic to the plastic part and stays.";
    node.paper =
        "Saida 2017: Saida, Fujisawa, Mikawa: Elastoplastic simulation with slave particles "
        "(IPSJ Journal 58-7, 2017).";
    node.limits = "Matter has no friction inside, so that sand is sand-like at best. Parts thinner "
                  "than a spacing are not seen. What is torn is chaotic: the exact tear depends "
                  "on the step.";
    node.advice = "Time grows with particles and with the root of stiffness over spacing. Halve "
                  "the spacing last: it costs eight times the particles. A looser Solver tolerance "
                  "and a longer Time step come first; Stress points off is for tests only.";
    node.output = object_output;
    node.reads = particle_reads();
    node.writes = describe_columns<elastoplastic::Masters<float>>();
    node.parameters = describe_parameters(elastoplastic::Params{});
    append_parameters(node.parameters, describe_parameters(ElastoplasticNodeParams{}));
    append_parameters(node.parameters, describe_parameters(elastoplastic::Material{},
                                                           Given::on_request, "Material"));
    node.related = {"nendo_source", "nendo_surface", "nendo_visualize"};
    return node;
}

NodeInfo describe_coupling() {
    NodeInfo node;
    node.context = "dop";
    node.name = "nendo_coupling";
    node.label = "Nendo Coupling";
    node.icon = "nendo_coupling";
    node.summary = "Simulates fluids and stretchy bodies in them.";
    node.text =
        "A microsolver: wire it as the solver of an object whose geometry has points. The point "
        "attribute `phase` says what they are: 0 is fluid, 1 is part of a body; `body` tells "
        "bodies "
        "and fluids apart. Without `phase` they are what the material is. It moves the points and "
        "makes its own substeps, so nothing else may move P.\n\n"
        "Points that are new become matter: they get an id, and mass, rest density and viscosity "
        "by the material unless they bring their own. New points of a body are joined by springs "
        "within the connection radius. Points that other nodes delete are gone, with their "
        "springs.\n\n"
        "Springs are the data Springs: polygons of two corners, whose points have the ids of the "
        "particles that they join, with the primitive attributes `rest`, `stiffness`, `damping`, "
        "`break_strain` and `muscle`. Nendo Source makes them of a body, and so does this node "
        "for points that come without. Other nodes may change, add and delete them: what a "
        "drawn one lacks it has from the material, and from its length as it is drawn. Faces "
        "that hold fluid are the data Faces, triangles of the same kind.\n\n"
        "Springs whose `muscle` is above 0 follow Muscle length and Muscle force. Each spring can "
        "be worked by itself: `contraction` is the share by which it is shorter at rest, and "
        "`push` [m/s^2] the force with which it pushes; set them anew at each frame.\n\n"
        "All that it remembers is in the object's data, so scrubbing, caches and resimulation work "
        "from any frame. The point attribute `force` [N] pushes. Points whose attribute `pin` is "
        "-1 are led to the position `goal` in each step. Colliders are the objects that affect "
        "this one, as for Nendo Elastoplastic; fluid slides along those of friction 0 and sticks "
        "to those of friction 1.";
    node.how =
        "Fluid is made of particles whose pressure keeps the density; bodies are particles joined "
        "by springs. The rest density of a body follows its stretch, so that a body that is drawn "
        "together sinks and one that is stretched floats. Membranes of one layer hold fluid by "
        "their faces.";
    node.paper = "Hirato: Hirato, Kawaguchi: Particle-based coupling simulation of telescopic "
                 "deformable objects and fluids.";
    node.limits = "Water is thicker than water, as coarse particles need. Springs have no volume "
                  "of their own: very soft bodies can fold. Fluid leaks through membranes whose "
                  "faces are larger than its spacing.";
    node.advice = "Bodies of half the fluid's spacing are best, and cost most. Fine fluid shortens "
                  "the substep: it may not flow further than a part of a spacing in one.";
    node.output = object_output;
    node.reads = particle_reads();
    node.reads.push_back({"phase", "1", "0 fluid, 1 part of a body."});
    node.writes = describe_columns<coupling::Particles<float>>();
    node.parameters = describe_parameters(coupling::Params{});
    append_parameters(node.parameters, describe_parameters(CouplingNodeParams{}));
    append_parameters(node.parameters,
                      describe_parameters(coupling::Material{}, Given::on_request, "Material"));
    node.related = {"nendo_source", "nendo_surface", "nendo_elastoplastic"};
    return node;
}

NodeInfo describe_rheology() {
    NodeInfo node;
    node.context = "dop";
    node.name = "nendo_rheology";
    node.label = "Nendo Rheology";
    node.icon = "nendo_rheology";
    node.summary = "Simulates bones whose joints bend, spring back and stay bent.";
    node.text =
        "A microsolver: wire it as the solver of an object whose geometry has the bones as points "
        "(P, orient, v, w, mass, inertia) and whose data Joints has the joints as points. Nendo "
        "Skin makes both from a mesh, and moves the mesh with the simulated bones.\n\n"
        "Each joint is a spring that comes back, beside a dashpot, in series with a dashpot that "
        "stays; below its yield nothing stays. Springs are implicit: any stiffness and any step is "
        "stable. The bend that comes back is the joints' attribute q_sf; what is left of the bend "
        "stays.\n\n"
        "The point attribute `f` [N] pulls at a bone's center, and `torque` [N m] turns it: set "
        "them from a handle to pull at frame rate. Bones whose attribute `pin` is -1 are led to "
        "`goal` and `goal_orient` in each step.\n\n"
        "Bend that stays can be reset, blended and baked: see the folder Bend.\n\n"
        "Bones are capsules or boxes with rounded edges (half, pscale). They meet colliders and "
        "each other with friction. Bones that other nodes delete take their joints with them.";
    node.how =
        "Each joint is a spring beside a dashpot that comes back, in series with a dashpot that "
        "stays above its yield. Bones, joints and contacts with friction are solved together in "
        "each step. Springs are implicit, so that stiff ones need no shorter step.";
    node.paper =
        "rheology paper: Presentation of global plastic deformation based on rheologic model and "
        "SSD.";
    node.limits = "Bones do not stretch and do not break. The skin between bones has no contact of "
                  "its own: dents smaller than a bone are not seen.";
    node.advice = "Time grows with the number of bones and with contacts, hardly with the mesh. "
                  "Steps of 4 ms are fast; shorter ones follow swings better.";
    node.output = object_output;
    node.reads = {{"orient", "1", "Orientation of a bone."},
                  {"f", "N", "Pulls at a bone's center."},
                  {"torque", "N m", "Turns a bone."},
                  {"pin", "1", "-1: the bone is led to `goal` and `goal_orient`."},
                  {"goal", "m", "Where bones that are led go in the step."},
                  {"goal_orient", "1", "How they are turned then."}};
    node.writes = describe_columns<rheology::Bones<float>>();
    node.parameters = describe_parameters(rheology::Params{});
    append_parameters(node.parameters, describe_parameters(RheologyNodeParams{}));
    node.related = {"nendo_skin", "nendo_elastoplastic"};
    return node;
}

NodeInfo describe_melt() {
    NodeInfo node;
    node.context = "dop";
    node.name = "nendo_melt";
    node.label = "Nendo Melt";
    node.icon = "nendo_melt";
    node.summary = "Simulates solids that warm, soften, melt, flow and freeze.";
    node.text =
        "A microsolver: wire it as the solver of an object whose geometry has points, such as "
        "those of Nendo Source. It moves the points and makes its own substeps, so nothing else "
        "may move P.\n\n"
        "Points that are new become matter: they get an id, the material, the start temperature "
        "and clusters with those around them of the same `body`. Points that come with a material, "
        "such as those of Nendo Source, keep it and their temperature; of others, the attributes "
        "`conductivity` and `melting_point` may be painted. Points that other nodes delete are "
        "gone, with their links.\n\n"
        "Each point has `temperature` [degC], `melted` (0 to 1), `phase` (0 solid, 1 liquid) and "
        "`orient`. Who is in whose cluster is kept in the data Clusters, a point each.\n\n"
        "All that it remembers is in the object's data, so scrubbing, caches and resimulation work "
        "from any frame. Colliders are the objects that affect this one, as for Nendo "
        "Elastoplastic.";
    node.how =
        "Each solid particle is the middle of a cluster whose best fitting rotation draws its "
        "members back to their shape. Heat flows between particles and from what is hot; latent "
        "heat is counted, and clusters soften as theirs melts. What is liquid is a fluid whose "
        "pressure keeps its volume.";
    node.paper =
        "melting thesis: a thesis on melting in real time with oriented-particle clusters.";
    node.limits = "Stiffness of hard matter is what iterations make it. Liquid of a single layer "
                  "is no film: it beads. Steam and burning are not there.";
    node.advice = "Conductivity of small things is raised for seconds instead of minutes. Fewer "
                  "iterations and fewer solved clusters are faster, and softer.";
    node.output = object_output;
    node.reads = {{"v", "m/s", "Velocity with which a new point enters."},
                  {"body", "1", "Which body a new point is of."},
                  {"conductivity", "W/(m K)", "Painted; else the material's."},
                  {"melting_point", "degC", "Painted; else the material's."}};
    node.writes = describe_columns<melt::Particles<float>>();
    node.parameters = describe_parameters(melt::Params{});
    append_parameters(node.parameters, describe_parameters(MeltNodeParams{}));
    append_parameters(node.parameters,
                      describe_parameters(melt::Material{}, Given::on_request, "Material"));
    node.related = {"nendo_source", "nendo_surface", "nendo_elastoplastic"};
    return node;
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

} // namespace nendo::houdini
