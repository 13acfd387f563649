// SPDX-License-Identifier: Apache-2.0
// Shape matching of clusters (melting thesis, §2.3.2): where each would put its members, eight clusters at a
// time.
#pragma once

#include "melt/workspace.h"

namespace nendo::melt {

/// The deformation of a cluster of particle i that counts as none [m].
template <class Real> Real least_deformation(const Workspace<Real>& w, std::size_t i) {
    return Real(2e-6) * w.trial.particles.radius[i]; // the radius is half a spacing
}

/// Fits clusters rows[0..count), count <= 8: `fit`, `turned`, and `deformation` where weights are
/// made of it (melting thesis, eq 2.34). Rigid matter is weighed by the deformation that is found here. Where
/// the fit sees members by their share, that share is of the deformation before, and so is the
/// weight. The positions are those of w.x, less link_pull when `without_pull`.
template <class Real>
void fit_clusters(Workspace<Real>& w, const std::uint32_t* rows, std::uint32_t count,
                  bool without_pull);

/// The moment of a particle's ellipsoid, as clusters see it (melting thesis, eq 2.27).
/// Differs: the printed order is diag L.
template <class Real> void update_moment(Workspace<Real>& w, std::size_t j);

/// The sum of |goal - x| over all clusters and their members, solved or not, each fitted to the
/// present positions (melting thesis, eq 3.1), and over how many pairs it goes.
struct DeformationSum {
    double sum = 0; ///< [m]
    double pairs = 0;
};
template <class Real> DeformationSum deformation_sum(Workspace<Real>& w);

} // namespace nendo::melt
