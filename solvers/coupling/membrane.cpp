// SPDX-License-Identifier: Apache-2.0
// Membranes one particle thick. SPH kernels reach through them, so their faces keep the fluid on
// its side. This goes beyond the paper, which leaves thin membranes open (Hirato, section 5).
#include "coupling/stages.h"

#include <algorithm>

namespace nendo::coupling {

namespace {

/// The point of a triangle closest to x, in barycentric coordinates (Ericson 2005, 5.1.5).
template <class Real>
Vec3<Real> nearest_shares(const Vec3<Real>& x, const Vec3<Real>& a, const Vec3<Real>& b,
                          const Vec3<Real>& c) {
    const Vec3<Real> ab = b - a, ac = c - a, ax = x - a;
    const Real d1 = ab.dot(ax), d2 = ac.dot(ax);
    if (d1 <= 0 && d2 <= 0) return {1, 0, 0};
    const Vec3<Real> bx = x - b;
    const Real d3 = ab.dot(bx), d4 = ac.dot(bx);
    if (d3 >= 0 && d4 <= d3) return {0, 1, 0};
    const Real vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) {
        const Real t = d1 / (d1 - d3);
        return {1 - t, t, 0};
    }
    const Vec3<Real> cx = x - c;
    const Real d5 = ab.dot(cx), d6 = ac.dot(cx);
    if (d6 >= 0 && d5 <= d6) return {0, 0, 1};
    const Real vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) {
        const Real t = d2 / (d2 - d6);
        return {1 - t, 0, t};
    }
    const Real va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        const Real t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return {0, 1 - t, t};
    }
    const Real sum = va + vb + vc;
    return {va / sum, vb / sum, vc / sum};
}

/// The position of a particle relative to a face.
template <class Real> struct View {
    std::uint32_t corner[3]; ///< Rows of the particles at the corners
    Vec3<Real> shares;       ///< Barycentric coordinates of the closest point
    Vec3<Real> offset;       ///< From the closest point to the particle [m]
    Vec3<Real> normal;       ///< Normal of the face
    bool flat = false;       ///< True if the face has no area
};

template <class Real>
View<Real> view_from_face(const Workspace<Real>& w, const std::vector<Vec3<Real>>& x,
                          std::uint32_t row, std::uint32_t face) {
    View<Real> view;
    for (std::size_t k = 0; k < 3; ++k) view.corner[k] = w.row_of[w.faces[face][k]];
    const Vec3<Real>&a = x[view.corner[0]], &b = x[view.corner[1]], &c = x[view.corner[2]];
    view.shares = nearest_shares(x[row], a, b, c);
    view.offset = x[row] - (view.shares[0] * a + view.shares[1] * b + view.shares[2] * c);
    const Vec3<Real> cross = (b - a).cross(c - a);
    const Real area = cross.norm();
    view.flat = !(area > Real(0));
    view.normal = view.flat ? view.offset : Vec3<Real>(cross / area);
    return view;
}

/// Displacement that keeps a particle `gap` [m] from a face, on its side. Zero if it is far enough.
template <class Real>
Vec3<Real> push_out_displacement(const View<Real>& view, Real side, Real gap) {
    const Real distance = view.offset.norm();
    const Real height = side * view.normal.dot(view.offset);
    const bool above = view.shares.minCoeff() > Real(0); // over the face, not beside it
    if (above) return std::max(gap - height, Real(0)) * side * view.normal;
    if (distance >= gap) return Vec3<Real>::Zero();
    if (height < Real(0)) return (gap - height) * side * view.normal;
    return (gap / std::max(distance, gap * Real(1e-6)) - Real(1)) * view.offset;
}

} // namespace

template <class Real> void find_membrane_contacts(Workspace<Real>& w, const Params& p) {
    w.membrane_contacts.clear();
    if (w.faces.empty()) return;
    const Particles<Real>& particles = w.trial.particles;
    const Real reach = static_cast<Real>(3 * membrane_gap * p.spacing);
    w.membrane_contact_blocks.resize((w.near.size() + block_size - 1) / block_size);
    parallel_blocks(w.near.size(), [&](std::size_t begin, std::size_t end) {
        auto& found = w.membrane_contact_blocks[begin / block_size];
        found.clear();
        std::vector<std::uint32_t> faces;
        for (std::size_t slot = begin; slot != end; ++slot) {
            const std::uint32_t row = w.near.index()[slot];
            if (particles.phase[row] != fluid_phase) continue;
            faces.clear();
            const auto list = w.near.of(slot);
            for (const std::uint32_t* k = list.begin; k != list.end; ++k) {
                if (*k == w.near.padding_slot()) continue;
                const std::uint32_t node = w.node_of[w.near.index()[*k]];
                if (node == Workspace<Real>::no_node) continue;
                faces.insert(faces.end(), w.faces_of.begin() + w.face_start[node],
                             w.faces_of.begin() + w.face_start[node + 1]);
            }
            std::sort(faces.begin(), faces.end());
            faces.erase(std::unique(faces.begin(), faces.end()), faces.end());
            for (const std::uint32_t face : faces) {
                const View<Real> view = view_from_face(w, particles.x, row, face);
                if (view.flat || view.offset.squaredNorm() > reach * reach) continue;
                const Real side = view.normal.dot(view.offset) < Real(0) ? Real(-1) : Real(1);
                found.push_back({row, face, side});
            }
        }
    });
    for (const auto& block : w.membrane_contact_blocks)
        w.membrane_contacts.insert(w.membrane_contacts.end(), block.begin(), block.end());
}

template <class Real> void hold_fluid(Workspace<Real>& w, const Params& p, double dt) {
    Particles<Real>& particles = w.trial.particles;
    const Real gap = static_cast<Real>(membrane_gap * p.spacing);
    const Real per_step = static_cast<Real>(1 / dt);
    const auto per_mass = [&](std::uint32_t row) {
        return w.held(row) ? Real(0) : Real(1) / particles.mass[row];
    };
    const auto shift = [&](std::uint32_t row, const Vec3<Real>& displacement) {
        particles.x[row] += displacement;
        particles.v[row] += per_step * displacement;
    };
    // Fluid and face both yield, by their masses. The last sweep moves fluid only: none leaks.
    constexpr int sweeps = 8;
    for (int sweep = 0; sweep <= sweeps; ++sweep)
        for (const MembraneContact<Real>& h : w.membrane_contacts) {
            const View<Real> view = view_from_face(w, particles.x, h.row, h.face);
            if (view.flat) continue;
            const Vec3<Real> displacement =
                push_out_displacement(view, h.side, sweep < sweeps ? gap : Real(0.5) * gap);
            if (displacement.isZero(0)) continue;
            if (sweep == sweeps) {
                shift(h.row, displacement);
                continue;
            }
            Real sum = per_mass(h.row);
            for (std::size_t k = 0; k < 3; ++k) {
                const Real share = view.shares[static_cast<Eigen::Index>(k)];
                sum += share * share * per_mass(view.corner[k]);
            }
            const Vec3<Real> push = displacement / sum;
            shift(h.row, per_mass(h.row) * push);
            for (std::size_t k = 0; k < 3; ++k) {
                const Real share = view.shares[static_cast<Eigen::Index>(k)];
                shift(view.corner[k], -share * per_mass(view.corner[k]) * push);
            }
        }
}

template void find_membrane_contacts(Workspace<float>&, const Params&);
template void find_membrane_contacts(Workspace<double>&, const Params&);
template void hold_fluid(Workspace<float>&, const Params&, double);
template void hold_fluid(Workspace<double>&, const Params&, double);

} // namespace nendo::coupling
