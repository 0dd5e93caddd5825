#!/usr/bin/env bash
# Builds what is released into target/distribution: `assay`, and its debug information beside it in `assay.debug`.
# With `assay.debug` in the same folder a backtrace names functions, files and lines.
# Usage: scripts/release.sh
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}
built=$target/dist/assay out=$target/distribution
cargo build --profile dist --locked -p assay-cli
mkdir -p "$out"
objcopy --only-keep-debug "$built" "$out/assay.debug"
objcopy --strip-all --add-gnu-debuglink="$out/assay.debug" "$built" "$out/assay"
ls -l "$out"
