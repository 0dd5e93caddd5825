#!/usr/bin/env bash
# A whole sweep in 1, 2 and 7 shards, each killed (SIGKILL) at random moments and resumed: the same result.json.
# Usage: scripts/killed.sh [FUNCTION] [KILLS A SHARD]
set -euo pipefail
cd "$(dirname "$0")/.."
function=${1:-mufu.rcp.f32} kills=${2:-3}
cargo build --release --quiet -p assay-cli
assay=target/release/assay
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# Goes on from a checkpoint if there is one yet, else begins anew.
run() {
    local folder=$1 shard=$2 again=--overwrite
    [ -e "$folder/checkpoint.json" ] && again=--resume
    exec "$assay" sweep "$function" --shard "$shard" --out "$folder" "$again" >"$folder.log" 2>&1
}

killed=0 resumed=0
for shards in 1 2 7; do
    for ((i = 0; i < shards; i++)); do
        folder=$out/$shards-$i
        for ((k = 0; k < kills; k++)); do
            run "$folder" "$i/$shards" & job=$!
            sleep "$((RANDOM % (16 / shards + 2))).$((RANDOM % 10))"
            if kill -KILL "$job" 2>/dev/null; then killed=$((killed + 1)); fi
            wait "$job" 2>/dev/null || true
            if [ -e "$folder/checkpoint.json" ]; then resumed=$((resumed + 1)); fi
        done
        (run "$folder" "$i/$shards") || { cat "$folder.log"; exit 1; }
    done
    "$assay" merge "$out/$shards"-?/result.json --out "$out/$shards.json" >/dev/null
done

"$assay" sweep "$function" --out "$out/undisturbed" >"$out/log" 2>&1
for shards in 1 2 7; do
    cmp "$out/undisturbed/result.json" "$out/$shards.json" || { echo "$shards shards differ"; exit 1; }
done
echo "$function: the same bytes undisturbed and in 1, 2 and 7 shards, killed $killed times, resumed from a checkpoint $resumed times"
