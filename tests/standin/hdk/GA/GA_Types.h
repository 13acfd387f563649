// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests. The offset of an element, which is constant, is not its index, which changes
// when earlier elements are deleted.
#pragma once

#include "SYS/SYS_Types.h"

using GA_Size = exint;
using GA_Index = GA_Size;
using GA_Offset = GA_Size;
using GA_DataId = int64;

#define GA_PAGE_BITS 10
#define GA_PAGE_SIZE (1 << GA_PAGE_BITS)
#define GA_PAGE_MASK (GA_PAGE_SIZE - 1)
#define GA_INVALID_INDEX GA_Index(-1)
#define GA_INVALID_OFFSET GA_Offset(-1)
#define GA_DETAIL_OFFSET GA_Offset(0)
#define GA_INVALID_DATAID GA_DataId(-1)

enum GA_AttributeOwner {
    GA_ATTRIB_VERTEX,
    GA_ATTRIB_POINT,
    GA_ATTRIB_PRIMITIVE,
    GA_ATTRIB_GLOBAL,
    GA_ATTRIB_OWNER_N,
    GA_ATTRIB_DETAIL = GA_ATTRIB_GLOBAL,
    GA_ATTRIB_INVALID = -1
};

enum GA_Storage {
    GA_STORE_INVALID = -1,
    GA_STORE_BOOL,
    GA_STORE_UINT8,
    GA_STORE_INT8,
    GA_STORE_INT16,
    GA_STORE_INT32,
    GA_STORE_INT64,
    GA_STORE_REAL16,
    GA_STORE_REAL32,
    GA_STORE_REAL64,
    GA_STORE_STRING,
    GA_STORE_DICT
};

enum GA_StorageClass {
    GA_STORECLASS_INVALID = -1,
    GA_STORECLASS_INT,
    GA_STORECLASS_REAL,
    GA_STORECLASS_FLOAT = GA_STORECLASS_REAL,
    GA_STORECLASS_STRING,
    GA_STORECLASS_DICT,
    GA_STORECLASS_OTHER
};

enum GA_TypeInfo {
    GA_TYPE_VOID,
    GA_TYPE_POINT,
    GA_TYPE_HPOINT,
    GA_TYPE_VECTOR,
    GA_TYPE_NORMAL,
    GA_TYPE_COLOR,
    GA_TYPE_QUATERNION,
    GA_TYPE_TRANSFORM,
    GA_TYPE_NONARITHMETIC_INTEGER
};
