// SPDX-License-Identifier: Apache-2.0
// Checkpoints and state hashes: they read back to the same bits, and any damage is noticed.
#include "core/error.h"
#include "core/hash.h"
#include "elastoplastic/state.h"
#include "io/checkpoint.h"
#include "io/file.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <functional>
#include <numeric>
#include <random>
#include <string>

#include <unistd.h>

namespace fs = std::filesystem;
using namespace nendo;

namespace {

template <class Real> elastoplastic::State<Real> some_state(std::size_t n) {
    elastoplastic::State<Real> state;
    std::mt19937_64 random(11);
    elastoplastic::State<Real>::tables(state, [&](auto& table, std::string_view) {
        resize_table(table, n);
        for_each_field(table, [&](auto& column, const Field&) {
            using Traits = ElementTraits<typename std::decay_t<decltype(column)>::value_type>;
            using Scalar = typename Traits::Scalar;
            for (auto& entry : column)
                for (int k = 0; k < Traits::width; ++k)
                    Traits::set(entry, k,
                                static_cast<Scalar>(static_cast<std::int32_t>(random())) /
                                    static_cast<Scalar>(7));
        });
    });
    state.masters.yield_stretch[0] = std::numeric_limits<Real>::infinity();
    state.masters.x[1].y() = Real(-0.0);
    std::iota(state.masters.id.begin(), state.masters.id.end(), 100);
    std::iota(state.slaves.id.begin(), state.slaves.id.end(), 5);
    // A master has many neighbors: ids repeat, pairs do not.
    for (std::size_t i = 0; i < n; ++i) {
        state.neighbors.id[i] = 100 + static_cast<std::int64_t>(i / 4);
        state.neighbors.other[i] = 100 + static_cast<std::int64_t>(i % 4 + 1 + i / 4);
    }
    state.details = {0.1, 1LL << 61, 17, 1.5, 3, 2};
    return state;
}

template <class Table> void shuffle(Table& table, unsigned seed) {
    std::vector<std::uint32_t> order(table_size(table));
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), std::mt19937(seed));
    gather_table(table, order);
}

class IoCheckpoint : public testing::Test {
protected:
    IoCheckpoint()
        : path((fs::temp_directory_path() /
                ("nendo-" + std::to_string(::getpid()) + "-" +
                 testing::UnitTest::GetInstance()->current_test_info()->name() + ".nck"))
                   .string()) {}
    ~IoCheckpoint() override { fs::remove(path); }

    /// The error of reading the file: one line that names it and a remedy.
    template <class State = elastoplastic::State<double>>
    std::string error_of(const std::string& method = "elastoplastic") const {
        State state;
        state.details.time = -1;
        try {
            read_checkpoint(path, state, method);
        } catch (const Error& error) {
            const std::string what = error.what();
            EXPECT_EQ(what.find('\n'), std::string::npos) << what;
            EXPECT_EQ(what.rfind(path, 0), 0u) << what;
            EXPECT_FALSE(error.remedy().empty());
            EXPECT_EQ(state.details.time, -1) << "the state was read in part";
            return what;
        }
        return "";
    }

    const std::string path;
};

/// A state of a later version, with one more column.
struct LaterTable : elastoplastic::Slaves<double> {
    std::vector<double> warmth;
    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        elastoplastic::Slaves<double>::fields(self, visit);
        visit(self.warmth, field("warmth"));
    }
};
struct LaterState {
    LaterTable slaves;
    elastoplastic::Details details;
    template <class Self, class Visit> static void tables(Self& self, Visit&& visit) {
        visit(self.slaves, "slaves");
    }
};
struct OtherState {
    elastoplastic::Slaves<double> clusters;
    elastoplastic::Details details;
    template <class Self, class Visit> static void tables(Self& self, Visit&& visit) {
        visit(self.clusters, "clusters");
    }
};

} // namespace

TEST_F(IoCheckpoint, reads_back_the_same_state) {
    const auto state = some_state<double>(50);
    const std::string note = "{\"frame\": 12, \"scene\": \"abc\"}";
    write_checkpoint(path, state, "elastoplastic", note);
    elastoplastic::State<double> back;
    EXPECT_EQ(read_checkpoint(path, back, "elastoplastic"), note);
    EXPECT_EQ(hash_state(state), hash_state(back));
    EXPECT_EQ(back.masters.id, state.masters.id); // including the order of rows
    EXPECT_EQ(back.masters.F_E[7], state.masters.F_E[7]);
    EXPECT_EQ(back.neighbors.other, state.neighbors.other);
    EXPECT_TRUE(std::signbit(back.masters.x[1].y()));
    EXPECT_TRUE(std::isinf(back.masters.yield_stretch[0]));
    EXPECT_EQ(back.details.next_master, state.details.next_master);
    EXPECT_EQ(read_checkpoint_header(path).precision, "double");
    EXPECT_EQ(read_checkpoint_header(path).note, note);
}

TEST_F(IoCheckpoint, reads_back_floats_and_empty_tables) {
    const auto state = some_state<float>(9);
    write_checkpoint(path, state, "elastoplastic", "");
    elastoplastic::State<float> back;
    read_checkpoint(path, back, "elastoplastic");
    EXPECT_EQ(hash_state(state), hash_state(back));

    const elastoplastic::State<float> nothing;
    write_checkpoint(path, nothing, "elastoplastic", "");
    read_checkpoint(path, back, "elastoplastic");
    EXPECT_EQ(table_size(back.masters), 0u);
    EXPECT_EQ(hash_state(nothing), hash_state(back));
}

TEST_F(IoCheckpoint, notices_every_damage) {
    write_checkpoint(path, some_state<double>(3), "elastoplastic", "note");
    const std::string bytes = read_file(path);
    for (std::size_t i = 0; i < bytes.size(); i += 13) {
        std::string damaged = bytes;
        damaged[i] = static_cast<char>(damaged[i] ^ (1 << i % 8));
        write_file_atomically(path, damaged);
        EXPECT_NE(error_of(), "") << "flipped a bit of byte " << i;
        write_file_atomically(path, bytes.substr(0, i));
        EXPECT_NE(error_of(), "") << "cut at byte " << i;
    }
    write_file_atomically(path, bytes + "x");
    EXPECT_NE(error_of().find("checksum"), std::string::npos);
}

TEST_F(IoCheckpoint, says_what_does_not_match) {
    EXPECT_NE(error_of().find("No such file"), std::string::npos);
    write_checkpoint(path, some_state<double>(3), "elastoplastic", "");
    EXPECT_NE(error_of("melt").find("'elastoplastic', not 'melt'"), std::string::npos);
    EXPECT_NE(error_of<elastoplastic::State<float>>().find("double precision, not in float"),
              std::string::npos);
    EXPECT_NE(error_of<LaterState>().find("no column 'slaves.warmth'"), std::string::npos);
    EXPECT_NE(error_of<OtherState>().find("no table 'clusters'"), std::string::npos);
    EXPECT_EQ(error_of(), "");

    std::string newer = read_file(path);
    newer[8] = 2;
    write_file_atomically(path, newer);
    EXPECT_NE(error_of().find("written by a newer Nendo"), std::string::npos);
    write_file_atomically(path, "something else");
    EXPECT_NE(error_of().find("this is not a checkpoint"), std::string::npos);
}

/// A valid checksum is not enough: the announced rows must be in the file.
TEST_F(IoCheckpoint, does_not_trust_a_count_of_rows) {
    using namespace checkpoint_detail;
    write_checkpoint(path, some_state<double>(3), "elastoplastic", "");
    const Document honest = parse(read_file(path), path);
    const auto error_with = [&](const std::string& table, std::uint64_t rows, bool with_columns) {
        Document lie = honest;
        for (Table& t : lie.tables)
            if (t.name == table) {
                t.rows = rows;
                if (!with_columns) t.columns.clear();
            }
        write(path, lie);
        return error_of();
    };
    EXPECT_EQ(error_with("masters", 3, true), "");
    for (const std::uint64_t rows : {1000000000ull, ~0ull, 1ull << 61}) {
        EXPECT_NE(error_with("masters", rows, true), "") << rows;
        EXPECT_NE(error_with("masters", rows, false).find("no column"), std::string::npos) << rows;
    }
    Document none = honest;
    none.tables.back().rows = 0;
    for (Column& column : none.tables.back().columns) column.bytes = {};
    write(path, none);
    EXPECT_NE(error_of().find("0 rows, not 1"), std::string::npos);
}

TEST(HashState, does_not_depend_on_the_order_of_rows) {
    const auto state = some_state<double>(200);
    auto shuffled = state;
    shuffle(shuffled.masters, 1);
    shuffle(shuffled.slaves, 2);
    shuffle(shuffled.neighbors, 3);
    ASSERT_NE(shuffled.masters.id, state.masters.id);
    EXPECT_EQ(hash_state(state), hash_state(shuffled));
}

TEST(HashState, sees_every_bit) {
    using State = elastoplastic::State<double>;
    const State state = some_state<double>(20);
    std::vector<std::uint64_t> hashes{hash_state(state)};
    const auto changed = [&](const std::function<void(State&)>& change) {
        State other = state;
        change(other);
        hashes.push_back(hash_state(other));
    };
    changed([](State& s) { s.masters.x[3].z() = std::nextafter(s.masters.x[3].z(), 1e9); });
    changed([](State& s) { s.masters.x[1].y() = 0.0; }); // was -0.0
    changed([](State& s) { s.masters.F_P[5].transposeInPlace(); });
    changed([](State& s) { std::swap(s.masters.id[0], s.masters.id[1]); });
    changed([](State& s) { s.slaves.join[19] += 1; });
    changed([](State& s) { s.neighbors.other[0] += 50; });
    changed([](State& s) { s.details.slaves_removed += 1; });
    changed([](State& s) { std::swap(s.masters.mass, s.masters.volume); });
    changed([](State& s) { resize_table(s.slaves, 19); });
    std::sort(hashes.begin(), hashes.end());
    EXPECT_EQ(std::adjacent_find(hashes.begin(), hashes.end()), hashes.end());
}

TEST(HashState, hashing_in_pieces_gives_the_same_hash) {
    Hasher whole, pieces;
    const std::string text(1000, 'n');
    whole.add(text.data(), text.size());
    for (std::size_t i = 0; i < text.size(); i += 10) pieces.add(text.data() + i, 10);
    EXPECT_EQ(whole.digest(), pieces.digest());
    EXPECT_EQ(Hasher().digest(), 0x2d06800538d394c2u); // XXH3's value for empty input
}
