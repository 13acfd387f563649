// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: nodes, their parameters, and the primitives that they make.
#include "GU/GU_PrimPoly.h"
#include "GU/GU_PrimVDB.h"
#include "OP/OP_Operator.h"
#include "OP/OP_Parameters.h"
#include "PRM/PRM_Default.h"
#include "PRM/PRM_Name.h"
#include "PRM/PRM_Range.h"

#include <algorithm>

OP_Parameters::OP_Parameters(OP_Operator* op) {
    for (const PRM_Template* t = op->standin_templates;
         t->standin_type.standin_kind != standin_ParmKind::list_end; ++t) {
        Value value;
        for (int k = 0; k < t->standin_size; ++k)
            value.numbers.push_back(t->standin_defaults[k].standin_number);
        if (const char* text = t->standin_defaults->standin_text) value.text = text;
        value.range = t->standin_range;
        m_values.emplace(t->standin_name->standin_token(), value);
    }
}

fpreal OP_Parameters::evalFloat(const char* parm, int index, fpreal) const {
    const auto found = m_values.find(parm);
    if (found == m_values.end()) return 0;
    const std::vector<double>& numbers = found->second.numbers;
    const auto i = static_cast<std::size_t>(index);
    return i < numbers.size() ? numbers[i] : 0;
}

exint OP_Parameters::evalInt(const char* parm, int index, fpreal time) const {
    return static_cast<exint>(evalFloat(parm, index, time));
}

void OP_Parameters::evalString(UT_String& value, const char* parm, int, fpreal) const {
    const auto found = m_values.find(parm);
    value.standin_text = found == m_values.end() ? "" : found->second.text;
}

bool OP_Parameters::standin_set(const std::string& parm, std::vector<double> values) {
    const auto found = m_values.find(parm);
    if (found == m_values.end()) return false;
    if (const PRM_Range* range = found->second.range)
        for (double& value : values) {
            if (range->standin_low_flag == PRM_RANGE_RESTRICTED)
                value = std::max(value, range->standin_low);
            if (range->standin_high_flag == PRM_RANGE_RESTRICTED)
                value = std::min(value, range->standin_high);
        }
    found->second.numbers = std::move(values);
    return true;
}

bool OP_Parameters::standin_set(const std::string& parm, double value) {
    return standin_set(parm, std::vector<double>{value});
}

bool OP_Parameters::standin_set(const std::string& parm, const std::string& text) {
    const auto found = m_values.find(parm);
    if (found == m_values.end()) return false;
    found->second.text = text;
    return true;
}

GU_PrimPoly* GU_PrimPoly::build(GA_Detail* detail, GA_Size npoints, int open, int) {
    if (npoints != 0) standin::fail("polygons with points of their own are not in the stand-in");
    auto polygon = std::unique_ptr<GU_PrimPoly>(new GU_PrimPoly);
    polygon->standin_closed = open != GU_POLY_OPEN;
    return static_cast<GU_PrimPoly*>(&detail->standin_add_primitive(std::move(polygon)));
}

GA_Size GU_PrimPoly::appendVertex(GA_Offset point) {
    if (!getDetail().standin_holds(GA_ATTRIB_POINT, point)) standin::fail("a corner is no point");
    standin_points().push_back(point);
    return getVertexCount() - 1;
}

GA_Offset GU_PrimPoly::buildBlock(GA_Detail* detail, GA_Offset start, GA_Size npoints,
                                  const GEO_PolyCounts& sizes, const int* points, bool closed) {
    if (!closed) standin::fail("open polygons are not in the stand-in");
    GA_Offset first = GA_INVALID_OFFSET;
    for (const auto& [size, count] : sizes.standin_runs)
        for (GA_Size i = 0; i < count; ++i) {
            auto polygon = std::unique_ptr<GU_PrimPoly>(new GU_PrimPoly);
            for (GA_Size k = 0; k < size; ++k, ++points) {
                if (*points < 0 || *points >= npoints) standin::fail("a corner is no point");
                polygon->standin_points().push_back(start + *points);
            }
            const GA_Primitive& added = detail->standin_add_primitive(std::move(polygon));
            if (first == GA_INVALID_OFFSET) first = added.getMapOffset();
        }
    return first;
}

GU_PrimVDB* GU_PrimVDB::buildFromGrid(GU_Detail& gdp, openvdb::GridBase::Ptr grid,
                                      const GEO_PrimVDB*, const char* name) {
    auto primitive = std::unique_ptr<GU_PrimVDB>(new GU_PrimVDB);
    primitive->standin_grid = grid->copyGrid();
    primitive->standin_name = name == nullptr ? "" : name;
    primitive->standin_points().push_back(gdp.appendPoint());
    return static_cast<GU_PrimVDB*>(&gdp.standin_add_primitive(std::move(primitive)));
}
