#include "sph/neighbourhood.h"

namespace nendo::sph {

template <class Real>
void Neighbourhood<Real>::place(const std::vector<Vec3<Real>>& points, double support) {
    m_grid.build(points, support);
}

template <class Real>
void Neighbourhood<Real>::find(const Kernels<Real>& kernels, const std::vector<Real>& volume,
                               const std::vector<std::int32_t>& group,
                               std::vector<Real>& compression) {
    using Eight = Batch<Real>;
    const std::size_t n = size();
    const Real h2 = kernels.h * kernels.h;
    compression.resize(n);
    m_blocks.resize((n + block_size - 1) / block_size);
    parallel_blocks(n, [&](std::size_t begin, std::size_t end) {
        Block& block = m_blocks[begin / block_size];
        block.start.assign(1, 0);
        block.slot.clear();
        typename Grid<Real>::Around around(m_grid);
        for (std::size_t i = begin; i != end; ++i) {
            Eight sum = Eight::fill(0);
            const std::int32_t own = group[i];
            around.collect(
                point(i), kernels.h, [&](std::uint32_t* slot, Real* r2, std::uint32_t count) {
                    // The room for packed ones is a multiple of eight: fill up the last eight.
                    std::uint32_t filled = count;
                    for (; filled % Eight::size != 0; ++filled) {
                        slot[filled] = nobody();
                        r2[filled] = h2;
                    }
                    for (std::uint32_t k = 0; k < filled; k += Eight::size) {
                        const Eight q = Eight::load(r2 + k).root() * Eight::fill(kernels.per_half);
                        sum = sum + Eight::gather(volume.data(), slot + k) * spline_arms(q).value();
                    }
                    if (own != free_group) {
                        std::uint32_t kept = 0;
                        for (std::uint32_t k = 0; k < count; ++k) {
                            slot[kept] = slot[k];
                            kept += group[slot[k]] != own ? 1 : 0;
                        }
                        count = kept;
                    }
                    block.slot.insert(block.slot.end(), slot, slot + count);
                });
            while (block.slot.size() % Eight::size != 0) block.slot.push_back(nobody());
            block.start.push_back(static_cast<std::uint32_t>(block.slot.size()));
            compression[i] = kernels.density * sum.sum();
        }
    });
}

template <class Real> std::size_t Neighbourhood<Real>::bytes() const {
    std::size_t sum = m_grid.bytes();
    for (const Block& block : m_blocks)
        sum += (block.start.capacity() + block.slot.capacity()) * sizeof(std::uint32_t);
    return sum;
}

template class Neighbourhood<float>;
template class Neighbourhood<double>;

} // namespace nendo::sph
