// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests.
#pragma once

#include "GEO/GEO_PrimVDB.h"
#include "GU/GU_Detail.h"

class GU_PrimVDB : public GEO_PrimVDB {
public:
    /// Shares the grid's voxels; the primitive has a point at its center.
    static GU_PrimVDB* buildFromGrid(GU_Detail& gdp, openvdb::GridBase::Ptr grid,
                                     const GEO_PrimVDB* source = nullptr,
                                     const char* name = nullptr);

    std::unique_ptr<GA_Primitive> standin_copy() const override {
        return std::unique_ptr<GA_Primitive>(new GU_PrimVDB(*this));
    }

private:
    GU_PrimVDB() = default;
    GU_PrimVDB(const GU_PrimVDB&) = default;
};
