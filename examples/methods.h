// What the command line must know of each method, beside its scene files: its state and solver, and
// which geometry a frame of it is.
#pragma once

#include "coupling/solver.h"
#include "elastoplastic/solver.h"
#include "io/geo.h"
#include "io/scenes.h"
#include "melt/solver.h"

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

/// The method of a scene: specialised for each SceneSpec.
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

/// The stems of all methods.
std::vector<FrameStems> all_stems();

} // namespace nendo
