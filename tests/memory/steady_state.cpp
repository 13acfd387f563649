// SPDX-License-Identifier: Apache-2.0
// A substep in steady state allocates nothing: memory is allocated when matter enters or spreads,
// and kept. Here operator new counts.
#include "support/matter.h"
#include "support/threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<std::size_t> taken{0};

/// Not inline: the compiler would warn about the pair of operators if it saw both.
[[gnu::noinline]] void give_back(void* memory) {
    std::free(memory);
}
} // namespace

void* operator new(std::size_t size) {
    ++taken;
    if (void* const memory = std::malloc(size)) return memory;
    throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    ++taken;
    const auto step = static_cast<std::size_t>(alignment);
    if (void* const memory = std::aligned_alloc(step, (size + step - 1) / step * step))
        return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
    give_back(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    give_back(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    give_back(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    give_back(memory);
}

namespace nendo::elastoplastic::test {
namespace {

/// Records at the end of each substep how many allocations there were so far.
class Counting : public Host {
public:
    Counting() {
        m_at.reserve(10000);
        m_begin = taken;
    }
    void progress(double, std::string_view) override { m_at.push_back(taken); }
    /// Number of substeps, from `first` on, that allocated memory.
    std::size_t hungry(std::size_t first) const {
        std::size_t count = 0;
        for (std::size_t k = first; k < m_at.size(); ++k)
            count += m_at[k] != (k > 0 ? m_at[k - 1] : m_begin) ? 1 : 0;
        return count;
    }
    std::size_t substeps() const { return m_at.size(); }

private:
    std::vector<std::size_t> m_at;
    std::size_t m_begin = 0;
};

/// Drops blocks on the ground, lets them come to rest, and counts allocations in the next call.
template <class Real>
void expect_no_allocation(Params params, const std::vector<Body>& bodies, int threads) {
    const Scene scene = ground();
    nendo::test::with_threads(threads, [&] {
        State<Real> state = start<Real>(bodies, params);
        Solver<Real> solver;
        Counting first;
        solver.advance(state, scene, {}, params, 0.3, first);
        EXPECT_GT(first.hungry(0), 0u) << "operator new does not count";
        Counting host;
        solver.advance(state, scene, {}, params, 40 * params.time_step, host);
        ASSERT_GE(host.substeps(), 40u);
        EXPECT_EQ(host.hungry(10), 0u) << "of " << host.substeps() << " substeps";
    });
}

Body block(const Params& params, const char* material, double height, std::int32_t index) {
    return make_block({8, 8, 8}, Vec3d(0, height, 0), preset(material), params.spacing, index);
}

TEST(SteadyState, implicit_substeps_allocate_nothing) {
    const Params params;
    expect_no_allocation<float>(params, {block(params, "jelly", 0.01, 0)}, 1);
    expect_no_allocation<double>(params, {block(params, "jelly", 0.01, 0)}, 2);
}

TEST(SteadyState, explicit_substeps_allocate_nothing) {
    Params params;
    params.implicitness = 0;
    expect_no_allocation<float>(params, {block(params, "jelly", 0.01, 0)}, 2);
}

TEST(SteadyState, touching_bodies_allocate_nothing) {
    const Params params;
    const double side = 8 * params.spacing;
    expect_no_allocation<float>(
        params, {block(params, "jelly", 0.01, 0), block(params, "jelly", side + 0.03, 1)}, 2);
}

} // namespace
} // namespace nendo::elastoplastic::test
