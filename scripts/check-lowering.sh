#!/usr/bin/env bash
# Assembles every lowering with the vendor's assembler and holds it to what is expected, and the committed table to what
# comes out. Without the assembler, which comes from public Python packages, it is counted as skipped.
# Usage: scripts/check-lowering.sh [--write | --keep DIR | --code DIR]. --write puts the table that comes out in the place of
# the committed one, --keep leaves the machine code in a folder, and --code holds what the driver of a GPU made of the same
# kernels (`assay trace code`, which `just capture` leaves in code.tar.gz) to the same.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/skip.sh
. scripts/skip.sh
case "$#:${1:-}" in
    0: | 1:--write | 2:--keep | 2:--code) ;;
    *) echo "usage: scripts/check-lowering.sh [--write | --keep DIR | --code DIR]" >&2; exit 2 ;;
esac
option=${1:-} folder=${2:-}
packages=(nvidia-cuda-nvcc==13.5.37 nvidia-cuda-nvdisasm==13.5.37)
target=${CARGO_TARGET_DIR:-target} table=docs/lowering.md
mkdir -p "$target"
"$(ASSAY_PROFILE=dev scripts/build.sh)/examples/lowering" >"$target/lowerings.jsonl"

skip() {
    # Who brings machine code asks for this and nothing else.
    if [ "$option" = --code ]; then echo "$folder was not checked: $1" >&2; exit 3; fi
    skipped ptx-assembler "$(grep -c '"ptx"' "$target/lowerings.jsonl") lowerings were not checked: $1"
    exit 0
}
tools=$target/ptxas-${packages[0]##*=}
if [ ! -e "$tools/complete" ]; then
    command -v python3 >/dev/null || skip "there is no Python"
    python3 -m venv --clear "$tools" >&2 || skip "Python makes no virtual environment"
    "$tools/bin/pip" install --quiet --disable-pip-version-check "${packages[@]}" >&2 ||
        skip "the packages ${packages[*]} cannot be installed"
    touch "$tools/complete"
fi
ptxas=$(find "$tools" -name ptxas -type f | head -1)
[ -n "$ptxas" ] || skip "the packages ${packages[*]} have no ptxas"

check=(python3 scripts/check_lowering.py "$(dirname "$ptxas")" "$target/lowerings.jsonl")
if [ "$option" = --code ]; then exec "${check[@]}" --code "$folder"; fi
keep=()
if [ "$option" = --keep ]; then keep=(--keep "$folder"); fi
"${check[@]}" "$target/lowering.md" "${keep[@]}"
if [ "$option" = --write ]; then cp "$target/lowering.md" "$table"; fi
cmp "$target/lowering.md" "$table" || { echo "$table is not what comes out; run: just check-lowering --write" >&2; exit 1; }
