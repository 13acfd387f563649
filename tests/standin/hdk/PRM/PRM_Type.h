// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests.
#pragma once

enum class standin_ParmKind { list_end, number, whole, toggle, text, vector, folders };

class PRM_Type {
public:
    standin_ParmKind standin_kind;
};

inline constexpr PRM_Type PRM_LIST_TERMINATOR{standin_ParmKind::list_end};
inline constexpr PRM_Type PRM_FLT{standin_ParmKind::number};
inline constexpr PRM_Type PRM_INT{standin_ParmKind::whole};
inline constexpr PRM_Type PRM_TOGGLE{standin_ParmKind::toggle};
inline constexpr PRM_Type PRM_STRING{standin_ParmKind::text};
inline constexpr PRM_Type PRM_XYZ{standin_ParmKind::vector};
inline constexpr PRM_Type PRM_SWITCHER{standin_ParmKind::folders};
