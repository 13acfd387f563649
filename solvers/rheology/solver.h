// SPDX-License-Identifier: Apache-2.0
// Bones that bend and stay bent (rheology paper): rigid bodies, joints made of springs and dashpots,
// and contacts, solved together in each step as one complementarity problem.
#pragma once

#include "method/report.h"
#include "method/solver.h"
#include "rheology/material.h"
#include "rheology/params.h"
#include "rheology/state.h"

#include <string>
#include <vector>

namespace nendo::rheology {

/// A rigid body at the time it enters.
struct Bone {
    Pose pose = Pose::Identity(); ///< Position of its center of mass, and its axes
    double mass = 1;              ///< [kg]
    Mat3d inertia = Mat3d::Identity();
    Vec3d half{0, 0, 0}; ///< Half the sides of its box, without the rounding [m]
    double radius = 0;   ///< Radius of the rounded edges [m]
};

/// The springs and dashpots of a joint, in series: a spring K_m, a spring K_f beside a dashpot D_f,
/// and a dashpot D_d that moves above a yield torque. Infinite means that an element is absent. All
/// finite: Burgers' model; no K_m: three elements (rheology paper, Fig 1); no K_m and D_f = 0:
/// Maxwell; no K_m and no D_d: Kelvin-Voigt.
struct Rheology {
    Vec3d stiffness = Vec3d::Constant(10);             ///< K_f about x, y and z [N m/rad]
    Vec3d damping = Vec3d::Constant(2);                ///< D_f [N m s/rad]
    Vec3d first_stiffness = Vec3d::Constant(infinite); ///< K_m [N m/rad]
    double flow = infinite;                            ///< D_d [N m s/rad]
    double yield = 0;                                  ///< [N m]
    double limit = infinite;                           ///< Largest bend [rad]
};

/// A joint at the time it enters.
struct Joint {
    int parent = -1; ///< Number of a bone of the same body, or -1: the world
    int child = 0;
    JointKind kind = JointKind::bend;
    Pose frame = Pose::Identity(); ///< Its position and axes, x along the bone
    Rheology rheology;
};

/// A force at one time; linear between keys, constant outside. Two keys at one time make a jump.
struct LoadKey {
    double time = 0;       ///< [s]
    Vec3d force{0, 0, 0};  ///< [N]
    Vec3d torque{0, 0, 0}; ///< [N m]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.time, field("time").label("Time").unit("s").help(
                             "Time of this key, in seconds from the start."));
        visit(self.force, field("force").label("Force").unit("N").help("Force in world axes."));
        visit(self.torque,
              field("torque").label("Torque").unit("N m").help("Torque in world axes."));
    }
};

/// A force on a bone that changes with time.
struct Load {
    int bone = 0;         ///< Number of the bone; negative numbers count from the end
    Vec3d point{0, 0, 0}; ///< Point where it acts, in the bone's frame [m]
    std::vector<LoadKey> keys;
};

/// Bones and joints that enter at a given time.
struct Body {
    std::string name;
    double start = 0; ///< Time at which it appears [s]
    std::vector<Bone> bones;
    std::vector<Joint> joints;
    std::vector<Load> loads;
    Vec3d velocity{0, 0, 0};         ///< [m/s]
    Vec3d angular_velocity{0, 0, 0}; ///< About the body's center of mass [rad/s]
    std::int32_t index = 0;          ///< The `body` column
};

/// One row of stats.jsonl.
struct Report : CommonReport {
    int contact_sweeps = 0;          ///< All substeps together
    int contact_unconverged = 0;     ///< Substeps whose contact solve ran out of sweeps
    int yield_iterations = 0;        ///< All substeps together
    int yield_unconverged = 0;       ///< Substeps whose yield was not settled
    double complementarity = 0;      ///< Worst residual of the contact conditions [m/s]
    double joint_gap = 0;            ///< Widest gap of a joint at the end [m]
    double overlap = 0;              ///< Deepest overlap of a bone at the start of a substep [m]
    double elastic_energy = 0;       ///< [J]
    Vec3d angular_momentum{0, 0, 0}; ///< About the origin [kg m^2/s]
    std::int64_t bones = 0;
    std::int64_t joints = 0;
    std::int64_t contacts = 0; ///< At the last substep
    double max_bend = 0;       ///< Largest bend that stays [rad]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        CommonReport::fields(self, visit);
        visit(self.contact_sweeps, field("contact_sweeps"));
        visit(self.contact_unconverged, field("contact_unconverged"));
        visit(self.yield_iterations, field("yield_iterations"));
        visit(self.yield_unconverged, field("yield_unconverged"));
        visit(self.complementarity, field("complementarity").unit("m/s"));
        visit(self.joint_gap, field("joint_gap").unit("m"));
        visit(self.overlap, field("overlap").unit("m"));
        visit(self.elastic_energy, field("elastic_energy").unit("J"));
        visit(self.angular_momentum, field("angular_momentum").unit("kg m^2/s"));
        visit(self.bones, field("bones"));
        visit(self.joints, field("joints"));
        visit(self.contacts, field("contacts"));
        visit(self.max_bend, field("max_bend").unit("rad"));
    }
};

/// Adds a body to the state now: fills its columns, assigns ids. Throws if a joint leads nowhere or a
/// mass is not above zero.
template <class Real> void add_body(State<Real>& state, const Body& body);

struct Workspace;
template <class Real> struct Call;

/// The method as the shared code sees it (method/solver.h).
struct Method : MethodTypes<Params, Material, Body, Report> {
    static constexpr std::string_view name = "rheology";
    template <class Real> using State = rheology::State<Real>;
    template <class Real> using Workspace = rheology::Workspace; // always double
    template <class Real> using Call = rheology::Call<Real>;
    static const std::vector<Preset<Material>>& presets() { return rheology::presets(); }
};

template <class Real> using Solver = nendo::Solver<Method, Real>;

} // namespace nendo::rheology

namespace nendo {
extern template class Solver<rheology::Method, float>;
extern template class Solver<rheology::Method, double>;
} // namespace nendo
