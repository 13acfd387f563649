// SPDX-License-Identifier: Apache-2.0
// Replacements for functions of the math library whose last bits differ between machines. They use
// only operations that are exact or correctly rounded everywhere, so the bits are always the same.
#pragma once

#include <algorithm>
#include <cmath>

namespace nendo {

/// e^x to about one unit in the last place, for |x| < 700.
inline double portable_exp(double x) {
    const double log2_e = 1.4426950408889634;
    const double ln2_high = 6.93147180369123816490e-01;
    const double ln2_low = 1.90821492927058770002e-10;
    const double n = std::floor(x * log2_e + 0.5);
    const double r = (x - n * ln2_high) - n * ln2_low;
    double sum = 1;
    for (int k = 14; k > 0; --k) sum = 1 + sum * r / k;
    return std::ldexp(sum, static_cast<int>(std::max(-3000.0, std::min(3000.0, n))));
}

/// The cube root of a > 0, by Newton's method.
inline double portable_cbrt(double a) {
    int exponent = 0;
    const double fraction = std::frexp(a, &exponent);
    const int third = (exponent >= 0 ? exponent + 2 : exponent) / 3;
    const double scaled = std::ldexp(fraction, exponent - 3 * third);
    double y = 1;
    for (int k = 0; k < 8; ++k) y -= (y * y * y - scaled) / (3 * y * y);
    return std::ldexp(y, third);
}

struct SinCos {
    double sin;
    double cos;
};

/// Sine and cosine of x to about one unit in the last place, for |x| < 1e5. Beyond 1e15, where
/// neighboring numbers are turns apart, there are none.
inline SinCos portable_sin_cos(double x) {
    const double quarter_high = 1.57079632673412561417e+00; // pi/2 in three pieces
    const double quarter_middle = 6.07710050630396597660e-11;
    const double quarter_low = 2.02226624879595063154e-21;
    const double n = std::floor(x / (quarter_high + quarter_middle) + 0.5);
    if (!(std::abs(n) < 1e15)) return {std::nan(""), std::nan("")};
    const double r = ((x - n * quarter_high) - n * quarter_middle) - n * quarter_low;
    const double r2 = r * r;
    double sine = 1, cosine = 1;
    for (int k = 16; k > 0; k -= 2) {
        sine = 1 - sine * r2 / ((k + 1) * k);
        cosine = 1 - cosine * r2 / (k * (k - 1));
    }
    sine *= r;
    switch (static_cast<long long>(n) & 3) {
    case 0: return {sine, cosine};
    case 1: return {cosine, -sine};
    case 2: return {-sine, -cosine};
    default: return {-cosine, sine};
    }
}

/// The angle of (x, y) for y >= 0, in [0, pi]; 0 at the origin.
inline double portable_angle(double y, double x) {
    const double length = std::sqrt(x * x + y * y);
    if (length == 0) return 0;
    // Halve the angle three times, by tan(a/2) = sin a / (1 + cos a), so that a short series is
    // enough.
    const bool wide = x < 0;
    double t = y / (length + (wide ? -x : x));
    for (int k = 0; k < 2; ++k) t = t / (1 + std::sqrt(1 + t * t));
    const double t2 = t * t;
    double sum = 0;
    for (int k = 23; k > 0; k -= 2) sum = 1.0 / k - t2 * sum;
    const double angle = 8 * t * sum;
    return wide ? 3.14159265358979323846 - angle : angle;
}

} // namespace nendo
