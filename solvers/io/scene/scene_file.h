// SPDX-License-Identifier: Apache-2.0
// Scene files: what a person writes (JSON, every struct here declared with fields, so that reader
// and schema are one), as far as it is the same for all methods. See io/scenes.h for the methods.
#pragma once

#include "io/scene/look.h"
#include "io/scene/shapes.h"

namespace nendo {

// ---- bodies ------------------------------------------------------------------------------------

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

/// Where and when a body appears; each method adds what it is made of.
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
        visit(self.name, field("name").label("Name").help("How messages call it."));
        ShapeSpec::fields(self.shape, visit);
        visit(self.velocity, field("velocity").label("Velocity").unit("m/s").help("At its start."));
        visit(self.angular_velocity, field("angular_velocity")
                                         .label("Angular velocity")
                                         .unit("rad/s")
                                         .help("About its center of mass, at its start."));
        visit(self.start,
              field("start").label("Start").unit("s").range(0, infinite).help("When it appears."));
        visit(self.color,
              field("color").label("Color").range(0, 1).help("Red, green, blue in pictures."));
        std::vector<std::string_view> names;
        for (const Look& known : looks()) names.push_back(known.name);
        visit(self.look, field("look")
                             .label("Look")
                             .choices(std::move(names))
                             .help("What it looks like in pictures; not given: as its material."));
        visit(self.copies, field("copies").label("Copies").help("More of the same."));
    }
};

/// One of a body's copies.
struct BodyCopy {
    std::string name;
    Pose pose;        ///< From the shape's own frame to the world
    double start = 0; ///< [s]
};
std::vector<BodyCopy> list_copies(const BodyPlace& body, const JsonPlace& place);

/// The color of each body, copies counted, where it has one of its own. A body has a BodyPlace
/// `place`.
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
        visit(self.shown, field("shown").label("Shown").help("Whether pictures show it."));
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
    bool internals = false;
    int checkpoint_every = 1; ///< [frames]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.format, field("format")
                               .label("Format")
                               .choices({"bgeo.sc", "bgeo", "geo"})
                               .help("Kind of geometry file, one a frame."));
        visit(self.internals,
              field("internals")
                  .label("Internals")
                  .help("Write what the method computes with as well: slaves, springs, clusters, "
                        "joints."));
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
    std::optional<PlaneShape> section;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.eye, field("eye").label("Eye").unit("m").help("Where it is."));
        visit(self.target, field("target").label("Target").unit("m").help("What it looks at."));
        visit(self.fov, field("fov")
                            .label("Field of view")
                            .unit("deg")
                            .range(1, 150)
                            .help("From the picture's lower to its upper edge."));
        visit(self.section,
              field("section").label("Section").help(
                  "Matter whose `join` is 0, such as fluid, is not shown on the free side of "
                  "this plane, so that one sees what is in it."));
    }
};

enum class Precision { single_, double_ };

/// What a scene of any method has. Each method's SceneSpec has it as `common`, beside its solver's
/// parameters and its matter, and names itself by `method`.
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
        visit(self.gravity, field("gravity").label("Gravity").unit("m/s^2").help("Downwards."));
        visit(self.colliders, field("colliders").label("Colliders").help("What it meets."));
        visit(self.pins, field("pins").label("Pins").help("What holds it."));
        visit(self.output, field("output").label("Output").help("Which files are written."));
        visit(self.camera, field("camera").label("Camera").help(
                               "Of pictures; not given: one that sees the whole motion."));
    }
};

/// The name of the method, as the only choice for the key `method`.
template <class Spec> Field method_field() {
    return field("method").label("Method").choices({Spec::method}).help("Which solver.");
}

// ---- from the file to the solver ---------------------------------------------------------------

/// Reads and parses a scene file; throws with line and column.
Json load_scene_json(const std::filesystem::path& file);

/// Sets "bodies.0.material.young=1e5" in a document. The value is JSON, or else text. Keys on the
/// way are made; whether they are known is found when the document is read.
void set_in_json(Json& document, const std::string& assignment, const std::string& file);

/// Spacing [m] for build_world(); methods without particles have their own.
template <class Spec> double collider_spacing(const Spec& spec) {
    return spec.solver.spacing;
}

/// Motion by keys; errors name their place.
Motion build_motion(const std::vector<Keyframe>& keys, const JsonPlace& place);

/// The world of a scene, without its matter. `file` is the scene's, for messages and for the paths
/// in it; warnings go to the host. Meshes that collide get voxels of half the `spacing` [m] unless
/// they say otherwise.
Scene build_world(const SceneCommon& common, double spacing, const std::filesystem::path& file,
                  Host& host);

/// Names all that decides the result: the scene's values as write_object() gives them, with what is
/// in its files instead of their names; not its title, length, output or camera.
std::uint64_t hash_scene(Json scene, const std::filesystem::path& file);
template <class Spec>
std::uint64_t scene_hash(const Spec& spec, const std::filesystem::path& file) {
    return hash_scene(write_object(spec), file);
}

/// The document with the paths in it made to start at `folder` instead of the scene's own.
Json move_scene_json(Json document, const std::filesystem::path& file,
                     const std::filesystem::path& folder);

} // namespace nendo
