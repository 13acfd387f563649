// SPDX-License-Identifier: Apache-2.0
// Scene files: a scene that is read is written and reads back to the same scene; small ones are
// built.
#include "fuzz.h"

#include "io/scene/scenes.h"

#include <algorithm>

using namespace nendo;

namespace {

const std::string file = "scene.json";

/// Largest distance of the shape from its origin [m]; infinite if the shape is in a file.
double reach_of(const ShapeSpec& s) {
    double reach = 0;
    const auto add = [&](double r) { reach = std::max(reach, std::isnan(r) ? infinite : r); };
    if (s.box) add(s.box->size.norm());
    if (s.sphere) add(s.sphere->radius);
    if (s.ellipsoid) add(s.ellipsoid->radii.norm());
    if (s.capsule) add((s.capsule->b - s.capsule->a).norm() + s.capsule->radius);
    if (s.animal) add(s.fit.value_or(1));
    if (!s.mesh.empty()) add(infinite);
    if (s.joined)
        for (const ShapeSpec& part : s.joined->parts) {
            const Vec3d to = part.translate;
            add(reach_of(part) + to.norm() + s.joined->blend +
                (part.box ? part.box->center.norm() : 0) +
                (part.sphere ? part.sphere->center.norm() : 0) +
                (part.ellipsoid ? part.ellipsoid->center.norm() : 0) +
                (part.capsule ? part.capsule->a.norm() : 0));
        }
    return reach;
}

/// True if a body needs few particles, or few bones.
template <class Spec, class Body> bool is_small(const Spec& spec, const Body& body) {
    return reach_of(body.place.shape) < 12 * spec.solver.spacing && body.place.count() <= 10;
}
bool is_small(const rheology::SceneSpec&, const rheology::BodySpec& body) {
    const auto short_branch = [](const rheology::BranchSpec& branch) {
        return branch.bones <= 50 && branch.line.points.size() <= 20;
    };
    return reach_of(body.place.shape) < infinite && body.bones <= 50 && body.skin.detail <= 50 &&
           body.place.count() <= 10 && (!body.line || body.line->points.size() <= 20) &&
           body.branches.size() <= 5 &&
           std::all_of(body.branches.begin(), body.branches.end(), short_branch);
}

/// True if the scene has few particles and reads no files, so that building it is quick and safe.
template <class Spec> bool is_small(const Spec& spec) {
    const auto small = [&](const auto& body) { return is_small(spec, body); };
    const SceneCommon& common = spec.common;
    return spec.bodies.size() <= 10 && std::all_of(spec.bodies.begin(), spec.bodies.end(), small) &&
           std::all_of(common.colliders.begin(), common.colliders.end(),
                       [](const ColliderSpec& c) {
                           return c.vdb.empty() && c.shape.mesh.empty() &&
                                  reach_of(c.shape) < infinite;
                       }) &&
           std::all_of(common.pins.begin(), common.pins.end(),
                       [](const PinSpec& p) { return reach_of(p.shape) < infinite; });
}

template <class Spec> void check_scene_of(const Spec& spec) {
    const Json written = write_object(spec);
    Spec again;
    fuzz::require(
        fuzz::accepted([&] { again = read_scene<Spec>(parse_json(written.dump(), file), file); }),
        "a scene that was written can be read");
    fuzz::require(write_object(again) == written, "a scene survives writing and reading");
    if (!is_small(spec)) return;
    Host host;
    fuzz::accepted([&] { build_scene(spec, file, host); });
}

void check(const std::string& text) {
    fuzz::accepted([&] {
        with_scene(parse_json(text, file), file, [](const auto& spec) { check_scene_of(spec); });
    });
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(fuzz::text_of(data, size));
    check(text);
    // As --set: a path and a value.
    Json document = {{"bodies", Json::array({Json::object()})}};
    fuzz::accepted([&] { set_in_json(document, text, file); });
    return 0;
}
