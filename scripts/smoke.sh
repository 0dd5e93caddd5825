#!/usr/bin/env bash
# Runs each libFuzzer target for some seconds under AddressSanitizer; fails if one finds something or none of its
# inputs reaches the judge. Then plants a fault: what libFuzzer stops at must become a finding that replays.
# At last it kills a run: its processes must end with it, and --resume must go on.
# Without a nightly toolchain it is counted as skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/skip.sh
. scripts/skip.sh
seconds=${1:-10}
fault=mufu-predicate-ignored
export PATH="$PWD/target/tools/bin:$PATH"
assay=$(scripts/build.sh)/assay

if cargo +nightly --version >/dev/null 2>&1 && ! command -v cargo-fuzz >/dev/null; then
    cargo install --quiet --locked --root target/tools cargo-fuzz --version 0.13.2
fi
if ! why=$("$assay" libfuzzer list --toolchain 2>&1 >/dev/null); then
    targets=$("$assay" libfuzzer list | cut -d ' ' -f 1 | xargs)
    skipped nightly-toolchain "$(wc -w <<<"$targets") fuzz targets ($targets), a planted fault and a killed run: $why"
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
    replay=0
    "$assay" replay "$finding" >/dev/null || replay=$?
    [ $replay = 1 ] || { echo "$finding does not replay: status $replay"; exit 1; }
    replayed=$((replayed + 1))
done
[ $replayed -gt 0 ] || { echo "the planted fault $fault left no finding"; exit 1; }
echo "the planted fault $fault was found; $replayed findings replay"

# The folder of this run is part of the command line of every process of its target, and of no other.
killed="target/smoke/killed.$$"
trap 'rm -rf "$corpus" "$killed" "$killed.log"' EXIT
dying=("$assay" libfuzzer run decode --time 4s --sanitizer address
    --corpus "$killed/corpus" --out "$killed/out" --resume)
is_running() { pgrep -f -- "-artifact_prefix=$killed/" >/dev/null; }
is_over() { ! is_running; }
has_inputs() { [ -n "$(find "$killed/corpus/decode" -type f 2>/dev/null)" ]; }
is_at_work() { is_running && has_inputs; }
await() {
    for _ in $(seq 300); do
        if "$@"; then return 0; fi
        sleep 0.1
    done
    return 1
}
"${dying[@]}" 2>"$killed.log" &
run=$!
await is_at_work || { echo "the run that is to be killed does not begin"; cat "$killed.log"; exit 1; }
kill -KILL "$run"
wait "$run" 2>/dev/null || true
await is_over || { echo "a process of a target outlives its run"; exit 1; }
"${dying[@]}"
has_inputs || { echo "the corpus of the killed run is empty"; exit 1; }
echo "a killed run left no process, and another went on with it"
