#!/usr/bin/env bash
# Runs the commands of README.md and docs/*.md, each page's in order, and holds each exit status to what the page says.
# A command is a line of a block that begins with ```sh. The page says what is expected:
#
#   assay replay FILE    # exit status 1
#
# and `<!-- not run: it takes an hour -->` in the line before a block says why its commands are not run. They are counted as
# skipped, with the reason.
# Usage: scripts/pages.sh [PAGE…]
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/skip.sh
. scripts/skip.sh
assay=$(scripts/build.sh)
[ $# -gt 0 ] || set -- README.md docs/*.md

# The commands of a page, each with the reason why it is not run, and a tab, before it.
commands() {
    awk '/^<!-- not run: .* -->$/ {why = substr($0, 15, length($0) - 18); next}
        /^```sh$/ {on = 1; next} /^```$/ {on = 0; why = ""} on && NF {print why "\t" $0} !on && NF {why = ""}' "$1"
}
if ! command -v cc >/dev/null || ! command -v python3 >/dev/null; then
    skipped page-tools "$(for page in "$@"; do commands "$page"; done | wc -l) commands of the pages, for cc or python3 is missing"
    exit 0
fi

# A folder that looks like the root of the repository, so that results of the commands do not get into it.
folder=${CARGO_TARGET_DIR:-$PWD/target}/pages
rm -rf "$folder"
mkdir -p "$folder/target/tutorial"
for entry in *; do
    [ "$entry" = target ] || ln -s "$PWD/$entry" "$folder/$entry"
done
awk '/^```python$/{on=1;next} /^```$/{on=0} on' docs/device-under-test.md >"$folder/target/tutorial/device.py"

run=0 kept=0
for page in "$@"; do
    while IFS= read -r line <&3; do
        why=${line%%$'\t'*} command=${line#*$'\t'} expected=0 status=0
        if [ -n "$why" ]; then
            skipped page-command "$page: ${command%%  *}: $why"
            kept=$((kept + 1))
            continue
        fi
        case $command in *"# "*"exit status "*) expected=${command##*exit status } ;; esac
        (cd "$folder" && PATH="$assay:$PATH" bash -c "$command") >"$folder/output.txt" 2>&1 </dev/null || status=$?
        if [ "$status" != "$expected" ]; then
            cat "$folder/output.txt"
            echo "$page: exit status $status instead of $expected: $command" >&2
            exit 1
        fi
        run=$((run + 1))
    done 3< <(commands "$page")
done
[ $((run + kept)) -gt 0 ] || { echo "there is no command in $*" >&2; exit 1; }
echo "$run commands of the pages did what they say, $kept were not run"
