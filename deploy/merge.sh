#!/usr/bin/env bash
# Merges the shards of a campaign that are done and reports. All of them make DIR/result.json, the same bytes as one run's;
# if some are missing it names them, and what there is makes DIR/partial.json. DIR/report has the pages and the JUnit file,
# DIR/findings.txt each signature with the number of shards that saw it and the first case, DIR/status the exit status.
# Usage: merge.sh DIR
# ASSAY is the program (assay). Exit status: 0 all held, 1 divergences, 2 a result is damaged, 3 shards are missing.
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
rm -f result.json partial.json status
end() { echo "status $1: $2"; exit "$1"; }
trap 'echo "$?" >status' EXIT
[ ${#missing[@]} -lt "${plan[0]}" ] || end 3 "none of ${plan[0]} shards is done; logs and statuses of the shards say why"

out=result.json partial=()
[ ${#missing[@]} = 0 ] || out=partial.json partial=(--partial)
# Status 1 means divergences. Everything is written, and the lines below report it.
written() { "$@" || [ $? = 1 ]; }
written "$assay" merge shards "${partial[@]}" --out "$out"
written "$assay" report "$out" --out report
{ grep -r --include='*.yaml' '^about: ' shards || true; } | sort -V | awk '{
    at = index($0, ":about: "); signature = substr($0, at + 8)
    if (!seen[signature]++) first[signature] = substr($0, 1, at - 1)
} END { for (s in seen) printf "%d\t%s\t%s\n", seen[s], s, first[s] }' | sort -k 1,1nr -k 2 >findings.txt

if [ ${#missing[@]} -gt 0 ]; then
    end 3 "${#missing[@]} of ${plan[0]} shards are missing: ${missing[*]:0:20}$([ ${#missing[@]} -le 20 ] || echo " …"); run the campaign again"
fi
grep -q '^<testsuites .* failures="0"' report/report.junit.xml || end 1 "$(wc -l <findings.txt) signatures in findings.txt"
end 0 "all held"
