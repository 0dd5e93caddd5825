#!/usr/bin/env bash
# Builds the program and prints the folder that it is in. ASSAY_PROFILE says how:
#   release (where it is unset)  optimised
#   dev                          the one that the tests have built already, with everything else of the workspace
# Usage: scripts/build.sh [-p PACKAGE…]; packages to be built besides.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}
profile=${ASSAY_PROFILE:-release}
# On a terminal cargo shows what it compiles; in a log it says only what went wrong.
quiet=(--quiet)
say() { :; }
if [ -t 2 ]; then
    quiet=()
    say() { echo "$1" >&2; }
fi
case $profile in
    release)
        [ -e "$target/release/assay" ] ||
            say "building assay for the first time: between four and five minutes on two cores, then only what changed"
        cargo build --release "${quiet[@]}" -p assay-cli "$@" >&2 && realpath "$target/release"
        ;;
    # Of the whole workspace with an example: else others would be compiled anew, with fewer of their features.
    dev) cargo build "${quiet[@]}" --workspace --lib --bins --example lowering >&2 && realpath "$target/debug" ;;
    *) echo "ASSAY_PROFILE is $ASSAY_PROFILE; it can be release or dev" >&2 && exit 2 ;;
esac
