#!/usr/bin/env bash
# Adds an optype to a copy of the repository by the excerpts of docs/internals/adding-an-instruction.md, writes what a program writes, runs
# the tests that the page names, and fails if another file had to change.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${CARGO_TARGET_DIR:-target}/add-optype
mkdir -p "$folder"
folder=$(realpath "$folder")
copy=$folder/copy
rm -rf "$copy"
git clone --quiet --no-hardlinks . "$copy"
# What is not committed yet belongs to the copy, too.
git diff HEAD --binary | git -C "$copy" apply --allow-empty
git -C "$copy" -c user.name=check -c user.email=check@localhost commit --quiet --all --allow-empty --message "Copy"
python3 -B scripts/add_optype.py add "$copy"
export CARGO_TARGET_DIR=$folder/build
unset ASSAY_SPEC_DIR
cd "$copy"
# The crates that the page names.
crates=(-p assay-isa -p assay-documents -p assay-vectors -p assay-model -p assay-mpfr -p assay-manual -p assay-faults -p assay-hardware)
cargo run --quiet --locked --bin assay -- isa show --all --out docs/instructions
INSTA_UPDATE=always cargo test --quiet --locked "${crates[@]}" || true
echo "once more, with the snapshots as they were written"
cargo test --quiet --locked "${crates[@]}" -p assay-engine
cargo run --quiet --locked --bin assay -- fuzz --only UITWIN --cases 1M --out "$folder/run" --overwrite
cargo run --quiet --locked --bin assay-lab -- mutants run --only UITWIN
python3 -B "$OLDPWD/scripts/add_optype.py" check "$copy"
