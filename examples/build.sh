# Sourced by examples/run.sh and tests/run.sh, from the root of the repository:
# build PRESET [TARGET...] installs what is missing, configures, builds, and sets $build to the
# build folder. NENDO_BUILD_DIR says where builds go (build/), NENDO_JOBS how many compilers run.
build() {
    local preset=$1 jobs memory targets=()
    shift
    bash examples/install.sh
    build=${NENDO_BUILD_DIR:-build}/$preset
    # A compiler that reads OpenVDB's headers takes up to 2 GB.
    memory=$(awk '/MemAvailable/ {print int($2 / 2000000)}' /proc/meminfo 2>/dev/null || echo 1)
    jobs=$(nproc)
    ((memory < jobs)) && jobs=$memory
    ((jobs < 1)) && jobs=1
    jobs=${NENDO_JOBS:-$jobs}
    (($# > 0)) && targets=(--target "$@")
    echo "build: preset $preset in $build, $jobs at a time"
    cmake --log-level=WARNING --preset "$preset" -B "$build" >/dev/null
    cmake --build "$build" -j "$jobs" "${targets[@]}"
}
