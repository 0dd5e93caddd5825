#!/usr/bin/env bash
# Builds every libFuzzer target into $OUT, as ClusterFuzzLite asks for it: SRC is where the sources are, OUT what is fuzzed.
# Beside each target go its seeds, its dictionary if its inputs are text, and the limits of scripts/fuzz-target.sh.
set -euo pipefail
cd "$SRC/assay"
cargo fuzz build --release
# The sanitizer's flags are for the targets alone.
lab() { RUSTFLAGS='' cargo run --release --quiet --locked -p assay-lab -- "$@"; }
targets=$(lab libfuzzer list --format json | python3 -c 'import json, sys
for target in json.load(sys.stdin): print(target["name"], target["longest"], target["dictionary"])')
while read -r target longest has_words; do
    cp "fuzz/target/x86_64-unknown-linux-gnu/release/$target" "$OUT/"
    printf '[libfuzzer]\nrss_limit_mb = 2048\ntimeout = 10\nmax_len = %s\n' "$longest" >"$OUT/$target.options"
    if [ "$has_words" = True ]; then
        lab libfuzzer dictionary "$target" >"$OUT/$target.dict"
        echo "dict = $target.dict" >>"$OUT/$target.options"
    fi
    find "vectors/data/fuzz/$target" -type f -print0 | sort -z | xargs -0 zip -q -j "$OUT/${target}_seed_corpus.zip"
done <<<"$targets"
# The recorded cases are what the reader of case files begins with, and the built-in profiles that of profiles.
seed() { find "$2" -maxdepth 1 -name '*.yaml' -print0 | sort -z | xargs -0 zip -q -j "$OUT/$1_seed_corpus.zip"; }
seed case_file vectors/data
seed profile vectors/data/profiles
seed plan harness/nightly/src
