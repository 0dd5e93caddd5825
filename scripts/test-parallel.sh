#!/usr/bin/env bash
# deploy/parallel with the real GNU parallel on this machine: a campaign with a planted fault in four shards, one of which is
# killed and done by a second call; the merged result is that of one run, byte for byte (half a minute).
# Usage: scripts/test-parallel.sh
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/skip.sh
. scripts/skip.sh
# shellcheck source=scripts/hold.sh
. scripts/hold.sh
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }
# The program `parallel` of moreutils is another one.
is_gnu() { parallel --version 2>/dev/null | grep -q '^GNU parallel'; }
if ! is_gnu; then
    { as_root apt-get update -qq && as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq parallel; } >/dev/null 2>&1 || true
    is_gnu || { skipped gnu-parallel "deploy/parallel was not run: GNU parallel cannot be installed"; exit 0; }
fi
ASSAY=$(scripts/build.sh)/assay
export ASSAY
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { tail -n 30 "$dir"/*.log; echo "$1" >&2; exit 1; }

# Four shards of some seconds each, at any speed.
plan=(fuzz --subject mutant:ffma-product-sticky-lost --only FFMA 'MUFU*')
plan+=(--cases "$(cases_of 24 "${plan[@]}")" --checkpoint-every 0.2)
run() { deploy/parallel/run.sh "$dir/campaign" 4 --jobs "$(nproc)" -- "${plan[@]}" >"$dir/$1.log" 2>&1; }
run first & first=$!
kill -KILL "$(hold "$dir/campaign" 1)"
status=0
wait "$first" || status=$?
[ "$status" = 3 ] || fail "with a shard killed the first call ended with status $status instead of 3"
grep -q '^status 3: 1 of 4 shards are missing: 1;' "$dir/first.log" || fail "the first call does not say what is missing"
status=0
run second || status=$?
[ "$status" = 1 ] || fail "the second call ended with status $status instead of 1"
[ "$(grep -c ' begins on ' "$dir/second.log")" = 1 ] || fail "the second call did not do the one missing shard alone"
grep -q 'shard 1 of 4: begins on .* from its checkpoint' "$dir/second.log" || fail "the second call did not go on from the checkpoint"
"$ASSAY" "${plan[@]}" --out "$dir/whole" >"$dir/whole.log" 2>&1 || [ $? = 1 ] || fail "the undisturbed run failed"
cmp "$dir/whole/result.json" "$dir/campaign/result.json" || fail "the merged result is not that of one run"
# A device that was changed after its shards were done.
cp "$0" "$dir/device"
plan=(fuzz --subject "exec:$ASSAY dut serve model" --device-file "$dir/device" --only POPC --cases 4096)
again() { deploy/parallel/run.sh "$dir/device-campaign" 2 -- "${plan[@]}" >"$dir/$1.log" 2>&1; }
again third || fail "a campaign on a right device ended with status $?"
echo >>"$dir/device"
status=0
again fourth || status=$?
[ "$status" = 2 ] || fail "with another device the second call ended with status $status instead of 2"
echo "deploy/parallel: one of four shards killed and done by a second call; the merged result is that of one run"
