#!/usr/bin/env bash
# deploy/ci on this machine, without GitHub: installs assay as the action does, then checks the example device in Python as it
# is, with a bug, and one that does not start.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/skip.sh
. scripts/skip.sh
command -v python3 >/dev/null || { skipped python "deploy/ci was not run: the example device needs python3"; exit 0; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
deploy/ci/install.sh "$dir/assay" >"$dir/install.log" 2>&1 || { cat "$dir/install.log" >&2; exit 1; }
[[ $(deploy/ci/install.sh "$dir/assay") = *"is of these sources" ]] || { echo "what is installed is built again" >&2; exit 1; }
export ASSAY=$dir/assay/bin/assay

# Checks a device, and holds the status to what is expected.
check() {
    local expected=$1 name=$2 status=0
    shift 2
    env OUT="$dir/$name" "$@" deploy/ci/check-device.sh >"$dir/$name.log" 2>&1 || status=$?
    [ "$status" = "$expected" ] || { cat "$dir/$name.log"; echo "$name: status $status instead of $expected" >&2; exit 1; }
    echo "$name: status $status"
}
device='exec:python3 examples/devices/python/device.py'
# As a block of YAML has them: an optype on each line.
settings=(ONLY=$'FADD\nFMUL\nFFMA\n' CASES=20000 PROFILE=sm90)
check 0 right DEVICE="$device" VECTORS=vectors/data/fmul.yaml "${settings[@]}"
check 1 wrong DEVICE="$device --bug sticky" BASELINE="$dir/right/run/result.json" "${settings[@]}"
check 1 absent DEVICE='exec:./no-such-device' "${settings[@]}"
grep -q '<testsuites .* failures="0"' "$dir/right/report/report.junit.xml" || { echo "the right device fails in JUnit" >&2; exit 1; }
grep -q '<failure' "$dir/wrong/report/report.junit.xml" || { echo "the wrong device fails nothing in JUnit" >&2; exit 1; }
grep -q "right/run/result.json" "$dir/wrong/report/report.md" || { echo "the report lacks the baseline" >&2; exit 1; }
"$ASSAY" replay --subject model "$dir"/wrong/run/findings/*-1.yaml >/dev/null
echo "deploy/ci: a right device passes, a wrong one and an absent one do not"
