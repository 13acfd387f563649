// SPDX-License-Identifier: Apache-2.0
// Clusters of oriented particles: their members, which of them are solved, and that no solver
// creates momentum.
#include "support/melting.h"

#include <gtest/gtest.h>

#include <random>

namespace nendo::melt::test::clusters {
namespace {

constexpr double d = 0.05;

Body animal(double height = 0.9) {
    return make_body(*make_animal(height), Material{}, d);
}

/// All promises of clusters, checked against their own tables.
template <class Real> void expect_sound(const Clusters<Real>& clusters) {
    std::size_t links = 0;
    for (std::uint32_t i = 0; i < clusters.size(); ++i) {
        const Segment& s = clusters[i];
        links += s.count;
        for (std::uint32_t k = s.begin; k < s.begin + s.count; ++k) {
            const std::uint32_t j = clusters.member()[k];
            ASSERT_LT(j, clusters.size());
            const std::uint32_t back = clusters.mirror()[k];
            ASSERT_EQ(clusters.member()[back], i);
            ASSERT_EQ(clusters.mirror()[back], k);
            ASSERT_GE(back, clusters[j].begin);
            ASSERT_LT(back, clusters[j].begin + clusters[j].count);
            if (k > s.begin) {
                const std::uint32_t before = clusters.member()[k - 1];
                ASSERT_TRUE(clusters.bucket(before) < clusters.bucket(j) ||
                            (clusters.bucket(before) == clusters.bucket(j) && before < j));
            }
        }
        for (std::uint32_t k = s.begin + s.count; k < s.begin + s.capacity; ++k)
            ASSERT_EQ(clusters.member()[k], clusters.padding_row());
        for (int g = 0; g <= max_groups; ++g)
            for (std::uint32_t k = s.first(g); k < s.last(g); ++k)
                ASSERT_EQ(clusters.bucket(clusters.member()[s.begin + k]), g);
    }
    EXPECT_EQ(links, clusters.links());
}

TEST(MeltClusters, contain_all_particles_within_their_radius) {
    const Params p = cold(d);
    const State<double> state = start<double>({make_block({5, 5, 5}, {0, 0, 0}, {}, d)}, p);
    Workspace<double> w;
    w.trial = state;
    lay_out(w, p, w.trial.links);
    expect_sound(w.clusters);
    std::uint32_t largest = 0, least = 1000;
    for (std::uint32_t i = 0; i < w.clusters.size(); ++i) {
        largest = std::max(largest, w.clusters[i].count);
        least = std::min(least, w.clusters[i].count);
    }
    EXPECT_EQ(largest, 27u); // a ball of 1.75 spacings on the lattice
    EXPECT_EQ(least, 8u);    // in a corner
}

TEST(MeltClusters, stay_valid_while_particles_leave_and_come_back) {
    Params p = cold(d);
    p.samples = 0.2;
    Workspace<double> w;
    w.trial = start<double>({animal(0.7)}, p);
    lay_out(w, p, w.trial.links);
    w.conduction.place(heat_columns(w.trial.particles), p.spacing);
    Particles<double>& c = w.trial.particles;
    std::mt19937 random(5);
    for (int round = 0; round < 200; ++round) {
        const auto i = static_cast<std::uint32_t>(random() % c.id.size());
        if (c.phase[i] == solid) {
            release(w, p, i);
            c.phase[i] = liquid;
            c.solved[i] = 0;
            c.color[i] = -1;
            w.clusters.change_bucket(i, max_groups);
        } else {
            c.phase[i] = solid;
            attach(w, p, i, p.cluster_radius * p.spacing * (1 + 1e-5));
        }
    }
    expect_sound(w.clusters);
    // Every solid particle has a solved cluster, and clusters of one color share no particle.
    for (std::uint32_t i = 0; i < c.id.size(); ++i) {
        const Segment& s = w.clusters[i];
        ASSERT_EQ(s.count > 0, c.phase[i] == solid);
        if (s.count == 0) continue;
        ASSERT_GT(s.solved(), 0u);
        std::vector<std::int32_t> colors;
        for (std::uint32_t k = s.begin; k < s.begin + s.count; ++k)
            colors.push_back(c.color[w.clusters.member()[k]]);
        std::sort(colors.begin(), colors.end());
        ASSERT_EQ(std::adjacent_find(colors.begin(), colors.end()), colors.end());
    }
    // The same links, laid out anew.
    w.clusters.store(w.trial);
    Clusters<double> fresh;
    w.bucket.resize(c.id.size());
    for (std::uint32_t i = 0; i < c.id.size(); ++i) w.bucket[i] = bucket_of(c, i, p);
    fresh.load(w.trial, w.trial.links, w.bucket);
    expect_sound(fresh);
    for (std::uint32_t i = 0; i < c.id.size(); ++i) {
        ASSERT_EQ(fresh[i].count, w.clusters[i].count);
        for (std::uint32_t k = 0; k < fresh[i].count; ++k) {
            ASSERT_EQ(fresh.member()[fresh[i].begin + k],
                      w.clusters.member()[w.clusters[i].begin + k]);
            ASSERT_EQ(fresh.rest()[fresh[i].begin + k], w.clusters.rest()[w.clusters[i].begin + k]);
        }
    }
}

TEST(MeltClusters, samples_are_spread_and_cover_all_particles) {
    for (const double share : {0.0, 0.13, 0.5}) {
        Params p = cold(d);
        p.samples = share;
        Workspace<float> w;
        w.trial = start<float>({animal()}, p);
        lay_out(w, p, w.trial.links);
        const Particles<float>& c = w.trial.particles;
        double solved = 0;
        for (std::uint32_t i = 0; i < c.id.size(); ++i) {
            EXPECT_GT(w.clusters[i].solved(), 0u);
            solved += c.solved[i];
        }
        const double n = static_cast<double>(c.id.size());
        EXPECT_GE(solved, share * n);
        EXPECT_LE(solved, std::max(share, 0.13) * n * 1.1) << "share " << share;
        if (share != 0.13) continue;
        // No two samples are neighbors on the lattice, except for the few that were added to cover
        // all.
        double near = 0;
        for (std::uint32_t i = 0; i < c.id.size(); ++i)
            for (std::uint32_t j = 0; c.solved[i] != 0 && j < i; ++j)
                near += c.solved[j] != 0 && (c.x[i] - c.x[j]).norm() < 1.1f * float(d) ? 1 : 0;
        EXPECT_LT(near, 0.1 * solved);
    }
}

TEST(MeltClusters, nearest_rotations_agree_with_singular_values) {
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    for (int round = 0; round < 500; ++round) {
        Mat3d matrix[lanes];
        BatchMat3<double> A;
        Batch4<double> q;
        double entry[9][lanes], start[4][lanes];
        for (std::uint32_t k = 0; k < lanes; ++k) {
            for (int e = 0; e < 9; ++e) entry[e][k] = matrix[k](e / 3, e % 3) = normal(random);
            if (k == 1) matrix[k].col(2) = matrix[k].col(0); // flat
            if (k == 2) matrix[k] *= 1e-9;
            for (int e = 0; e < 9; ++e) entry[e][k] = matrix[k](e / 3, e % 3);
            Vec4<double> guess(normal(random), normal(random), normal(random), normal(random));
            guess.normalize();
            for (int e = 0; e < 4; ++e) start[e][k] = guess[e];
        }
        for (std::size_t e = 0; e < 9; ++e) A[e] = Batch<double>::load(entry[e]);
        q = {Batch<double>::load(start[0]), Batch<double>::load(start[1]),
             Batch<double>::load(start[2]), Batch<double>::load(start[3])};
        NearestRotations<double>(A, q).solve();
        const BatchMat3<double> R = rotation_matrices(q);
        for (std::size_t e = 0; e < 9; ++e) R[e].store(entry[e]);
        for (std::uint32_t k = 0; k < lanes; ++k) {
            Mat3d found;
            for (int e = 0; e < 9; ++e) found(e / 3, e % 3) = entry[e][k];
            const Svd3<double> svd = svd3(matrix[k]);
            // Where two singular values nearly cancel, many rotations are equally near.
            const double gap = (svd.sigma[1] + svd.sigma[2]) / svd.sigma[0];
            const double best = (polar_rotation(matrix[k]).transpose() * matrix[k]).trace();
            EXPECT_NEAR((found.transpose() * matrix[k]).trace() / best, 1, 1e-9);
            if (gap < 1e-2) continue;
            EXPECT_LT((found - polar_rotation(matrix[k])).norm(), 1e-6 / gap) << "lane " << k;
        }
    }
}

TEST(MeltClusters, rigid_motion_causes_no_deformation) {
    for (const Pairing& pairing : pairings()) {
        Params p = cold(d);
        pairing.apply(p);
        State<double> state = start<double>({animal(0.7)}, p);
        // A quarter rotation, which the orientations follow.
        const Eigen::AngleAxisd rotation(std::acos(0.0), Vec3d(1, 2, -1).normalized());
        for (std::size_t i = 0; i < state.particles.id.size(); ++i) {
            state.particles.x[i] = rotation * state.particles.x[i] + Vec3d(3, -1, 2);
            state.particles.orient[i] = Eigen::Quaterniond(rotation).coeffs();
        }
        Workspace<double> w;
        prepare(w, state, p);
        for (int k = 0; k < 10; ++k) iterate(w, k);
        EXPECT_LT(deformation(w, d), 1e-12) << pairing.name;
        double moved = 0;
        for (std::size_t i = 0; i < w.clusters.size(); ++i)
            moved = std::max(moved, (w.x[i] - w.target[i]).head<3>().norm());
        EXPECT_LT(moved, 1e-12) << pairing.name;
    }
}

/// A body that is bent, stretched and spinning, and flies freely.
State<double> bent(const Params& p) {
    Body body = animal(0.7);
    body.velocity = Vec3d(1, 2, -0.5);
    body.angular_velocity = Vec3d(0.5, -2, 1);
    State<double> state = start<double>({body}, p);
    for (Vec3d& x : state.particles.x) {
        x.x() += 0.3 * x.y() * x.y();
        x.z() *= 1.2;
    }
    return state;
}

TEST(MeltClusters, every_solver_keeps_momentum) {
    for (const double samples : {1.0, 0.15})
        for (const double young : {infinite, 1e5})
            for (const Pairing& pairing : pairings()) {
                SCOPED_TRACE(std::string(pairing.name) + ", samples " + std::to_string(samples) +
                             ", stiffness " + std::to_string(young));
                Params p = cold(d);
                pairing.apply(p);
                p.samples = samples;
                p.iterations = 5;
                State<double> state = bent(p);
                for (double& e : state.particles.young) e = young;
                Solver<double> solver;
                Host host;
                const Report before = solver.advance(state, weightless(), {}, p, 0, host);
                const Report after = solver.advance(state, weightless(), {}, p, 0.1, host);
                EXPECT_LT((after.momentum - before.momentum).norm(),
                          1e-10 * before.momentum.norm());
                EXPECT_LT((after.angular_momentum - before.angular_momentum).norm(),
                          1e-10 * before.angular_momentum.norm());
            }
}

TEST(MeltClusters, even_shares_and_gauss_seidel_need_no_correction) {
    for (const Pairing& pairing : pairings()) {
        if (pairing.weighted) continue;
        Params p = cold(d);
        pairing.apply(p);
        Workspace<double> w;
        prepare(w, bent(p), p);
        for (int k = 0; k < 300; ++k) iterate(w, k);
        Vec3d drift = Vec3d::Zero();
        for (std::size_t i = 0; i < w.clusters.size(); ++i)
            drift += (w.x[i] - w.target[i]).head<3>() / static_cast<double>(w.clusters.size());
        EXPECT_LT(drift.norm() / d, 1e-6)
            << pairing.name; // the bound of the melting thesis for Gauss-Seidel
    }
}

} // namespace
} // namespace nendo::melt::test::clusters
