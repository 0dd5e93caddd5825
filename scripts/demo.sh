#!/usr/bin/env bash
# Plants a fault in the model, lets a campaign find and shrink it, and explains the smallest case.
set -euo pipefail
cd "$(dirname "$0")/.."
assay=$(scripts/build.sh)/assay
fault=${1:-ffma-product-sticky-lost}
echo "== the fault: $("$assay" mutants list | grep "^$fault ")"
status=0
"$assay" fuzz --subject "mutant:$fault" --cases 5000000 --out target/demo --overwrite || status=$?
[ "$status" = 1 ] || { echo "the campaign ended with status $status; it should have found the fault"; exit 1; }
echo
echo "== the smallest case, explained"
findings=(target/demo/findings/*.yaml)
status=0
"$assay" replay "${findings[0]}" || status=$?
[ "$status" = 1 ] || { echo "the finding does not replay"; exit 1; }
