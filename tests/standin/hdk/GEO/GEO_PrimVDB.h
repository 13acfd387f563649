// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: an OpenVDB grid as a primitive.
#pragma once

#include "GEO/GEO_Primitive.h"

#include <openvdb/openvdb.h>

#include <string>

class GEO_PrimVDB : public GEO_Primitive {
public:
    openvdb::GridBase::ConstPtr getConstGridPtr() const { return standin_grid; }
    const char* getGridName() const { return standin_name.c_str(); }

    openvdb::GridBase::Ptr standin_grid;
    std::string standin_name;

protected:
    GEO_PrimVDB() : GEO_Primitive(GA_PRIMVDB) {}
};
