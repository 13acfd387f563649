// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: polygons.
#pragma once

#include "GEO/GEO_PolyCounts.h"
#include "GU/GU_Detail.h"

constexpr int GU_POLY_CLOSED = 0;
constexpr int GU_POLY_OPEN = 1;

class GU_PrimPoly : public GEO_Primitive {
public:
    static GU_PrimPoly* build(GA_Detail* detail, GA_Size npoints, int open = GU_POLY_CLOSED,
                              int append_points = 1);
    GA_Size appendVertex(GA_Offset point);
    void close() { standin_closed = true; }
    /// Makes closed polygons on `npoints` points from `start`; corners are given by numbers from 0.
    static GA_Offset buildBlock(GA_Detail* detail, GA_Offset start, GA_Size npoints,
                                const GEO_PolyCounts& sizes, const int* points, bool closed = true);

    bool standin_closed = true;
    std::unique_ptr<GA_Primitive> standin_copy() const override {
        return std::unique_ptr<GA_Primitive>(new GU_PrimPoly(*this));
    }

private:
    GU_PrimPoly() : GEO_Primitive(GA_PRIMPOLY) {}
    GU_PrimPoly(const GU_PrimPoly&) = default;
};
