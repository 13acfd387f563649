#include "io/scene_file.h"

#include "core/hash.h"
#include "geometry/mesh_sdf.h"
#include "geometry/sample.h"
#include "geometry/vdb_sdf.h"
#include "io/file.h"
#include "io/mesh_file.h"

#include <charconv>
#include <cmath>

namespace nendo {

namespace fs = std::filesystem;

namespace {

/// Runs `action`; an error in it is told with its place in the scene file.
template <class Action> auto at_place(const JsonPlace& place, const Action& action) {
    try {
        return action();
    } catch (const Interrupted&) {
        throw;
    } catch (const Error& problem) {
        throw Error(problem.what(), place.where(), "");
    }
}

Pose pose_of(const Vec3d& translate, const Vec3d& rotate) {
    return Motion({Keyframe{0, translate, rotate}}).at(0);
}

// ---- shapes ------------------------------------------------------------------------------------

/// Names of the shapes that are given.
std::vector<std::string> given_shapes(const ShapeSpec& s) {
    std::vector<std::string> names;
    if (s.box) names.emplace_back("box");
    if (s.sphere) names.emplace_back("sphere");
    if (s.ellipsoid) names.emplace_back("ellipsoid");
    if (s.capsule) names.emplace_back("capsule");
    if (s.joined) names.emplace_back("union");
    if (s.animal && s.mesh.empty()) names.emplace_back("animal");
    if (!s.mesh.empty()) names.emplace_back("mesh");
    return names;
}

void check_one_shape(const std::vector<std::string>& given, const std::string& choices,
                     const JsonPlace& place) {
    if (given.empty()) throw Error("has no shape", place.where(), "give one of: " + choices);
    if (given.size() > 1)
        throw Error("has two shapes, " + given[0] + " and " + given[1], place.where(),
                    "keep one of them");
}

const char* const solid_shapes = "box, sphere, ellipsoid, capsule, union, animal, mesh";

/// What is needed to turn shapes into distances: where files are, and whom to warn.
struct Workshop {
    fs::path folder;
    Host& host;

    fs::path resolve(const std::string& name) const { return folder / name; }
    void warn(const MeshReport& report, const JsonPlace& place) const {
        if (const std::string text = report.warning(); !text.empty())
            host.log(Severity::warning, place.where() + ": " + text);
    }
    SdfPtr build(const ShapeSpec& spec, const JsonPlace& place) const;
    TriMesh load_mesh(const ShapeSpec& spec, const JsonPlace& place) const;
};

/// The mesh of a shape, scaled to its height.
TriMesh Workshop::load_mesh(const ShapeSpec& spec, const JsonPlace& place) const {
    TriMesh mesh =
        at_place(place.below("mesh"), [&] { return read_mesh(resolve(spec.mesh).string()); });
    if (spec.fit) {
        Box3 box;
        for (const Vec3d& x : mesh.points) {
            box.min = box.min.cwiseMin(x);
            box.max = box.max.cwiseMax(x);
        }
        const double height = box.max.y() - box.min.y();
        if (!(height > 0))
            throw Error("the mesh is flat, it has no height to fit", place.below("fit").where(),
                        "remove it or give a solid mesh");
        const Vec3d foot((box.min.x() + box.max.x()) / 2, box.min.y(),
                         (box.min.z() + box.max.z()) / 2);
        for (Vec3d& x : mesh.points) x = (x - foot) * (*spec.fit / height);
    }
    return mesh;
}

/// A shape in its own frame, before translate and rotate.
SdfPtr Workshop::build(const ShapeSpec& spec, const JsonPlace& place) const {
    check_one_shape(given_shapes(spec), solid_shapes, place);
    if (spec.fit && !spec.animal && spec.mesh.empty())
        throw Error("fits animals and meshes only", place.below("fit").where(),
                    "remove it and give the shape its size");
    if (spec.box) return make_box(spec.box->center, spec.box->size);
    if (spec.sphere) return make_sphere(spec.sphere->center, spec.sphere->radius);
    if (spec.ellipsoid) return make_ellipsoid(spec.ellipsoid->center, spec.ellipsoid->radii);
    if (spec.capsule) return make_capsule(spec.capsule->a, spec.capsule->b, spec.capsule->radius);
    if (spec.joined) {
        const JsonPlace parts_place = place.below("union").below("parts");
        if (spec.joined->parts.empty())
            throw Error("has no parts", parts_place.where(), "give at least one shape");
        std::vector<SdfPtr> parts;
        for (std::size_t i = 0; i < spec.joined->parts.size(); ++i) {
            const ShapeSpec& part = spec.joined->parts[i];
            parts.push_back(make_posed(build(part, parts_place.below(i)),
                                       pose_of(part.translate, part.rotate)));
        }
        return make_union(std::move(parts), spec.joined->blend);
    }
    if (spec.mesh.empty()) return make_animal(spec.fit.value_or(1.0));

    const TriMesh mesh = load_mesh(spec, place);
    return at_place(place.below("mesh"), [&] {
        MeshReport report;
        SdfPtr shape = make_mesh(mesh, &report);
        warn(report, place.below("mesh"));
        return shape;
    });
}

Motion build_motion(const std::vector<Keyframe>& keys, const JsonPlace& place) {
    return at_place(place.below("keys"), [&] { return Motion(keys); });
}

SdfPtr build_collider_shape(const ColliderSpec& spec, const Workshop& workshop, double spacing,
                            const JsonPlace& place) {
    std::vector<std::string> given = given_shapes(spec.shape);
    if (spec.plane) given.emplace_back("plane");
    if (!spec.vdb.empty()) given.emplace_back("vdb");
    check_one_shape(given, std::string("plane, vdb, ") + solid_shapes, place);
    const Pose pose = pose_of(spec.shape.translate, spec.shape.rotate);
    if (spec.plane) {
        if (!(spec.plane->normal.norm() > 0))
            throw Error("has no length", place.below("plane").below("normal").where(),
                        "give the direction of the free side, as [0, 1, 0]");
        return make_posed(make_plane(spec.plane->point, spec.plane->normal.normalized()), pose);
    }
    if (!spec.vdb.empty())
        return at_place(place.below("vdb"),
                        [&] { return make_posed(make_vdb(workshop.resolve(spec.vdb)), pose); });
    if (!spec.shape.mesh.empty()) {
        const TriMesh mesh = workshop.load_mesh(spec.shape, place);
        return at_place(place.below("mesh"), [&] {
            MeshReport report;
            SdfPtr solid = make_mesh_collider(mesh, spec.voxel.value_or(spacing / 2), &report);
            workshop.warn(report, place.below("mesh"));
            return make_posed(std::move(solid), pose);
        });
    }
    return make_posed(workshop.build(spec.shape, place), pose);
}

// ---- bodies ------------------------------------------------------------------------------------

/// Masters and slaves of a body in the shape's own frame, so that copies of it
/// are equal and a turned box keeps its lattice.
Samples sample_body(const Sdf& shape, double spacing, const JsonPlace& place) {
    const Box3 box = shape.bounds();
    const Vec3d cells = (box.max - box.min).cwiseMax(Vec3d::Zero()) / spacing;
    // Particles are counted in 32 bits.
    if (cells.prod() > 4e9)
        throw Error("would take more than 4e9 particles at a spacing of " + format_number(spacing) +
                        " m",
                    place.where(), "raise solver.spacing or make the body smaller");
    return at_place(place, [&] { return sample(shape, spacing); });
}

void add_bodies(BuiltScene& built, const BodySpec& spec, const Samples& samples,
                const JsonPlace& place) {
    const CopiesSpec copies = spec.copies.value_or(CopiesSpec{});
    for (int k = 0; k < copies.count; ++k) {
        elastoplastic::Body body;
        body.index = static_cast<std::int32_t>(built.bodies.size());
        body.name = spec.name.empty() ? place.path : spec.name;
        if (k > 0) body.name += "." + std::to_string(k);
        const Pose turn = pose_of(Vec3d::Zero(), k * copies.rotate);
        const Pose pose = pose_of(spec.shape.translate + k * copies.translate, Vec3d::Zero()) *
                          turn * pose_of(Vec3d::Zero(), spec.shape.rotate);
        for (const Vec3d& x : samples.masters) body.masters.push_back(pose * x);
        for (const Vec3d& x : samples.slaves) body.slaves.push_back(pose * x);
        body.material = spec.material.material;
        body.velocity = spec.velocity;
        body.angular_velocity = spec.angular_velocity;
        body.start = spec.start + k * copies.interval;
        body.join = spec.join.value.value_or(body.material.plastic() ? 0 : body.index + 1);
        built.bodies.push_back(std::move(body));
    }
}

// ---- paths in documents ------------------------------------------------------------------------

/// action(name) for each file that a part of a scene names, also inside unions.
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

} // namespace

// ---- from the file to the solver ---------------------------------------------------------------

Json load_scene_json(const fs::path& file) {
    return parse_json(read_file(file.string()), file.string());
}

void set_in_json(Json& document, const std::string& assignment, const std::string& file) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0)
        throw Error("has no path and value", "--set " + assignment,
                    "write it as --set solver.spacing=0.05");
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
                                ? "the list is empty; write the entry in the scene file"
                                : "use an index from 0 to " + std::to_string(node->size() - 1));
            node = &(*node)[index];
        } else {
            if (node->is_null()) *node = Json::object();
            if (!node->is_object())
                throw Error("is " + describe_json(*node) + ", with no key '" + key + "' in it",
                            place.where(), "correct the path of --set");
            node = &(*node)[key];
        }
        place = place.below(key);
    }
    *node = std::move(value);
}

SceneSpec read_scene(const Json& document, const std::string& file) {
    SceneSpec spec;
    const JsonPlace place{file, ""};
    read_object(spec, document, place);
    if (spec.bodies.empty())
        throw Error("is empty: there is nothing to simulate", place.below("bodies").where(),
                    "give at least one body");
    return spec;
}

Json scene_schema() {
    Json defs = Json::object();
    Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                {"title", "Nendo scene"}};
    schema.update(describe_object(SceneSpec{}, defs));
    schema["required"] = {"bodies"};
    schema["$defs"] = defs;
    return schema;
}

Scene build_world(const SceneSpec& spec, const fs::path& file, Host& host) {
    const Workshop workshop{file.parent_path(), host};
    const JsonPlace root{file.string(), ""};
    Scene scene;
    scene.gravity = spec.gravity;
    for (std::size_t i = 0; i < spec.colliders.size(); ++i) {
        const JsonPlace place = root.below("colliders").below(i);
        Collider collider = spec.colliders[i].contact;
        if (collider.name.empty()) collider.name = place.path;
        collider.shape =
            build_collider_shape(spec.colliders[i], workshop, spec.solver.spacing, place);
        collider.motion = build_motion(spec.colliders[i].keys, place);
        scene.colliders.push_back(std::move(collider));
    }
    for (std::size_t i = 0; i < spec.pins.size(); ++i) {
        const JsonPlace place = root.below("pins").below(i);
        Pin pin = spec.pins[i].pin;
        if (pin.name.empty()) pin.name = place.path;
        if (!(pin.end > pin.start))
            throw Error("lies before the start", place.below("end").where(),
                        "give a later time, or null for never");
        const ShapeSpec& shape = spec.pins[i].shape;
        pin.shape =
            make_posed(workshop.build(shape, place), pose_of(shape.translate, shape.rotate));
        pin.motion = build_motion(spec.pins[i].keys, place);
        scene.pins.push_back(std::move(pin));
    }
    return scene;
}

std::vector<std::optional<Vec3d>> body_colors(const SceneSpec& spec) {
    std::vector<std::optional<Vec3d>> colors;
    for (const BodySpec& body : spec.bodies)
        for (int k = 0; k < body.copies.value_or(CopiesSpec{}).count; ++k)
            colors.push_back(body.color);
    return colors;
}

BuiltScene build_scene(const SceneSpec& spec, const fs::path& file, Host& host) {
    BuiltScene built;
    built.scene = build_world(spec, file, host);
    built.params = spec.solver;
    const Workshop workshop{file.parent_path(), host};
    for (std::size_t i = 0; i < spec.bodies.size(); ++i) {
        const JsonPlace place = JsonPlace{file.string(), ""}.below("bodies").below(i);
        const SdfPtr shape = workshop.build(spec.bodies[i].shape, place);
        add_bodies(built, spec.bodies[i], sample_body(*shape, spec.solver.spacing, place), place);
    }
    return built;
}

namespace {

std::uint64_t hash_text(const std::string& text) {
    Hasher hasher;
    hasher.add(text);
    return hasher.digest();
}

} // namespace

std::uint64_t scene_hash(const SceneSpec& spec, const fs::path& file) {
    Json json = write_object(spec);
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
