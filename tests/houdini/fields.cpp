// SPDX-License-Identifier: Apache-2.0
// Colliders from the fields of a simulation object.
#include "block.h"

#include <SIM/SIM_ScalarField.h>
#include <SIM/SIM_VectorField.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>

namespace nendo::houdini::test::fields {
namespace {

using Distance = std::function<double(const Vec3d&)>;

/// The box of the fields: from (-2, -1, -2) to (2, 2, 2), with voxels of half a spacing.
template <class Field> Field& make_field(Network& net, const char* name) {
    auto* field = dynamic_cast<Field*>(net.object("matter")->createNamedSubData(
        name, Field::classname(), SIM_DATA_RETURN_EXISTING));
    field->standin_init(UT_Vector3D(-2, -1, -2), UT_Vector3D(d / 2, d / 2, d / 2), {64, 48, 64});
    return *field;
}

/// Houdini's convention: positive inside.
void set_collision(Network& net, const Distance& distance) {
    make_field<SIM_ScalarField>(net, "collision").standin_field().standin_fill([&](const auto& x) {
        return -distance(Vec3d(x.x(), x.y(), x.z()));
    });
}
void set_velocity(Network& net, const Vec3d& velocity) {
    auto& field = make_field<SIM_VectorField>(net, "collisionvel");
    for (unsigned k = 0; k < 3; ++k)
        field.standin_field(k).standin_fill([&](const auto&) { return velocity[int(k)]; });
}

double flat(const Vec3d& x) {
    return x.y();
}
double mound(const Vec3d& x) {
    return (x - Vec3d(0.1, -1, 0.15)).norm() - 1;
}

Vec3d mean_position(const State<float>& s) {
    Vec3d sum = Vec3d::Zero();
    for (const auto& x : s.masters.x) sum += x.cast<double>() / double(s.masters.x.size());
    return sum;
}
double nearest(const State<float>& s, const Distance& distance) {
    double least = infinite;
    for (const auto& x : s.masters.x) least = std::min(least, distance(x.cast<double>()));
    return least;
}

/// The inverse of a ball: solid outside, so that matter stays inside.
class Bowl final : public Sdf {
public:
    Bowl(const Vec3d& center, double radius) : m_center(center), m_radius(radius) {}
    double distance(const Vec3d& x) const override { return m_radius - (x - m_center).norm(); }
    Vec3d normal(const Vec3d& x) const override { return (m_center - x).normalized(); }
    Box3 bounds() const override { return {Vec3d::Constant(-infinite), Vec3d::Constant(infinite)}; }

private:
    Vec3d m_center;
    double m_radius;
};

/// Drops matter on the field for four seconds, and on the shape itself with the solver alone,
/// starting after the first frame, in which nothing touches. The matter is elastic: the place where
/// clay comes to rest depends on the last bit of a normal.
void expect_same_rest(const SdfPtr& shape, double tolerance) {
    const auto distance = [&](const Vec3d& x) { return shape->distance(x); };
    const int frames = 96;
    Network net;
    add_block(net, "matter", "jelly", {-1.5 * d, 0.5, -1.5 * d});
    set_collision(net, distance);
    net.go_to(1);
    State<float> rest = net.state("matter");
    ASSERT_GT(nearest(rest, distance), 2 * d);
    net.go_to(frames);
    const State<float> field = net.state("matter");

    Scene scene;
    scene.colliders.resize(1);
    scene.colliders[0].shape = shape;
    Host host;
    elastoplastic::Solver<float> solver;
    for (int frame = 2; frame <= frames; ++frame)
        solver.advance(rest, scene, {}, make_params(), frame / 24.0 - rest.details.time, host);
    EXPECT_LT(nearest(rest, distance), 0.6 * d) << "matter did not fall on the shape";
    EXPECT_LT(mean_velocity(rest).norm(), 1e-3) << "matter is not at rest";
    EXPECT_LT(mean_velocity(field).norm(), 1e-3);
    // Only the distances are compared: rounding decides where on the shape friction stops a
    // particle.
    EXPECT_NEAR(nearest(field, distance), nearest(rest, distance), tolerance);
}

TEST(Fields, matter_rests_on_a_field_as_on_the_same_shape) {
    // Between samples a plane is exact.
    expect_same_rest(make_plane(Vec3d::Zero(), Vec3d::UnitY()), 1e-4 * d);
    expect_same_rest(make_plane(Vec3d::Zero(), Vec3d(0.1, 1, -0.05).normalized()), 1e-3 * d);
    // Between samples the distance to a ball of radius R is off by up to h^2 / (8 R) per axis.
    const double radius = 1.5, h = d / 2;
    expect_same_rest(std::make_shared<Bowl>(Vec3d(0, radius, 0), radius), 3 * h * h / (8 * radius));
}

TEST(Fields, a_field_with_a_velocity_drags_matter_along) {
    Network net;
    set_option(add_block(net, "matter", "clay", {-1.5 * d, 0, -1.5 * d}), "collider_friction",
               100.0);
    const Vec3d speed(0.48, 0.24, 0);
    net.nodes.push_back([&](int frame) {
        const double height = speed.y() * frame / 24;
        set_collision(net, [&](const Vec3d& x) { return x.y() - height; });
        set_velocity(net, speed);
    });
    net.go_to(12);
    const State<float> s = net.state("matter");
    EXPECT_LT((mean_velocity(s) - speed).norm(), 0.05);
    EXPECT_GT(nearest(s, [&](const Vec3d& x) { return x.y() - speed.y() / 2; }), 0.1 * d);
}

TEST(Fields, a_velocity_is_read_at_the_position_of_the_matter) {
    // A turntable: matter at x = 1 moves along z.
    Network net;
    set_option(add_block(net, "matter", "clay", {1 - 1.5 * d, 0, -1.5 * d}), "collider_friction",
               100.0);
    set_collision(net, flat);
    const double turn = 0.5;
    auto& field = make_field<SIM_VectorField>(net, "collisionvel");
    field.standin_field(0).standin_fill([&](const auto& x) { return turn * x.z(); });
    field.standin_field(2).standin_fill([&](const auto& x) { return -turn * x.x(); });
    net.go_to(12);
    const State<float> s = net.state("matter");
    const Vec3d x = mean_position(s);
    EXPECT_LT((mean_velocity(s) - turn * Vec3d(x.z(), 0, -x.x())).norm(), 0.1 * turn);
    EXPECT_LT(x.z(), -0.15) << "matter lags behind";
}

TEST(Fields, a_field_without_a_velocity_is_at_rest) {
    const auto shift = [](bool with_velocity) {
        Network net;
        set_option(add_block(net, "matter", "jelly", {-1.5 * d, 0, -1.5 * d}), "collider_friction",
                   100.0);
        set_collision(net, flat);
        if (with_velocity) set_velocity(net, {0.5, 0, 0});
        net.go_to(24);
        return mean_position(net.state("matter")).x();
    };
    EXPECT_NEAR(shift(false), 0, 1e-3 * d);
    EXPECT_NEAR(shift(true), 0.5, 0.5 * d);
}

TEST(Fields, friction_comes_from_the_node) {
    const auto slide = [](double friction) {
        Network net;
        set_option(add_block(net, "matter", "jelly", {-1.5 * d, 0, -1.5 * d}), "collider_friction",
                   friction);
        GU_Detail& gdp = net.geometry("matter");
        const GA_RWHandleV3 v(gdp.addFloatTuple(GA_ATTRIB_POINT, "v", 3));
        for (const GA_Offset point : point_offsets(gdp)) v.set(point, UT_Vector3(1, 0, 0));
        set_collision(net, flat);
        net.go_to(6);
        return mean_velocity(net.state("matter")).x();
    };
    EXPECT_GT(slide(0), 0.95);
    EXPECT_LT(slide(1), 0.2);
}

TEST(Fields, is_extended_beyond_its_box_by_its_border_values) {
    Network net;
    add_block(net, "matter", "clay", {2.5, 0.25, -1.5 * d}); // the box ends at x = 2
    set_collision(net, flat);
    net.go_to(24);
    const State<float> s = net.state("matter");
    EXPECT_GT(nearest(s, flat), 0.1 * d);
    EXPECT_LT(nearest(s, flat), 0.6 * d);
    EXPECT_LT(mean_velocity(s).norm(), 0.02);
}

TEST(Fields, a_field_without_an_inside_is_not_a_collider) {
    const auto fall = [](const std::function<void(Network&)>& prepare) {
        Network net;
        add_block(net, "matter", "clay", {0, 0.25, 0});
        prepare(net);
        net.go_to(12);
        return net.hash("matter");
    };
    const std::uint64_t free = fall([](Network&) {});
    EXPECT_EQ(fall([](Network& net) { set_collision(net, [](const Vec3d&) { return 0.0; }); }),
              free)
        << "a field that is not filled yet";
    EXPECT_EQ(fall([](Network& net) { set_collision(net, [](const Vec3d&) { return 1.0; }); }),
              free);
    EXPECT_EQ(fall([](Network& net) { set_velocity(net, {1, 0, 0}); }), free);
    // A plate within one layer of voxels, whose samples are at their centers.
    EXPECT_NE(fall([](Network& net) {
                  set_collision(
                      net, [](const Vec3d& x) { return std::abs(x.y() - d / 4) - 0.3 * d / 2; });
              }),
              free);
    EXPECT_NE(fall([](Network& net) { set_collision(net, flat); }), free)
        << "the test cannot see a collider";
}

TEST(Fields, a_sim_file_continues_with_the_same_bits) {
    const auto build = [](Network& net) {
        add_block(net, "matter", "clay", {0, 0.125, 0});
        set_collision(net, mound);
        set_velocity(net, {0.25, 0, 0});
    };
    Network straight;
    build(straight);
    straight.go_to(5);
    const std::string file = straight.engine.standin_save();
    straight.go_to(12);
    Network net;
    build(net);
    net.object("matter")->removeNamedSubData("collision");
    net.engine.standin_load(file, 5);
    net.go_to(12);
    EXPECT_EQ(net.hash("matter"), straight.hash("matter"));
}

/// Expects one message on the node, with a remedy, and unchanged points.
void expect_error(const std::function<void(Network&)>& spoil, const std::string& text) {
    Network net;
    add_block(net, "matter", "clay", {0, 0.125, 0});
    set_collision(net, flat);
    set_velocity(net, {0.25, 0, 0});
    net.go_to(2);
    spoil(net);
    const std::uint64_t before = net.hash("matter");
    net.engine.standin_forget_after(2);
    net.engine.standin_go_to(3);
    EXPECT_EQ(net.solved, 2) << text;
    EXPECT_EQ(net.hash("matter"), before) << text;
    ASSERT_EQ(standin::messages().size(), 1u) << text << net.complaints();
    EXPECT_EQ(standin::messages()[0].severity, UT_ERROR_ABORT);
    EXPECT_EQ(standin::messages()[0].text.rfind(text, 0), 0u) << standin::messages()[0].text;
}

TEST(Fields, data_of_a_wrong_kind_is_an_error_with_a_remedy) {
    const auto replace = [](Network& net, const char* name, const char* type) {
        net.object("matter")->removeNamedSubData(name);
        net.object("matter")->createNamedSubData(name, type, 0);
    };
    const std::string scalar = "data 'collision': is not a scalar field; make it one with the node "
                               "SOP Scalar Field, or rename the data";
    expect_error([&](Network& net) { replace(net, "collision", "SIM_VectorField"); }, scalar);
    expect_error([&](Network& net) { replace(net, "collision", "SIM_GeometryCopy"); }, scalar);
    const std::string vector = "data 'collisionvel': is not a vector field; make it one with the "
                               "node SOP Vector Field, or rename the data";
    expect_error([&](Network& net) { replace(net, "collisionvel", "SIM_ScalarField"); }, vector);
    expect_error([&](Network& net) { replace(net, "collision", "SIM_ScalarField"); },
                 "data 'collision': has no voxels; give the field a size");
    expect_error([&](Network& net) { replace(net, "collisionvel", "SIM_VectorField"); },
                 "data 'collisionvel': has no voxels; give the field a size");
    expect_error(
        [&](Network& net) {
            set_collision(net, [](const Vec3d& x) {
                return x.norm() < 0.1 ? std::numeric_limits<double>::quiet_NaN() : x.y();
            });
        },
        "data 'collision': is not finite; repair");
}

} // namespace
} // namespace nendo::houdini::test::fields
