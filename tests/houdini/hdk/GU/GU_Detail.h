// Stand-in for tests.
#pragma once

#include "GA/GA_Handle.h"
#include "GEO/GEO_Detail.h"

class GU_Detail : public GEO_Detail {
public:
    GU_Detail() = default;
    explicit GU_Detail(const GU_Detail* source) { replaceWith(*source); }
};
