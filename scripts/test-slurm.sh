#!/usr/bin/env bash
# deploy/slurm on a real Slurm of one node, with this machine's cores: a campaign with a planted fault in eight shards, one of
# them queued again in its middle and one killed; the merged result is that of one undisturbed run, byte for byte. Then a
# second submission, another plan, a campaign that holds, one that is cancelled and one that cannot start. Installs Slurm from
# Debian's packages; configuration, key, daemons and jobs live in a temporary folder and end with the script (two minutes).
# Usage: scripts/test-slurm.sh
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/skip.sh
. scripts/skip.sh
# shellcheck source=scripts/hold.sh
. scripts/hold.sh
export PATH=$PATH:/usr/sbin
skip() { skipped slurm "deploy/slurm was not run: $1"; exit 0; }
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }
if ! command -v slurmctld >/dev/null || ! command -v slurmd >/dev/null || ! command -v munged >/dev/null; then
    command -v apt-get >/dev/null || skip "Slurm is not installed, and this is neither Debian nor Ubuntu"
    { as_root apt-get update -qq && as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        slurmctld slurmd slurm-client munge; } >/dev/null 2>&1 || skip "slurmctld, slurmd and munge cannot be installed"
fi
ASSAY=$(scripts/build.sh)/assay
export ASSAY

dir=$(mktemp -d)
daemons=()
fail() {
    echo "$1" >&2
    tail -n 20 "$dir"/*.log "$dir"/*/logs/*.txt >&2 2>/dev/null || true
    exit 1
}
clean_up() {
    scancel --user="$(id -un)" 2>/dev/null || true
    for ((i = 0; i < 20; i++)); do [ -n "$(squeue --noheader 2>/dev/null)" ] || break; sleep 0.5; done
    for daemon in "${daemons[@]}"; do kill "$daemon" 2>/dev/null || true; done
    wait
    rm -rf "$dir"
}
trap clean_up EXIT

# A folder that munged accepts: others may pass through it, and only its owner may write.
chmod 711 "$dir"
mkdir -p "$dir/state" "$dir/spool"
(umask 077 && head -c 1024 /dev/urandom >"$dir/key")
host=$(hostname -s)
export SLURM_CONF=$dir/slurm.conf
# No accounting, no cgroups, no plugins that bind tasks; a job that is queued again starts after 5 seconds instead of 120.
cat >"$SLURM_CONF" <<CONFIGURATION
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$dir/munge.socket,cred_expire=5
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONFIGURATION
start() { local name=$1; shift; "$@" >"$dir/$name.log" 2>&1 & daemons+=($!); }
start munged munged --foreground --key-file="$dir/key" --socket="$dir/munge.socket" --pid-file="$dir/munged.pid" --seed-file="$dir/seed"
for ((i = 0; i < 50; i++)); do [ ! -e "$dir/munge.socket" ] || break; sleep 0.1; done
start slurmctld slurmctld -D
start slurmd slurmd -D
for ((i = 0; i < 60; i++)); do [ "$(sinfo --noheader --format=%T 2>/dev/null)" != idle ] || break; sleep 0.5; done
[ "$(sinfo --noheader --format=%T)" = idle ] || fail "Slurm does not get ready"
echo "Slurm $(sinfo --version | cut -d ' ' -f 2), one node, $(nproc) cores"

# Submits a campaign; sets `array` and `merge`, the numbers of its jobs.
submit() {
    local jobs
    jobs=$(deploy/slurm/submit.sh "$@") || return
    array=$(sed -n 's/^array //p' <<<"$jobs") merge=$(sed -n 's/^merge //p' <<<"$jobs")
}
# Waits until a file is there.
await() { for ((i = 0; i < 1200; i++)); do if [ -e "$1" ]; then return; fi; sleep 0.1; done; fail "there is no $1"; }
# Waits for the job that merges, and holds its exit status to what is expected.
expect() {
    local job="" status
    for ((i = 0; i < 1000; i++)); do
        job=$(scontrol show job "$merge")
        case $job in *JobState=COMPLETED* | *JobState=FAILED*) break ;; esac
        sleep 0.5
    done
    status=$(sed -n 's/.* ExitCode=\([0-9]*\):.*/\1/p' <<<"$job")
    [ "$status" = "$1" ] || fail "$2: the job that merges has status $status instead of $1: $job"
    echo "$2: $(tail -n 1 "$dir/$3/logs/merge.txt")"
}

# Eight shards of some seconds each, at any speed.
fault=(fuzz --subject mutant:ffma-product-sticky-lost --only FFMA 'MUFU*')
fault+=(--cases "$(cases_of 48 "${fault[@]}")" --checkpoint-every 0.2)
submit "$dir/fault" 8 -- "${fault[@]}"
halted=$(hold "$dir/fault" 0)
scontrol requeue "${array}_0"
kill -CONT "$halted" 2>/dev/null || true
kill -KILL "$(hold "$dir/fault" 1)"
expect 1 "a planted fault" fault
for shard in 0 1; do
    grep -q "shard $shard of 8: stopped with status" "$dir/fault/logs/$shard.txt" || fail "shard $shard was not stopped"
    grep -q "shard $shard of 8: begins on $host, from its checkpoint" "$dir/fault/logs/$shard.txt" || fail "shard $shard did not go on"
done
echo "shard 0 was queued again, shard 1 was killed; both went on: $(grep -h 'stopped with' "$dir"/fault/logs/[01].txt | paste -sd ,)"
grep -q 'FFMA' "$dir/fault/findings.txt" || fail "findings.txt does not have the fault"
"$ASSAY" "${fault[@]}" --out "$dir/whole" >"$dir/whole.log" 2>&1 || [ $? = 1 ] || fail "the undisturbed run failed"
cmp "$dir/whole/result.json" "$dir/fault/result.json" || fail "the merged result is not that of one run"
echo "the merged result is that of one run: $(wc -c <"$dir/fault/result.json") bytes"

touch "$dir/now"
submit "$dir/fault" 8 -- "${fault[@]}"
expect 1 "the same again" fault
[ -z "$(find "$dir/fault/shards" -newer "$dir/now" -name result.json)" ] || fail "a shard that was done was done again"
cmp "$dir/whole/result.json" "$dir/fault/result.json" || fail "the second merge is not the first"
status=0
submit "$dir/fault" 8 -- fuzz --cases 1 2>"$dir/refused.txt" || status=$?
[ "$status" = 2 ] || fail "another plan in the same folder ended with status $status"
echo "another plan in its folder: $(sed "s|$dir/||g" "$dir/refused.txt")"

submit "$dir/sound" 2 -- fuzz --only FFMA --cases 2000000
expect 0 "a sound model" sound

submit "$dir/cancelled" 2 -- fuzz --cases 100000000000 --checkpoint-every 0.2
await "$dir/cancelled/shards/1/checkpoint.json"
scancel "$array"
expect 3 "cancelled" cancelled
[ -z "$(squeue --noheader --array)" ] || fail "a cancelled task was queued again"

submit "$dir/wrong" 2 -- fuzz --only NOPE
expect 3 "a plan that no shard accepts" wrong
grep -q 'selects nothing' "$dir/wrong/logs/0.txt" || fail "the log of a shard does not say why it failed"
echo "deploy/slurm: all held"
