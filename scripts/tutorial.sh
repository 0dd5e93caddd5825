#!/usr/bin/env bash
# Runs every command of docs/device-under-test.md, in order, and holds its exit status to what the page says.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/skip.sh
. scripts/skip.sh
page=docs/device-under-test.md
if ! command -v cc >/dev/null || ! command -v python3 >/dev/null; then
    skipped tutorial-tools "$(awk '/^```sh$/{on=1;next} /^```$/{on=0} on' $page | grep -c .) commands of $page, for cc or python3 is missing"
    exit 0
fi
PATH="$(scripts/build.sh):$PATH"
export PATH
rm -rf target/tutorial
mkdir -p target/tutorial
awk '/^```python$/{on=1;next} /^```$/{on=0} on' $page >target/tutorial/device.py
count=0
while IFS= read -r command <&3; do
    expected=0
    case $command in *"# exit status "*) expected=${command##* } ;; esac
    status=0
    bash -c "$command" >target/tutorial/out.txt 2>&1 </dev/null || status=$?
    if [ "$status" != "$expected" ]; then
        cat target/tutorial/out.txt
        echo "exit status $status instead of $expected: $command" >&2
        exit 1
    fi
    count=$((count + 1))
done 3< <(awk '/^```sh$/{on=1;next} /^```$/{on=0} on' $page)
[ "$count" -ge 10 ] || { echo "only $count commands were found in $page" >&2; exit 1; }
echo "$count commands of $page did what it says"
