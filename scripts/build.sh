#!/usr/bin/env bash
# Builds the program and prints the folder that it is in. ASSAY_PROFILE says how:
#   release (where it is unset)  optimised
#   dev                          the one that the tests have built already, with everything else of the workspace
#   dist                         what is released: optimised, with debug information
# Usage: scripts/build.sh [--artifacts] [-p PACKAGE…]; packages to be built besides. With --artifacts the messages of cargo
# on what was built are printed, as JSON, in place of the folder.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}
profile=${ASSAY_PROFILE:-release}
artifacts=
if [ "${1:-}" = --artifacts ]; then artifacts=1 && shift; fi
case $profile in
    release | dist)
        folder=$target/$profile options=(--locked --profile "$profile" -p assay-cli "$@")
        [ -e "$folder/assay" ] || echo "building assay for the first time: about 6 minutes on two cores, then only what changed" >&2
        ;;
    # Of the whole workspace with an example: else others would be compiled anew, with fewer of their features.
    dev) folder=$target/debug options=(--workspace --lib --bins --example lowering) ;;
    *) echo "ASSAY_PROFILE is $ASSAY_PROFILE; it can be release, dev or dist" >&2 && exit 2 ;;
esac
[ -z "$artifacts" ] || exec cargo build "${options[@]}" --message-format json-render-diagnostics
cargo build "${options[@]}" >&2
realpath "$folder"
