#!/usr/bin/env bash
# Runs a campaign with GNU parallel, on this machine or a handful of hosts, then merges and reports. Hosts must see DIR, this
# folder and the program at the same paths, and the folder that it is run in. Running it again does what is missing. Options
# are for parallel, such as --jobs 8, or --sshloginfile hosts.
# Usage: run.sh DIR SHARDS [PARALLEL OPTION…] -- fuzz|sweep ARGUMENT…
# ASSAY is the program (assay), ASSAY_JOBS the threads of a shard (1). Exit status as of merge.sh.
set -euo pipefail
deploy=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=deploy/plan.sh
. "$deploy/plan.sh"
# Asked to stop, a shard has a minute to save. The joblog lists failed shards, and merge.sh reports them as missing. A shard
# that is done is started again: it ends at once, and says whether the device is still the same.
seq 0 $((shards - 1)) | parallel --joblog "$campaign/joblog" --termseq TERM,60000,KILL,1000 \
    --workdir "$PWD" "${options[@]}" \
    env "ASSAY=$ASSAY" "ASSAY_JOBS=${ASSAY_JOBS:-1}" "$deploy/shard.sh" "$campaign" '{}' || true
exec "$deploy/merge.sh" "$campaign"
