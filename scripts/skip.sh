# shellcheck shell=bash
# The one way in which a script skips a check. To be sourced.
# Prints and records a skipped check for scripts/test.sh. Usage: skipped NEED WHAT
# NEED is what the check needs, as scripts/skips.txt lists it. WHAT says what was not checked, and why.
skipped() {
    echo "SKIPPED $1: $2" >&2
    [ -z "${ASSAY_SKIPS:-}" ] || printf '%s: %s\n' "$1" "${2//$'\n'/ }" >>"$ASSAY_SKIPS"
}
