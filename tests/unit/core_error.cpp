// SPDX-License-Identifier: Apache-2.0
// Errors: the parts of the message, the kind, and a place added on the way out.
#include "core/error.h"
#include "io/scene/shapes.h"

#include <gtest/gtest.h>

namespace nendo {
namespace {

TEST(Error, says_where_what_and_remedy_in_one_line) {
    const Error error("has no faces", "cube.obj", "export it again");
    EXPECT_STREQ(error.what(), "cube.obj: has no faces; export it again");
    EXPECT_EQ(error.kind(), Error::Kind::input);
}

TEST(Error, keeps_its_parts_and_kind_when_a_place_is_added) {
    try {
        at_place({"scene.json", "bodies.0.mesh"}, [] {
            throw Error("has no faces", "cube.obj", "export it again", Error::Kind::failure);
        });
        FAIL() << "the error was lost";
    } catch (const Error& error) {
        EXPECT_EQ(error.problem(), "has no faces");
        EXPECT_EQ(error.where(), "scene.json: bodies.0.mesh: cube.obj");
        EXPECT_EQ(error.remedy(), "export it again");
        EXPECT_EQ(error.kind(), Error::Kind::failure);
    }
}

TEST(Error, interrupted_is_unchanged_when_a_place_is_added) {
    EXPECT_THROW(at_place({"scene.json", ""}, [] { throw Interrupted(); }), Interrupted);
}

} // namespace
} // namespace nendo
