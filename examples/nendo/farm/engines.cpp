// SPDX-License-Identifier: Apache-2.0
// The files for each engine: job descriptions in its own format, and a submit.sh that submits them.
// Every task on every engine is the same command, `nendo farm task FOLDER ...`, on first start and
// restart alike. Names and paths were checked, so that none needs quoting.
#include "farm/farm.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

namespace nendo::cli::farm {

namespace {

/// The first line of a script, and comments that say what it does.
std::string script_head(const std::string& purpose) {
    return "#!/usr/bin/env bash\n" + purpose + "set -euo pipefail\n";
}

std::string task_command(const Job& job) {
    return fmt::format("{} farm task {}", job.nendo, job.folder.string());
}

std::size_t chunk_count(const Job& job) {
    return job.has_frame_tasks() ? job.chunks.size() : 0;
}

std::string title(const Job& job, const Task& task) {
    return job.name + "." + task_name(job, task);
}

// ---- this machine ------------------------------------------------------------------------------

std::vector<SubmitFile> local_files(const Job& job) {
    const std::string head =
        script_head("# Runs the job on this machine, NENDO_JOBS tasks at a time (default: 1). "
                    "Finished tasks are\n"
                    "# not repeated, so that a job that was stopped continues.\n");
    const std::string text = fmt::format(
        R"sh(
tasks() {{ xargs -r -L 1 -P "${{NENDO_JOBS:-1}}" {task}; }}
code=0
for ((wedge = 0; wedge < {wedges}; ++wedge)); do echo "sim $wedge"; done | tasks || code=1
for ((chunk = 0; chunk < {chunks}; ++chunk)); do
    for ((wedge = 0; wedge < {wedges}; ++wedge)); do echo "frames $wedge $chunk"; done
done | tasks || code=1
echo report | tasks || code=1
exit $code
)sh",
        fmt::arg("task", task_command(job)), fmt::arg("wedges", job.wedges.size()),
        fmt::arg("chunks", chunk_count(job)));
    return {{"submit.sh", head + text}};
}

// ---- Slurm -------------------------------------------------------------------------------------

/// One array for the simulations, and one per chunk of frames, whose tasks start when the
/// simulation of their wedge is done. Jobs are requeued if their node fails.
std::vector<SubmitFile> slurm_files(const Job& job) {
    const std::string task = fmt::format(
        "#!/bin/bash\n# Arguments: the stage, the first wedge of the array, and the chunk.\n"
        "exec {} \"$1\" ${{2:+$(($2 + SLURM_ARRAY_TASK_ID))}} ${{3:+$3}}\n",
        task_command(job));
    const std::string head = script_head(
        "# Submits the job to Slurm. Arguments are passed to every sbatch, such as "
        "--partition=fx.\n"
        "# NENDO_ARRAY is the largest number of tasks per array (Slurm's MaxArraySize - 1).\n");
    const std::string text = fmt::format(
        R"sh(
here={folder}/submit
options=("$@")
submit() {{
    local id
    id=$(sbatch --parsable --requeue --open-mode=append --cpus-per-task={threads} \
        ${{options[@]+"${{options[@]}}"}} "$@")
    echo "${{id%%;*}}"
}}
block=${{NENDO_ARRAY:-1000}}
ids=()
for ((first = 0; first < {wedges}; first += block)); do
    last=$(({wedges} - first < block ? {wedges} - first - 1 : block - 1))
    sim=$(submit --job-name={name}.sim --output={folder}/log/sim.%A_%a.txt --array=0-$last \
        $here/task.sh sim $first)
    ids+=("$sim")
    for ((chunk = 0; chunk < {chunks}; ++chunk)); do
        ids+=("$(submit --job-name={name}.frames --output={folder}/log/frames.%A_%a.txt \
            --array=0-$last --dependency=aftercorr:$sim --kill-on-invalid-dep=yes \
            $here/task.sh frames $first $chunk)")
    done
done
report=$(submit --job-name={name}.report --output={folder}/log/report.%A.txt \
    --dependency="afterany:$(IFS=:; echo "${{ids[*]}}")" $here/task.sh report)
echo "slurm: jobs ${{ids[*]}} $report"
)sh",
        fmt::arg("folder", job.folder.string()), fmt::arg("name", job.name),
        fmt::arg("wedges", job.wedges.size()), fmt::arg("chunks", chunk_count(job)),
        fmt::arg("threads", std::max(1, job.threads)));
    return {{"task.sh", task}, {"submit.sh", head + text}};
}

// ---- Open Job Description ----------------------------------------------------------------------

Json openjd_step(const std::string& name, const std::string& stage,
                 const std::vector<std::pair<std::string, std::size_t>>& axes,
                 const std::string& after) {
    Json step{{"name", name}};
    if (!after.empty()) step["dependencies"].push_back({{"dependsOn", after}});
    Json arguments{"farm", "task", "{{Param.JobFolder}}", stage};
    for (const auto& [axis, count] : axes) {
        step["parameterSpace"]["taskParameterDefinitions"].push_back(
            {{"name", axis}, {"type", "INT"}, {"range", fmt::format("0-{}", count - 1)}});
        arguments.push_back("{{Task.Param." + axis + "}}");
    }
    Json& run = step["script"]["actions"]["onRun"];
    run["command"] = "{{Param.Nendo}}";
    run["args"] = arguments;
    return step;
}

/// A job bundle for AWS Deadline Cloud. `openjd run` can also run its template.
std::vector<SubmitFile> openjd_files(const Job& job) {
    const std::size_t wedges = job.wedges.size();
    Json steps = Json::array();
    steps.push_back(openjd_step("Simulate", "sim", {{"Wedge", wedges}}, ""));
    if (job.has_frame_tasks())
        steps.push_back(openjd_step("Frames", "frames",
                                    {{"Wedge", wedges}, {"Chunk", job.chunks.size()}}, "Simulate"));
    steps.push_back(
        openjd_step("Report", "report", {}, job.has_frame_tasks() ? "Frames" : "Simulate"));
    Json parameters = Json::array();
    parameters.push_back({{"name", "JobFolder"},
                          {"type", "STRING"},
                          {"default", job.folder.string()},
                          {"description", "Folder of the job, on a disk that all nodes share."}});
    parameters.push_back({{"name", "Nendo"},
                          {"type", "STRING"},
                          {"default", job.nendo},
                          {"description", "The nendo command on the nodes."}});
    Json content;
    content["specificationVersion"] = "jobtemplate-2023-09";
    content["name"] = job.name;
    content["parameterDefinitions"] = parameters;
    content["steps"] = steps;
    const std::string head = script_head("# Submits the job bundle to AWS Deadline Cloud. "
                                         "Arguments are passed to `deadline bundle submit`.\n"
                                         "# To run it on this machine: openjd run template.json\n");
    return {{"template.json", content.dump(2) + "\n"},
            {"submit.sh", head + fmt::format("exec deadline bundle submit {}/submit \"$@\"\n",
                                             job.folder.string())}};
}

// ---- OpenCue -----------------------------------------------------------------------------------

std::string opencue_layer(const std::string& name, const std::string& command, std::size_t count,
                          const std::string& type) {
    return fmt::format("   <layer name=\"{}\" type=\"{}\">\n    <cmd>{}</cmd>\n"
                       "    <range>0-{}</range>\n    <chunk>1</chunk>\n"
                       "    <services><service>default</service></services>\n   </layer>\n",
                       name, type, command, count - 1);
}

std::string opencue_depend(const Job& job, const std::string& type, const std::string& layer,
                           const std::string& on) {
    return fmt::format("  <depend type=\"{0}\" anyframe=\"False\">\n"
                       "   <depjob>{1}</depjob><deplayer>{2}</deplayer>"
                       "<onjob>{1}</onjob><onlayer>{3}</onlayer>\n  </depend>\n",
                       type, job.name, layer, on);
}

/// Layers whose frames are the wedges: one layer of simulations, and one per chunk, which follows
/// it frame by frame.
std::vector<SubmitFile> opencue_files(const Job& job) {
    const std::string command = task_command(job);
    std::string layers =
        opencue_layer("sim", command + " sim #IFRAME#", job.wedges.size(), "Render");
    std::string depends;
    for (std::size_t c = 0; c < chunk_count(job); ++c) {
        const std::string name = fmt::format("frames_{}", job.chunks[c]);
        layers += opencue_layer(name, fmt::format("{} frames #IFRAME# {}", command, c),
                                job.wedges.size(), "Render");
        depends += opencue_depend(job, "FRAME_BY_FRAME", name, "sim") +
                   opencue_depend(job, "LAYER_ON_LAYER", "report", name);
    }
    if (depends.empty()) depends = opencue_depend(job, "LAYER_ON_LAYER", "report", "sim");
    layers += opencue_layer("report", command + " report", 1, "Util");
    const std::string xml = fmt::format(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE spec PUBLIC \"SPI Cue Specification Language\" "
        "\"http://localhost:8080/spcue/dtd/cjsl-1.12.dtd\">\n<spec>\n <facility>local</facility>\n"
        " <show>testing</show>\n <shot>nendo</shot>\n <user>nendo</user>\n"
        " <uid>{}</uid>\n <job name=\"{}\">\n  <paused>False</paused>\n"
        "  <maxretries>{}</maxretries>\n  <autoeat>False</autoeat>\n  <env/>\n"
        "  <layers>\n{}  </layers>\n </job>\n <depends>\n{} </depends>\n</spec>\n",
        getuid(), job.name, job.retries, layers, depends);
    const std::string head = script_head(
        "# Submits the job to OpenCue with its Python module opencue and $CUEBOT_HOSTS.\n"
        "# NENDO_SHOW, NENDO_SHOT and USER are the show, the shot and the owner of the job.\n");
    const std::string text = fmt::format(R"sh(exec python3 - {}/submit/job.xml <<'END'
import os
import sys
import xml.etree.ElementTree as tree

import opencue

text = open(sys.argv[1]).read()
root = tree.fromstring(text)
for tag, variable in (("show", "NENDO_SHOW"), ("shot", "NENDO_SHOT"), ("user", "USER")):
    root.find(tag).text = os.environ.get(variable) or root.find(tag).text
head = text[:text.index("<spec>")]
for job in opencue.api.launchSpecAndWait(head + tree.tostring(root).decode()):
    print("opencue: job", job.name())
END
)sh",
                                         job.folder.string());
    return {{"job.xml", xml}, {"submit.sh", head + text}};
}

// ---- HQueue ------------------------------------------------------------------------------------

/// HQueue runs a job's children before it.
std::vector<SubmitFile> hqueue_files(const Job& job) {
    Json names = Json::array(), chunks = Json::array();
    for (const Wedge& wedge : job.wedges) names.push_back(wedge.name);
    if (job.has_frame_tasks()) chunks = job.chunks;
    const std::string head = script_head("# Submits the job to the HQueue server of $HQSERVER "
                                         "(default: http://localhost:5000).\n");
    const std::string text = fmt::format(R"sh(exec python3 - <<'END'
import os
import xmlrpc.client

server = xmlrpc.client.ServerProxy(os.environ.get("HQSERVER", "http://localhost:5000"))
wedges = {}
chunks = {}


def spec(name, arguments, after):
    return {{"name": "{}." + name, "shell": "bash", "childrenIds": after,
            "command": "{} " + arguments}}


sims = server.newjob([spec("sim." + w, "sim %d" % i, []) for i, w in enumerate(wedges)])
frames = [spec("frames.%s.%s" % (w, chunk), "frames %d %d" % (i, c), [sims[i]])
          for c, chunk in enumerate(chunks) for i, w in enumerate(wedges)]
ids = sims + (server.newjob(frames) if frames else [])
ids += server.newjob([spec("report", "report", ids)])
print("hqueue: jobs", *ids)
END
)sh",
                                         names.dump(), chunks.dump(), job.name, task_command(job));
    return {{"submit.sh", head + text}};
}

// ---- Deadline ----------------------------------------------------------------------------------

void add_deadline_job(const Job& job, const std::string& name, const std::string& arguments,
                      std::size_t count, bool by_wedge, std::vector<SubmitFile>& files) {
    files.push_back({name + ".job",
                     fmt::format("Plugin=CommandLine\nName={0}.{1}\nBatchName={0}\nFrames=0-{2}\n"
                                 "ChunkSize=1\nIsFrameDependent={3}\n",
                                 job.name, name, count - 1, by_wedge ? "true" : "false")});
    files.push_back(
        {name + ".plugin", fmt::format("Executable={}\nArguments=farm task {} {}\n"
                                       "Shell=default\nShellExecute=False\nSingleFramesOnly=True\n",
                                       job.nendo, job.folder.string(), arguments)});
}

/// Jobs for Deadline's CommandLine plugin, whose frames are the wedges.
std::vector<SubmitFile> deadline_files(const Job& job) {
    std::vector<SubmitFile> files;
    add_deadline_job(job, "sim", "sim <STARTFRAME>", job.wedges.size(), false, files);
    for (std::size_t c = 0; c < chunk_count(job); ++c)
        add_deadline_job(job, fmt::format("frames.{}", c), fmt::format("frames <STARTFRAME> {}", c),
                         job.wedges.size(), true, files);
    add_deadline_job(job, "report", "report", 1, false, files);
    const std::string head = script_head("# Submits the job to Deadline. Arguments are added as "
                                         "lines to every job info file, such as\n"
                                         "# Pool=fx or Group=linux.\n");
    const std::string text = fmt::format(
        R"sh(
here={folder}/submit
options=("$@")
info=$(mktemp)
trap 'rm -f "$info"' EXIT
submit() {{
    cp "$here/$1.job" "$info"
    printf '%s\n' ${{options[@]+"${{options[@]}}"}} ${{2:+"JobDependencies=$2"}} >>"$info"
    deadlinecommand "$info" "$here/$1.plugin" | sed -n 's/^JobID=//p'
}}
sim=$(submit sim)
ids=$sim
for ((chunk = 0; chunk < {chunks}; ++chunk)); do
    ids+=,$(submit frames.$chunk "$sim")
done
report=$(submit report "$ids")
echo "deadline: jobs $ids,$report"
)sh",
        fmt::arg("folder", job.folder.string()), fmt::arg("chunks", chunk_count(job)));
    files.push_back({"submit.sh", head + text});
    return files;
}

// ---- Tractor -----------------------------------------------------------------------------------

std::string tractor_task(const Job& job, const Task& task, const std::string& subtasks,
                         const std::string& indent) {
    return fmt::format("{0}Task {{{1}}} -subtasks {{\n{2}{0}}} -cmds {{\n"
                       "{0}  RemoteCmd {{{3} {4}}} -service {{PixarRender}}\n{0}}}\n",
                       indent, title(job, task), subtasks, task_command(job), task_arguments(task));
}

/// Subtasks run before their task. A subtask of several tasks is written once, then as an instance.
std::vector<SubmitFile> tractor_files(const Job& job) {
    std::string tasks;
    for (const Task& task : list_tasks(job)) {
        const Task sim{TaskKind::sim, task.wedge, 0};
        if (task.kind == TaskKind::sim && !job.has_frame_tasks())
            tasks += tractor_task(job, task, "", "    ");
        if (task.kind != TaskKind::frames) continue;
        tasks +=
            tractor_task(job, task,
                         task.chunk == 0 ? tractor_task(job, sim, "", "      ")
                                         : fmt::format("      Instance {{{}}}\n", title(job, sim)),
                         "    ");
    }
    const std::string report = tractor_task(job, {TaskKind::report, 0, 0}, tasks, "  ");
    const std::string head = script_head("# Spools the job to Tractor. Arguments are passed to "
                                         "tractor-spool, such as --engine=HOST.\n");
    return {{"job.alf", fmt::format("##AlfredToDo 3.0\nJob -title {{{}}} -subtasks {{\n{}}}\n",
                                    job.name, report)},
            {"submit.sh", head + fmt::format("exec tractor-spool \"$@\" {}/submit/job.alf\n",
                                             job.folder.string())}};
}

} // namespace

std::vector<SubmitFile> submit_files(const Job& job) {
    switch (job.engine) {
    case Engine::slurm: return slurm_files(job);
    case Engine::openjd: return openjd_files(job);
    case Engine::opencue: return opencue_files(job);
    case Engine::hqueue: return hqueue_files(job);
    case Engine::deadline: return deadline_files(job);
    case Engine::tractor: return tractor_files(job);
    case Engine::local: break;
    }
    return local_files(job);
}

std::string submit_command(Engine engine) {
    switch (engine) {
    case Engine::slurm: return "sbatch";
    case Engine::openjd: return "deadline";
    case Engine::opencue:
    case Engine::hqueue: return "python3";
    case Engine::deadline: return "deadlinecommand";
    case Engine::tractor: return "tractor-spool";
    case Engine::local: break;
    }
    return "xargs";
}

std::string progress_line(Engine engine, double percent) {
    if (engine == Engine::openjd) return fmt::format("openjd_progress: {:.1f}", percent);
    if (engine == Engine::deadline) return fmt::format("Progress: {:.0f}%", percent);
    return fmt::format("ALF_PROGRESS {:.0f}%", percent);
}

} // namespace nendo::cli::farm
