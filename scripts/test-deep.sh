#!/usr/bin/env bash
# Runs the deep checks one after the other: all of them, whichever fails. The table in docs/internals/checks.md gets the minutes, day, commit
# and outcome of each, and says what need not be run: a check that passed at a commit, if no file that it reaches changed since.
# So a run that was ended goes on where it was, on another machine, too.
# Usage: scripts/test-deep.sh [--list] TASK…; --list runs nothing, and says which checks would run.
set -euo pipefail
cd "$(dirname "$0")/.."
page=docs/internals/checks.md
# What the checks themselves write, and pages that are rendered.
others=(":!$page" ":!docs/internals/judge-mutants.json" ":!reports/published")
state=${CARGO_TARGET_DIR:-target}/deep
mkdir -p "$state"
commit=$(git rev-parse --short=8 HEAD)
git diff --quiet HEAD -- "${others[@]}" || commit="$commit with changes"
list=
if [ "${1:-}" = --list ]; then list=1 && shift; fi

# The packages that a check executes, and its other files. A check without a line here reaches every file.
product="assay-cli deploy examples"
declare -A reached=(
    [filter-billion]="assay-mpfr"
    [definitions]="assay-circuit"
    [every-pattern]="assay-engine assay-model"
    [as-measured]="assay-crosscheck"
    [killed]=$product [endurance]=$product [two-shards]=$product [test-slurm]=$product [test-parallel]=$product [test-ci]=$product
    [quiet-nights]=$product [check-trace-readers]=$product
    [rehearse]="$product assay-stand-in"
    [test-aarch64]="assay-fpenv assay-isa assay-mpfr"
    [smoke]="assay-fuzzing fuzz"
    [third-party]="assay-lab harness/lab/third-party"
    [independent]="$product assay-engine assay-independent"
    [mutate-judge]="assay-engine assay-vectors assay-mpfr assay-records"
)

# The folders of a package of the workspace, first, and of those that it depends on, in tests, too.
folders() {
    cargo tree --locked --quiet --package "$1" --edges normal,build,dev --prefix none --format '{p}' |
        sed -n "s|.* ($PWD/\([^)]*\)).*|\1|p" | awk '!seen[$0]++'
}

# What the Justfile, or that of a commit, says of a task: its line with what runs before it, its commands, and what holds for all.
recipe() {
    local file=Justfile
    if [ -n "${2:-}" ]; then
        file=$state/Justfile
        git show "$2:Justfile" >"$file" || return 1
    fi
    "${JUST:-just}" --justfile "$file" --show "$1" | grep -v '^[#[]' || return 1
    grep -E '^(set|export|[a-z_]+ *:=)' "$file" || [ $? = 1 ]
}

# The files that a check reaches, as paths for git.
paths() {
    [ -n "${reached[$1]:-}" ] || { echo . && return; }
    local commands
    commands=$(recipe "$1" | grep '^    ') || return 1
    # Many checks use scripts of other names. Tests of one package use none; scripts/test.sh runs them.
    if grep -qv '^    cargo test .*-p ' <<<"$commands"; then
        printf '%s\n' scripts ':!scripts/test-deep.sh'
    else
        echo scripts/test.sh
    fi
    local name found own=() all=()
    for name in ${reached[$1]}; do
        case $name in
            assay-*)
                found=$(folders "$name") && [ -n "$found" ] || return 1
                own+=("$(head -n 1 <<<"$found")")
                all+=("$found")
                ;;
            *) echo "$name" ;;
        esac
    done
    printf '%s\n' "${all[@]}"
    # The tests of a package that is only depended on run in no check of another.
    printf '%s\n' "${all[@]}" | sort -u | grep -vxF "$(printf '%s\n' "${own[@]}")" | sed 's|.*|:!&/tests|'
}

# Whether the table says that a check passed at a commit and skipped nothing, and no file that it reaches changed since, in this
# folder either. What cannot be found out has changed.
is_current() {
    local at removed files
    at=$(sed -n "s/^| \`$1\` | .* | [0-9-]*, \([0-9a-f]\{8\}\): passed |\$/\1/p" "$page")
    [ -n "$at" ] && git cat-file -e "$at^{commit}" 2>/dev/null || return 1
    # A line that is new there, for another package, changes nothing for the packages of the check.
    removed=$(git diff "$at" -- Cargo.toml Cargo.lock | sed -n '/^-[^-]/p') && [ -z "$removed" ] || return 1
    [ "$(recipe "$1")" = "$(recipe "$1" "$at")" ] || return 1
    files=$(paths "$1") || return 1
    mapfile -t files <<<"$files"
    git diff --quiet "$at" -- "${files[@]}" "${others[@]}" && [ -z "$(git ls-files --others --exclude-standard -- "${files[@]}")" ] &&
        passed_at=$at
}

# Puts the outcome of a task into its row of the table.
note() {
    local task=$1 minutes=$2 last=$3
    grep -q "^| \`$task\` |" "$page" || { echo "the table in $page has no row of $task" >&2; exit 2; }
    sed -i "s/^| \`$task\` | \(.*\) | [^|]* | [^|]* |\$/| \`$task\` | \1 | $minutes | $last |/" "$page"
}

failed=()
for task in "$@"; do
    if is_current "$task"; then
        echo "$task: passed at $passed_at, and nothing that it reaches changed since"
        continue
    fi
    if [ -n "$list" ]; then echo "$task: to be run" && continue; fi
    began=$EPOCHSECONDS outcome=passed
    scripts/test.sh "$task" >"$state/$task.log" 2>&1 || outcome=failed
    skipped=$(sed -n 's/.* failed, \([1-9][0-9]* skipped\)$/\1/p' "$state/$task.log" | tail -n 1)
    minutes=$(awk -v s=$((EPOCHSECONDS - began)) 'BEGIN {printf "%.1f", s / 60}')
    note "$task" "$minutes" "$(date -u +%F), $commit: $outcome${skipped:+, $skipped}"
    echo "$task: $outcome${skipped:+, $skipped}; $minutes min; $state/$task.log"
    [ "$outcome" = passed ] || failed+=("$task")
done
[ ${#failed[@]} = 0 ] || { echo "failed: ${failed[*]}" >&2; exit 1; }
