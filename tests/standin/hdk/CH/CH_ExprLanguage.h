// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests.
#pragma once

enum CH_StringMeaning { CH_STRING_LITERAL };
