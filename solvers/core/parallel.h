// Loops and sums that give the same bits for any number of threads: work is cut into blocks of
// fixed size, and partial sums are added in the order of the blocks.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace nendo {

/// Particles in one unit of work. Part of the result of a sum: changing it changes last bits.
inline constexpr std::size_t block_size = 256;

/// body(i) for i in [0, n), in any order.
template <class Body> void parallel_for(std::size_t n, const Body& body) {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n, block_size),
                      [&](const tbb::blocked_range<std::size_t>& range) {
                          for (std::size_t i = range.begin(); i != range.end(); ++i) body(i);
                      });
}

/// body(k) for k in [0, n), in any order, each a unit of work.
template <class Body> void parallel_tasks(std::size_t n, const Body& body) {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n, 1),
                      [&](const tbb::blocked_range<std::size_t>& range) {
                          for (std::size_t k = range.begin(); k != range.end(); ++k) body(k);
                      });
}

/// body(begin, end) for consecutive blocks of [0, n); for loops that keep locals over a block.
template <class Body> void parallel_blocks(std::size_t n, const Body& body) {
    parallel_tasks((n + block_size - 1) / block_size,
                   [&](std::size_t b) { body(b * block_size, std::min(n, (b + 1) * block_size)); });
}

/// The memory of a reduction, kept by the caller so that a substep allocates nothing.
template <class Value> using Partials = std::vector<Value>;

/// combine(... combine(combine(start, block 0), block 1) ...) where a block folds term(i) in order.
template <class Value, class Term, class Combine>
Value parallel_reduce(std::size_t n, const Value& start, const Term& term, const Combine& combine,
                      Partials<Value>& partials) {
    partials.assign((n + block_size - 1) / block_size, start);
    parallel_blocks(n, [&](std::size_t begin, std::size_t end) {
        Value value = start;
        for (std::size_t i = begin; i != end; ++i) value = combine(value, term(i));
        partials[begin / block_size] = value;
    });
    Value value = start;
    for (const Value& partial : partials) value = combine(value, partial);
    return value;
}

/// The sum of term(i), in an order that does not depend on the threads. Value() is zero for
/// numbers; pass `zero` for Eigen types.
template <class Value, class Term>
Value parallel_sum(std::size_t n, const Value& zero, const Term& term) {
    Partials<Value> partials;
    return parallel_reduce(
        n, zero, term, [](const Value& a, const Value& b) { return Value(a + b); }, partials);
}

} // namespace nendo
