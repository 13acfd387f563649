// SPDX-License-Identifier: Apache-2.0
// Scene files of all methods: the list of scene types, and how to find the method of a document.
#pragma once

#include "io/scene/coupling.h"
#include "io/scene/elastoplastic.h"
#include "io/scene/melt.h"
#include "io/scene/rheology.h"
#include "registry/methods.h"

namespace nendo {

/// Calls visit(TypeOf<SceneSpec>) for each method. The first is the default for files that name no
/// method.
template <class Visit> void for_each_scene_type(const Visit& visit) {
    for_each_type(Methods{}, [&](auto method) {
        visit(TypeOf<typename SceneOf<typename decltype(method)::type>::Spec>{});
    });
}

/// Returns the method that a document names. Throws if it is unknown.
std::string method_of(const Json& document, const std::string& file);

/// Reads a document. Throws at the first unknown key, wrong type or value out of range.
template <class Spec> Spec read_scene(const Json& document, const std::string& file);

/// Reads a document as its method's SceneSpec and calls visit(spec).
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
