#!/usr/bin/env bash
# Installs what is missing, builds, and runs the tests: bash tests/run.sh [--bench | --sanitize]
#   --bench     runs the benchmarks instead
#   --sanitize  builds with the address and undefined-behaviour sanitizers, runs the unit tests
# NENDO_PRESET names another CMake preset; NENDO_BUILD_DIR another place than build/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source examples/build.sh

preset=${NENDO_PRESET:-release}
select=()
case ${1:-} in
"") ;;
--bench)
    build "$preset" nendo_bench
    exec "$build/nendo_bench" "${@:2}"
    ;;
--sanitize)
    preset=sanitize
    select=(--label-regex unit)
    ;;
*)
    echo "tests: unknown argument $1; usage: bash tests/run.sh [--bench | --sanitize]" >&2
    exit 2
    ;;
esac

if [[ $preset == sanitize ]]; then build "$preset" nendo_unit; else build "$preset"; fi

results=$(cd "$build" && pwd)/results.xml
rm -f "$results"
code=0
ctest --test-dir "$build" --output-on-failure --no-tests=error -j "$(nproc)" "${select[@]}" \
    --output-junit "$results" || code=$?

count() { grep -c "<testcase .*status=\"$1\"" "$results" || true; }
if [[ -f $results ]]; then
    echo "tests: $(count run) passed, $(count fail) failed, $(count notrun) not run" \
         "($(grep -c '<testcase ' "$results" || true) in total)"
else
    echo "tests: none were run"
fi
exit "$code"
