#!/usr/bin/env bash
# Builds the wheel into the folder DIR: the Python module, the command, its manual pages and completions, the header for devices
# in C, and examples. ASSAY_PROFILE says how it is compiled, as in scripts/build.sh. Needs maturin.
# Usage: scripts/wheel.sh DIR
set -euo pipefail
out=$(realpath -m "$1")
cd "$(dirname "$0")/.."
# In its form: `scripts` goes beside Python's programs, `data` below the prefix of the environment.
data=harness/python/wheel.data
rm -rf "$data"
scripts/tree.sh "$(scripts/build.sh -p libassay -p assay-python)" "$data/data"
rm -rf "$data/data/lib" "$data/data/include/assay.h"
mv "$data/data/bin" "$data/scripts"
CARGO=$PWD/scripts/cargo-as-built.sh maturin build --profile "${ASSAY_PROFILE:-release}" --locked --out "$out" \
    --manifest-path harness/python/Cargo.toml
rm -rf "$data"
