// SPDX-License-Identifier: Apache-2.0
// Skinning loops that skin_packs.cpp and wide_skin_packs.cpp compile for different instruction
// sets; see math/vectors.h.
#pragma once

#include "math/vectors.h"
#include "skinning/skin_packs.h"

namespace nendo::rheology {
namespace {

/// One number for each of `lanes` vertices.
template <int lanes> using PackOf = typename Vector<float, lanes>::Type;

template <class Pack> constexpr int lanes_of = int(sizeof(Pack) / sizeof(float));

template <class Pack> inline Pack load(const float* from) {
    return load_vector<float, lanes_of<Pack>>(from);
}
template <class Pack> inline void store(const Pack& a, float* to) {
    store_vector<float, lanes_of<Pack>>(a, to);
}
template <class Pack> inline Pack fill(float a) {
    return a - Pack{};
}
template <class Pack> inline Pack root(const Pack& a) {
    Pack r;
    for (int l = 0; l < lanes_of<Pack>; ++l) r[l] = __builtin_sqrtf(a[l]);
    return r;
}

/// Position or normal of each lane.
template <class Pack> struct Triple {
    Pack x, y, z;

    static Triple load_rows(const float* from) {
        return {load<Pack>(from), load<Pack>(from + pack_lanes), load<Pack>(from + 2 * pack_lanes)};
    }
};

/// The weights of a pack's bones except the first, and the blend of numbers by them.
template <class Pack, int Count> struct Weights {
    Pack w[Count > 1 ? Count - 1 : 1];

    explicit Weights(const float* from) {
        for (int k = 0; k + 1 < Count; ++k) w[k] = load<Pack>(from + k * int(pack_lanes));
    }
    template <int Numbers> Pack blend(const Blended<Numbers>& numbers, int e) const {
        Pack sum = fill<Pack>(numbers.first[e]);
        for (int k = 0; k + 1 < Count; ++k) sum = sum + w[k] * numbers.more[k][e];
        return sum;
    }
};

/// Positions and unit normals.
template <class Pack> struct Surface {
    Triple<Pack> x, n;

    static void move(Pack& x, Pack& n, const Pack& a, const Pack& b, const Pack& c, const Pack& d,
                     const Surface& rest) {
        x = a * rest.x.x + b * rest.x.y + c * rest.x.z + d;
        n = a * rest.n.x + b * rest.n.y + c * rest.n.z;
    }
    void normalize() {
        const Pack square = n.x * n.x + n.y * n.y + n.z * n.z;
        const Pack least = fill<Pack>(1e-30f);
        const Pack scale = 1.0f / root<Pack>(square < least ? least : square);
        n.x = n.x * scale;
        n.y = n.y * scale;
        n.z = n.z * scale;
    }
};

template <class Pack, int Count>
Surface<Pack> moved(const Blended<12>& m, const Weights<Pack, Count>& weights,
                    const Surface<Pack>& rest) {
    Surface<Pack> out;
    const auto row = [&](int r, Pack& x, Pack& n) {
        Surface<Pack>::move(x, n, weights.blend(m, 4 * r), weights.blend(m, 4 * r + 1),
                            weights.blend(m, 4 * r + 2), weights.blend(m, 4 * r + 3), rest);
    };
    row(0, out.x.x, out.n.x);
    row(1, out.x.y, out.n.y);
    row(2, out.x.z, out.n.z);
    out.normalize();
    return out;
}

template <class Pack, int Count>
Surface<Pack> moved(const Blended<8>& motion, const Weights<Pack, Count>& weights,
                    const Surface<Pack>& rest) {
    Surface<Pack> out;
    Pack q[8];
    for (int e = 0; e < 8; ++e) q[e] = weights.blend(motion, e);
    const Pack &x = q[0], &y = q[1], &z = q[2], &w = q[3];
    const Pack &a = q[4], &b = q[5], &c = q[6], &d = q[7];
    const Pack square = x * x + y * y + z * z + w * w;
    const Pack least = fill<Pack>(1e-30f);
    const Pack two = 2.0f / (square < least ? least : square);
    out.move(out.x.x, out.n.x, 1.0f - two * (y * y + z * z), two * (x * y - w * z),
             two * (x * z + w * y), two * (w * a - d * x + y * c - z * b), rest);
    out.move(out.x.y, out.n.y, two * (x * y + w * z), 1.0f - two * (x * x + z * z),
             two * (y * z - w * x), two * (w * b - d * y + z * a - x * c), rest);
    out.move(out.x.z, out.n.z, two * (x * z - w * y), two * (y * z + w * x),
             1.0f - two * (x * x + y * y), two * (w * c - d * z + x * b - y * a), rest);
    out.normalize();
    return out;
}

/// Writes x, y, z of the lanes, one vertex after another.
inline void write(const Triple<PackOf<8>>& a, float* to) {
    using Pack = PackOf<8>;
    using Half = PackOf<4>;
    const Pack xy = __builtin_shufflevector(a.x, a.y, 0, 2, 8, 10, 4, 6, 12, 14);
    const Pack yz = __builtin_shufflevector(a.y, a.z, 1, 3, 9, 11, 5, 7, 13, 15);
    const Pack zx = __builtin_shufflevector(a.z, a.x, 0, 2, 9, 11, 4, 6, 13, 15);
    const Pack rows[3] = {__builtin_shufflevector(xy, zx, 0, 2, 8, 10, 4, 6, 12, 14),
                          __builtin_shufflevector(yz, xy, 0, 2, 9, 11, 4, 6, 13, 15),
                          __builtin_shufflevector(zx, yz, 1, 3, 9, 11, 5, 7, 13, 15)};
    for (int r = 0; r < 3; ++r) {
        store<Half>(__builtin_shufflevector(rows[r], rows[r], 0, 1, 2, 3), to + 4 * r);
        store<Half>(__builtin_shufflevector(rows[r], rows[r], 4, 5, 6, 7), to + 12 + 4 * r);
    }
}
inline void write(const Triple<PackOf<16>>& a, float* to) {
    using Pack = PackOf<16>;
    const Pack xy0 =
        __builtin_shufflevector(a.x, a.y, 0, 16, 0, 1, 17, 1, 2, 18, 2, 3, 19, 3, 4, 20, 4, 5);
    const Pack xy1 =
        __builtin_shufflevector(a.x, a.y, 21, 5, 6, 22, 6, 7, 23, 7, 8, 24, 8, 9, 25, 9, 10, 26);
    const Pack xy2 = __builtin_shufflevector(a.x, a.y, 10, 11, 27, 11, 12, 28, 12, 13, 29, 13, 14,
                                             30, 14, 15, 31, 15);
    store<Pack>(
        __builtin_shufflevector(xy0, a.z, 0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15),
        to);
    store<Pack>(
        __builtin_shufflevector(xy1, a.z, 0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15),
        to + 16);
    store<Pack>(
        __builtin_shufflevector(xy2, a.z, 26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11, 30, 13, 14, 31),
        to + 32);
}

/// Writes each vertex to its own position in the output.
template <class Pack>
inline void scatter(const Triple<Pack>& a, const std::uint32_t* order, float* to) {
    float together[3 * lanes_of<Pack>];
    write(a, together);
    for (int l = 0; l < lanes_of<Pack>; ++l)
        for (int k = 0; k < 3; ++k)
            to[3 * std::size_t(order[l]) + std::size_t(k)] = together[3 * l + k];
}

template <int Lanes, int Count, int Numbers>
void move_all(const Packs& packs, const Blended<Numbers>& numbers) {
    using Pack = PackOf<Lanes>;
    constexpr std::size_t stride = (rest_rows + Count - 1) * pack_lanes;
    const float* rest = packs.rest;
    for (std::size_t p = 0; p < packs.count; ++p, rest += stride)
        for (std::size_t half = 0; half < pack_lanes; half += Lanes) {
            const float* from = rest + half;
            const Weights<Pack, Count> weights(from + rest_rows * pack_lanes);
            const Surface<Pack> out = moved(
                numbers, weights,
                {Triple<Pack>::load_rows(from), Triple<Pack>::load_rows(from + 3 * pack_lanes)});
            if (packs.first[p] != scattered) {
                const std::size_t at = 3 * (packs.first[p] + half);
                write(out.x, packs.points + at);
                write(out.n, packs.normals + at);
            } else {
                const std::uint32_t* order = packs.order + p * pack_lanes + half;
                scatter(out.x, order, packs.points);
                scatter(out.n, order, packs.normals);
            }
        }
}

template <int Lanes, int Numbers> void move(const Packs& packs, const Blended<Numbers>& numbers) {
    static_assert(max_influences == 8);
    switch (packs.influences) {
    case 1: return move_all<Lanes, 1>(packs, numbers);
    case 2: return move_all<Lanes, 2>(packs, numbers);
    case 3: return move_all<Lanes, 3>(packs, numbers);
    case 4: return move_all<Lanes, 4>(packs, numbers);
    case 5: return move_all<Lanes, 5>(packs, numbers);
    case 6: return move_all<Lanes, 6>(packs, numbers);
    case 7: return move_all<Lanes, 7>(packs, numbers);
    default: return move_all<Lanes, 8>(packs, numbers);
    }
}

} // namespace
} // namespace nendo::rheology
