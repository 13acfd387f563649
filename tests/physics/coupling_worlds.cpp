// SPDX-License-Identifier: Apache-2.0
// Random worlds of fluids and stretchy bodies: the promises hold for any valid scene file.
#include "math/kernels.h"
#include "support/worlds.h"

#include <map>
#include <set>

namespace nendo::coupling::test {
namespace {

using nendo::test::Draw, nendo::test::draw_collider, nendo::test::draw_keys;
using nendo::test::draw_shape;

// ---- drawing -----------------------------------------------------------------------------------

Json draw_fluid_material(Draw& draw) {
    if (draw.chance(0.5))
        return {{"preset", draw.one_of({"water", "large_water", "oil", "honey"})}};
    return {{"phase", "fluid"},
            {"density", draw.decades(100, 10000)},
            {"viscosity", draw.chance(0.1) ? 0.0 : draw.decades(1e-4, 1)}};
}

Json draw_body_material(Draw& draw) {
    Json material;
    if (draw.chance(0.5)) {
        material = {{"preset", draw.one_of({"membrane", "telescopic", "jellyfish", "balloon"})}};
    } else {
        material = {{"phase", "body"},
                    {"density", draw.decades(200, 5000)},
                    {"viscosity", draw.decades(1e-3, 1)},
                    {"spring_stiffness", draw.decades(1, 1e5)},
                    {"spring_damping", draw.chance(0.2) ? 0.0 : draw.decades(0.1, 100)},
                    {"connection", draw.uniform(1.5, 3)}};
    }
    if (draw.chance(0.2)) material["break_strain"] = draw.decades(0.05, 2);
    return material;
}

/// Fluid and bodies stand side by side or above one another, anywhere between the lattices of each
/// other and of the walls.
Json draw_body(Draw& draw, double spacing, int place) {
    const bool fluid = draw.chance(0.6);
    Json body{{"material", fluid ? draw_fluid_material(draw) : draw_body_material(draw)}};
    draw_shape(draw, body, spacing, draw.chance(0.1) ? 7 : 5);
    if (!fluid && draw.chance(0.3)) body["spacing"] = spacing * draw.uniform(0.5, 1);
    if (!fluid && draw.chance(0.15)) body["membrane"] = !body.contains("capsule");
    const double pitch = spacing * (draw.chance(0.1) ? 3.0 : 7.0 + draw.uniform(0, 3));
    const bool above = draw.chance(0.5);
    body["translate"] = {(above ? 0.0 : place * pitch) + draw.uniform(-1, 1) * spacing,
                         spacing * draw.uniform(1, 6) + (above ? place * pitch : 0.0),
                         draw.uniform(-1, 1) * spacing};
    if (draw.chance(0.5)) body["velocity"] = draw.vector(draw.decades(0.1, 10));
    if (draw.chance(0.2)) body["angular_velocity"] = draw.vector(draw.decades(0.1, 10));
    if (draw.chance(0.2)) body["start"] = draw.uniform(0, 0.1);
    if (draw.chance(0.1))
        body["copies"] = {{"count", 2},
                          {"interval", draw.uniform(0.01, 0.1)},
                          {"translate", {0, spacing * 9, 0}}};
    return body;
}

/// A tank whose walls are anywhere between two layers of the lattice.
void draw_tank(Draw& draw, Json& world, double spacing) {
    const auto wall = [&](const Json& point, const Json& normal) {
        world["colliders"].push_back(
            {{"plane", {{"point", point}, {"normal", normal}}}, {"friction", draw.uniform(0, 1)}});
    };
    const double wide = spacing * draw.uniform(3, 14), deep = spacing * draw.uniform(3, 8);
    const double floor = spacing * draw.uniform(-2, 1);
    wall({0, floor, 0}, {0, 1, 0});
    wall({-spacing * draw.uniform(2, 4), 0, 0}, {1, 0, 0});
    wall({wide, 0, 0}, {-1, 0, 0});
    wall({0, 0, -deep}, {0, 0, 1});
    wall({0, 0, deep}, {0, 0, -1});
}

Json draw_solver(Draw& draw, double spacing) {
    Json solver{{"spacing", spacing}, {"time_step", draw.decades(1e-3, 3e-2)}};
    if (draw.chance(0.3)) solver["pressure"] = "implicit";
    if (draw.chance(0.5)) solver["stiffness"] = draw.decades(100, 10000);
    if (draw.chance(0.3)) solver["support"] = draw.uniform(1.5, 2.6);
    if (draw.chance(0.2)) solver["courant"] = draw.uniform(0.1, 0.4);
    if (draw.chance(0.2)) solver["surface_tension"] = draw.decades(1e-3, 1);
    if (draw.chance(0.2)) solver["density_change"] = false;
    if (draw.chance(0.2)) solver["springs"] = "explicit";
    if (draw.chance(0.2)) solver["collisions"] = false;
    if (draw.chance(0.1)) solver["pressure_iterations"] = draw.whole(1, 30);
    if (draw.chance(0.1)) solver["cg_iterations"] = draw.whole(1, 30);
    return solver;
}

Json draw_tap(Draw& draw, double spacing) {
    Json direction = draw.vector(1);
    direction[1] = draw.uniform(-2, -0.5);
    return {{"center", {0, spacing * draw.uniform(3, 9), 0}},
            {"direction", direction},
            {"radius", spacing * draw.uniform(0.8, 2)},
            {"speed", draw.decades(0.3, 5)},
            {"start", draw.uniform(0, 0.1)},
            {"fluid", 0}};
}

Json draw_world(std::uint64_t seed) {
    Draw draw(seed);
    const double spacing = draw.decades(0.02, 0.4);
    Json world{{"title", "random world " + std::to_string(seed)},
               {"method", "coupling"},
               {"precision", draw.chance(0.5) ? "float" : "double"},
               {"fps", draw.one_of({24.0, 60.0})},
               {"frames", 20},
               {"solver", draw_solver(draw, spacing)}};
    if (draw.chance(0.2)) world["gravity"] = {0, 0, 0};
    if (draw.chance(0.1)) world["gravity"] = draw.vector(20);
    const int bodies = draw.whole(1, 3);
    for (int k = 0; k < bodies; ++k) world["bodies"].push_back(draw_body(draw, spacing, k));
    const bool moves = draw.chance(0.2);
    if (draw.chance(0.5)) draw_tank(draw, world, spacing);
    const int colliders = draw.chance(0.5) ? 0 : draw.whole(1, 2);
    for (int k = 0; k < colliders; ++k)
        world["colliders"].push_back(draw_collider(draw, spacing, moves && draw.chance(0.5)));
    const Json& first = world["bodies"][0]["material"];
    const bool pours = first.value("phase", "") == "fluid" ||
                       (first.contains("preset") && first["preset"] != "membrane" &&
                        first["preset"] != "telescopic" && first["preset"] != "jellyfish" &&
                        first["preset"] != "balloon");
    if (pours && draw.chance(0.2)) world["taps"].push_back(draw_tap(draw, spacing));
    if (draw.chance(0.1)) world["drains"].push_back({{"plane", {{"point", {0, -4 * spacing, 0}}}}});
    if (draw.chance(0.15))
        world["muscles"].push_back({{"period", draw.uniform(0.1, 0.5)},
                                    {"keys",
                                     {{{"time", 0.0}, {"length", 1.0}},
                                      {{"time", 0.1},
                                       {"length", draw.uniform(0.5, 1.5)},
                                       {"force", draw.uniform(-5, 5)}}}}});
    if (draw.chance(0.1)) {
        Json pin{{"translate", {0, spacing * 4, 0}}, {"end", draw.uniform(0.05, 0.4)}};
        draw_shape(draw, pin, spacing, 3);
        if (draw.chance(0.5)) pin["keys"] = draw_keys(draw, spacing);
        world["pins"].push_back(pin);
    }
    return world;
}

// ---- running -----------------------------------------------------------------------------------

template <class Real>
class World : public nendo::test::WorldOf<World<Real>, coupling::Method, Real> {
    using Base = nendo::test::WorldOf<World<Real>, coupling::Method, Real>;
    using Base::m_built, Base::m_frame, Base::m_state, Base::m_solver;

public:
    World(const BuiltScene& built, double fps) : Base(built, fps) {
        const Inputs& inputs = built.bodies;
        const bool still = std::none_of(built.scene.colliders.begin(), built.scene.colliders.end(),
                                        [](const Collider& c) { return c.motion.moves(); });
        const bool late = std::any_of(inputs.bodies.begin(), inputs.bodies.end(),
                                      [](const Body& body) { return body.start > 0; });
        const bool faces =
            std::any_of(inputs.bodies.begin(), inputs.bodies.end(),
                        [](const Body& b) { return b.membrane || !b.faces.empty(); });
        m_closed = inputs.taps.empty() && inputs.drains.empty() && !late;
        const bool fluids =
            std::all_of(inputs.bodies.begin(), inputs.bodies.end(),
                        [](const Body& body) { return body.material.phase == Phase::fluid; });
        m_unforced = m_closed && still && fluids;
        m_untouched =
            m_closed && !faces && built.scene.colliders.empty() && built.scene.pins.empty();
    }

    bool checks_momentum() const { return m_untouched; }
    bool checks_energy() const { return m_unforced; }

    void begin(Host& host) {
        m_first = frame(0, host);
        m_start_energy = energy(m_first);
        for (std::size_t i = 0; i < m_state.particles.id.size(); ++i)
            m_first_speeds +=
                double(m_state.particles.mass[i]) * double(m_state.particles.v[i].norm());
    }
    Report advance(Host& host) { return frame(m_frame, host); }

    std::string problem(const Report& r) {
        if (const std::string text = problem_of_counts(r); !text.empty()) return text;
        if (const std::string text = problem_of_values(); !text.empty()) return text;
        if (const std::string text = problem_of_momentum(r); !text.empty()) return text;
        if (const std::string text = problem_of_energy(r); !text.empty()) return text;
        return problem_of_steps(r);
    }

private:
    Report frame(double duration, Host& host) {
        return m_solver.advance(m_state, m_built.scene, m_built.bodies, m_built.params, duration,
                                host);
    }

    static double energy(const Report& r) {
        return r.kinetic_energy + r.gravity_energy + r.pressure_energy + r.spring_energy;
    }

    std::string problem_of_counts(const Report& r) {
        const auto& p = m_state.particles;
        std::size_t brought = static_cast<std::size_t>(r.poured);
        for (const Body& body : m_built.bodies.bodies)
            if (body.start <= m_state.details.time + 1e-9) brought += body.points.size();
        if (p.id.size() + static_cast<std::size_t>(r.drained) != brought)
            return fmt::format("{} particles, {} drained, of {}", p.id.size(), r.drained, brought);
        const std::set<std::int64_t> ids(p.id.begin(), p.id.end());
        if (ids.size() != p.id.size()) return "ids of particles are not unique";
        for (std::size_t i = 0; i < p.id.size(); ++i)
            if (m_mass.try_emplace(p.id[i], p.mass[i]).first->second != p.mass[i])
                return "the mass of a particle has changed";
        return "";
    }

    std::string problem_of_values() const {
        try {
            check_table(m_state.particles, "particles");
            check_table(m_state.springs, "springs");
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    }

    std::string problem_of_momentum(const Report& r) const {
        if (!m_untouched) return "";
        double mass = 0, size = 0;
        for (std::size_t i = 0; i < m_state.particles.id.size(); ++i) {
            mass += double(m_state.particles.mass[i]);
            size += double(m_state.particles.mass[i]) * double(m_state.particles.v[i].norm());
        }
        const Vec3d impulse = m_state.details.time * mass * m_built.scene.gravity;
        const double error = (r.momentum - m_first.momentum - impulse).norm() /
                             std::max(size + m_first_speeds + impulse.norm(), 1e-300);
        const double tolerance = std::is_same_v<Real, float> ? 1e-4 : 1e-8;
        return error > tolerance ? fmt::format("momentum is off by {:.3g}", error) : "";
    }

    /// Energy that surface tension can set free: of all surfaces, as if each particle had its own [J].
    double surface_energy() const {
        const double side = 2 * m_built.params.spacing;
        return m_built.params.surface_tension * 6 * side * side *
               static_cast<double>(m_state.particles.id.size());
    }

    /// Energy of the two percent of compression that settling may leave, which the report of the
    /// start does not know yet [J].
    double hidden_energy(double mass) const {
        const Params& p = m_built.params;
        return p.pressure == sph::Pressure::implicit ? 0 : 0.5 * mass * p.stiffness * 0.02 * 0.02;
    }

    std::string problem_of_energy(const Report& r) {
        if (!m_unforced) return "";
        m_fallen = std::max(m_fallen, m_first.gravity_energy - r.gravity_energy);
        double mass = 0;
        for (const Real m : m_state.particles.mass) mass += double(m);
        const double g = m_built.scene.gravity.norm();
        const double hidden = surface_energy() + hidden_energy(mass);
        const double stored = m_first.pressure_energy + m_first.spring_energy + hidden;
        const double scale =
            m_first.kinetic_energy + stored + m_fallen + mass * g * m_built.params.spacing;
        const double growth = (energy(r) - m_start_energy - hidden) / std::max(scale, 1e-300);
        if (growth > 0.01)
            return fmt::format("energy grew by {:.3g} of its scale: kinetic {:.3g} J at first, "
                               "fallen by {:.3g} J, now kinetic {:.3g}, pressure {:.3g}, springs "
                               "{:.3g} J",
                               growth, m_first.kinetic_energy, m_fallen, r.kinetic_energy,
                               r.pressure_energy, r.spring_energy);
        // A splash throws single particles farther than the mean, but not without bound.
        const double bound = 3 * std::max(m_first.max_speed, std::sqrt(2 * scale / mass));
        if (r.max_speed > bound)
            return fmt::format("a particle has {:.3g} m/s, and the energy of all gives {:.3g} m/s",
                               r.max_speed, bound / 3);
        return "";
    }

    /// Substeps are as short as sound, motion, viscosity and surfaces ask for, and no shorter.
    std::string problem_of_steps(const Report& r) {
        if (!m_unforced) return "";
        const Params& p = m_built.params;
        double lightest = infinite, heaviest = 0, thickest = 0, smallest = infinite;
        for (std::size_t i = 0; i < m_state.particles.id.size(); ++i) {
            lightest = std::min(lightest, double(m_state.particles.rest_density[i]));
            heaviest = std::max(heaviest, double(m_state.particles.rest_density[i]));
            thickest = std::max(thickest, double(m_state.particles.viscosity[i]));
            smallest = std::min(smallest, double(m_state.particles.radius[i]));
        }
        m_fastest = std::max(m_fastest, r.max_speed);
        double speed = 2 * m_fastest + std::sqrt(m_built.scene.gravity.norm() * p.spacing);
        const double h = p.support_radius();
        double dt = p.time_step;
        if (p.pressure == sph::Pressure::state_equation)
            dt = std::min(dt,
                          p.courant * h / (std::sqrt(p.stiffness * heaviest / lightest) + speed));
        dt = std::min({dt, p.courant * p.spacing / speed, 0.2 * p.spacing / speed, smallest / speed,
                       0.1 * h * h / std::max(thickest, 1e-12)});
        if (p.surface_tension > 0)
            dt = std::min(dt, p.courant *
                                  std::sqrt(lightest * h * h * h / (2 * pi * p.surface_tension)));
        if (r.substeps <= 2 + 2 * m_frame / dt) return "";
        return fmt::format("{} substeps in a frame that needs {:.3g}", r.substeps, m_frame / dt);
    }

    Report m_first;                      ///< Of the start
    double m_start_energy = 0;           ///< [J]
    double m_first_speeds = 0;           ///< Sum of m |v| at the start [kg m/s]
    double m_fallen = 0;                 ///< The most energy that gravity has added so far [J]
    double m_fastest = 0;                ///< [m/s]
    std::map<std::int64_t, Real> m_mass; ///< Mass of each particle, by id
    bool m_closed = false;               ///< True if nothing enters after the start, or leaves
    /// True if only gravity adds energy. Not promised for bodies: they may be placed within colliders
    /// and one another, and their volume follows their stretch at no cost (Hirato, eq 10).
    bool m_unforced = false;
    bool m_untouched = false; ///< True if only gravity adds momentum
};

using Worlds = nendo::test::Worlds<Method, World>;

TEST(CouplingWorlds, keep_their_promises) {
    Worlds worlds(200);
    worlds.check_all(200, draw_world);
}

} // namespace
} // namespace nendo::coupling::test
