// SPDX-License-Identifier: Apache-2.0
// Everything that bones and joints must remember between two steps. Nothing else is kept.
#pragma once

#include "core/fields.h"
#include "core/table.h"

#include <cstdint>
#include <vector>

namespace nendo::rheology {

/// What a joint leaves free: turning about its point (a bent spoon), or shifting without turning.
enum class JointKind : std::int32_t { bend, slide };

/// Rigid bodies under the skin. Each is a box with rounded edges: with one long side a capsule,
/// with none a ball.
template <class Real> struct Bones {
    std::vector<std::int64_t> id;
    std::vector<Vec3<Real>> x;           ///< Center of mass [m]
    std::vector<Vec4<Real>> orient;      ///< Of the bone's frame in the world
    std::vector<Vec3<Real>> v;           ///< Velocity [m/s]
    std::vector<Vec3<Real>> w;           ///< Angular velocity, in the world [rad/s]
    std::vector<Real> mass;              ///< [kg]
    std::vector<Mat3<Real>> inertia;     ///< About the center, in the bone's frame [kg m^2]
    std::vector<Vec3<Real>> half;        ///< Half the sides of the box, without its rounding [m]
    std::vector<Real> radius;            ///< Of the rounding [m]
    std::vector<Vec3<Real>> rest;        ///< Center when the skin was bound [m]
    std::vector<Vec4<Real>> rest_orient; ///< Frame when the skin was bound
    std::vector<std::int32_t> body;      ///< Index of the body it came from
    std::vector<std::int32_t> number;    ///< Its place in that body
    std::vector<std::int32_t> pin;       ///< 1 + index of the pin that holds it, 0, or -1: its goal
    std::vector<Vec3<Real>> goal;        ///< Where it is at the end of the call, when pin is -1 [m]
    std::vector<Vec4<Real>> goal_orient; ///< Likewise its frame; zero: as it is
    std::vector<Vec3<Real>> force;       ///< From outside, at the center [N]
    std::vector<Vec3<Real>> torque;      ///< From outside [N m]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.id, field("id").help("Stable name of the bone."));
        visit(self.x, field("P").unit("m").meaning(Meaning::point).help("Center of mass."));
        visit(self.orient, field("orient").meaning(Meaning::quaternion).help("Its frame."));
        visit(self.v, field("v").unit("m/s").meaning(Meaning::vector).help("Velocity."));
        visit(self.w, field("w").unit("rad/s").meaning(Meaning::vector).help("Angular velocity."));
        visit(self.mass, field("mass").unit("kg").above(0).help("Mass."));
        visit(self.inertia, field("inertia").unit("kg m^2").help(
                                "About the center of mass, in the bone's frame."));
        visit(self.half, field("half")
                             .unit("m")
                             .range(0, infinite)
                             .help("Half the sides of its box, without the rounding."));
        visit(self.radius,
              field("pscale").unit("m").range(0, infinite).help("Radius of its rounding."));
        visit(self.rest,
              field("rest").unit("m").help("Center of mass when the skin was bound to it."));
        visit(self.rest_orient, field("rest_orient").help("Frame when the skin was bound to it."));
        visit(self.body, field("body").help("Index of the body that it came from."));
        visit(self.number, field("number").help("Its place among the bones of that body."));
        visit(self.pin,
              field("pin").help("1 + index of the pin that holds it, -1: held by its goal, or 0."));
        visit(self.goal, field("goal")
                             .unit("m")
                             .meaning(Meaning::point)
                             .optional()
                             .help("Where it is led to in this frame, when its pin is -1."));
        visit(self.goal_orient, field("goal_orient")
                                    .meaning(Meaning::quaternion)
                                    .optional()
                                    .help("Its frame there; zero: as it is now."));
        visit(self.force, field("f")
                              .unit("N")
                              .meaning(Meaning::vector)
                              .optional()
                              .help("Force from outside, at its center."));
        visit(self.torque, field("torque")
                               .unit("N m")
                               .meaning(Meaning::vector)
                               .optional()
                               .help("Torque from outside."));
    }
};

/// Where two bones are joined, and by what (rheology paper, Fig 1). Vectors are in the joint's frame, whose x
/// runs along the bone; the frame is fixed to the parent. For JointKind::slide read N, m for
/// N m, rad.
template <class Real> struct Joints {
    std::vector<std::int64_t> id;
    std::vector<std::int64_t> parent; ///< Id of a bone, or -1: the world
    std::vector<std::int64_t> child;
    std::vector<std::int32_t> kind;          ///< JointKind
    std::vector<Vec3<Real>> anchor_parent;   ///< In the parent's frame [m]
    std::vector<Vec3<Real>> anchor_child;    ///< In the child's frame [m]
    std::vector<Vec4<Real>> frame_parent;    ///< The joint's frame in the parent's
    std::vector<Vec4<Real>> frame_child;     ///< And in the child's
    std::vector<Vec3<Real>> stiffness;       ///< K_f: of the part that comes back [N m/rad]
    std::vector<Vec3<Real>> damping;         ///< D_f [N m s/rad]
    std::vector<Vec3<Real>> first_stiffness; ///< K_m: of a spring in series (Burgers) [N m/rad]
    std::vector<Real> flow;                  ///< D_d: of the part that stays [N m s/rad]
    std::vector<Real> yield;                 ///< Torque below which nothing stays [N m]
    std::vector<Real> limit;                 ///< Largest bend, and largest twist [rad]
    std::vector<Vec3<Real>> q_sf;            ///< Bend of the part that comes back [rad]
    std::vector<Vec3<Real>> q_sm;            ///< Bend of the spring in series [rad]
    std::vector<Vec3<Real>> torque;          ///< lambda_s of the last step, on the child [N m]
    std::vector<Real> limit_impulse;         ///< Of the last step [N m s]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.id, field("id").help("Stable name of the joint."));
        visit(self.parent, field("parent").help("Id of the bone it is fixed to; -1: the world."));
        visit(self.child, field("child").help("Id of the bone that it moves."));
        visit(self.kind, field("kind").range(0, 1).help("0: bends, 1: slides."));
        visit(self.anchor_parent,
              field("anchor_parent").unit("m").help("Its place in the parent's frame."));
        visit(self.anchor_child,
              field("anchor_child").unit("m").help("Its place in the child's frame."));
        visit(self.frame_parent, field("frame_parent").help("Its axes in the parent's frame."));
        visit(self.frame_child, field("frame_child").help("Its axes in the child's frame."));
        visit(self.stiffness, field("stiffness")
                                  .unit("N m/rad")
                                  .range(0, infinite)
                                  .may_be_none()
                                  .help("Of the part that comes back."));
        visit(self.damping, field("damping")
                                .unit("N m s/rad")
                                .range(0, infinite)
                                .may_be_none()
                                .help("Of the part that comes back."));
        visit(self.first_stiffness, field("first_stiffness")
                                        .unit("N m/rad")
                                        .above(0)
                                        .may_be_none()
                                        .help("Of a spring in series that answers at once."));
        visit(self.flow, field("flow")
                             .unit("N m s/rad")
                             .above(0)
                             .may_be_none()
                             .help("Resistance of the part that stays; none: nothing stays."));
        visit(self.yield, field("yield")
                              .unit("N m")
                              .range(0, infinite)
                              .may_be_none()
                              .help("Torque below which nothing stays."));
        visit(self.limit, field("limit").unit("rad").above(0).may_be_none().help(
                              "Largest bend, and largest twist."));
        visit(self.q_sf, field("q_sf").unit("rad").help("Bend of the part that comes back."));
        visit(self.q_sm, field("q_sm").unit("rad").help("Bend of the spring in series."));
        visit(self.torque, field("torque").unit("N m").help("Torque on the child."));
        visit(self.limit_impulse,
              field("limit_impulse").unit("N m s").help("Of the limit of its bend."));
    }
};

/// Impulses of contacts, from which the next step's solve starts.
template <class Real> struct Contacts {
    std::vector<std::int64_t> id;      ///< Bone
    std::vector<std::int64_t> other;   ///< Another bone, or -1 - index of a collider
    std::vector<std::int32_t> feature; ///< Which corners or edges touch
    std::vector<Vec3<Real>> impulse;   ///< On the bone [N s]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.id, field("id").help("The bone."));
        visit(self.other, field("other").help("Another bone, or -1 - index of a collider."));
        visit(self.feature, field("feature").help("Which corners or edges touch."));
        visit(self.impulse, field("impulse")
                                .unit("N s")
                                .meaning(Meaning::vector)
                                .help("On the bone, in the last step."));
    }
};

/// Single values of the state.
struct Details {
    double time = 0; ///< [s]
    std::int64_t next_bone = 0;
    std::int64_t next_joint = 0;
    std::int64_t bodies_entered = 0; ///< In the order of their start

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.time, field("time").unit("s").help("Simulated time."));
        visit(self.next_bone, field("next_bone").help("Next free id of a bone."));
        visit(self.next_joint, field("next_joint").help("Next free id of a joint."));
        visit(self.bodies_entered, field("bodies_entered").help("Bodies that are in by now."));
    }
};

template <class Real> struct State {
    Bones<Real> bones;
    Joints<Real> joints;
    Contacts<Real> contacts;
    Details details;

    /// visit(table, name) for each table: how files and hosts walk a state.
    template <class Self, class Visit> static void tables(Self& self, Visit&& visit) {
        visit(self.bones, "bones");
        visit(self.joints, "joints");
        visit(self.contacts, "contacts");
    }
};

} // namespace nendo::rheology
