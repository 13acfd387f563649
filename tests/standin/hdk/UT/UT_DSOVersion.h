// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: marks the one source file of a plugin that states its version of Houdini.
#pragma once
