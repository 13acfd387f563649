// SPDX-License-Identifier: Apache-2.0
// What every method checks before and during a call: parameters in range, pins that exist, values
// that are finite.
#pragma once

#include "core/error.h"
#include "core/parallel.h"
#include "core/range.h"
#include "core/table.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>

namespace nendo {

/// Throws unless `duration` is a time that a call can advance by.
void check_duration(double duration);
/// Throws when `pin`, the `pin` column of particle `id`, names none of `pins`, and is not one of the
/// values 0 (free) or, if `goals` are allowed, -1 (held by its goal).
void check_pin(std::int32_t pin, std::size_t pins, bool goals, std::int64_t id);

/// Throws for the first parameter outside its range, and for a duration that is no time.
template <class Params> void check_params(const Params& params, double duration) {
    for_each_field(params, [](const auto& value, const Field& f) {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
            const auto number = static_cast<double>(value);
            if (f.may_be_none_ && number == infinite) return;
            check_range(number, f, "solver." + std::string(f.name_), "a number");
        }
    });
    check_duration(duration);
}

/// Throws when a table of the state has columns of different lengths, or a value out of range.
template <class State> void check_tables(const State& state) {
    State::tables(state, [](const auto& table, std::string_view name) {
        check_table(table, std::string(name));
    });
}

/// How messages describe values that are no longer finite.
struct FiniteCheck {
    const char* quantities; ///< "velocity or deformation"
    const char* row;        ///< "particle id"
    const char* remedy;
};

/// Throws for the row of least id whose sum_of(row) is not finite: a sum is finite only when all
/// its terms are.
template <class Table, class SumOf>
void check_finite(const Table& table, double time, Partials<double>& partials,
                  const FiniteCheck& check, const SumOf& sum_of) {
    const double first = parallel_reduce(
        table_size(table), infinite,
        [&](std::size_t i) {
            return std::isfinite(sum_of(i)) ? infinite : static_cast<double>(table.id[i]);
        },
        [](double a, double b) { return std::min(a, b); }, partials);
    if (first < infinite)
        throw Error(std::string(check.quantities) + " is no longer finite",
                    std::string(check.row) + " " +
                        std::to_string(static_cast<std::int64_t>(first)) + " at time " +
                        std::to_string(time) + " s",
                    check.remedy);
}

} // namespace nendo
