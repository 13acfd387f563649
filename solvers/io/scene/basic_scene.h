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

/// Builds the world of a scene, and calls add(built, body, builder, place) for each of its bodies.
template <class Built, class Spec, class Add>
Built build_bodies(const Spec& spec, const std::filesystem::path& file, Host& host,
                   const Add& add) {
    Built built;
    built.scene = build_world(spec.common, collider_spacing(spec), file, host);
    built.params = spec.solver;
    const ShapeBuilder builder{file.parent_path(), host};
    for (std::size_t i = 0; i < spec.bodies.size(); ++i)
        add(built, spec.bodies[i], builder, JsonPlace{file.string(), ""}.below("bodies").below(i));
    return built;
}

/// Appends the copies of a body to `bodies`, each with its name, start, material and motion.
/// finish(body, pose) adds the rest.
template <class Body, class BodySpec, class Finish>
void add_copies(std::vector<Body>& bodies, const BodySpec& spec, const JsonPlace& place,
                const Finish& finish) {
    for (const BodyCopy& copy : list_copies(spec.place, place)) {
        Body body;
        body.index = static_cast<std::int32_t>(bodies.size());
        body.name = copy.name;
        body.start = copy.start;
        body.material = spec.material.material;
        body.velocity = spec.place.velocity;
        body.angular_velocity = spec.place.angular_velocity;
        finish(body, copy.pose);
        bodies.push_back(std::move(body));
    }
}

/// The points in the pose.
inline std::vector<Vec3d> posed_points(const std::vector<Vec3d>& points, const Pose& pose) {
    std::vector<Vec3d> posed;
    posed.reserve(points.size());
    for (const Vec3d& x : points) posed.push_back(pose * x);
    return posed;
}

/// Fills each body with `particles` on a lattice.
template <class Method>
BuiltWith<Method> build_scene(const BasicScene<Method>& spec, const std::filesystem::path& file,
                              Host& host) {
    return build_bodies<BuiltWith<Method>>(
        spec, file, host,
        [&](auto& built, const BasicBody<Method>& from, const ShapeBuilder& builder,
            const JsonPlace& place) {
            const SdfPtr shape = builder.build(from.place.shape, place);
            const std::vector<Vec3d> points =
                at_place(place, [&] { return place_masters(*shape, spec.solver.spacing); });
            add_copies(built.bodies, from, place, [&](auto& body, const Pose& pose) {
                body.particles = posed_points(points, pose);
            });
        });
}

} // namespace nendo
