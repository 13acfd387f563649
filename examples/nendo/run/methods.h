// SPDX-License-Identifier: Apache-2.0
// What the command line must know of each method, beside its scene files: its state and solver, and
// which geometry a frame of it is.
#pragma once

#include "coupling/solver.h"
#include "elastoplastic/solver.h"
#include "io/geo/geo.h"
#include "io/scene/scenes.h"
#include "melt/solver.h"
#include "rheology/solver.h"

#include <string>
#include <string_view>
#include <vector>

namespace nendo {

/// The stems of frame files: what surfaces and pictures are made of, and what else there may be.
struct FrameStems {
    std::string_view shown;
    std::string_view internals;
};

/// The geometries of one frame, in the order of the stems; the second only on request.
struct FrameGeometry {
    Geometry shown;
    Geometry internals;
};

/// The method of a scene: specialized for each SceneSpec.
template <class Spec> struct MethodOf;

template <> struct MethodOf<elastoplastic::SceneSpec> {
    static constexpr FrameStems stems{"masters", "slaves"};
    template <class Real> using State = elastoplastic::State<Real>;
    template <class Real> using Solver = elastoplastic::Solver<Real>;
    using Report = elastoplastic::Report;
    using Built = elastoplastic::BuiltScene;

    template <class Real> static FrameGeometry frame(const State<Real>& state, bool with_internals);
    /// What there is in the scene: counts for people.
    static Json counts(const Built& built);
    static std::vector<Vec3d> positions(const Built& built);
    static std::string summary(const Report& report);
};

template <> struct MethodOf<coupling::SceneSpec> {
    static constexpr FrameStems stems{"particles", "springs"};
    template <class Real> using State = coupling::State<Real>;
    template <class Real> using Solver = coupling::Solver<Real>;
    using Report = coupling::Report;
    using Built = coupling::BuiltScene;

    template <class Real> static FrameGeometry frame(const State<Real>& state, bool with_internals);
    static Json counts(const Built& built);
    static std::vector<Vec3d> positions(const Built& built);
    static std::string summary(const Report& report);
};

template <> struct MethodOf<rheology::SceneSpec> {
    static constexpr FrameStems stems{"bones", "joints"};
    template <class Real> using State = rheology::State<Real>;
    template <class Real> using Solver = rheology::Solver<Real>;
    using Report = rheology::Report;
    using Built = rheology::BuiltScene;

    template <class Real> static FrameGeometry frame(const State<Real>& state, bool with_internals);
    /// The mesh that follows the bones: a method that has this writes it under skin_stem as well.
    template <class Real> static Geometry skin(const Built& built, const State<Real>& state);
    static Json counts(const Built& built);
    static std::vector<Vec3d> positions(const Built& built);
    static std::string summary(const Report& report);
};

template <> struct MethodOf<melt::SceneSpec> {
    static constexpr FrameStems stems{"matter", "clusters"};
    template <class Real> using State = melt::State<Real>;
    template <class Real> using Solver = melt::Solver<Real>;
    using Report = melt::Report;
    using Built = melt::BuiltScene;

    template <class Real> static FrameGeometry frame(const State<Real>& state, bool with_internals);
    static Json counts(const Built& built);
    static std::vector<Vec3d> positions(const Built& built);
    static std::string summary(const Report& report);
};

/// The stem of meshes that follow what a method simulates.
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
