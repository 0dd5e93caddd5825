#!/usr/bin/env bash
# Runs each libFuzzer target for some seconds; fails if one finds something or none of its inputs reaches
# the judge. Without a nightly toolchain it is skipped, and says so.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-10}
targets=(differential decode assembler case_file document)
skip() { echo "SKIPPED: ${#targets[@]} fuzz targets (${targets[*]}): $1"; exit 0; }
rustup toolchain list 2>/dev/null | grep -E '^nightly-[^0-9]' >/dev/null ||
    skip "libFuzzer needs a nightly toolchain, and there is none"
command -v c++ >/dev/null || skip "libFuzzer needs a C++ compiler, and there is none"

export PATH="$PWD/target/tools/bin:$PATH"
command -v cargo-fuzz >/dev/null || cargo install --quiet --locked --root target/tools cargo-fuzz --version 0.13.2
cargo +nightly metadata --locked --format-version 1 --manifest-path fuzz/Cargo.toml >/dev/null
cargo +nightly fuzz build

mkdir -p target
for target in "${targets[@]}"; do
    log="target/fuzz-$target.log"
    fail() {
        grep -m1 -A12 'panicked at' "$log" || tail -40 "$log"
        grep -A2 'Reproduce with' "$log" || true
        echo "fuzz target $target failed: $1; see $log"
        exit 1
    }
    cargo +nightly fuzz run "$target" -- -max_total_time="$seconds" -max_len=512 -timeout=10 -verbosity=0 \
        -print_final_stats=1 >"$log" 2>&1 || fail "it ended with status $?"
    executed=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    reached=$(grep 'inputs reached the judge$' "$log" | tail -1) || fail "it does not say what it judged"
    [ "${reached%% *}" -gt 0 ] || fail "$reached"
    echo "$target: $executed inputs; $reached"
done
echo "${#targets[@]} fuzz targets ran $seconds seconds each"
