#!/usr/bin/env bash
# A campaign and a whole sweep in 1, 2 and 7 shards, killed (SIGKILL) at random moments and resumed, some of their
# checkpoints cut off or changed in one bit before that: the same result.json as undisturbed.
# Usage: scripts/killed.sh [KILLS] [SEED]
set -euo pipefail
cd "$(dirname "$0")/.."
kills=${1:-100} seed=${2:-$RANDOM}
RANDOM=$seed
assay=$(scripts/build.sh)/assay
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# Cuts a file off, or changes a bit of it.
damage() {
    local file=$1 size at byte
    size=$(stat -c %s "$file")
    at=$((RANDOM * 32768 + RANDOM))
    at=$((at % size))
    if [ $((RANDOM % 2)) = 0 ]; then
        truncate -s "$at" "$file"
    else
        byte=$(od -An -tu1 -j"$at" -N1 "$file")
        printf '%b' "\\x$(printf %02x $((byte ^ (1 << RANDOM % 8))))" |
            dd of="$file" bs=1 seek="$at" conv=notrunc status=none
    fi
}

# Goes on with a shard, or begins it anew if it has no checkpoint: leaves `status`, and counts.
session() {
    local folder=$1 limit=$2 again=--overwrite is_damaged=no job
    shift 2
    if [ -e "$folder/checkpoint.json" ] || [ -e "$folder/checkpoint.json.previous" ]; then
        again=--resume resumed=$((resumed + 1))
        if [ -e "$folder/checkpoint.json" ] && [ -e "$folder/checkpoint.json.previous" ] && [ $((RANDOM % 3)) = 0 ]; then
            damage "$folder/checkpoint.json"
            is_damaged=yes damaged=$((damaged + 1))
        fi
    fi
    "$assay" "$@" --out "$folder" "$again" --checkpoint-every 0.2 >"$folder.log" 2>&1 & job=$!
    if [ "$limit" != none ]; then
        sleep "$limit"
        kill -KILL "$job" 2>/dev/null || true
    fi
    status=0
    wait "$job" 2>/dev/null || status=$?
    if [ "$is_damaged" = yes ] && [ "$status" = 0 ] && ! grep -q "going on from the one before" "$folder.log"; then
        echo "a damaged checkpoint was not noticed"; cat "$folder.log"; exit 1
    fi
}

# What is killed so often, in so many shards.
disturbed() {
    local name=$1 shards=$2 quota=$3 i k killed=0 same=yes
    shift 3
    resumed=0 damaged=0
    for ((i = 0; i < shards; i++)); do
        local folder=$out/$name-$shards-$i
        for ((k = 0; k < (quota + shards - 1) / shards; )); do
            session "$folder" "$((RANDOM % 3)).$((RANDOM % 9 + 1))" "$@" --shard "$i/$shards"
            case $status in
            137) killed=$((killed + 1)) k=$((k + 1)) ;;
            0) ;; # It came to its end before it was killed, and begins anew.
            *) cat "$folder.log"; exit 1 ;;
            esac
        done
        session "$folder" none "$@" --shard "$i/$shards"
        [ "$status" = 0 ] || { cat "$folder.log"; exit 1; }
    done
    "$assay" merge "$out/$name-$shards"-? --out "$out/$name-$shards.json" >/dev/null
    cmp -s "$out/$name/result.json" "$out/$name-$shards.json" || same=NO failed=1
    printf '%-10s %6s %6s %8s %8s  %s\n' "$name" "$shards" "$killed" "$resumed" "$damaged" "$same"
    total=$((total + killed))
}

echo "seed $seed"
printf '%-10s %6s %6s %8s %8s  %s\n' what shards killed resumed damaged "same bytes"
failed=0 total=0
# What it is called, and the command.
both() {
    local name=$1 shards
    shift
    "$assay" "$@" --out "$out/$name" >"$out/log" 2>&1 || { cat "$out/log"; exit 1; }
    for shards in 1 2 7; do disturbed "$name" "$shards" "$(((kills + 5) / 6))" "$@"; done
}
both campaign fuzz --seed 42 --cases 40000000
both sweep sweep mufu.rcp.f32
echo "killed $total times"
exit "$failed"
