// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: a message that is only its text.
#pragma once

enum SIM_ErrorCodes { SIM_MESSAGE = 0 };
