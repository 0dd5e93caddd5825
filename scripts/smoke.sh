#!/usr/bin/env bash
# Runs each libFuzzer target for some seconds under AddressSanitizer; fails if one finds something or none of its
# inputs reaches the judge. Then plants a fault: what libFuzzer stops at must become a finding that replays.
# Without a nightly toolchain it is skipped, and says so.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-10}
fault=mufu-predicate-ignored
export PATH="$PWD/target/tools/bin:$PATH"
cargo build --release --quiet -p assay-cli
assay=${CARGO_TARGET_DIR:-target}/release/assay

if cargo +nightly --version >/dev/null 2>&1 && ! command -v cargo-fuzz >/dev/null; then
    cargo install --quiet --locked --root target/tools cargo-fuzz --version 0.13.2
fi
if ! why=$("$assay" libfuzzer list --toolchain 2>&1 >/dev/null); then
    targets=$("$assay" libfuzzer list | cut -d ' ' -f 1 | xargs)
    echo "SKIPPED: $(wc -w <<<"$targets") fuzz targets ($targets) and a planted fault:" $why
    exit 0
fi
cargo +nightly metadata --locked --format-version 1 --manifest-path fuzz/Cargo.toml >/dev/null

run() { "$assay" libfuzzer run "$@" --corpus target/smoke/corpus --time "${seconds}s" --sanitizer address; }
mkdir -p target/smoke
run --out target/smoke/sound --overwrite

# The planted fault has a corpus of its own: with another subject, another input is worth keeping.
corpus=$(mktemp -d target/smoke/planted.XXXXXX)
trap 'rm -rf "$corpus"' EXIT
found=0
"$assay" libfuzzer run differential --subject "mutant:$fault" --corpus "$corpus" --time "${seconds}s" \
    --sanitizer address --out target/smoke/planted --overwrite || found=$?
[ $found = 1 ] || { echo "the planted fault $fault was not found: status $found"; exit 1; }
replayed=0
for finding in target/smoke/planted/findings/*.yaml; do
    "$assay" replay "$finding" --subject model >/dev/null
    if "$assay" replay "$finding" >/dev/null; then
        echo "$finding does not replay"
        exit 1
    fi
    replayed=$((replayed + 1))
done
echo "the planted fault $fault was found; $replayed findings replay"
