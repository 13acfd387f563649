// SPDX-License-Identifier: Apache-2.0
#include "sop/SOP_NendoVisualize.h"

#include "dop/bridge/cluster_points.h"
#include "dop/bridge/points.h"
#include "elastoplastic/inspect.h"
#include "melt/inspect.h"

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

/// The values at the ends of the ramp.
struct ShownRange {
    double low;
    double high;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.low, field("nendo_low").help("Value shown in the first color of the ramp."));
        visit(self.high, field("nendo_high").help("Value shown in the last color of the ramp."));
    }
};

/// The name of a choice in its menu.
template <class Choice> std::string name_of(const char* menu, Choice choice) {
    for (const Field& f : list_fields<VisualizeParams>())
        if (f.name_ == menu) return std::string(f.choices_.at(static_cast<std::size_t>(choice)));
    return "";
}

std::string name_of(const VisualizeParams& params) {
    switch (params.matter) {
    case ShownMatter::elastoplastic: return name_of("quantity", params.quantity);
    case ShownMatter::coupling: return name_of("fluid_quantity", params.fluid_quantity);
    case ShownMatter::melt: return name_of("melt_quantity", params.melt_quantity);
    }
    return "";
}

bool needs_clusters(const VisualizeParams& params) {
    return params.matter == ShownMatter::melt &&
           (params.melt_quantity == MeltQuantity::strain ||
            params.melt_quantity == MeltQuantity::orientation);
}

/// Whether the quantity is computed, instead of read from an attribute of its name.
bool is_computed(const VisualizeParams& params) {
    return params.matter == ShownMatter::elastoplastic || needs_clusters(params) ||
           name_of(params) == "speed";
}

/// The numbers of an attribute of type T.
template <class T>
std::vector<double> read_numbers(const GU_Detail& particles, const std::string& name) {
    const auto column = read_column<T>(particles, field(name), "input 1");
    if (!column) fail_missing(name);
    return std::vector<double>(column->begin(), column->end());
}

std::vector<double> read_speeds(const GU_Detail& particles) {
    const auto velocities = read_column<Vec3<float>>(particles, field("v"), "input 1");
    if (!velocities) fail_missing("v");
    std::vector<double> speeds;
    for (const Vec3<float>& v : *velocities) speeds.push_back(double(v.norm()));
    return speeds;
}

/// The quantity of the cluster of each particle.
std::vector<double> measure_clusters(const GU_Detail& particles, const GU_Detail& clusters,
                                     MeltQuantity quantity) {
    melt::InspectedColumns columns;
    const std::vector<std::string> missing =
        points_to_table(particles, point_offsets(particles), columns, "input 1");
    if (!missing.empty()) fail_missing(missing.front());
    ClusterPoints links;
    if (!points_to_table(clusters, point_offsets(clusters), links, "input 2").empty() &&
        clusters.getNumPoints() > 0)
        throw Error("the points are not clusters", "input 2",
                    "connect the data Clusters of Nendo Melt");
    return quantity == MeltQuantity::strain ? melt::cluster_strain(columns, links.links())
                                            : melt::orientation_error(columns, links.links());
}

} // namespace

std::vector<double> SOP_NendoVisualize::quantity_of(const VisualizeParams& params,
                                                    const GU_Detail& particles,
                                                    OP_Context& context) {
    const std::string name = name_of(params);
    if (params.matter == ShownMatter::elastoplastic)
        return params.quantity == Quantity::slaves
                   ? count(particles, required_input(1, "the slaves", context))
                   : measure(particles, params.quantity);
    if (name == "speed") return read_speeds(particles);
    if (needs_clusters(params))
        return measure_clusters(particles, required_input(1, "the clusters", context),
                                params.melt_quantity);
    return name == "phase" ? read_numbers<std::int32_t>(particles, name)
                           : read_numbers<float>(particles, name);
}

void SOP_NendoVisualize::fill(const ParameterValues& values, OP_Context& context) {
    VisualizeParams params;
    read_parameters(params, values);
    const GU_Detail& particles = required_input(0, "points that Nendo has simulated", context);

    const std::vector<double> quantity = quantity_of(params, particles, context);

    double low = params.low, high = params.high;
    if (params.fit_range && !quantity.empty()) {
        low = *std::min_element(quantity.begin(), quantity.end());
        high = *std::max_element(quantity.begin(), quantity.end());
    }
    if (!(high >= low)) throw Error("is below Low", "High", "raise it, or turn on Fit range");
    std::vector<Vec3<float>> colors;
    for (const double value : quantity) {
        const double place = high > low ? (value - low) / (high - low) : 0;
        colors.push_back(ramp_color(params.ramp, place).cast<float>());
    }

    gdp->replaceWith(particles);
    const std::vector<GA_Offset> points = point_offsets(*gdp);
    const std::string name = name_of(params);
    if (is_computed(params))
        write_column(*gdp, points, field(name),
                     std::vector<float>(quantity.begin(), quantity.end()));
    write_column(*gdp, points, field("Cd"), colors);
    details_to_detail(ShownRange{low, high}, *gdp, "output");
}
