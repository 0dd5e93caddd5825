#!/usr/bin/env bash
# Builds the program and prints the folder that it is in. It is optimised, unless ASSAY_PROFILE is dev: then it is the one that
# the tests have built already, with everything else of the workspace.
# Usage: scripts/build.sh [-p PACKAGE…]; packages to be built besides.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}
# On a terminal cargo shows what it compiles; in a log it says only what went wrong.
quiet=(--quiet)
if [ -t 2 ]; then
    quiet=()
    [ -e "$target/release/assay" ] || [ "${ASSAY_PROFILE:-release}" != release ] ||
        echo "building assay for the first time: between five and six minutes on two cores, then only what changed" >&2
fi
case ${ASSAY_PROFILE:-release} in
    release) cargo build --release "${quiet[@]}" -p assay-cli "$@" >&2 && realpath "$target/release" ;;
    # Of the whole workspace with an example: else others would be compiled anew, with fewer of their features.
    dev) cargo build "${quiet[@]}" --workspace --lib --bins --example lowering >&2 && realpath "$target/debug" ;;
    *) echo "ASSAY_PROFILE is $ASSAY_PROFILE; it can be release or dev" >&2 && exit 2 ;;
esac
