// SPDX-License-Identifier: Apache-2.0
// A promise of every microsolver: a frame has the same bits on any path through time and files.
#pragma once

#include "network.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace nendo::houdini::test {

/// Expects the same bits after scrubbing back and forth, after frames were forgotten and simulated
/// again, and from a .sim file of frame `early`. build(net) fills a network with its objects;
/// hash(net) reads the state of the simulated one. 0 < early < middle < last.
template <class Net, class Build, class Hash>
void expect_same_bits_when_scrubbed_and_loaded(const Build& build, const Hash& hash, int early,
                                               int middle, int last) {
    std::vector<std::uint64_t> straight(1);
    std::string file;
    {
        Net net;
        build(net);
        for (int frame = 1; frame <= last; ++frame) {
            net.go_to(frame);
            straight.push_back(hash(net));
            if (frame == early) file = net.engine.standin_save();
        }
    }
    const auto bits_of = [&](int frame) { return straight[static_cast<std::size_t>(frame)]; };
    EXPECT_NE(bits_of(last - 1), bits_of(last)) << "nothing happens: the test checks little";

    Net scrubbed;
    build(scrubbed);
    const auto expect_at = [&](int frame) {
        scrubbed.go_to(frame);
        EXPECT_EQ(hash(scrubbed), bits_of(frame)) << "frame " << frame;
    };
    expect_at(last);
    expect_at(early);
    EXPECT_EQ(scrubbed.solved, last) << "a cached frame was simulated again";
    expect_at(middle);
    scrubbed.engine.standin_forget_after(early);
    expect_at(early);
    scrubbed.engine.standin_forget_after(early);
    expect_at(last);
    EXPECT_GT(scrubbed.solved, last) << "frames that were forgotten were not simulated again";

    Net loaded;
    build(loaded);
    loaded.engine.standin_load(file, early);
    EXPECT_EQ(hash(loaded), bits_of(early));
    loaded.go_to(last);
    EXPECT_EQ(loaded.solved, last - early);
    EXPECT_EQ(hash(loaded), bits_of(last));
}

} // namespace nendo::houdini::test
