// SPDX-License-Identifier: Apache-2.0
// Computes the display quantities of clusters from particles and links.
#include "melt/inspect.h"

#include "math/kernels.h"
#include "math/nearest_rotation.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace nendo::melt {

namespace {

/// Calls use(i, j, k) for each link k between rows i and j, if both exist.
template <class Use>
void for_each_link(const InspectedColumns& particles, const Links<float>& links, const Use& use) {
    std::unordered_map<std::int64_t, std::size_t> row;
    for (std::size_t i = 0; i < particles.id.size(); ++i) row.emplace(particles.id[i], i);
    for (std::size_t k = 0; k < links.id.size(); ++k) {
        const auto i = row.find(links.id[k]), j = row.find(links.other[k]);
        if (i != row.end() && j != row.end()) use(i->second, j->second, k);
    }
}

Vec4<double> orientation(const InspectedColumns& particles, std::size_t i) {
    return particles.orient[i].cast<double>();
}

/// Present and rest offset of member j from the center of cluster i, both in world axes [m].
struct MemberOffset {
    Vec3d now, rest;
    MemberOffset(const InspectedColumns& p, const Links<float>& links, std::size_t i, std::size_t j,
                 std::size_t k)
        : now((p.x[j] - p.x[i]).cast<double>()),
          rest(rotation_matrix(orientation(p, i)) * links.rest[k].cast<double>()) {}
};

} // namespace

std::vector<double> cluster_strain(const InspectedColumns& p, const Links<float>& links) {
    const std::size_t n = p.id.size();
    // Shapes are compared about their centers of mass. The particle itself is a member at offset 0.
    std::vector<Vec3d> offset(n, Vec3d::Zero());
    std::vector<double> mass(p.mass.begin(), p.mass.end()), far(n, 0), size(n, 0);
    for_each_link(p, links, [&](std::size_t i, std::size_t j, std::size_t k) {
        const MemberOffset member(p, links, i, j, k);
        offset[i] += static_cast<double>(p.mass[j]) * (member.now - member.rest);
        mass[i] += static_cast<double>(p.mass[j]);
    });
    for (std::size_t i = 0; i < n; ++i) {
        if (mass[i] > 0) offset[i] /= mass[i];
        far[i] = offset[i].norm();
    }
    for_each_link(p, links, [&](std::size_t i, std::size_t j, std::size_t k) {
        const MemberOffset member(p, links, i, j, k);
        far[i] += (member.now - member.rest - offset[i]).norm();
        size[i] += member.rest.norm();
    });
    for (std::size_t i = 0; i < n; ++i) far[i] = size[i] > 0 ? far[i] / size[i] : 0;
    return far;
}

std::vector<double> orientation_error(const InspectedColumns& p, const Links<float>& links) {
    std::vector<double> angle(p.id.size(), 0), count(p.id.size(), 0);
    for_each_link(p, links, [&](std::size_t i, std::size_t j, std::size_t k) {
        const Vec4<double> rest =
            quaternion_product<double>(orientation(p, i), links.turn[k].cast<double>());
        const Vec4<double> rotation =
            quaternion_product<double>(orientation(p, j), quaternion_inverse<double>(rest));
        angle[i] += 360 / pi * std::atan2(rotation.head<3>().norm(), std::abs(rotation[3]));
        ++count[i];
    });
    for (std::size_t i = 0; i < angle.size(); ++i) angle[i] /= std::max(count[i], 1.0);
    return angle;
}

} // namespace nendo::melt
