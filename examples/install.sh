#!/usr/bin/env bash
# Installs the Debian packages that Nendo needs and that are missing. Says what it does; does
# nothing, and needs no rights, when all are there. For the CMake preset `fuzz`, if that is its
# argument, clang and libFuzzer too.
set -euo pipefail

packages=(
    g++ cmake ninja-build python3
    libeigen3-dev libtbb-dev libopenvdb-dev libboost-iostreams-dev libblosc-dev
    libfmt-dev nlohmann-json3-dev libcli11-dev libxxhash-dev libpng-dev
    libgtest-dev libbenchmark-dev valgrind
    slurmctld slurmd slurm-client munge python3-venv mypy
)
[[ ${1:-} == fuzz ]] && packages+=(clang libclang-rt-14-dev)

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
