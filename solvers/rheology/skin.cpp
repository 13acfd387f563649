#include "rheology/skin.h"

#include "core/error.h"
#include "core/parallel.h"
#include "math/batch.h"
#include "math/rotation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <type_traits>

namespace nendo::rheology {
namespace {

/// A bone's motion since it was bound: matrix by rows, and dual quaternion.
struct Motion3 {
    float m[12];
    float q[8]; ///< Real part x, y, z, w, then dual part
};

Motion3 motion_of(const Pose& now, const Pose& rest_inverse) {
    const Pose motion = now * rest_inverse;
    Motion3 result;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 4; ++c) result.m[4 * r + c] = static_cast<float>(motion(r, c));
    const Quat q = Quat(motion.linear()).normalized();
    const Vec3d t = motion.translation();
    const Quat dual(0.5 * (Quat(0, t.x(), t.y(), t.z()) * q).coeffs());
    for (int k = 0; k < 4; ++k) {
        result.q[k] = static_cast<float>(q.coeffs()[k]);
        result.q[4 + k] = static_cast<float>(dual.coeffs()[k]);
    }
    return result;
}

std::vector<Motion3> motions_of(const std::vector<Pose>& now,
                                const std::vector<Pose>& rest_inverse) {
    if (now.size() != rest_inverse.size())
        throw Error("there are " + std::to_string(now.size()) + " bones, not " +
                        std::to_string(rest_inverse.size()),
                    "skin", "use the bones that it was bound to");
    std::vector<Motion3> motions(now.size());
    for (std::size_t b = 0; b < now.size(); ++b) motions[b] = motion_of(now[b], rest_inverse[b]);
    return motions;
}

/// Numbers of eight vertices, side by side.
using Pack = Batch<float>;

/// The numbers of a run's motions: those of the first bone, and what each other one adds to them.
/// Weights add up to one, so that sum_k w_k m_k = m_0 + sum_k w_k (m_k - m_0), and the first weight
/// is not needed.
template <int Width> struct Blended {
    float first[Width];
    float more[max_influences - 1][Width];

    template <class At> void take(int count, const At& at) {
        std::copy(at(0), at(0) + Width, first);
        for (int k = 1; k < count; ++k)
            for (int e = 0; e < Width; ++e) more[k - 1][e] = at(k)[e] - first[e];
    }
};

/// The weights of a pack's bones but the first, and numbers blended by them.
template <int Count> struct Weights {
    Pack w[Count > 1 ? Count - 1 : 1];

    explicit Weights(const float* from) {
        for (int k = 0; k + 1 < Count; ++k) w[k] = Pack::load(from + k * int(Pack::size));
    }
    template <int Width> Pack blend(const Blended<Width>& numbers, int e) const {
        Pack sum = Pack::fill(numbers.first[e]);
        for (int k = 0; k + 1 < Count; ++k) sum = sum + w[k] * Pack::fill(numbers.more[k][e]);
        return sum;
    }
};

/// Places and normals of a pack, row by row.
struct Surface {
    static constexpr int rows = 6;
    Pack x[3], n[3];

    static Surface load(const float* from) {
        Surface s;
        for (int k = 0; k < 3; ++k) {
            s.x[k] = Pack::load(from + k * int(Pack::size));
            s.n[k] = Pack::load(from + (3 + k) * int(Pack::size));
        }
        return s;
    }

    void move(int row, const Pack& a, const Pack& b, const Pack& c, const Pack& d,
              const Surface& rest) {
        x[row] = a * rest.x[0] + b * rest.x[1] + c * rest.x[2] + d;
        n[row] = a * rest.n[0] + b * rest.n[1] + c * rest.n[2];
    }
    void normalise() {
        const Pack square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
        const Pack scale = Pack::fill(1) / square.at_least(Pack::fill(1e-30f)).root();
        for (Pack& row : n) row = row * scale;
    }
};

/// [S003 eq 1]
template <int Count>
Surface move_pack(const Blended<12>& m, const Weights<Count>& weights, const Surface& rest) {
    Surface out;
    for (int r = 0; r < 3; ++r)
        out.move(r, weights.blend(m, 4 * r), weights.blend(m, 4 * r + 1),
                 weights.blend(m, 4 * r + 2), weights.blend(m, 4 * r + 3), rest);
    out.normalise();
    return out;
}

/// Blended dual quaternions, made unit, as matrices [Kavan et al. 2008].
template <int Count>
Surface move_pack(const Blended<8>& motion, const Weights<Count>& weights, const Surface& rest) {
    Surface out;
    Pack q[8];
    for (int e = 0; e < 8; ++e) q[e] = weights.blend(motion, e);
    const Pack &x = q[0], &y = q[1], &z = q[2], &w = q[3];
    const Pack &a = q[4], &b = q[5], &c = q[6], &d = q[7];
    const Pack one = Pack::fill(1);
    const Pack square = x * x + y * y + z * z + w * w;
    const Pack two = Pack::fill(2) / square.at_least(Pack::fill(1e-30f));
    out.move(0, one - two * (y * y + z * z), two * (x * y - w * z), two * (x * z + w * y),
             two * (w * a - d * x + y * c - z * b), rest);
    out.move(1, two * (x * y + w * z), one - two * (x * x + z * z), two * (y * z - w * x),
             two * (w * b - d * y + z * a - x * c), rest);
    out.move(2, two * (x * z - w * y), two * (y * z + w * x), one - two * (x * x + y * y),
             two * (w * c - d * z + x * b - y * a), rest);
    out.normalise();
    return out;
}

/// x, y, z of eight vertices, one vertex after the other.
inline void write_vertices(const Pack (&a)[3], float* to) {
#if defined(__AVX2__)
    const __m256 x = a[0].v, y = a[1].v, z = a[2].v;
    const __m256 xy = _mm256_shuffle_ps(x, y, _MM_SHUFFLE(2, 0, 2, 0));
    const __m256 yz = _mm256_shuffle_ps(y, z, _MM_SHUFFLE(3, 1, 3, 1));
    const __m256 zx = _mm256_shuffle_ps(z, x, _MM_SHUFFLE(3, 1, 2, 0));
    const __m256 rows[3] = {_mm256_shuffle_ps(xy, zx, _MM_SHUFFLE(2, 0, 2, 0)),
                            _mm256_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0)),
                            _mm256_shuffle_ps(zx, yz, _MM_SHUFFLE(3, 1, 3, 1))};
    for (int r = 0; r < 3; ++r) {
        _mm_storeu_ps(to + 4 * r, _mm256_castps256_ps128(rows[r]));
        _mm_storeu_ps(to + 12 + 4 * r, _mm256_extractf128_ps(rows[r], 1));
    }
#else
    for (std::size_t l = 0; l < Pack::size; ++l)
        for (std::size_t r = 0; r < 3; ++r) to[3 * l + r] = a[r].v[l];
#endif
}

/// Writes eight vertices to their places.
inline void scatter(const Pack (&a)[3], const std::uint32_t* order, Vec3<float>* to) {
    float together[3 * Pack::size];
    write_vertices(a, together);
    for (std::size_t l = 0; l < Pack::size; ++l)
        to[order[l]] = Eigen::Map<const Vec3<float>>(together + 3 * l);
}

/// visit(std::integral_constant) of a number of influences.
template <class Visit> void with_count(int count, const Visit& visit) {
    static_assert(max_influences == 8);
    switch (count) {
    case 1: return visit(std::integral_constant<int, 1>());
    case 2: return visit(std::integral_constant<int, 2>());
    case 3: return visit(std::integral_constant<int, 3>());
    case 4: return visit(std::integral_constant<int, 4>());
    case 5: return visit(std::integral_constant<int, 5>());
    case 6: return visit(std::integral_constant<int, 6>());
    case 7: return visit(std::integral_constant<int, 7>());
    default: return visit(std::integral_constant<int, 8>());
    }
}

/// The dual quaternions of a run's bones, all on the side of the first.
void take_dual(const std::vector<Motion3>& motions, const std::int32_t* bones, int count,
               Blended<8>& numbers) {
    std::array<std::array<float, 8>, max_influences> aligned{};
    for (int k = 0; k < count; ++k) {
        const float* q = motions[static_cast<std::size_t>(bones[k])].q;
        const float* first = motions[static_cast<std::size_t>(bones[0])].q;
        const float dot = q[0] * first[0] + q[1] * first[1] + q[2] * first[2] + q[3] * first[3];
        for (std::size_t e = 0; e < 8; ++e)
            aligned[static_cast<std::size_t>(k)][e] = dot < 0 ? -q[e] : q[e];
    }
    numbers.take(count, [&](int k) { return aligned[static_cast<std::size_t>(k)].data(); });
}

/// The bones that move a vertex, by rising number, and their weights in that order.
struct Moved {
    std::array<std::int32_t, max_influences> bones;
    std::array<float, max_influences> weights;
    int count = 0;
};

Moved moved_by(const Influences& influences, std::size_t vertex) {
    Moved moved;
    moved.bones.fill(-1);
    moved.weights.fill(0);
    const auto per_vertex = static_cast<std::size_t>(influences.per_vertex);
    for (std::size_t k = 0; k < per_vertex; ++k) {
        const float weight = influences.weights[vertex * per_vertex + k];
        if (!(weight > 0)) continue;
        const std::int32_t bone = influences.bones[vertex * per_vertex + k];
        auto at = static_cast<std::size_t>(moved.count++);
        for (; at > 0 && moved.bones[at - 1] > bone; --at) {
            moved.bones[at] = moved.bones[at - 1];
            moved.weights[at] = moved.weights[at - 1];
        }
        moved.bones[at] = bone;
        moved.weights[at] = weight;
    }
    return moved;
}

void check_influences(const Influences& influences, std::size_t vertices, std::size_t bones) {
    if (influences.per_vertex < 1 || influences.per_vertex > max_influences)
        throw Error(std::to_string(influences.per_vertex) + " influences a vertex", "skin",
                    "use 1 to " + std::to_string(max_influences));
    if (influences.vertices() != vertices || influences.weights.size() != influences.bones.size())
        throw Error("there are weights for " + std::to_string(influences.vertices()) +
                        " vertices, and " + std::to_string(vertices) + " vertices",
                    "skin", "bind the mesh that the weights were made for");
    for (std::size_t k = 0; k < influences.bones.size(); ++k)
        if (influences.weights[k] > 0 &&
            (influences.bones[k] < 0 || static_cast<std::size_t>(influences.bones[k]) >= bones))
            throw Error("bone " + std::to_string(influences.bones[k]) + " is not there",
                        "vertex " +
                            std::to_string(k / static_cast<std::size_t>(influences.per_vertex)),
                        "number the bones from 0 to " + std::to_string(bones));
}

} // namespace

Skin::Skin(const std::vector<Vec3d>& points, const std::vector<Vec3d>& normals,
           const Influences& influences, const std::vector<Pose>& rest)
    : m_vertices(points.size()) {
    check_influences(influences, points.size(), rest.size());
    if (normals.size() != points.size())
        throw Error("there are " + std::to_string(normals.size()) + " normals for " +
                        std::to_string(points.size()) + " points",
                    "skin", "give one normal a point");
    for (const Pose& pose : rest) m_rest_inverse.push_back(pose.inverse(Eigen::Isometry));
    std::vector<Moved> moved(points.size());
    for (std::size_t v = 0; v < points.size(); ++v) moved[v] = moved_by(influences, v);
    std::vector<std::uint32_t> sorted(points.size());
    std::iota(sorted.begin(), sorted.end(), 0u);
    std::stable_sort(sorted.begin(), sorted.end(), [&](std::uint32_t a, std::uint32_t b) {
        return moved[a].bones < moved[b].bones;
    });
    for (std::size_t at = 0; at < sorted.size();) {
        const Moved& first = moved[sorted[at]];
        if (first.count == 0)
            throw Error("no bone has a weight", "vertex " + std::to_string(sorted[at]),
                        "give every vertex a weight above zero");
        Run run{};
        run.first_pack = m_first.size();
        run.rest = m_rest.size();
        std::copy(first.bones.begin(), first.bones.end(), run.bones);
        run.count = first.count;
        std::size_t end = at;
        while (end < sorted.size() && moved[sorted[end]].bones == first.bones) ++end;
        for (std::size_t begin = at; begin < end; begin += lanes) {
            const std::size_t base = m_rest.size();
            m_rest.resize(base + run.stride());
            const auto number = [&](std::size_t row, std::size_t l) -> float& {
                return m_rest[base + row * lanes + l];
            };
            // The last vertex fills the lanes that are left over.
            for (std::size_t l = 0; l < lanes; ++l) {
                const std::uint32_t v = sorted[std::min(begin + l, end - 1)];
                m_order.push_back(v);
                for (std::size_t k = 0; k < 3; ++k) {
                    number(k, l) = static_cast<float>(points[v][static_cast<int>(k)]);
                    number(3 + k, l) = static_cast<float>(normals[v][static_cast<int>(k)]);
                }
                for (std::size_t k = 1; k < static_cast<std::size_t>(run.count); ++k)
                    number(5 + k, l) = moved[v].weights[k];
            }
            const std::uint32_t front = sorted[begin];
            m_first.push_back(m_order.back() == front + lanes - 1 ? front : scattered);
        }
        m_runs.push_back(run);
        at = end;
    }
}

template <class Make, class Prepare, class Kernel>
void Skin::for_each_stretch(const Make& make, const Prepare& prepare, const Kernel& kernel) const {
    parallel_blocks(m_first.size(), [&](std::size_t begin, std::size_t end) {
        auto memory = make();
        auto run =
            std::upper_bound(m_runs.begin(), m_runs.end(), begin,
                             [](std::size_t pack, const Run& r) { return pack < r.first_pack; });
        while (begin < end) {
            const std::size_t next = run == m_runs.end() ? end : std::min(end, run->first_pack);
            prepare(*(run - 1), memory);
            kernel(*(run - 1), begin, next, memory);
            begin = next;
            ++run;
        }
    });
}

void Skin::deform(const std::vector<Pose>& now, Blend kind, std::vector<Vec3<float>>& points,
                  std::vector<Vec3<float>>& normals) const {
    const std::vector<Motion3> motions = motions_of(now, m_rest_inverse);
    points.resize(m_vertices);
    normals.resize(m_vertices);
    const auto move = [&](auto count, const Run& run, std::size_t begin, std::size_t end,
                          const auto& numbers) {
        const float* rest = m_rest.data() + run.rest_of(begin);
        for (std::size_t pack = begin; pack < end; ++pack, rest += run.stride()) {
            const Weights<decltype(count)::value> weights(rest + Surface::rows * lanes);
            const Surface out = move_pack(numbers, weights, Surface::load(rest));
            if (const std::uint32_t first = m_first[pack]; first != scattered) {
                write_vertices(out.x, points[first].data());
                write_vertices(out.n, normals[first].data());
            } else {
                scatter(out.x, &m_order[pack * lanes], points.data());
                scatter(out.n, &m_order[pack * lanes], normals.data());
            }
        }
    };
    const auto pass = [&](auto width, const auto& numbers_of) {
        using Numbers = Blended<decltype(width)::value>;
        for_each_stretch(
            [] { return Numbers(); }, numbers_of,
            [&](const Run& run, std::size_t begin, std::size_t end, const Numbers& numbers) {
                with_count(run.count, [&](auto count) { move(count, run, begin, end, numbers); });
            });
    };
    if (kind == Blend::linear)
        pass(std::integral_constant<int, 12>(), [&](const Run& run, Blended<12>& numbers) {
            numbers.take(run.count,
                         [&](int k) { return motions[static_cast<std::size_t>(run.bones[k])].m; });
        });
    else
        pass(std::integral_constant<int, 8>(), [&](const Run& run, Blended<8>& numbers) {
            take_dual(motions, run.bones, run.count, numbers);
        });
}

std::vector<Vec4<float>> Skin::rotations(const std::vector<Pose>& now) const {
    const std::vector<Motion3> motions = motions_of(now, m_rest_inverse);
    std::vector<Vec4<float>> result(m_vertices);
    const auto blend = [&](auto count, const Run& run, std::size_t pack,
                           const Blended<8>& numbers) {
        const Weights<decltype(count)::value> weights(m_rest.data() + run.rest_of(pack) +
                                                      Surface::rows * lanes);
        float q[4][lanes];
        for (int e = 0; e < 4; ++e) weights.blend(numbers, e).store(q[e]);
        for (std::size_t l = 0; l < lanes; ++l)
            result[m_order[pack * lanes + l]] =
                Vec4<float>(q[0][l], q[1][l], q[2][l], q[3][l]).normalized();
    };
    for_each_stretch(
        [] { return Blended<8>(); },
        [&](const Run& run, Blended<8>& numbers) {
            take_dual(motions, run.bones, run.count, numbers);
        },
        [&](const Run& run, std::size_t begin, std::size_t end, const Blended<8>& numbers) {
            for (std::size_t pack = begin; pack < end; ++pack)
                with_count(run.count, [&](auto count) { blend(count, run, pack, numbers); });
        });
    return result;
}

std::vector<Vec3d> point_normals(const TriMesh& mesh) {
    std::vector<Vec3d> normals(mesh.points.size(), Vec3d::Zero());
    for (const auto& t : mesh.triangles) {
        const Vec3d& a = mesh.points[t[0]];
        const Vec3d area = (mesh.points[t[1]] - a).cross(mesh.points[t[2]] - a);
        for (const std::uint32_t v : t) normals[v] += area;
    }
    for (Vec3d& n : normals) {
        const double length = n.norm();
        n = length > 0 ? Vec3d(n / length) : Vec3d::UnitY();
    }
    return normals;
}

SkinDetail::SkinDetail(const TriMesh& mesh, double hold) : m_hold(static_cast<float>(hold)) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (const auto& t : mesh.triangles)
        for (std::size_t k = 0; k < 3; ++k) {
            pairs.emplace_back(t[k], t[(k + 1) % 3]);
            pairs.emplace_back(t[(k + 1) % 3], t[k]);
        }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    m_start.assign(mesh.points.size() + 1, 0);
    for (const auto& [from, to] : pairs) {
        ++m_start[from + 1];
        m_neighbours.push_back(to);
        m_edges.push_back((mesh.points[to] - mesh.points[from]).cast<float>());
    }
    for (std::size_t v = 0; v < mesh.points.size(); ++v) m_start[v + 1] += m_start[v];
}

void SkinDetail::correct(const std::vector<Vec4<float>>& rotations, int sweeps,
                         std::vector<Vec3<float>>& points) const {
    // Jacobi's method for sum |x_j - x_i - (R_i + R_j)/2 e_ij|^2 + hold |x_i - blended_i|^2.
    const std::vector<Vec3<float>> blended = points;
    std::vector<Vec3<float>> next(points.size());
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        parallel_for(points.size(), [&](std::size_t v) {
            const Mat3<float> own = Eigen::Quaternionf(rotations[v]).toRotationMatrix();
            Vec3<float> sum = m_hold * blended[v];
            float weight = m_hold;
            for (std::uint32_t k = m_start[v]; k < m_start[v + 1]; ++k) {
                const std::uint32_t other = m_neighbours[k];
                const Mat3<float> theirs = Eigen::Quaternionf(rotations[other]).toRotationMatrix();
                sum += points[other] - 0.5f * (own * m_edges[k] + theirs * m_edges[k]);
                weight += 1;
            }
            next[v] = weight > 0 ? Vec3<float>(sum / weight) : points[v];
        });
        points.swap(next);
    }
}

} // namespace nendo::rheology
