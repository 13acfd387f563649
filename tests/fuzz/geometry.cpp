// SPDX-License-Identifier: Apache-2.0
// .geo, .bgeo and .bgeo.sc: a file that is read is written in each format and reads back to the
// same content. Mutations of a compressed file are made inside its container.
#include "fuzz.h"

#include "io/geo/geo.h"
#include "io/geo/scf.h"

using namespace nendo;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Geometry geometry;
    if (!fuzz::accepted([&] { geometry = parse_geometry(fuzz::text_of(data, size), "in.geo"); }))
        return 0;
    for (const char* name : {"out.bgeo", "out.bgeo.sc", "out.geo"}) {
        std::string bytes;
        // Text has no NaN, so NaN is refused.
        if (!fuzz::accepted([&] { bytes = format_geometry(name, geometry); })) {
            fuzz::require(std::string_view(name) == "out.geo", "what was read can be written");
            continue;
        }
        Geometry again;
        fuzz::require(fuzz::accepted([&] { again = parse_geometry(bytes, name); }),
                      "what was written can be read");
        fuzz::require(again.point_count == geometry.point_count &&
                          again.primitive_count == geometry.primitive_count,
                      "counts survive writing and reading");
        // NaN is not equal to itself: compare the written bytes instead.
        if (std::string_view(name) != "out.geo")
            fuzz::require(format_geometry(name, again) == bytes,
                          "content survives writing and reading");
    }
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
    const std::string_view bytes = fuzz::text_of(data, size);
    std::string content;
    const bool unpacked = is_scf(bytes) && seed % 4 != 0 &&
                          fuzz::accepted([&] { content = unpack_scf(bytes, "in.bgeo.sc"); });
    if (!unpacked || content.empty() || content.size() > max_size)
        return LLVMFuzzerMutate(data, size, max_size);
    std::size_t length = content.size();
    content.resize(max_size);
    length = LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(content.data()), length, max_size);
    content.resize(length);
    const std::size_t packed = fuzz::put_back(pack_scf(content), data, max_size);
    return packed != 0 ? packed : size;
}
