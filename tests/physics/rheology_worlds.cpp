// SPDX-License-Identifier: Apache-2.0
// Random worlds of bones: the promises hold for any valid scene file.
#include "io/mesh/mesh_file.h"
#include "method/checks.h"
#include "skinning/sweep.h"
#include "support/worlds.h"

#include <set>

namespace nendo::rheology::test {
namespace {

using nendo::test::Draw, nendo::test::draw_collider, nendo::test::draw_keys;
using nendo::test::draw_shape, nendo::test::number_from_environment;

// ---- drawing -----------------------------------------------------------------------------------

/// A rod along y, 6 long and 1 across, that bodies and colliders are made of.
const std::string& rod_mesh() {
    static const std::string name = [] {
        const std::string file = "nendo-rheology-world-rod.obj";
        const std::vector<LinePoint> line{{Vec3d(0, 0, 0), 1, 1, 0}, {Vec3d(0, 6, 0), 1, 1, 0}};
        write_mesh((std::filesystem::temp_directory_path() / file).string(),
                   sweep_mesh(line, Vec3d::UnitZ(), 12, 12));
        return file;
    }();
    return name;
}

Json none_or(Draw& draw, double chance_of_none, double low, double high) {
    return draw.chance(chance_of_none) ? Json(nullptr) : Json(draw.decades(low, high));
}

Json draw_material(Draw& draw) {
    Json material;
    if (draw.chance(0.6)) {
        const auto& known = presets();
        material["preset"] =
            known[static_cast<std::size_t>(draw.whole(0, static_cast<int>(known.size()) - 1))].name;
        if (draw.chance(0.5)) return material;
    }
    const bool all = !material.contains("preset");
    if (all || draw.chance(0.3)) material["density"] = draw.decades(100, 12000);
    if (all || draw.chance(0.3)) material["young"] = none_or(draw, 0.05, 1e3, 1e12);
    if (all || draw.chance(0.3)) material["poisson"] = draw.uniform(-0.95, 0.5);
    if (all || draw.chance(0.3))
        material["delay"] = draw.chance(0.2) ? 0.0 : draw.decades(1e-4, 10);
    if (all || draw.chance(0.3)) material["first_young"] = none_or(draw, 0.6, 1e3, 1e12);
    if (all || draw.chance(0.3)) material["viscosity"] = none_or(draw, 0.3, 1, 1e12);
    if (all || draw.chance(0.3))
        material["yield"] = draw.chance(0.3) ? Json(0.0) : none_or(draw, 0.1, 1e2, 1e9);
    return material;
}

/// A line of points about two sizes apart. A straight one has bones along all of its length.
Json draw_points(Draw& draw, const Json& begin, double size, bool straight) {
    Json points = Json::array();
    const double width = size * draw.uniform(0.1, 0.6);
    const double height = draw.chance(0.5) ? width : size * draw.uniform(0.05, 0.6);
    const bool tapers = draw.chance(0.2);
    Vec3d at(begin[0], begin[1], begin[2]);
    const Json toward = draw.vector(1);
    const Vec3d along = Vec3d(toward[0], toward[1], toward[2]).normalized();
    const int count = straight ? 2 : draw.whole(2, 5);
    for (int k = 0; k < count; ++k) {
        const double scale = tapers ? 1 - 0.8 * k / count : 1;
        points.push_back({{"at", {at.x(), at.y(), at.z()}},
                          {"width", width * scale},
                          {"height", height * scale}});
        if (tapers && draw.chance(0.5)) points.back()["dish"] = 0.2 * size;
        const Json aside = draw.vector(straight ? 0 : 0.7);
        at += draw.uniform(1, 3) * size * (along + Vec3d(aside[0], aside[1], aside[2]));
    }
    return points;
}

void draw_line(Draw& draw, Json& body, double size) {
    const bool branches = draw.chance(0.3), straight = branches || draw.chance(0.4);
    const Json points = draw_points(draw, {0.0, 0.0, 0.0}, size, straight);
    body["line"]["points"] = points;
    if (draw.chance(0.3)) body["line"]["up"] = draw.vector(1);
    body["bones"] = draw.whole(1, draw.chance(0.1) ? 12 : 5);
    if (draw.chance(0.4)) body["clamp"] = draw.chance(0.4) ? "both" : "first";
    for (int k = branches ? draw.whole(1, 2) : 0; k > 0; --k) {
        const double share = draw.one_of({0.0, 0.5, 1.0});
        Json begin;
        for (int i = 0; i < 3; ++i)
            begin.push_back((1 - share) * points[0]["at"][i].get<double>() +
                            share * points[1]["at"][i].get<double>());
        body["branches"].push_back(
            {{"points", draw_points(draw, begin, size, false)}, {"bones", draw.whole(1, 4)}});
    }
}

void draw_box(Draw& draw, Json& body, double size) {
    const auto side = [&] { return size * draw.uniform(0.3, 2); };
    const double edge = side();
    body["box"]["size"] = draw.chance(0.3) ? Json{edge, edge, edge} : Json{edge, side(), side()};
    if (draw.chance(0.5)) body["rounding"] = draw.one_of({0.0, 1.0, draw.uniform(0, 1)});
    if (!draw.chance(0.3)) return;
    body["joint"] = {{"kind", draw.chance(0.5) ? "bend" : "slide"},
                     {"stiffness", draw.chance(0.2) ? Json(0.0) : none_or(draw, 0.1, 1e-3, 1e8)},
                     {"damping", draw.chance(0.3) ? 0.0 : draw.decades(1e-4, 1e4)},
                     {"first_stiffness", none_or(draw, 0.6, 1e-3, 1e8)},
                     {"flow", none_or(draw, 0.3, 1e-3, 1e6)},
                     {"yield", draw.chance(0.5) ? 0.0 : draw.decades(1e-4, 1e3)}};
    if (draw.chance(0.3)) body["joint"]["limit"] = draw.decades(0.1, 2);
}

void draw_loads(Draw& draw, Json& body, double size) {
    const bool single = body.contains("box");
    for (int k = draw.whole(1, 2); k > 0; --k) {
        // In multiples of the weight of a bone of water.
        const double weight = 1e3 * size * size * size * 9.81 * draw.decades(0.01, 30);
        Json load{{"bone", single ? 0 : draw.one_of({0, -1})}, {"keys", Json::array()}};
        if (draw.chance(0.3)) load["point"] = draw.vector(size);
        double time = draw.uniform(-0.05, 0.1);
        for (int i = draw.whole(1, 4); i > 0; --i) {
            load["keys"].push_back({{"time", time}, {"force", draw.vector(weight)}});
            if (draw.chance(0.5)) load["keys"].back()["torque"] = draw.vector(weight * size);
            time += draw.chance(0.2) ? 0 : draw.uniform(0.01, 0.2);
        }
        body["loads"].push_back(load);
    }
}

Json draw_body(Draw& draw, double size, int place) {
    Json body{{"material", draw_material(draw)}};
    const double kind = draw.uniform(0, 1);
    if (kind < 0.35) {
        draw_box(draw, body, size);
    } else if (kind < 0.97) {
        draw_line(draw, body, size);
    } else {
        body["mesh"] = rod_mesh();
        body["fit"] = size * draw.uniform(1, 4);
        body["bones"] = draw.whole(1, 5);
    }
    if (!body.contains("joint") && draw.chance(0.3)) body["limit"] = draw.decades(0.03, 3);
    if (draw.chance(0.5)) body["rotate"] = draw.vector(180);
    // Beside or above one another, with or without a gap; sometimes inside one another.
    const double pitch = size * (draw.chance(0.05) ? draw.uniform(0, 1) : draw.uniform(2, 8));
    const bool above = draw.chance(0.6);
    body["translate"] = {above ? 0.0 : place * pitch,
                         size * draw.uniform(1, 6) + (above ? place * pitch : 0.0),
                         draw.uniform(-1, 1) * size};
    if (draw.chance(0.6)) body["velocity"] = draw.vector(draw.decades(0.05, 20));
    if (draw.chance(0.4)) body["angular_velocity"] = draw.vector(draw.decades(0.1, 50));
    if (draw.chance(0.2)) draw_loads(draw, body, size);
    if (draw.chance(0.3)) body["start"] = draw.uniform(0, 0.1);
    if (draw.chance(0.15))
        body["copies"] = {{"count", draw.whole(2, 3)},
                          {"interval", draw.uniform(0, 0.1)},
                          {"rotate", draw.vector(90)},
                          {"translate", {0, size * draw.uniform(2, 6), 0}}};
    return body;
}

Json draw_solver(Draw& draw) {
    Json solver = Json::object();
    if (draw.chance(0.7)) solver["time_step"] = draw.decades(1e-3, 2e-2);
    if (draw.chance(0.5)) solver["friction"] = draw.chance(0.3) ? 0.0 : draw.uniform(0, 2);
    if (draw.chance(0.2)) solver["self_contact"] = false;
    if (draw.chance(0.2)) solver["drag"] = draw.decades(0.01, 100);
    if (draw.chance(0.2)) solver["drift_repair"] = draw.uniform(0, 1);
    if (draw.chance(0.3)) solver["push_out"] = draw.one_of({0.0, 0.1, 10.0});
    if (draw.chance(0.2)) solver["contact_tolerance"] = draw.decades(1e-12, 1e-4);
    // Heaps whose solve does not converge are slow.
    if (draw.chance(0.8)) solver["contact_sweeps"] = draw.whole(1, 60);
    return solver;
}

/// Frees one end of each body. What is clamped at both ends and pulled by something that moves
/// cannot yield: nothing is promised about that.
void free_one_end(Json& world) {
    for (Json& body : world["bodies"]) {
        const bool held = world.contains("pins");
        if (held) body.erase("joint");
        if (body.contains("clamp")) body["clamp"] = held ? "none" : "first";
    }
}

Json draw_world(std::uint64_t seed) {
    Draw draw(seed);
    const double size = draw.decades(0.02, 0.2);
    Json world{{"title", "random world " + std::to_string(seed)},
               {"method", "rheology"},
               {"precision", draw.chance(0.5) ? "float" : "double"},
               {"fps", draw.one_of({24.0, 60.0, 240.0})},
               {"frames", 50},
               {"solver", draw_solver(draw)}};
    if (draw.chance(0.3)) world["gravity"] = {0, 0, 0};
    if (draw.chance(0.1)) world["gravity"] = draw.vector(30);
    const int bodies = draw.whole(1, 3);
    for (int k = 0; k < bodies; ++k) world["bodies"].push_back(draw_body(draw, size, k));
    const bool moves = draw.chance(0.3);
    for (int k = draw.chance(0.4) ? 0 : draw.whole(1, 2); k > 0; --k)
        world["colliders"].push_back(draw_collider(draw, size, moves && draw.chance(0.5)));
    if (draw.chance(0.02))
        world["colliders"].push_back(
            {{"mesh", rod_mesh()}, {"fit", 3 * size}, {"voxel", 0.1 * size}});
    if (draw.chance(0.1)) {
        Json pin{{"translate", {0, size * 3, 0}}, {"end", draw.uniform(0.05, 0.2)}};
        draw_shape(draw, pin, size, 4);
        if (draw.chance(0.5)) pin["keys"] = draw_keys(draw, size);
        world["pins"].push_back(pin);
    }
    if (moves || world.contains("pins")) free_one_end(world);
    return world;
}

// ---- running -----------------------------------------------------------------------------------

/// Quantities that bodies add when they enter.
struct Brought {
    std::size_t bones = 0, joints = 0;
    double mass = 0;
    double kinetic = 0;
    double gravity_energy = 0;
    Vec3d momentum{0, 0, 0};
    Vec3d angular_momentum{0, 0, 0}; ///< About the origin
    double speed_momentum = 0;       ///< Sum of m |v|
    double fastest = 0;              ///< Speed of the fastest point of any bone [m/s]
    double highest = -infinite;      ///< Highest potential of gravity of any point [J/kg]
    double reach = 0;                ///< The longest bone, from its center [m]
};

Vec3d center_of(const Body& body) {
    Vec3d moment = Vec3d::Zero();
    double mass = 0;
    for (const Bone& bone : body.bones) {
        moment += bone.mass * bone.pose.translation();
        mass += bone.mass;
    }
    return moment / mass;
}

void add(Brought& all, const Body& body, const Vec3d& gravity) {
    const Vec3d center = center_of(body), w = body.angular_velocity;
    for (const Bone& bone : body.bones) {
        const Vec3d x = bone.pose.translation();
        const Vec3d v = body.velocity + w.cross(x - center);
        const Vec3d spin = bone.pose.linear() * bone.inertia * bone.pose.linear().transpose() * w;
        const double reach = bone.half.norm() + bone.radius;
        all.mass += bone.mass;
        all.kinetic += 0.5 * (bone.mass * v.squaredNorm() + w.dot(spin));
        all.gravity_energy -= bone.mass * gravity.dot(x);
        all.momentum += bone.mass * v;
        all.angular_momentum += bone.mass * x.cross(v) + spin;
        all.speed_momentum += bone.mass * v.norm();
        all.fastest = std::max(all.fastest, v.norm() + w.norm() * reach);
        all.highest = std::max(all.highest, gravity.norm() * reach - gravity.dot(x));
        all.reach = std::max(all.reach, reach);
    }
    all.bones += body.bones.size();
    all.joints += body.joints.size();
}

bool tied_to_world(const Body& body) {
    return std::any_of(body.joints.begin(), body.joints.end(),
                       [](const Joint& joint) { return joint.parent < 0; });
}

/// Bodies that overlap by more than this share of a bone are pushed apart with more energy than they
/// have, for example where they are placed inside one another. Nothing is promised about that.
constexpr double deep = 0.03;

template <class Real> class World : public nendo::test::WorldOf<World<Real>, Method, Real> {
    using Base = nendo::test::WorldOf<World<Real>, Method, Real>;
    using Base::m_built, Base::m_frame, Base::m_state, Base::m_solver;

public:
    World(const BuiltScene& built, double fps)
        : Base(built, fps), m_step(std::min(m_frame, built.params.time_step)) {
        const auto& bodies = built.bodies;
        const auto& colliders = built.scene.colliders;
        const bool still = std::none_of(colliders.begin(), colliders.end(),
                                        [](const Collider& c) { return c.motion.moves(); });
        const bool unloaded = std::all_of(bodies.begin(), bodies.end(),
                                          [](const Body& body) { return body.loads.empty(); });
        m_trees =
            built.scene.pins.empty() &&
            std::all_of(bodies.begin(), bodies.end(), [](const Body& body) {
                return body.joints.size() <= body.bones.size() - (tied_to_world(body) ? 0 : 1);
            });
        m_unforced = still && unloaded && m_trees;
        m_untouched = colliders.empty() && unloaded && built.scene.pins.empty() &&
                      built.params.drag == 0 &&
                      std::none_of(bodies.begin(), bodies.end(), tied_to_world);
    }

    bool checks_momentum() const { return m_untouched; }
    bool checks_energy() const { return m_unforced; }

    Report advance(Host& host) {
        const double start = m_state.details.time;
        State<Real> resumed;
        const bool resumes = ++m_frames % 5 == 0;
        if (resumes) resumed = m_state;
        const Report report =
            m_solver.advance(m_state, m_built.scene, m_built.bodies, m_built.params, m_frame, host);
        if (resumes) m_resumes = resumes_from(resumed);
        for (const Body& body : m_built.bodies) {
            if (!enters(body, start)) continue;
            add(m_brought, body, m_built.scene.gravity);
            // The momentum that gravity would have added before it entered.
            for (const Bone& bone : body.bones)
                m_fallen -= body.start * bone.mass * m_built.scene.gravity;
        }
        return report;
    }

    std::string problem(const Report& r) {
        m_overlap = std::max(m_overlap, r.overlap);
        if (m_overlap > deep * m_brought.reach) m_unforced = false;
        for (const std::string& text :
             {problem_of_counts(r), problem_of_values(), problem_of_joints(r),
              problem_of_momentum(r), problem_of_angular_momentum(r), problem_of_energy(r),
              problem_of_speed()})
            if (!text.empty()) return text;
        return "";
    }

private:
    /// True if the body enters in the frame that begins at `start`.
    bool enters(const Body& body, double start) const {
        if (start == 0 && body.start <= 1e-9) return true;
        return body.start > start + 1e-9 && body.start <= start + m_frame + 1e-9;
    }

    /// True if a solver that knows nothing of the frames before comes to the same state.
    bool resumes_from(State<Real>& state) const {
        Host host;
        nendo::Solver<Method, Real>().advance(state, m_built.scene, m_built.bodies, m_built.params,
                                              m_frame, host);
        return hash_state(state) == hash_state(m_state);
    }

    std::string problem_of_counts(const Report& r) const {
        const auto &bones = m_state.bones.id, &joints = m_state.joints.id;
        if (!m_resumes) return "a frame has other bits after a resume";
        if (bones.size() != m_brought.bones)
            return fmt::format("{} bones of {}", bones.size(), m_brought.bones);
        if (joints.size() != m_brought.joints)
            return fmt::format("{} joints of {}", joints.size(), m_brought.joints);
        for (std::size_t b = 0; b < bones.size(); ++b)
            if (bones[b] != static_cast<std::int64_t>(b)) return "ids of bones are not 0, 1, 2 ...";
        if (std::set(joints.begin(), joints.end()).size() != joints.size())
            return "ids of joints are not unique";
        // A substep ends where a body enters and where a pin takes hold or lets go.
        const double events =
            static_cast<double>(m_built.bodies.size() + 2 * m_built.scene.pins.size());
        if (r.substeps > m_frame / m_built.params.time_step + 1 + events)
            return fmt::format("{} substeps in a frame of {} s", r.substeps, m_frame);
        return "";
    }

    std::string problem_of_values() const {
        const auto& bones = m_state.bones;
        try {
            check_tables(m_state);
        } catch (const Error& error) {
            return error.what();
        }
        for (std::size_t b = 0; b < bones.id.size(); ++b) {
            const Body& body = m_built.bodies[static_cast<std::size_t>(bones.body[b])];
            const Bone& bone = body.bones[static_cast<std::size_t>(bones.number[b])];
            if (bones.mass[b] != static_cast<Real>(bone.mass)) return "a mass has changed";
            if (bones.inertia[b] != Mat3<Real>(bone.inertia.template cast<Real>()))
                return "an inertia has changed";
        }
        return "";
    }

    std::string problem_of_joints(const Report& r) {
        double far = m_brought.reach;
        for (const auto& x : m_state.bones.x) far = std::max(far, static_cast<double>(x.norm()));
        const double rounding = std::is_same_v<Real, float> ? 1e-6 : 1e-12;
        if (m_trees && r.joint_gap > rounding * far)
            return fmt::format("a joint has a gap of {:.3g} m", r.joint_gap);
        return "";
    }

    std::string problem_of_momentum(const Report& r) const {
        if (!m_untouched) return "";
        const Vec3d impulse =
            m_fallen + m_state.details.time * m_brought.mass * m_built.scene.gravity;
        const Vec3d expected = m_brought.momentum + impulse;
        const double size = m_brought.speed_momentum + impulse.norm() +
                            std::sqrt(2 * m_brought.mass * (r.kinetic_energy + r.elastic_energy));
        // The momentum from gravity before a body enters cancels only to rounding.
        const double rounding =
            1e-15 * m_state.details.time * m_brought.mass * m_built.scene.gravity.norm();
        const double difference = std::max(0.0, (r.momentum - expected).norm() - rounding);
        const double error = difference / std::max(size, 1e-300);
        const double tolerance = std::is_same_v<Real, float> ? 1e-5 : 1e-10;
        return error > tolerance ? fmt::format("momentum is off by {:.3g}", error) : "";
    }

    /// A step of h keeps the angular momentum of matter that turns by h w to second order in that.
    std::string problem_of_angular_momentum(const Report& r) {
        const auto& bones = m_state.bones;
        double size = 0;
        for (std::size_t b = 0; b < bones.id.size(); ++b) {
            const auto spin = static_cast<double>(bones.w[b].norm());
            m_spin = std::max(m_spin, spin);
            size += static_cast<double>(bones.mass[b] * bones.v[b].norm() * bones.x[b].norm()) +
                    static_cast<double>(bones.inertia[b].trace()) * spin;
        }
        if (!m_untouched || m_built.scene.gravity.norm() > 0) return "";
        const double error = (r.angular_momentum - m_brought.angular_momentum).norm();
        const double turns = m_step * m_state.details.time * m_spin * m_spin;
        const double rounding = std::is_same_v<Real, float> ? 1e-5 : 1e-10;
        if (error <= (turns + rounding) * size) return "";
        return fmt::format("angular momentum is off by {:.3g}", error / size);
    }

    /// The energy that pushing an overlap apart may add: it lifts, and ends at the speed of the
    /// push.
    double energy_of_pushing(const Report& r) {
        const Params& p = m_built.params;
        m_push =
            std::max(m_push, std::min(p.push_out, p.drift_repair * r.overlap / r.shortest_step));
        return m_brought.mass * (0.5 * m_push * m_push + m_built.scene.gravity.norm() * m_overlap);
    }

    /// The energy by which a pendulum swings about its mean: its steps are symplectic.
    double energy_of_swinging() {
        double momentum = 0;
        for (std::size_t b = 0; b < m_state.bones.id.size(); ++b)
            momentum += static_cast<double>(m_state.bones.mass[b] * m_state.bones.v[b].norm());
        m_momentum = std::max(m_momentum, momentum);
        return 0.5 * m_step * m_built.scene.gravity.norm() * m_momentum;
    }

    std::string problem_of_energy(const Report& r) {
        m_fall = std::max(m_fall, m_brought.gravity_energy - r.gravity_energy);
        const double extra = energy_of_pushing(r) + energy_of_swinging();
        if (!m_unforced) return "";
        const double gain = r.kinetic_energy + r.elastic_energy + r.gravity_energy -
                            m_brought.kinetic - m_brought.gravity_energy;
        const double scale = m_brought.kinetic + m_fall +
                             m_brought.mass * m_built.scene.gravity.norm() * m_brought.reach;
        if (gain <= 0.01 * scale + extra) return "";
        return fmt::format("energy grew by {:.3g} of its scale: brought {:.3g} J, fallen by "
                           "{:.3g} J, now kinetic {:.3g} J, elastic {:.3g} J; overlap {:.3g} m",
                           gain / scale, m_brought.kinetic,
                           m_brought.gravity_energy - r.gravity_energy, r.kinetic_energy,
                           r.elastic_energy, m_overlap);
    }

    /// Bodies collide without bouncing, so contact passes speeds on and adds none, however light a
    /// bone is: the energy of all would let it be much faster. Three times as fast leaves room for
    /// levers and whips. The measure is the fastest point that was brought, after a fall from the
    /// highest, and the speed of pushing.
    std::string problem_of_speed() {
        if (!m_unforced) return "";
        const Vec3d& gravity = m_built.scene.gravity;
        for (std::size_t b = 0; b < m_state.bones.id.size(); ++b) {
            const Vec3d x = m_state.bones.x[b].template cast<double>();
            const double fall = std::max(0.0, m_brought.highest + gravity.dot(x)) +
                                gravity.norm() * m_brought.reach;
            const double usual = std::hypot(m_brought.fastest, std::sqrt(2 * fall), m_push);
            const auto speed = static_cast<double>(m_state.bones.v[b].norm());
            if (speed > 3 * usual + 1e-6)
                return fmt::format("bone {} has {:.3g} m/s where {:.3g} m/s are usual",
                                   m_state.bones.id[b], speed, usual);
        }
        return "";
    }

    Brought m_brought;
    const double m_step; ///< Length of a substep [s]
    int m_frames = 0;
    bool m_resumes = true;    ///< The last resumed frame had the same bits
    bool m_trees = false;     ///< True if no joints form a loop
    bool m_unforced = false;  ///< True while only gravity can add energy
    bool m_untouched = false; ///< True while only gravity can add momentum
    Vec3d m_fallen{0, 0, 0};
    double m_fall = 0;     ///< The most energy that gravity has added so far [J]
    double m_overlap = 0;  ///< The deepest so far [m]
    double m_push = 0;     ///< The fastest push of an overlap so far [m/s]
    double m_momentum = 0; ///< The largest sum of m |v| so far [kg m/s]
    double m_spin = 0;     ///< The fastest so far [rad/s]
};

using Worlds = nendo::test::Worlds<Method, World>;

TEST(RheologyWorlds, keep_their_promises) {
    Worlds worlds(50);
    worlds.check_all(200, draw_world);
}

} // namespace
} // namespace nendo::rheology::test
