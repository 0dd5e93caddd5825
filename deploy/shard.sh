#!/usr/bin/env bash
# Does one shard of a campaign, or what is left of it. A shard that is done is not done again, one that was stopped goes on
# from its checkpoint, and of two copies the second is kept out: a scheduler may start it as often as it likes.
# Usage: shard.sh DIR INDEX [COMMAND…]        COMMAND is run if the shard was stopped before it was done
# ASSAY is the program (assay), ASSAY_JOBS the threads of a shard (1).
# Exit status: 0 done, whether the shard held or failed (its result has the verdict, and merge.sh reads all of them);
# 75 stopped, or another copy is at it: run it again; else as of assay: 2 bad input, 3 environment.
set -euo pipefail
campaign=$1 index=$2
shift 2
mapfile -t plan <"$campaign/plan"
out=$campaign/shards/$index
say() { echo "$(date +%T) shard $index of ${plan[0]}: $1"; }
# The result is written before its findings; the checkpoints go when all is there.
is_done() { [ -e "$out/result.json" ] && [ ! -e "$out/checkpoint.json" ] && [ ! -e "$out/checkpoint.json.previous" ]; }
# The shard of another campaign is not this one's, whatever its result says.
if [ -e "$out/result.json" ] && ! cmp -s "$campaign/plan" "$out/plan"; then
    say "$out has the result of another plan: remove it, and run the shard again"
    exit 2
fi
# The files of the devices, as sha256sum takes them. A result without any is of an implementation of assay.
files() { sed -n '/"files": {/,/^ *}/s/^ *"\(.*\)": "\([0-9a-f]\{64\}\)",\{0,1\}$/\2  \1/p' "$out/result.json"; }
# Prints the digest of a file. Of a profile also the digests of the profiles that it extends, up to ten. A name of a file that
# is found in a comment does no harm.
digests() {
    local file=$1 left parent
    for ((left = 10; left > 0; left--)); do
        [ -f "$file" ] || return 0
        sha256sum "$file"
        parent=$(tr -d '\r' <"$file" | grep -o "extends[\"']\{0,1\}[[:blank:]]*:[^,}#]*" | head -n 1 | sed "s/^[^:]*://" | tr -d "\"' \t") || true
        [ -n "$parent" ] || return 0
        file=$(dirname -- "$file")/$parent
    done
}
# The files that the command names: a profile, an encoding table, a baseline.
inputs() {
    local word
    for word in "${plan[@]:1}"; do digests "${word#--*=}"; done
}
if is_done; then
    if [ -e "$out/inputs" ] && ! inputs | cmp -s - "$out/inputs"; then
        touch "$out/other-device"
        say "$out has the result of other files that the command names: remove it, and run the shard again"
        exit 2
    fi
    device=$(files)
    # merge.sh refuses a shard with this mark.
    rm -f "$out/other-device"
    if [ -n "$device" ] && ! sha256sum --check --status <<<"$device"; then
        touch "$out/other-device"
        say "$out has the result of another device, for its files have changed: remove it, and run the shard again"
        exit 2
    fi
    say "done before"
    exit 0
fi
mkdir -p "$out"
rm -f "$out/other-device"
cp "$campaign/plan" "$out/plan"
inputs >"$out/inputs"

# Asked to stop, assay saves its progress. A trap cuts the first `wait` short; the second has the status.
child="" stopped=no status=0
stop() {
    stopped=yes
    if [ -n "$child" ]; then kill -TERM "$child" 2>/dev/null || true; fi
}
trap stop TERM INT
say "begins on $(uname -n)$([ ! -e "$out/checkpoint.json" ] || echo ", from its checkpoint")"
"${ASSAY:-assay}" "${plan[@]:1}" --shard "$index/${plan[0]}" --jobs "${ASSAY_JOBS:-1}" --out "$out" --resume &
child=$!
wait "$child" || status=$?
if [ "$stopped" = yes ]; then
    status=0
    wait "$child" || status=$?
fi

# The bins that one shard did not hit say nothing, take fifty times the room of its result, and follow from the merged one.
rm -f "$out/coverage.json"
case $status in
    0) say "done" ;;
    1)
        if [ ! -e "$out/result.json" ]; then
            say "ended without a result, for its device was declared dead; $out/findings has what it showed"
            exit 3
        fi
        say "done, and failed: its result says why"
        ;;
    130 | 137 | 143) # interrupted, or killed from outside
        say "stopped with status $status"
        "$@"
        exit 75
        ;;
    *)
        # assay refuses the folder if another copy of this shard is at it, or has finished meanwhile.
        if [ "$status" = 2 ] && is_done; then
            say "done by another copy"
        elif [ "$status" = 2 ] && ! flock --nonblock "$out" true; then
            say "another copy is at it"
            "$@"
            exit 75
        else
            say "failed with status $status"
            exit "$status"
        fi
        ;;
esac
