// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests.
#pragma once

enum SOP_ErrorCodes { SOP_MESSAGE };
