// Scene files: what a person writes (JSON, every struct here declared with fields, so that reader
// and schema are one), and what the solver is given (sampled bodies, colliders, pins).
#pragma once

#include "core/host.h"
#include "core/scene.h"
#include "elastoplastic/params.h"
#include "elastoplastic/solver.h"
#include "io/json_fields.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace nendo {

// ---- shapes ------------------------------------------------------------------------------------

struct BoxShape {
    Vec3d center{0, 0, 0}; ///< [m]
    Vec3d size{1, 1, 1};   ///< [m]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.center, field("center").label("Center").unit("m").help("Its middle."));
        visit(self.size, field("size").label("Size").unit("m").above(0).help("Edge lengths."));
    }
};

struct SphereShape {
    Vec3d center{0, 0, 0}; ///< [m]
    double radius = 0.5;   ///< [m]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.center, field("center").label("Center").unit("m").help("Its middle."));
        visit(self.radius, field("radius").label("Radius").unit("m").above(0).help("Its radius."));
    }
};

struct EllipsoidShape {
    Vec3d center{0, 0, 0};      ///< [m]
    Vec3d radii{0.5, 0.5, 0.5}; ///< [m]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.center, field("center").label("Center").unit("m").help("Its middle."));
        visit(self.radii,
              field("radii").label("Radii").unit("m").above(0).help("Half its width each way."));
    }
};

struct CapsuleShape {
    Vec3d a{0, 0, 0};    ///< [m]
    Vec3d b{0, 1, 0};    ///< [m]
    double radius = 0.5; ///< [m]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.a, field("a").label("Start").unit("m").help("First end of its axis."));
        visit(self.b, field("b").label("End").unit("m").help("Second end of its axis."));
        visit(self.radius, field("radius").label("Radius").unit("m").above(0).help("Its radius."));
    }
};

struct PlaneShape {
    Vec3d point{0, 0, 0};  ///< [m]
    Vec3d normal{0, 1, 0}; ///< Of any length

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.point, field("point").label("Point").unit("m").help("Any point on it."));
        visit(self.normal, field("normal").label("Normal").help("Points to the free side."));
    }
};

struct AnimalShape {
    template <class Self, class Visit> static void fields(Self&, Visit&&) {}
};

struct ShapeSpec;

struct UnionShape {
    std::vector<ShapeSpec> parts;
    double blend = 0; ///< [m]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.parts, field("parts").label("Parts").help("Shapes that become one."));
        visit(self.blend, field("blend")
                              .label("Blend")
                              .unit("m")
                              .range(0, infinite)
                              .help("Edges between parts are rounded over this length."));
    }
};

/// Exactly one of the shapes; a mesh takes the animal's place when both are given.
struct ShapeSpec {
    static constexpr std::string_view schema_name = "shape";
    std::optional<BoxShape> box;
    std::optional<SphereShape> sphere;
    std::optional<EllipsoidShape> ellipsoid;
    std::optional<CapsuleShape> capsule;
    std::optional<UnionShape> joined;
    std::optional<AnimalShape> animal;
    std::string mesh;
    std::optional<double> fit; ///< [m]
    Vec3d translate{0, 0, 0};  ///< [m]
    Vec3d rotate{0, 0, 0};     ///< [degrees]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.box, field("box").label("Box").help("A box along the axes."));
        visit(self.sphere, field("sphere").label("Sphere").help("A ball."));
        visit(self.ellipsoid, field("ellipsoid").label("Ellipsoid").help("A stretched ball."));
        visit(self.capsule, field("capsule").label("Capsule").help("A rod with round ends."));
        visit(self.joined, field("union").label("Union").help("Where any of its parts is."));
        visit(self.animal, field("animal").label("Animal").help(
                               "A rabbit-like test animal, 1 m tall, feet at y = 0. A mesh that "
                               "is given as well takes its place."));
        visit(self.mesh, field("mesh").label("Mesh").help(
                             "An .obj or .ply file; the path starts at the scene file's folder."));
        visit(self.fit, field("fit").label("Fit").unit("m").above(0).help(
                            "Height to which the animal or mesh is scaled, standing on y = 0; "
                            "not given: as it is."));
        visit(self.translate,
              field("translate").label("Translate").unit("m").help("Where its origin goes."));
        visit(self.rotate, field("rotate").label("Rotate").unit("deg").help(
                               "About x, then y, then z, around its origin."));
    }
};

// ---- bodies ------------------------------------------------------------------------------------

/// A preset's name, and what differs from it.
struct MaterialSpec {
    std::string preset;
    elastoplastic::Material material;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        std::vector<std::string_view> names;
        for (const auto& known : elastoplastic::presets()) names.push_back(known.name);
        visit(self.preset, field("preset")
                               .label("Preset")
                               .choices(std::move(names))
                               .help("Where values that are not given come from."));
        elastoplastic::Material::fields(self.material, visit);
    }
};

/// The `join` column, or none for the rule: plastic matter joins, each elastic body is its own.
struct JoinSpec {
    std::optional<std::int32_t> value;
};

template <> struct JsonForm<JoinSpec> {
    static void read(JoinSpec& join, const Json& json, const Field& f, const JsonPlace& place) {
        if (json == "auto") {
            join.value.reset();
            return;
        }
        if (!json.is_number_integer()) throw_wrong_type(json, place, "a whole number or \"auto\"");
        read_json(join.value, json, f, place);
    }
    static Json write(const JoinSpec& join, const Field&) {
        return join.value ? Json(*join.value) : Json("auto");
    }
    static Json schema(const JoinSpec&, const Field&, Json&) {
        return {{"anyOf", {{{"const", "auto"}}, {{"type", "integer"}}}}, {"default", "auto"}};
    }
};

template <> struct JsonForm<MaterialSpec> {
    static void read(MaterialSpec& spec, const Json& json, const Field&, const JsonPlace& place) {
        MaterialSpec named;
        if (json.is_object() && json.contains("preset")) {
            read_object(named, {{"preset", json["preset"]}}, place);
            spec.material = elastoplastic::preset(named.preset);
        }
        read_object(spec, json, place);
    }
    static Json write(const MaterialSpec& spec, const Field&) { return write_object(spec); }
    static Json schema(const MaterialSpec& spec, const Field&, Json& defs) {
        // Defaults are the preset's: the schema leaves them out.
        Json schema = describe_object(spec, defs);
        for (auto& [key, entry] : schema["properties"].items()) entry.erase("default");
        return schema;
    }
};

struct CopiesSpec {
    int count = 1;
    Vec3d translate{0, 0, 0}; ///< [m]
    Vec3d rotate{0, 0, 0};    ///< [degrees]
    double interval = 0;      ///< [s]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.count,
              field("count").label("Count").range(1, 100000).help("How many there are in all."));
        visit(self.translate,
              field("translate").label("Translate").unit("m").help("From each to the next."));
        visit(self.rotate, field("rotate").label("Rotate").unit("deg").help(
                               "Turn from each to the next, around its origin."));
        visit(self.interval, field("interval")
                                 .label("Interval")
                                 .unit("s")
                                 .range(0, infinite)
                                 .help("Time between one's start and the next one's."));
    }
};

struct BodySpec {
    std::string name;
    ShapeSpec shape;
    MaterialSpec material;
    Vec3d velocity{0, 0, 0};         ///< [m/s]
    Vec3d angular_velocity{0, 0, 0}; ///< [rad/s]
    double start = 0;                ///< [s]
    JoinSpec join;
    std::optional<Vec3d> color; ///< Linear red, green, blue
    std::optional<CopiesSpec> copies;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.name, field("name").label("Name").help("How messages call it."));
        ShapeSpec::fields(self.shape, visit);
        visit(self.material, field("material").label("Material").help("What it is made of."));
        visit(self.velocity, field("velocity").label("Velocity").unit("m/s").help("At its start."));
        visit(self.angular_velocity, field("angular_velocity")
                                         .label("Angular velocity")
                                         .unit("rad/s")
                                         .help("About its centre of mass, at its start."));
        visit(self.start,
              field("start").label("Start").unit("s").range(0, infinite).help("When it appears."));
        visit(self.join, field("join").label("Join").help(
                             "Matter of equal value grows together where it meets; auto: plastic "
                             "bodies join (0), each elastic one stays its own."));
        visit(self.color,
              field("color").label("Color").range(0, 1).help("Red, green, blue in pictures."));
        visit(self.copies, field("copies").label("Copies").help("More of the same."));
    }
};

// ---- the world ---------------------------------------------------------------------------------

struct ColliderSpec {
    ShapeSpec shape;
    std::optional<PlaneShape> plane;
    std::string vdb;
    std::optional<double> voxel; ///< [m]
    Collider contact;            ///< Name, friction and stickiness
    std::vector<Keyframe> keys;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.plane, field("plane").label("Plane").help("All that lies behind a plane."));
        ShapeSpec::fields(self.shape, visit);
        visit(self.vdb, field("vdb").label("VDB").help(
                            "A .vdb file with a level set; the path starts at the scene file's "
                            "folder."));
        visit(self.voxel, field("voxel").label("Voxel").unit("m").above(0).help(
                              "Resolution of a mesh; not given: half the solver's spacing."));
        Collider::fields(self.contact, visit);
        visit(self.keys, field("keys").label("Keys").help("Its poses; straight between them."));
    }
};

struct PinSpec {
    ShapeSpec shape;
    Pin pin; ///< Name, start and end
    std::vector<Keyframe> keys;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        ShapeSpec::fields(self.shape, visit);
        Pin::fields(self.pin, visit);
        visit(self.keys, field("keys").label("Keys").help("Its poses; straight between them."));
    }
};

enum class GeometryFormat { bgeo_sc, bgeo, geo };

struct OutputSpec {
    GeometryFormat format = GeometryFormat::bgeo_sc;
    bool slaves = false;
    int checkpoint_every = 1; ///< [frames]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.format, field("format")
                               .label("Format")
                               .choices({"bgeo.sc", "bgeo", "geo"})
                               .help("Kind of geometry file, one a frame."));
        visit(self.slaves, field("slaves").label("Slaves").help("Write slave particles as well."));
        visit(self.checkpoint_every, field("checkpoint_every")
                                         .label("Checkpoint every")
                                         .unit("frames")
                                         .range(1, 1e6)
                                         .help("How often the state is saved for resuming."));
    }
};

struct CameraSpec {
    Vec3d eye{3, 2, 5};    ///< [m]
    Vec3d target{0, 0, 0}; ///< [m]
    double fov = 35;       ///< Vertical [degrees]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.eye, field("eye").label("Eye").unit("m").help("Where it is."));
        visit(self.target, field("target").label("Target").unit("m").help("What it looks at."));
        visit(self.fov, field("fov")
                            .label("Field of view")
                            .unit("deg")
                            .range(1, 150)
                            .help("From the picture's lower to its upper edge."));
    }
};

enum class Precision { single_, double_ };
enum class Method { elastoplastic };

/// A scene file as it was written.
struct SceneSpec {
    std::string title;
    std::string reference;
    Precision precision = Precision::single_;
    double fps = 24;
    int frames = 72;
    Method method = Method::elastoplastic;
    elastoplastic::Params solver;
    Vec3d gravity{0, -9.81, 0}; ///< [m/s^2]
    std::vector<BodySpec> bodies;
    std::vector<ColliderSpec> colliders;
    std::vector<PinSpec> pins;
    OutputSpec output;
    std::optional<CameraSpec> camera;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.title, field("title").label("Title").help("What it shows."));
        visit(self.reference, field("reference").label("Reference").help("Where it comes from."));
        visit(self.precision,
              field("precision")
                  .label("Precision")
                  .choices({"float", "double"})
                  .help("Of the particles' columns; double takes twice the memory."));
        visit(self.fps,
              field("fps").label("Frames per second").unit("1/s").above(0).help("Of the output."));
        visit(self.frames, field("frames").label("Frames").range(0, 1e6).help(
                               "How many are simulated; frame 0 is the start."));
        visit(self.method,
              field("method").label("Method").choices({"elastoplastic"}).help("Which solver."));
        visit(self.solver, field("solver").label("Solver").help("Parameters of the solver."));
        visit(self.gravity, field("gravity").label("Gravity").unit("m/s^2").help("Downwards."));
        visit(self.bodies, field("bodies").label("Bodies").help("The matter."));
        visit(self.colliders, field("colliders").label("Colliders").help("What it meets."));
        visit(self.pins, field("pins").label("Pins").help("What holds it."));
        visit(self.output, field("output").label("Output").help("Which files are written."));
        visit(self.camera, field("camera").label("Camera").help(
                               "Of pictures; not given: one that sees the whole motion."));
    }
};

// ---- from the file to the solver ---------------------------------------------------------------

/// Reads and parses a scene file; throws with line and column.
Json load_scene_json(const std::filesystem::path& file);

/// Sets "bodies.0.material.young=1e5" in a document. The value is JSON, or else text. Keys on the
/// way are made; whether they are known is found when the document is read.
void set_in_json(Json& document, const std::string& assignment, const std::string& file);

/// Throws at the first key that is unknown, or value that is of a wrong type or out of range.
SceneSpec read_scene(const Json& document, const std::string& file);

/// JSON schema (draft 2020-12) of scene files.
Json scene_schema();

/// What the solver is given.
struct BuiltScene {
    Scene scene;
    elastoplastic::Params params;
    std::vector<elastoplastic::Body> bodies; ///< Sampled, copies made, in order of their index
};

/// The world of a scene, without its bodies. `file` is the scene's, for messages and for the paths
/// in it; warnings go to the host.
Scene build_world(const SceneSpec& spec, const std::filesystem::path& file, Host& host);
/// The colour of each body, copies counted, where it has one of its own.
std::vector<std::optional<Vec3d>> body_colors(const SceneSpec& spec);
BuiltScene build_scene(const SceneSpec& spec, const std::filesystem::path& file, Host& host);

/// Names all that decides the result: the scene's values, with what is in its files instead of
/// their names; not its title, length, output or camera.
std::uint64_t scene_hash(const SceneSpec& spec, const std::filesystem::path& file);

/// The document with the paths in it made to start at `folder` instead of the scene's own.
Json move_scene_json(Json document, const std::filesystem::path& file,
                     const std::filesystem::path& folder);

} // namespace nendo
