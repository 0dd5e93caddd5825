#!/usr/bin/env bash
# Builds every libFuzzer target into $OUT, as ClusterFuzzLite asks for it: SRC is where the sources are, OUT what is fuzzed.
set -euo pipefail
cd "$SRC/assay"
cargo fuzz build --release
for target in $(cargo fuzz list); do
    cp "fuzz/target/x86_64-unknown-linux-gnu/release/$target" "$OUT/"
done
# The recorded cases are what the reader of case files begins with.
find vectors/data -maxdepth 1 -name '*.yaml' -print0 | sort -z | xargs -0 zip -q -j "$OUT/case_file_seed_corpus.zip"
