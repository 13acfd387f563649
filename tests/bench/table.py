"""Runs the benchmarks and prints what they mean: ratios of rows measured in one run.

    python3 tests/bench/table.py BENCHMARK [ARGUMENT...]

Rows are repeated and interleaved, and the median is taken, so that a busy machine slows all of them
alike. Arguments go to Google Benchmark.
"""
import json
import math
import subprocess
import sys


def run(command):
    """Medians by name of row, or the only run where there is but one: {name: row}."""
    command = command[:1] + [
        "--benchmark_format=json",
        "--benchmark_repetitions=5",
        "--benchmark_enable_random_interleaving=true",
        "--benchmark_report_aggregates_only=true",
    ] + command[1:]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    rows = json.loads(output)["benchmarks"]
    return {plain(r["run_name"]): r for r in rows if r.get("aggregate_name", "median") == "median"}


def plain(name):
    """A row's name without how often it ran and how it was timed."""
    parts = name.split("/")
    keep = ("process_time", "real_time")
    return "/".join(p for p in parts if p not in keep and
                    not p.startswith(("iterations:", "repeats:")))


class Table:
    def __init__(self, rows):
        self.rows = rows

    def nanoseconds(self, name):
        row = self.rows.get(name)
        return 1e9 * row["time/particle"] if row else math.nan

    def print_all(self):
        print(f"{'row':44} {'ns/particle':>11} {'ms/substep':>11} {'CG':>6} {'bytes':>7}")
        for name, row in sorted(self.rows.items()):
            seconds = row.get("time/particle", row.get("time/point"))
            if seconds is None:
                continue
            cg = f"{row['CG/substep']:6.1f}" if "CG/substep" in row else f"{'':6}"
            whole = f"{1e3 * seconds * row['masters']:11.2f}" if "masters" in row else f"{'':11}"
            size = row.get("bytes/particle", row.get("bytes/point", math.nan))
            print(f"{name:44} {1e9 * seconds:11.0f} {whole} {cg} {size:7.0f}")

    def print_ratios(self):
        solver = lambda row, side, threads: self.nanoseconds(
            f"cube/{row}/side:{side}/threads:{threads}")
        print("\nratios in this run")
        for row in ("explicit_soft", "soft"):
            for side in (16, 46):
                print(f"  {row}: one thread to two at {side}^3: "
                      f"{solver(row, side, 1) / solver(row, side, 2):.2f} times faster")
            growth = math.log(solver(row, 80, 2) / solver(row, 16, 2)) / math.log(80**3 / 16**3)
            print(f"  {row}: time grows with particles to the power {1 + growth:.3f} "
                  "from 4,096 to 512,000")
        for side in (16, 26, 46):
            yardstick = self.nanoseconds(f"mls_mpm/side:{side}/threads:2")
            print(f"  explicit over plain MLS-MPM, {side}^3, two threads: "
                  f"{solver('explicit_soft', side, 2) / yardstick:.2f}")
        for threads in (1, 2):
            ours, theirs = (self.nanoseconds(f"{row}/side:46/threads:{threads}")
                            for row in ("surface_cube/matter", "surface_openvdb"))
            print(f"  particles to mesh over OpenVDB's own chain, 46^3, threads {threads}: "
                  f"{ours / theirs:.2f}")
        triad = self.rows.get("triad/threads:2")
        whole = self.rows.get("cube/soft/side:46/threads:2")
        if triad and whole:
            print(f"  memory: triad {1e-9 * triad['bytes/s']:.1f} GB/s; of that")
            for key, value in whole.items():
                if key.endswith(" bytes/s"):
                    share = 100 * value / triad["bytes/s"]
                    print(f"    {key[:-8]:12} {share:3.0f} %")


def main():
    table = Table(run(sys.argv[1:]))
    table.print_all()
    table.print_ratios()


if __name__ == "__main__":
    main()
