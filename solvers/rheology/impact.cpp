// SPDX-License-Identifier: Apache-2.0
// Builds and solves the complementarity problem of contacts, limits and loops.
#include "rheology/stages.h"

#include <algorithm>
#include <tuple>

namespace nendo::rheology {
namespace {

/// Velocity of bone a relative to bone b along the block's axes.
Vec3d velocity_across(const Workspace& w, const Block& block) {
    Vec3d sum = Vec3d::Zero();
    const auto add = [&](std::uint32_t bone, const Vec3d& offset, double sign) {
        if (bone == no_row) return;
        const Spatial v = velocity_of(w, bone);
        sum += sign * (block.linear ? Vec3d(v.linear + v.angular.cross(offset)) : v.angular);
    };
    add(block.a, block.from_a, 1);
    add(block.b, block.from_b, -1);
    return block.axes.transpose() * sum;
}

/// The relative velocity of the block's bones in the responses, three columns at once. Bones of
/// other trees do not respond.
Mat3d response_across(const Workspace& w, const Block& block, std::uint32_t tree1,
                      std::uint32_t tree2) {
    Mat3d sum = Mat3d::Zero();
    const auto add = [&](std::uint32_t bone, const Vec3d& offset, double sign) {
        if (bone == no_row || w.node_of[bone] == no_row) return;
        const std::uint32_t tree = w.tree_of[w.node_of[bone]];
        if (tree != tree1 && tree != tree2) return;
        const Workspace::Response& r = w.responses[w.node_of[bone]];
        if (block.linear)
            sum += sign * (r.linear - skew(offset) * r.angular);
        else
            sum += sign * r.angular;
    };
    add(block.a, block.from_a, 1);
    add(block.b, block.from_b, -1);
    return block.axes.transpose() * sum;
}

std::uint32_t tree_of_bone(const Workspace& w, std::uint32_t bone) {
    if (bone == no_row || w.node_of[bone] == no_row) return no_row;
    return w.tree_of[w.node_of[bone]];
}

/// Lists the blocks that act on each tree, and marks the nodes whose response is needed.
void list_blocks(Workspace& w) {
    w.block_start.assign(w.trees.size() + 1, 0);
    const auto for_trees = [&](const Block& block, const auto& visit) {
        const std::uint32_t a = tree_of_bone(w, block.a), b = tree_of_bone(w, block.b);
        if (a != no_row) visit(a);
        if (b != no_row && b != a) visit(b);
    };
    for (const Block& block : w.blocks)
        for_trees(block, [&](std::uint32_t tree) { ++w.block_start[tree + 1]; });
    for (std::size_t t = 0; t < w.trees.size(); ++t) w.block_start[t + 1] += w.block_start[t];
    w.block_list.resize(w.block_start.back());
    w.order.assign(w.block_start.begin(), w.block_start.end());
    for (std::uint32_t i = 0; i < w.blocks.size(); ++i)
        for_trees(w.blocks[i], [&](std::uint32_t tree) { w.block_list[w.order[tree]++] = i; });

    w.needed.assign(w.nodes.size(), 0);
    for (const Block& block : w.blocks)
        for (const std::uint32_t bone : {block.a, block.b}) {
            if (bone == no_row) continue;
            for (std::uint32_t n = w.node_of[bone]; n != no_row && w.needed[n] == 0;
                 n = w.nodes[n].parent)
                w.needed[n] = 1;
        }
}

/// If joints prevent a bone from moving along the normal, no impulse can push it: leave it out. The
/// same holds for friction along the tangents.
void leave_out_immovable(Workspace& w, std::uint32_t block) {
    Mat3d& own = w.cones.matrices[w.cones.start[block]];
    const double least = 1e-12 / w.trial.bones.mass[w.blocks[block].a];
    if (own(1, 1) + own(2, 2) < least) w.cones.friction[block] = 0;
    if (own(0, 0) < least) {
        own.setIdentity();
        w.cones.b[block] = Vec3d(infinite, 0, 0);
    }
}

/// Returns the impulse of this contact in the last step, or zero.
Vec3d remembered(const Contacts<double>& contacts, std::int64_t id, const Block& block) {
    const auto key = std::make_tuple(id, block.other, block.feature);
    std::size_t low = 0, high = contacts.id.size();
    const auto key_at = [&](std::size_t k) {
        return std::make_tuple(contacts.id[k], contacts.other[k], contacts.feature[k]);
    };
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (key_at(middle) < key)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == contacts.id.size() || key_at(low) != key) return Vec3d::Zero();
    return block.axes.transpose() * contacts.impulse[low];
}

} // namespace

void build_cones(Workspace& w) {
    ConeProblem& cones = w.cones;
    const std::size_t n = w.blocks.size();
    const bool fresh = cones.p.size() != n;
    cones.start.assign(1, 0);
    cones.columns.clear();
    cones.matrices.clear();
    cones.equalities = 2 * w.loops.size();
    cones.b.resize(n);
    cones.friction.resize(n);
    cones.compliance.assign(cones.equalities, Mat3d::Zero());
    for (std::size_t k = 0; k < w.loops.size(); ++k) {
        // Redundant loops have no unique impulse, so give each loop a tiny compliance.
        const std::uint32_t child = w.child_bone[w.loops[k]];
        const double light = 1e-10 / w.trial.bones.mass[child];
        const double loose = 1e-10 / w.frames[child].inertia.trace();
        const bool slides = w.blocks[2 * k + 1].linear;
        cones.compliance[2 * k].diagonal().setConstant(slides ? loose : light);
        cones.compliance[2 * k + 1] = w.rows[w.loops[k]].Y;
        cones.compliance[2 * k + 1].diagonal().array() += slides ? light : loose;
        w.blocks[2 * k + 1].bias = w.rows[w.loops[k]].d;
    }
    if (fresh) {
        cones.p.resize(n);
        for (std::size_t i = 0; i < n; ++i) {
            const Block& block = w.blocks[i];
            if (block.kind == Block::Kind::contact)
                cones.p[i] = remembered(w.trial.contacts, w.trial.bones.id[block.a], block);
            else if (block.kind == Block::Kind::limit && block.feature == 0)
                cones.p[i] = Vec3d(
                    w.trial.joints.limit_impulse[static_cast<std::size_t>(block.other)], 0, 0);
            else
                cones.p[i].setZero();
        }
    }
    list_blocks(w);
    w.last_seen.assign(n, no_row);
    for (std::uint32_t i = 0; i < n; ++i) {
        const Block& block = w.blocks[i];
        cones.b[i] = velocity_across(w, block) + block.bias;
        cones.friction[i] = block.friction;
        const std::uint32_t a = tree_of_bone(w, block.a), b = tree_of_bone(w, block.b);
        respond(w, block);
        cones.columns.push_back(i);
        cones.matrices.push_back(response_across(w, block, a, b));
        w.last_seen[i] = i;
        for (const std::uint32_t tree : {a, b}) {
            if (tree == no_row) continue;
            for (std::uint32_t k = w.block_start[tree]; k < w.block_start[tree + 1]; ++k) {
                const std::uint32_t other = w.block_list[k];
                if (w.last_seen[other] == i) continue;
                w.last_seen[other] = i;
                cones.columns.push_back(other);
                // W is symmetric: column i of row `other` is the transpose of the matrix of row i.
                cones.matrices.push_back(response_across(w, w.blocks[other], a, b).transpose());
            }
        }
        cones.start.push_back(static_cast<std::uint32_t>(cones.columns.size()));
        if (i >= cones.equalities) leave_out_immovable(w, i);
    }
}

ConeResult solve_blocks(Workspace& w, const Params& p) {
    if (w.blocks.empty()) return {};
    const ConeResult result =
        solve_cones(w.cones, p.contact_tolerance, p.contact_sweeps, w.cone_scratch);
    for (Spatial& push : w.pushes) push = {};
    for (std::size_t i = 0; i < w.blocks.size(); ++i) {
        const Block& block = w.blocks[i];
        const Vec3d impulse = block.axes * w.cones.p[i];
        const auto push = [&](std::uint32_t bone, const Vec3d& offset, double sign) {
            if (bone == no_row) return;
            if (block.linear) {
                w.pushes[bone].linear += sign * impulse;
                w.pushes[bone].angular += sign * offset.cross(impulse);
            } else {
                w.pushes[bone].angular += sign * impulse;
            }
        };
        push(block.a, block.from_a, 1);
        push(block.b, block.from_b, -1);
    }
    solve_forest(w);
    for (Spatial& push : w.pushes) push = {};
    return result;
}

void remember_impulses(Workspace& w) {
    Contacts<double>& contacts = w.trial.contacts;
    resize_table(contacts, 0);
    for (double& impulse : w.trial.joints.limit_impulse) impulse = 0;
    for (std::size_t i = 0; i < w.blocks.size(); ++i) {
        const Block& block = w.blocks[i];
        if (block.kind == Block::Kind::limit && block.feature == 0)
            w.trial.joints.limit_impulse[static_cast<std::size_t>(block.other)] = w.cones.p[i].x();
        if (block.kind != Block::Kind::contact || w.cones.p[i].x() == 0) continue;
        contacts.id.push_back(w.trial.bones.id[block.a]);
        contacts.other.push_back(block.other);
        contacts.feature.push_back(block.feature);
        contacts.impulse.push_back(block.axes * w.cones.p[i]);
    }
}

} // namespace nendo::rheology
