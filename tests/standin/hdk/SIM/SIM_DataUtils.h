// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: declarations of a class of data, and casts and look-ups by type.
#pragma once

#include "SIM/SIM_Data.h"

#define DECLARE_STANDARD_GETCASTTOTYPE() static_assert(true, "")

#define DECLARE_DATAFACTORY(DataClass, SuperClass, Description, DopParms)                          \
private:                                                                                           \
    using BaseClass = SuperClass;                                                                  \
                                                                                                   \
public:                                                                                            \
    static const UT_StringHolder& classname() {                                                    \
        static const UT_StringHolder name(#DataClass);                                             \
        return name;                                                                               \
    }                                                                                              \
    std::string standin_type_name() const override {                                               \
        return #DataClass;                                                                         \
    }                                                                                              \
    bool standin_is(const std::string& type) const override {                                      \
        return type == #DataClass || SuperClass::standin_is(type);                                 \
    }                                                                                              \
    static SIM_Data* standin_new(const SIM_DataFactory* factory) {                                 \
        return new DataClass(factory);                                                             \
    }                                                                                              \
    static const SIM_DopDescription* standin_description() {                                       \
        return DopParms;                                                                           \
    }                                                                                              \
    static_assert(sizeof(Description) > 1, "a description is needed")

#define IMPLEMENT_DATAFACTORY(DataClass)                                                           \
    standin::add_data_factory(#DataClass, &DataClass::standin_new, DataClass::standin_description())

namespace standin {

/// Casts by the class's name as written at the cast; the name of a template's parameter is no
/// class.
template <class Class, class Data> Class* cast(Data* data, const char* name) {
    return data != nullptr && data->standin_is(name) ? dynamic_cast<Class*>(data) : nullptr;
}

} // namespace standin

#define SIM_DATA_CAST(Data, DataClass)                                                             \
    standin::cast<DataClass>(static_cast<SIM_Data*>(Data), #DataClass)
#define SIM_DATA_CASTCONST(Data, DataClass)                                                        \
    standin::cast<const DataClass>(static_cast<const SIM_Data*>(Data), #DataClass)
#define SIM_DATA_GET(Parent, DataName, DataClass)                                                  \
    SIM_DATA_CAST((Parent).getNamedSubData(DataName), DataClass)
#define SIM_DATA_GETCONST(Parent, DataName, DataClass)                                             \
    SIM_DATA_CASTCONST((Parent).getConstNamedSubData(DataName), DataClass)
#define SIM_DATA_CREATE(Parent, DataName, DataClass, Flags)                                        \
    SIM_DATA_CAST((Parent).createNamedSubData(DataName, #DataClass, Flags), DataClass)
