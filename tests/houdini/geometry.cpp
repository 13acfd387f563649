// SPDX-License-Identifier: Apache-2.0
// Tables become points of a geometry and read back to the same bits.
#include "dop/bridge/geometry.h"

#include "core/hash.h"
#include "elastoplastic/state.h"
#include "io/geo/table.h"

#include <gtest/gtest.h>

#include <random>

namespace nendo::houdini {
namespace {

using Masters = elastoplastic::Masters<float>;
using elastoplastic::Details;

/// A table of distinct numbers, including limits, tiny numbers and signed zeros.
Masters make_masters(std::size_t count, unsigned seed = 1) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> number(-10, 10);
    Masters table;
    resize_table(table, count);
    for_each_field(table, [&](auto& column, const Field&) {
        using T = typename std::decay_t<decltype(column)>::value_type;
        using Traits = ElementTraits<T>;
        for (T& entry : column)
            for (int k = 0; k < Traits::width; ++k)
                Traits::set(entry, k, static_cast<typename Traits::Scalar>(number(random)));
    });
    for (std::size_t i = 0; i < count; ++i) table.id[i] = static_cast<std::int64_t>(7 * i + 3);
    table.yield_stretch[0] = std::numeric_limits<float>::infinity();
    table.C[0](1, 2) = -0.0f;
    table.F_E[1](0, 2) = 1e-42f;
    return table;
}

std::uint64_t hash_of(const Masters& table) {
    elastoplastic::State<float> state;
    state.masters = table;
    return hash_state(state);
}

Masters read_back(const GU_Detail& gdp) {
    Masters table;
    EXPECT_TRUE(points_to_table(gdp, point_offsets(gdp), table, "test").empty());
    return table;
}

std::string message_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& e) {
        EXPECT_FALSE(e.remedy().empty()) << e.what();
        return e.what();
    }
    return "nothing was wrong";
}

TEST(Geometry, a_table_reads_back_to_the_same_bits) {
    const Masters table = make_masters(2500); // several pages
    GU_Detail gdp;
    table_to_points(table, {}, gdp, "test");
    EXPECT_EQ(gdp.getNumPoints(), 2500);
    EXPECT_EQ(hash_of(read_back(gdp)), hash_of(table));
}

TEST(Geometry, attributes_are_the_ones_of_the_command_lines_files) {
    const Masters table = make_masters(5);
    GU_Detail gdp;
    table_to_points(table, {}, gdp, "test");
    Geometry file;
    nendo::table_to_points(table, file);
    for (const Attribute& a : file.point_attributes) {
        const GA_Attribute* found = gdp.findAttribute(GA_ATTRIB_POINT, a.name);
        ASSERT_NE(found, nullptr) << a.name;
        EXPECT_EQ(found->getTupleSize(), a.tuple_size) << a.name;
        const auto* floats = std::get_if<std::vector<float>>(&a.values);
        if (floats == nullptr) continue;
        const GA_ROHandleF handle(found);
        ASSERT_TRUE(handle.isValid()) << a.name;
        for (std::size_t k = 0; k < floats->size(); ++k)
            EXPECT_EQ(handle.get(static_cast<GA_Offset>(k) / a.tuple_size,
                                 static_cast<int>(k) % a.tuple_size),
                      (*floats)[k])
                << a.name;
    }
    EXPECT_EQ(gdp.findAttribute(GA_ATTRIB_POINT, "F_E")->getOptions().typeInfo(),
              GA_TYPE_TRANSFORM);
}

TEST(Geometry, points_keep_their_offsets_and_foreign_attributes) {
    Masters table = make_masters(40);
    GU_Detail gdp;
    Places places = table_to_points(table, {}, gdp, "test");
    const GA_RWHandleI color(gdp.addIntTuple(GA_ATTRIB_POINT, "color", 1));
    for (const auto& [id, offset] : places) color.set(offset, static_cast<int>(id));

    // The rows have another order; some are gone, and two are new.
    std::vector<std::uint32_t> order = {5, 39, 0, 17, 22, 8, 31, 1, 1};
    gather_table(table, order);
    table.id[7] = 1000;
    table.id[8] = 1001;
    const Places after = table_to_points(table, places, gdp, "test");
    EXPECT_EQ(gdp.getNumPoints(), 9);
    EXPECT_EQ(hash_of(read_back(gdp)), hash_of(table));
    for (const auto& [id, offset] : after) {
        if (id >= 1000) {
            EXPECT_GE(offset, 40) << "a new point replaced an old one";
            EXPECT_EQ(color.get(offset), 0);
        } else {
            EXPECT_EQ(offset, places[id]);
            EXPECT_EQ(color.get(offset), id);
        }
    }
    EXPECT_NE(gdp.pointOffset(1), 1) << "the geometry has no holes: the test checks nothing";
    EXPECT_EQ(gdp.standin_group_count(), 0u);
}

TEST(Geometry, writing_changes_the_data_ids_that_caches_rely_on) {
    const Masters table = make_masters(3);
    GU_Detail gdp;
    const Places places = table_to_points(table, {}, gdp, "test");
    GA_Attribute* other = gdp.addFloatTuple(GA_ATTRIB_POINT, "other", 1);
    std::map<std::string, GA_DataId> before;
    gdp.standin_each_attribute(
        [&](const GA_Attribute& a) { before[a.getName().c_str()] = a.getDataId(); });
    const GA_DataId topology = gdp.standin_topology_id();
    table_to_points(table, places, gdp, "test");
    EXPECT_EQ(gdp.standin_topology_id(), topology);
    EXPECT_EQ(other->getDataId(), before["other"]) << "nothing was written to it";
    EXPECT_NE(gdp.getP()->getDataId(), before["P"]);
    EXPECT_NE(gdp.findAttribute(GA_ATTRIB_POINT, "v")->getDataId(), before["v"]);
    table_to_points(make_masters(4), places, gdp, "test");
    EXPECT_NE(gdp.standin_topology_id(), topology);
}

TEST(Geometry, missing_columns_are_named_and_zero_unless_they_are_optional) {
    const Masters table = make_masters(4);
    GU_Detail gdp;
    table_to_points(table, {}, gdp, "test");
    for (const char* name : {"F_E", "pin", "force", "goal"})
        EXPECT_TRUE(gdp.destroyAttribute(GA_ATTRIB_POINT, name));
    Masters found;
    EXPECT_EQ(points_to_table(gdp, point_offsets(gdp), found, "test"),
              (std::vector<std::string>{"F_E", "pin"}));
    EXPECT_EQ(found.F_E[2].norm(), 0.0f);
    EXPECT_EQ(found.force[2].norm(), 0.0f);
    EXPECT_EQ(found.x[2], table.x[2]);
}

TEST(Geometry, attributes_of_another_type_or_size_are_errors_with_a_remedy) {
    const Masters table = make_masters(4);
    const auto read_with = [&](const std::function<void(GU_Detail&)>& change) {
        GU_Detail gdp;
        table_to_points(table, {}, gdp, "data 'Geometry'");
        change(gdp);
        return message_of([&] {
            Masters found;
            points_to_table(gdp, point_offsets(gdp), found, "data 'Geometry'");
        });
    };
    EXPECT_EQ(read_with([](GU_Detail& gdp) { gdp.addFloatTuple(GA_ATTRIB_POINT, "F_E", 4); }),
              "data 'Geometry': attribute 'F_E' holds 4 real values, not 9 real values; rename or "
              "delete it before the solver, or make it 9 real values");
    EXPECT_EQ(read_with([](GU_Detail& gdp) { gdp.addIntTuple(GA_ATTRIB_POINT, "mass", 1); }),
              "data 'Geometry': attribute 'mass' holds 1 integer value, not 1 real value; rename "
              "or delete it before the solver, or make it 1 real value");
    EXPECT_EQ(read_with([](GU_Detail& gdp) { gdp.addStringTuple(GA_ATTRIB_POINT, "id", 1); }),
              "data 'Geometry': attribute 'id' holds text, not 1 integer value; rename or delete "
              "it before the solver, or make it 1 integer value");
    EXPECT_EQ(read_with([](GU_Detail& gdp) { gdp.addIntArray(GA_ATTRIB_POINT, "body"); }),
              "data 'Geometry': attribute 'body' holds arrays, not 1 integer value; rename or "
              "delete it before the solver, or make it 1 integer value");
}

TEST(Geometry, houdinis_32_bit_ids_are_accepted_while_all_ids_fit) {
    Masters table = make_masters(3);
    GU_Detail gdp;
    gdp.addIntTuple(GA_ATTRIB_POINT, "id", 1);
    table_to_points(table, {}, gdp, "test");
    EXPECT_EQ(hash_of(read_back(gdp)), hash_of(table));
    table.id[1] = std::int64_t(1) << 40;
    GU_Detail wide;
    table_to_points(table, {}, wide, "test");
    EXPECT_EQ(hash_of(read_back(wide)), hash_of(table));
    EXPECT_NE(message_of([&] { table_to_points(table, {}, gdp, "test"); }).find("does not fit"),
              std::string::npos);
}

TEST(Geometry, more_precision_is_kept_and_less_is_refused) {
    const Masters table = make_masters(3);
    GU_Detail gdp;
    gdp.addTuple(GA_STORE_REAL64, GA_ATTRIB_POINT, "F_E", 9);
    gdp.addTuple(GA_STORE_REAL64, GA_ATTRIB_POINT, "yield_stretch", 1);
    table_to_points(table, {}, gdp, "test");
    EXPECT_EQ(hash_of(read_back(gdp)), hash_of(table));

    gdp.addTuple(GA_STORE_REAL32, GA_ATTRIB_DETAIL, "time", 1);
    EXPECT_EQ(message_of([&] { details_to_detail(Details{}, gdp, "test"); }),
              "test: attribute 'time' has too little precision; make it 64-bit, or delete it "
              "before the solver");
}

TEST(Geometry, single_values_read_back_to_the_same_bits) {
    Details details;
    details.time = 0.1 + 0.2;
    details.next_master = (std::int64_t(1) << 53) + 1;
    details.slave_density_max = 1.0 / 3;
    details.slaves_removed = -5;
    GU_Detail gdp;
    Details found;
    EXPECT_FALSE(detail_to_details(gdp, found, "test"));
    details_to_detail(details, gdp, "test");
    ASSERT_TRUE(detail_to_details(gdp, found, "test"));
    EXPECT_EQ(found.time, details.time);
    EXPECT_EQ(found.next_master, details.next_master);
    EXPECT_EQ(found.slave_density_max, details.slave_density_max);
    EXPECT_EQ(found.slaves_removed, details.slaves_removed);
    gdp.destroyAttribute(GA_ATTRIB_DETAIL, "next_slave");
    EXPECT_NE(message_of([&] { detail_to_details(gdp, found, "test"); }).find("'next_slave'"),
              std::string::npos);
}

TEST(Geometry, pairs_are_stored_on_the_first_point_and_deleted_with_it) {
    const Masters table = make_masters(4); // ids 3, 10, 17, 24
    GU_Detail gdp;
    const Places places = table_to_points(table, {}, gdp, "test");
    const std::vector<std::int64_t> first = {3, 3, 17}, second = {10, 24, std::int64_t(1) << 33};
    pairs_to_points(first, second, places, gdp, "neighbours", "test");
    std::vector<std::int64_t> a, b;
    points_to_pairs(gdp, point_offsets(gdp), table.id, "neighbours", "test", a, b);
    EXPECT_EQ(a, first);
    EXPECT_EQ(b, second);

    GA_PointGroup* group = gdp.newPointGroup("gone");
    group->addOffset(places.at(3));
    gdp.destroyPointOffsets(GA_Range(*group));
    const Masters rest = read_back(gdp);
    points_to_pairs(gdp, point_offsets(gdp), rest.id, "neighbours", "test", a, b);
    EXPECT_EQ(a, std::vector<std::int64_t>{17});

    pairs_to_points({}, {}, places, gdp, "neighbours", "test");
    points_to_pairs(gdp, point_offsets(gdp), rest.id, "neighbours", "test", a, b);
    EXPECT_TRUE(a.empty());
    EXPECT_NE(message_of([&] {
                  pairs_to_points({}, {}, places, gdp, "P", "test");
              }).find("does not hold arrays"),
              std::string::npos);
}

TEST(StandIn, handles_expire_with_their_attribute_and_offsets_with_their_point) {
    GU_Detail gdp;
    const GA_Offset point = gdp.appendPointBlock(2);
    const GA_RWHandleF handle(gdp.addFloatTuple(GA_ATTRIB_POINT, "a", 1));
    handle.set(point, 2.5f);
    EXPECT_EQ(handle.get(point), 2.5f);
    EXPECT_FALSE(GA_ROHandleI(gdp.findAttribute(GA_ATTRIB_POINT, "a")).isValid());
    EXPECT_FALSE(GA_ROHandleV3(gdp.findAttribute(GA_ATTRIB_POINT, "a")).isValid());
    GU_Detail copy;
    copy.replaceWith(gdp);
    GA_PointGroup* group = gdp.newPointGroup("gone");
    group->addOffset(point);
    gdp.destroyPointOffsets(GA_Range(*group));
    EXPECT_THROW(handle.get(point), std::logic_error);
    EXPECT_EQ(gdp.pointOffset(0), point + 1);
    gdp.destroyAttribute(GA_ATTRIB_POINT, "a");
    EXPECT_FALSE(handle.isValid());
    EXPECT_THROW(handle.get(point + 1), std::logic_error);
    // A copy is independent, although it shares pages until one of the two is written.
    const GA_RWHandleF other(copy.findAttribute(GA_ATTRIB_POINT, "a"));
    EXPECT_EQ(other.get(point), 2.5f);
}

} // namespace
} // namespace nendo::houdini
