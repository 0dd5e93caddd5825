#!/usr/bin/env bash
# The unit tests of arithmetic on an optimised build, for each instruction set that the loops are compiled for: filters,
# certificates, the lanes of the model, and the judge of columns. This processor runs the widest that it has. An emulated processor that lacks the
# others runs the narrower ones, so the program picks them by itself. The emulator takes fewer tests: it is thirty times slower.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/skip.sh
. scripts/skip.sh
[ "$(uname -m)" = x86_64 ] || { skipped x86-64 "the instruction sets of x86-64: this is $(uname -m)"; exit 0; }

# The test program of a package's library, from cargo's messages.
program() {
    cargo test --quiet --locked --profile arith -p "$1" --lib --no-run --message-format json |
        sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | tail -n 1
}
mpfr=$(program assay-mpfr) model=$(program assay-model) engine=$(program assay-engine)
[ -x "$mpfr" ] && [ -x "$model" ] && [ -x "$engine" ] || { echo "cargo built no test programs" >&2; exit 3; }

# Runs the tests on one instruction set. The first test fails if the processor has another than that.
run() {
    local set=$1
    shift
    echo "== $set"
    ASSAY_INSTRUCTION_SET=$set "$@"
}
has() { grep -qw "$1" /proc/cpuinfo; }
widest=sse2
if has avx2; then widest=avx2; fi
if has avx512f && has avx512bw && has avx512dq && has avx512vl && has avx512cd; then widest=avx512; fi
if [ $widest != avx512 ]; then skipped avx512 "filters and lanes with AVX-512: this processor has none"; fi
if [ $widest = sse2 ]; then skipped avx2 "filters and lanes with AVX2: this processor has none"; fi
run $widest "$mpfr"
run $widest "$model"
run $widest "$engine" judge::

emulator=qemu-x86_64
if ! command -v $emulator >/dev/null; then
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq qemu-user; } >/dev/null 2>&1 || true
fi
command -v $emulator >/dev/null || { skipped emulator "narrower instruction sets than $widest: qemu-user cannot be installed"; exit 0; }
few=(tests::instruction_set tests::filter::any tests::filter::structured all_instruction_sets a_column_of_anything)
for set in avx2:Haswell sse2:Nehalem; do
    [ "${set%:*}" != $widest ] || continue
    if [ $widest = sse2 ]; then continue; fi
    run "${set%:*}" $emulator -cpu "${set#*:}" "$mpfr" "${few[@]}"
    run "${set%:*}" $emulator -cpu "${set#*:}" "$model" mufu::together::tests::whole_batches mufu::together::tests::a_stranger float::together
    run "${set%:*}" $emulator -cpu "${set#*:}" "$engine" judge::quick::tests::few judge::quick::tests::records judge::quick::tests::whole judge::quick::tests::an_error
done
