// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: the severity of a message.
#pragma once

enum UT_ErrorSeverity {
    UT_ERROR_NONE = 0,
    UT_ERROR_MESSAGE,
    UT_ERROR_PROMPT,
    UT_ERROR_WARNING,
    UT_ERROR_ABORT,
    UT_ERROR_FATAL,
};
