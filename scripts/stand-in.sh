#!/usr/bin/env bash
# Runs a command as if this machine had an NVIDIA driver: the library that it finds is the stand-in, whose device runs kernels
# in an interpreter of PTX. `assay` is the program of this repository.
# Usage: scripts/stand-in.sh COMMAND…, as in: scripts/stand-in.sh assay fuzz --subject cuda:0 --profile sm90
# ASSAY_STAND_IN='nodevice', 'cuda=N', 'lost=N' or 'wrong=N' has it fail: harness/lab/stand-in/src/faults.rs.
set -euo pipefail
if [ $# = 0 ]; then sed -n '2,5s/^# //p' "$0" >&2; exit 2; fi
built=$("$(dirname "$0")/build.sh" -p assay-stand-in)
mkdir -p "$built/stand-in"
ln -sf "$built/libassay_stand_in.so" "$built/stand-in/libcuda.so"
PATH=$built:$PATH LD_LIBRARY_PATH=$built/stand-in${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} exec "$@"
