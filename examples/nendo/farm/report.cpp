// SPDX-License-Identifier: Apache-2.0
// The report of a job: a page, a table and a contact sheet that compare its wedges.
#include "farm/farm.h"
#include "farm/plot.h"
#include "preview/image.h"

#include "io/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

namespace nendo::cli::farm {

namespace fs = std::filesystem;

namespace {

/// Plots and the contact sheet show at most this many wedges, to stay readable.
constexpr std::size_t max_shown = 64;
constexpr std::size_t pictures_per_wedge = 4;

/// The state of a wedge at the time of the report.
struct Outcome {
    const Wedge* wedge = nullptr;
    std::string color;
    std::vector<Json> rows; ///< Rows of stats.jsonl
    std::string state;
    std::size_t starts = 0; ///< Starts of its simulation
    std::vector<std::string> restarts;
    std::vector<fs::path> pictures; ///< One per frame shown; empty if missing

    double last(const std::string& key) const {
        return rows.empty() ? std::nan("") : number(rows.back(), key);
    }
    double peak(const std::string& key) const {
        double most = std::nan("");
        for (const Json& row : rows) most = std::fmax(most, number(row, key));
        return most;
    }
    double sum(const std::string& key) const {
        double all = 0;
        for (const Json& row : rows) all += row.contains(key) ? number(row, key) : 0;
        return all;
    }
    static double number(const Json& row, const std::string& key) {
        const auto found = row.find(key);
        return found != row.end() && found->is_number() ? found->get<double>() : std::nan("");
    }
};

struct Report {
    std::vector<Outcome> outcomes;
    std::vector<std::string> paths;   ///< Scene values that differ between wedges
    std::vector<std::string> numbers; ///< Keys of the statistics
    std::vector<int> shown_frames;
    std::vector<std::string> restarts;
};

std::vector<Json> read_stats(const fs::path& file) {
    std::vector<Json> rows;
    if (!fs::exists(file)) return rows;
    std::istringstream lines(read_file(file.string()));
    for (std::string line; std::getline(lines, line);) {
        Json row = Json::parse(line, nullptr, false);
        if (row.is_object()) rows.push_back(std::move(row));
    }
    return rows;
}

/// The value of a path in a wedge; empty if the wedge does not set it.
std::string value_in(const Wedge& wedge, const std::string& path) {
    std::string value;
    for (const std::string& assignment : wedge.set)
        if (path_of(assignment) == path) value = value_of(assignment);
    return value;
}

std::vector<std::string> differing_paths(const Job& job) {
    std::vector<std::string> paths;
    for (const Wedge& wedge : job.wedges)
        for (const std::string& assignment : wedge.set)
            if (std::find(paths.begin(), paths.end(), path_of(assignment)) == paths.end())
                paths.push_back(path_of(assignment));
    const auto same = [&](const std::string& path) {
        return std::all_of(job.wedges.begin(), job.wedges.end(), [&](const Wedge& wedge) {
            return value_in(wedge, path) == value_in(job.wedges.front(), path);
        });
    };
    paths.erase(std::remove_if(paths.begin(), paths.end(), same), paths.end());
    return paths;
}

/// "done", "waiting", "failed: TASK", or "N of M" tasks done.
std::string wedge_state(const Job& job, std::size_t wedge) {
    std::size_t done = 0, all = 0, begun = 0;
    for (const Task& task : list_tasks(job)) {
        if (task.kind == TaskKind::report || task.wedge != wedge) continue;
        const TaskState state = state_of(read_attempts(job, task));
        if (state == TaskState::failed) return "failed: " + task_name(job, task);
        done += state == TaskState::done ? 1 : 0;
        begun += state == TaskState::waiting ? 0 : 1;
        ++all;
    }
    return done == all ? "done" : begun == 0 ? "waiting" : fmt::format("{} of {}", done, all);
}

std::vector<int> pick_shown_frames(const Job& job) {
    std::vector<int> frames;
    for (const std::string& chunk : job.chunks) {
        const FrameRange range = parse_frames(chunk);
        for (int frame = range.first; frame <= range.last; ++frame) frames.push_back(frame);
    }
    std::vector<int> picked;
    const std::size_t count = std::min(pictures_per_wedge, frames.size());
    for (std::size_t k = 0; k < count; ++k)
        picked.push_back(frames[count > 1 ? k * (frames.size() - 1) / (count - 1) : 0]);
    return picked;
}

Report gather(const Job& job) {
    Report report;
    report.paths = differing_paths(job);
    report.shown_frames = pick_shown_frames(job);
    std::vector<Restart> restarts = list_restarts(job);
    for (std::size_t w = 0; w < job.wedges.size(); ++w) {
        Outcome outcome;
        outcome.wedge = &job.wedges[w];
        outcome.color = series_color(w, job.wedges.size());
        const fs::path folder = job.run_folder(*outcome.wedge);
        outcome.rows = read_stats(folder / "stats.jsonl");
        outcome.state = wedge_state(job, w);
        outcome.starts = read_attempts(job, {TaskKind::sim, w, 0}).size();
        for (const Restart& restart : restarts)
            if (restart.task.wedge == w) outcome.restarts.push_back(restart.text);
        for (const int frame : report.shown_frames) {
            const fs::path picture = folder / frame_name("render", frame, ".png");
            outcome.pictures.push_back(fs::exists(picture) ? picture : fs::path());
        }
        for (const Json& row : outcome.rows)
            for (const auto& [key, value] : row.items())
                if (value.is_number() && key != "frame" && key != "time" &&
                    std::find(report.numbers.begin(), report.numbers.end(), key) ==
                        report.numbers.end())
                    report.numbers.push_back(key);
        report.outcomes.push_back(std::move(outcome));
    }
    for (const Restart& restart : restarts) report.restarts.push_back(restart.text);
    return report;
}

// ---- the table ----------------------------------------------------------------------------------

std::string csv_cell(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

std::string csv_number(double value) {
    return std::isfinite(value) ? fmt::format("{}", value) : "";
}

std::string join(const std::vector<std::string>& parts, const std::string& separator) {
    return fmt::format("{}", fmt::join(parts, separator));
}

std::string write_table(const Report& report) {
    std::vector<std::string> head{"wedge"};
    head.insert(head.end(), report.paths.begin(), report.paths.end());
    for (const char* name : {"state", "frame", "hash", "starts", "restarts", "seconds"})
        head.emplace_back(name);
    head.insert(head.end(), report.numbers.begin(), report.numbers.end());
    std::string text = join(head, ",") + "\n";
    for (const Outcome& outcome : report.outcomes) {
        std::vector<std::string> cells{outcome.wedge->name};
        for (const std::string& path : report.paths)
            cells.push_back(csv_cell(value_in(*outcome.wedge, path)));
        const Json last = outcome.rows.empty() ? Json::object() : outcome.rows.back();
        cells.push_back(csv_cell(outcome.state));
        cells.push_back(csv_number(outcome.last("frame")));
        cells.push_back(last.value("hash", ""));
        cells.push_back(std::to_string(outcome.starts));
        cells.push_back(csv_cell(join(outcome.restarts, " | ")));
        cells.push_back(csv_number(outcome.sum("wall_ms") / 1000));
        for (const std::string& key : report.numbers)
            cells.push_back(csv_number(outcome.last(key)));
        text += join(cells, ",") + "\n";
    }
    return text;
}

// ---- the contact sheet --------------------------------------------------------------------------

/// Writes one row per wedge, labeled by frame, with gray cells for missing pictures. Returns false
/// if there is no picture.
bool write_sheet(const Report& report, const fs::path& file) {
    Image blank;
    std::vector<Image> images;
    std::vector<std::string> labels;
    for (const Outcome& outcome : report.outcomes) {
        if (images.size() >= max_shown * report.shown_frames.size()) break;
        for (std::size_t k = 0; k < outcome.pictures.size(); ++k) {
            images.push_back(outcome.pictures[k].empty() ? Image() : read_png(outcome.pictures[k]));
            labels.push_back(std::to_string(report.shown_frames[k]));
            if (blank.width == 0) blank = images.back();
        }
    }
    if (blank.width == 0) return false;
    std::fill(blank.rgb.begin(), blank.rgb.end(), std::uint8_t{128});
    for (Image& image : images)
        if (image.width != blank.width || image.height != blank.height) image = blank;
    write_png(file, contact_sheet(images, static_cast<int>(report.shown_frames.size()), labels,
                                  std::min(320, blank.width)));
    return true;
}

// ---- the page -----------------------------------------------------------------------------------

/// The most informative statistics that the method has.
std::vector<std::string> plotted_numbers(const Report& report) {
    std::vector<std::string> plotted;
    for (const char* key :
         {"kinetic_energy", "elastic_energy", "spring_energy", "joint_energy", "heat_energy",
          "liquid", "max_speed", "max_stretch", "slaves", "substeps", "wall_ms"})
        if (std::find(report.numbers.begin(), report.numbers.end(), key) != report.numbers.end() &&
            plotted.size() < 6)
            plotted.emplace_back(key);
    return plotted;
}

std::string plots_over_frames(const Report& report) {
    std::string text;
    for (const std::string& key : plotted_numbers(report)) {
        Plot plot{key, "frame", {}, false};
        for (const Outcome& outcome : report.outcomes) {
            if (plot.series.size() == max_shown) break;
            plot.series.push_back({outcome.wedge->name, outcome.color, {}});
            for (const Json& row : outcome.rows)
                plot.series.back().points.emplace_back(Outcome::number(row, "frame"),
                                                       Outcome::number(row, key));
        }
        text += draw_svg(plot);
    }
    return text;
}

/// The values of a path in the wedges; NaN if not a number.
std::vector<double> numbers_of(const Report& report, const std::string& path) {
    std::vector<double> numbers;
    for (const Outcome& outcome : report.outcomes) {
        const Json value = Json::parse(value_in(*outcome.wedge, path), nullptr, false);
        numbers.push_back(value.is_number() ? value.get<double>() : std::nan(""));
    }
    return numbers;
}

/// Plots the largest value of some statistics against each number that differs between wedges.
std::string plots_of_effects(const Report& report) {
    std::string text;
    std::vector<std::string> effects = plotted_numbers(report);
    if (effects.size() > 3) effects.resize(3);
    for (const std::string& path : report.paths) {
        std::vector<double> numbers = numbers_of(report, path);
        const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
        const bool decades = *least > 0 && *most / *least > 30;
        if (decades)
            for (double& number : numbers) number = std::log10(number);
        for (const std::string& key : effects) {
            Plot plot{"largest " + key, decades ? "log10 " + path : path, {}, true};
            for (std::size_t w = 0; w < numbers.size(); ++w) {
                const Outcome& outcome = report.outcomes[w];
                if (std::isfinite(numbers[w]))
                    plot.series.push_back(
                        {outcome.wedge->name, outcome.color, {{numbers[w], outcome.peak(key)}}});
            }
            if (plot.series.size() > 1) text += draw_svg(plot);
        }
    }
    return text;
}

std::string rows_of_page(const Job& job, const Report& report) {
    std::string text;
    for (const Outcome& outcome : report.outcomes) {
        const std::string kind = outcome.state == "done"   ? "done"
                                 : outcome.state[0] == 'f' ? "failed"
                                                           : "open";
        text += fmt::format("<tr><td><span class=dot style=\"background:{}\"></span>{}</td>",
                            outcome.color, outcome.wedge->name);
        for (const std::string& path : report.paths)
            text += "<td class=number>" + escape_html(value_in(*outcome.wedge, path)) + "</td>";
        text += fmt::format("<td class={}>{}</td>", kind, escape_html(outcome.state));
        text += fmt::format("<td class=number>{}</td><td class=number>{:.1f}</td>"
                            "<td class=number>{:.1f}</td><td class=number>{}</td>",
                            csv_number(outcome.last("frame")), outcome.sum("wall_ms") / 1000,
                            outcome.peak("bytes") / 1e6, outcome.starts);
        text += "<td class=pictures>";
        for (std::size_t k = 0; k < outcome.pictures.size(); ++k) {
            if (outcome.pictures[k].empty()) continue;
            const std::string link =
                fs::relative(outcome.pictures[k], job.folder / "report").generic_string();
            text += fmt::format("<a href=\"{0}\"><img loading=lazy src=\"{0}\" alt=\"{1}, frame "
                                "{2}\"></a>",
                                link, outcome.wedge->name, report.shown_frames[k]);
        }
        text += "</td></tr>\n";
    }
    return text;
}

std::string restarts_of_page(const Report& report) {
    if (report.restarts.empty()) return "<p>No task was killed or restarted.</p>\n";
    std::string text = "<ul class=restarts>\n";
    for (const std::string& restart : report.restarts)
        text += "<li>" + escape_html(restart) + "</li>\n";
    return text + "</ul>\n";
}

std::string write_page(const Job& job, const Report& report, bool has_sheet) {
    std::string head;
    for (const std::string& path : report.paths) head += "<th>" + escape_html(path) + "</th>";
    std::string frames;
    for (const int frame : report.shown_frames)
        frames += (frames.empty() ? "" : ", ") + std::to_string(frame);
    const std::string limit =
        report.outcomes.size() > max_shown
            ? fmt::format("<p>Plots and the contact sheet show the first {} wedges.</p>\n",
                          max_shown)
            : "";
    const std::string effects = plots_of_effects(report);
    return fmt::format(
        R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{name}</title>
<meta name="viewport" content="width=device-width">
<style>
body {{ font: 14px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 1500px; padding: 0 1em;
  color: #222; background: #fafafa }}
h1 {{ font-size: 22px }} h2 {{ font-size: 16px; margin-top: 2em }}
table {{ border-collapse: collapse; background: #fff }}
th, td {{ border-bottom: 1px solid #ddd; padding: 4px 10px; text-align: left; white-space: nowrap }}
th {{ font-weight: 600; background: #f0f0f0 }}
.number {{ text-align: right; font-variant-numeric: tabular-nums }}
.dot {{ display: inline-block; width: 10px; height: 10px; border-radius: 5px; margin-right: 6px }}
.done {{ color: #2a7d2a }} .failed {{ color: #b00020; font-weight: 600 }} .open {{ color: #9a6a00 }}
.pictures img {{ height: 84px; margin: 2px; vertical-align: middle }}
.wide {{ overflow-x: auto }}
.plots {{ display: flex; flex-wrap: wrap; gap: 12px }}
.plots svg {{ background: #fff; border: 1px solid #ddd }}
.sheet {{ max-width: 100% }}
</style></head><body>
<h1>{name}</h1>
<p>{wedges} wedges of {scene}, frames {frames}. <a href="table.csv">table.csv</a> has all numbers of
the last frame.</p>
{limit}<h2>Wedges</h2>
<div class=wide><table>
<tr><th>wedge</th>{head}<th>state</th><th>frame</th><th>seconds</th><th>MB</th><th>starts</th>
<th>frames {shown}</th></tr>
{rows}</table></div>
<h2>Restarted tasks</h2>
{restarts}<h2>Statistics per frame</h2>
<div class=plots>
{plots}</div>
{effects}{sheet}</body></html>
)",
        fmt::arg("name", job.name), fmt::arg("wedges", report.outcomes.size()),
        fmt::arg("scene", escape_html(fs::path(job.scene_file).filename().string())),
        fmt::arg("frames", fmt::format("{}-{}", job.frames().first, job.frames().last)),
        fmt::arg("limit", limit), fmt::arg("head", head), fmt::arg("shown", frames),
        fmt::arg("rows", rows_of_page(job, report)), fmt::arg("restarts", restarts_of_page(report)),
        fmt::arg("plots", plots_over_frames(report)),
        fmt::arg("effects", effects.empty() ? ""
                                            : "<h2>Effect of the values that differ"
                                              "</h2>\n<div class=plots>\n" +
                                                  effects + "</div>\n"),
        fmt::arg("sheet", has_sheet
                              ? "<h2>Contact sheet</h2>\n<a href=\"sheet.png\"><img "
                                "class=sheet src=\"sheet.png\" alt=\"one row per wedge\"></a>\n"
                              : ""));
}

} // namespace

void write_report(const Job& job) {
    const Report report = gather(job);
    const fs::path folder = job.folder / "report";
    make_folder(folder);
    write_file_atomically((folder / "table.csv").string(), write_table(report));
    const bool has_sheet = write_sheet(report, folder / "sheet.png");
    write_file_atomically((folder / "index.html").string(), write_page(job, report, has_sheet));
}

} // namespace nendo::cli::farm
