#!/usr/bin/env bash
# Runs tasks of the Justfile one after the other, until one fails. Ends with the minutes of each, what was skipped and why, what
# the failed tests printed, and a line `N passed, N failed, N skipped`. A task counts as one check, or as the tests that cargo
# ran in it.
# A check that skipped something has not passed.
# With ASSAY_STRICT=1 a skip fails if scripts/skips.txt does not list what it needs.
# Usage: scripts/test.sh TASK…
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${CARGO_TARGET_DIR:-target}/test
mkdir -p "$folder"
ASSAY_SKIPS=$(realpath "$folder")/skips.txt
export ASSAY_SKIPS CARGO_TERM_COLOR=never
: >"$ASSAY_SKIPS"
passed=0 failed=0 broken='' times=()

# Adds up what cargo says of its tests: passed, failed, and how many programs there were.
count() { awk '/^test result:/ {n++; p += $4; f += $6} END {print p + 0, f + 0, n + 0}' "$1"; }

# What the failed tests of a log printed; the last lines of a log without any. A reader of CI may see the end of an output alone.
failures() {
    if grep -q '^failures:$' "$1"; then
        awk '/^failures:$/ {inside = !inside; next} inside && NF && ++n <= 100' "$1"
    else
        tail -n 30 "$1"
    fi
}

for task in "$@"; do
    log=$folder/$task.log status=0 began=$EPOCHSECONDS before=$(wc -l <"$ASSAY_SKIPS")
    "${JUST:-just}" "$task" 2>&1 | tee "$log" || status=$?
    read -r good bad programs < <(count "$log")
    [ "$programs" != 0 ] || good=1
    if [ $status != 0 ] && [ "$bad" = 0 ]; then good=0 bad=1; fi
    if [ "$good$bad" = 00 ]; then
        echo "the task $task ran no test: its filter may name one that is gone" >&2
        status=1 bad=1
    fi
    # Each test that skipped something, by the name behind the need; cargo takes it for passed.
    incomplete=$(tail -n +$((before + 1)) "$ASSAY_SKIPS" | awk -F ': ' '{print $2}' | sort -u | wc -l)
    good=$((good > incomplete ? good - incomplete : 0))
    passed=$((passed + good)) failed=$((failed + bad))
    # Tests that cargo ignored, with the reason that they give.
    sed -n 's/^test \(.*\) \.\.\. ignored,\{0,1\} *\(.*\)$/deep: \1: \2/p' "$log" >>"$ASSAY_SKIPS"
    times+=("$(awk -v s=$((EPOCHSECONDS - began)) -v task="$task" 'BEGIN {printf "%6.1f min  %s", s / 60, task}')")
    if [ $status != 0 ]; then
        broken=$task
        break
    fi
done

echo
printf '%s\n' "${times[@]}"
skipped=$(wc -l <"$ASSAY_SKIPS")
[ "$skipped" = 0 ] || { echo "skipped:"; sed 's/^/  /' "$ASSAY_SKIPS"; }
if [ -n "$broken" ]; then
    echo "failed:"
    failures "$folder/$broken.log" | sed 's/^/  /'
    echo "the task $broken failed with status $status; its output is in $folder/$broken.log" >&2
fi
if [ "${ASSAY_STRICT:-0}" = 1 ]; then
    while IFS= read -r line; do
        if ! grep -q "^${line%%:*}: " scripts/skips.txt; then
            echo "not listed in scripts/skips.txt: $line" >&2
            failed=$((failed + 1))
        fi
    done <"$ASSAY_SKIPS"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
