// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: a simulation that makes each frame from a copy of the one before, and keeps
// copies of the frames, as DOP networks do.
#pragma once

#include "SIM/SIM_Object.h"
#include "SIM/SIM_Time.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

class SIM_Engine {
public:
    SIM_Time getSimulationTime() const { return standin_time; }
    const SIM_Object* getSimulationObjectFromId(int id) const;

    // ---- not in the HDK ----
    SIM_Engine();
    SIM_Object& standin_add_object(const char* name);
    SIM_Object* standin_object(const std::string& name) const;
    void standin_collide(const SIM_Object& object, const SIM_Object& affector);

    /// Called in each frame: the nodes before the solvers, then the solvers.
    std::function<void(SIM_Engine&, int frame)> standin_nodes;
    std::function<void(SIM_Engine&, double timestep)> standin_solve;
    double standin_fps = 24;

    /// Goes to a frame, starting from the nearest cached frame before it.
    void standin_go_to(int frame);
    void standin_forget_after(int frame); ///< As when a parameter changes
    int standin_frame() const { return m_frame; }
    /// The current frame as a stream of bytes, as in a .sim file.
    std::string standin_save() const;
    void standin_load(const std::string& bytes, int frame);

    double standin_time = 0;
    std::map<int, std::vector<int>> standin_affectors; ///< By id of the object

private:
    using Objects = std::vector<std::unique_ptr<SIM_Object>>;
    Objects copy(const Objects& objects);

    int m_frame = 0;
    int m_next_id = 0;
    Objects m_objects;
    std::map<int, Objects> m_cache;
};
