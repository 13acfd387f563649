// SPDX-License-Identifier: Apache-2.0
// Derived quantities of particles for display: stress, pressure, how close they are to yielding, how
// far they have flowed. The solver does not use them.
#pragma once

#include "elastoplastic/material.h"

#include <cstdint>
#include <vector>

namespace nendo::elastoplastic {

enum class Quantity { stress, pressure, yield, plastic_strain, energy, slaves };

/// The columns of Masters that the quantities are computed from, named as in geometry.
struct InspectedColumns : Strength<std::vector<float>> {
    std::vector<Mat3<float>> F_E;
    std::vector<Mat3<float>> F_P;
    std::vector<float> J_P;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.F_E, field("F_E").meaning(Meaning::matrix));
        visit(self.F_P, field("F_P").meaning(Meaning::matrix));
        visit(self.J_P, field("J_P"));
        Strength<std::vector<float>>::fields(self, visit);
    }
};

/// One particle. Its stress is the Cauchy stress, including hardening.
struct Inspected : Strength<double> {
    Mat3d F_E = Mat3d::Identity();
    Mat3d F_P = Mat3d::Identity();
    double J_P = 1;
};

/// Principal Cauchy stresses [Pa]; tension is positive.
Vec3d principal_stresses(const Inspected& particle);
/// Von Mises equivalent stress [Pa].
double von_mises_stress(const Inspected& particle);
/// Pressure [Pa]; compression is positive.
double pressure(const Inspected& particle);
/// Strain relative to the yield strain [1]: 0 at rest, 1 if the particle flows, always 0 for matter
/// that does not yield.
double yield_ratio(const Inspected& particle);
/// sqrt(2/3) times the norm of the logarithmic plastic strain [1]. For a uniaxial stretch that keeps
/// volume it is ln(stretch).
double plastic_strain(const Inspected& particle);
/// Elastic energy per cubic meter of matter at rest [J/m^3].
double energy_density(const Inspected& particle);

/// Computes a quantity for each particle. For Quantity::slaves use count_slaves() instead.
std::vector<double> inspect(const InspectedColumns& particles, Quantity quantity);

/// Counts the slaves within `spacing` [m] of each master.
std::vector<double> count_slaves(const std::vector<Vec3d>& masters,
                                 const std::vector<Vec3d>& slaves, double spacing);

} // namespace nendo::elastoplastic
