# shellcheck shell=bash
# For tests that stop a shard in its middle: they meet it by its state, and not by time. ASSAY is the program, and `fail`
# ends the test with a message.

# Cases that one thread of this machine executes in so many seconds under the arguments of a campaign.
# Usage: cases_of SECONDS ARGUMENT…
cases_of() {
    local seconds=$1 out rate
    shift
    out=$(mktemp -d)
    "$ASSAY" "$@" --time 2s --jobs 1 --out "$out/run" --format json >"$out/printed" 2>/dev/null || [ $? = 1 ] || fail "$* does not run"
    rate=$(sed -n 's/.*"cases_per_second": *\([0-9]*\).*/\1/p' "$out/printed")
    rm -rf "$out"
    echo $((rate * seconds))
}

# Waits for the first checkpoint of a shard, and halts its process, which it prints. Something else then goes on, or ends it.
# Usage: hold DIR INDEX
hold() {
    local out=$1/shards/$2 process i
    for ((i = 0; i < 6000; i++)); do
        if [ -e "$out/checkpoint.json" ] && process=$(pgrep -f -- "--out $out --resume") && kill -STOP "$process"; then
            [ ! -e "$out/result.json" ] || fail "shard $2 ended before it was halted; give it more cases"
            echo "$process"
            return
        fi
        sleep 0.02
    done
    fail "shard $2 has no checkpoint"
}
