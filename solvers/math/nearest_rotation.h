// SPDX-License-Identifier: Apache-2.0
// The rotations nearest to eight matrices at a time, as quaternions x, y, z, w. Each search starts
// from a guess. Where a matrix does not determine the whole rotation (a rod, a sheet), the rest comes
// from the guess.
#pragma once

#include "math/batch.h"
#include "math/svd3.h"

#include <array>
#include <cmath>

namespace nendo {

/// The Hamilton product of two quaternions.
template <class Real> Vec4<Real> quaternion_product(const Vec4<Real>& a, const Vec4<Real>& b) {
    return {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
            a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
            a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
            a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
}

template <class Real> Vec4<Real> quaternion_inverse(const Vec4<Real>& q) {
    return {-q[0], -q[1], -q[2], q[3]};
}

template <class Real> Vec4<Real> quaternion_identity() {
    return {0, 0, 0, 1};
}

template <class Real> Mat3<Real> rotation_matrix(const Vec4<Real>& q) {
    return Eigen::Quaternion<Real>(q[3], q[0], q[1], q[2]).toRotationMatrix();
}

/// The unit quaternion of a rotation matrix.
template <class Real> Vec4<Real> rotation_quaternion(const Mat3<Real>& R) {
    return Eigen::Quaternion<Real>(R).normalized().coeffs();
}

/// The Cayley map of a rotation vector [rad]: the axis is exact, the angle is to leading order.
/// cayley_vector() is its inverse.
template <class Real> Vec4<Real> cayley_quaternion(const Vec3<Real>& rotation) {
    return Vec4<Real>(rotation.x() / 2, rotation.y() / 2, rotation.z() / 2, 1).normalized();
}
template <class Real> Vec3<Real> cayley_vector(const Vec4<Real>& q) {
    const Real w = std::abs(q[3]) > Real(1e-3) ? q[3] : Real(1e-3);
    return q.template head<3>() * (Real(2) / w);
}

/// Eight matrices, row by row.
template <class Real> using BatchMat3 = std::array<Batch<Real>, 9>;

/// The rotation matrices of eight unit quaternions.
template <class Real> BatchMat3<Real> rotation_matrices(const Batch4<Real>& q) {
    using B = Batch<Real>;
    const B two = B::fill(2), one = B::fill(1);
    const B x = two * q.x, y = two * q.y, z = two * q.z;
    const B xx = x * q.x, yy = y * q.y, zz = z * q.z, xy = x * q.y, xz = x * q.z, yz = y * q.z;
    const B wx = x * q.w, wy = y * q.w, wz = z * q.w;
    return {one - (yy + zz), xy - wz, xz + wy, xy + wz,        one - (xx + zz),
            yz - wx,         xz - wy, yz + wx, one - (xx + yy)};
}

/// Finds the rotation nearest to each of eight matrices, with Newton's method from the quaternions in
/// `q`. If a guess is too far off for its steps to be trusted, the singular value decomposition is
/// used instead. Each lane has the same bits as if it were computed alone.
template <class Real> class NearestRotations {
    using B = Batch<Real>;

public:
    NearestRotations(const BatchMat3<Real>& matrices, Batch4<Real>& guesses)
        : A(matrices), q(guesses) {
        B size = B::fill(std::numeric_limits<Real>::min());
        for (const B& entry : A) size = size.at_least(entry).at_least(zero - entry);
        for (B& entry : A) entry = entry / size;
    }

    void solve() {
        // Convergence is quadratic: the error after a step is about the square of the step.
        const B finished = B::fill(std::numeric_limits<Real>::epsilon() * Real(0.25));
        for (int k = 0; k < 8; ++k) {
            step(finished);
            if (open.sum() == Real(0)) return;
        }
        Real left[B::size];
        open.store(left);
        for (std::uint32_t k = 0; k < B::size; ++k)
            if (left[k] != Real(0)) solve_alone(k);
    }

private:
    /// One Newton step: (tr S - S) turn = axial(M), where M = R^T A and S is its symmetric part.
    void step(const B& finished) {
        const BatchMat3<Real> R = rotation_matrices(q);
        const auto M = [&](int i, int j) {
            return R[i] * A[j] + R[3 + i] * A[3 + j] + R[6 + i] * A[6 + j];
        };
        const B m00 = M(0, 0), m11 = M(1, 1), m22 = M(2, 2);
        const B m01 = M(0, 1), m10 = M(1, 0), m02 = M(0, 2), m20 = M(2, 0);
        const B m12 = M(1, 2), m21 = M(2, 1);
        // The damping keeps the guess where the matrix does not determine the rotation.
        const B damping = B::fill(Real(1e-5)), minus_half = B::fill(Real(-0.5));
        const B h00 = m11 + m22 + damping, h11 = m00 + m22 + damping, h22 = m00 + m11 + damping;
        const B h01 = minus_half * (m01 + m10), h02 = minus_half * (m02 + m20);
        const B h12 = minus_half * (m12 + m21);
        const B v0 = m21 - m12, v1 = m02 - m20, v2 = m10 - m01;
        const B c00 = h11 * h22 - h12 * h12, c01 = h02 * h12 - h01 * h22;
        const B c02 = h01 * h12 - h02 * h11, c11 = h00 * h22 - h02 * h02;
        const B c12 = h01 * h02 - h00 * h12, c22 = h00 * h11 - h01 * h01;
        const B det = h00 * c00 + h01 * c01 + h02 * c02;
        // A step can be trusted if the matrix of the equation is positive definite.
        const B least = B::fill(Real(1e-18));
        const B safe = h00.where_below(least, zero, c22.where_below(least, zero, det));
        const B scale = one / safe.at_least(least);
        const B t0 = (c00 * v0 + c01 * v1 + c02 * v2) * scale;
        const B t1 = (c01 * v0 + c11 * v1 + c12 * v2) * scale;
        const B t2 = (c02 * v0 + c12 * v1 + c22 * v2) * scale;
        const B length2 = t0 * t0 + t1 * t1 + t2 * t2;
        const B trusted = safe.where_below(least, zero, length2.where_below(one, one, zero));
        lost = lost.at_least(open * (one - trusted));
        // Lanes that are done or lost keep their quaternion.
        const B half = B::fill(Real(0.5)) * open * (one - lost);
        rotate(half * t0, half * t1, half * t2);
        open = lost.at_least(open * length2.where_below(finished, zero, one));
    }

    /// Replaces q by q (t, 1), normalized.
    void rotate(const B& t0, const B& t1, const B& t2) {
        const B x = q.x + (q.w * t0 + q.y * t2 - q.z * t1);
        const B y = q.y + (q.w * t1 + q.z * t0 - q.x * t2);
        const B z = q.z + (q.w * t2 + q.x * t1 - q.y * t0);
        const B w = q.w - (q.x * t0 + q.y * t1 + q.z * t2);
        const B length = one / (x * x + y * y + (z * z + w * w)).root();
        q = {x * length, y * length, z * length, w * length};
    }

    void solve_alone(std::uint32_t lane) {
        Real entry[B::size];
        Mat3<Real> matrix;
        for (int k = 0; k < 9; ++k) {
            A[static_cast<std::size_t>(k)].store(entry);
            matrix(k / 3, k % 3) = entry[lane];
        }
        const Vec4<Real> found = rotation_quaternion(polar_rotation(matrix));
        int k = 0;
        for (B* component : {&q.x, &q.y, &q.z, &q.w}) {
            component->store(entry);
            entry[lane] = found[k++];
            *component = B::load(entry);
        }
    }

    const B zero = B::fill(0), one = B::fill(1);
    BatchMat3<Real> A;
    Batch4<Real>& q;
    B open = one;  ///< Lanes that have not converged
    B lost = zero; ///< Lanes whose steps cannot be trusted
};

} // namespace nendo
