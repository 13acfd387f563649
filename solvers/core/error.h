// SPDX-License-Identifier: Apache-2.0
// The one exception of the library: what is wrong, where, and what to do about it.
#pragma once

#include <stdexcept>
#include <string>

namespace nendo {

class Error : public std::runtime_error {
public:
    enum class Kind {
        input,   ///< The caller's data or request is wrong
        failure, ///< The work itself failed: disk, memory, solver
    };

    /// `problem`: one sentence on what is wrong; `where`: file, key path or particle; `remedy`: what
    /// to change. what() joins the three into one line: "where: problem; remedy".
    Error(const std::string& problem, const std::string& where, const std::string& remedy,
          Kind kind = Kind::input)
        : std::runtime_error((where.empty() ? "" : where + ": ") + problem +
                             (remedy.empty() ? "" : "; " + remedy)),
          m_problem(problem), m_where(where), m_remedy(remedy), m_kind(kind) {}

    const std::string& problem() const { return m_problem; }
    const std::string& where() const { return m_where; }
    const std::string& remedy() const { return m_remedy; }
    Kind kind() const { return m_kind; }

    void set_kind(Kind kind) { m_kind = kind; }

    /// This error with `place` in front of its own place.
    Error within(const std::string& place) const {
        return {m_problem, m_where.empty() ? place : place + ": " + m_where, m_remedy, m_kind};
    }

private:
    std::string m_problem;
    std::string m_where;
    std::string m_remedy;
    Kind m_kind;
};

/// Thrown when the host asks to stop. The state is as it was before the call.
class Interrupted : public Error {
public:
    Interrupted() : Error("interrupted", "", "") {}
};

} // namespace nendo
