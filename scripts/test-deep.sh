#!/usr/bin/env bash
# Runs the deep checks one after the other: all of them, whichever fails. One that has passed on these sources is not run again,
# so a run that was ended goes on where it was. The table in docs/checks.md gets the minutes, day, commit and outcome of each.
# Usage: scripts/test-deep.sh TASK…
set -euo pipefail
cd "$(dirname "$0")/.."
page=docs/checks.md
# What the checks themselves write.
others=(":!$page" ":!docs/judge-mutants.json")
state=${CARGO_TARGET_DIR:-target}/deep
mkdir -p "$state"
# The other tracked files, as they are.
sources=$(git ls-files -z -- "${others[@]}" | xargs -0 sha256sum | sha256sum | cut -c 1-16)
commit=$(git rev-parse --short=8 HEAD)
git diff --quiet HEAD -- "${others[@]}" || commit="$commit with changes"

# Puts the outcome of a task into its row of the table.
note() {
    local task=$1 minutes=$2 last=$3
    grep -q "^| \`$task\` |" "$page" || { echo "the table in $page has no row of $task" >&2; exit 2; }
    sed -i "s/^| \`$task\` | \(.*\) | [^|]* | [^|]* |\$/| \`$task\` | \1 | $minutes | $last |/" "$page"
}

failed=()
for task in "$@"; do
    if [ "$(cat "$state/$task" 2>/dev/null || true)" = "$sources" ]; then
        echo "$task: passed on these sources before"
        continue
    fi
    began=$EPOCHSECONDS outcome=passed
    scripts/test.sh "$task" >"$state/$task.log" 2>&1 || outcome=failed
    skipped=$(sed -n 's/.* failed, \([1-9][0-9]* skipped\)$/\1/p' "$state/$task.log" | tail -n 1)
    minutes=$(awk -v s=$((EPOCHSECONDS - began)) 'BEGIN {printf "%.1f", s / 60}')
    note "$task" "$minutes" "$(date -u +%F), $commit: $outcome${skipped:+, $skipped}"
    echo "$task: $outcome${skipped:+, $skipped}; $minutes min; $state/$task.log"
    if [ "$outcome" = passed ]; then echo "$sources" >"$state/$task"; else failed+=("$task"); fi
done
[ ${#failed[@]} = 0 ] || { echo "failed: ${failed[*]}" >&2; exit 1; }
