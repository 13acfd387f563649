# SPDX-License-Identifier: Apache-2.0
"""Compares the state hash of every scene after 12 frames with the table beside this file.

    python3 tests/hashes.py NENDO [--write] [SCENE...]

A change that does not touch the physics keeps every hash; one that does writes the table anew
(--write) and says why. All scenes in both precisions take about 20 minutes on two cores.
"""
import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "tests/hashes.tsv"


def hash_of(nendo: str, scene: str, precision: str) -> str:
    """State hash of a scene after 12 frames."""
    with tempfile.TemporaryDirectory() as out:
        subprocess.run([nendo, "sim", str(ROOT / f"examples/scenes/{scene}.json"), "--out", out,
                        "--frames", "12-12", "--set", f"precision={precision}", "--threads", "1",
                        "--quiet"], check=True)
        return str(json.loads((Path(out) / "stats.jsonl").read_text().splitlines()[-1])["hash"])


def main() -> int:
    nendo, *rest = sys.argv[1:]
    write = "--write" in rest
    scenes = [s for s in rest if s != "--write"] or sorted(
        path.stem for path in (ROOT / "examples/scenes").glob("*.json"))
    known = {(s, p): h for s, p, h in (line.split() for line in TABLE.read_text().splitlines())}
    runs = [(scene, precision) for scene in scenes for precision in ("double", "float")]
    with ThreadPoolExecutor(2) as pool:
        found = dict(zip(runs, pool.map(lambda run: hash_of(nendo, *run), runs)))
    if write:
        known.update(found)
        TABLE.write_text("".join(f"{s}\t{p}\t{h}\n" for (s, p), h in sorted(known.items())))
    wrong = [run for run, value in found.items() if known.get(run) != value]
    for scene, precision in wrong:
        print(f"{scene} {precision}: {found[scene, precision]}, "
              f"the table has {known.get((scene, precision))}")
    print(f"hashes: {len(found) - len(wrong)} equal, {len(wrong)} different")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
