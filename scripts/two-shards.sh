#!/usr/bin/env bash
# What dividing costs: the same plan as two shards side by side, against the whole plan twice side by side, whole processes of
# one thread each. So both keep two cores busy, and share what these cores share. The shards must be done in at most 1/1.9 of
# the time, best of three rounds (two minutes; wants two idle cores). What a shard costs beside its cases, half a second, is part
# of it.
# Usage: scripts/two-shards.sh [CASES]
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/skip.sh
. scripts/skip.sh
cases=${1:-200000000}
[ "$(nproc)" -ge 2 ] || { skipped two-cores "two shards were not timed: this machine has one core"; exit 0; }
assay=$(scripts/build.sh)/assay
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
shard() { "$assay" fuzz --cases "$cases" --jobs 1 --shard "$1" --out "$out/$2" --overwrite >"$out/$2.log" 2>&1; }
# Microseconds that two runs take side by side, each given as its shard and its folder.
timed() {
    local began=${EPOCHREALTIME/[.,]/} jobs=()
    shard "$1" "$2" & jobs+=($!)
    shard "$3" "$4" & jobs+=($!)
    for job in "${jobs[@]}"; do wait "$job" || { cat "$out"/*.log >&2; exit 1; }; done
    took=$((${EPOCHREALTIME/[.,]/} - began))
}

whole=0 halves=0
for round in 1 2 3; do
    timed 0/1 whole 0/1 again; [ "$whole" != 0 ] && [ "$whole" -le "$took" ] || whole=$took
    timed 0/2 half-0 1/2 half-1; [ "$halves" != 0 ] && [ "$halves" -le "$took" ] || halves=$took
    echo "round $round: best of two wholes $((whole / 1000)) ms, of two halves $((halves / 1000)) ms" >&2
done
"$assay" merge "$out"/half-?/result.json --out "$out/merged.json" >/dev/null
cmp "$out/whole/result.json" "$out/merged.json"
awk -v whole="$whole" -v halves="$halves" -v cases="$cases" 'BEGIN {
    printf "%d cases, side by side: the whole twice %.2f s, in two shards %.2f s, %.3f times as fast\n", cases, whole / 1e6, halves / 1e6, whole / halves
    exit whole / halves < 1.9
}' || { echo "two shards are less than 1.9 times as fast as the whole" >&2; exit 1; }
