// SPDX-License-Identifier: Apache-2.0
// The world that a solver lives in: gravity, colliders that move, pins, and bodies to come.
#pragma once

#include "core/fields.h"
#include "core/types.h"
#include "geometry/sdf.h"

#include <string>
#include <vector>

namespace nendo {

/// A pose at a time. Rotation is given as Houdini does: degrees about x, then y, then z.
struct Keyframe {
    double time = 0;          ///< [s]
    Vec3d translate{0, 0, 0}; ///< [m]
    Vec3d rotate{0, 0, 0};    ///< [degrees]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.time, field("time").label("Time").unit("s").help("When this pose is reached."));
        visit(self.translate,
              field("translate").label("Translate").unit("m").help("Where the origin goes."));
        visit(self.rotate, field("rotate").label("Rotate").unit("deg").help(
                               "About x, then y, then z, around the shape's origin."));
    }
};

/// Rigid motion by keyframes: straight between keys, turning by the shortest way, at rest outside.
class Motion {
public:
    Motion() = default;
    /// Throws when the keys' times do not rise.
    explicit Motion(std::vector<Keyframe> keys);
    /// From one pose to another in the time between; two equal poses are rest.
    static Motion between(double start, const Pose& from, double end, const Pose& to);

    Pose at(double time) const;
    bool moves() const { return m_keys.size() > 1; }
    const std::vector<Keyframe>& keys() const { return m_keys; }

private:
    std::vector<Keyframe> m_keys;
    std::vector<Eigen::Quaterniond> m_turns;
};

/// How a shape changes between two moments, in its own frame.
struct Deformation {
    double start = 0;     ///< [s]
    double end = 0;       ///< [s]
    SdfPtr end_shape;     ///< Null: `velocity` carries the matter to the shape that is given
    VelocityPtr velocity; ///< Null: surfaces move along their normals, as the distances change

    bool any() const { return end_shape || velocity; }
};

struct Collider {
    std::string name;
    SdfPtr shape;
    Motion motion;
    Deformation deformation;
    double friction = 0.5; ///< Coulomb's coefficient.
    double stickiness = 0; ///< Pull [Pa] that the contact bears before it lets go.

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.name, field("name").label("Name").help("How messages call it."));
        visit(self.friction, field("friction")
                                 .label("Friction")
                                 .range(0, infinite)
                                 .may_be_none()
                                 .help("Coulomb's coefficient; no limit: matter never slides."));
        visit(self.stickiness,
              field("stickiness")
                  .label("Stickiness")
                  .unit("Pa")
                  .range(0, infinite)
                  .may_be_none()
                  .help("Pull that the contact bears before it lets go; no limit: glued."));
    }
};

/// Matter that is inside `shape` when the pin starts is held and moves with it until `end`.
struct Pin {
    std::string name;
    SdfPtr shape;
    Motion motion;
    double start = 0;      ///< [s]
    double end = infinite; ///< [s]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.name, field("name").label("Name").help("How messages call it."));
        visit(self.start, field("start").label("Start").unit("s").help("When it takes hold."));
        visit(self.end, field("end").label("End").unit("s").may_be_none().help(
                            "When it lets go; null: never."));
    }
};

/// Something that warms or cools matter: what is inside it, or within `reach` of its surface.
struct HeatSource {
    std::string name;
    SdfPtr shape;
    Motion motion;
    double temperature = 100; ///< [degC]
    double transfer = 500;    ///< Heat flux for a degree of difference [W/(m^2 K)]
    double reach = 0;         ///< [m]; 0: by contact
    double power = 0;         ///< Shared by the matter it reaches [W]
    double start = 0;         ///< [s]
    double end = infinite;    ///< [s]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.name, field("name").label("Name").help("How messages call it."));
        visit(self.temperature, field("temperature")
                                    .label("Temperature")
                                    .unit("degC")
                                    .range(-273.15, infinite)
                                    .help("Matter that it reaches comes to this."));
        visit(self.transfer, field("transfer")
                                 .label("Transfer")
                                 .usual(0, 5000)
                                 .unit("W/(m^2 K)")
                                 .range(0, infinite)
                                 .help("How fast: heat through a square meter for a degree of "
                                       "difference."));
        visit(self.reach,
              field("reach")
                  .label("Reach")
                  .unit("m")
                  .range(0, infinite)
                  .help("How far from its surface it is felt, less and less; 0: by contact only."));
        visit(self.power, field("power").label("Power").unit("W").help(
                              "Heat beside that, shared by the matter that it reaches."));
        visit(self.start, field("start").label("Start").unit("s").help("When it is switched on."));
        visit(self.end, field("end").label("End").unit("s").may_be_none().help(
                            "When it is switched off; null: never."));
    }
};

struct Scene {
    Vec3d gravity{0, -9.81, 0}; ///< [m/s^2]
    std::vector<Collider> colliders;
    std::vector<Pin> pins;
    std::vector<HeatSource> heat_sources;
};

/// A collider or pin at one substep: poses at its start and end, ready for many queries.
struct MovedShape {
    const Sdf* shape = nullptr;
    Pose to_local;       ///< World to shape, at the start of the substep.
    Pose step;           ///< What the substep does to a world point that rides along.
    Pose to_local_after; ///< World to shape, at its end.
    double friction = 0;
    double stickiness = 0;
    double dt = 0;
    const Deformation* deformation = nullptr; ///< Null: the shape is rigid
    double time = 0;                          ///< Start of the substep [s]

    double distance(const Vec3d& x) const { return local_distance(to_local * x, time); }
    Vec3d normal(const Vec3d& x) const { return normal(to_local, x, time); }
    /// The same at the end of the substep.
    double distance_after(const Vec3d& x) const {
        return local_distance(to_local_after * x, time + dt);
    }
    Vec3d normal_after(const Vec3d& x) const { return normal(to_local_after, x, time + dt); }
    /// Velocity [m/s] of the shape's matter at world point x, such that x + dt * velocity rides
    /// along exactly where the shape is rigid.
    Vec3d velocity(const Vec3d& x) const {
        const Vec3d rigid = (step * x - x) / dt;
        return deformation == nullptr ? rigid : Vec3d(rigid + deforming_velocity(x));
    }

private:
    double local_distance(const Vec3d& p, double when) const {
        return deformation == nullptr ? shape->distance(p) : deformed_distance(p, when);
    }
    Vec3d normal(const Pose& local, const Vec3d& x, double when) const {
        const Vec3d p = local * x;
        return local.linear().transpose() *
               (deformation == nullptr ? shape->normal(p) : deformed_normal(p, when));
    }
    double deformed_distance(const Vec3d& p, double when) const;
    Vec3d deformed_normal(const Vec3d& p, double when) const;
    Vec3d deforming_velocity(const Vec3d& x) const;
};

MovedShape move_shape(const SdfPtr& shape, const Motion& motion, double time, double dt);
MovedShape move_collider(const Collider& collider, double time, double dt);
/// The fastest that a collider's matter moves [m/s], by the corners of its box.
double surface_speed(const MovedShape& shape);

} // namespace nendo
