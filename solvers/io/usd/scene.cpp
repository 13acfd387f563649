// SPDX-License-Identifier: Apache-2.0
// Formats camera, lights, materials, colliders and volumes as a USD layer.
#include "io/usd/scene.h"

#include "io/usd/solids.h"
#include "io/usd/text.h"
#include "math/kernels.h"

#include <algorithm>
#include <cmath>

namespace nendo {
namespace {

std::string under_root(const std::string& path) {
    return "</" + std::string(usd_root) + "/" + path + ">";
}

// ---- materials ---------------------------------------------------------------------------------

void open_shader(UsdText& text, const char* name, const char* id) {
    text.open("def Shader " + usd_string(name));
    text.line("uniform token info:id = " + usd_string(id));
}

void number(UsdText& text, const char* name, double value) {
    text.line(std::string("float inputs:") + name + " = " + usd_number(value));
}

void color(UsdText& text, const char* name, const Vec3d& value) {
    text.line(std::string("color3f inputs:") + name + " = " + usd_tuple(value));
}

/// Writes the preview surface, which every renderer supports.
void write_preview_surface(UsdText& text, const UsdMaterial& material, const std::string& path) {
    const Look& look = material.look;
    open_shader(text, "color", "UsdPrimvarReader_float3");
    text.line("string inputs:varname = \"displayColor\"");
    text.line("float3 inputs:fallback = " + usd_tuple(material.color));
    text.line("float3 outputs:result");
    text.close();
    open_shader(text, "preview", "UsdPreviewSurface");
    text.line("color3f inputs:diffuseColor.connect = " +
              under_root(path + "/color.outputs:result"));
    number(text, "roughness", look.roughness);
    number(text, "metallic", look.metallic);
    number(text, "ior", look.ior);
    number(text, "opacity", 1 - 0.85 * look.transmission);
    if (look.glow > 0) color(text, "emissiveColor", look.glow * material.color);
    text.line("token outputs:surface");
    text.close();
}

/// Writes a MaterialX standard surface, for renderers that scatter and refract.
void write_standard_surface(UsdText& text, const UsdMaterial& material, const std::string& path,
                            double scene_size) {
    const Look& look = material.look;
    open_shader(text, "mtlx_color", "ND_geompropvalue_color3");
    text.line("string inputs:geomprop = \"displayColor\"");
    color(text, "default", material.color);
    text.line("color3f outputs:out");
    text.close();
    const std::string source = under_root(path + "/mtlx_color.outputs:out");
    open_shader(text, "standard", "ND_standard_surface_surfaceshader");
    number(text, "base", 1);
    text.line("color3f inputs:base_color.connect = " + source);
    number(text, "specular_roughness", look.roughness);
    number(text, "specular_IOR", look.ior);
    number(text, "metalness", look.metallic);
    if (look.transmission > 0) {
        number(text, "transmission", look.transmission);
        text.line("color3f inputs:transmission_color.connect = " + source);
        number(text, "transmission_depth", look.depth * scene_size);
    }
    if (look.subsurface > 0) {
        number(text, "subsurface", look.subsurface);
        text.line("color3f inputs:subsurface_color.connect = " + source);
        color(text, "subsurface_radius", look.scatter);
        number(text, "subsurface_scale", look.depth * scene_size);
    }
    if (look.glow > 0) {
        number(text, "emission", look.glow);
        text.line("color3f inputs:emission_color.connect = " + source);
    }
    text.line("token outputs:out");
    text.close();
}

void write_materials(UsdText& text, const UsdScene& scene, double size) {
    std::vector<UsdMaterial> all = scene.materials;
    all.push_back({"collider", find_look("plastic"), {0.33, 0.34, 0.36}});
    all.push_back({"ground", find_look("clay"), {0.44, 0.43, 0.415}});
    text.open("def Scope \"materials\"");
    for (const UsdMaterial& material : all) {
        const std::string path = "materials/" + material.name;
        text.open("def Material " + usd_string(material.name));
        text.line("token outputs:surface.connect = " +
                  under_root(path + "/preview.outputs:surface"));
        text.line("token outputs:mtlx:surface.connect = " +
                  under_root(path + "/standard.outputs:out"));
        write_preview_surface(text, material, path);
        write_standard_surface(text, material, path, size);
        text.close();
    }
    text.close();
}

// ---- camera, lights, ground --------------------------------------------------------------------

void write_camera(UsdText& text, const UsdScene& scene, double size) {
    // Aperture and focal length are in tenths of a unit; only their ratio matters.
    const double film = 2 * 50 * std::tan(scene.fov * pi / 360);
    const double distance = (scene.eye - scene.target).norm();
    text.open("def Camera \"camera\"");
    text.line("token projection = \"perspective\"");
    text.line("float focalLength = 50");
    text.line("float verticalAperture = " + usd_number(film));
    text.line("float horizontalAperture = " + usd_number(film * scene.width / scene.height));
    text.line("float2 clippingRange = (" + usd_number(1e-3 * distance) + ", " +
              usd_number(100 * (distance + size)) + ")");
    text.line("float focusDistance = " + usd_number(distance));
    write_usd_transform(text, {{0, usd_matrix(usd_looking(scene.eye, scene.target))}});
    text.close();
}

/// Writes the sun and sky of `nendo render`, and a soft light from behind.
void write_lights(UsdText& text, const UsdScene& scene, const Vec3d& middle, double size) {
    text.open("def Scope \"lights\"");
    text.open("def DomeLight \"sky\"");
    number(text, "intensity", 0.55);
    color(text, "color", {0.80, 0.90, 1.04});
    text.close();

    text.open("def DistantLight \"sun\"");
    number(text, "intensity", 1.3 * pi); // Lights a white surface facing it to 1.3.
    text.line("bool inputs:normalize = 1");
    color(text, "color", {1.0, 0.93, 0.82});
    number(text, "angle", 2 * std::atan(scene.sun_width) * 180 / pi);
    write_usd_transform(
        text, {{0, usd_matrix(usd_looking(middle + size * scene.sun.normalized(), middle))}});
    text.close();

    const Vec3d view = (scene.target - scene.eye).normalized();
    const Vec3d behind =
        middle + 1.2 * size * Vec3d(view.x(), 0, view.z()) + Vec3d(0, 0.9 * size, 0);
    text.open("def RectLight \"rim\"");
    number(text, "intensity", 1.5);
    number(text, "width", 0.8 * size);
    number(text, "height", 0.4 * size);
    write_usd_transform(text, {{0, usd_matrix(usd_looking(behind, middle))}});
    text.close();
    text.close();
}

void write_volume(UsdText& text, const UsdVolume& volume) {
    if (volume.files.empty()) return;
    const auto text_of = [](const Box3& box) {
        return usd_array(std::vector<Vec3d>{box.min, box.max});
    };
    text.open("def Volume \"volume\"");
    for (const UsdVolume::Grid& grid : volume.grids)
        text.line("rel field:" + usd_name(grid.name) + " = " +
                  under_root("volume/" + usd_name(grid.name)));
    std::vector<UsdSample> extents, files;
    for (const auto& [frame, box] : volume.bounds) extents.emplace_back(frame, text_of(box));
    for (const auto& [frame, path] : volume.files) files.emplace_back(frame, usd_asset(path));
    text.attribute("float3[] extent", extents);
    for (const UsdVolume::Grid& grid : volume.grids) {
        text.open("def OpenVDBAsset " + usd_string(usd_name(grid.name)));
        text.line("token fieldName = " + usd_string(grid.name));
        text.line("token fieldDataType = " + usd_string(grid.data));
        if (!grid.kind.empty()) text.line("token fieldClass = " + usd_string(grid.kind));
        text.attribute("asset filePath", files);
        text.close();
    }
    text.close();
}

// ---- variants and render settings --------------------------------------------------------------

/// Writes variants that show one group of the geometry at a time. The others are not even loaded.
void write_variants(UsdText& text, const std::vector<std::string>& choices) {
    text.line("variantSet \"shown\" = {");
    for (const std::string& choice : choices) {
        text.line("    " + usd_string(choice) + " {");
        for (const std::string& other : choices)
            if (other != choice)
                text.line("        over " + usd_string(other) + " (active = false) {}");
        text.line("    }");
    }
    text.line("    \"all\" {");
    text.line("    }");
    text.line("}");
}

void write_render_settings(UsdText& text, const UsdScene& scene) {
    text.open("def Scope \"Render\"");
    text.open("def RenderSettings \"settings\"");
    text.line("rel camera = " + under_root("camera"));
    text.line("uniform int2 resolution = (" + std::to_string(scene.width) + ", " +
              std::to_string(scene.height) + ")");
    text.line("rel products = </Render/frame>");
    text.close();
    text.open("def RenderProduct \"frame\"");
    text.line("rel camera = " + under_root("camera"));
    text.line("uniform int2 resolution = (" + std::to_string(scene.width) + ", " +
              std::to_string(scene.height) + ")");
    text.line("token productName = \"render.exr\"");
    text.line("rel orderedVars = [</Render/color>, </Render/depth>]");
    text.close();
    for (const auto& [name, type, source] :
         {std::array<const char*, 3>{"color", "color4f", "C"}, {"depth", "float", "depth"}}) {
        text.open("def RenderVar " + usd_string(name));
        text.line("uniform token dataType = " + usd_string(type));
        text.line("uniform string sourceName = " + usd_string(source));
        text.close();
    }
    text.close();
}

} // namespace

std::string format_usd_scene(const UsdScene& scene, std::vector<std::string>& skipped) {
    const Vec3d middle = (scene.box.min + scene.box.max) / 2;
    const double size = (scene.box.max - scene.box.min).norm();
    std::vector<std::string> metadata = usd_metadata(scene.timing);
    metadata.push_back("renderSettingsPrimPath = \"/Render/settings\"");
    metadata.push_back("doc = " + usd_string(scene.title.empty() ? "Nendo" : scene.title));
    metadata.push_back("subLayers = [" + usd_asset("./geometry.usda") + "]");
    UsdText text(metadata);

    std::vector<std::string> choices = scene.groups;
    if (!scene.volume.files.empty()) choices.emplace_back("volume");
    text.open("def Xform " + usd_string(usd_root),
              {"kind = \"component\"", "variants = {",
               "    string shown = " + usd_string(choices.front()), "}",
               "prepend variantSets = \"shown\""});
    write_variants(text, choices);
    write_camera(text, scene, size);
    write_lights(text, scene, middle, size);
    write_materials(text, scene, size);
    write_volume(text, scene.volume);
    const double far = 15 * size;
    if (scene.ground)
        write_usd_mesh(text, "ground",
                       usd_square({middle.x(), *scene.ground, middle.z()}, Vec3d::UnitY(), far),
                       "ground");
    if (!scene.colliders.empty()) {
        text.open("def Xform \"colliders\"");
        for (const UsdCollider& collider : scene.colliders)
            if (!write_usd_collider(text, collider, middle, far)) skipped.push_back(collider.name);
        text.close();
    }
    text.close();
    write_render_settings(text, scene);
    return text.take();
}

} // namespace nendo
