#!/usr/bin/env bash
# Lints the SystemVerilog example of libassay and, with --run, builds and simulates it against the library.
# Without Verilator nothing is checked: the script prints that and ends with status 77.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/skip.sh
. scripts/skip.sh

command -v verilator >/dev/null || { skipped verilator "the SystemVerilog example: there is no verilator (Debian: apt-get install verilator)"; exit 77; }
folder=examples/libassay/systemverilog
sources=("$folder/assay_pkg.sv" "$folder/devices.sv" "$folder/testbench.sv")
# The package offers more than the testbench uses, and the devices share a file.
flags=(-Wall -Wno-DECLFILENAME -Wno-UNUSEDPARAM -Wno-UNUSEDSIGNAL --timing --top-module testbench)

verilator --lint-only "${flags[@]}" "${sources[@]}"
echo "linted ${#sources[@]} files"
[ "${1:-}" = --run ] || exit 0

library=$(scripts/build.sh -p libassay)
# `make` takes no path with a blank, so the simulation is built elsewhere.
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
ln -s "$(realpath "$library")" "$build/library"
verilator --binary "${flags[@]}" --Mdir "$build/obj" "${sources[@]}" \
    -LDFLAGS "-L$build/library -lassay -Wl,-rpath,$build/library" >/dev/null
"$build/obj/Vtestbench"
