// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: a piece of a simulation object, with named pieces below it. Houdini copies
// data from frame to frame with makeEqual() and keeps the copies; anything that a class does not
// copy, save and load is lost.
#pragma once

#include "SIM/SIM_DopDescription.h"
#include "SIM/SIM_Error.h"
#include "SIM/SIM_Time.h"
#include "UT/UT_Array.h"
#include "UT/UT_Error.h"
#include "UT/UT_StringHolder.h"

#include <iosfwd>
#include <memory>
#include <string>
#include <utility>
#include <vector>

class SIM_Data;
class SIM_Engine;
class SIM_RootData;

#define SIM_DATA_RETURN_EXISTING 0x01
#define SIM_DATA_CREATE_UNIQUE_NAME 0x02
#define SIM_DATA_ADOPT_EXISTING_ON_DELETE 0x04

/// Makes data of one class.
class SIM_DataFactory {
public:
    using Maker = SIM_Data* (*)(const SIM_DataFactory*);

    std::string standin_type;
    Maker standin_maker;
    const SIM_DopDescription* standin_description;
};

namespace standin {

struct Message {
    std::string text;
    UT_ErrorSeverity severity;
};

/// Known classes of data; IMPLEMENT_DATAFACTORY adds to them.
std::vector<SIM_DataFactory>& data_factories();
void add_data_factory(const char* type, SIM_DataFactory::Maker maker,
                      const SIM_DopDescription* description);
/// Null for a type that is not registered.
const SIM_DataFactory* find_data_factory(const std::string& type);
std::unique_ptr<SIM_Data> make_data(const std::string& type);

/// Messages of the nodes since the list was last cleared.
std::vector<Message>& messages();

} // namespace standin

class SIM_Data {
public:
    virtual ~SIM_Data() = default;
    SIM_Data(const SIM_Data&) = delete;
    SIM_Data& operator=(const SIM_Data&) = delete;

    UT_StringHolder getDataType() const { return standin_type_name(); }
    bool getIsOfType(const UT_StringRef& type) const { return standin_is(type.c_str()); }
    int getNumSubData() const { return static_cast<int>(m_pieces.size()); }
    const UT_StringHolder& getSubDataName(int index) const {
        return m_pieces.at(static_cast<std::size_t>(index)).first;
    }
    /// A path: names with slashes between them.
    SIM_Data* getNamedSubData(const char* name);
    const SIM_Data* getConstNamedSubData(const char* name) const;
    SIM_Data* createNamedSubData(const char* name, const char* type, int flags);
    void removeNamedSubData(const char* name);
    void addError(const SIM_RootData* root, int code, const char* text,
                  UT_ErrorSeverity severity) const;

    // ---- not in the HDK ----
    virtual std::string standin_type_name() const = 0;
    virtual bool standin_is(const std::string& type) const { return type == "SIM_Data"; }
    void standin_make_equal(const SIM_Data& source);
    void standin_save(std::ostream& stream) const;
    void standin_load(std::istream& stream);
    /// A copy of the data with everything below it.
    std::unique_ptr<SIM_Data> standin_copy() const;
    void standin_initialize() { initializeSubclass(); }

protected:
    explicit SIM_Data(const SIM_DataFactory*) {}
    virtual void initializeSubclass() {}
    virtual void makeEqualSubclass(const SIM_Data*) {}
    virtual void standin_save_own(std::ostream&) const {}
    virtual void standin_load_own(std::istream&) {}

private:
    std::vector<std::pair<UT_StringHolder, std::unique_ptr<SIM_Data>>> m_pieces;
};

using SIM_DataArray = UT_ValArray<SIM_Data*>;
using SIM_ConstDataArray = UT_ValArray<const SIM_Data*>;
