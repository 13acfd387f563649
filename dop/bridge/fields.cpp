// SPDX-License-Identifier: Apache-2.0
// Samples of Houdini's fields as a signed distance and a velocity.
#include "dop/bridge/fields.h"

#include "core/error.h"

#include <SIM/SIM_DataUtils.h>
#include <SIM/SIM_Object.h>
#include <SIM/SIM_RawField.h>
#include <SIM/SIM_ScalarField.h>
#include <SIM/SIM_VectorField.h>

#include <cmath>

namespace nendo::houdini {

namespace {

const char* const distance_name = "collision";
const char* const velocity_name = "collisionvel";

std::string data_label(const char* name) {
    return std::string("data '") + name + "'";
}

Vec3d from_houdini(const UT_Vector3& v) {
    return {double(v.x()), double(v.y()), double(v.z())};
}
UT_Vector3 to_houdini(const Vec3d& v) {
    return UT_Vector3(static_cast<float>(v.x()), static_cast<float>(v.y()),
                      static_cast<float>(v.z()));
}

/// Positions of the samples of a field: the centers of its voxels.
struct Samples {
    Vec3d first, last; ///< [m]
    Vec3d voxel;       ///< [m]
    Eigen::Vector3i count;

    Vec3d at(int i, int j, int k) const { return first + voxel.cwiseProduct(Vec3d(i, j, k)); }
    /// The nearest position inside the samples.
    UT_Vector3 clamp(const Vec3d& p) const { return to_houdini(p.cwiseMax(first).cwiseMin(last)); }
};

template <class Field> Samples samples_of(const Field& field, const char* name) {
    Samples s;
    s.voxel = from_houdini(field.getVoxelSize());
    const Vec3d count = from_houdini(field.getDivisions());
    if (!(s.voxel.minCoeff() > 0) || !s.voxel.allFinite() || !(count.minCoeff() >= 1))
        throw Error("has no voxels", data_label(name), "give the field a size and divisions");
    s.count = count.cast<int>();
    s.first = from_houdini(field.getOrig()) + s.voxel / 2;
    s.last = s.at(s.count.x() - 1, s.count.y() - 1, s.count.z() - 1);
    return s;
}

class FieldSdf final : public Sdf {
public:
    explicit FieldSdf(const SIM_ScalarField& field)
        : m_field(*field.getField()), m_samples(samples_of(field, distance_name)),
          m_inside(find_inside()) {}

    double distance(const Vec3d& p) const override {
        return -double(m_field.getValue(m_samples.clamp(p)));
    }
    Vec3d normal(const Vec3d& p) const override {
        // Beyond the samples the distance is constant, so the surface continues as at their border.
        const Vec3d inside = p.cwiseMax(m_samples.first).cwiseMin(m_samples.last);
        Vec3d gradient = Vec3d::Zero();
        for (int k = 0; k < 3; ++k) {
            if (m_samples.count[k] < 2) continue;
            const Vec3d low =
                (inside - 0.5 * m_samples.voxel[k] * Vec3d::Unit(k)).cwiseMax(m_samples.first);
            const Vec3d high =
                (inside + 0.5 * m_samples.voxel[k] * Vec3d::Unit(k)).cwiseMin(m_samples.last);
            gradient[k] = (distance(high) - distance(low)) / (high[k] - low[k]);
        }
        const double length = gradient.norm();
        return length > 1e-6 ? Vec3d(gradient / length) : Vec3d::UnitY();
    }
    /// Bounds of the samples inside; the solvers ask for the speeds at their corners.
    Box3 bounds() const override { return m_inside; }
    bool is_empty() const { return m_inside.min.x() > m_inside.max.x(); }

private:
    Box3 find_inside() const {
        Box3 box;
        for (int k = 0; k < m_samples.count.z(); ++k)
            for (int j = 0; j < m_samples.count.y(); ++j)
                for (int i = 0; i < m_samples.count.x(); ++i) {
                    const Vec3d p = m_samples.at(i, j, k);
                    const double d = distance(p);
                    if (!std::isfinite(d))
                        throw Error("is not finite", data_label(distance_name),
                                    "repair the node that fills the field");
                    if (d < 0) box = {box.min.cwiseMin(p), box.max.cwiseMax(p)};
                }
        return box;
    }

    const SIM_RawField& m_field;
    Samples m_samples;
    Box3 m_inside;
};

class FieldVelocity final : public VelocityField {
public:
    explicit FieldVelocity(const SIM_VectorField& field)
        : m_field(field), m_samples(samples_of(field, velocity_name)) {}
    Vec3d at(const Vec3d& p) const override {
        return from_houdini(m_field.getValue(m_samples.clamp(p)));
    }

private:
    const SIM_VectorField& m_field;
    Samples m_samples;
};

[[noreturn]] void fail_kind(const char* name, const char* kind, const char* node) {
    throw Error(std::string("is not a ") + kind + " field", data_label(name),
                std::string("make it one with the node ") + node + ", or rename the data");
}

} // namespace

std::optional<Collider> find_field_collider(const SIM_Object& object, double start, double end) {
    const SIM_Data* data = object.getConstNamedSubData(distance_name);
    if (data == nullptr) return std::nullopt;
    const auto* distances = SIM_DATA_CASTCONST(data, SIM_ScalarField);
    if (distances == nullptr) fail_kind(distance_name, "scalar", "SOP Scalar Field");
    const SIM_Data* moves = object.getConstNamedSubData(velocity_name);
    const auto* velocities = SIM_DATA_CASTCONST(moves, SIM_VectorField);
    if (moves != nullptr && velocities == nullptr)
        fail_kind(velocity_name, "vector", "SOP Vector Field");

    const auto shape = std::make_shared<FieldSdf>(*distances);
    if (shape->is_empty()) return std::nullopt;
    Collider collider;
    collider.name = std::string("field '") + distance_name + "'";
    collider.shape = shape;
    if (velocities != nullptr) {
        collider.deformation.start = start;
        collider.deformation.end = end;
        collider.deformation.velocity = std::make_shared<FieldVelocity>(*velocities);
    }
    return collider;
}

} // namespace nendo::houdini
