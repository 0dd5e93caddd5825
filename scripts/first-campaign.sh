#!/usr/bin/env bash
# The first command of the README as a newcomer runs it: in a fresh clone, with nothing compiled. The minutes of this task in
# docs/internals/checks.md are the ones that the README states.
# Usage: scripts/first-campaign.sh
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone --quiet . "$work/assay"
cd "$work/assay"
unset CARGO_TARGET_DIR ASSAY_PROFILE ASSAY_SPEC_DIR "${!CARGO_PROFILE_@}" CARGO_INCREMENTAL
# GMP and MPFR that were compiled before would be taken from here.
export GMP_MPFR_SYS_CACHE=$work/gmp
./just.sh campaign | tee "$work/output"
grep -q 'No divergence in 20,000,000 cases' "$work/output"
