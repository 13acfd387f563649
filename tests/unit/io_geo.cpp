// SPDX-License-Identifier: Apache-2.0
// Houdini geometry: real files, our own files to the last bit, and damaged files.
#include "core/error.h"
#include "elastoplastic/state.h"
#include "io/file.h"
#include "io/geo/geo.h"
#include "io/geo/scf.h"
#include "io/geo/table.h"
#include "support/source_dir.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include <unistd.h>

namespace fs = std::filesystem;
using namespace nendo;

namespace {

const char* const formats[] = {"x.geo", "x.bgeo", "x.bgeo.sc"};

/// A folder for one test, deleted afterwards.
class Folder {
public:
    Folder()
        : m_path(fs::temp_directory_path() /
                 (std::string("nendo-") + std::to_string(::getpid()) + "-" +
                  testing::UnitTest::GetInstance()->current_test_info()->name())) {
        fs::create_directories(m_path);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { fs::remove_all(m_path); }
    std::string file(const std::string& name) const { return (m_path / name).string(); }
    std::size_t count() const {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(m_path), fs::directory_iterator()));
    }

private:
    fs::path m_path;
};

fs::path real_files() {
    return test::source_dir() / ".." / "shared/data/houdini-files";
}

/// The error of reading these bytes: one line that names the file and a remedy.
std::string error_of(const std::string& bytes, const std::string& path = "x.bgeo") {
    try {
        parse_geometry(bytes, path);
    } catch (const Error& error) {
        const std::string what = error.what();
        EXPECT_EQ(what.find('\n'), std::string::npos) << what;
        EXPECT_EQ(what.rfind(path, 0), 0u) << what;
        EXPECT_FALSE(error.remedy().empty()) << what;
        return what;
    }
    return "";
}

template <class Real> elastoplastic::Masters<Real> some_masters(std::size_t n) {
    elastoplastic::Masters<Real> table;
    resize_table(table, n);
    std::mt19937_64 random(7);
    for_each_field(table, [&](auto& column, const Field& f) {
        using Traits = ElementTraits<typename std::decay_t<decltype(column)>::value_type>;
        for (std::size_t i = 0; i < n; ++i)
            for (int k = 0; k < Traits::width; ++k) {
                using Scalar = typename Traits::Scalar;
                Scalar value = static_cast<Scalar>(random());
                if constexpr (std::is_floating_point_v<Scalar>) {
                    // All bit patterns of finite numbers, including denormal ones.
                    do {
                        const std::uint64_t bits = random();
                        std::memcpy(&value, &bits, sizeof value);
                    } while (!std::isfinite(value) ||
                             std::abs(value) == std::numeric_limits<Scalar>::max());
                    if (i % 7 == 0) value = Scalar(-0.0);
                    if (f.may_be_none_ && i % 3 == 0)
                        value = std::numeric_limits<Scalar>::infinity();
                }
                Traits::set(column[i], k, value);
            }
    });
    return table;
}

template <class Table> bool same_bits(const Table& a, const Table& b) {
    std::vector<std::string> bytes_a, bytes_b;
    const auto collect = [](const Table& table, std::vector<std::string>& all) {
        for_each_field(table, [&](const auto& column, const Field&) {
            std::string bytes(column.size() * sizeof(column[0]), '\0');
            std::memcpy(bytes.data(), static_cast<const void*>(column.data()), bytes.size());
            all.push_back(bytes);
        });
    };
    collect(a, bytes_a);
    collect(b, bytes_b);
    return bytes_a == bytes_b;
}

/// A geometry with one of everything that can be written.
Geometry some_geometry() {
    Geometry g;
    table_to_points(some_masters<float>(12), g);
    details_to_attributes(elastoplastic::Details{1.25, 1LL << 60, 3, 0.5, 4, -5}, g);
    g.vertex_points = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, -1};
    const std::int32_t a[] = {0, 1, 2}, b[] = {3, 4, 5, 6}, c[] = {9, 7, 8}, d[] = {10, 0};
    g.add_polygon(true, a, 3);
    g.add_polygon(true, b, 4);
    g.add_polygon(false, c, 3);
    g.add_polygon(true, d, 2);
    Attribute names;
    names.name = "name";
    names.values = StringColumn{{"clay", "gum \"soft\"\n\\ \t\x01 \xc3\xa9"}, {0, 1, -1, 0}};
    g.primitive_attributes.push_back(names);
    Attribute uv;
    uv.name = "uv";
    uv.type_info = "texturecoord";
    uv.tuple_size = 2;
    uv.values = std::vector<double>(22, 0.1);
    g.vertex_attributes.push_back(uv);
    g.primitive_groups.push_back({"odd", {0, 1, 0, 1}, {}});
    g.point_groups.push_back({"chain", {1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1}, {11, 0, 2}});
    return g;
}

} // namespace

TEST(IoGeo, pairs_of_real_files_hold_the_same_data) {
    if (!fs::exists(real_files())) GTEST_SKIP() << "there are no Houdini files beside the sources";
    int pairs = 0;
    for (const auto& entry : fs::directory_iterator(real_files())) {
        if (entry.path().extension() != ".geo") continue;
        fs::path binary = entry.path();
        binary.replace_extension(".bgeo");
        const Geometry text = read_geometry(entry.path().string());
        EXPECT_TRUE(same_content(text, read_geometry(binary.string()))) << entry.path();
        EXPECT_GT(text.point_count, 0u);
        ++pairs;
    }
    EXPECT_GE(pairs, 16);
}

TEST(IoGeo, real_files_hold_what_houdini_reported) {
    if (!fs::exists(real_files())) GTEST_SKIP() << "there are no Houdini files beside the sources";
    for (const char* name : {"cube_primgroup.bgeo", "cube_primgroup_16.geo"}) {
        const Geometry cube = read_geometry((real_files() / name).string());
        EXPECT_EQ(cube.point_count, 8u);
        EXPECT_EQ(cube.vertex_count(), 24u);
        ASSERT_EQ(cube.primitives.size(), 1u);
        const auto& faces = std::get<Polygons>(cube.primitives[0]);
        EXPECT_EQ(faces.sizes, std::vector<std::int32_t>(6, 4));
        ASSERT_EQ(cube.primitive_groups.size(), 1u);
        EXPECT_EQ(cube.primitive_groups[0].name, "faces");
        EXPECT_EQ(cube.primitive_groups[0].members, (std::vector<std::uint8_t>{0, 0, 1, 1, 1, 0}));
    }
    // Houdini 13 packs P as three varying numbers and a constant page of ones.
    const Geometry old = read_geometry((real_files() / "points_noprim.bgeo").string());
    const Attribute* p = find_attribute(old.point_attributes, "P");
    ASSERT_NE(p, nullptr);
    EXPECT_EQ(p->tuple_size, 4);
    const auto& values = std::get<std::vector<float>>(p->values);
    EXPECT_EQ(values[4], -0.0866123065351999954f);
    for (std::size_t i = 3; i < values.size(); i += 4) EXPECT_EQ(values[i], 1.0f);
    EXPECT_EQ(find_attribute(old.point_attributes, "N")->type_info, "normal");
}

TEST(IoGeo, real_files_survive_reading_and_writing) {
    if (!fs::exists(real_files())) GTEST_SKIP() << "there are no Houdini files beside the sources";
    for (const auto& entry : fs::directory_iterator(real_files())) {
        const Geometry g = read_geometry(entry.path().string());
        for (const char* format : formats)
            EXPECT_TRUE(same_content(g, parse_geometry(format_geometry(format, g), format)))
                << entry.path() << " as " << format;
    }
}

TEST(IoGeo, everything_reads_back) {
    const Geometry g = some_geometry();
    for (const char* format : formats) {
        const std::string bytes = format_geometry(format, g);
        const Geometry back = parse_geometry(bytes, format);
        EXPECT_TRUE(same_content(g, back)) << format;
        EXPECT_EQ(bytes, format_geometry(format, back)) << format;
        EXPECT_EQ(std::get<StringColumn>(back.primitive_attributes[0].values).at(1),
                  "gum \"soft\"\n\\ \t\x01 \xc3\xa9");
    }
}

template <class Real> class IoGeoTable : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(IoGeoTable, Reals);

TYPED_TEST(IoGeoTable, reads_back_to_the_same_bits) {
    const auto table = some_masters<TypeParam>(3001); // more than two pages
    Geometry g;
    table_to_points(table, g);
    EXPECT_EQ(g.point_attributes[0].name, "P");
    EXPECT_EQ(find_attribute(g.point_attributes, "F_E")->type_info, "matrix");
    EXPECT_EQ(find_attribute(g.point_attributes, "v")->type_info, "vector");
    for (const char* format : formats) {
        const Geometry back = parse_geometry(format_geometry(format, g), format);
        elastoplastic::Masters<TypeParam> result;
        points_to_table(back, result, format);
        EXPECT_TRUE(same_bits(table, result)) << format;
    }
}

TEST(IoGeo, matrices_are_written_row_by_row) {
    elastoplastic::Masters<double> table;
    resize_table(table, 1);
    table.F_E[0] << 1, 2, 3, 4, 5, 6, 7, 8, 9;
    Geometry g;
    table_to_points(table, g);
    EXPECT_EQ(std::get<std::vector<double>>(find_attribute(g.point_attributes, "F_E")->values),
              (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(IoGeo, either_precision_reads_the_other) {
    auto table = some_masters<float>(10);
    Geometry g;
    table_to_points(table, g);
    elastoplastic::Masters<double> wide;
    points_to_table(g, wide, "x");
    EXPECT_EQ(wide.x[3].cast<float>(), table.x[3]);
    EXPECT_TRUE(std::isinf(wide.yield_stretch[0]));

    Geometry g_wide;
    table_to_points(wide, g_wide);
    elastoplastic::Masters<float> back;
    points_to_table(g_wide, back, "x");
    EXPECT_TRUE(same_bits(table, back));

    wide.x[4].x() = 1e300;
    Geometry too_wide;
    table_to_points(wide, too_wide);
    EXPECT_THROW(points_to_table(too_wide, back, "x"), Error);
}

TEST(IoGeo, details_read_back) {
    const elastoplastic::Details details{0.1, (1LL << 62) + 1, 7, 3.25, -1, 0};
    Geometry g;
    details_to_attributes(details, g);
    for (const char* format : formats) {
        elastoplastic::Details back;
        attributes_to_details(parse_geometry(format_geometry(format, g), format), back, format);
        EXPECT_EQ(back.time, details.time);
        EXPECT_EQ(back.next_master, details.next_master);
        EXPECT_EQ(back.slave_density_max, details.slave_density_max);
        EXPECT_EQ(back.slaves_added, details.slaves_added);
    }
}

TEST(IoGeo, missing_and_wrong_columns_are_named) {
    Geometry g;
    table_to_points(some_masters<float>(4), g);
    elastoplastic::Masters<float> table;
    const auto message = [&](const Geometry& geometry) -> std::string {
        try {
            points_to_table(geometry, table, "cache.bgeo");
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    Geometry missing = g;
    missing.point_attributes.erase(missing.point_attributes.begin() + 2);
    const std::string name = g.point_attributes[2].name;
    EXPECT_NE(message(missing).find("cache.bgeo: attribute '" + name + "' is missing"),
              std::string::npos);
    EXPECT_NE(message(missing).find("P, id, "), std::string::npos) << message(missing);

    Geometry narrow = g;
    narrow.point_attributes[0].tuple_size = 1;
    narrow.point_attributes[0].values = std::vector<float>(4);
    EXPECT_NE(message(narrow).find("attribute 'P' holds 1 real values"), std::string::npos);
    Geometry integer = g;
    for (Attribute& a : integer.point_attributes)
        if (a.name == "mass") a.values = std::vector<std::int32_t>(4);
    EXPECT_NE(message(integer).find("attribute 'mass' holds 1 integer values"), std::string::npos);
    EXPECT_EQ(table.id.size(), 0u); // nothing was read in part

    Geometry extra = g;
    extra.point_attributes.push_back(g.point_attributes[0]);
    extra.point_attributes.back().name = "rest";
    EXPECT_EQ(message(extra), "");
}

TEST(IoGeo, values_that_are_not_finite_are_refused) {
    auto table = some_masters<float>(3);
    table.v[1].y() = std::numeric_limits<float>::quiet_NaN();
    Geometry g;
    EXPECT_THROW(table_to_points(table, g), Error);
}

TEST(IoGeo, pages_are_read_in_every_packing) {
    const auto values = [](const std::string& block) {
        const std::string text =
            "[\"fileversion\",\"20.5.0\",\"pointcount\",5,\"vertexcount\",0,\"primitivecount\",0,"
            "\"attributes\",[\"pointattributes\",[[[\"scope\",\"public\",\"type\",\"numeric\","
            "\"name\",\"P\"],[\"size\",3,\"storage\",\"fpreal32\",\"values\",[\"size\",3,"
            "\"storage\",\"fpreal32\"," +
            block + "]]]]]]";
        const Geometry g = parse_geometry(text, "pages.geo");
        return std::get<std::vector<float>>(g.point_attributes[0].values);
    };
    const std::vector<float> mixed{10, 20, 30, 10, 21, 31, 12, 22, 32, 13, 22, 32, 14, 24, 34};
    EXPECT_EQ(values("\"pagesize\",2,\"packing\",[1,2],\"constantpageflags\",[[true,false,true],"
                     "[false,true,false]],\"rawpagedata\",[10,20,30,21,31,12,13,22,32,14,24,34]"),
              mixed);
    EXPECT_EQ(values("\"arrays\",[[10,10,12,13,14],[20,21,22,22,24],[30,31,32,32,34]]"), mixed);
    EXPECT_EQ(values("\"pagesize\",1024,\"constantpageflags\",[[true]],\"rawpagedata\",[1,2,3]"),
              (std::vector<float>{1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3}));
    EXPECT_THROW(values("\"pagesize\",2,\"packing\",[1,1],\"rawpagedata\",[1]"), Error);
    EXPECT_THROW(values("\"pagesize\",2,\"rawpagedata\",[1,2,3]"), Error);
    EXPECT_THROW(values("\"pagesize\",0,\"rawpagedata\",[1,2,3]"), Error);
    EXPECT_THROW(values("\"pagesize\",4,\"constantpageflags\",[[true]],\"rawpagedata\",[1,2,3]"),
                 Error);
}

TEST(IoGeo, sizes_claimed_by_a_file_are_not_trusted) {
    const std::string many =
        "[\"fileversion\",\"20.5.0\",\"pointcount\",1000000000,\"vertexcount\",0,"
        "\"primitivecount\",0,\"attributes\",[\"pointattributes\",[[[\"type\",\"numeric\","
        "\"name\",\"P\"],[\"size\",3,\"storage\",\"fpreal32\",\"values\",[\"size\",3,\"storage\","
        "\"fpreal32\",\"pagesize\",1024,\"rawpagedata\",[1,2,3]]]]]]]";
    EXPECT_NE(error_of(many).find("3 values where 3000000000 are needed"), std::string::npos);
    EXPECT_NE(error_of("[\"fileversion\",\"20.5.0\",\"pointcount\",1000000000,\"vertexcount\",0,"
                       "\"primitivecount\",0]")
                  .find("no positions"),
              std::string::npos);
    // A binary array of 2^40 floats in a file of a few bytes.
    std::string array = "\x7fNSJb\x5b\x40\x19\xf8";
    array.append({0, 0, 0, 0, 0, 1, 0, 0});
    EXPECT_NE(error_of(array).find("longer than the file"), std::string::npos);
    EXPECT_NE(error_of("\x7fNSJb\x27\xf4\xff\xff\xff\xff").find("byte"), std::string::npos);
    // Runs of polygons and groups that claim more elements than the file contains.
    const std::string run =
        "[\"fileversion\",\"20.5.0\",\"pointcount\",0,\"vertexcount\",0,\"primitivecount\","
        "2000000000,\"primitives\",[[[\"type\",\"Polygon_run\"],[\"startvertex\",0,"
        "\"nprimitives\",2000000000,\"nvertices_rle\",[0,2000000000]]]]]";
    EXPECT_NE(error_of(run).find("more vertices than there are"), std::string::npos);
}

TEST(IoGeo, nesting_is_bounded) {
    EXPECT_NE(error_of(std::string(1000000, '[')).find("nested too deeply"), std::string::npos);
    EXPECT_NE(error_of("\x7fNSJb" + std::string(1000000, '\x5b')).find("nested too deeply"),
              std::string::npos);
}

TEST(IoGeo, foreign_and_empty_files_are_refused) {
    EXPECT_NE(error_of("").find("empty"), std::string::npos);
    EXPECT_NE(error_of("BgeoV\0\0\0\5").find("not Houdini geometry"), std::string::npos);
    EXPECT_NE(error_of("[1,2,3]").find("not Houdini geometry"), std::string::npos);
    EXPECT_NE(error_of("{\"a\":1}").find("not Houdini geometry"), std::string::npos);
    EXPECT_NE(error_of("\x7f"
                       "bJSN\x5b")
                  .find("big-endian"),
              std::string::npos);
    EXPECT_THROW(read_geometry("no/such/file.bgeo"), Error);
    EXPECT_THROW(write_geometry("cache.abc", some_geometry()), Error);
}

TEST(IoGeo, truncation_is_an_error) {
    const Geometry g = some_geometry();
    for (const char* format : formats) {
        const std::string bytes = format_geometry(format, g);
        // The last byte of the text is an end of line, which is not needed.
        for (std::size_t n = 0; n + 1 < bytes.size(); n += 7)
            EXPECT_NE(error_of(bytes.substr(0, n), format), "") << format << " cut at " << n;
    }
}

TEST(IoGeo, damaged_files_are_read_or_throw) {
    const Geometry g = some_geometry();
    std::mt19937 random(1);
    for (const char* format : formats) {
        const std::string bytes = format_geometry(format, g);
        int refused = 0;
        for (int round = 0; round < 3000; ++round) {
            std::string damaged = bytes;
            const int flips = 1 + static_cast<int>(random() % 4);
            for (int i = 0; i < flips; ++i) {
                const std::size_t at = random() % damaged.size();
                damaged[at] = static_cast<char>(round % 2 == 0 ? damaged[at] ^ (1 << random() % 8)
                                                               : static_cast<int>(random() % 256));
            }
            if (round % 5 == 0) damaged.erase(random() % damaged.size(), random() % 16);
            if (error_of(damaged, format) != "") ++refused;
        }
        EXPECT_GT(refused, 100) << format;
    }
}

TEST(IoGeo, large_files_span_many_chunks) {
    std::string content(3 * (1 << 20) + 12345, '\0');
    std::mt19937 random(3);
    for (std::size_t i = 0; i < content.size(); i += 5) content[i] = static_cast<char>(random());
    const std::string packed = pack_scf(content);
    EXPECT_EQ(unpack_scf(packed, "x"), content);
    EXPECT_EQ(packed, pack_scf(content));
    EXPECT_EQ(packed.substr(0, 12), std::string("scf1\0\0\0\0\0\0\0\0", 12));
    EXPECT_EQ(packed.substr(packed.size() - 4), "1fcs");
    // Three chunk boundaries, two sizes.
    EXPECT_EQ(packed[packed.size() - 5], 40);
}

TEST(IoFile, writes_all_or_nothing) {
    const Folder folder;
    const std::string path = folder.file("a.txt");
    write_file_atomically(path, "old");
    write_file_atomically(path, {std::string_view("ne"), std::string_view("w")});
    EXPECT_EQ(read_file(path), "new");
    EXPECT_EQ(folder.count(), 1u);

    // Replacing a non-empty folder fails at the last step; nothing is left behind.
    fs::create_directory(folder.file("sub"));
    write_file_atomically(folder.file("sub/b.txt"), "b");
    try {
        write_file_atomically(folder.file("sub"), "x");
        FAIL() << "a folder was replaced by a file";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find(folder.file("sub")), std::string::npos);
    }
    EXPECT_EQ(folder.count(), 2u);
    EXPECT_EQ(read_file(folder.file("sub/b.txt")), "b");
    EXPECT_THROW(write_file_atomically(folder.file("none/c.txt"), "c"), Error);
}

TEST(IoFile, failures_state_the_reason_and_a_remedy) {
    const Folder folder;
    const auto message = [](const std::string& path) {
        try {
            read_file(path);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(message(folder.file("none")), folder.file("none") +
                                                ": cannot open the file (No such file or "
                                                "directory); check the name, and that the folder "
                                                "exists");
    EXPECT_NE(message(folder.file(".")).find("not of a folder"), std::string::npos);
}
