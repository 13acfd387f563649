// SPDX-License-Identifier: Apache-2.0
#include "run/methods.h"

#include "io/geo/mesh.h"

#include <fmt/format.h>

#include <unordered_map>

namespace nendo {

std::vector<FrameStems> all_stems() {
    std::vector<FrameStems> stems;
    for_each_scene_type(
        [&](auto type) { stems.push_back(MethodOf<typename decltype(type)::type>::stems); });
    return stems;
}

namespace {

/// The rows of a table as points at place_of(row).
template <class Real, class Table, class PlaceOf>
Geometry points_at(const Table& table, const PlaceOf& place_of) {
    Geometry geometry;
    table_to_points(table, geometry);
    std::vector<Real> places;
    for (std::size_t k = 0; k < table.id.size(); ++k) {
        const Vec3<Real> place = place_of(k);
        places.insert(places.end(), place.data(), place.data() + 3);
    }
    geo_detail::add_attribute(geometry.point_attributes,
                              Attribute{"P", "public", "point", 3, std::move(places)});
    return geometry;
}

/// Rows of a table by id.
template <class Table> std::unordered_map<std::int64_t, std::size_t> rows_of(const Table& table) {
    std::unordered_map<std::int64_t, std::size_t> rows;
    for (std::size_t i = 0; i < table.id.size(); ++i) rows[table.id[i]] = i;
    return rows;
}

/// The points of all bodies.
template <class Bodies, class PointsOf>
std::vector<Vec3d> all_points(const Bodies& bodies, const PointsOf& points_of) {
    std::vector<Vec3d> all;
    for (const auto& body : bodies) {
        const std::vector<Vec3d>& points = points_of(body);
        all.insert(all.end(), points.begin(), points.end());
    }
    return all;
}

} // namespace

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
    return all_points(
        built.bodies, [](const auto& body) -> auto& { return body.masters; });
}

std::string Elastoplastic::summary(const Report& report) {
    return fmt::format("{} substeps, {} masters, {} slaves", report.substeps, report.masters,
                       report.slaves);
}

// ---- coupling ----------------------------------------------------------------------------------

using Coupling = MethodOf<coupling::SceneSpec>;

namespace {

/// Springs as points half way between their ends.
template <class Real> Geometry spring_points(const coupling::State<Real>& state) {
    const auto row = rows_of(state.particles);
    return points_at<Real>(state.springs, [&](std::size_t k) -> Vec3<Real> {
        return (state.particles.x[row.at(state.springs.a[k])] +
                state.particles.x[row.at(state.springs.b[k])]) /
               2;
    });
}

} // namespace

/// All columns, the time, and `join`, by which surfaces keep bodies apart from fluids.
template <class Real> FrameGeometry Coupling::frame(const State<Real>& state, bool with_internals) {
    FrameGeometry frame;
    const auto& p = state.particles;
    table_to_points(p, frame.shown);
    std::vector<std::int32_t> join(p.id.size());
    for (std::size_t i = 0; i < join.size(); ++i)
        join[i] = p.phase[i] == coupling::fluid_phase ? 0 : p.body[i] + 1;
    frame.shown.point_attributes.push_back({"join", "public", "", 1, std::move(join)});
    details_to_attributes(state.details, frame.shown);
    if (with_internals) frame.internals = spring_points(state);
    return frame;
}

template FrameGeometry Coupling::frame(const State<float>&, bool);
template FrameGeometry Coupling::frame(const State<double>&, bool);

Json Coupling::counts(const Built& built) {
    std::size_t fluid = 0, bodies = 0;
    for (const auto& body : built.bodies.bodies)
        (body.material.phase == coupling::Phase::fluid ? fluid : bodies) += body.points.size();
    return {{"bodies", built.bodies.bodies.size()},
            {"fluid particles", fluid},
            {"body particles", bodies}};
}

std::vector<Vec3d> Coupling::positions(const Built& built) {
    return all_points(
        built.bodies.bodies, [](const auto& body) -> auto& { return body.points; });
}

std::string Coupling::summary(const Report& report) {
    return fmt::format("{} substeps, {} particles, {} springs", report.substeps, report.particles,
                       report.springs);
}

// ---- rheology ----------------------------------------------------------------------------------

using Rheology = MethodOf<rheology::SceneSpec>;

namespace {

/// Joints as points where they hold their parents.
template <class Real> Geometry joint_points(const rheology::State<Real>& state) {
    const auto row = rows_of(state.bones);
    return points_at<Real>(state.joints, [&](std::size_t j) -> Vec3<Real> {
        const Vec3<Real>& anchor = state.joints.anchor_parent[j];
        if (state.joints.parent[j] < 0) return anchor;
        const std::size_t bone = row.at(state.joints.parent[j]);
        return state.bones.x[bone] + Eigen::Quaternion<Real>(state.bones.orient[bone]) * anchor;
    });
}

} // namespace

template <class Real> FrameGeometry Rheology::frame(const State<Real>& state, bool with_internals) {
    FrameGeometry frame;
    table_to_points(state.bones, frame.shown);
    details_to_attributes(state.details, frame.shown);
    if (with_internals) frame.internals = joint_points(state);
    return frame;
}

template FrameGeometry Rheology::frame(const State<float>&, bool);
template FrameGeometry Rheology::frame(const State<double>&, bool);

template <class Real> Geometry Rheology::skin(const Built& built, const State<Real>& state) {
    const rheology::SkinnedMesh skinned = rheology::skin_state(built, state);
    Geometry geometry = mesh_geometry(skinned.mesh);
    std::vector<float> normals;
    for (const Vec3d& n : skinned.normals)
        for (int k = 0; k < 3; ++k) normals.push_back(static_cast<float>(n[k]));
    geometry.point_attributes.push_back({"N", "public", "normal", 3, std::move(normals)});
    geometry.point_attributes.push_back({"body", "public", "", 1, skinned.bodies});
    return geometry;
}

template Geometry Rheology::skin(const Built&, const State<float>&);
template Geometry Rheology::skin(const Built&, const State<double>&);

Json Rheology::counts(const Built& built) {
    std::size_t bones = 0, joints = 0, vertices = 0;
    for (const auto& body : built.bodies) {
        bones += body.bones.size();
        joints += body.joints.size();
    }
    for (const auto& skin : built.skins) vertices += skin.mesh.points.size();
    return {{"bodies", built.bodies.size()},
            {"bones", bones},
            {"joints", joints},
            {"vertices", vertices}};
}

std::vector<Vec3d> Rheology::positions(const Built& built) {
    return all_points(
        built.skins, [](const auto& skin) -> auto& { return skin.mesh.points; });
}

std::string Rheology::summary(const Report& report) {
    return fmt::format("{} substeps, {} bones, {} contacts", report.substeps, report.bones,
                       report.contacts);
}

// ---- melt --------------------------------------------------------------------------------------

using Melt = MethodOf<melt::SceneSpec>;

namespace {

/// Links as points where their cluster is.
template <class Real> Geometry link_points(const melt::State<Real>& state) {
    const auto row = rows_of(state.particles);
    return points_at<Real>(state.links, [&](std::size_t k) -> Vec3<Real> {
        return state.particles.x[row.at(state.links.id[k])];
    });
}

} // namespace

/// All columns, the time, `join`, by which surfaces keep liquid apart from what is solid, and
/// `shade`, by which pictures do.
template <class Real> FrameGeometry Melt::frame(const State<Real>& state, bool with_internals) {
    FrameGeometry frame;
    const auto& p = state.particles;
    table_to_points(p, frame.shown);
    std::vector<std::int32_t> join(p.id.size()), shade(p.id.size());
    for (std::size_t i = 0; i < join.size(); ++i) {
        join[i] = p.phase[i] == melt::liquid ? 0 : 1;
        shade[i] = 2 * p.body[i] + (1 - join[i]);
    }
    frame.shown.point_attributes.push_back({"join", "public", "", 1, std::move(join)});
    frame.shown.point_attributes.push_back({"shade", "public", "", 1, std::move(shade)});
    details_to_attributes(state.details, frame.shown);
    if (with_internals) frame.internals = link_points(state);
    return frame;
}

template FrameGeometry Melt::frame(const State<float>&, bool);
template FrameGeometry Melt::frame(const State<double>&, bool);

std::string Melt::summary(const Report& report) {
    return fmt::format("{} substeps, {} particles, {} liquid, {} pieces", report.substeps,
                       report.particles, report.liquid, report.pieces);
}

} // namespace nendo
