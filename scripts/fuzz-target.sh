#!/usr/bin/env bash
# Runs a libFuzzer target over its corpus, with its dictionary and its first inputs, until it stops at an input or the time is up.
# Usage: scripts/fuzz-target.sh TARGET [SECONDS [SANITIZER [CORPUS]]]
# SANITIZER is none, which is several times as fast, or address. The corpus is target/libfuzzer/TARGET unless another is named.
set -euo pipefail
cd "$(dirname "$0")/.."
target=$1 seconds=${2:-60} sanitizer=${3:-none} corpus=${4:-target/libfuzzer/$1}
export PATH="$PWD/target/tools/bin:$PATH"
lab=$(scripts/build.sh -p assay-lab)/assay-lab
mkdir -p "$corpus"
longest=$("$lab" libfuzzer list --format json |
    python3 -c 'import json, sys; print(next(t["longest"] for t in json.load(sys.stdin) if t["name"] == sys.argv[1]))' "$target")
options=(-max_total_time="$seconds" -max_len="$longest" -rss_limit_mb=2048 -timeout=10 -print_funcs=0)
if "$lab" libfuzzer dictionary "$target" >"$corpus.dict" 2>/dev/null; then
    options+=(-dict="$corpus.dict")
else
    # The target has a mutator of its own: the schedule by rare features finds no more with it, and takes a fifth of the time.
    options+=(-entropic=0)
fi
build=(--sanitizer "$sanitizer" --target-dir "fuzz/target/$sanitizer")
# The mutators and dictionaries know the constants that the code compares with.
[ "$sanitizer" = address ] || build+=(--no-trace-compares)
exec cargo +nightly fuzz run "${build[@]}" \
    "$target" "$corpus" "vectors/data/fuzz/$target" -- "${options[@]}"
