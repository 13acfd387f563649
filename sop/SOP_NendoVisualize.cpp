#include "sop/SOP_NendoVisualize.h"

#include "elastoplastic/inspect.h"
#include "sop/nodes.h"
#include "sop/points.h"

#include <algorithm>

using namespace nendo;
using namespace nendo::houdini;
using elastoplastic::InspectedColumns;
using elastoplastic::Quantity;

namespace {

[[noreturn]] void fail_missing(const std::string& name) {
    throw Error("attribute '" + name + "' is missing", "input 1",
                "connect points that Nendo has simulated");
}

std::vector<double> measure(const GU_Detail& particles, Quantity quantity) {
    InspectedColumns columns;
    const std::vector<std::string> missing =
        points_to_table(particles, point_offsets(particles), columns, "input 1");
    if (!missing.empty()) fail_missing(missing.front());
    return elastoplastic::inspect(columns, quantity);
}

std::vector<double> count(const GU_Detail& particles, const GU_Detail& slaves) {
    const std::vector<Vec3d> masters = read_positions(particles, "input 1");
    const auto radius = read_column<float>(particles, field("pscale"), "input 1");
    if (!radius) fail_missing("pscale");
    if (masters.empty()) return {};
    return elastoplastic::count_slaves(
        masters, read_positions(slaves, "input 2"),
        2 * double(*std::max_element(radius->begin(), radius->end())));
}

/// What the ramp's ends stand for.
struct ShownRange {
    double low;
    double high;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.low, field("nendo_low").help("Has the ramp's first colour."));
        visit(self.high, field("nendo_high").help("Has the ramp's last colour."));
    }
};

/// As the menu calls it.
std::string name_of(Quantity quantity) {
    for (const Field& f : list_fields<VisualizeParams>())
        if (f.name_ == "quantity") return std::string(f.choices_.at(std::size_t(quantity)));
    return "";
}

} // namespace

OP_Node* SOP_NendoVisualize::create(OP_Network* parent, const char* name, OP_Operator* op) {
    return new SOP_NendoVisualize(parent, name, op);
}

void SOP_NendoVisualize::fill(const ParameterValues& values, OP_Context& context) {
    VisualizeParams params;
    read_parameters(params, values);
    const GU_Detail& particles = required_input(0, "points that Nendo has simulated", context);

    const std::vector<double> quantity =
        params.quantity == Quantity::slaves
            ? count(particles, required_input(1, "the slaves", context))
            : measure(particles, params.quantity);

    double low = params.low, high = params.high;
    if (params.fit_range && !quantity.empty()) {
        low = *std::min_element(quantity.begin(), quantity.end());
        high = *std::max_element(quantity.begin(), quantity.end());
    }
    if (!(high >= low))
        throw Error("is below Low", "High", "give a higher value, or turn on Fit range");
    std::vector<Vec3<float>> colors;
    for (const double value : quantity) {
        const double place = high > low ? (value - low) / (high - low) : 0;
        colors.push_back(ramp_color(params.ramp, place).cast<float>());
    }

    gdp->replaceWith(particles);
    const std::vector<GA_Offset> points = point_offsets(*gdp);
    const std::string name = name_of(params.quantity);
    write_column(*gdp, points, field(name), std::vector<float>(quantity.begin(), quantity.end()));
    write_column(*gdp, points, field("Cd"), colors);
    details_to_detail(ShownRange{low, high}, *gdp, "output");
}
