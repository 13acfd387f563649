#include "methods.h"

#include "io/geo_table.h"

#include <fmt/format.h>

namespace nendo {

std::vector<FrameStems> all_stems() {
    std::vector<FrameStems> stems;
    for_each_scene_type(
        [&](auto type) { stems.push_back(MethodOf<typename decltype(type)::type>::stems); });
    return stems;
}

// ---- elastoplastic -----------------------------------------------------------------------------

using Elastoplastic = MethodOf<elastoplastic::SceneSpec>;

/// All columns, the time, and the density of now, which artists expect and the solver derives.
template <class Real>
FrameGeometry Elastoplastic::frame(const State<Real>& state, bool with_internals) {
    FrameGeometry frame;
    const auto& m = state.masters;
    table_to_points(m, frame.shown);
    std::vector<Real> density(m.id.size());
    for (std::size_t i = 0; i < density.size(); ++i)
        density[i] = m.mass[i] / (m.volume[i] * m.F_E[i].determinant() * m.J_P[i]);
    frame.shown.point_attributes.push_back({"density", "public", "", 1, std::move(density)});
    details_to_attributes(state.details, frame.shown);
    if (with_internals) table_to_points(state.slaves, frame.internals);
    return frame;
}

template FrameGeometry Elastoplastic::frame(const State<float>&, bool);
template FrameGeometry Elastoplastic::frame(const State<double>&, bool);

Json Elastoplastic::counts(const Built& built) {
    std::size_t masters = 0, slaves = 0;
    for (const auto& body : built.bodies) {
        masters += body.masters.size();
        slaves += body.slaves.size();
    }
    return {{"bodies", built.bodies.size()}, {"masters", masters}, {"slaves", slaves}};
}

std::vector<Vec3d> Elastoplastic::positions(const Built& built) {
    std::vector<Vec3d> points;
    for (const auto& body : built.bodies)
        points.insert(points.end(), body.masters.begin(), body.masters.end());
    return points;
}

std::string Elastoplastic::summary(const Report& report) {
    return fmt::format("{} substeps, {} masters, {} slaves", report.substeps, report.masters,
                       report.slaves);
}

} // namespace nendo
