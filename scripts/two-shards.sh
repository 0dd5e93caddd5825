#!/usr/bin/env bash
# What dividing costs: the same plan as one shard, and as two shards side by side, whole processes of one thread each. Two must
# be done in at most 1/1.9 of the time, best of three rounds (two minutes; wants two idle cores). What a shard costs beside its
# cases, half a second, is part of it.
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
shard() { "$assay" fuzz --cases "$cases" --jobs 1 --shard "$1/$2" --out "$out/$2-$1" --overwrite >"$out/$2-$1.log" 2>&1; }
# Microseconds that a division takes.
timed() {
    local began=${EPOCHREALTIME/[.,]/} jobs=()
    for ((i = 0; i < $1; i++)); do shard "$i" "$1" & jobs+=($!); done
    for job in "${jobs[@]}"; do wait "$job" || { cat "$out"/*.log >&2; exit 1; }; done
    took=$((${EPOCHREALTIME/[.,]/} - began))
}

one=0 two=0
for round in 1 2 3; do
    timed 1; [ "$one" != 0 ] && [ "$one" -le "$took" ] || one=$took
    timed 2; [ "$two" != 0 ] && [ "$two" -le "$took" ] || two=$took
    echo "round $round: best of one shard $((one / 1000)) ms, of two $((two / 1000)) ms" >&2
done
"$assay" merge "$out"/2-?/result.json --out "$out/merged.json" >/dev/null
cmp "$out/1-0/result.json" "$out/merged.json"
awk -v one="$one" -v two="$two" -v cases="$cases" 'BEGIN {
    printf "%d cases: one shard %.2f s, two side by side %.2f s, %.3f times as fast\n", cases, one / 1e6, two / 1e6, one / two
    exit one / two < 1.9
}' || { echo "two shards are less than 1.9 times as fast as one" >&2; exit 1; }
