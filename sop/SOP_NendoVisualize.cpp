#include "sop/SOP_NendoVisualize.h"

#include "elastoplastic/inspect.h"
#include "sop/nodes.h"
#include "sop/points.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace nendo;
using namespace nendo::houdini;
using elastoplastic::InspectedColumns;
using elastoplastic::Quantity;

namespace {

/// The columns that a particle is judged by; throws when one is missing.
InspectedColumns read_columns(const GU_Detail& geometry) {
    InspectedColumns columns;
    for_each_field(columns, [&](auto& column, const Field& f) {
        using T = typename std::decay_t<decltype(column)>::value_type;
        using Traits = ElementTraits<T>;
        const auto numbers = read_numbers(geometry, std::string(f.name_), Traits::width);
        if (!numbers)
            throw Error("is missing", "point attribute " + std::string(f.name_),
                        "connect points that Nendo has simulated");
        column.resize(numbers->size() / std::size_t(Traits::width));
        for (std::size_t i = 0; i < numbers->size(); ++i) {
            const auto width = std::size_t(Traits::width);
            const auto value = static_cast<float>((*numbers)[i]);
            const bool none = f.may_be_none_ && value >= std::numeric_limits<float>::max();
            Traits::set(column[i / width], int(i % width),
                        none ? std::numeric_limits<float>::infinity() : value);
        }
    });
    return columns;
}

} // namespace

OP_Node* SOP_NendoVisualize::create(OP_Network* parent, const char* name, OP_Operator* op) {
    return new SOP_NendoVisualize(parent, name, op);
}

void SOP_NendoVisualize::fill(const ParameterValues& values, OP_Context& context) {
    VisualizeParams params;
    read_parameters(params, values);
    const GU_Detail& particles = required_input(0, "points that Nendo has simulated", context);

    std::vector<double> quantity;
    if (params.quantity == Quantity::slaves) {
        const std::vector<Vec3d> slaves = read_positions(required_input(1, "the slaves", context));
        const auto radius = read_numbers(particles, "pscale", 1);
        if (!radius)
            throw Error("is missing", "point attribute pscale",
                        "connect points that Nendo has simulated");
        const std::vector<Vec3d> masters = read_positions(particles);
        if (!masters.empty())
            quantity = elastoplastic::count_slaves(
                masters, slaves, 2 * *std::max_element(radius->begin(), radius->end()));
    } else {
        quantity = elastoplastic::inspect(read_columns(particles), params.quantity);
    }

    double low = params.low, high = params.high;
    if (params.fit_range && !quantity.empty()) {
        low = *std::min_element(quantity.begin(), quantity.end());
        high = *std::max_element(quantity.begin(), quantity.end());
    }
    if (!(high >= low))
        throw Error("is below Low", "High", "give a higher value, or turn on Fit range");
    std::vector<Vec3d> colors;
    for (const double value : quantity)
        colors.push_back(ramp_color(params.ramp, high > low ? (value - low) / (high - low) : 0));

    gdp->replaceWith(particles);
    std::string name;
    for_each_field(params, [&](const auto& member, const Field& f) {
        if constexpr (std::is_same_v<std::decay_t<decltype(member)>, Quantity>)
            name = f.choices_.at(static_cast<std::size_t>(member));
    });
    const std::vector<GA_Offset> points = point_offsets(*gdp);
    write_numbers(*gdp, name, 1, GA_TYPE_VOID, points, quantity);
    write_vectors(*gdp, "Cd", GA_TYPE_COLOR, points, colors);
    write_detail(*gdp, "nendo_range", {low, high});
}
