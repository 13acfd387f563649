// SPDX-License-Identifier: Apache-2.0
// Formats colliders and their motion as USD prims.
#include "io/usd/solids.h"

namespace nendo {
namespace {

const char* const bound = "prepend apiSchemas = [\"MaterialBindingAPI\"]";

std::string binding(const std::string& material) {
    return "rel material:binding = </" + std::string(usd_root) + "/materials/" + material + ">";
}

std::string extent_line(const Vec3d& half) {
    return "float3[] extent = " + usd_array(std::vector<Vec3d>{-half, half});
}

/// Writes one of USD's own shapes, placed by a matrix.
void write_solid(UsdText& text, const std::string& type, const std::string& name,
                 const Eigen::Matrix4d& matrix, const std::vector<std::string>& lines) {
    text.open("def " + type + " " + usd_string(name), {bound});
    text.line(binding("collider"));
    for (const std::string& line : lines) text.line(line);
    write_usd_transform(text, {{0, usd_matrix(matrix)}});
    text.close();
}

Eigen::Matrix4d scaled(const Vec3d& center, const Vec3d& scale) {
    Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
    m.topLeftCorner<3, 3>() = scale.asDiagonal();
    m.topRightCorner<3, 1>() = center;
    return m;
}

UsdMesh of_triangles(const TriMesh& mesh) {
    UsdMesh result;
    result.points = mesh.points;
    for (const auto& triangle : mesh.triangles) {
        result.counts.push_back(3);
        result.corners.insert(result.corners.end(), triangle.begin(), triangle.end());
    }
    return result;
}

/// True if USD can represent the shape. It has no rounded unions, animals or level sets.
bool has_form(const ShapeSpec& shape) {
    if (shape.joined) {
        bool all = true;
        for (const ShapeSpec& part : shape.joined->parts) all = all && has_form(part);
        return all;
    }
    return shape.box || shape.sphere || shape.ellipsoid || shape.capsule;
}

void write_shape(UsdText& text, const ShapeSpec& shape, const std::string& name) {
    if (shape.joined) {
        text.open("def Xform " + usd_string(name));
        int number = 0;
        for (const ShapeSpec& part : shape.joined->parts) {
            text.open("def Xform " + usd_string("part" + std::to_string(++number)));
            write_usd_transform(text,
                                {{0, usd_matrix(pose_of(part.translate, part.rotate).matrix())}});
            write_shape(text, part, "shape");
            text.close();
        }
        text.close();
    } else if (shape.box) {
        write_solid(text, "Cube", name, scaled(shape.box->center, shape.box->size),
                    {"double size = 1", extent_line(Vec3d::Constant(0.5))});
    } else if (shape.sphere) {
        const double r = shape.sphere->radius;
        write_solid(text, "Sphere", name, scaled(shape.sphere->center, Vec3d::Ones()),
                    {"double radius = " + usd_number(r), extent_line(Vec3d::Constant(r))});
    } else if (shape.ellipsoid) {
        write_solid(text, "Sphere", name, scaled(shape.ellipsoid->center, shape.ellipsoid->radii),
                    {"double radius = 1", extent_line(Vec3d::Ones())});
    } else {
        const CapsuleShape& c = *shape.capsule;
        const double length = (c.b - c.a).norm();
        Eigen::Matrix4d m = scaled((c.a + c.b) / 2, Vec3d::Ones());
        if (length > 0)
            m.topLeftCorner<3, 3>() =
                Eigen::Quaterniond::FromTwoVectors(Vec3d::UnitY(), c.b - c.a).matrix();
        write_solid(text, "Capsule", name, m,
                    {"uniform token axis = \"Y\"", "double height = " + usd_number(length),
                     "double radius = " + usd_number(c.radius),
                     extent_line(Vec3d(c.radius, length / 2 + c.radius, c.radius))});
    }
}

} // namespace

void write_usd_transform(UsdText& text, const std::vector<UsdSample>& matrices) {
    text.attribute("matrix4d xformOp:transform", matrices);
    text.line("uniform token[] xformOpOrder = [\"xformOp:transform\"]");
}

Eigen::Matrix4d usd_looking(const Vec3d& eye, const Vec3d& target) {
    const Vec3d back = (eye - target).normalized();
    Vec3d right = Vec3d::UnitY().cross(back);
    right = right.norm() > 1e-9 ? Vec3d(right.normalized()) : Vec3d::UnitX();
    Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
    m.topLeftCorner<3, 3>() << right, back.cross(right), back;
    m.topRightCorner<3, 1>() = eye;
    return m;
}

UsdMesh usd_square(const Vec3d& middle, const Vec3d& normal, double half_width) {
    const Vec3d n = normal.normalized();
    const Vec3d u = n.cross(std::abs(n.y()) < 0.9 ? Vec3d::UnitY() : Vec3d::UnitX()).normalized();
    const Vec3d v = n.cross(u);
    UsdMesh square;
    for (const auto& [a, b] : {std::pair(-1, -1), {1, -1}, {1, 1}, {-1, 1}})
        square.points.push_back(middle + half_width * (a * u + b * v));
    square.counts = {4};
    square.corners = {0, 1, 2, 3};
    return square;
}

void write_usd_mesh(UsdText& text, const std::string& name, const UsdMesh& mesh,
                    const std::string& material) {
    const UsdPrim prim = usd_mesh(name, mesh, material);
    text.open("def Mesh " + usd_string(name), {bound});
    text.line(binding(material));
    for (const std::string& line : prim.lines) text.line(line);
    for (const UsdAttribute& a : prim.attributes)
        text.attribute(a.declaration, a.value, a.metadata);
    text.close();
}

bool write_usd_collider(UsdText& text, const UsdCollider& collider, const Vec3d& middle,
                        double half_width) {
    const bool known = collider.plane || !collider.mesh.points.empty() || has_form(collider.shape);
    if (!known) return false;
    text.open("def Xform " + usd_string(usd_name(collider.name)));
    const Pose own = pose_of(collider.shape.translate, collider.shape.rotate);
    std::vector<UsdSample> matrices;
    for (const auto& [frame, pose] : collider.frames)
        matrices.emplace_back(frame,
                              usd_matrix((collider.plane ? pose : Pose(pose * own)).matrix()));
    write_usd_transform(text, matrices);
    if (collider.plane) {
        const Vec3d n = collider.plane->normal.normalized();
        const Vec3d foot = middle - n.dot(middle - collider.plane->point) * n;
        write_usd_mesh(text, "shape", usd_square(foot, n, half_width), "ground");
    } else if (!collider.mesh.points.empty()) {
        write_usd_mesh(text, "shape", of_triangles(collider.mesh), "collider");
    } else {
        write_shape(text, collider.shape, "shape");
    }
    text.close();
    return true;
}

} // namespace nendo
