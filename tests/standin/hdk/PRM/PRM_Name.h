// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests. As in Houdini, a name only points to the caller's texts, which must outlive
// it.
#pragma once

class PRM_Name {
public:
    PRM_Name() = default; ///< Ends a list
    explicit PRM_Name(const char* token, const char* label = nullptr, int flags = 0)
        : m_token(token), m_label(label != nullptr ? label : token) {
        (void)flags;
    }

    const char* standin_token() const { return m_token; }
    const char* standin_label() const { return m_label; }

private:
    const char* m_token = nullptr;
    const char* m_label = nullptr;
};
