// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests.
#pragma once

#define GAS_NAME_GEOMETRY "geometry"
