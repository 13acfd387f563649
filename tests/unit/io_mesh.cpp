// SPDX-License-Identifier: Apache-2.0
// OBJ and PLY: dialects found in the wild, our own, and broken files.
#include "core/error.h"
#include "io/file.h"
#include "io/mesh/mesh_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>

#include <unistd.h>

namespace fs = std::filesystem;
using namespace nendo;

namespace {

using Triangle = std::array<std::uint32_t, 3>;

template <class Parse> std::string error_of(const Parse& parse, const std::string& text) {
    try {
        parse(text, "mesh");
    } catch (const Error& error) {
        const std::string what = error.what();
        EXPECT_EQ(what.find('\n'), std::string::npos) << what;
        EXPECT_EQ(what.rfind("mesh", 0), 0u) << what;
        EXPECT_FALSE(error.remedy().empty());
        return what;
    }
    return "";
}
std::string obj_error(const std::string& text) {
    return error_of(parse_obj, text);
}
std::string ply_error(const std::string& text) {
    return error_of(parse_ply, text);
}

TriMesh some_mesh() {
    TriMesh mesh;
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> any(-1e3, 1e3);
    for (int i = 0; i < 40; ++i) {
        mesh.points.emplace_back(any(random), any(random) * 1e-12, any(random));
        mesh.velocities.emplace_back(any(random), any(random), any(random));
    }
    for (std::uint32_t i = 0; i + 2 < 40; ++i) mesh.triangles.push_back({i, i + 1, i + 2});
    return mesh;
}

template <class T> void put(std::string& out, T value, bool swap) {
    std::string bytes(reinterpret_cast<const char*>(&value), sizeof value);
    if (swap) std::reverse(bytes.begin(), bytes.end());
    out += bytes;
}

/// A square with properties of many kinds around the ones that matter, and an element to skip.
std::string binary_ply(bool big_endian) {
    std::string out = "ply\r\nformat binary_" + std::string(big_endian ? "big" : "little") +
                      "_endian 1.0\r\ncomment made by hand\r\nelement camera 1\r\n"
                      "property list uchar short path\r\nproperty double zoom\r\n"
                      "element vertex 4\r\nproperty uchar red\r\nproperty double z\r\n"
                      "property float x\r\nproperty short y\r\nelement face 1\r\n"
                      "property float area\r\nproperty list ushort uchar vertex_index\r\n"
                      "property list int float uv\r\nend_header\r\n";
    const auto add = [&](auto value) { put(out, value, big_endian); };
    add(std::uint8_t{2}), add(std::int16_t{1}), add(std::int16_t{2}), add(0.5);
    for (int i = 0; i < 4; ++i)
        add(std::uint8_t{255}), add(0.25 * i), add(static_cast<float>(i)), add(std::int16_t(-i));
    add(1.0f), add(std::uint16_t{4});
    for (std::uint8_t i = 0; i < 4; ++i) add(i);
    add(std::int32_t{1}), add(0.0f);
    return out;
}

} // namespace

TEST(Textured, obj_points_are_split_at_seams) {
    // Two triangles on one edge; its first point has two UVs, its second one.
    const std::string text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
                             "vt 0 0\nvt 1 0\nvt 1 1\nvt .5 .25\nvt 0 1 0\n"
                             "f 1/1 2/2 3/3\nf 1/4/1 3/3/2 4/-1\n";
    const TexturedMesh textured = parse_textured_obj(text, "mesh");
    ASSERT_EQ(textured.mesh.points.size(), 5u);
    ASSERT_EQ(textured.uv.size(), 5u);
    EXPECT_EQ(textured.mesh.triangles[0], (Triangle{0, 1, 2}));
    EXPECT_EQ(textured.mesh.triangles[1], (Triangle{3, 2, 4}));
    EXPECT_EQ(textured.mesh.points[3], textured.mesh.points[0]);
    EXPECT_EQ(textured.uv[0], Vec3<float>(0, 0, 0));
    EXPECT_EQ(textured.uv[3], Vec3<float>(0.5f, 0.25f, 0));
    EXPECT_EQ(textured.uv[4], Vec3<float>(0, 1, 0));
    // Read as a plain mesh it is unchanged, and one face without UV removes all UVs.
    EXPECT_EQ(parse_obj(text, "mesh").points.size(), 4u);
    EXPECT_TRUE(parse_textured_obj(text + "f 1 2 4\n", "mesh").uv.empty());
    const auto wrong = [](const std::string& line) {
        return error_of(parse_textured_obj, "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\n" + line + "\n");
    };
    EXPECT_NE(wrong("f 1/1 2/1 3/2").find("uses texture point 2"), std::string::npos);
    EXPECT_NE(wrong("vt 0").find("line 5"), std::string::npos);
    EXPECT_NE(wrong("f 1/x 2/1 3/1").find("not the index"), std::string::npos);
}

TEST(Textured, ply_texture_coordinates_are_read_under_any_name) {
    for (const auto& [u, v] : {std::pair("s", "t"), {"u", "v"}, {"texture_u", "texture_v"}}) {
        const std::string head =
            std::string("ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n"
                        "property float y\nproperty float z\nproperty float ") +
            u + "\nproperty float " + v +
            "\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n";
        const std::string body = "0 0 0 0.5 0.25\n1 0 0 1 0\n0 1 0 0 1\n3 0 1 2\n";
        const TexturedMesh textured = parse_textured_ply(head + body, "mesh");
        ASSERT_EQ(textured.uv.size(), 3u);
        EXPECT_EQ(textured.uv[0], Vec3<float>(0.5f, 0.25f, 0));
        EXPECT_EQ(textured.uv[2], Vec3<float>(0, 1, 0));
        const std::string broken = head + "0 0 0 nan 0\n1 0 0 1 0\n0 1 0 0 1\n3 0 1 2\n";
        EXPECT_EQ(parse_ply(broken, "mesh").points.size(), 3u);
        EXPECT_THROW(parse_textured_ply(broken, "mesh"), Error);
    }
}

TEST(Textured, written_texture_coordinates_are_read_back) {
    const TriMesh mesh = some_mesh();
    std::vector<float> uv;
    for (std::size_t i = 0; i < mesh.points.size(); ++i)
        uv.insert(uv.end(), {0.01f * float(i), 1 - 0.02f * float(i), 0});
    const PointAttributes attributes{{"uv", 3, Meaning::value, uv}};
    for (const TexturedMesh& back : {parse_textured_obj(format_obj(mesh, attributes), "mesh"),
                                     parse_textured_ply(format_ply(mesh, attributes), "mesh")}) {
        ASSERT_EQ(back.uv.size(), mesh.points.size());
        for (std::size_t i = 0; i < back.uv.size(); ++i) {
            EXPECT_EQ(back.uv[i], Vec3<float>(uv[3 * i], uv[3 * i + 1], 0));
            EXPECT_EQ(back.mesh.points[i], mesh.points[i]);
        }
    }
}

TEST(IoMesh, obj_is_read_in_all_its_spellings) {
    const TriMesh mesh = parse_obj("# a comment\r\n"
                                   "mtllib none.mtl\r\n"
                                   "o thing\r\n"
                                   "v 0 0 0\r\n"
                                   "v  1.5e0\t0 -0.25 1.0  # with a weight\r\n"
                                   "v 1 +1 0 0.1 0.2 0.3\r\n"
                                   "v 0 1 0\r\n"
                                   "vt 0 0\r\nvn 0 0 1\r\ns off\r\nusemtl clay\r\n"
                                   "f 1/1/1 2/1/1 3/1/1 4/1/1\r\n"
                                   "f 1//1 2//1 \\\r\n 3//1\r\n"
                                   "f -4 -3 -2\r\n"
                                   "  f 5 1 2 # the point follows\r\n"
                                   "l 1 2\r\n"
                                   "v 9 9 9",
                                   "mesh");
    EXPECT_EQ(mesh.points.size(), 5u);
    EXPECT_EQ(mesh.points[1], Vec3d(1.5, 0, -0.25));
    EXPECT_EQ(mesh.triangles,
              (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}, {0, 1, 2}, {0, 1, 2}, {4, 0, 1}}));
}

TEST(IoMesh, obj_errors_name_the_line) {
    const std::string points = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    EXPECT_NE(obj_error(points).find("no faces"), std::string::npos);
    EXPECT_NE(obj_error("").find("no faces"), std::string::npos);
    EXPECT_NE(obj_error(points + "f 1 2 4\n").find("mesh line 4: a face uses point 4"),
              std::string::npos);
    EXPECT_NE(obj_error(points + "\nf 1 2 -4\n").find("line 5"), std::string::npos);
    EXPECT_NE(obj_error(points + "f 1 2 0\n").find("line 4"), std::string::npos);
    EXPECT_NE(obj_error(points + "f 1 2 x\n").find("'x' is not the index"), std::string::npos);
    EXPECT_NE(obj_error(points + "f 1 2\n").find("three points or more"), std::string::npos);
    EXPECT_NE(obj_error("v 0 0\nf 1 1 1\n").find("line 1: a point needs"), std::string::npos);
    EXPECT_NE(obj_error("v 0 nan 0\nf 1 1 1\n").find("line 1: a coordinate is not finite"),
              std::string::npos);
    EXPECT_NE(obj_error("v 0 1e999 0\nf 1 1 1\n").find("not finite"), std::string::npos);
    EXPECT_NE(obj_error(points + "f 1 2 99999999999999999999\n").find("line 4"), std::string::npos);
}

TEST(IoMesh, ply_is_read_as_text) {
    const TriMesh mesh = parse_ply("ply\nformat ascii 1.0\nobj_info x\nelement vertex 4\n"
                                   "property float x\nproperty float y\nproperty float z\n"
                                   "property float vx\nproperty float vy\nproperty float vz\n"
                                   "element face 1\nproperty list uchar int vertex_indices\n"
                                   "element edge 1\nproperty int a\nend_header\n"
                                   "0 0 0 1 2 3\n1 0 0 1 2 3\n1 1 0 1 2 3\n0 .1 1e-3 4 5 6\n"
                                   "4 0 1 2 3\n7",
                                   "mesh");
    EXPECT_EQ(mesh.points[3], Vec3d(0, 0.1, 1e-3));
    EXPECT_EQ(mesh.velocities[3], Vec3d(4, 5, 6));
    EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
}

TEST(IoMesh, ply_is_read_in_both_byte_orders) {
    for (const bool big : {false, true}) {
        const TriMesh mesh = parse_ply(binary_ply(big), "mesh");
        ASSERT_EQ(mesh.points.size(), 4u);
        for (int i = 0; i < 4; ++i)
            EXPECT_EQ(mesh.points[static_cast<std::size_t>(i)], Vec3d(i, -i, 0.25 * i));
        EXPECT_TRUE(mesh.velocities.empty());
        EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
    }
}

TEST(IoMesh, ply_errors_state_the_place) {
    const std::string head = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n"
                             "property float y\nproperty float z\nelement face 1\n"
                             "property list uchar int vertex_indices\nend_header\n";
    const std::string points = "0 0 0\n1 0 0\n0 1 0\n";
    EXPECT_EQ(ply_error(head + points + "3 0 1 2\n"), "");
    EXPECT_NE(ply_error(head + points + "3 0 1 3\n").find("a face uses point 3"),
              std::string::npos);
    EXPECT_NE(ply_error(head + points + "3 0 1 -1\n").find("not the index"), std::string::npos);
    EXPECT_NE(ply_error(head + points + "2 0 1\n").find("three points or more"), std::string::npos);
    EXPECT_NE(ply_error(head + points + "3 0 1").find("byte"), std::string::npos);
    EXPECT_NE(ply_error(head + "0 0 0\n1 inf 0\n0 1 0\n3 0 1 2\n").find("not finite"),
              std::string::npos);
    EXPECT_NE(ply_error(head + "0 0 0\n1 x 0\n0 1 0\n3 0 1 2\n").find("not a number"),
              std::string::npos);
    EXPECT_NE(ply_error("solid stl").find("not a PLY"), std::string::npos);
    EXPECT_NE(ply_error("ply\nformat ascii 1.0\nelement vertex 3\n").find("header does not end"),
              std::string::npos);
    EXPECT_NE(ply_error("ply\nformat middle 1.0\nend_header\n").find("byte 4"), std::string::npos);
    EXPECT_NE(ply_error("ply\nformat ascii 1.0\nelement vertex 3\nelement vertex 8\nend_header\n")
                  .find("two elements 'vertex'"),
              std::string::npos);
    EXPECT_NE(ply_error("ply\nformat ascii 1.0\nelement vertex 1\nproperty quad x\nend_header\n")
                  .find("'quad' is unknown"),
              std::string::npos);
    // A count that the file cannot hold costs no memory.
    EXPECT_NE(ply_error("ply\nformat binary_little_endian 1.0\nelement vertex 1000000000000\n"
                        "property float x\nproperty float y\nproperty float z\nend_header\n")
                  .find("ends before its 1000000000000 elements 'vertex'"),
              std::string::npos);
    EXPECT_NE(ply_error("ply\nformat ascii 1.0\nelement nothing 9000000000000000000\nend_header\n")
                  .find("no faces"),
              std::string::npos);
}

TEST(IoMesh, written_meshes_read_back_exactly) {
    const TriMesh mesh = some_mesh();
    const TriMesh ply = parse_ply(format_ply(mesh), "mesh");
    EXPECT_EQ(ply.points, mesh.points);
    EXPECT_EQ(ply.velocities, mesh.velocities);
    EXPECT_EQ(ply.triangles, mesh.triangles);
    const TriMesh obj = parse_obj(format_obj(mesh), "mesh");
    EXPECT_EQ(obj.points, mesh.points);
    EXPECT_EQ(obj.triangles, mesh.triangles);

    const std::string name =
        (fs::temp_directory_path() / ("nendo-mesh-" + std::to_string(::getpid()))).string();
    for (const char* suffix : {".obj", ".PLY"}) {
        write_mesh(name + suffix, mesh);
        EXPECT_EQ(read_mesh(name + suffix).points, mesh.points);
        fs::remove(name + suffix);
    }
    EXPECT_THROW(read_mesh("mesh.stl"), Error);
    TriMesh uneven = mesh;
    uneven.velocities.pop_back();
    EXPECT_THROW(format_ply(uneven), Error);
}

TEST(IoMesh, damaged_files_are_read_or_throw) {
    std::mt19937 random(2);
    for (const std::string& bytes :
         {format_ply(some_mesh()), format_obj(some_mesh()), binary_ply(true)})
        for (int round = 0; round < 2000; ++round) {
            std::string damaged = bytes;
            for (int i = 0; i < 3; ++i)
                damaged[random() % damaged.size()] = static_cast<char>(random() % 256);
            if (round % 4 == 0) damaged.resize(random() % damaged.size());
            if (bytes[0] == 'p')
                ply_error(damaged);
            else
                obj_error(damaged);
        }
}
