// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: seconds of simulated time.
#pragma once

/// There it is a class in newer versions, which is made from and turns into a number by itself.
using SIM_Time = double;
