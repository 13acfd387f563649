// Singular values and polar decomposition of 3x3 matrices, for any input, by one-sided Jacobi.
#pragma once

#include "core/types.h"

#include <cmath>
#include <limits>

namespace nendo {

/// A = U diag(sigma) V^T with U and V rotations (determinant +1). |sigma| falls; only the last may
/// be negative, and is so when det A < 0: an inverted element keeps its least axis inverted.
template <class Real> struct Svd3 {
    Mat3<Real> U;
    Vec3<Real> sigma;
    Mat3<Real> V;
};

namespace detail {

/// Turns columns p and q of A by a rotation that makes them orthogonal, and V along with them.
/// Returns false when they were orthogonal already.
template <class Real> bool orthogonalise(Mat3<Real>& A, Mat3<Real>& V, int p, int q) {
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

/// A unit vector across the unit vector a.
template <class Real> Vec3<Real> any_across(const Vec3<Real>& a) {
    const Vec3<Real> axis = std::abs(a.x()) < Real(0.6) ? Vec3<Real>(1, 0, 0) : Vec3<Real>(0, 1, 0);
    return a.cross(axis).normalized();
}

} // namespace detail

template <class Real> Svd3<Real> svd3(const Mat3<Real>& matrix) {
    using std::abs;
    // Scaled to one, so that squares neither overflow nor vanish.
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
        const bool a = detail::orthogonalise(A, V, 0, 1);
        const bool b = detail::orthogonalise(A, V, 0, 2);
        const bool c = detail::orthogonalise(A, V, 1, 2);
        if (!a && !b && !c) break;
    }

    // Largest first. A swap of two columns with one sign changed is a rotation.
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
        U.col(1) = detail::any_across<Real>(U.col(0));
    U.col(2) = U.col(0).cross(U.col(1));
    const Real last = U.col(2).dot(A.col(2));
    result.U = U;
    result.V = V;
    result.sigma = Vec3<Real>(length[0], length[1], last) * scale;
    return result;
}

/// The rotation nearest to A.
template <class Real> Mat3<Real> polar_rotation(const Mat3<Real>& A) {
    const Svd3<Real> svd = svd3(A);
    return svd.U * svd.V.transpose();
}

} // namespace nendo
