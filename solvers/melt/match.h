// SPDX-License-Identifier: Apache-2.0
// Shape matching (melting thesis, §2.3.2): the goals of each cluster for its members, computed for
// eight clusters at a time.
#pragma once

#include "melt/workspace.h"

namespace nendo::melt {

/// The deformation [m] that an undeformed cluster of particle i is given, so that none weighs zero.
template <class Real> Real least_deformation(const Workspace<Real>& w, std::size_t i) {
    return Real(2e-6) * w.trial.particles.radius[i]; // the radius is half a spacing
}

/// Fits clusters rows[0..count), count <= 8. Writes `fit`, `fitted_q` and, if the solve is weighted,
/// `deformation` (melting thesis, eq 2.34). Rigid matter is weighted by the deformation found here.
/// If members are weighted by share, both share and weight use the previous iteration's
/// deformation. Positions are those in w.x, minus link_pull if `without_pull`.
template <class Real>
void fit_clusters(Workspace<Real>& w, const std::uint32_t* rows, std::uint32_t count,
                  bool without_pull);

/// Updates the moment of a particle's ellipsoid, as clusters see it (melting thesis, eq 2.27).
/// Differs: the printed order is diag L.
template <class Real> void update_moment(Workspace<Real>& w, std::size_t j);

/// The sum of |goal - x| over all members of all clusters, solved or not, each fitted to the
/// present positions (melting thesis, eq 3.1), and the number of pairs in it.
struct DeformationSum {
    double sum = 0; ///< [m]
    double pairs = 0;
};
template <class Real> DeformationSum deformation_sum(Workspace<Real>& w);

} // namespace nendo::melt
