#!/usr/bin/env bash
# Makes pages of real runs, and opens them and the published ones in Chromium: scripts/browser/check.mjs says what is checked.
# Screenshots at the width of a phone and of a desktop, light and dark, are in target/browser/screenshots.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/skip.sh
. scripts/skip.sh
without() { skipped browser "no page was opened in a browser: $1"; exit 0; }

chromium=$(command -v chromium || command -v chromium-headless-shell) || without "there is no chromium (Debian: apt-get install chromium)"
command -v npm >/dev/null || without "there is no npm (Debian: apt-get install npm)"
place=$PWD/target/browser
mkdir -p "$place"
cp scripts/browser/{check.mjs,package.json,package-lock.json} "$place"
if ! cmp -s "$place/package-lock.json" "$place/installed.json"; then
    (cd "$place" && npm ci --silent --no-audit --no-fund) || without "npm cannot install playwright-core and axe-core"
    cp "$place/package-lock.json" "$place/installed.json"
fi

assay=$(scripts/build.sh)/assay
runs=$place/runs pages=$place/pages
rm -rf "$runs" "$pages" "$place/screenshots"
# A run that fails ends with status 1, and so does its report.
failing() { "$@" >/dev/null || [ $? = 1 ]; }
failing "$assay" fuzz --cases 100352 --subject mutant:ffma-product-sticky-lost --out "$runs/failing"
"$assay" fuzz --cases 100352 --out "$runs/sound" >/dev/null
"$assay" sweep mufu.ex2.f16 mufu.tanh.bf16 --out "$runs/sweep" >/dev/null
# One input in 64 of all; a whole sweep takes the tests' build two minutes.
failing "$assay" sweep mufu.ex2.f32 --subject mutant:ex2-rom-22 --shard 5/64 --out "$runs/segment"
failing "$assay" report "$runs/segment" --out "$pages/segment"
"$assay" report "$runs/sound" --out "$pages/sound" >/dev/null
failing "$assay" report "$runs/failing" --out "$pages/failing"
failing "$assay" report "$runs/sound" "$runs/failing" --out "$pages/pair"
"$assay" report "$runs/sweep" --out "$pages/sweep" >/dev/null
"$assay" errata report --lang en --out "$pages/errata" >/dev/null
# Published pages without a result beside them are of an earlier version.
files=("$pages"/*/*.html)
for result in reports/published/*/result.json; do files+=("${result%/*}/report.html"); done
ASSAY=$assay node "$place/check.mjs" "$chromium" "$place/screenshots" "${files[@]}"
