// SPDX-License-Identifier: Apache-2.0
// Implementation of Hasher on top of xxHash.
#include "core/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace nendo {

struct Hasher::State {
    XXH3_state_t xxh;
};

Hasher::Hasher() : m_state(std::make_unique<State>()) {
    XXH3_INITSTATE(&m_state->xxh);
    XXH3_64bits_reset(&m_state->xxh);
}

Hasher::~Hasher() = default;

void Hasher::add(const void* data, std::size_t bytes) {
    if (bytes > 0) XXH3_64bits_update(&m_state->xxh, data, bytes);
}

void Hasher::add(std::string_view text) {
    const std::uint64_t size = text.size();
    add(&size, sizeof size);
    add(text.data(), text.size());
}

std::uint64_t Hasher::digest() const {
    return XXH3_64bits_digest(&m_state->xxh);
}

} // namespace nendo
