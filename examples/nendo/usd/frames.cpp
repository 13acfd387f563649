// SPDX-License-Identifier: Apache-2.0
#include "usd/frames.h"

#include "run/particles.h"

#include "io/usd/text.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <variant>

namespace nendo::cli {
namespace {

std::vector<double> numbers_of(const std::vector<Attribute>& attributes, std::string_view name,
                               int width) {
    const Attribute* found = find_attribute(attributes, name);
    return found != nullptr && found->tuple_size == width ? attribute_numbers(*found)
                                                          : std::vector<double>{};
}

bool holds_integers(const Attribute& attribute) {
    return !std::holds_alternative<std::vector<float>>(attribute.values) &&
           !std::holds_alternative<std::vector<double>>(attribute.values);
}

/// Attributes with a USD name of their own do not become primvars.
bool has_usd_name(const std::string& name) {
    static const std::set<std::string> known{"P", "v", "N", "id", "pscale", "uv"};
    return known.count(name) > 0;
}

std::vector<UsdPrimvar> primvars_of(const Geometry& geometry, const PrimvarNames& names) {
    const bool all = names == PrimvarNames{"all"};
    std::vector<UsdPrimvar> primvars;
    for (const Attribute& a : geometry.point_attributes) {
        const bool wanted = all || std::find(names.begin(), names.end(), a.name) != names.end();
        const bool fits = a.tuple_size >= 1 && a.tuple_size <= 4;
        if (!wanted || !fits || has_usd_name(a.name)) continue;
        UsdPrimvar p{a.name, "float", a.tuple_size, attribute_numbers(a)};
        if (p.values.empty() && geometry.point_count > 0) continue; // Strings.
        if (p.width > 1) p.type += std::to_string(p.width);
        if (p.width == 3 && a.type_info == "vector") p.type = "vector3f";
        if (p.width == 1 && holds_integers(a)) p.type = "int";
        if (a.name == "Cd" && p.width == 3) p.name = "displayColor", p.type = "color3f";
        // The largest double, which means "none", becomes the largest float.
        const double most = std::numeric_limits<float>::max();
        for (double& value : p.values) value = std::clamp(value, -most, most);
        primvars.push_back(std::move(p));
    }
    return primvars;
}

template <class T>
std::vector<T> pick_rows(const std::vector<T>& rows, const std::vector<std::size_t>& picked,
                         std::size_t width = 1) {
    std::vector<T> result;
    if (rows.empty()) return result;
    result.reserve(picked.size() * width);
    for (const std::size_t i : picked)
        for (std::size_t k = 0; k < width; ++k) result.push_back(rows.at(i * width + k));
    return result;
}

std::vector<UsdPrimvar> pick_primvars(const std::vector<UsdPrimvar>& primvars,
                                      const std::vector<std::size_t>& picked) {
    std::vector<UsdPrimvar> result;
    for (const UsdPrimvar& p : primvars)
        result.push_back({p.name, p.type, p.width,
                          pick_rows(p.values, picked, static_cast<std::size_t>(p.width))});
    return result;
}

/// Adds the colors of the shades, unless the points have colors of their own.
void add_color(UsdPrim& prim, const std::vector<UsdPrimvar>& primvars,
               const std::vector<std::size_t>& shades, std::size_t material,
               const Palette& palette) {
    for (const UsdPrimvar& p : primvars)
        if (p.name == "displayColor") return;
    const std::string declaration = "color3f[] primvars:displayColor";
    if (palette.one_color[material]) {
        prim.lines.push_back(declaration + " = [" + usd_tuple(palette.materials[material].color) +
                             "]");
        return;
    }
    std::vector<Vec3d> colors;
    for (const std::size_t shade : shades) colors.push_back(palette.shades[shade].color);
    prim.attributes.push_back({declaration, usd_array(colors), {"interpolation = \"vertex\""}});
}

/// The shade of each point as an index into the palette.
std::vector<std::size_t> shade_rows(std::size_t points, const std::vector<std::int64_t>& shades,
                                    const Palette& palette) {
    std::vector<std::size_t> rows(points, palette.shade(0));
    for (std::size_t i = 0; i < std::min(points, shades.size()); ++i)
        rows[i] = palette.shade(shades[i]);
    return rows;
}

} // namespace

// ---- looks --------------------------------------------------------------------------------------

Palette::Palette(std::vector<Shade> given) : shades(std::move(given)) {
    if (shades.empty()) shades.push_back({default_color(0)});
    for (const Shade& shade : shades) {
        const auto same = [&](const UsdMaterial& m) { return m.look.name == shade.look.name; };
        const auto at = std::find_if(materials.begin(), materials.end(), same);
        const auto index = static_cast<std::size_t>(at - materials.begin());
        material_of_shade.push_back(index);
        if (at == materials.end()) {
            materials.push_back({std::string(shade.look.name), shade.look, shade.color});
            one_color.push_back(true);
        } else if (at->color != shade.color) {
            one_color[index] = false;
        }
    }
}

std::size_t Palette::shade(std::int64_t number) const {
    return std::min(static_cast<std::size_t>(std::max<std::int64_t>(number, 0)), shades.size() - 1);
}

std::vector<std::int64_t> shades_of_points(const Geometry& geometry) {
    for (const char* name : {"shade", "body"}) {
        const std::vector<double> found = numbers_of(geometry.point_attributes, name, 1);
        if (!found.empty()) return {found.begin(), found.end()};
    }
    return {};
}

// ---- from files --------------------------------------------------------------------------------

UsdPoints read_usd_points(const Geometry& geometry, const PrimvarNames& names) {
    UsdPoints points;
    points.positions = point_vectors(geometry, "P");
    points.velocities = point_vectors(geometry, "v");
    for (const double id : numbers_of(geometry.point_attributes, "id", 1))
        points.ids.push_back(static_cast<std::int64_t>(id));
    for (const double radius : numbers_of(geometry.point_attributes, "pscale", 1))
        points.widths.push_back(2 * radius);
    points.primvars = primvars_of(geometry, names);
    return points;
}

UsdMesh read_usd_mesh(const Geometry& geometry, const PrimvarNames& names) {
    UsdMesh mesh;
    mesh.points = point_vectors(geometry, "P");
    mesh.velocities = point_vectors(geometry, "v");
    mesh.normals = point_vectors(geometry, "N");
    mesh.primvars = primvars_of(geometry, names);
    const std::vector<double> point_uv = numbers_of(geometry.point_attributes, "uv", 3);
    const std::vector<double> vertex_uv = numbers_of(geometry.vertex_attributes, "uv", 3);
    for (std::size_t i = 0; i + 2 < point_uv.size() && vertex_uv.empty(); i += 3)
        mesh.st.insert(mesh.st.end(), {point_uv[i], point_uv[i + 1]});
    for (const auto& primitives : geometry.primitives) {
        const Polygons* polygons = std::get_if<Polygons>(&primitives);
        if (polygons == nullptr || !polygons->closed) continue;
        std::size_t begin = 0;
        for (const std::int32_t size : polygons->sizes) {
            mesh.counts.push_back(size);
            // Seen from outside, the corners of Houdini's polygons are in clockwise order.
            for (std::int32_t k = size - 1; k >= 0; --k) {
                const auto vertex = static_cast<std::size_t>(
                    polygons->vertices[begin + static_cast<std::size_t>(k)]);
                mesh.corners.push_back(geometry.vertex_points.at(vertex));
                if (3 * vertex + 1 < vertex_uv.size())
                    mesh.st.insert(mesh.st.end(),
                                   {vertex_uv[3 * vertex], vertex_uv[3 * vertex + 1]});
            }
            begin += static_cast<std::size_t>(size);
        }
    }
    return mesh;
}

UsdMesh usd_mesh_of(const TriMesh& mesh) {
    UsdMesh result;
    result.points = mesh.points;
    result.velocities = mesh.velocities;
    result.counts.assign(mesh.triangles.size(), 3);
    for (const auto& triangle : mesh.triangles)
        result.corners.insert(result.corners.end(), triangle.begin(), triangle.end());
    return result;
}

// ---- split by material -------------------------------------------------------------------------

std::vector<UsdPrim> split_points(const std::string& group, const UsdPoints& points,
                                  const std::vector<std::int64_t>& shades, const Palette& palette) {
    const std::size_t n = points.positions.size();
    const std::vector<std::size_t> shade = shade_rows(n, shades, palette);
    std::vector<UsdPrim> prims;
    for (std::size_t m = 0; m < palette.materials.size(); ++m) {
        std::vector<std::size_t> rows;
        for (std::size_t i = 0; i < n; ++i)
            if (palette.material_of_shade[shade[i]] == m) rows.push_back(i);
        if (rows.empty()) continue;
        UsdPoints part;
        part.positions = pick_rows(points.positions, rows);
        part.velocities = pick_rows(points.velocities, rows);
        part.ids = pick_rows(points.ids, rows);
        part.widths = pick_rows(points.widths, rows);
        part.primvars = pick_primvars(points.primvars, rows);
        const std::string& name = palette.materials[m].name;
        prims.push_back(usd_points(group + "/" + name, part, name));
        add_color(prims.back(), part.primvars, pick_rows(shade, rows), m, palette);
    }
    return prims;
}

std::vector<UsdPrim> split_mesh(const std::string& group, const UsdMesh& mesh,
                                const std::vector<std::int64_t>& shades, const Palette& palette) {
    const std::size_t n = mesh.points.size();
    const std::vector<std::size_t> shade = shade_rows(n, shades, palette);
    const std::vector<Vec3d> normals = mesh.normals.empty() ? mesh_normals(mesh) : mesh.normals;
    const bool st_by_corner = !mesh.st.empty() && mesh.st.size() != 2 * n;
    constexpr std::int64_t unused = -1;
    std::vector<UsdPrim> prims;
    for (std::size_t m = 0; m < palette.materials.size(); ++m) {
        UsdMesh part;
        std::vector<std::size_t> rows, corner_rows;
        std::vector<std::int64_t> place(n, unused);
        std::size_t begin = 0;
        for (const std::int64_t count : mesh.counts) {
            const auto first = static_cast<std::size_t>(mesh.corners[begin]);
            const bool mine = palette.material_of_shade[shade.at(first)] == m;
            for (std::size_t c = begin; mine && c < begin + static_cast<std::size_t>(count); ++c) {
                const auto point = static_cast<std::size_t>(mesh.corners[c]);
                if (place.at(point) == unused) {
                    place[point] = static_cast<std::int64_t>(rows.size());
                    rows.push_back(point);
                }
                part.corners.push_back(place[point]);
                corner_rows.push_back(c);
            }
            if (mine) part.counts.push_back(count);
            begin += static_cast<std::size_t>(count);
        }
        if (part.counts.empty()) continue;
        part.points = pick_rows(mesh.points, rows);
        part.velocities = pick_rows(mesh.velocities, rows);
        part.normals = pick_rows(normals, rows);
        part.st = pick_rows(mesh.st, st_by_corner ? corner_rows : rows, 2);
        part.primvars = pick_primvars(mesh.primvars, rows);
        const std::string& name = palette.materials[m].name;
        prims.push_back(usd_mesh(group + "/" + name, part, name));
        add_color(prims.back(), part.primvars, pick_rows(shade, rows), m, palette);
    }
    return prims;
}

} // namespace nendo::cli
