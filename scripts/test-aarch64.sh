#!/usr/bin/env bash
# The floating-point environment, the filters and the codec on AArch64, emulated by qemu-aarch64. Debian's packages have the
# emulator and the cross compiler, rustup the standard library.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/skip.sh
. scripts/skip.sh
target=aarch64-unknown-linux-gnu
skip() { skipped aarch64 "the environment, filters and codec on AArch64: $1"; exit 0; }
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }
has_tools() { command -v qemu-aarch64 >/dev/null && command -v aarch64-linux-gnu-gcc >/dev/null; }
if ! has_tools; then
    { as_root apt-get update -qq && as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
        qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross; } >/dev/null 2>&1 || true
    has_tools || skip "qemu-user and gcc-aarch64-linux-gnu cannot be installed"
fi
libraries=$(rustc --print target-libdir --target $target)
if [ ! -d "$libraries" ]; then
    rustup target add $target >/dev/null 2>&1 || skip "rustup cannot install the standard library of $target"
fi
# GMP's configure looks for the tools of the target by Rust's name for it, and takes the host's where there are none.
tools=$PWD/${CARGO_TARGET_DIR:-target}/aarch64-tools
mkdir -p "$tools"
for tool in gcc ar as ld nm ranlib strip; do ln -sf "$(command -v aarch64-linux-gnu-$tool)" "$tools/$target-$tool"; done
export PATH="$tools:$PATH"
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="qemu-aarch64 -L /usr/aarch64-linux-gnu"
export CC_aarch64_unknown_linux_gnu=aarch64-linux-gnu-gcc
cargo test --locked --profile arith --target $target -p assay-fpenv
cargo test --locked --profile arith --target $target -p assay-isa --lib --test it
# GMP and MPFR are built from their sources, which the build refuses to do for another machine unless asked.
cargo test --locked --profile arith --target $target -p assay-mpfr --features gmp-mpfr-sys/force-cross --lib -- \
    tests::filter all_instruction_sets a_column_of_anything a_filter_is_trusted
