#!/usr/bin/env bash
# Eight hours in sessions of five minutes, each cut to two seconds: a campaign with a planted fault is stopped and gone on with
# 96 times, then a night is, then nights follow each other. Memory must stay flat, and folders may not grow (six minutes).
# Usage: scripts/endurance.sh [SESSIONS]
set -euo pipefail
cd "$(dirname "$0")/.."
sessions=${1:-96}
assay=$(scripts/build.sh)/assay
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "$1" >&2; exit 1; }
size() { du --apparent-size --block-size=1 --summarize "$1" | cut -f 1; }
# Kilobytes that a process had at most.
peak() { awk '/^VmHWM/ {print $2}' "/proc/$1/status"; }
# Holds the greatest of the last quarter of some numbers to that of the first, give or take a tenth.
flat() {
    local what=$1
    shift
    printf '%s\n' "$@" | awk -v what="$what" '
        {n[NR] = $1}
        END {
            q = int(NR / 4)
            for (i = 1; i <= NR; i++) { if (i <= q && n[i] > first) first = n[i]; if (i > NR - q && n[i] > last) last = n[i] }
            printf "%-42s %10d in the first quarter of %d, %10d in the last\n", what, first, NR, last
            exit last > 1.1 * first
        }' || fail "$what grows"
}
# Runs a command for two seconds, then asks it to end; `rss` is what it had at most.
session() {
    "$@" >"$dir/said" 2>&1 &
    local child=$! status=0
    sleep 2
    rss=$(peak "$child")
    kill -TERM "$child"
    wait "$child" || status=$?
    [ $status = 130 ] || { cat "$dir/said" >&2; fail "a session ended with status $status"; }
}

fault=(--subject mutant:ffma-product-sticky-lost --only FFMA FADD 'MUFU*')
memory=() folder=()
for ((i = 0; i < sessions; i++)); do
    again=--resume
    [ "$i" != 0 ] || again=--overwrite
    session "$assay" fuzz "${fault[@]}" --cases 1000000000000 --out "$dir/run" $again
    memory+=("$rss") folder+=("$(size "$dir/run")")
done
echo "a campaign in $sessions sessions: $(sed -n 's/.*interrupted after \([0-9]*\) cases.*/\1/p' "$dir/said") cases"
flat "memory of the campaign, in KiB" "${memory[@]}"
flat "its folder, in bytes" "${folder[@]}"

cat >"$dir/plan.yaml" <<PLAN
{version: 1, name: endurance, subject: "mutant:ffma-product-sticky-lost", seed: 1, keep: 3,
 stages: [{name: long, run: fuzz --only FFMA --cases 1000000000000, time: 8h}]}
PLAN
memory=() folder=()
for ((i = 0; i < sessions / 4; i++)); do
    session "$assay" nightly --config "$dir/plan.yaml" --out "$dir/night" --resume
    memory+=("$rss") folder+=("$(size "$dir/night")")
done
echo "a night in ${#memory[@]} sessions: $("$assay" status "$dir/night" | head -n 1)"
flat "memory of the night, in KiB" "${memory[@]}"
flat "its folder, in bytes" "${folder[@]}"

sed -i 's/1000000000000/1000000/' "$dir/plan.yaml"
folder=()
for ((i = 0; i < 16; i++)); do
    "$assay" nightly --config "$dir/plan.yaml" --out "$dir/nights" >"$dir/said" 2>&1 || [ $? = 1 ] || fail "night $i failed: $(cat "$dir/said")"
    folder+=("$(du --apparent-size --block-size=1 --summarize --exclude=report "$dir/nights" | cut -f 1)")
done
# Of the first nights nothing is removed yet.
flat "16 nights of which 3 are kept, in bytes" "${folder[@]:4}"
echo "a page of a night has $(size "$dir/nights/nights/0016/report") bytes; the known-issues list $(size "$dir/nights/known-issues.yaml")"
