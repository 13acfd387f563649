// Functions of the maths library whose last bits differ between machines, written so that they
// don't: only additions, multiplications, divisions and bit patterns.
#pragma once

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
    return std::ldexp(sum, static_cast<int>(n));
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

} // namespace nendo
