# SPDX-License-Identifier: Apache-2.0
# Sourced by examples/run.sh and tests/run.sh, from the root of the repository:
# configure PRESET installs what is missing, configures, and sets $build to the build folder and
# $jobs to how many compilers may run; build PRESET [TARGET...] does that, and builds.
# NENDO_BUILD_DIR says where builds go (build/), NENDO_JOBS how many compilers run.
configure() {
    local preset=$1 memory
    bash examples/install.sh "$preset"
    build=${NENDO_BUILD_DIR:-build}/$preset
    # A compiler that reads OpenVDB's headers takes up to 2 GB.
    memory=$(awk '/MemAvailable/ {print int($2 / 2000000)}' /proc/meminfo 2>/dev/null || echo 1)
    jobs=$(nproc)
    ((memory < jobs)) && jobs=$memory
    ((jobs < 1)) && jobs=1
    jobs=${NENDO_JOBS:-$jobs}
    cmake --log-level=WARNING --preset "$preset" -B "$build" >/dev/null
}

build() {
    local targets=()
    (($# > 1)) && targets=(--target "${@:2}")
    configure "$1"
    echo "build: preset $1 in $build, $jobs at a time"
    cmake --build "$build" -j "$jobs" "${targets[@]}"
}
