// SPDX-License-Identifier: Apache-2.0
// Checkpoints: the complete state of a solver in one file, with version and checksum. A run resumed
// from it computes the same bits. Any state whose tables and details are declared with fields can
// be written and read.
//
// File format, little-endian: "NENDOCKP", u32 version, u32 number of tables, the texts method,
// precision and note; per table: its name, u64 rows, u32 columns; per column: its name, u8 type of
// number, u8 numbers per row, the numbers; the details as a last table "details" with one row; u64
// XXH3 of everything before it. A text is its u32 length and its bytes.
#pragma once

#include "core/fields.h"
#include "core/table.h"
#include "io/file.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace nendo {

inline constexpr std::uint32_t checkpoint_version = 1;

/// The description stored in a checkpoint.
struct CheckpointHeader {
    std::string method;    ///< Name of the solver, for example "elastoplastic"
    std::string precision; ///< "float" or "double"
    std::string note;      ///< Text of the caller's own, such as scene and frame number
};

namespace checkpoint_detail {

enum class Kind : std::uint8_t { boolean, int8, int16, int32, int64, float32, float64 };

template <class Scalar> constexpr Kind kind_of() {
    if constexpr (std::is_same_v<Scalar, bool>) return Kind::boolean;
    if constexpr (std::is_same_v<Scalar, std::int8_t>) return Kind::int8;
    if constexpr (std::is_same_v<Scalar, std::int16_t>) return Kind::int16;
    if constexpr (std::is_same_v<Scalar, std::int32_t>) return Kind::int32;
    if constexpr (std::is_same_v<Scalar, std::int64_t>) return Kind::int64;
    if constexpr (std::is_same_v<Scalar, float>) return Kind::float32;
    if constexpr (std::is_same_v<Scalar, double>) return Kind::float64;
}

struct Column {
    std::string name;
    Kind kind = Kind::float64;
    std::uint8_t width = 1;
    std::string_view bytes;
};

struct Table {
    std::string name;
    std::uint64_t rows = 0;
    std::vector<Column> columns;
};

/// A checkpoint without static types. The columns' bytes belong to the state, to `storage`, or to
/// the file that was read.
struct Document {
    CheckpointHeader header;
    std::vector<Table> tables;
    std::deque<std::string> storage;
};

void write(const std::string& path, const Document& document);
/// Parses a file. The columns' bytes point into the only string of `storage`, which is the file.
/// `path` is used in messages.
Document parse(std::string file, const std::string& path);
/// Throws if the checkpoint is from another solver or has another precision.
void check_header(const CheckpointHeader& found, std::string_view method,
                  std::string_view precision, const std::string& path);
const Table& find_table(const Document& document, std::string_view name, const std::string& path);
/// Finds a column and checks that it has as many rows as the table.
const Column& find_column(const Table& table, std::string_view name, Kind kind, int width,
                          const std::string& path);
/// Throws unless the table has `rows` rows.
void check_rows(const Table& table, std::uint64_t rows, const std::string& path);

/// Finds the column of `table` for elements of type T.
template <class T>
const Column& find_column_of(const Table& table, const Field& f, const std::string& path) {
    using Traits = ElementTraits<T>;
    return find_column(table, f.name_, kind_of<typename Traits::Scalar>(), Traits::width, path);
}

/// Makes a column of `count` elements, where at(i) returns element i.
template <class T, class At>
Column make_column(Document& document, std::size_t count, const Field& f, const At& at) {
    using Traits = ElementTraits<T>;
    using Scalar = typename Traits::Scalar;
    constexpr auto width = static_cast<std::size_t>(Traits::width);
    std::string& bytes = document.storage.emplace_back();
    bytes.resize(count * width * sizeof(Scalar));
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t k = 0; k < width; ++k) {
            const Scalar value = Traits::get(at(i), static_cast<int>(k));
            std::char_traits<char>::copy(bytes.data() + (i * width + k) * sizeof(Scalar),
                                         reinterpret_cast<const char*>(&value), sizeof(Scalar));
        }
    return {std::string(f.name_), kind_of<Scalar>(), static_cast<std::uint8_t>(Traits::width),
            bytes};
}

template <class T, class At>
void read_column_into(const Table& table, std::size_t count, const Field& f,
                      const std::string& path, const At& at) {
    using Traits = ElementTraits<T>;
    using Scalar = typename Traits::Scalar;
    constexpr auto width = static_cast<std::size_t>(Traits::width);
    const Column& column = find_column_of<T>(table, f, path);
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t k = 0; k < width; ++k) {
            Scalar value;
            std::char_traits<char>::copy(reinterpret_cast<char*>(&value),
                                         column.bytes.data() + (i * width + k) * sizeof(Scalar),
                                         sizeof(Scalar));
            Traits::set(at(i), static_cast<int>(k), value);
        }
}

/// "float" if any column of the state holds floats, otherwise "double".
template <class State> std::string_view precision_of() {
    std::string_view precision = "double";
    const State state{};
    State::tables(state, [&](const auto& table, std::string_view) {
        for_each_field(table, [&](const auto& column, const Field&) {
            using T = typename std::decay_t<decltype(column)>::value_type;
            if (std::is_same_v<typename ElementTraits<T>::Scalar, float>) precision = "float";
        });
    });
    return precision;
}

} // namespace checkpoint_detail

/// Writes a checkpoint atomically. `note` is any text the caller needs to resume the run.
template <class State>
void write_checkpoint(const std::string& path, const State& state, std::string_view method,
                      std::string_view note) {
    using namespace checkpoint_detail;
    Document document;
    document.header = {std::string(method), std::string(precision_of<State>()), std::string(note)};
    State::tables(state, [&](const auto& table, std::string_view name) {
        const std::size_t rows = table_size(table);
        Table described{std::string(name), rows, {}};
        for_each_field(table, [&](const auto& column, const Field& f) {
            using T = typename std::decay_t<decltype(column)>::value_type;
            described.columns.push_back(make_column<T>(
                document, rows, f, [&](std::size_t i) -> const T& { return column[i]; }));
        });
        document.tables.push_back(std::move(described));
    });
    Table details{"details", 1, {}};
    for_each_field(state.details, [&](const auto& member, const Field& f) {
        using T = std::decay_t<decltype(member)>;
        details.columns.push_back(
            make_column<T>(document, 1, f, [&](std::size_t) -> const T& { return member; }));
    });
    document.tables.push_back(std::move(details));
    write(path, document);
}

/// Reads a checkpoint of the same method and precision and returns its note. On any problem, throws
/// an Error and leaves `state` unchanged. `path` is used in messages.
template <class State>
std::string parse_checkpoint(std::string file, const std::string& path, State& state,
                             std::string_view method) {
    using namespace checkpoint_detail;
    const Document document = parse(std::move(file), path);
    check_header(document.header, method, precision_of<State>(), path);
    State result{};
    State::tables(result, [&](auto& table, std::string_view name) {
        const Table& found = find_table(document, name, path);
        const auto rows = static_cast<std::size_t>(found.rows);
        // Checking the columns proves that the announced rows are in the file, before memory is
        // allocated for them.
        for_each_field(table, [&](auto& column, const Field& f) {
            find_column_of<typename std::decay_t<decltype(column)>::value_type>(found, f, path);
        });
        resize_table(table, rows);
        for_each_field(table, [&](auto& column, const Field& f) {
            using T = typename std::decay_t<decltype(column)>::value_type;
            read_column_into<T>(found, rows, f, path,
                                [&](std::size_t i) -> T& { return column[i]; });
        });
    });
    const Table& details = find_table(document, "details", path);
    check_rows(details, 1, path);
    for_each_field(result.details, [&](auto& member, const Field& f) {
        using T = std::decay_t<decltype(member)>;
        read_column_into<T>(details, 1, f, path, [&](std::size_t) -> T& { return member; });
    });
    state = std::move(result);
    return document.header.note;
}

/// Reads a checkpoint from a file; otherwise like parse_checkpoint().
template <class State>
std::string read_checkpoint(const std::string& path, State& state, std::string_view method) {
    return parse_checkpoint(read_file(path), path, state, method);
}

/// Reads the header of a checkpoint of any method. Throws if the file is damaged.
CheckpointHeader read_checkpoint_header(const std::string& path);

} // namespace nendo
