// SPDX-License-Identifier: Apache-2.0
// Nodes and geometry for the tests of geometry nodes.
#pragma once

#include "core/types.h"
#include "dop/bridge/points.h"
#include "geometry/mesh.h"
#include "sop/SOP_NendoNode.h"

#include <OP/OP_OperatorTable.h>

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace nendo::houdini {

/// A node of the plugin, made from the operator's name as Houdini does.
struct Node {
    explicit Node(const std::string& name) {
        add_geometry_nodes(table);
        OP_Operator* op = table.standin_operators.at(name).get();
        sop.reset(static_cast<SOP_Node*>(op->standin_construct(nullptr, name.c_str(), op)));
    }
    template <class Value> Node& set(const std::string& parm, const Value& value) {
        EXPECT_TRUE(sop->standin_set(parm, value)) << parm;
        return *this;
    }
    Node& wire(const GU_Detail& geometry) {
        sop->standin_inputs.push_back(&geometry);
        return *this;
    }
    /// Cooks and returns the geometry; expects no message.
    const GU_Detail& cook() {
        EXPECT_EQ(sop->standin_cook(), UT_ERROR_NONE)
            << (sop->standin_errors.empty() ? "" : sop->standin_errors.front())
            << (sop->standin_warnings.empty() ? "" : sop->standin_warnings.front());
        return sop->standin_geometry();
    }
    /// The message of a failed cook.
    std::string error() {
        EXPECT_EQ(sop->standin_cook(), UT_ERROR_ABORT);
        EXPECT_EQ(sop->standin_geometry().getNumPoints(), 0);
        if (sop->standin_errors.size() != 1) return "";
        return sop->standin_errors.front();
    }

    OP_OperatorTable table;
    std::unique_ptr<SOP_Node> sop;
};

/// A box of six polygons, clockwise seen from outside as in Houdini.
inline void add_box(GU_Detail& geometry, const Vec3d& low, const Vec3d& high) {
    TriMesh mesh;
    for (int k = 0; k < 8; ++k)
        mesh.points.emplace_back((k & 1) != 0 ? high.x() : low.x(),
                                 (k & 2) != 0 ? high.y() : low.y(),
                                 (k & 4) != 0 ? high.z() : low.z());
    mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                      {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    write_polygons(geometry, mesh);
}

template <class T> std::vector<T> column(const GU_Detail& geometry, const char* name) {
    const auto found = read_column<T>(geometry, field(name).may_be_none(), "test");
    EXPECT_TRUE(found.has_value()) << name;
    return found.value_or(std::vector<T>());
}

} // namespace nendo::houdini
