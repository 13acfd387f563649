// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: a named column of numbers, arrays of numbers or text, stored in pages that
// copies of the geometry share until one of them is written.
#pragma once

#include "GA/GA_Defaults.h"
#include "GA/GA_Types.h"
#include "UT/UT_IntArray.h"
#include "UT/UT_StringHolder.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

class GA_Attribute;
class GA_Detail;

/// The numbers of a tuple, and how they are stored.
class GA_AIFTuple {
public:
    int getTupleSize(const GA_Attribute* attribute) const;
    GA_Storage getStorage(const GA_Attribute* attribute) const;
};

class GA_AttributeOptions {
public:
    void setTypeInfo(GA_TypeInfo info) { m_info = info; }
    GA_TypeInfo typeInfo() const { return m_info; }

private:
    GA_TypeInfo m_info = GA_TYPE_VOID;
};

namespace standin {

enum class Kind { numbers, arrays, text };

/// Use that is undefined in the HDK has to fail the test.
[[noreturn]] inline void fail(const std::string& what) {
    throw std::logic_error("HDK stand-in: " + what);
}

inline std::size_t bytes_of(GA_Storage storage) {
    switch (storage) {
    case GA_STORE_INT32:
    case GA_STORE_REAL32: return 4;
    case GA_STORE_INT64:
    case GA_STORE_REAL64: return 8;
    default: fail("this kind of storage is not in the stand-in");
    }
}

inline bool is_real(GA_Storage storage) {
    return storage == GA_STORE_REAL32 || storage == GA_STORE_REAL64;
}

} // namespace standin

class GA_Attribute {
public:
    const UT_StringHolder& getName() const { return m_name; }
    GA_AttributeOwner getOwner() const { return m_owner; }
    int getTupleSize() const { return m_width; }
    GA_StorageClass getStorageClass() const {
        if (m_kind == standin::Kind::text) return GA_STORECLASS_STRING;
        return standin::is_real(m_storage) ? GA_STORECLASS_REAL : GA_STORECLASS_INT;
    }
    /// Null for arrays and text.
    const GA_AIFTuple* getAIFTuple() const {
        static const GA_AIFTuple tuple;
        return m_kind == standin::Kind::numbers ? &tuple : nullptr;
    }
    GA_AttributeOptions& getOptions() { return m_options; }
    const GA_AttributeOptions& getOptions() const { return m_options; }
    GA_DataId getDataId() const { return m_data_id; }
    void bumpDataId();

    // ---- not in the HDK ----
    GA_Attribute(GA_Detail& detail, GA_AttributeOwner owner, UT_StringHolder name,
                 standin::Kind kind, GA_Storage storage, int width, const GA_Defaults& defaults);

    standin::Kind standin_kind() const { return m_kind; }
    GA_Storage standin_storage() const { return m_storage; }
    const GA_Defaults& standin_defaults() const { return m_defaults; }
    const std::weak_ptr<int>& standin_life() const { return m_life_view; }
    template <class T> T standin_get(GA_Offset offset, int component) const;
    template <class T> void standin_set(GA_Offset offset, int component, T value);
    const std::vector<int64>& standin_array(GA_Offset offset) const;
    void standin_set_array(GA_Offset offset, std::vector<int64> values);
    const std::string& standin_text(GA_Offset offset) const;
    void standin_set_text(GA_Offset offset, std::string value);
    void standin_reset(GA_Offset offset); ///< Sets the defaults again
    /// A copy for another detail, which shares the pages.
    std::shared_ptr<GA_Attribute> standin_copy(GA_Detail& detail) const;

private:
    struct Page {
        std::vector<unsigned char> numbers;
        std::vector<std::vector<int64>> arrays;
        std::vector<std::string> text;
    };
    Page& page_to_write(GA_Offset offset);
    const Page* page_to_read(GA_Offset offset) const;
    void check(GA_Offset offset, int component) const;
    void fill(Page& page) const;

    GA_Detail* m_detail;
    GA_AttributeOwner m_owner;
    UT_StringHolder m_name;
    standin::Kind m_kind;
    GA_Storage m_storage;
    int m_width;
    GA_Defaults m_defaults;
    GA_AttributeOptions m_options;
    GA_DataId m_data_id = 0;
    std::vector<std::shared_ptr<Page>> m_pages;
    std::shared_ptr<int> m_life = std::make_shared<int>(0);
    std::weak_ptr<int> m_life_view = m_life;
};
