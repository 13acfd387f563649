// SPDX-License-Identifier: Apache-2.0
// Scene files of all methods: which there are, and which one a document is of.
#pragma once

#include "io/scene/coupling.h"
#include "io/scene/elastoplastic.h"
#include "io/scene/melt.h"
#include "io/scene/rheology.h"

#include <type_traits>

namespace nendo {

/// Stands for a type where a function is told which.
template <class T> struct TypeOf { using type = T; };

/// visit(TypeOf<SceneSpec>) for each method; the first is that of files that name none.
template <class Visit> void for_each_scene_type(const Visit& visit) {
    visit(TypeOf<elastoplastic::SceneSpec>{});
    visit(TypeOf<coupling::SceneSpec>{});
    visit(TypeOf<rheology::SceneSpec>{});
    visit(TypeOf<melt::SceneSpec>{});
}

/// The method that a document names. Throws when it is none of ours.
std::string method_of(const Json& document, const std::string& file);

/// Throws at the first key that is unknown, or value that is of a wrong type or out of range.
template <class Spec> Spec read_scene(const Json& document, const std::string& file);

/// Reads a document as its method's SceneSpec, and calls visit(spec).
template <class Visit>
void with_scene(const Json& document, const std::string& file, const Visit& visit) {
    const std::string method = method_of(document, file);
    for_each_scene_type([&](auto type) {
        using Spec = typename decltype(type)::type;
        if (Spec::method == method) visit(read_scene<Spec>(document, file));
    });
}

/// JSON schema (draft 2020-12) of scene files.
Json scene_schema();

} // namespace nendo
