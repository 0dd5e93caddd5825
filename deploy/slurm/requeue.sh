#!/usr/bin/env bash
# Queues this task again, from inside it: its shard was stopped before it was done.
set -euo pipefail
task=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID
# A shard that gets nowhere between two stops would come back for ever.
if [ "${SLURM_RESTART_COUNT:-0}" -ge "${ASSAY_RESTARTS:-100}" ]; then
    echo "not queued again: started $SLURM_RESTART_COUNT times; give it more time, or divide into more shards"
    exit 0
fi
# One that was cancelled or is queued again already runs no longer, and must be left alone.
state=$(squeue --noheader --format=%T --job="$task")
if [ "$state" = RUNNING ]; then scontrol requeue "$task"; fi
