#!/usr/bin/env bash
# What a change to your own device must pass: it keeps to the protocol, your recorded cases hold, and a campaign finds
# nothing. Everything runs although something before it failed, for a page that shows all of it. Set in the environment:
#   DEVICE     exec:COMMAND or lib:PATH
#   OUT        folder for results and report (assay-ci); an earlier one is replaced
#   CASES      cases of the campaign (2000000), or
#   TIME       how long it runs instead, such as 10m
#   ONLY       what it is about, such as 'FADD FMUL MUFU.RCP.*'; everything if empty
#   PROFILE    intended (if empty), literal, sm90 or a file
#   VECTORS    files or folders of recorded cases; none if empty
#   BASELINE   an earlier result.json, to be shown beside; none if empty
#   ASSAY      the program (assay)
# Exit status: 0 all held, 1 something did not, 2 bad input, 3 the environment failed. OUT/report has report.html, report.md
# and report.junit.xml, OUT/run/findings the smallest case of each bug, for `assay replay`.
set -euo pipefail
device=${DEVICE:?DEVICE is not set; give exec:COMMAND or lib:PATH} out=${OUT:-assay-ci} assay=${ASSAY:-assay}
read -ra only <<<"${ONLY:-}"
read -ra vectors <<<"${VECTORS:-}"
profile=() limit=(--cases "${CASES:-2000000}")
[ -z "${PROFILE:-}" ] || profile=(--profile "$PROFILE")
[ -z "${TIME:-}" ] || limit=(--time "$TIME")
[ ${#only[@]} = 0 ] || only=(--only "${only[@]}")

# Runs a step; the worst status of all is the status of this script.
worst=0
step() {
    local status=0
    echo "== $1"
    shift
    "$assay" "$@" "${profile[@]}" || status=$?
    if [ "$status" -gt "$worst" ]; then worst=$status; fi
    return "$status"
}

# A device that does not start has nothing to judge. After any other failed check the campaign shows more.
echo "== the protocol"
checks=$("$assay" dut check "$device" "${profile[@]}") || worst=$?
echo "$checks"
if [ "$worst" -gt 1 ] || grep -q '^FAILED *handshake' <<<"$checks"; then exit "$worst"; fi
if [ ${#vectors[@]} -gt 0 ]; then step "recorded cases" vectors check "${vectors[@]}" --subject "$device" || true; fi
step "a campaign" fuzz --subject "$device" "${limit[@]}" "${only[@]}" --out "$out/run" --overwrite || true

# Of a device that died there is what it showed until then.
result=$out/run/result.json
[ -e "$result" ] || result=$out/run/interrupted.json
if [ -e "$result" ]; then
    pages=("$result")
    [ -z "${BASELINE:-}" ] || pages=("$BASELINE" "$result")
    # Status 1 is of divergences: those of this run are counted above, and those of the baseline fail nothing.
    echo "== report"
    status=0
    "$assay" report "${pages[@]}" --out "$out/report" "${profile[@]}" || status=$?
    if [ "$status" -gt 1 ] && [ "$status" -gt "$worst" ]; then worst=$status; fi
fi
exit "$worst"
