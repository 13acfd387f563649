// SPDX-License-Identifier: Apache-2.0
// Checkpoints: mutations get the right checksum, so that the code behind it is reached.
#include "fuzz.h"

#include "core/hash.h"
#include "elastoplastic/state.h"
#include "io/checkpoint.h"

#include <cstring>

using namespace nendo;

namespace {

template <class Real> void check(std::string_view bytes) {
    elastoplastic::State<Real> state;
    state.details.time = -1;
    std::string note;
    const bool read = fuzz::accepted(
        [&] { note = parse_checkpoint(std::string(bytes), "in.nendo", state, "elastoplastic"); });
    if (!read) {
        fuzz::require(state.details.time == -1, "a refused checkpoint changes nothing");
        return;
    }
    elastoplastic::State<Real>::tables(state, [](const auto& table, std::string_view) {
        for_each_field(table, [&](const auto& column, const Field&) {
            fuzz::require(column.size() == table_size(table), "columns are of one length");
        });
    });
    elastoplastic::State<Real> again;
    parse_checkpoint(std::string(bytes), "in.nendo", again, "elastoplastic");
    fuzz::require(hash_state(state) == hash_state(again), "reading twice gives the same bits");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes = fuzz::text_of(data, size);
    check<float>(bytes);
    check<double>(bytes);
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
    std::uint64_t checksum = 0;
    if (size <= sizeof checksum || seed % 8 == 0) return LLVMFuzzerMutate(data, size, max_size);
    const std::size_t content =
        LLVMFuzzerMutate(data, size - sizeof checksum, max_size - sizeof checksum);
    Hasher hasher;
    hasher.add(data, content);
    checksum = hasher.digest();
    std::memcpy(data + content, &checksum, sizeof checksum);
    return content + sizeof checksum;
}
