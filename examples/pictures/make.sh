#!/usr/bin/env bash
# Makes the pictures of this folder again: bash examples/pictures/make.sh [SCENE...]
# Each is four frames of a run, side by side. Runs stay in build/out (NENDO_OUT_DIR), as large as
# 1 GB in all.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source examples/build.sh

declare -A frames=(
    [cube_hard]=5-20 [cube_soft]=9-15 [cube_plastic]=0-30 [animal_elastic]=0-30
    [animal_plastic]=0-15 [sheet_on_cross]=0-30 [animal_on_bar_low]=0-26 [animal_on_bar_high]=0-18
    [animals_merging]=0-96 [many_animals]=0-54 [taffy]=0-15 [dough_roller]=0-54 [gum_poked]=0-42
    [membrane_fluid]=0-84 [membrane_leaks]=0-84 [telescopic_cuboid]=96-384 [jellyfish]=0-432
    [water_balloon]=8-26 [thin_membrane]=0-72
    [spoon_bent]=0-60 [spoon_on_table]=0-60 [wire_figure]=0-48 [sagging_candle]=0-96
    [bumper_dent]=0-60
    [flattened_animal]=0-150 [drop_fixed_budget]=0-45 [melting_animal]=0-96 [wax_candle]=0-96
    [ice_in_water]=0-72 [lava]=0-96 [chocolate_bunny]=0-96
)

build "${NENDO_PRESET:-release}" nendo
for scene in "${@:-${!frames[@]}}"; do
    run=${NENDO_OUT_DIR:-${NENDO_BUILD_DIR:-build}/out}/$scene
    "$build/nendo" sim "examples/scenes/$scene.json" --out "$run" --overwrite
    "$build/nendo" render "$run" --frames "${frames[$scene]}" --sheet 4 --only-sheet \
        --size 288x162 --samples 4 --out "$run/strip"
    cp "$run/strip/sheet.png" "examples/pictures/$scene.png"
done
