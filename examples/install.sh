#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages that Nendo needs and that are missing. Says what it does; does
# nothing, and needs no rights, when all are there. With the argument `tests` those that only tests
# need too, with `sanitize` (a CMake preset) clang and libFuzzer.
set -euo pipefail

packages=(
    g++ cmake ninja-build python3
    libeigen3-dev libtbb-dev libopenvdb-dev libboost-iostreams-dev libblosc-dev
    libfmt-dev nlohmann-json3-dev libcli11-dev libxxhash-dev libpng-dev
    libgtest-dev libbenchmark-dev libopenmpi-dev openmpi-bin
)
case ${1:-} in
tests)
    packages+=(valgrind mypy python3-pip python3-venv python3-openvdb libopenvdb-tools
               slurmctld slurmd slurm-client munge)
    ;;
sanitize) packages+=(clang libclang-rt-14-dev) ;;
esac

if ! command -v dpkg-query >/dev/null; then
    echo "install: no Debian package manager here; Nendo needs: ${packages[*]}"
    exit 0
fi

missing=()
for package in "${packages[@]}"; do
    status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
    [[ $status == installed* ]] || missing+=("$package")
done
if ((${#missing[@]} == 0)); then
    echo "install: all ${#packages[@]} Debian packages are there"
    exit 0
fi

as_root=()
if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
        echo "install: missing packages: ${missing[*]}; run as root: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi
echo "install: apt-get install ${missing[*]}"
"${as_root[@]}" apt-get update -q
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends "${missing[@]}"
