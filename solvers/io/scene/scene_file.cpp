// SPDX-License-Identifier: Apache-2.0
// Builds the world of a scene file (colliders, pins, copies) and edits scene documents.
#include "io/scene/scene_file.h"

#include "core/hash.h"
#include "geometry/mesh_sdf.h"
#include "geometry/vdb_sdf.h"
#include "io/file.h"

#include <charconv>
#include <cmath>

namespace nendo {

namespace fs = std::filesystem;

namespace {

// ---- colliders ---------------------------------------------------------------------------------

SdfPtr build_collider_shape(const ColliderSpec& spec, const ShapeBuilder& builder, double spacing,
                            const JsonPlace& place) {
    std::vector<std::string> given = given_shapes(spec.shape);
    if (spec.plane) given.emplace_back("plane");
    if (!spec.vdb.empty()) given.emplace_back("vdb");
    check_one_shape(given, std::string("plane, vdb, ") + solid_shapes, place);
    const Pose pose = pose_of(spec.shape.translate, spec.shape.rotate);
    if (spec.plane) {
        if (!(spec.plane->normal.norm() > 0))
            throw Error("has zero length", place.below("plane").below("normal").where(),
                        "give it the direction of the free side, such as [0, 1, 0]");
        return make_posed(make_plane(spec.plane->point, spec.plane->normal.normalized()), pose);
    }
    if (!spec.vdb.empty())
        return at_place(place.below("vdb"),
                        [&] { return make_posed(make_vdb(builder.resolve(spec.vdb)), pose); });
    if (!spec.shape.mesh.empty()) {
        const TriMesh mesh = builder.load_mesh(spec.shape, place);
        return at_place(place.below("mesh"), [&] {
            MeshReport report;
            SdfPtr solid = make_mesh_collider(mesh, spec.voxel.value_or(spacing / 2), &report);
            builder.warn(report, place.below("mesh"));
            return make_posed(std::move(solid), pose);
        });
    }
    return make_posed(builder.build(spec.shape, place), pose);
}

// ---- paths in documents ------------------------------------------------------------------------

/// Calls action(name) for each file named in a part of a scene, also inside unions.
template <class Action> void for_each_file(Json& json, const Action& action) {
    if (json.is_object())
        for (auto& [key, value] : json.items()) {
            if ((key == "mesh" || key == "vdb") && value.is_string() &&
                !value.template get_ref<const std::string&>().empty())
                action(value);
            else
                for_each_file(value, action);
        }
    else if (json.is_array())
        for (Json& item : json) for_each_file(item, action);
}

std::vector<std::string> split_path(const std::string& path) {
    std::vector<std::string> keys;
    std::size_t begin = 0;
    for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', begin)) {
        keys.push_back(path.substr(begin, dot - begin));
        begin = dot + 1;
    }
    keys.push_back(path.substr(begin));
    return keys;
}

std::uint64_t hash_text(const std::string& text) {
    Hasher hasher;
    hasher.add(text);
    return hasher.digest();
}

} // namespace

// ---- from the file to the solver ---------------------------------------------------------------

Json load_scene_json(const fs::path& file) {
    return parse_json(read_file(file.string()), file.string());
}

void set_in_json(Json& document, const std::string& assignment, const std::string& file) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0)
        throw Error("is not an assignment", "--set " + assignment,
                    "write it like --set solver.spacing=0.05");
    const std::string path = assignment.substr(0, equals);
    const std::string text = assignment.substr(equals + 1);
    const auto check = [&](int depth, Json::parse_event_t, Json&) {
        check_json_depth(depth, "--set " + path);
        return true;
    };
    Json value = Json::parse(text, check, false);
    if (value.is_discarded()) value = text;

    Json* node = &document;
    JsonPlace place{file, ""};
    for (const std::string& key : split_path(path)) {
        if (node->is_array()) {
            std::size_t index = 0;
            const auto parsed = std::from_chars(key.data(), key.data() + key.size(), index);
            const bool whole = parsed.ec == std::errc() && parsed.ptr == key.data() + key.size();
            if (!whole || index >= node->size())
                throw Error("no such entry", place.below(key).where(),
                            node->empty()
                                ? "the list is empty; add the entry in the scene file"
                                : "use an index from 0 to " + std::to_string(node->size() - 1));
            node = &(*node)[index];
        } else {
            if (node->is_null()) *node = Json::object();
            if (!node->is_object())
                throw Error("is " + describe_json(*node) + ", which has no key '" + key + "'",
                            place.where(), "correct the path of --set");
            node = &(*node)[key];
        }
        place = place.below(key);
    }
    *node = std::move(value);
}

std::vector<BodyCopy> list_copies(const BodyPlace& body, const JsonPlace& place) {
    const CopiesSpec copies = body.copies.value_or(CopiesSpec{});
    std::vector<BodyCopy> list;
    for (int k = 0; k < copies.count; ++k) {
        BodyCopy copy;
        copy.name = body.name.empty() ? place.path : body.name;
        if (k > 0) copy.name += "." + std::to_string(k);
        copy.pose = pose_of(body.shape.translate + k * copies.translate, Vec3d::Zero()) *
                    pose_of(Vec3d::Zero(), k * copies.rotate) *
                    pose_of(Vec3d::Zero(), body.shape.rotate);
        copy.start = body.start + k * copies.interval;
        list.push_back(std::move(copy));
    }
    return list;
}

Motion build_motion(const std::vector<Keyframe>& keys, const JsonPlace& place) {
    return at_place(place.below("keys"), [&] { return Motion(keys); });
}

Scene build_world(const SceneCommon& spec, double spacing, const fs::path& file, Host& host) {
    const ShapeBuilder builder{file.parent_path(), host};
    const JsonPlace root{file.string(), ""};
    Scene scene;
    scene.gravity = spec.gravity;
    for (std::size_t i = 0; i < spec.colliders.size(); ++i) {
        const JsonPlace place = root.below("colliders").below(i);
        Collider collider = spec.colliders[i].contact;
        if (collider.name.empty()) collider.name = place.path;
        collider.shape = build_collider_shape(spec.colliders[i], builder, spacing, place);
        collider.motion = build_motion(spec.colliders[i].keys, place);
        scene.colliders.push_back(std::move(collider));
    }
    for (std::size_t i = 0; i < spec.pins.size(); ++i) {
        const JsonPlace place = root.below("pins").below(i);
        Pin pin = spec.pins[i].pin;
        if (pin.name.empty()) pin.name = place.path;
        if (!(pin.end > pin.start))
            throw Error("is not after the start", place.below("end").where(),
                        "use a later time, or null for never");
        const ShapeSpec& shape = spec.pins[i].shape;
        pin.shape = make_posed(builder.build(shape, place), pose_of(shape.translate, shape.rotate));
        pin.motion = build_motion(spec.pins[i].keys, place);
        scene.pins.push_back(std::move(pin));
    }
    return scene;
}

std::uint64_t hash_scene(Json json, const fs::path& file) {
    for (const char* key : {"title", "reference", "frames", "output", "camera"}) json.erase(key);
    for_each_file(json, [&](Json& name) {
        name = hash_text(read_file((file.parent_path() / name.get<std::string>()).string()));
    });
    return hash_text(json.dump());
}

Json move_scene_json(Json document, const fs::path& file, const fs::path& folder) {
    for_each_file(document, [&](Json& name) {
        const fs::path target = file.parent_path() / name.get<std::string>();
        name = fs::relative(fs::absolute(target), fs::absolute(folder)).generic_string();
    });
    return document;
}

} // namespace nendo
