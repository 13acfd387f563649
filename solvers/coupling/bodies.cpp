// SPDX-License-Identifier: Apache-2.0
// Adds bodies to the state: points become particles, and springs join neighboring ones.
#include "core/error.h"
#include "coupling/solver.h"
#include "neighbors/grid.h"

#include <algorithm>

namespace nendo::coupling {

std::vector<std::array<std::uint32_t, 2>> connect_points(const std::vector<Vec3d>& points,
                                                         double radius) {
    std::vector<std::array<std::uint32_t, 2>> edges;
    Grid<double> grid;
    grid.build(points, radius);
    std::vector<std::uint32_t> near;
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        near.clear();
        grid.visit(points[i], radius, [&](std::uint32_t j, double) {
            if (j > i) near.push_back(j);
        });
        std::sort(near.begin(), near.end());
        for (const std::uint32_t j : near) edges.push_back({i, j});
    }
    return edges;
}

std::vector<std::array<std::uint32_t, 3>>
membrane_faces(const std::vector<Vec3d>& points,
               const std::vector<std::array<std::uint32_t, 2>>& edges, double longest) {
    std::vector<std::vector<std::uint32_t>> above(points.size());
    for (const auto& [a, b] : edges)
        if ((points[a] - points[b]).norm() <= longest)
            above[std::min(a, b)].push_back(std::max(a, b));
    for (auto& list : above) std::sort(list.begin(), list.end());
    std::vector<std::array<std::uint32_t, 3>> faces;
    for (std::uint32_t a = 0; a < points.size(); ++a)
        for (std::size_t k = 0; k < above[a].size(); ++k)
            for (std::size_t l = k + 1; l < above[a].size(); ++l) {
                const std::uint32_t b = above[a][k], c = above[a][l];
                if (std::binary_search(above[b].begin(), above[b].end(), c))
                    faces.push_back({a, b, c});
            }
    return faces;
}

namespace {

void check_corner(std::uint32_t point, const Body& body, const char* what) {
    if (point >= body.points.size())
        throw Error(std::string(what) + " connects to point " + std::to_string(point) +
                        ", but the number of points is " + std::to_string(body.points.size()),
                    "body '" + body.name + "'", "use indices of points of the body");
}

template <class Real>
void add_springs(State<Real>& s, const Body& body, std::int64_t first_id, double spacing,
                 const std::vector<Muscle>& muscles) {
    // Slightly more than the radius, because points of a lattice lie exactly on it.
    const auto edges =
        body.edges.empty()
            ? connect_points(body.points, body.material.connection * spacing * (1 + 1e-9))
            : body.edges;
    Springs<Real>& springs = s.springs;
    const std::size_t first = springs.id.size();
    resize_table(springs, first + edges.size());
    for (std::size_t k = 0; k < edges.size(); ++k) {
        const auto [a, b] = edges[k];
        check_corner(a, body, "a spring");
        check_corner(b, body, "a spring");
        const double length = (body.points[a] - body.points[b]).norm();
        if (!(length > 0))
            throw Error("the spring between points " + std::to_string(a) + " and " +
                            std::to_string(b) + " has no length",
                        "body '" + body.name + "'", "move the points apart, or remove one of them");
        const std::size_t row = first + k;
        springs.id[row] = s.details.next_spring++;
        springs.a[row] = first_id + a;
        springs.b[row] = first_id + b;
        springs.rest[row] = static_cast<Real>(length);
        springs.stiffness[row] = static_cast<Real>(body.material.stiffness);
        springs.damping[row] = static_cast<Real>(body.material.damping);
        springs.break_strain[row] = static_cast<Real>(body.material.break_strain);
        for (std::size_t m = 0; m < muscles.size(); ++m) {
            const bool its_body = muscles[m].body < 0 || muscles[m].body == body.index;
            if (its_body && muscles[m].works(body.points[a], body.points[b]))
                springs.muscle[row] = static_cast<std::int32_t>(m + 1);
        }
    }
    auto faces = body.faces;
    if (faces.empty() && body.membrane) faces = membrane_faces(body.points, edges, 1.5 * spacing);
    const std::size_t first_face = s.faces.id.size();
    resize_table(s.faces, first_face + faces.size());
    for (std::size_t k = 0; k < faces.size(); ++k) {
        for (const std::uint32_t corner : faces[k]) check_corner(corner, body, "a face");
        const std::size_t row = first_face + k;
        s.faces.id[row] = s.details.next_face++;
        s.faces.a[row] = first_id + faces[k][0];
        s.faces.b[row] = first_id + faces[k][1];
        s.faces.c[row] = first_id + faces[k][2];
    }
}

} // namespace

template <class Real>
void add_body(State<Real>& s, const Body& body, const std::vector<Muscle>& muscles,
              const Params& params) {
    Particles<Real>& particles = s.particles;
    const double spacing = body.spacing > 0 ? body.spacing : params.spacing;
    const Material& material = body.material;
    for (const double positive : {material.density, spacing})
        if (!(positive > 0))
            throw Error("density and spacing must be above 0", "body '" + body.name + "'",
                        "set both to positive values");
    const std::size_t first = particles.id.size();
    const std::int64_t first_id = s.details.next_particle;
    resize_table(particles, first + body.points.size());
    Vec3d center = Vec3d::Zero();
    for (const Vec3d& x : body.points) center += x / static_cast<double>(body.points.size());
    for (std::size_t k = 0; k < body.points.size(); ++k) {
        const std::size_t row = first + k;
        const Vec3d& x = body.points[k];
        particles.id[row] = s.details.next_particle++;
        particles.x[row] = x.cast<Real>();
        particles.v[row] =
            (body.velocity + body.angular_velocity.cross(x - center)).template cast<Real>();
        particles.phase[row] = material.phase == Phase::fluid ? fluid_phase : body_phase;
        particles.body[row] = body.index;
        particles.mass[row] = static_cast<Real>(material.density * spacing * spacing * spacing);
        particles.radius[row] = static_cast<Real>(0.5 * spacing);
        particles.rest_density[row] = static_cast<Real>(material.density);
        particles.viscosity[row] = static_cast<Real>(material.viscosity);
        particles.density[row] = static_cast<Real>(material.density);
        particles.stretch[row] = 1;
    }
    if (material.phase == Phase::body) add_springs(s, body, first_id, spacing, muscles);
}

MuscleKey Muscle::at(double time) const {
    if (keys.empty()) return {};
    const double t = period > 0 ? time - period * std::floor(time / period) : time;
    if (t <= keys.front().time) return keys.front();
    for (std::size_t k = 1; k < keys.size(); ++k) {
        const MuscleKey &a = keys[k - 1], &b = keys[k];
        if (t >= b.time) continue;
        const double share = (t - a.time) / (b.time - a.time);
        return {time, a.length + share * (b.length - a.length),
                a.force + share * (b.force - a.force)};
    }
    return keys.back();
}

bool Muscle::works(const Vec3d& a, const Vec3d& b) const {
    const Vec3d middle = 0.5 * (a + b);
    if (shape && !shape->inside(middle)) return false;
    if (axis.isZero(0)) return true;
    const Vec3d around = axis.cross(middle - center);
    const double share = std::abs(around.dot(b - a)); // component around the axis
    return share > 0.7 * around.norm() * (b - a).norm();
}

template void add_body(State<float>&, const Body&, const std::vector<Muscle>&, const Params&);
template void add_body(State<double>&, const Body&, const std::vector<Muscle>&, const Params&);

} // namespace nendo::coupling
