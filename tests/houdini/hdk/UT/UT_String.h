// Stand-in for tests: text that a parameter is read into.
#pragma once

#include <string>

class UT_String {
public:
    std::string toStdString() const { return standin_text; }

    std::string standin_text;
};
