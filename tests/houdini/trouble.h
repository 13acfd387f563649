// SPDX-License-Identifier: Apache-2.0
// Random parameters and geometry of nodes, sound and unsound, drawn from a seed.
#pragma once

#include "dop/bridge/parameters.h"
#include "dop/bridge/points.h"
#include "network.h"
#include "support/worlds.h"

#include <GA/GA_PointGroup.h>
#include <SIM/SIM_SDF.h>
#include <SIM/SIM_ScalarField.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace nendo::houdini::test {

using nendo::test::Draw;

template <class T> const T& draw_from(Draw& draw, const std::vector<T>& list) {
    return list[static_cast<std::size_t>(draw.whole(0, static_cast<int>(list.size()) - 1))];
}

// ---- numbers -----------------------------------------------------------------------------------

inline double draw_wild_number(Draw& draw) {
    return draw.one_of<double>({0.0, -1.0, 1e-30, -1e-30, 1e-9, 1e-4, 7.0, 1e9, 3e38, 1e300, -1e300,
                                2147483648.0, 9.3e18, std::nan(""), infinite, -infinite,
                                draw.uniform(-10, 10)});
}

inline std::int64_t draw_wild_whole(Draw& draw) {
    using Limits32 = std::numeric_limits<std::int32_t>;
    using Limits64 = std::numeric_limits<std::int64_t>;
    return draw.one_of<std::int64_t>({0, -1, -2, 1, 2, 7, 65536, 1000000000, Limits32::max(),
                                      Limits32::min(), Limits64::max(), Limits64::min(),
                                      draw.whole(-5, 100)});
}

// ---- parameters --------------------------------------------------------------------------------

/// A value in the range of the slider, or near the default where there is none.
inline double draw_usual_number(Draw& draw, const Parameter& p, int component) {
    if (p.low > -infinite && p.high < infinite)
        return p.low > 0 ? draw.decades(p.low, p.high) : draw.uniform(p.low, p.high);
    const double own = p.defaults.at(static_cast<std::size_t>(component));
    return own == 0 ? draw.uniform(-1, 1) : own * draw.uniform(0.5, 2);
}

/// A number outside its range or at its end. Large whole numbers that are allowed are left out:
/// they ask for that much work.
inline double draw_unsound_number(Draw& draw, const Parameter& p) {
    if (p.kind != ParameterKind::whole) return draw_wild_number(draw);
    return draw.one_of<double>(
        {p.min, p.min - 1, p.max + 1, -1.0, 0.0, -2147483649.0, 2147483648.0, 4e18, -4e18});
}

/// Names that data of an object may have, and some that none has.
inline std::string draw_data_name(Draw& draw) {
    return draw.one_of<const char*>({"", "Geometry", "Slaves", "Springs", "Joints", "Position",
                                     "Solver", "NendoColliders", "Nowhere", "a/b", "Geometry/b"});
}

/// Sets a parameter by set(number or text or flag or three numbers).
template <class Set>
void draw_parameter(Draw& draw, const Parameter& p, bool sound, const Set& set) {
    const auto number = [&](int component) {
        return sound ? draw_usual_number(draw, p, component) : draw_unsound_number(draw, p);
    };
    switch (p.kind) {
    case ParameterKind::number: return set(number(0));
    case ParameterKind::whole: {
        const double value = std::clamp(std::round(number(0)), -4e18, 4e18);
        return set(static_cast<std::int64_t>(value));
    }
    case ParameterKind::toggle: return set(draw.chance(0.5));
    case ParameterKind::vector: return set(Vec3d(number(0), number(1), number(2)));
    case ParameterKind::menu:
        return set(sound ? draw_from(draw, p.choices) : std::string("no such choice"));
    case ParameterKind::text: return sound ? set(p.default_text) : set(draw_data_name(draw));
    }
}

inline void draw_option(Draw& draw, const Parameter& p, bool sound, SIM_Options& options) {
    draw_parameter(draw, p, sound, [&](const auto& value) { set_option(options, p.name, value); });
}

/// Parameters of which larger values ask for more work, which sound networks leave as they are.
inline bool asks_for_work(const Parameter& p) {
    for (const char* name : {"time_step", "spacing", "iterations", "contact_sweeps", "budget",
                             "cg_iterations", "collision_sweeps", "control", "contact_tolerance"})
        if (p.name == name) return true;
    return p.kind == ParameterKind::text;
}

// ---- geometry ----------------------------------------------------------------------------------

inline std::vector<GA_Attribute*> attributes_of(GU_Detail& gdp) {
    std::vector<GA_Attribute*> found;
    gdp.standin_each_attribute([&](const GA_Attribute& a) {
        found.push_back(gdp.findAttribute(a.getOwner(), a.getName()));
    });
    return found;
}

inline std::vector<GA_Offset> elements_of(const GU_Detail& gdp, GA_AttributeOwner owner) {
    if (owner == GA_ATTRIB_POINT) return point_offsets(gdp);
    if (owner == GA_ATTRIB_PRIMITIVE) return gdp.standin_primitives();
    return {GA_DETAIL_OFFSET};
}

inline void delete_points(GU_Detail& gdp, const std::vector<GA_Offset>& points) {
    GA_PointGroup gone(gdp);
    for (const GA_Offset point : points) gone.addOffset(point);
    gdp.destroyPointOffsets(GA_Range(gone), GA_Detail::GA_DESTROY_DEGENERATE);
}

/// Deletes each point with the probability `share`.
inline void draw_deletion(Draw& draw, GU_Detail& gdp, double share) {
    std::vector<GA_Offset> gone;
    for (const GA_Offset point : point_offsets(gdp))
        if (draw.chance(share)) gone.push_back(point);
    delete_points(gdp, gone);
}

/// A copy of a point with all its attributes, as copying nodes make.
inline GA_Offset copy_point(GU_Detail& gdp, GA_Offset from) {
    const GA_Offset to = gdp.appendPoint();
    for (GA_Attribute* a : attributes_of(gdp)) {
        if (a->getOwner() != GA_ATTRIB_POINT) continue;
        if (a->standin_kind() == standin::Kind::arrays)
            a->standin_set_array(to, a->standin_array(from));
        if (a->standin_kind() == standin::Kind::text)
            a->standin_set_text(to, a->standin_text(from));
        if (a->standin_kind() != standin::Kind::numbers) continue;
        for (int k = 0; k < a->getTupleSize(); ++k)
            if (standin::is_real(a->standin_storage()))
                a->standin_set<fpreal64>(to, k, a->standin_get<fpreal64>(from, k));
            else
                a->standin_set<int64>(to, k, a->standin_get<int64>(from, k));
    }
    return to;
}

/// Makes the attribute anew, of another kind, size or precision.
inline void draw_other_kind(Draw& draw, GU_Detail& gdp, GA_AttributeOwner owner,
                            const std::string& name) {
    if (name == "P") return; // Houdini does not allow it.
    gdp.destroyAttribute(owner, name);
    const int width = draw.whole(1, 9);
    switch (draw.whole(0, 5)) {
    case 0: break;
    case 1: gdp.addStringTuple(owner, name, 1); break;
    case 2: gdp.addIntArray(owner, name); break;
    default:
        gdp.addTuple(
            draw.one_of({GA_STORE_INT32, GA_STORE_INT64, GA_STORE_REAL32, GA_STORE_REAL64}), owner,
            name, draw.chance(0.5) ? 1 : width);
    }
}

/// Gives a 64-bit attribute half of its bits, with the same values, as some nodes do.
inline void draw_narrow(Draw& draw, GU_Detail& gdp) {
    std::vector<GA_Attribute*> wide;
    for (GA_Attribute* a : attributes_of(gdp))
        if (a->standin_kind() == standin::Kind::numbers &&
            standin::bytes_of(a->standin_storage()) == 8)
            wide.push_back(a);
    if (wide.empty()) return;
    const GA_Attribute& a = *draw_from(draw, wide);
    const GA_AttributeOwner owner = a.getOwner();
    const std::string name = a.getName().c_str();
    const bool real = standin::is_real(a.standin_storage());
    const int width = a.getTupleSize();
    std::vector<double> numbers;
    std::vector<int64> wholes;
    for (const GA_Offset at : elements_of(gdp, owner))
        for (int k = 0; k < width; ++k)
            if (real)
                numbers.push_back(a.standin_get<fpreal64>(at, k));
            else
                wholes.push_back(a.standin_get<int64>(at, k));
    gdp.destroyAttribute(owner, name);
    GA_Attribute* narrow =
        gdp.addTuple(real ? GA_STORE_REAL32 : GA_STORE_INT32, owner, name, width);
    std::size_t n = 0;
    for (const GA_Offset at : elements_of(gdp, owner))
        for (int k = 0; k < width; ++k, ++n)
            if (real)
                narrow->standin_set<fpreal64>(at, k, numbers[n]);
            else
                narrow->standin_set<int64>(at, k, wholes[n]);
}

/// Sets some of the numbers of an attribute to what nobody expects.
inline void draw_wild_values(Draw& draw, const GU_Detail& gdp, GA_Attribute& a) {
    const std::vector<GA_Offset> elements = elements_of(gdp, a.getOwner());
    if (elements.empty()) return;
    const double share = draw.one_of({0.0, 0.1, 1.0});
    const double number = draw_wild_number(draw);
    const std::int64_t whole = draw_wild_whole(draw);
    const GA_Offset one = draw_from(draw, elements);
    for (const GA_Offset at : elements) {
        if (at != one && !draw.chance(share)) continue;
        if (a.standin_kind() == standin::Kind::text) a.standin_set_text(at, "clay");
        if (a.standin_kind() == standin::Kind::arrays)
            a.standin_set_array(at, {draw_wild_whole(draw), draw.whole(0, 20), -1});
        if (a.standin_kind() != standin::Kind::numbers) continue;
        const int component = draw.whole(0, a.getTupleSize() - 1);
        if (standin::is_real(a.standin_storage()))
            a.standin_set<fpreal64>(at, component, number);
        else
            a.standin_set<int64>(at, component, whole);
    }
}

/// Something wrong with a geometry: values, kinds of attributes, points, polygons.
inline void draw_unsound_geometry(Draw& draw, GU_Detail& gdp) {
    const std::vector<GA_Attribute*> attributes = attributes_of(gdp);
    GA_Attribute& a = *draw_from(draw, attributes);
    const std::vector<GA_Offset> points = point_offsets(gdp);
    switch (draw.whole(0, 10)) {
    case 0: draw_other_kind(draw, gdp, a.getOwner(), a.getName().c_str()); break;
    case 1: draw_deletion(draw, gdp, draw.one_of({0.1, 0.5, 1.0})); break;
    case 2: {
        const auto place = [&] { return static_cast<float>(draw_wild_number(draw)); };
        gdp.setPos3(gdp.appendPoint(), UT_Vector3(place(), place(), place()));
        break;
    }
    case 3:
        if (!points.empty()) copy_point(gdp, draw_from(draw, points));
        break;
    case 4: {
        GU_PrimPoly* polygon =
            GU_PrimPoly::build(&gdp, 0, draw.chance(0.5) ? GU_POLY_OPEN : GU_POLY_CLOSED, 0);
        for (int k = draw.whole(0, 4); k > 0 && !points.empty(); --k)
            polygon->appendVertex(draw_from(draw, points));
        break;
    }
    case 5: gdp.clearAndDestroy(); break;
    case 7: draw_narrow(draw, gdp); break;
    case 6:
        draw_other_kind(
            draw, gdp, draw.one_of({GA_ATTRIB_POINT, GA_ATTRIB_DETAIL}),
            draw.one_of<const char*>({"id", "mass", "v", "pin", "time", "muscle", "join",
                                      "neighbours", "temperature", "f", "goal"}));
        break;
    default: draw_wild_values(draw, gdp, a);
    }
}

} // namespace nendo::houdini::test
