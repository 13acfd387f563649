// SPDX-License-Identifier: Apache-2.0
// The parts of a scene file that all methods share. A scene file is JSON written by hand; every
// struct here is declared with fields, so that the reader and the schema always agree. See
// io/scene/scenes.h for the methods.
#pragma once

#include "io/scene/look.h"
#include "io/scene/shapes.h"
#include "method/preset.h"

namespace nendo {

// ---- bodies ------------------------------------------------------------------------------------

struct CopiesSpec {
    int count = 1;
    Vec3d translate{0, 0, 0}; ///< [m]
    Vec3d rotate{0, 0, 0};    ///< [degrees]
    double interval = 0;      ///< [s]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.count, field("count").label("Count").range(1, 100000).help(
                              "Total number of copies, including the first."));
        visit(self.translate, field("translate")
                                  .label("Translate")
                                  .unit("m")
                                  .help("Displacement from each copy to the next."));
        visit(self.rotate, field("rotate").label("Rotate").unit("deg").help(
                               "Rotation from each copy to the next, around its origin."));
        visit(self.interval, field("interval")
                                 .label("Interval")
                                 .unit("s")
                                 .range(0, infinite)
                                 .help("Time between the starts of two successive copies."));
    }
};

/// Where and when a body appears. Each method adds its material.
struct BodyPlace {
    std::string name;
    ShapeSpec shape;
    Vec3d velocity{0, 0, 0};         ///< [m/s]
    Vec3d angular_velocity{0, 0, 0}; ///< [rad/s]
    double start = 0;                ///< [s]
    std::optional<Vec3d> color;      ///< Linear red, green, blue
    std::string look;
    std::optional<CopiesSpec> copies;

    int count() const { return copies ? copies->count : 1; }

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.name, field("name").label("Name").help("Name used in messages."));
        ShapeSpec::fields(self.shape, visit);
        visit(self.velocity, field("velocity")
                                 .label("Velocity")
                                 .unit("m/s")
                                 .help("Velocity when the body appears."));
        visit(self.angular_velocity,
              field("angular_velocity")
                  .label("Angular velocity")
                  .unit("rad/s")
                  .help("Angular velocity about the center of mass when the body appears."));
        visit(self.start, field("start")
                              .label("Start")
                              .unit("s")
                              .range(0, infinite)
                              .help("Time at which the body appears."));
        visit(self.color, field("color").label("Color").range(0, 1).help(
                              "Color in pictures: linear red, green and blue."));
        std::vector<std::string_view> names;
        for (const Look& known : looks()) names.push_back(known.name);
        visit(self.look,
              field("look")
                  .label("Look")
                  .choices(std::move(names))
                  .help("Surface appearance in pictures. If not given, it follows the material."));
        visit(self.copies, field("copies").label("Copies").help("Additional copies of the body."));
    }
};

/// One copy of a body.
struct BodyCopy {
    std::string name;
    Pose pose;        ///< From the shape's own frame to the world
    double start = 0; ///< [s]
};
std::vector<BodyCopy> list_copies(const BodyPlace& body, const JsonPlace& place);

/// Returns the color of each body, counting copies, where it has one. BodySpec must have a
/// BodyPlace `place`.
template <class BodySpec>
std::vector<std::optional<Vec3d>> body_colors(const std::vector<BodySpec>& bodies) {
    std::vector<std::optional<Vec3d>> colors;
    for (const BodySpec& body : bodies)
        colors.insert(colors.end(), static_cast<std::size_t>(body.place.count()), body.place.color);
    return colors;
}

// ---- the world ---------------------------------------------------------------------------------

struct ColliderSpec {
    ShapeSpec shape;
    std::optional<PlaneShape> plane;
    std::string vdb;
    std::optional<double> voxel; ///< [m]
    Collider contact;            ///< Name, friction and stickiness
    std::vector<Keyframe> keys;
    bool shown = true;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.shown, field("shown").label("Shown").help("Show the collider in pictures."));
        visit(self.plane, field("plane").label("Plane").help("The half space behind a plane."));
        ShapeSpec::fields(self.shape, visit);
        visit(
            self.vdb,
            field("vdb").label("VDB").help(
                "Path of a .vdb file with a level set, relative to the folder of the scene file."));
        visit(self.voxel, field("voxel").label("Voxel").unit("m").above(0).help(
                              "Voxel size for a mesh. Smaller voxels follow it more closely. If "
                              "not given, half the solver's spacing."));
        Collider::fields(self.contact, visit);
        visit(self.keys,
              field("keys").label("Keys").help("Poses over time, interpolated linearly."));
    }
};

struct PinSpec {
    ShapeSpec shape;
    Pin pin; ///< Name, start and end
    std::vector<Keyframe> keys;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        ShapeSpec::fields(self.shape, visit);
        Pin::fields(self.pin, visit);
        visit(self.keys,
              field("keys").label("Keys").help("Poses over time, interpolated linearly."));
    }
};

enum class GeometryFormat { bgeo_sc, bgeo, geo };

struct OutputSpec {
    GeometryFormat format = GeometryFormat::bgeo_sc;
    bool internals = false;
    int checkpoint_every = 1; ///< [frames]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.format, field("format")
                               .label("Format")
                               .choices({"bgeo.sc", "bgeo", "geo"})
                               .help("Format of the geometry files, one per frame."));
        visit(
            self.internals,
            field("internals")
                .label("Internals")
                .help("Also write the method's internal data: slaves, springs, clusters, joints."));
        visit(self.checkpoint_every,
              field("checkpoint_every")
                  .label("Checkpoint every")
                  .unit("frames")
                  .range(1, 1e6)
                  .help("Number of frames between two saved states that a run can resume from."));
    }
};

struct CameraSpec {
    Vec3d eye{3, 2, 5};    ///< [m]
    Vec3d target{0, 0, 0}; ///< [m]
    double fov = 35;       ///< Vertical [degrees]
    std::optional<PlaneShape> section;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.eye, field("eye").label("Eye").unit("m").help("Position of the camera."));
        visit(self.target,
              field("target").label("Target").unit("m").help("Point the camera looks at."));
        visit(self.fov,
              field("fov")
                  .label("Field of view")
                  .unit("deg")
                  .range(1, 150)
                  .help("Vertical angle of view, from the bottom to the top of the picture."));
        visit(self.section, field("section").label("Section").help(
                                "Cutaway plane. Matter whose `join` is 0, such as fluid, is hidden "
                                "on the free side of this plane to show what is inside."));
    }
};

enum class Precision { single_, double_ };

/// The values that scenes of all methods share. Each method's SceneSpec holds them as `common`,
/// beside the solver's parameters and the bodies, and gives its own name as `method`.
struct SceneCommon {
    std::string title;
    std::string reference;
    Precision precision = Precision::single_;
    double fps = 24;
    int frames = 72;
    Vec3d gravity{0, -9.81, 0}; ///< [m/s^2]
    std::vector<ColliderSpec> colliders;
    std::vector<PinSpec> pins;
    OutputSpec output;
    std::optional<CameraSpec> camera;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.title, field("title").label("Title").help("What the scene shows."));
        visit(self.reference, field("reference")
                                  .label("Reference")
                                  .help("Source of the scene, such as a paper and figure."));
        visit(self.precision,
              field("precision")
                  .label("Precision")
                  .choices({"float", "double"})
                  .help("Floating-point type of the particle data. Double uses twice the memory."));
        visit(self.fps, field("fps")
                            .label("Frames per second")
                            .unit("1/s")
                            .above(0)
                            .help("Frame rate of the output."));
        visit(self.frames, field("frames").label("Frames").range(0, 1e6).help(
                               "Number of frames to simulate. Frame 0 is the start."));
        visit(self.gravity, field("gravity").label("Gravity").unit("m/s^2").help(
                                "Acceleration of gravity. The default points down -Y."));
        visit(self.colliders,
              field("colliders").label("Colliders").help("Obstacles, still or animated."));
        visit(self.pins,
              field("pins").label("Pins").help("Regions whose particles are held or moved."));
        visit(self.output, field("output").label("Output").help("Files to write."));
        visit(self.camera,
              field("camera").label("Camera").help(
                  "Camera for pictures. If not given, one that sees the whole motion is chosen."));
    }
};

template <class Material, const std::vector<Preset<Material>>& (*presets)()>
inline constexpr bool has_own_form<PresetMaterial<Material, presets>> = true;

/// Values that are not given come from the preset, so the schema has no defaults for them.
template <class Material, const std::vector<Preset<Material>>& (*presets)()>
struct JsonForm<PresetMaterial<Material, presets>> {
    using Spec = PresetMaterial<Material, presets>;

    static void read(Spec& spec, const Json& json, const Field&, const JsonPlace& place) {
        if (json.is_object() && json.contains("preset")) {
            Spec named;
            read_object(named, {{"preset", json["preset"]}}, place);
            spec.material = Spec::find(named.preset);
        }
        read_object(spec, json, place);
    }
    static Json write(const Spec& spec, const Field&) { return write_object(spec); }
    static Json schema(const Spec& spec, const Field&, Json& defs) {
        Json schema = describe_object(spec, defs);
        for (auto& [key, entry] : schema["properties"].items()) entry.erase("default");
        return schema;
    }
};

// ---- from the file to the solver ---------------------------------------------------------------

/// Reads and parses a scene file. Errors name the line and column.
Json load_scene_json(const std::filesystem::path& file);

/// Sets a value such as "bodies.0.material.young=1e5" in a document. The value is parsed as JSON,
/// or taken as text if it is not valid JSON. Creates intermediate keys; unknown ones are rejected
/// when the document is read.
void set_in_json(Json& document, const std::string& assignment, const std::string& file);

/// Spacing [m] for build_world(). Methods without particles define their own.
template <class Spec> double collider_spacing(const Spec& spec) {
    return spec.solver.spacing;
}

/// Builds a motion from keys. Errors name their place in the file.
Motion build_motion(const std::vector<Keyframe>& keys, const JsonPlace& place);

/// Builds the world of a scene without its matter. `file` is the scene's path, used in messages and
/// to resolve the paths in it; warnings go to the host. Colliding meshes get voxels of half the
/// `spacing` [m] unless they set their own.
Scene build_world(const SceneCommon& common, double spacing, const std::filesystem::path& file,
                  Host& host);

/// Hashes everything that affects the result: the scene's values as write_object() writes them,
/// with the contents of its files instead of their names. Title, length, output and camera are left
/// out.
std::uint64_t hash_scene(Json scene, const std::filesystem::path& file);
template <class Spec>
std::uint64_t scene_hash(const Spec& spec, const std::filesystem::path& file) {
    return hash_scene(write_object(spec), file);
}

/// Returns the document with its paths relative to `folder` instead of the scene's own folder.
Json move_scene_json(Json document, const std::filesystem::path& file,
                     const std::filesystem::path& folder);

} // namespace nendo
