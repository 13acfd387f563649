// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests.
#pragma once

#include "GA/GA_Detail.h"
#include "GEO/GEO_Primitive.h"

class GEO_Detail : public GA_Detail {
public:
    GEO_Primitive* getGEOPrimitive(GA_Offset offset) {
        return static_cast<GEO_Primitive*>(getPrimitive(offset));
    }
    const GEO_Primitive* getGEOPrimitive(GA_Offset offset) const {
        return static_cast<const GEO_Primitive*>(getPrimitive(offset));
    }
};

namespace standin {
/// The n-th primitive in order, or null.
template <class Detail> auto nth_primitive(Detail* gdp, std::size_t n) {
    const std::vector<GA_Offset> all = gdp->standin_primitives();
    return n < all.size() ? gdp->getGEOPrimitive(all[n]) : nullptr;
}
} // namespace standin

#define GA_FOR_ALL_PRIMITIVES(gdp, prim)                                                           \
    for (std::size_t standin_n = 0;                                                                \
         ((prim) = standin::nth_primitive((gdp), standin_n)) != nullptr; ++standin_n)
