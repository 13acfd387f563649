// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests.
#pragma once

#include <CH/CH_ExprLanguage.h>
#include <SYS/SYS_Types.h>

class PRM_Default {
public:
    PRM_Default(fpreal number = 0, const char* text = nullptr,
                CH_StringMeaning meaning = CH_STRING_LITERAL)
        : standin_number(number), standin_text(text) {
        (void)meaning;
    }

    fpreal standin_number;
    const char* standin_text;
};
