// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: a primitive on points. GEO and GU have the kinds.
#pragma once

#include "GA/GA_Types.h"
#include "UT/UT_Vector3.h"

#include <cstddef>
#include <memory>
#include <vector>

class GA_Detail;

/// The kind of a primitive is a number.
using GA_PrimitiveTypeId = int;
constexpr GA_PrimitiveTypeId GA_PRIMPOLY = 1;
constexpr GA_PrimitiveTypeId GA_PRIMVDB = 2;

class GA_Primitive {
public:
    virtual ~GA_Primitive() = default;
    GA_PrimitiveTypeId getTypeId() const { return m_type; }
    GA_Detail& getDetail() const { return *m_detail; }
    GA_Offset getMapOffset() const { return m_offset; }
    GA_Size getVertexCount() const { return static_cast<GA_Size>(m_points.size()); }
    GA_Offset getPointOffset(GA_Size i) const { return m_points.at(static_cast<std::size_t>(i)); }
    UT_Vector3 getPos3(GA_Size i) const;

    // ---- not in the HDK ----
    virtual std::unique_ptr<GA_Primitive> standin_copy() const = 0;
    std::vector<GA_Offset>& standin_points() { return m_points; }
    void standin_join(GA_Detail& detail, GA_Offset offset) {
        m_detail = &detail;
        m_offset = offset;
    }

protected:
    explicit GA_Primitive(GA_PrimitiveTypeId type) : m_type(type) {}

private:
    GA_PrimitiveTypeId m_type;
    GA_Detail* m_detail = nullptr;
    GA_Offset m_offset = GA_INVALID_OFFSET;
    std::vector<GA_Offset> m_points;
};
