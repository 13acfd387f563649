// SPDX-License-Identifier: Apache-2.0
// The surroundings of a simulation: gravity, moving colliders, pins and heat sources.
#pragma once

#include "core/fields.h"
#include "core/types.h"
#include "geometry/sdf.h"

#include <string>
#include <vector>

namespace nendo {

/// A pose at a given time. Rotations follow Houdini: degrees about x, then y, then z.
struct Keyframe {
    double time = 0;          ///< [s]
    Vec3d translate{0, 0, 0}; ///< [m]
    Vec3d rotate{0, 0, 0};    ///< [degrees]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.time, field("time").label("Time").unit("s").help(
                             "Time of this key, in seconds from the start."));
        visit(self.translate, field("translate")
                                  .label("Translate")
                                  .unit("m")
                                  .help("Position of the shape's origin at this key."));
        visit(self.rotate, field("rotate").label("Rotate").unit("deg").help(
                               "Rotation at this key about the shape's origin, around x, then y, "
                               "then z."));
    }
};

/// Rigid motion by keyframes: linear between keys, with the shortest rotation, and at rest before
/// the first key and after the last.
class Motion {
public:
    Motion() = default;
    /// Throws if the times of the keys do not increase.
    explicit Motion(std::vector<Keyframe> keys);
    /// Motion from pose `from` at `start` to pose `to` at `end` [s]. Equal poses give no motion.
    static Motion between(double start, const Pose& from, double end, const Pose& to);

    Pose at(double time) const;
    bool moves() const { return m_keys.size() > 1; }
    const std::vector<Keyframe>& keys() const { return m_keys; }

private:
    std::vector<Keyframe> m_keys;
    std::vector<Eigen::Quaterniond> m_rotations;
};

/// How a shape deforms between two times, in its own frame.
struct Deformation {
    double start = 0; ///< [s]
    double end = 0;   ///< [s]
    SdfPtr end_shape; ///< Null: the shape is given at `end`, and `velocity` carries matter there
    VelocityPtr velocity; ///< Null: surfaces move along their normals, as the distances change

    bool any() const { return end_shape || velocity; }
};

struct Collider {
    std::string name;
    SdfPtr shape;
    Motion motion;
    Deformation deformation;
    double friction = 0.5; ///< Coulomb coefficient [1]
    double stickiness = 0; ///< Tension that the contact bears before it lets go [Pa]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.name, field("name").label("Name").help("Name used in messages."));
        visit(self.friction, field("friction")
                                 .label("Friction")
                                 .range(0, infinite)
                                 .may_be_none()
                                 .help("Coulomb friction coefficient. 0 lets matter slide freely; "
                                       "without a limit it never slides."));
        visit(self.stickiness,
              field("stickiness")
                  .label("Stickiness")
                  .unit("Pa")
                  .range(0, infinite)
                  .may_be_none()
                  .help("Pulling stress that the contact bears before it lets go. Without a limit "
                        "matter is glued to the collider."));
    }
};

/// Matter that is inside `shape` at `start` is held and moves with the shape until `end`.
struct Pin {
    std::string name;
    SdfPtr shape;
    Motion motion;
    double start = 0;      ///< [s]
    double end = infinite; ///< [s]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.name, field("name").label("Name").help("Name used in messages."));
        visit(self.start, field("start").label("Start").unit("s").help(
                              "Time at which the pin takes hold of the matter inside it."));
        visit(self.end, field("end").label("End").unit("s").may_be_none().help(
                            "Time at which the pin lets go; null means never."));
    }
};

/// A source of heat or cold. It acts on matter inside it or within `reach` of its surface.
struct HeatSource {
    std::string name;
    SdfPtr shape;
    Motion motion;
    double temperature = 100; ///< [degC]
    double transfer = 500;    ///< Heat flux per degree of difference [W/(m^2 K)]
    double reach = 0;         ///< Distance from the surface; 0 means by contact only [m]
    double power = 0;         ///< Additional heat, shared by the matter in reach [W]
    double start = 0;         ///< [s]
    double end = infinite;    ///< [s]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.name, field("name").label("Name").help("Name used in messages."));
        visit(self.temperature, field("temperature")
                                    .label("Temperature")
                                    .unit("degC")
                                    .range(-273.15, infinite)
                                    .help("Temperature that matter in reach approaches."));
        visit(self.transfer, field("transfer")
                                 .label("Transfer")
                                 .usual(0, 5000)
                                 .unit("W/(m^2 K)")
                                 .range(0, infinite)
                                 .help("Heat that flows per square meter and degree of difference. "
                                       "Larger values warm or cool matter faster."));
        visit(self.reach,
              field("reach")
                  .label("Reach")
                  .unit("m")
                  .range(0, infinite)
                  .help("Distance from the surface within which the source acts, fading to nothing "
                        "at the end. 0 means by contact only."));
        visit(self.power, field("power").label("Power").unit("W").help(
                              "Additional heat, shared by the matter in reach. Negative values "
                              "cool."));
        visit(self.start, field("start").label("Start").unit("s").help(
                              "Time at which the source is switched on."));
        visit(self.end, field("end").label("End").unit("s").may_be_none().help(
                            "Time at which the source is switched off; null means never."));
    }
};

struct Scene {
    Vec3d gravity{0, -9.81, 0}; ///< [m/s^2]
    std::vector<Collider> colliders;
    std::vector<Pin> pins;
    std::vector<HeatSource> heat_sources;
};

/// A collider or pin during one substep, with its poses at the start and the end, ready for many
/// queries.
struct MovedShape {
    const Sdf* shape = nullptr;
    Pose to_local;         ///< World to shape, at the start of the substep
    Pose step;             ///< Moves a world point that rides along from the start to the end
    Pose to_local_after;   ///< World to shape, at the end of the substep
    double friction = 0;   ///< Coulomb coefficient [1]
    double stickiness = 0; ///< [Pa]
    double dt = 0;         ///< Length of the substep [s]
    const Deformation* deformation = nullptr; ///< Null: the shape is rigid
    double time = 0;                          ///< Start of the substep [s]

    double distance(const Vec3d& x) const { return local_distance(to_local * x, time); }
    Vec3d normal(const Vec3d& x) const { return normal(to_local, x, time); }
    /// Distance and normal at the end of the substep.
    double distance_after(const Vec3d& x) const {
        return local_distance(to_local_after * x, time + dt);
    }
    Vec3d normal_after(const Vec3d& x) const { return normal(to_local_after, x, time + dt); }
    /// Velocity [m/s] of the shape's matter at world point x. Where the shape is rigid,
    /// x + dt * velocity follows it exactly.
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
/// Highest speed of a collider's matter [m/s], estimated at the corners of its bounding box.
double surface_speed(const MovedShape& shape);

} // namespace nendo
