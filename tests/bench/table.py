# SPDX-License-Identifier: Apache-2.0
"""Runs the benchmarks and prints their meaning: ratios of rows measured in one run.

    python3 tests/bench/table.py BENCHMARK [ARGUMENT...]

Rows are repeated and interleaved, so that a busy machine slows all of them alike. The table has the
median of the repetitions, and the best one, which other programs disturbed the least. Arguments go
to Google Benchmark.
"""
import json
import math
import statistics
import subprocess
import sys

# A core of our own does about 9 additions in the time of one product, a shared core half as many.
SHARED = 6.5


def run(command):
    """The results of all repetitions of a row: {name: [repetition]}."""
    command = command[:1] + [
        "--benchmark_format=json",
        "--benchmark_repetitions=5",
        "--benchmark_enable_random_interleaving=true",
    ] + command[1:]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    rows = {}
    for row in json.loads(output)["benchmarks"]:
        if row["run_type"] == "iteration" and not row.get("error_occurred"):
            rows.setdefault(plain(row["run_name"]), []).append(row)
    return rows


def plain(name):
    """A row's name without its repetitions and its kind of timing."""
    parts = name.split("/")
    keep = ("process_time", "real_time")
    return "/".join(p for p in parts if p not in keep and
                    not p.startswith(("iterations:", "repeats:")))


class Table:
    def __init__(self, rows, middle):
        """`middle` reduces the values of all repetitions to one: their median, or the smallest."""
        self.rows = rows
        self.middle = middle

    def nanoseconds(self, name, of=("particle", "point")):
        """The time per particle, point, or other unit named by `of`."""
        times = [f"time/{one}" for one in of]
        seconds = [next((row[time] for time in times if time in row), None)
                   for row in self.rows.get(name, [])]
        return 1e9 * self.middle(seconds) if seconds and None not in seconds else math.nan

    def cube(self, row, side, threads):
        return self.nanoseconds(f"cube/{row}/side:{side}/threads:{threads}")

    def ratios(self):
        """[(description, ratio)]."""
        one, two = (self.nanoseconds(f"additions/threads:{threads}", ["addition"])
                    for threads in (1, 2))
        found = [("additions alone: one thread to two, times faster", one / two)]
        for row in ("explicit_soft", "soft"):
            for side in (16, 46):
                found.append((f"{row}: one thread to two at {side}^3, times faster",
                              self.cube(row, side, 1) / self.cube(row, side, 2)))
            growth = math.log(self.cube(row, 80, 2) / self.cube(row, 16, 2))
            found.append((f"{row}: power of particles, 4,096 to 512,000",
                          1 + growth / math.log(80**3 / 16**3)))
        found.append(("plain MLS-MPM: one thread to two at 46^3, times faster",
                      self.nanoseconds("mls_mpm/side:46/threads:1") /
                      self.nanoseconds("mls_mpm/side:46/threads:2")))
        for side in (16, 26, 46):
            for row in ("explicit_soft", "soft"):
                found.append((f"{row} over plain MLS-MPM, {side}^3, two threads",
                              self.cube(row, side, 2) /
                              self.nanoseconds(f"mls_mpm/side:{side}/threads:2")))
        for threads in (1, 2):
            ours, theirs = (self.nanoseconds(f"{row}/side:46/threads:{threads}")
                            for row in ("surface_cube/matter", "surface_openvdb"))
            found.append((f"particles to mesh over OpenVDB's own chain, 46^3, threads {threads}",
                          ours / theirs))
        return [(what, ratio) for what, ratio in found if not math.isnan(ratio)]


def print_rows(rows):
    median, best = Table(rows, statistics.median), Table(rows, min)
    print(f"{'row':48} {'ns/particle':>11} {'best':>7} {'ms/substep':>11} {'best':>8} "
          f"{'CG':>6} {'bytes':>7}")
    for name, (row, *_) in sorted(rows.items()):
        usual, least = median.nanoseconds(name), best.nanoseconds(name)
        if math.isnan(usual):
            continue
        whole = f"{'':11} {'':8}"
        if "masters" in row:
            whole = f"{1e-6 * usual * row['masters']:11.2f} {1e-6 * least * row['masters']:8.2f}"
        cg = f"{row['CG/substep']:6.1f}" if "CG/substep" in row else f"{'':6}"
        size = row.get("bytes/particle", row.get("bytes/point", math.nan))
        print(f"{name:48} {usual:11.0f} {least:7.0f} {whole} {cg} {size:7.0f}")


def print_ratios(rows):
    print("\nratios in this run" + " " * 47 + "medians    best")
    best = dict(Table(rows, min).ratios())
    for what, ratio in Table(rows, statistics.median).ratios():
        print(f"  {what:62} {ratio:7.3f} {best[what]:7.3f}")


def print_machine(rows):
    core = [row["additions/product"] for row in rows.get("core", [])]
    if core:
        shared = sum(value < SHARED for value in core)
        print(f"\ncore: {statistics.median(core):.1f} additions a product, at best {max(core):.1f}; "
              f"shared with others in {shared} of {len(core)} looks")
    triad = [row["bytes/s"] for row in rows.get("triad/threads:2", [])]
    whole = rows.get("cube/soft/side:46/threads:2", [])
    if triad and whole:
        limit = statistics.median(triad)
        print(f"memory: triad {1e-9 * limit:.1f} GB/s; of that")
        for key in whole[0]:
            if key.endswith(" bytes/s"):
                share = 100 * statistics.median(row[key] for row in whole) / limit
                print(f"    {key[:-8]:12} {share:3.0f} %")


def main():
    rows = run(sys.argv[1:])
    print_rows(rows)
    print_ratios(rows)
    print_machine(rows)


if __name__ == "__main__":
    main()
