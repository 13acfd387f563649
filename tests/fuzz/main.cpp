// SPDX-License-Identifier: Apache-2.0
// Drives a fuzz target without libFuzzer: runs each file of the corpus, and mutations of them from
// a fixed seed.
//   nendo_fuzz_TARGET CORPUS... [-mutations=N]      CORPUS is a file or a folder
#include "fuzz.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

namespace fs = std::filesystem;

namespace {

using Bytes = std::vector<std::uint8_t>;

std::mt19937_64 dice(20);

std::size_t below(std::size_t n) {
    return static_cast<std::size_t>(dice() % n);
}

/// Numbers at the limits of integer types, which tend to break readers.
std::uint64_t odd_number() {
    static constexpr std::uint64_t odd[] = {0,          1,         0x7f,       0x80,
                                            0xff,       0x7fff,    0xffff,     0x7fffffff,
                                            0xffffffff, 1u << 30u, 1000000000, ~std::uint64_t{0}};
    return odd[below(std::size(odd))];
}

void mutate_once(Bytes& bytes) {
    static constexpr const char* words[] = {"-1", "1e999",      "NaN", "[",  "{", "\"", "null",
                                            "0",  "1000000000", "-0",  "\n", " ", "]",  "}"};
    const auto at = [&] { return static_cast<std::ptrdiff_t>(below(bytes.size() + 1)); };
    switch (bytes.empty() ? 3 : below(7)) {
    case 0: bytes[below(bytes.size())] ^= static_cast<std::uint8_t>(1u << below(8)); break;
    case 1: bytes[below(bytes.size())] = static_cast<std::uint8_t>(odd_number()); break;
    case 2: { // a number of 2, 4 or 8 bytes
        const std::uint64_t number = odd_number();
        const std::size_t width = std::min(bytes.size(), std::size_t{2} << below(3));
        std::memcpy(bytes.data() + below(bytes.size() - width + 1), &number, width);
        break;
    }
    case 3: { // a word
        const std::string_view word = words[below(std::size(words))];
        bytes.insert(bytes.begin() + at(), word.begin(), word.end());
        break;
    }
    case 4: { // cut out a piece, or cut off the end
        const std::size_t begin = below(bytes.size());
        const std::size_t end =
            dice() % 4 == 0 ? bytes.size() : std::min(bytes.size(), begin + 1 + below(16));
        bytes.erase(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                    bytes.begin() + static_cast<std::ptrdiff_t>(end));
        break;
    }
    case 5: { // repeat a piece
        const std::size_t begin = below(bytes.size());
        const std::size_t end = std::min(bytes.size(), begin + 1 + below(64));
        const Bytes piece(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                          bytes.begin() + static_cast<std::ptrdiff_t>(end));
        bytes.insert(bytes.begin() + at(), piece.begin(), piece.end());
        break;
    }
    default: { // replace a digit by another
        const auto is_digit = [](std::uint8_t c) { return c >= '0' && c <= '9'; };
        const auto found =
            std::find_if(bytes.begin() + static_cast<std::ptrdiff_t>(below(bytes.size())),
                         bytes.end(), is_digit);
        if (found != bytes.end()) *found = static_cast<std::uint8_t>('0' + below(10));
    }
    }
}

std::vector<fs::path> list_files(const fs::path& place) {
    if (!fs::is_directory(place)) return {place};
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(place)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

Bytes read(const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return Bytes(std::istreambuf_iterator<char>(stream), {});
}

} // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size,
                                        std::size_t max_size) {
    Bytes bytes(data, data + size);
    for (std::size_t n = 1 + below(3); n > 0; --n) mutate_once(bytes);
    bytes.resize(std::min(bytes.size(), max_size));
    std::copy(bytes.begin(), bytes.end(), data);
    return bytes.size();
}

extern "C" __attribute__((weak)) std::size_t
LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned) {
    return LLVMFuzzerMutate(data, size, max_size);
}

int main(int argc, char** argv) {
    std::size_t mutations = 10000;
    std::vector<Bytes> corpus;
    for (int i = 1; i < argc; ++i) {
        if (std::strncmp(argv[i], "-mutations=", 11) == 0) {
            mutations = std::strtoul(argv[i] + 11, nullptr, 10);
            continue;
        }
        for (const fs::path& file : list_files(argv[i])) corpus.push_back(read(file));
    }
    if (corpus.empty()) {
        std::fprintf(stderr, "fuzz: no corpus\n");
        return 2;
    }
    for (const Bytes& seed : corpus) LLVMFuzzerTestOneInput(seed.data(), seed.size());
    const std::size_t capacity = 1 << 16;
    for (std::size_t i = 0; i < mutations; ++i) {
        Bytes bytes = corpus[i % corpus.size()];
        const std::size_t size = bytes.size();
        bytes.resize(std::max(capacity, size));
        bytes.resize(LLVMFuzzerCustomMutator(bytes.data(), size, bytes.size(),
                                             static_cast<unsigned>(dice())));
        LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    }
    std::printf("fuzz: %zu seeds, %zu mutations\n", corpus.size(), mutations);
    return 0;
}
