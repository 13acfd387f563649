#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# From a fresh clone to a picture: bash examples/run.sh [SCENE]
# Installs what is missing, builds, simulates examples/scenes/SCENE.json (cube_soft when not
# given), makes surfaces, pictures and a contact sheet, and says where they are.
# NENDO_OUT_DIR says where results go (build/out/SCENE).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source examples/build.sh

scene=${1:-cube_soft}
file=examples/scenes/$scene.json
if [[ ! -f $file ]]; then
    echo "run: no scene $scene; there are:" $(cd examples/scenes && ls *.json | sed 's/\.json$//') >&2
    exit 1
fi

build "${NENDO_PRESET:-release}" nendo
out=${NENDO_OUT_DIR:-${NENDO_BUILD_DIR:-build}/out/$scene}

echo "run: simulating $file"
"$build/nendo" sim "$file" --out "$out" --overwrite
echo "run: surfaces"
"$build/nendo" surface "$out" --mesh ply
echo "run: pictures"
"$build/nendo" render "$out" --sheet 12 --only-sheet

cat <<END
run: done. In $out:
  masters.*.bgeo.sc   particles, for Houdini
  surface.*.vdb, .ply level sets and meshes
  render.*.png        twelve pictures; sheet.png: all at a glance (nendo render DIR makes the rest)
  stats.jsonl         energy, momentum, counts and times of each frame
END
