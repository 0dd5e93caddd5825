#!/usr/bin/env bash
# What a change to your own device must pass: it keeps to the protocol, your recorded cases hold, and a campaign finds
# nothing. Everything runs although something before it failed, for a page that shows all of it. Set in the environment:
#   DEVICE     exec:COMMAND or lib:PATH
#   OUT        folder for results and report (assay-ci); an earlier one is replaced
#   CASES      cases of the campaign (2000000), or
#   TIME       how long it runs instead, such as 10m
#   ONLY       what it is about, such as FADD FMUL 'MUFU.RCP.*'; everything if empty
#   PROFILE    intended (if empty), literal, sm90 or a file
#   VECTORS    files or folders of recorded cases; none if empty
#   BASELINE   an earlier result.json, to be shown beside; none if empty
#   ASSAY      the program (assay)
# ONLY and VECTORS are words on any number of lines. A word with a blank stands in quotes. Nothing is expanded.
# Exit status: 0 all held, 1 something did not, 2 bad input, 3 the environment failed. OUT/report has report.html, report.md
# and report.junit.xml, OUT/run/findings the smallest case of each bug, for `assay replay`.
set -euo pipefail

refuse() {
    echo "check-device.sh: $1" >&2
    exit 2
}

# Prints a value without the blanks and line breaks around it, as a block of YAML has them.
trimmed() {
    local text=${1#"${1%%[![:space:]]*}"}
    printf '%s' "${text%"${text##*[![:space:]]}"}"
}

# Splits the value of a variable into the words of a list, as a shell does.
words() {
    local -n list=$1
    local text
    list=()
    [[ $3 =~ [^[:space:]] ]] || return 0
    text=$(xargs printf '%s\n' <<<"$3" 2>/dev/null) || refuse "$2 has a quote that does not end on its line: $3"
    # shellcheck disable=SC2034 # it is the list of the caller
    mapfile -t list <<<"$text"
}

device=$(trimmed "${DEVICE:-}") out=$(trimmed "${OUT:-}") assay=${ASSAY:-assay}
cases=$(trimmed "${CASES:-}") time=$(trimmed "${TIME:-}") named=$(trimmed "${PROFILE:-}") baseline=$(trimmed "${BASELINE:-}")
out=${out:-assay-ci} profile=() limit=(--cases "${cases:-2000000}")
[ -n "$device" ] || refuse "DEVICE is not set; give exec:COMMAND or lib:PATH"
# The folder is the name of an artifact, too, and a pattern of the files in it.
[[ $out != *[$'\n\r*?["<>|']* ]] || refuse "OUT is \`$out\`; name a folder without line breaks, quotes and the characters * ? [ < > |"
# Pages of an earlier run would be taken for those of this one if this one ended early.
rm -f -- "$out"/report/report.{html,md,json,junit.xml}
# The campaign replaces the result in OUT. An earlier one that lies there is kept aside until it was shown.
if [ -n "$baseline" ] && [ "$(realpath -m -- "$baseline")" = "$(realpath -m -- "$out/run/result.json")" ]; then
    kept=$(mktemp -d)
    trap 'rm -rf "$kept"' EXIT
    cp -r -- "$out/run" "$kept/before" 2>/dev/null || refuse "BASELINE is \`$baseline\`, which is not there"
    baseline=$kept/before/result.json
fi
only=() vectors=()
words only ONLY "${ONLY:-}"
words vectors VECTORS "${VECTORS:-}"
[ -z "$named" ] || profile=(--profile "$named")
[ -z "$time" ] || limit=(--time "$time")
[ ${#only[@]} = 0 ] || only=(--only "${only[@]}")

# Runs a step; the worst status of all is the status of this script.
worst=0
step() {
    local status=0
    echo "== $1"
    shift
    "$assay" "${profile[@]}" "$@" || status=$?
    if [ "$status" -gt "$worst" ]; then worst=$status; fi
    return "$status"
}

# Files that are there, each with what tells it from one that takes its place.
identities() {
    stat -c '%n %i %y' -- "$@" 2>/dev/null || true
}

# A step that ended without what it makes has shown nothing, whatever its status is.
unfinished() {
    echo "$1 ended with no result" >&2
    if [ "$worst" = 0 ]; then worst=1; fi
}

# A device that does not start has nothing to judge. After any other failed check the campaign shows more.
echo "== the protocol"
checks=$("$assay" "${profile[@]}" dut check "$device") || worst=$?
echo "$checks"
[ -n "$checks" ] || unfinished "the check of the protocol"
if [ "$worst" -gt 1 ] || grep -q '^FAILED *handshake' <<<"$checks"; then exit "$worst"; fi
if [ ${#vectors[@]} -gt 0 ]; then
    held=$(mktemp)
    step "recorded cases" vectors check --subject "$device" -- "${vectors[@]}" >"$held" || true
    cat "$held"
    # The heading is not of the command.
    [ "$(wc -l <"$held")" -gt 1 ] || unfinished "the check of the recorded cases"
    rm -f "$held"
fi
result=$out/run/result.json partial=$out/run/interrupted.json
earlier=$(identities "$result" "$partial")
step "a campaign" fuzz --subject "$device" "${limit[@]}" "${only[@]}" --out "$out/run" --overwrite || true

# Of a device that died there is what it showed until then. A result of an earlier run shows nothing of this one.
[ -e "$result" ] || result=$partial
if [ -e "$result" ] && [ "$(identities "$out/run/result.json" "$partial")" != "$earlier" ]; then
    pages=("$result")
    [ -z "$baseline" ] || pages=("$baseline" "$result")
    # Status 1 is of divergences: those of this run are counted above, and those of the baseline fail nothing.
    echo "== report"
    status=0
    "$assay" report --out "$out/report" -- "${pages[@]}" || status=$?
    if [ "$status" -gt 1 ] && [ "$status" -gt "$worst" ]; then worst=$status; fi
else
    unfinished "the campaign"
fi
exit "$worst"
