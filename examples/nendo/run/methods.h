// SPDX-License-Identifier: Apache-2.0
// What the program knows of each method besides its scene file: its state and solver, and the
// geometry of a frame.
#pragma once

#include "io/geo/geo.h"
#include "io/geo/table.h"
#include "io/scene/scenes.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nendo {

/// The stems of frame files: the one that surfaces and pictures are made of, and that of internal
/// data, empty if there is none.
struct FrameStems {
    std::string_view shown;
    std::string_view internals;
};

/// The geometries of one frame; internal data only on request.
struct FrameGeometry {
    Geometry shown;
    Geometry internals;
};

/// The parts of MethodOf that follow from a method's own types. The frame is its first table.
template <class Spec> struct DefaultMethod {
    using Method = typename Spec::Method;
    template <class Real> using State = typename Method::template State<Real>;
    template <class Real> using Solver = nendo::Solver<Method, Real>;
    using Report = typename Method::Report;
    using Built = decltype(build_scene(std::declval<const Spec&>(), "", std::declval<Host&>()));
    static constexpr FrameStems stems{Method::name, ""};

    template <class Real> static FrameGeometry frame(const State<Real>& state, bool) {
        FrameGeometry frame;
        bool is_first = true;
        State<Real>::tables(state, [&](const auto& table, std::string_view) {
            if (is_first) table_to_points(table, frame.shown);
            is_first = false;
        });
        details_to_attributes(state.details, frame.shown);
        return frame;
    }
    static std::vector<Vec3d> positions(const Built& built) {
        std::vector<Vec3d> points;
        for (const auto& body : Method::bodies(built.bodies))
            points.insert(points.end(), body.particles.begin(), body.particles.end());
        return points;
    }
    /// Sizes of the scene, for people.
    static Json counts(const Built& built) {
        return {{"bodies", Method::bodies(built.bodies).size()},
                {"particles", positions(built).size()}};
    }
    static std::string summary(const Report& report) {
        return std::to_string(report.substeps) + " substeps";
    }
};

/// What the program needs to know of the method of a scene.
template <class Spec> struct MethodOf : DefaultMethod<Spec> {};

template <> struct MethodOf<elastoplastic::SceneSpec> : DefaultMethod<elastoplastic::SceneSpec> {
    static constexpr FrameStems stems{"masters", "slaves"};
    template <class Real> static FrameGeometry frame(const State<Real>& state, bool with_internals);
    static Json counts(const Built& built);
    static std::vector<Vec3d> positions(const Built& built);
    static std::string summary(const Report& report);
};

template <> struct MethodOf<coupling::SceneSpec> : DefaultMethod<coupling::SceneSpec> {
    static constexpr FrameStems stems{"particles", "springs"};
    template <class Real> static FrameGeometry frame(const State<Real>& state, bool with_internals);
    static Json counts(const Built& built);
    static std::vector<Vec3d> positions(const Built& built);
    static std::string summary(const Report& report);
};

template <> struct MethodOf<rheology::SceneSpec> : DefaultMethod<rheology::SceneSpec> {
    static constexpr FrameStems stems{"bones", "joints"};
    template <class Real> static FrameGeometry frame(const State<Real>& state, bool with_internals);
    /// The mesh that follows the bones: a method that has this also writes it, as skin_stem.
    template <class Real> static Geometry skin(const Built& built, const State<Real>& state);
    static Json counts(const Built& built);
    static std::vector<Vec3d> positions(const Built& built);
    static std::string summary(const Report& report);
};

template <> struct MethodOf<melt::SceneSpec> : DefaultMethod<melt::SceneSpec> {
    static constexpr FrameStems stems{"matter", "clusters"};
    template <class Real> static FrameGeometry frame(const State<Real>& state, bool with_internals);
    static std::string summary(const Report& report);
};

/// The stem of meshes that follow the simulated bodies.
inline constexpr std::string_view skin_stem = "skin";

/// Whether a method has such meshes.
template <class Method, class Built, class State, class = void>
inline constexpr bool has_skin = false;
template <class Method, class Built, class State>
inline constexpr bool has_skin<Method, Built, State,
                               std::void_t<decltype(Method::skin(std::declval<const Built&>(),
                                                                 std::declval<const State&>()))>> =
    true;

/// The stems of all methods.
std::vector<FrameStems> all_stems();

} // namespace nendo
