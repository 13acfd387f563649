// SPDX-License-Identifier: Apache-2.0
#include "run/run_scene.h"

#include "core/error.h"
#include "io/scene/scenes.h"

#include <cstdio>
#include <utility>

namespace nendo::cli {

namespace fs = std::filesystem;

namespace {

/// The look given for the body, or that of its material.
template <class Body>
const Look& look_of_body(const Body& body, std::string_view method, bool liquid) {
    if (!body.place.look.empty()) return find_look(body.place.look);
    return look_of(body.material.preset, method, liquid);
}

bool is_liquid(const coupling::BodySpec& body) {
    return body.material.material.phase == coupling::Phase::fluid;
}
template <class Body> bool is_liquid(const Body&) {
    return false;
}

template <class Spec> std::vector<Shade> shades_of(const Spec& spec) {
    std::vector<Shade> shades;
    for (const auto& body : spec.bodies)
        for (int k = 0; k < body.place.count(); ++k)
            shades.push_back({body.place.color.value_or(default_color(shades.size())),
                              look_of_body(body, Spec::method, is_liquid(body))});
    return shades;
}
std::vector<Shade> shades_of(const melt::SceneSpec& spec) {
    std::vector<Shade> shades;
    for (const melt::BodySpec& body : spec.bodies)
        for (int k = 0; k < body.place.count(); ++k) {
            const Vec3d solid = body.place.color.value_or(default_color(shades.size() / 2));
            shades.push_back({solid, look_of_body(body, spec.method, false)});
            shades.push_back(
                {body.liquid_color.value_or(solid), look_of_body(body, spec.method, true)});
        }
    return shades;
}

} // namespace

RunScene load_run_scene(const fs::path& folder, Host& host) {
    const fs::path file = folder / "scene.json";
    if (!fs::exists(file))
        throw Error("has no scene.json", folder.string(),
                    "run nendo sim with this folder as --out first");
    RunScene scene;
    with_scene(load_scene_json(file), file.string(), [&](const auto& spec) {
        scene.common = spec.common;
        scene.world = build_world(spec.common, collider_spacing(spec), file, host);
        scene.shades = shades_of(spec);
    });
    for (std::size_t k = 0; k < scene.world.colliders.size(); ++k)
        scene.has_ground =
            scene.has_ground || (scene.common.colliders[k].shown &&
                                 !is_finite(scene.world.colliders[k].shape->bounds()));
    return scene;
}

PreviewScene colliders_at(const RunScene& scene, int frame) {
    PreviewScene picture;
    picture.shades = scene.shades;
    for (std::size_t k = 0; k < scene.world.colliders.size(); ++k) {
        if (!scene.common.colliders[k].shown) continue;
        const Collider& collider = scene.world.colliders[k];
        PreviewCollider drawn;
        drawn.shape = collider.shape;
        drawn.pose = collider.motion.at(frame / scene.common.fps);
        picture.colliders.push_back(std::move(drawn));
    }
    return picture;
}

SurfaceInput pick_particles(const SurfaceInput& all,
                            const std::function<bool(std::size_t)>& wanted) {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < all.positions.size(); ++i)
        if (wanted(i)) rows.push_back(i);
    const auto pick = [&](const auto& column, auto& to, std::size_t width = 1) {
        if (column.empty()) return;
        for (const std::size_t i : rows)
            for (std::size_t k = i * width; k < (i + 1) * width; ++k) to.push_back(column[k]);
    };
    SurfaceInput left;
    left.spacing = all.spacing;
    pick(all.positions, left.positions);
    pick(all.velocities, left.velocities);
    pick(all.bodies, left.bodies);
    pick(all.groups, left.groups);
    pick(all.deformations, left.deformations);
    pick(all.melted, left.melted);
    pick(all.sizes, left.sizes);
    for (const PointAttribute& attribute : all.attributes) {
        PointAttribute& own = left.attributes.emplace_back(attribute);
        std::visit(
            [&](const auto& values) {
                auto& to = std::get<std::decay_t<decltype(values)>>(own.values);
                to.clear();
                pick(values, to, static_cast<std::size_t>(attribute.width));
            },
            attribute.values);
    }
    return left;
}

SurfaceInput apply_section(const RunScene& scene, SurfaceInput all) {
    if (!scene.common.camera || !scene.common.camera->section) return all;
    const PlaneShape& plane = *scene.common.camera->section;
    return pick_particles(all, [&](std::size_t i) {
        const bool cut = i < all.groups.size() && all.groups[i] == 0;
        return !cut || plane.normal.dot(all.positions[i] - plane.point) <= 0;
    });
}

Box3 bounds_of_run(const RunScene& scene, const std::vector<FrameFile>& files) {
    Box3 box;
    for (const FrameFile& file : files) {
        const SurfaceInput particles = apply_section(scene, read_points(file.path.string()));
        const Vec3d margin = Vec3d::Constant(particles.spacing);
        for (const Vec3d& x : particles.positions) {
            box.min = box.min.cwiseMin(x - margin);
            box.max = box.max.cwiseMax(x + margin);
        }
        box = join_boxes(box, scene_bounds(colliders_at(scene, file.frame)));
    }
    if (!is_finite(box)) box = {Vec3d(-1, 0, -1), Vec3d(1, 2, 1)};
    return box;
}

std::pair<int, int> parse_size(const std::string& text) {
    int width = 0, height = 0;
    char end = 0;
    if (std::sscanf(text.c_str(), "%dx%d%c", &width, &height, &end) != 2)
        throw Error("is not a size in pixels", "--size " + text, "write it as --size 960x540");
    return {width, height};
}

Camera place_camera(const RunScene& scene, const Box3& box, double aspect) {
    if (const auto& given = scene.common.camera) return {given->eye, given->target, given->fov};
    return frame_box(box, aspect);
}

} // namespace nendo::cli
