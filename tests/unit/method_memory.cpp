// SPDX-License-Identifier: Apache-2.0
// Memory is counted by visiting members, so the lists of members must be complete.
#include "core/memory.h"
#include "coupling/workspace.h"
#include "elastoplastic/workspace.h"
#include "melt/workspace.h"
#include "rheology/workspace.h"

#include <gtest/gtest.h>

namespace nendo {
namespace {

template <class Workspace> class WorkspaceColumns : public testing::Test {};
using Workspaces = testing::Types<elastoplastic::Workspace<float>, coupling::Workspace<float>,
                                  melt::Workspace<float>, rheology::Workspace>;
TYPED_TEST_SUITE(WorkspaceColumns, Workspaces);

TYPED_TEST(WorkspaceColumns, list_every_member) {
    const TypeParam workspace;
    std::size_t listed = 0;
    TypeParam::columns(workspace, [&](const auto& member) { listed += sizeof member; });
    EXPECT_LE(listed, sizeof workspace) << "a member is listed twice";
    EXPECT_LT(sizeof workspace - listed, sizeof(std::vector<int>))
        << "a member is missing from columns()";
}

TEST(Memory, counts_what_vectors_hold_and_nothing_else) {
    std::vector<double> numbers;
    numbers.reserve(10);
    EXPECT_EQ(memory_of(numbers), 80u);
    EXPECT_EQ(memory_of(numbers, 5, true), 80u);
    std::vector<std::vector<double>> nested(3);
    nested.front().reserve(4);
    EXPECT_EQ(memory_of(nested), nested.capacity() * sizeof(nested[0]) + 32);
    elastoplastic::State<float> state;
    EXPECT_EQ(memory_of(state), 0u);
    resize_table(state.slaves, 100);
    EXPECT_GE(memory_of(state), 100 * (8 + 12 + 4u));
}

} // namespace
} // namespace nendo
