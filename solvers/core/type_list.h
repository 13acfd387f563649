// SPDX-License-Identifier: Apache-2.0
// A list of types, and a loop over it.
#pragma once

namespace nendo {

template <class... Types> struct TypeList {};

/// Passes a type to a function as a value.
template <class T> struct TypeOf { using type = T; };

/// visit(TypeOf<T>{}) for each type of the list, in order.
template <class... Types, class Visit> void for_each_type(TypeList<Types...>, const Visit& visit) {
    (visit(TypeOf<Types>{}), ...);
}

} // namespace nendo
