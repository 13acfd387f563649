// SPDX-License-Identifier: Apache-2.0
// The scene file of a method that needs nothing but bodies of a material, and the base of those that
// need more. A method without a scene type of its own gets BasicScene: see SceneOf.
#pragma once

#include "geometry/sample.h"
#include "io/scene/scene_file.h"

#include <filesystem>

namespace nendo {

/// A scene file as it was written: the common part, the solver's parameters and the bodies.
template <class Method_, class BodySpec> struct SceneWith {
    using Method = Method_;
    static constexpr std::string_view method = Method::name;
    SceneCommon common;
    std::string method_name{method};
    typename Method::Params solver;
    std::vector<BodySpec> bodies;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        SceneCommon::fields(self.common, visit);
        visit(self.method_name, field("method").label("Method").choices({method}).help(
                                    "Method that simulates the scene."));
        visit(self.solver, field("solver").label("Solver").help("Parameters of the solver."));
        visit(self.bodies, field("bodies").label("Bodies").help(BodySpec::help));
    }
};

/// The input of the solver.
template <class Method> struct BuiltWith {
    Scene scene;
    typename Method::Params params;
    typename Method::Inputs bodies; ///< Sampled bodies with their copies, in order of index
};

/// Throws if there is nothing to simulate.
template <class Spec> void check_bodies(const Spec& spec, const JsonPlace& place) {
    if (spec.bodies.empty())
        throw Error("is empty: there is nothing to simulate", place.below("bodies").where(),
                    "add at least one body");
}

/// A body that is filled with particles of a material.
template <class Method> struct BasicBody {
    static constexpr std::string_view help = "Bodies to simulate.";
    BodyPlace place;
    PresetMaterial<typename Method::Material, Method::presets> material;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        BodyPlace::fields(self.place, visit);
        visit(self.material, field("material").label("Material").help("Material of the body."));
    }
};

template <class Method> using BasicScene = SceneWith<Method, BasicBody<Method>>;

/// The scene type of a method. Methods whose scenes hold more than basic bodies specialize it.
template <class Method> struct SceneOf { using Spec = BasicScene<Method>; };

template <class Method> void check_scene(const BasicScene<Method>& spec, const JsonPlace& place) {
    check_bodies(spec, place);
}

/// Samples each body on a lattice. The method's Body has name, start, particles, material, velocity,
/// angular_velocity and index.
template <class Method>
BuiltWith<Method> build_scene(const BasicScene<Method>& spec, const std::filesystem::path& file,
                              Host& host) {
    BuiltWith<Method> built;
    built.scene = build_world(spec.common, spec.solver.spacing, file, host);
    built.params = spec.solver;
    const ShapeBuilder builder{file.parent_path(), host};
    for (std::size_t i = 0; i < spec.bodies.size(); ++i) {
        const JsonPlace place = JsonPlace{file.string(), ""}.below("bodies").below(i);
        const BasicBody<Method>& from = spec.bodies[i];
        const SdfPtr shape = builder.build(from.place.shape, place);
        const std::vector<Vec3d> points =
            at_place(place, [&] { return place_masters(*shape, spec.solver.spacing); });
        for (const BodyCopy& copy : list_copies(from.place, place)) {
            typename Method::Body body;
            body.index = static_cast<std::int32_t>(built.bodies.size());
            body.name = copy.name;
            body.start = copy.start;
            for (const Vec3d& x : points) body.particles.push_back(copy.pose * x);
            body.material = from.material.material;
            body.velocity = from.place.velocity;
            body.angular_velocity = from.place.angular_velocity;
            built.bodies.push_back(std::move(body));
        }
    }
    return built;
}

} // namespace nendo
