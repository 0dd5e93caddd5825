#!/usr/bin/env bash
# Merges the shards of a campaign that are done and reports. All of them make DIR/result.json, the same bytes as one run's;
# if some are missing it names them, and what there is makes DIR/partial.json. DIR/report has the pages and the JUnit file,
# DIR/findings.txt each signature with the number of shards that saw it and the first case, DIR/status the exit status.
# Usage: merge.sh DIR
# ASSAY is the program (assay). Exit status: 0 all held, 1 the merged result failed, 2 a result is damaged, is of another
# plan, or cannot be merged, 3 shards are missing. Whether it held is the verdict of the merged result, which `assay merge` computes.
set -euo pipefail
cd "$1"
assay=${ASSAY:-assay}
mapfile -t plan <plan
missing=()
for ((i = 0; i < plan[0]; i++)); do
    # The result of one with a checkpoint counts, and its findings are yet to be written.
    { [ -e "shards/$i/result.json" ] && [ ! -e "shards/$i/checkpoint.json" ] && [ ! -e "shards/$i/checkpoint.json.previous" ]; } ||
        missing+=("$i")
done
rm -f result.json partial.json status findings.txt report/report.html report/report.md report/report.json report/report.junit.xml
end() { echo "status $1: $2"; exit "$1"; }
trap 'echo "$?" >status' EXIT
for shard in shards/*/; do
    [ ! -e "${shard}result.json" ] || cmp -s plan "${shard}plan" ||
        end 2 "$shard has the result of another plan, so it is none of this campaign: remove it, and run its shard"
    [ ! -e "${shard}other-device" ] ||
        end 2 "$shard has the result of another device, or of other files that its command names: remove it, and run its shard"
done
[ ${#missing[@]} -lt "${plan[0]}" ] || end 3 "none of ${plan[0]} shards is done; logs and statuses of the shards say why"

out=result.json partial=()
[ ${#missing[@]} = 0 ] || out=partial.json partial=(--partial)
# Status 1 means that the merged result failed. Everything is written, and the end of this script reports it.
verdict=0
"$assay" merge shards "${partial[@]}" --out "$out" || verdict=$?
[ "$verdict" -le 1 ] || end "$verdict" "the results cannot be merged"
status=0
"$assay" report "$out" --out report || status=$?
[ "$status" = "$verdict" ] || end 3 "report ended with status $status, and merge with $verdict"
{ grep -r --include='*.yaml' '^about: ' shards || true; } | sort -V | awk '{
    at = index($0, ":about: "); signature = substr($0, at + 8)
    if (!seen[signature]++) first[signature] = substr($0, 1, at - 1)
} END { for (s in seen) printf "%d\t%s\t%s\n", seen[s], s, first[s] }' | sort -k 1,1nr -k 2 >findings.txt

if [ ${#missing[@]} -gt 0 ]; then
    end 3 "${#missing[@]} of ${plan[0]} shards are missing: ${missing[*]:0:20}$([ ${#missing[@]} -le 20 ] || echo " …"); run the campaign again"
fi
[ "$verdict" = 0 ] ||
    end 1 "the merged result failed: report/report.md says why; $(wc -l <findings.txt) signatures in findings.txt"
end 0 "all held"
