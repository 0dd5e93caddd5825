#!/usr/bin/env bash
# One plan on one thread, on all threads, in five shards, and killed and resumed: the same result.json.
set -euo pipefail
cd "$(dirname "$0")/.."
assay=$(scripts/build.sh)/assay
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
run() { "$assay" fuzz --seed 42 --cases 10000000 "$@" >"$out/log" 2>&1 || { cat "$out/log"; exit 1; }; }

run --out "$out/all"
run --out "$out/one" --jobs 1
for i in 0 1 2 3 4; do run --out "$out/shard$i" --shard "$i/5"; done
"$assay" merge "$out"/shard?/result.json --out "$out/merged.json" >/dev/null
"$assay" fuzz --seed 42 --cases 10000000 --out "$out/killed" >"$out/log" 2>&1 & job=$!
sleep 0.4
kill -INT "$job" 2>/dev/null || true
status=0
wait "$job" || status=$?
[ "$status" = 130 ] || [ "$status" = 0 ] || { echo "an interrupted run ended with status $status"; exit 1; }
if [ "$status" = 130 ]; then run --out "$out/killed" --resume; fi

for result in "$out/one/result.json" "$out/merged.json" "$out/killed/result.json"; do
    cmp "$out/all/result.json" "$result" || { echo "$result differs"; exit 1; }
done
echo "10 million cases: the same bytes on 1 thread, on $(nproc), in 5 shards, and resumed (interrupted: $([ "$status" = 130 ] && echo yes || echo no))"
