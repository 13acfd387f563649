// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: values by name. An unknown name yields nothing.
#pragma once

#include "UT/UT_StringHolder.h"
#include "UT/UT_Vector3.h"

#include <map>
#include <string>
#include <variant>

/// One value.
class UT_OptionEntry {
public:
    UT_Vector3D getOptionV3() const { return m_value; }
    UT_Vector3D& standin_value() { return m_value; }

private:
    UT_Vector3D m_value{0, 0, 0};
};

class UT_Options {
public:
    using standin_Value = std::variant<bool, int64, fpreal64, UT_Vector3D, UT_StringHolder>;

    bool hasOption(const UT_StringRef& name) const { return m_values.count(name.c_str()) != 0; }
    bool getOptionB(const UT_StringRef& name) const { return get<bool>(name); }
    int64 getOptionI(const UT_StringRef& name) const { return get<int64>(name); }
    fpreal64 getOptionF(const UT_StringRef& name) const { return get<fpreal64>(name); }
    const UT_OptionEntry* getOptionEntry(const UT_StringRef& name) const {
        const UT_Vector3D* found = find<UT_Vector3D>(name);
        if (found == nullptr) return nullptr;
        m_entry.standin_value() = *found;
        return &m_entry;
    }
    UT_StringHolder getOptionS(const UT_StringRef& name) const {
        return get<UT_StringHolder>(name);
    }

    void setOptionB(const UT_StringHolder& name, bool value) { m_values[name.c_str()] = value; }
    void setOptionI(const UT_StringHolder& name, int64 value) { m_values[name.c_str()] = value; }
    void setOptionF(const UT_StringHolder& name, fpreal64 value) { m_values[name.c_str()] = value; }
    void setOptionV3(const UT_StringHolder& name, const UT_Vector3D& value) {
        m_values[name.c_str()] = value;
    }
    void setOptionS(const UT_StringHolder& name, const UT_StringHolder& value) {
        m_values[name.c_str()] = value;
    }

    std::map<std::string, standin_Value>& standin_values() { return m_values; }
    const std::map<std::string, standin_Value>& standin_values() const { return m_values; }

private:
    template <class T> const T* find(const UT_StringRef& name) const {
        const auto found = m_values.find(name.c_str());
        return found == m_values.end() ? nullptr : std::get_if<T>(&found->second);
    }
    template <class T> T get(const UT_StringRef& name) const {
        const T* found = find<T>(name);
        return found == nullptr ? T() : *found;
    }

    std::map<std::string, standin_Value> m_values;
    mutable UT_OptionEntry m_entry; ///< The last one requested
};
