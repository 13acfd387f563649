// SPDX-License-Identifier: Apache-2.0
// The one exception of the library: what was wrong, where, and what to do about it.
#pragma once

#include <stdexcept>
#include <string>

namespace nendo {

class Error : public std::runtime_error {
public:
    /// `what`: one sentence on what is wrong; `where`: file, key path, particle; `remedy`: what to
    /// change. what() joins the three into one line: "where: what; remedy".
    Error(const std::string& what, const std::string& where, const std::string& remedy)
        : std::runtime_error((where.empty() ? "" : where + ": ") + what +
                             (remedy.empty() ? "" : "; " + remedy)),
          m_where(where), m_remedy(remedy) {}

    const std::string& where() const { return m_where; }
    const std::string& remedy() const { return m_remedy; }

private:
    std::string m_where;
    std::string m_remedy;
};

/// Thrown when the host asks to stop; the state is as it was before the call.
class Interrupted : public Error {
public:
    Interrupted() : Error("interrupted", "", "") {}
};

} // namespace nendo
