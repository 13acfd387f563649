// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: text that receives the value of a parameter, and the name of an object.
#pragma once

#include <string>

class UT_String {
public:
    const char* c_str() const { return standin_text.c_str(); }
    std::string toStdString() const { return standin_text; }

    std::string standin_text;
};
