#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages that Nendo needs and that are missing: bash examples/install.sh [KIND]
# Prints what it does. Does nothing, and needs no rights, if nothing is missing. KIND is a CMake preset:
#   quick      only what the program needs
#   tests      also what the tests run: valgrind, Slurm, Doxygen and others
#   sanitize   also clang and libFuzzer
# Any other kind, or none, is what all targets need.
set -euo pipefail

packages=(
    g++ cmake ninja-build
    libeigen3-dev libtbb-dev libopenvdb-dev libboost-iostreams-dev libblosc-dev
    libfmt-dev nlohmann-json3-dev libcli11-dev libxxhash-dev libpng-dev
)
if [[ ${1:-} != quick ]]; then
    packages+=(python3 libgtest-dev libbenchmark-dev libopenmpi-dev openmpi-bin)
fi
case ${1:-} in
tests)
    packages+=(valgrind mypy python3-dev python3-pip python3-venv python3-openvdb libopenvdb-tools
               doxygen slurmctld slurmd slurm-client munge)
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
    echo "install: all ${#packages[@]} Debian packages are installed"
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
