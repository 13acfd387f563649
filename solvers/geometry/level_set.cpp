// SPDX-License-Identifier: Apache-2.0
// The OpenVDB grid types that all other files share, instantiated once.
#include "geometry/level_set.h"

template class openvdb::Grid<openvdb::FloatTree>;
template class openvdb::Grid<openvdb::Vec3STree>;
template class openvdb::Grid<openvdb::Int32Tree>;
template class openvdb::tree::Tree<openvdb::FloatTree::RootNodeType>;
template class openvdb::tree::Tree<openvdb::Vec3STree::RootNodeType>;
template class openvdb::tree::Tree<openvdb::Int32Tree::RootNodeType>;
