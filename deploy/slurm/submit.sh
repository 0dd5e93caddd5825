#!/usr/bin/env bash
# Submits a campaign to Slurm: a job array with a task for each shard, and a job that merges and reports when all of them
# have ended, however they did. DIR, this folder and the program must be on a file system that all nodes share. Submitting
# again does what is missing. Options are for sbatch, such as --partition=short --time=4:00:00 --cpus-per-task=4.
# Usage: submit.sh DIR SHARDS [SBATCH OPTION…] -- fuzz|sweep ARGUMENT…
# ASSAY is the program (assay). Prints the numbers of the two jobs.
set -euo pipefail
deploy=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=deploy/plan.sh
. "$deploy/plan.sh"
most=$(scontrol show config | awk '$1 == "MaxArraySize" {print $3}')
[ "$shards" -le "$most" ] || refuse "$shards shards, and this Slurm takes arrays of $most at most; give fewer, or raise MaxArraySize"

mkdir -p "$campaign/logs"
array=$(sbatch --parsable "${options[@]}" --array="0-$((shards - 1))" --output="$campaign/logs/%a.txt" \
    "$deploy/slurm/array.sbatch" "$deploy" "$campaign")
array=${array%%;*}
# Not afterok: one shard that fails would keep the job waiting for ever, and what the others found with it.
merge=$(sbatch --parsable "${options[@]}" --dependency="afterany:$array" --output="$campaign/logs/merge.txt" \
    "$deploy/slurm/merge.sbatch" "$deploy" "$campaign")
echo "array $array"
echo "merge ${merge%%;*}"
