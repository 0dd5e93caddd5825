#!/usr/bin/env bash
# Mutates the code that forms verdicts, and runs the tests on each mutant: docs/internals/mutants.md, "Mutants of the judge".
# Usage: scripts/mutate-judge.sh [--only TEXT] [--again]
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/skip.sh
. scripts/skip.sh
if ! cargo mutants --version >/dev/null 2>&1; then
    skipped cargo-mutants "the judge was not mutated: cargo install cargo-mutants --locked"
    exit 0
fi
if ! python3 -c 'import tree_sitter, tree_sitter_rust' 2>/dev/null; then
    skipped tree-sitter "the judge was not mutated: pip install tree-sitter tree-sitter-rust"
    exit 0
fi
exec python3 -B scripts/mutate_judge/run.py "$@"
