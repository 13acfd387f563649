// The known name that a person most likely meant: for messages about a mistyped one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace nendo {

/// Letters to insert, drop, replace or swap with their neighbour to turn `a` into `b`.
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1,
                               last[j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before.swap(last);
        last.swap(row);
    }
    return last[b.size()];
}

/// The nearest of `names`, the first of equals; empty when there are none.
inline std::string_view nearest_name(std::string_view name,
                                     const std::vector<std::string_view>& names) {
    const auto closer = [&](std::string_view a, std::string_view b) {
        return edit_distance(name, a) < edit_distance(name, b);
    };
    const auto found = std::min_element(names.begin(), names.end(), closer);
    return found == names.end() ? std::string_view() : *found;
}

/// "did you mean "density"? Known: young, density" for a remedy.
inline std::string suggest_name(std::string_view name,
                                const std::vector<std::string_view>& names) {
    std::string text = "did you mean \"" + std::string(nearest_name(name, names)) + "\"? Known:";
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? " " : ", ") + std::string(names[i]);
    return text;
}

} // namespace nendo
