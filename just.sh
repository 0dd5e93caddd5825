#!/usr/bin/env bash
# Sets up what is missing on a fresh Debian or Ubuntu machine with Rust, then runs a task of the Justfile.
# `./just.sh` lists the tasks. Installs through apt: m4 (the GMP build asks for it) and
# whatever is missing of a C and C++ compiler and make. Fetches `just` into target/tools.
set -euo pipefail
cd "$(dirname "$0")"

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

missing=()
command -v m4 >/dev/null || missing+=(m4)
command -v cc >/dev/null || missing+=(gcc libc6-dev)
command -v make >/dev/null || missing+=(make)
command -v c++ >/dev/null || missing+=(g++)
if [ ${#missing[@]} -gt 0 ]; then
    echo "setting up: apt-get install ${missing[*]}" >&2
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}" >&2
fi
command -v cargo >/dev/null || { echo "cargo is missing: install Rust 1.95 or newer first" >&2; exit 3; }

tools="$PWD/target/tools"
export PATH="$tools/bin:$tools/python/bin:$PATH"
if ! command -v just >/dev/null; then
    echo "setting up: just, into target/tools" >&2
    # The wheel carries the program and takes seconds; building it takes two minutes.
    python3 -m pip install --quiet --target "$tools/python" rust-just==1.59.0 >&2 2>/dev/null ||
        cargo install --quiet --locked --root "$tools" just --version 1.59.0 >&2
fi
# GMP cannot be built in a folder with a blank in its path. Built in another folder, it lies in the user's cache, where cargo finds it.
if [[ ${CARGO_TARGET_DIR:-$PWD} = *[[:space:]]* ]] && [ ! -e "$tools/gmp" ]; then
    echo "setting up: GMP, outside this folder, because its path has a blank" >&2
    elsewhere=$(mktemp -d)
    cargo build --quiet --locked --target-dir "$elsewhere" -p assay-mpfr --lib >&2
    rm -r "$elsewhere"
    mkdir -p "$tools" && touch "$tools/gmp"
fi
exec just "$@"
