#!/usr/bin/env bash
# Runs each libFuzzer target for some seconds under AddressSanitizer; fails if one stops at an input, or if none of the inputs that
# it adds to its corpus reaches the judge.
# Then plants a fault: the input at which libFuzzer stops must become a finding that replays.
# Without a nightly toolchain it is counted as skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/skip.sh
. scripts/skip.sh
seconds=${1:-10}
fault=mufu-predicate-ignored
export PATH="$PWD/target/tools/bin:$PATH"
built=$(scripts/build.sh -p assay-lab)
assay=$built/assay lab=$built/assay-lab
targets=$("$lab" libfuzzer list | cut -d ' ' -f 1)

if ! cargo +nightly --version >/dev/null 2>&1; then
    skipped nightly-toolchain "$(wc -w <<<"$targets") fuzz targets ($(xargs <<<"$targets")), and a planted fault: rustup toolchain install nightly"
    exit 0
fi
command -v cargo-fuzz >/dev/null || cargo install --quiet --locked --root target/tools cargo-fuzz --version 0.13.2

# Whether an input of a corpus reaches the judge. Some targets keep what they refuse, so that there are inputs says nothing.
is_reached() {
    local input
    for input in "$2"/*; do
        if "$lab" libfuzzer replay "$input" --target "$1" --format json 2>/dev/null | grep -q '"judged": true'; then return 0; fi
    done
    return 1
}

# A corpus of an earlier run would hide that none of today's inputs reaches the judge.
folder=$(mktemp -d target/smoke.XXXXXX)
trap 'rm -rf "$folder"' EXIT
for target in $targets; do
    scripts/fuzz-target.sh "$target" "$seconds" address "$folder/$target" >"$folder/log" 2>&1 ||
        { cat "$folder/log"; echo "the target $target ended with status $?"; exit 1; }
    inputs=$(find "$folder/$target" -type f | wc -l)
    is_reached "$target" "$folder/$target" || { cat "$folder/log"; echo "no input of the target $target reached its judge"; exit 1; }
    echo "$target: $inputs inputs reached new coverage; $(grep -o 'Done [0-9]* runs in [0-9]* second' "$folder/log" | tail -n 1)s"
done

stopped=0
ASSAY_SUBJECT=mutant:$fault scripts/fuzz-target.sh differential 120 address "$folder/planted" >"$folder/log" 2>&1 || stopped=$?
artifact=$(sed -n 's/.*Test unit written to \(.*\)/\1/p' "$folder/log" | tail -n 1)
[ $stopped != 0 ] && [ -f "$artifact" ] || { cat "$folder/log"; echo "the planted fault $fault was not found"; exit 1; }
replayed=0
"$lab" libfuzzer replay "$artifact" --target differential --subject "mutant:$fault" --out "$folder" || replayed=$?
[ $replayed = 1 ] || { echo "$artifact does not replay: status $replayed"; exit 1; }
for finding in "$folder"/findings/*.yaml; do
    "$assay" replay "$finding" --subject model >/dev/null
    status=0
    "$assay" replay "$finding" >/dev/null || status=$?
    [ $status = 1 ] || { echo "$finding does not replay: status $status"; exit 1; }
done
rm "$artifact"
echo "the planted fault $fault was found, and its finding replays"
