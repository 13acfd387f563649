#!/usr/bin/env bash
# Installs what is missing, builds, and runs the tests:
#   bash tests/run.sh [--bench [ARGUMENT...] | --sanitize | --tidy [FILTER]]
#   --bench     runs the benchmarks instead and prints their ratios (arguments go to Google
#               Benchmark, for example --benchmark_filter=cube)
#   --sanitize  builds with the address and undefined-behaviour sanitizers, runs the unit tests
#               and those of the physics that take seconds or reach every stage of a substep
#   --tidy      runs clang-tidy instead, on files whose path matches FILTER (all: ten minutes)
# NENDO_PRESET names another CMake preset; NENDO_BUILD_DIR another place than build/.
# The last line of a test run is: tests: N passed, N failed, N skipped
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source examples/build.sh

preset=${NENDO_PRESET:-release}
targets=()
select=()
case ${1:-} in
"") ;;
--bench)
    build "$preset" nendo_bench
    exec python3 tests/bench/table.py "$build/nendo_bench" "${@:2}"
    ;;
--sanitize)
    preset=sanitize
    targets=(nendo_unit nendo_physics)
    select=(--tests-regex "^unit\.|^physics\.(Constitutive|Yield|Hardening|Operators|Derivatives|.*any_order)")
    ;;
--tidy)
    if ! command -v run-clang-tidy >/dev/null; then
        echo "tests: clang-tidy is missing; install it: apt-get install clang-tidy" >&2
        exit 1
    fi
    configure "$preset"
    exec run-clang-tidy -quiet -p "$build" -j "$jobs" "${2:-/(solvers|examples|dop|sop)/.*\.cpp}"
    ;;
*)
    echo "tests: unknown argument $1; usage: bash tests/run.sh [--bench | --sanitize | --tidy]" >&2
    exit 2
    ;;
esac

build "$preset" "${targets[@]}"

results=$(cd "$build" && pwd)/results.xml
rm -f "$results"
code=0
ctest --test-dir "$build" --output-on-failure --no-tests=error -j "$(nproc)" "${select[@]}" \
    --output-junit "$results" || code=$?

# A test that could not be started is not skipped, it failed.
count() { grep -cE "$1" "$results" 2>/dev/null || true; }
all=$(count '<testcase ')
passed=$(count '<testcase .*status="run"')
skipped=$(count '<skipped message="SKIP_|<testcase .*status="disabled"')
echo "tests: ${passed:-0} passed, $((${all:-0} - ${passed:-0} - ${skipped:-0})) failed," \
     "${skipped:-0} skipped"
exit "$code"
