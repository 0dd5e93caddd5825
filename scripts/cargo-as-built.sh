#!/usr/bin/env bash
# Takes the place of cargo when maturin packs the Python module. Builds it together with the program, as scripts/build.sh does: a
# build of one crate gives its dependencies fewer features, and so compiles them anew. Reports the module alone to maturin.
set -euo pipefail
[ "${1:-}" = rustc ] || exec cargo "$@"
# Maturin describes its interpreter to pyo3, which would be compiled anew. An extension module for all versions needs none.
unset "${!PYO3_@}" PYTHON_SYS_EXECUTABLE
"$(dirname "$0")/build.sh" --artifacts -p libassay -p assay-python | grep '"name":"_native"'
