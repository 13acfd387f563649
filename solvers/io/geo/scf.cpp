// SPDX-License-Identifier: Apache-2.0
// Packs and unpacks Houdini's compressed container.
//
// Layout: "scf1", the length of the metadata (always zero here), and chunks of 1 MiB, each packed
// by Blosc. Then the index, all big-endian 64-bit: the end of each chunk but the last, counted from
// the first chunk; the unpacked sizes of a chunk and of the last one; the length of the index so
// far. Then "1fcs".
#include "io/geo/scf.h"

#include "core/error.h"

#include <blosc.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nendo {
namespace {

constexpr std::string_view head = "scf1";
constexpr std::string_view tail = "1fcs";
constexpr std::size_t chunk_bytes = 1 << 20;
constexpr std::size_t max_chunk_bytes = 64 << 20;
constexpr int type_size = 4; ///< Shuffles by floats, as Houdini does

void put_big_endian(std::string& out, std::uint64_t value) {
    for (int shift = 56; shift >= 0; shift -= 8)
        out.push_back(static_cast<char>((value >> shift) & 255));
}

std::uint64_t big_endian(std::string_view bytes, std::size_t offset) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < 8; ++i)
        value = (value << 8) | static_cast<unsigned char>(bytes[offset + i]);
    return value;
}

[[noreturn]] void fail(const std::string& what, const std::string& path, std::size_t offset) {
    throw Error(what, path + " byte " + std::to_string(offset),
                "the file is damaged or truncated; write it again");
}

/// Throws if there is not enough memory for Blosc's buffers beside a chunk: Blosc crashes without
/// it.
void ensure_scratch(std::size_t chunk) {
    std::string scratch;
    scratch.reserve(4 * chunk + (1 << 20));
}

} // namespace

bool is_scf(std::string_view bytes) {
    return bytes.substr(0, head.size()) == head;
}

std::string unpack_scf(std::string_view bytes, const std::string& path) {
    const std::size_t footer = 8 + tail.size();
    if (bytes.size() < head.size() + 8 + 16 + footer ||
        bytes.substr(bytes.size() - tail.size()) != tail)
        fail("the end of the compressed file is missing", path, bytes.size());

    const std::size_t index_end = bytes.size() - footer;
    const std::uint64_t index_size = big_endian(bytes, index_end);
    const std::uint64_t metadata = big_endian(bytes, head.size());
    const std::size_t available = index_end - head.size() - 8;
    if (index_size < 16 || index_size % 8 != 0 || index_size > available ||
        metadata > available - index_size)
        fail("the index of the compressed file is wrong", path, index_end);

    const std::size_t data_begin = head.size() + 8 + static_cast<std::size_t>(metadata);
    const std::size_t index_begin = index_end - static_cast<std::size_t>(index_size);
    const std::size_t chunks = static_cast<std::size_t>(index_size) / 8 - 1;
    const std::uint64_t full_size = big_endian(bytes, index_end - 16);
    const std::uint64_t last_size = big_endian(bytes, index_end - 8);
    if (full_size > max_chunk_bytes || last_size > full_size)
        fail("the index of the compressed file is wrong", path, index_end - 16);

    std::string content;
    std::size_t begin = data_begin;
    for (std::size_t i = 0; i < chunks; ++i) {
        const bool last = i + 1 == chunks;
        const std::uint64_t end =
            last ? index_begin - data_begin : big_endian(bytes, index_begin + 8 * i);
        if (end > index_begin - data_begin || data_begin + end < begin)
            fail("the index of the compressed file is wrong", path, index_begin + 8 * i);
        const auto packed = static_cast<std::size_t>(data_begin + end - begin);
        const std::uint64_t expected = last ? last_size : full_size;
        if (expected == 0 && packed == 0) continue;

        std::size_t size = 0;
        if (blosc_cbuffer_validate(bytes.data() + begin, packed, &size) != 0 || size != expected)
            fail("a compressed chunk is damaged", path, begin);
        const std::size_t at = content.size();
        content.resize(at + size);
        ensure_scratch(size);
        const int unpacked =
            blosc_decompress_ctx(bytes.data() + begin, content.data() + at, size, 1);
        if (unpacked < 0 || static_cast<std::size_t>(unpacked) != size)
            fail("a compressed chunk is damaged", path, begin);
        begin += packed;
    }
    return content;
}

std::string pack_scf(std::string_view content) {
    const std::size_t chunks =
        std::max<std::size_t>(1, (content.size() + chunk_bytes - 1) / chunk_bytes);
    std::vector<std::string> packed(chunks);
    tbb::parallel_for(std::size_t{0}, chunks, [&](std::size_t i) {
        const std::string_view part = content.substr(i * chunk_bytes, chunk_bytes);
        std::string& out = packed[i];
        ensure_scratch(part.size());
        out.resize(part.size() + BLOSC_MAX_OVERHEAD);
        const int size = blosc_compress_ctx(5, BLOSC_SHUFFLE, type_size, part.size(), part.data(),
                                            out.data(), out.size(), BLOSC_LZ4_COMPNAME, 0, 1);
        out.resize(static_cast<std::size_t>(std::max(size, 0)));
        out.shrink_to_fit();
    });

    std::size_t total = head.size() + 8 + 8 * (chunks + 2) + tail.size();
    for (const std::string& chunk : packed) {
        if (chunk.empty())
            throw Error("Blosc cannot compress with LZ4", "", "install Blosc with LZ4 support");
        total += chunk.size();
    }

    std::string out;
    out.reserve(total);
    out.append(head);
    put_big_endian(out, 0);
    const std::size_t data_begin = out.size();
    std::vector<std::uint64_t> ends;
    for (const std::string& chunk : packed) {
        out.append(chunk);
        ends.push_back(out.size() - data_begin);
    }
    ends.pop_back();
    for (const std::uint64_t end : ends) put_big_endian(out, end);
    put_big_endian(out, chunk_bytes);
    put_big_endian(out, content.size() - (chunks - 1) * chunk_bytes);
    put_big_endian(out, 8 * (ends.size() + 2));
    out.append(tail);
    return out;
}

} // namespace nendo
