// SPDX-License-Identifier: Apache-2.0
// Writes and parses checkpoint files, and checks that they are complete and fit the solver.
#include "io/checkpoint.h"

#include "core/error.h"
#include "core/hash.h"

#include <cstring>
#include <limits>

namespace nendo {
namespace checkpoint_detail {
namespace {

constexpr std::string_view magic = "NENDOCKP";
constexpr const char* damaged = "use an older checkpoint, or start the simulation again";

std::size_t bytes_of(Kind kind) {
    switch (kind) {
    case Kind::boolean:
    case Kind::int8: return 1;
    case Kind::int16: return 2;
    case Kind::int32:
    case Kind::float32: return 4;
    case Kind::int64:
    case Kind::float64: return 8;
    }
    return 0;
}

void put_text(std::string& out, std::string_view text) {
    put_bytes(out, static_cast<std::uint32_t>(text.size()));
    out.append(text);
}

class CheckpointReader {
public:
    CheckpointReader(std::string_view bytes, const std::string& path)
        : m_bytes(bytes), m_path(path) {}

    std::string_view take(std::uint64_t size) {
        if (size > m_bytes.size() - m_offset)
            throw Error("the checkpoint is truncated", m_path + " byte " + std::to_string(m_offset),
                        damaged);
        const std::string_view part = m_bytes.substr(m_offset, static_cast<std::size_t>(size));
        m_offset += static_cast<std::size_t>(size);
        return part;
    }
    template <class T> T number() {
        T value;
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return value;
    }
    std::string text() { return std::string(take(number<std::uint32_t>())); }

    Column column(std::uint64_t rows) {
        Column column;
        column.name = text();
        const auto kind = number<std::uint8_t>();
        if (kind > static_cast<std::uint8_t>(Kind::float64))
            throw Error("column '" + column.name + "' has an unknown type", m_path, damaged);
        column.kind = static_cast<Kind>(kind);
        column.width = number<std::uint8_t>();
        const std::uint64_t row = bytes_of(column.kind) * column.width;
        if (row != 0 && rows > std::numeric_limits<std::uint64_t>::max() / row)
            throw Error("column '" + column.name + "' has an impossible length", m_path, damaged);
        column.bytes = take(rows * row);
        return column;
    }

private:
    std::string_view m_bytes;
    const std::string& m_path;
    std::size_t m_offset = 0;
};

} // namespace

void write(const std::string& path, const Document& document) {
    // Headers and columns alternate, so that no column has to be copied again.
    std::deque<std::string> heads(1);
    std::vector<std::string_view> columns;
    heads.back().append(magic);
    put_bytes(heads.back(), checkpoint_version);
    put_bytes(heads.back(), static_cast<std::uint32_t>(document.tables.size()));
    put_text(heads.back(), document.header.method);
    put_text(heads.back(), document.header.precision);
    put_text(heads.back(), document.header.note);
    for (const Table& table : document.tables) {
        put_text(heads.back(), table.name);
        put_bytes(heads.back(), table.rows);
        put_bytes(heads.back(), static_cast<std::uint32_t>(table.columns.size()));
        for (const Column& column : table.columns) {
            put_text(heads.back(), column.name);
            put_bytes(heads.back(), static_cast<std::uint8_t>(column.kind));
            put_bytes(heads.back(), column.width);
            columns.push_back(column.bytes);
            heads.emplace_back();
        }
    }

    std::vector<std::string_view> pieces;
    Hasher hasher;
    const auto add = [&](std::string_view piece) {
        pieces.push_back(piece);
        hasher.add(piece.data(), piece.size());
    };
    for (std::size_t i = 0; i < heads.size(); ++i) {
        add(heads[i]);
        if (i < columns.size()) add(columns[i]);
    }
    std::string checksum;
    put_bytes(checksum, hasher.digest());
    pieces.push_back(checksum);
    write_file_atomically(path, pieces);
}

Document parse(std::string file, const std::string& path) {
    Document document;
    document.storage.push_back(std::move(file));
    const std::string_view bytes = document.storage.back();
    if (bytes.substr(0, magic.size()) != magic)
        throw Error("this is not a checkpoint", path, "use a checkpoint file written by Nendo");

    CheckpointReader start(bytes, path);
    start.take(magic.size());
    const auto version = start.number<std::uint32_t>();
    if (version > checkpoint_version)
        throw Error("the checkpoint was written by a newer Nendo (format " +
                        std::to_string(version) + ", this one reads up to " +
                        std::to_string(checkpoint_version) + ")",
                    path, "update Nendo, or start the simulation again");
    std::uint64_t checksum = 0;
    if (bytes.size() < magic.size() + 8 + sizeof checksum)
        throw Error("the checkpoint is truncated", path, damaged);
    const std::string_view content = bytes.substr(0, bytes.size() - sizeof checksum);
    std::memcpy(&checksum, bytes.data() + content.size(), sizeof checksum);
    Hasher hasher;
    hasher.add(content.data(), content.size());
    if (version == 0 || hasher.digest() != checksum)
        throw Error("the checkpoint is damaged or truncated (its checksum is wrong)", path,
                    damaged);

    CheckpointReader reader(content, path);
    reader.take(magic.size() + sizeof version);
    const auto tables = reader.number<std::uint32_t>();
    document.header.method = reader.text();
    document.header.precision = reader.text();
    document.header.note = reader.text();
    for (std::uint32_t t = 0; t < tables; ++t) {
        Table table;
        table.name = reader.text();
        table.rows = reader.number<std::uint64_t>();
        const auto columns = reader.number<std::uint32_t>();
        for (std::uint32_t c = 0; c < columns; ++c)
            table.columns.push_back(reader.column(table.rows));
        document.tables.push_back(std::move(table));
    }
    return document;
}

void check_header(const CheckpointHeader& found, std::string_view method,
                  std::string_view precision, const std::string& path) {
    if (found.method != method)
        throw Error("the checkpoint is from the method '" + found.method + "', not '" +
                        std::string(method) + "'",
                    path, "use a checkpoint of this scene, or start the simulation again");
    if (found.precision != precision)
        throw Error("the checkpoint is in " + found.precision + " precision, not in " +
                        std::string(precision),
                    path, "resume with the precision that the simulation was started with");
}

const Table& find_table(const Document& document, std::string_view name, const std::string& path) {
    for (const Table& table : document.tables)
        if (table.name == name) return table;
    throw Error("the checkpoint has no table '" + std::string(name) + "'", path,
                "start the simulation again with this version of Nendo");
}

const Column& find_column(const Table& table, std::string_view name, Kind kind, int width,
                          const std::string& path) {
    for (const Column& column : table.columns)
        if (column.name == name) {
            if (column.kind == kind && column.width == width) return column;
            throw Error("column '" + table.name + "." + column.name +
                            "' of the checkpoint holds another type of number than this version of "
                            "Nendo expects",
                        path, "start the simulation again with this version of Nendo");
        }
    throw Error("the checkpoint has no column '" + table.name + "." + std::string(name) + "'", path,
                "start the simulation again with this version of Nendo");
}

void check_rows(const Table& table, std::uint64_t rows, const std::string& path) {
    if (table.rows != rows)
        throw Error("table '" + table.name + "' of the checkpoint has " +
                        std::to_string(table.rows) + " rows, not " + std::to_string(rows),
                    path, damaged);
}

} // namespace checkpoint_detail

CheckpointHeader read_checkpoint_header(const std::string& path) {
    return checkpoint_detail::parse(read_file(path), path).header;
}

} // namespace nendo
