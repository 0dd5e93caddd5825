#!/usr/bin/env bash
# Builds `assay` from the checkout that this file is in and installs it into PREFIX/bin; a program that was built from the
# same sources is left alone, so a cache of PREFIX saves the build (some minutes). Needs Rust 1.95; installs what the build
# of GMP asks for on Debian and Ubuntu.
# Usage: install.sh PREFIX              install.sh --key prints a digest of the sources, for the name of the cache
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
key=$(cd "$root" && tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --exclude=target -cf - \
    Cargo.lock Cargo.toml harness oracles vectors reports | sha256sum | cut -c 1-16)
if [ "${1:-}" = --key ]; then echo "$key"; exit 0; fi
prefix=${1:?usage: install.sh PREFIX}
if [ "$(cat "$prefix/key" 2>/dev/null)" = "$key" ]; then echo "$prefix/bin/assay is of these sources"; exit 0; fi

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
if ! command -v m4 >/dev/null || ! command -v c++ >/dev/null || ! command -v make >/dev/null; then
    as_root apt-get update -qq
    as_root apt-get install -y -qq m4 g++ make
fi
cargo install --locked --path "$root/harness/cli" --root "$prefix"
echo "$key" >"$prefix/key"
