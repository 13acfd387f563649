// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: seconds of simulated time.
#pragma once

/// In newer versions of Houdini this is a class that converts from and to a number implicitly.
using SIM_Time = double;
