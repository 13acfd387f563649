// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: text of a name or message.
#pragma once

#include <string>

class UT_StringRef {
public:
    UT_StringRef() = default;
    UT_StringRef(const char* text) : m_text(text == nullptr ? "" : text) {}
    UT_StringRef(const std::string& text) : m_text(text) {}
    const char* c_str() const { return m_text.c_str(); }
    const char* buffer() const { return m_text.c_str(); }
    bool isstring() const { return !m_text.empty(); }
    const std::string& standin_text() const { return m_text; }
    // Without these, the conversion would be used and addresses compared.
    bool operator==(const char* other) const = delete;
    bool operator==(const UT_StringRef& other) const = delete;
    bool operator!=(const char* other) const = delete;
    bool operator!=(const UT_StringRef& other) const = delete;
    operator const char*() const { return m_text.c_str(); }

private:
    std::string m_text;
};

class UT_StringHolder : public UT_StringRef {
public:
    using UT_StringRef::UT_StringRef;
    UT_StringHolder() = default;
    UT_StringHolder(const UT_StringRef& ref) : UT_StringRef(ref) {}
};
