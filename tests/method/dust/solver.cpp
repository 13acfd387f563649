// SPDX-License-Identifier: Apache-2.0
#include "dust/solver.h"

#include "method/advance.h"

namespace nendo::dust {

const std::vector<Preset<Material>>& presets() {
    static const std::vector<Preset<Material>> list = {
        {"quartz", "density of quartz", make_material<Material>({{"density", 2650}})}};
    return list;
}

template <class Real> struct Workspace {
    State<Real> trial;
    Partials<double> partials;

    template <class Self, class Visit> static void columns(Self& self, Visit&& visit) {
        visit_each(visit, self.trial, self.partials);
    }
};

template <class Real> struct Call : CallOf<Method, Real> {
    using Base = CallOf<Method, Real>;
    using Base::now, Base::params, Base::queue, Base::reach, Base::report, Base::scene, Base::state,
        Base::w;

    void begin() {
        w.trial = state;
        update_matter();
    }

    double step(double until) {
        Particles<Real>& grains = w.trial.particles;
        const double dt = std::min(params.time_step, until - now());
        const auto h = static_cast<Real>(dt);
        const Vec3<Real> g = scene.gravity.template cast<Real>();
        parallel_for(grains.id.size(), [&](std::size_t i) {
            grains.x[i] += h * (grains.v[i] + h / 2 * g);
            grains.v[i] += h * g;
        });
        return reach(dt);
    }

    void check_finite() {
        const Particles<Real>& grains = w.trial.particles;
        nendo::check_finite(grains, now(), w.partials,
                            {"position", "grain id", "lower the gravity"},
                            [&](std::size_t i) { return grains.x[i].sum(); });
    }

    void update_matter() {
        enter_due_bodies(
            w.trial, w.trial.particles, queue, scene, [&](const Body& body) { add(body); },
            [](std::size_t) { return true; });
    }

    void finish() { report.particles = static_cast<std::int64_t>(w.trial.particles.id.size()); }

    void add(const Body& body) {
        Particles<Real>& grains = w.trial.particles;
        const std::size_t first = grains.id.size();
        resize_table(grains, first + body.particles.size());
        for (std::size_t i = first; i < grains.id.size(); ++i) {
            grains.id[i] = w.trial.details.next_particle++;
            grains.x[i] = body.particles[i - first].template cast<Real>();
            grains.v[i] = body.velocity.template cast<Real>();
            grains.mass[i] = static_cast<Real>(body.material.density * std::pow(params.spacing, 3));
            grains.body[i] = body.index;
        }
    }
};

} // namespace nendo::dust

namespace nendo {
template class Solver<dust::Method, float>;
template class Solver<dust::Method, double>;
} // namespace nendo
