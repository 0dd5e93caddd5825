#!/usr/bin/env bash
# Writes the plan of a campaign into its folder, once: DIR/plan has the number of shards in its first line, then the
# arguments of `assay`, one a line. Every way to run a campaign begins with it, so no folder ever holds shards of two plans;
# the same plan again is how a campaign goes on. Run by itself, or sourced for what it reads: `campaign`, `shards`, `options`.
# Usage: plan.sh DIR SHARDS [OPTION…] -- fuzz|sweep ARGUMENT…
# ASSAY is the program (assay), afterwards by its full path.
set -euo pipefail

refuse() { echo "${0##*/}: $1" >&2; exit 2; }
usage="usage: ${0##*/} DIR SHARDS [OPTION…] -- fuzz|sweep ARGUMENT…"
[ $# -ge 4 ] || refuse "$usage"
campaign=$1 shards=$2
shift 2
[[ $shards =~ ^[1-9][0-9]{0,6}$ ]] && [ "$shards" -le 1000000 ] || refuse "$shards is no number of shards; give 1 to 1000000"
options=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do options+=("$1"); shift; done
[ $# -ge 2 ] || refuse "$usage"
shift
case $1 in fuzz | sweep) ;; *) refuse "$1 has no shards; give fuzz or sweep behind --" ;; esac
for argument; do
    case $argument in
        *$'\n'*) refuse "an argument has more than one line: $argument" ;;
        --shard* | --out* | --resume | --overwrite | --jobs*) refuse "$argument is set for each shard; leave it out" ;;
        --time* | --until-covered | --stop-after*) refuse "$argument does not divide into shards; give --cases instead" ;;
    esac
done
program=$(command -v "${ASSAY:-assay}") || refuse "there is no program ${ASSAY:-assay}; set ASSAY to where it is"
ASSAY=$(realpath "$program")
export ASSAY

mkdir -p "$campaign"
campaign=$(cd "$campaign" && pwd)
plan=$(mktemp "$campaign/plan.XXXXXX")
trap 'rm -f "$plan"' EXIT
printf '%s\n' "$shards" "$@" >"$plan"
chmod a+r "$plan"
# Newer versions of mv call it a failure if there is a plan already.
mv -n "$plan" "$campaign/plan" || true
if [ -e "$plan" ]; then
    cmp -s "$plan" "$campaign/plan" || refuse "$campaign/plan is another plan: \
$(tail -n +2 "$campaign/plan" | paste -sd ' ') in $(head -n 1 "$campaign/plan") shards; choose another folder"
    rm "$plan"
fi
trap - EXIT
