// SPDX-License-Identifier: Apache-2.0
// The state of the rheology solver: everything that bones and joints remember between two steps.
// Nothing else is kept.
#pragma once

#include "core/fields.h"
#include "core/table.h"

#include <cstdint>
#include <vector>

namespace nendo::rheology {

/// The motion a joint leaves free: rotation about its anchor (a bent spoon), or translation without
/// rotation.
enum class JointKind : std::int32_t { bend, slide };

/// Rigid bodies under the skin. Each is a box with rounded edges; a box with one long side is a
/// capsule, and one with no sides is a ball.
template <class Real> struct Bones {
    std::vector<std::int64_t> id;
    std::vector<Vec3<Real>> x;           ///< Center of mass [m]
    std::vector<Vec4<Real>> orient;      ///< Orientation of the bone's frame in the world
    std::vector<Vec3<Real>> v;           ///< Velocity [m/s]
    std::vector<Vec3<Real>> w;           ///< Angular velocity, in the world [rad/s]
    std::vector<Real> mass;              ///< [kg]
    std::vector<Mat3<Real>> inertia;     ///< About the center, in the bone's frame [kg m^2]
    std::vector<Vec3<Real>> half;        ///< Half the box's side lengths, without the rounding [m]
    std::vector<Real> radius;            ///< Radius of the rounding [m]
    std::vector<Vec3<Real>> rest;        ///< Center when the skin was bound [m]
    std::vector<Vec4<Real>> rest_orient; ///< Frame when the skin was bound
    std::vector<std::int32_t> body;      ///< Index of the body that the bone belongs to
    std::vector<std::int32_t> number;    ///< Index of the bone within its body
    std::vector<std::int32_t> pin; ///< 1 + index of the pin that holds it; 0: free; -1: has a goal
    std::vector<Vec3<Real>> goal;  ///< Target position at the end of the call, if pin is -1 [m]
    std::vector<Vec4<Real>> goal_orient; ///< Target orientation; zero keeps the current one
    std::vector<Vec3<Real>> force;       ///< External force at the center of mass [N]
    std::vector<Vec3<Real>> torque;      ///< External torque [N m]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.id, field("id").help("Identifier of the bone, stable over time."));
        visit(self.x,
              field("P").unit("m").meaning(Meaning::point).help("Position of the center of mass."));
        visit(self.orient, field("orient")
                               .meaning(Meaning::quaternion)
                               .help("Orientation of the bone's frame in the world."));
        visit(self.v, field("v")
                          .unit("m/s")
                          .meaning(Meaning::vector)
                          .help("Velocity of the center of mass."));
        visit(self.w, field("w")
                          .unit("rad/s")
                          .meaning(Meaning::vector)
                          .help("Angular velocity in world space."));
        visit(self.mass, field("mass").unit("kg").above(0).help("Mass of the bone."));
        visit(self.inertia, field("inertia").unit("kg m^2").help(
                                "Inertia tensor about the center of mass, in the bone's frame."));
        visit(self.half,
              field("half")
                  .unit("m")
                  .range(0, infinite)
                  .help("Half the side lengths of the bone's box, without the rounding."));
        visit(self.radius, field("pscale")
                               .unit("m")
                               .range(0, infinite)
                               .help("Radius of the rounding around the box."));
        visit(self.rest,
              field("rest").unit("m").help("Center of mass at the time the skin was bound."));
        visit(self.rest_orient,
              field("rest_orient").help("Orientation at the time the skin was bound."));
        visit(self.body, field("body").help("Index of the body that the bone belongs to."));
        visit(self.number, field("number").help("Index of the bone within its body."));
        visit(self.pin, field("pin").help("1 + the index of the pin that holds the bone, 0 if it "
                                          "is free, or -1 if it follows its goal."));
        visit(
            self.goal,
            field("goal")
                .unit("m")
                .meaning(Meaning::point)
                .optional()
                .help("Position the bone is moved to by the end of the frame, if its pin is -1."));
        visit(self.goal_orient,
              field("goal_orient")
                  .meaning(Meaning::quaternion)
                  .optional()
                  .help("Orientation at the goal. Zero keeps the current orientation."));
        visit(self.force, field("f")
                              .unit("N")
                              .meaning(Meaning::vector)
                              .optional()
                              .help("External force on the center of mass."));
        visit(self.torque, field("torque")
                               .unit("N m")
                               .meaning(Meaning::vector)
                               .optional()
                               .help("External torque."));
    }
};

/// Joints between two bones, or between a bone and the world, with their rheology (rheology paper,
/// Fig 1). Vectors are in the joint's frame, whose x axis runs along the bone; the frame is fixed
/// to the parent. For JointKind::slide read N, m for N m, rad.
template <class Real> struct Joints {
    std::vector<std::int64_t> id;
    std::vector<std::int64_t> parent; ///< Id of a bone; -1: the world
    std::vector<std::int64_t> child;
    std::vector<std::int32_t> kind;          ///< JointKind
    std::vector<Vec3<Real>> anchor_parent;   ///< Anchor in the parent's frame [m]
    std::vector<Vec3<Real>> anchor_child;    ///< Anchor in the child's frame [m]
    std::vector<Vec4<Real>> frame_parent;    ///< Joint frame relative to the parent's
    std::vector<Vec4<Real>> frame_child;     ///< Joint frame relative to the child's
    std::vector<Vec3<Real>> stiffness;       ///< K_f: stiffness of the reversible part [N m/rad]
    std::vector<Vec3<Real>> damping;         ///< D_f: damping of the reversible part [N m s/rad]
    std::vector<Vec3<Real>> first_stiffness; ///< K_m: series spring of the Burgers model [N m/rad]
    std::vector<Real> flow;                  ///< D_d: resistance of the permanent part [N m s/rad]
    std::vector<Real> yield;                 ///< Torque below which no bend becomes permanent [N m]
    std::vector<Real> limit;                 ///< Largest bend, and largest twist [rad]
    std::vector<Vec3<Real>> q_sf;            ///< Bend of the reversible part [rad]
    std::vector<Vec3<Real>> q_sm;            ///< Bend of the spring in series [rad]
    std::vector<Vec3<Real>> torque;  ///< lambda_s: torque on the child in the last step [N m]
    std::vector<Real> limit_impulse; ///< Impulse of the bend limit in the last step [N m s]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.id, field("id").help("Identifier of the joint, stable over time."));
        visit(self.parent, field("parent").help(
                               "Id of the bone that the joint is fixed to, or -1 for the world."));
        visit(self.child, field("child").help("Id of the bone that the joint moves."));
        visit(self.kind,
              field("kind").range(0, 1).help("Kind of joint. 0: it bends; 1: it slides."));
        visit(self.anchor_parent,
              field("anchor_parent").unit("m").help("Anchor of the joint in the parent's frame."));
        visit(self.anchor_child,
              field("anchor_child").unit("m").help("Anchor of the joint in the child's frame."));
        visit(self.frame_parent,
              field("frame_parent").help("Axes of the joint in the parent's frame."));
        visit(self.frame_child,
              field("frame_child").help("Axes of the joint in the child's frame."));
        visit(self.stiffness, field("stiffness")
                                  .unit("N m/rad")
                                  .range(0, infinite)
                                  .may_be_none()
                                  .help("Stiffness of the reversible part of the bend."));
        visit(self.damping, field("damping")
                                .unit("N m s/rad")
                                .range(0, infinite)
                                .may_be_none()
                                .help("Damping of the reversible part of the bend."));
        visit(self.first_stiffness,
              field("first_stiffness")
                  .unit("N m/rad")
                  .above(0)
                  .may_be_none()
                  .help("Stiffness of a spring in series that responds instantly."));
        visit(self.flow, field("flow")
                             .unit("N m s/rad")
                             .above(0)
                             .may_be_none()
                             .help("Resistance of the permanent part of the bend. If none, no bend "
                                   "becomes permanent."));
        visit(self.yield, field("yield")
                              .unit("N m")
                              .range(0, infinite)
                              .may_be_none()
                              .help("Torque below which no bend becomes permanent."));
        visit(self.limit, field("limit").unit("rad").above(0).may_be_none().help(
                              "Largest bend, and largest twist, that the joint allows."));
        visit(self.q_sf, field("q_sf").unit("rad").help("Current bend of the reversible part."));
        visit(self.q_sm, field("q_sm").unit("rad").help("Current bend of the spring in series."));
        visit(self.torque,
              field("torque").unit("N m").help("Torque on the child in the last step."));
        visit(self.limit_impulse,
              field("limit_impulse")
                  .unit("N m s")
                  .help("Impulse in the last step from the limit on the bend."));
    }
};

/// Contact impulses of the last step. The next step's solve starts from them.
template <class Real> struct Contacts {
    std::vector<std::int64_t> id;      ///< Id of the bone
    std::vector<std::int64_t> other;   ///< Id of the other bone, or -1 - index of a collider
    std::vector<std::int32_t> feature; ///< Which corners or edges touch
    std::vector<Vec3<Real>> impulse;   ///< Impulse on the bone [N s]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.id, field("id").help("Id of the bone."));
        visit(self.other,
              field("other").help("Id of the other bone, or -1 - the index of a collider."));
        visit(self.feature, field("feature").help("Which corners or edges are in contact."));
        visit(self.impulse, field("impulse")
                                .unit("N s")
                                .meaning(Meaning::vector)
                                .help("Impulse on the bone in the last step."));
    }
};

/// Values that the state has once, not per row.
struct Details {
    double time = 0; ///< [s]
    std::int64_t next_bone = 0;
    std::int64_t next_joint = 0;
    std::int64_t bodies_entered = 0; ///< Number of bodies added so far, in order of their start

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.time, field("time").unit("s").help("Simulated time."));
        visit(self.next_bone, field("next_bone").help("Id for the next new bone."));
        visit(self.next_joint, field("next_joint").help("Id for the next new joint."));
        visit(self.bodies_entered, field("bodies_entered").help("Number of bodies added so far."));
    }
};

template <class Real> struct State {
    Bones<Real> bones;
    Joints<Real> joints;
    Contacts<Real> contacts;
    Details details;

    /// Calls visit(table, name) for each table. Files and hosts use it to walk a state.
    template <class Self, class Visit> static void tables(Self& self, Visit&& visit) {
        visit(self.bones, "bones");
        visit(self.joints, "joints");
        visit(self.contacts, "contacts");
    }
};

} // namespace nendo::rheology
