// SPDX-License-Identifier: Apache-2.0
// Writes a sequence of frames as time samples or as value clips.
#include "io/usd/sequence.h"

#include "core/error.h"
#include "io/file.h"
#include "io/usd/text.h"

#include <algorithm>
#include <cstdio>
#include <functional>

namespace nendo {
namespace {

std::string clip_name(int frame) {
    char name[40];
    std::snprintf(name, sizeof name, "geometry.%04d.usda", frame);
    return name;
}

constexpr const char* manifest_name = "geometry.manifest.usda";

std::string group_of(const UsdPrim& prim) {
    return prim.path.substr(0, prim.path.find('/'));
}
std::string leaf_of(const UsdPrim& prim) {
    return prim.path.substr(prim.path.find('/') + 1);
}

template <class Entry, class Same> Entry* find_entry(std::vector<Entry>& list, const Same& same) {
    const auto at = std::find_if(list.begin(), list.end(), same);
    return at == list.end() ? nullptr : &*at;
}

UsdPrim* find_prim(std::vector<UsdPrim>& prims, const std::string& path) {
    return find_entry(prims, [&](const UsdPrim& p) { return p.path == path; });
}
UsdAttribute* find_attribute(UsdPrim& prim, const std::string& declaration) {
    return find_entry(prim.attributes,
                      [&](const UsdAttribute& a) { return a.declaration == declaration; });
}

/// Writes the prims below the root, in their groups. `write` adds the content of each.
void write_prims(UsdText& text, const std::vector<std::string>& root_metadata,
                 const std::vector<std::string>& groups, const std::vector<UsdPrim>& prims,
                 const std::function<void(const UsdPrim&)>& write) {
    text.open("def Xform " + usd_string(usd_root), root_metadata);
    for (const std::string& group : groups) {
        text.open("def Xform " + usd_string(group));
        for (const UsdPrim& prim : prims) {
            if (group_of(prim) != group) continue;
            std::vector<std::string> metadata;
            if (!prim.material.empty())
                metadata.emplace_back("prepend apiSchemas = [\"MaterialBindingAPI\"]");
            text.open("def " + prim.type + " " + usd_string(leaf_of(prim)), metadata);
            if (!prim.material.empty())
                text.line("rel material:binding = </" + std::string(usd_root) + "/materials/" +
                          prim.material + ">");
            for (const std::string& line : prim.lines) text.line(line);
            write(prim);
            text.close();
        }
        text.close();
    }
    text.close();
}

} // namespace

std::vector<std::string> usd_metadata(const UsdTiming& timing) {
    return {"defaultPrim = " + usd_string(usd_root),
            "metersPerUnit = 1",
            "upAxis = \"Y\"",
            "timeCodesPerSecond = " + usd_number(timing.fps),
            "framesPerSecond = " + usd_number(timing.fps),
            "startTimeCode = " + std::to_string(timing.first),
            "endTimeCode = " + std::to_string(timing.last)};
}

UsdSequence::UsdSequence(std::string folder, double fps, UsdLayout layout, std::size_t limit)
    : m_folder(std::move(folder)), m_layout(layout), m_limit(limit),
      m_clips(layout == UsdLayout::clips) {
    m_timing.fps = fps;
}

std::vector<std::string> UsdSequence::groups() const {
    std::vector<std::string> groups;
    for (const UsdPrim& prim : m_prims)
        if (std::find(groups.begin(), groups.end(), group_of(prim)) == groups.end())
            groups.push_back(group_of(prim));
    return groups;
}

void UsdSequence::remember(const std::vector<UsdPrim>& prims) {
    for (const UsdPrim& prim : prims) {
        UsdPrim* known = find_prim(m_prims, prim.path);
        if (known == nullptr) {
            m_prims.push_back({prim.path, prim.type, prim.material, prim.lines, {}});
            known = &m_prims.back();
        }
        for (const UsdAttribute& attribute : prim.attributes)
            if (find_attribute(*known, attribute.declaration) == nullptr)
                known->attributes.push_back(
                    {attribute.declaration, "", attribute.metadata, attribute.absent});
    }
}

void UsdSequence::add(int frame, std::vector<UsdPrim> prims) {
    if (m_frames.empty() && m_clip_frames.empty())
        m_timing.first = frame;
    else if (frame <= m_timing.last)
        throw Error("comes after frame " + std::to_string(m_timing.last),
                    "frame " + std::to_string(frame), "write frames in order");
    m_timing.last = frame;
    remember(prims);
    for (const UsdPrim& prim : prims)
        for (const UsdAttribute& attribute : prim.attributes) m_bytes += attribute.value.size();
    m_frames.emplace_back(frame, std::move(prims));
    m_clips = m_clips || (m_layout == UsdLayout::by_size && m_bytes > m_limit);
    if (!m_clips) return;
    for (const Frame& f : m_frames) write_clip(f);
    m_frames.clear();
}

void UsdSequence::write_clip(const Frame& frame) {
    const auto& [number, prims] = frame;
    UsdText text(usd_metadata({m_timing.fps, number, number}));
    write_prims(text, {}, groups(), prims, [&, at = number](const UsdPrim& prim) {
        for (const UsdAttribute& a : prim.attributes) {
            text.line(a.declaration + ".timeSamples = {");
            text.line("    " + std::to_string(at) + ": " + a.value + ",");
            text.line("}");
        }
    });
    write_file_atomically(m_folder + "/" + clip_name(number), text.take());
    m_clip_frames.push_back(number);
}

/// Writes which attributes the clips have, and their values in clips that lack them.
void UsdSequence::write_manifest() const {
    UsdText text(usd_metadata(m_timing));
    write_prims(text, {}, groups(), m_prims, [&](const UsdPrim& prim) {
        for (const UsdAttribute& a : prim.attributes) text.attribute(a.declaration, a.absent);
    });
    write_file_atomically(m_folder + "/" + manifest_name, text.take());
}

std::vector<std::string> UsdSequence::clip_metadata() const {
    std::string assets, active, times;
    for (std::size_t k = 0; k < m_clip_frames.size(); ++k) {
        const std::string comma = k > 0 ? ", " : "", frame = std::to_string(m_clip_frames[k]);
        assets += comma + usd_asset("./" + clip_name(m_clip_frames[k]));
        active += comma + "(" + frame + ", " + std::to_string(k) + ")";
        times += comma + "(" + frame + ", " + frame + ")";
    }
    return {"clips = {",
            "    dictionary default = {",
            "        string primPath = " + usd_string("/" + std::string(usd_root)),
            "        asset manifestAssetPath = " + usd_asset(std::string("./") + manifest_name),
            "        asset[] assetPaths = [" + assets + "]",
            "        double2[] active = [" + active + "]",
            "        double2[] times = [" + times + "]",
            "    }",
            "}"};
}

void UsdSequence::finish() {
    if (m_prims.empty())
        throw Error("has neither particles nor surfaces", m_folder, "run nendo sim into it first");
    if (m_clips) write_manifest();
    UsdText text(usd_metadata(m_timing));
    write_prims(text, m_clips ? clip_metadata() : std::vector<std::string>{}, groups(), m_prims,
                [&](const UsdPrim& prim) {
                    for (const UsdAttribute& a : prim.attributes) {
                        if (m_clips) {
                            text.attribute(a.declaration, "", a.metadata);
                            continue;
                        }
                        std::vector<UsdSample> samples;
                        for (auto& [frame, prims] : m_frames) {
                            UsdPrim* there = find_prim(prims, prim.path);
                            UsdAttribute* value =
                                there == nullptr ? nullptr : find_attribute(*there, a.declaration);
                            samples.emplace_back(frame, value == nullptr ? a.absent
                                                                         : std::move(value->value));
                        }
                        text.attribute(a.declaration, samples, a.metadata);
                    }
                });
    write_file_atomically(m_folder + "/geometry.usda", text.take());
}

} // namespace nendo
