// SPDX-License-Identifier: Apache-2.0
// Implementation of the suggestions for mistyped names.
#include "core/names.h"

#include <algorithm>
#include <numeric>

namespace nendo {

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({above + 1, row[j - 1] + 1, change});
            diagonal = above;
        }
    }
    return row[b.size()];
}

std::string suggest(std::string_view name, const std::vector<std::string_view>& known) {
    std::string_view best;
    std::size_t least = std::max<std::size_t>(2, name.size() / 2) + 1;
    std::string all;
    for (const std::string_view candidate : known) {
        all += (all.empty() ? "" : ", ") + std::string(candidate);
        const std::size_t distance = edit_distance(name, candidate);
        if (distance < least) {
            least = distance;
            best = candidate;
        }
    }
    if (!best.empty()) return "did you mean '" + std::string(best) + "'?";
    return "use one of: " + all;
}

} // namespace nendo
