#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the pictures of examples/pictures: bash examples/gallery.sh [OPTION...] [SCENE...]
# Makes all rows of examples/pictures/gallery.tsv unless scenes are named: four frames of a run side
# by side, or a plot. Also writes examples/pictures/README.md with their captions. Runs stay in
# build/out (NENDO_OUT_DIR), up to 1 GB in total, and are not repeated.
#   --list       list the pictures, and make none
#   --redo       simulate and render again
#   --cycles     render with Blender's Cycles: one picture per scene, of the third of the four
#                frames, as SCENE.cycles.png (installs Blender and usd-core if they are missing)
# NENDO_PRESET names another CMake preset; NENDO_SAMPLES sets the rays per pixel of Cycles (48).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source examples/build.sh

pictures=examples/pictures
table=$pictures/gallery.tsv
redo=0 cycles=0 scenes=()
for argument in "$@"; do
    case $argument in
    --list) exec cut -f1,2,4 "$table" ;;
    --redo) redo=1 ;;
    --cycles) cycles=1 ;;
    -*)
        echo "gallery: unknown option $argument; see the top of examples/gallery.sh" >&2
        exit 2
        ;;
    *)
        if ! cut -f1 "$table" | grep -qx -- "$argument"; then
            echo "gallery: no picture $argument; see bash examples/gallery.sh --list" >&2
            exit 1
        fi
        scenes+=("$argument")
        ;;
    esac
done
((${#scenes[@]})) || mapfile -t scenes < <(cut -f1 "$table")

as_root() { if ((EUID == 0)); then "$@"; else sudo "$@"; fi; }
install_missing() { # COMMAND-OR-MODULE-TEST PACKAGE
    eval "$1" >/dev/null 2>&1 && return
    echo "gallery: apt-get install $2"
    as_root apt-get update -q
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$2"
}

build "${NENDO_PRESET:-release}" nendo
out=${NENDO_OUT_DIR:-${NENDO_BUILD_DIR:-build}/out}

simulate() { # SCENE: simulates into $run, or continues there
    local how=--resume
    ((redo)) || [[ ! -e $run/checkpoint.nendo ]] && how=--overwrite
    "$build/nendo" sim "examples/scenes/$1.json" --out "$run" $how --quiet
}

strip() { # SCENE FRAMES
    if ((redo)) || [[ ! -e $run/strip/sheet.png ]]; then
        simulate "$1" &&
            "$build/nendo" render "$run" --frames "$2" --sheet 4 --only-sheet --size 288x162 \
                --samples 4 --out "$run/strip" --quiet || return
    fi
    cp "$run/strip/sheet.png" "$pictures/$1.png"
}

plot() { # NAME
    if ((redo)) || [[ ! -e $run/plot.png ]]; then
        install_missing "/usr/bin/python3 -c 'import matplotlib'" python3-matplotlib &&
            mkdir -p "$run" &&
            /usr/bin/python3 "$pictures/$1.py" "$build/nendo" "$run/plot" "$run/plot.png" || return
    fi
    cp "$run/plot.png" "$pictures/$1.png"
}

render_with_cycles() { # SCENE FRAMES
    local frame=$((${2%-*} + (${2#*-} - ${2%-*}) * 2 / 3))
    local log=$run/cycles/blender.log
    export NENDO_USD=$out/usd
    install_missing "command -v blender" blender || return
    [[ -d $NENDO_USD/pxr ]] ||
        /usr/bin/python3 -m pip install -q --target "$NENDO_USD" usd-core || return
    simulate "$1" || return
    [[ -e $run/skin.0000.bgeo.sc ]] ||
        "$build/nendo" surface "$run" --frames "$frame" --section --quiet || return
    "$build/nendo" usd "$run" --frames "$frame" --out "$run/cycles" --size 640x360 --quiet || return
    if ! blender -b --python-exit-code 1 -P examples/blender/render.py -- "$run/cycles" --frames "$frame" \
        --samples "${NENDO_SAMPLES:-48}" >"$log" 2>&1; then
        tail -5 "$log" >&2
        return 1
    fi
    cp "$run/cycles/cycles.$(printf %04d "$frame").png" "$pictures/$1.cycles.png"
}

failed=()
for scene in "${scenes[@]}"; do
    IFS=$'\t' read -r _ figure frames caption < <(grep -P "^$scene\t" "$table")
    run=$out/$scene
    echo "gallery: $scene ($figure)"
    if [[ $frames == plot ]]; then
        ((cycles)) || plot "$scene" || failed+=("$scene")
    elif ((cycles)); then
        render_with_cycles "$scene" "$frames" || failed+=("$scene")
    else
        strip "$scene" "$frames" || failed+=("$scene")
    fi
done

{
    echo "# Gallery"
    echo
    echo "Pictures of the example scenes. \`bash examples/gallery.sh\` makes them again."
    while IFS=$'\t' read -r scene figure frames caption; do
        echo
        echo "**\`$scene\`**, $figure. $caption"
        for picture in "$scene" "$scene.cycles"; do
            [[ ! -e $pictures/$picture.png ]] || { echo; echo "![$caption]($picture.png)"; }
        done
    done <"$table"
} >"$pictures/README.md"

if ((${#failed[@]})); then
    echo "gallery: failed: ${failed[*]}" >&2
    exit 1
fi
echo "gallery: done; the pictures are in $pictures"
