#!/usr/bin/env bash
# Runs each libFuzzer target for some seconds. Without a nightly toolchain it is skipped, and says so.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-10}
targets=(differential decode assembler case_file)
if ! rustup toolchain list 2>/dev/null | grep -q nightly; then
    echo "SKIPPED: ${#targets[@]} fuzz targets (${targets[*]}): libFuzzer needs a nightly toolchain, and there is none"
    exit 0
fi
export PATH="$PWD/target/tools/bin:$PATH"
command -v cargo-fuzz >/dev/null || cargo install --quiet --locked --root target/tools cargo-fuzz --version 0.13.2
for target in "${targets[@]}"; do
    cargo +nightly fuzz run "$target" -- -max_total_time="$seconds" -max_len=512 -verbosity=0 -print_final_stats=1 2>&1 |
        tee "target/fuzz-$target.log" | grep -E "number_of_executed_units|panicked|SUMMARY" || true
    grep -q "number_of_executed_units" "target/fuzz-$target.log" ||
        { tail -30 "target/fuzz-$target.log"; echo "fuzz target $target failed"; exit 1; }
    if grep -qE "SUMMARY: libFuzzer: (deadly|timeout|out-of-memory)|SUMMARY: AddressSanitizer" "target/fuzz-$target.log"; then
        tail -30 "target/fuzz-$target.log"; echo "fuzz target $target failed"; exit 1
    fi
done
echo "${#targets[@]} fuzz targets ran $seconds seconds each"
