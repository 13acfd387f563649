// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: marks the one source file of a plugin that says for which version it is.
#pragma once
