#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds, and runs the tests:
#   bash tests/run.sh [--bench [ARGUMENT...] | --sanitize | --fuzz [SECONDS] | --tidy [FILTER]]
#   --bench     runs the benchmarks instead and prints their ratios (arguments go to Google
#               Benchmark, for example --benchmark_filter=cube)
#   --sanitize  address and undefined-behavior sanitizers over the quick tests: units, some random
#               worlds, and the physics tests that take seconds or reach every stage of a substep;
#               the thread sanitizer over the solvers' loops; valgrind over a short run of the
#               command line
#   --fuzz      libFuzzer runs each target for SECONDS (60) on from its seeds and earlier findings,
#               as many at once as there are cores
#   --tidy      runs clang-tidy instead, on files whose path matches FILTER (all: ten minutes)
# NENDO_PRESET names another CMake preset; NENDO_BUILD_DIR another place than build/.
# NENDO_FAULT_RUNS, NENDO_WORLDS and NENDO_NETWORKS say how often runs are killed, and how many worlds
# and networks of nodes are drawn.
# The last line of a test run is: tests: N passed, N failed, N skipped
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source examples/build.sh

preset=${NENDO_PRESET:-release}
passed=0 failed=0 skipped=0 code=0

# Adds the tests of $build that ctest selects by its arguments to the totals.
run_tests() {
    local results all ran left
    results=$(cd "$build" && pwd)/results.xml
    rm -f "$results"
    # One more than there are cores: some tests wait for other machines most of the time.
    ctest --test-dir "$build" --output-on-failure --no-tests=error -j "$(($(nproc) + 1))" "$@" \
        --output-junit "$results" || code=$?
    # A test that could not be started is not skipped, it failed.
    count() { grep -cE "$1" "$results" 2>/dev/null || true; }
    all=$(count '<testcase ')
    ran=$(count '<testcase .*status="run"')
    left=$(count '<skipped message="SKIP_|<testcase .*status="disabled"')
    passed=$((passed + ${ran:-0}))
    skipped=$((skipped + ${left:-0}))
    failed=$((failed + ${all:-0} - ${ran:-0} - ${left:-0}))
}

# Memory errors of the optimized program, over a run of two frames and its surface.
run_valgrind() {
    local out
    out=$(mktemp -d)
    if valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=definite \
        --errors-for-leak-kinds=definite \
        "$build/nendo" sim tests/fuzz/corpus/scene/small.json --out "$out" --threads 2 --quiet; then
        passed=$((passed + 1))
    else
        code=1
        failed=$((failed + 1))
    fi
    rm -rf "$out"
}

case ${1:-} in
"")
    bash examples/install.sh tests
    build "$preset"
    run_tests
    ;;
--bench)
    build "$preset" nendo_bench
    exec python3 tests/bench/table.py "$build/nendo_bench" "${@:2}"
    ;;
--sanitize)
    bash examples/install.sh tests
    build sanitize nendo_quick_tests nendo_quick_networks
    # Left out: what takes minutes and runs no code that others do not.
    NENDO_WORLDS=${NENDO_WORLDS:-5} run_tests --tests-regex "^quick\." \
        --exclude-regex "1_2_and_8_threads|stopped_and_resumed|once_grew|ElastoplasticSameBits.*(double|threads)"
    build tsan nendo_races
    run_tests --tests-regex "^races\.(Neighbors|ElastoplasticSameBits.*(any_order.*float|one_bit.*double))"
    build "$preset" nendo
    run_valgrind
    ;;
--fuzz)
    targets=(scene geometry mesh checkpoint)
    build sanitize "${targets[@]/#/nendo_fuzz_}"
    fuzz() {
        mkdir -p "$build/found/$1"
        "$build/nendo_fuzz_$1" -max_total_time="$2" -timeout=60 -rss_limit_mb=2048 -max_len=16384 \
            -print_final_stats=1 -verbosity=0 -artifact_prefix="$build/$1-" \
            "$build/found/$1" "tests/fuzz/corpus/$1" &>"$build/fuzz-$1.log"
    }
    export -f fuzz
    export build
    # Each leaves its log; of a failure, all of it is shown.
    printf '%s\n' "${targets[@]}" |
        xargs -P "$(nproc)" -I {} bash -c 'fuzz {} "$0" || touch "$build/fuzz-{}.failed"' "${2:-60}"
    for target in "${targets[@]}"; do
        echo "fuzz: $target: $(grep -o 'number_of_executed_units:.*' "$build/fuzz-$target.log")"
        if [[ -e $build/fuzz-$target.failed ]]; then
            cat "$build/fuzz-$target.log"
            rm "$build/fuzz-$target.failed"
            failed=$((failed + 1)) code=1
        else
            passed=$((passed + 1))
        fi
    done
    ;;
--tidy)
    if ! command -v run-clang-tidy >/dev/null; then
        echo "tests: clang-tidy is missing; install it: apt-get install clang-tidy" >&2
        exit 1
    fi
    configure debug # file by file
    exec run-clang-tidy -quiet -p "$build" -j "$jobs" "${2:-/(solvers|examples|dop|sop)/.*\.cpp}"
    ;;
*)
    echo "tests: unknown argument $1; usage: bash tests/run.sh" \
         "[--bench | --sanitize | --fuzz | --tidy]" >&2
    exit 2
    ;;
esac

echo "tests: $passed passed, $failed failed, $skipped skipped"
exit "$code"
