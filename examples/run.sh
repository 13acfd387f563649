#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# From a fresh clone to the first picture: bash examples/run.sh [SCENE]
# Installs missing packages, builds the program for this machine, simulates examples/scenes/SCENE.json,
# and makes surfaces, twelve pictures and a contact sheet of them. Prints the time of each stage.
# NENDO_OUT_DIR names the folder of the results (build/out/SCENE), NENDO_PRESET another CMake preset.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scene=${1:-first_look}
source examples/build.sh

file=examples/scenes/$scene.json
if [[ ! -f $file ]]; then
    echo "run: no scene $scene; there are:" $(cd examples/scenes && ls *.json | sed 's/\.json$//') >&2
    exit 1
fi

times=""
stage() { # NAME COMMAND...: runs a command and notes its time
    local start=$SECONDS
    echo "run: $1"
    "${@:2}"
    times+=$(printf '  %-9s %d:%02d' "$1" $(((SECONDS - start) / 60)) $(((SECONDS - start) % 60)))$'\n'
}

preset=${NENDO_PRESET:-quick}
out=${NENDO_OUT_DIR:-${NENDO_BUILD_DIR:-build}/out/$scene}
stage install bash examples/install.sh "$preset"
stage build build "$preset" nendo
stage simulate "$build/nendo" sim "$file" --out "$out" --overwrite
stage surface "$build/nendo" surface "$out" --mesh ply
stage pictures "$build/nendo" render "$out" --sheet 12 --only-sheet

cat <<END
run: done. In $out:
  sheet.png           twelve pictures at a glance
  render.*.png        these pictures; nendo render $out makes the rest
  surface.*.vdb, .ply level sets and meshes
  masters.*.bgeo.sc   particles, for Houdini (other methods: particles, bones)
  stats.jsonl         energy, momentum, counts and times of each frame
run: minutes of each stage:
${times}  $(printf '%-9s %d:%02d' total $((SECONDS / 60)) $((SECONDS % 60)))
END
