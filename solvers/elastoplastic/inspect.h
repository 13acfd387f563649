// SPDX-License-Identifier: Apache-2.0
// What can be seen in a particle: how hard it is pressed, how near it is to yielding, how far it has
// flowed. For display; the solver does not use it.
#pragma once

#include "core/fields.h"
#include "core/types.h"

#include <cstdint>
#include <vector>

namespace nendo::elastoplastic {

enum class Quantity { stress, pressure, yield, plastic_strain, energy, slaves };

/// The columns of Masters that a particle is judged by, under their names in geometry.
struct InspectedColumns {
    std::vector<Mat3<float>> F_E;
    std::vector<Mat3<float>> F_P;
    std::vector<float> J_P;
    std::vector<float> young; ///< [Pa]
    std::vector<float> poisson;
    std::vector<float> yield_stretch;
    std::vector<float> yield_compress;
    std::vector<float> hardening;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.F_E, field("F_E").meaning(Meaning::matrix));
        visit(self.F_P, field("F_P").meaning(Meaning::matrix));
        visit(self.J_P, field("J_P"));
        visit(self.young, field("young").unit("Pa"));
        visit(self.poisson, field("poisson"));
        visit(self.yield_stretch, field("yield_stretch").may_be_none());
        visit(self.yield_compress, field("yield_compress").may_be_none());
        visit(self.hardening, field("hardening"));
    }
};

/// One particle. Stress is Cauchy's, with hardening.
struct Inspected {
    Mat3d F_E = Mat3d::Identity();
    Mat3d F_P = Mat3d::Identity();
    double J_P = 1;
    double young = 1; ///< [Pa]
    double poisson = 0;
    double yield_stretch = infinite;
    double yield_compress = infinite;
    double hardening = 0;
};

/// Principal Cauchy stresses [Pa]; tension is positive.
Vec3d principal_stresses(const Inspected& particle);
/// Von Mises' equivalent stress [Pa].
double von_mises_stress(const Inspected& particle);
/// [Pa]; compression is positive.
double pressure(const Inspected& particle);
/// 0 at rest, 1 where it flows; 0 for matter that does not yield.
double yield_ratio(const Inspected& particle);
/// sqrt(2/3) of the norm of the logarithmic plastic strain: ln(stretch) for a pull that keeps volume.
double plastic_strain(const Inspected& particle);
/// Elastic energy in a cubic meter of matter at rest [J/m^3].
double energy_density(const Inspected& particle);

/// The quantity for each particle; not for Quantity::slaves.
std::vector<double> inspect(const InspectedColumns& particles, Quantity quantity);

/// For each master the number of slaves within `spacing` [m], its own reach.
std::vector<double> count_slaves(const std::vector<Vec3d>& masters,
                                 const std::vector<Vec3d>& slaves, double spacing);

} // namespace nendo::elastoplastic
