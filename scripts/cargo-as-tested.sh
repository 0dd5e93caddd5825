#!/usr/bin/env bash
# Takes the place of cargo when maturin packs what the tests have built. Builds the workspace as scripts/build.sh does: a build of
# one crate gives its dependencies fewer features, and so compiles them anew. Reports the Python package alone to maturin.
set -euo pipefail
[ "${1:-}" = rustc ] || exec cargo "$@"
# Maturin describes its interpreter to pyo3, which would be compiled anew. An extension module for all versions needs none.
unset "${!PYO3_@}" PYTHON_SYS_EXECUTABLE
cargo build --workspace --lib --bins --example lowering --message-format json-render-diagnostics | grep '"name":"_native"'
