// SPDX-License-Identifier: Apache-2.0
// Singular value and polar decomposition of any 3x3 matrix, by one-sided Jacobi rotations.
#pragma once

#include "core/types.h"
#include "math/lanes.h"

#include <array>
#include <cmath>
#include <limits>

namespace nendo {

/// A = U diag(sigma) V^T, where U and V are rotations (determinant +1) and |sigma| descends. Only the
/// last singular value may be negative, if det A < 0: an inverted element is inverted along its
/// shortest axis.
template <class Real> struct Svd3 {
    Mat3<Real> U;
    Vec3<Real> sigma;
    Mat3<Real> V;
};

namespace detail {

/// Rotates columns p and q of A so that they become orthogonal, and applies the same rotation to V.
/// Returns false if they were orthogonal already.
template <class Real> bool orthogonalize(Mat3<Real>& A, Mat3<Real>& V, int p, int q) {
    const Real alpha = A.col(p).squaredNorm();
    const Real beta = A.col(q).squaredNorm();
    const Real gamma = A.col(p).dot(A.col(q));
    const Real small = Real(2) * std::numeric_limits<Real>::epsilon();
    if (std::abs(gamma) <= small * std::sqrt(alpha * beta) || gamma == Real(0)) return false;
    const Real zeta = (beta - alpha) / (Real(2) * gamma);
    const Real root = std::sqrt(Real(1) + zeta * zeta);
    const Real t = (zeta >= Real(0) ? Real(1) : Real(-1)) / (std::abs(zeta) + root);
    const Real c = Real(1) / std::sqrt(Real(1) + t * t);
    const Real s = c * t;
    const Vec3<Real> a = A.col(p);
    A.col(p) = c * a - s * A.col(q);
    A.col(q) = s * a + c * A.col(q);
    const Vec3<Real> v = V.col(p);
    V.col(p) = c * v - s * V.col(q);
    V.col(q) = s * v + c * V.col(q);
    return true;
}

/// A unit vector perpendicular to the unit vector a.
template <class Real> Vec3<Real> any_perpendicular(const Vec3<Real>& a) {
    const Vec3<Real> axis = std::abs(a.x()) < Real(0.6) ? Vec3<Real>(1, 0, 0) : Vec3<Real>(0, 1, 0);
    return a.cross(axis).normalized();
}

} // namespace detail

template <class Real> Svd3<Real> svd3(const Mat3<Real>& matrix) {
    using std::abs;
    // Scaled to a largest entry of one, so that squares neither overflow nor underflow.
    const Real scale = matrix.cwiseAbs().maxCoeff();
    Svd3<Real> result;
    if (!(scale > Real(0))) {
        result.U = result.V = Mat3<Real>::Identity();
        result.sigma.setZero();
        return result;
    }
    Mat3<Real> A = matrix / scale;
    Mat3<Real> V = Mat3<Real>::Identity();
    for (int sweep = 0; sweep < 12; ++sweep) {
        const bool a = detail::orthogonalize(A, V, 0, 1);
        const bool b = detail::orthogonalize(A, V, 0, 2);
        const bool c = detail::orthogonalize(A, V, 1, 2);
        if (!a && !b && !c) break;
    }

    // Sort by descending length. Swapping two columns and negating one is a rotation.
    Vec3<Real> length(A.col(0).norm(), A.col(1).norm(), A.col(2).norm());
    const auto order = [&](int p, int q) {
        if (length[p] >= length[q]) return;
        std::swap(length[p], length[q]);
        const Vec3<Real> a = A.col(p);
        A.col(p) = A.col(q);
        A.col(q) = -a;
        const Vec3<Real> v = V.col(p);
        V.col(p) = V.col(q);
        V.col(q) = -v;
    };
    order(0, 1);
    order(0, 2);
    order(1, 2);

    const Real tiny = Real(4) * std::numeric_limits<Real>::epsilon();
    Mat3<Real> U;
    U.col(0) = A.col(0) / length[0];
    if (length[1] > tiny * length[0])
        U.col(1) = (A.col(1) - U.col(0) * U.col(0).dot(A.col(1))).normalized();
    else
        U.col(1) = detail::any_perpendicular<Real>(U.col(0));
    U.col(2) = U.col(0).cross(U.col(1));
    const Real last = U.col(2).dot(A.col(2));
    result.U = U;
    result.V = V;
    result.sigma = Vec3<Real>(length[0], length[1], last) * scale;
    return result;
}

/// Decomposes `count` <= 8 matrices at a time, with the same bits as one by one. matrix_of(k) returns
/// matrix k.
template <class Real, class MatrixOf>
void svd3(std::size_t count, const MatrixOf& matrix_of, std::array<Svd3<Real>, lanes>& out) {
    for (std::size_t k = 0; k < count; ++k) out[k] = svd3<Real>(matrix_of(k));
}

#if defined(__AVX2__)
namespace detail {

/// Eight 3-vectors, one for each matrix.
struct WideVec3 {
    Wide x, y, z;

    WideVec3 operator*(const Wide& s) const { return {x * s, y * s, z * s}; }
    WideVec3 operator/(const Wide& s) const { return {x / s, y / s, z / s}; }
    WideVec3 operator+(const WideVec3& o) const { return {x + o.x, y + o.y, z + o.z}; }
    WideVec3 operator-(const WideVec3& o) const { return {x - o.x, y - o.y, z - o.z}; }
    WideVec3 operator-() const { return {-x, -y, -z}; }
    /// Adds in the same order as Eigen does for three terms.
    Wide dot(const WideVec3& o) const { return x * o.x + (y * o.y + z * o.z); }
    Wide norm() const { return root(dot(*this)); }
    WideVec3 cross(const WideVec3& o) const {
        return {y * o.z - z * o.y, z * o.x - x * o.z, x * o.y - y * o.x};
    }
};

/// a where the lane of `which` is set, else b.
template <class Mask> WideVec3 choose(const Mask& which, const WideVec3& a, const WideVec3& b) {
    return {which ? a.x : b.x, which ? a.y : b.y, which ? a.z : b.z};
}

/// The orthogonalization above for eight matrices. Lanes whose columns are orthogonal already stay
/// unchanged; returns false if that is all of them.
inline bool orthogonalize(WideVec3& Ap, WideVec3& Aq, WideVec3& Vp, WideVec3& Vq) {
    const Wide alpha = Ap.dot(Ap);
    const Wide beta = Aq.dot(Aq);
    const Wide gamma = Ap.dot(Aq);
    const float small = 2.0f * std::numeric_limits<float>::epsilon();
    const auto done = (magnitude(gamma) <= small * root(alpha * beta)) | (gamma == 0);
    if (all_set(done)) return false;
    const Wide one = Wide{} + 1.0f;
    const Wide zeta = (beta - alpha) / (2.0f * (done ? one : gamma));
    const Wide t = (zeta >= 0 ? one : -one) / (magnitude(zeta) + root(1.0f + zeta * zeta));
    const Wide c = 1.0f / root(1.0f + t * t);
    const Wide s = c * t;
    const WideVec3 a = Ap;
    Ap = choose(done, a, a * c - Aq * s);
    Aq = choose(done, Aq, a * s + Aq * c);
    const WideVec3 v = Vp;
    Vp = choose(done, v, v * c - Vq * s);
    Vq = choose(done, Vq, v * s + Vq * c);
    return true;
}

} // namespace detail

template <class MatrixOf>
void svd3(std::size_t count, const MatrixOf& matrix_of, std::array<Svd3<float>, lanes>& out) {
    using detail::WideVec3;
    Mat3<float> in[lanes];
    WideVec3 A[3];
    Wide scale{};
    for (std::size_t k = 0; k < lanes; ++k) {
        in[k] = matrix_of(std::min(k, count - 1));
        for (int c = 0; c < 3; ++c) {
            A[c].x[k] = in[k](0, c);
            A[c].y[k] = in[k](1, c);
            A[c].z[k] = in[k](2, c);
        }
    }
    for (const WideVec3& column : A)
        for (const Wide& entry : {column.x, column.y, column.z}) {
            const Wide size = magnitude(entry);
            scale = size > scale ? size : scale;
        }
    const Wide one = Wide{} + 1.0f;
    const Wide zero{};
    const auto regular = scale > 0;
    for (WideVec3& column : A) column = column / (regular ? scale : one);
    WideVec3 V[3] = {{one, zero, zero}, {zero, one, zero}, {zero, zero, one}};
    for (int sweep = 0; sweep < 12; ++sweep) {
        const bool a = detail::orthogonalize(A[0], A[1], V[0], V[1]);
        const bool b = detail::orthogonalize(A[0], A[2], V[0], V[2]);
        const bool c = detail::orthogonalize(A[1], A[2], V[1], V[2]);
        if (!a && !b && !c) break;
    }

    Wide length[3] = {A[0].norm(), A[1].norm(), A[2].norm()};
    const auto order = [&](int p, int q) {
        const auto ordered = length[p] >= length[q];
        const Wide l = length[p];
        length[p] = ordered ? l : length[q];
        length[q] = ordered ? length[q] : l;
        const WideVec3 a = A[p];
        A[p] = detail::choose(ordered, a, A[q]);
        A[q] = detail::choose(ordered, A[q], -a);
        const WideVec3 v = V[p];
        V[p] = detail::choose(ordered, v, V[q]);
        V[q] = detail::choose(ordered, V[q], -v);
    };
    order(0, 1);
    order(0, 2);
    order(1, 2);

    const float tiny = 4.0f * std::numeric_limits<float>::epsilon();
    const auto flat = ~(length[1] > tiny * length[0]);
    WideVec3 U[3];
    U[0] = A[0] / length[0];
    U[1] = A[1] - U[0] * U[0].dot(A[1]);
    U[1] = U[1] / U[1].norm();
    U[2] = U[0].cross(U[1]);
    const Wide sigma[3] = {length[0] * scale, length[1] * scale, U[2].dot(A[2]) * scale};
    for (std::size_t k = 0; k < count; ++k) {
        if (flat[k] != 0 || regular[k] == 0) { // rare: zero or rank-deficient
            out[k] = svd3(in[k]);
            continue;
        }
        for (int c = 0; c < 3; ++c) {
            out[k].U.col(c) = Vec3<float>(U[c].x[k], U[c].y[k], U[c].z[k]);
            out[k].V.col(c) = Vec3<float>(V[c].x[k], V[c].y[k], V[c].z[k]);
            out[k].sigma[c] = sigma[c][k];
        }
    }
}
#endif

/// The rotation nearest to A.
template <class Real> Mat3<Real> polar_rotation(const Mat3<Real>& A) {
    const Svd3<Real> svd = svd3(A);
    return svd.U * svd.V.transpose();
}

} // namespace nendo
