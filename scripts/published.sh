#!/usr/bin/env bash
# The published reports. Renders the pages from the result and the record that lie in each folder, and fails if a page there is
# another one. --render replaces the pages. --anew first makes the results anew, and fails if one differs from the published.
# Usage: scripts/published.sh [--render | --anew] [NAME…]
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/skip.sh
. scripts/skip.sh
published=reports/published
mode=check
case ${1:-} in --render | --anew) mode=${1#--} && shift ;; esac
if [ $# = 0 ]; then
    set -- mufu-f32 mufu-f16 mufu-f64 arithmetic
    # What a GPU did is made where it is.
    [ "$mode" = anew ] || set -- "$@" h200-{mufu-f32,mufu-others,operands,integer,arithmetic,campaign}
fi

# What a report is of, as arguments of `assay`.
arguments() {
    case $1 in
        mufu-f32) echo sweep mufu.{rcp,rsq,sqrt,ex2,lg2,tanh,sin,cos}.f32 ;;
        mufu-f16) echo sweep mufu.{ex2,tanh}.{f16,bf16,f16_v2,bf16_v2} ;;
        mufu-f64) echo sweep mufu.{rcp,rsq}.f64 ;;
        arithmetic) echo sweep fadd fmul ffma --tier quick ;;
        h200-mufu-f32) echo "$(arguments mufu-f32) --subject cuda:0 --profile sm90" ;;
        h200-mufu-others) echo "$(arguments mufu-f16) mufu.rcp.f64 mufu.rsq.f64 --subject cuda:0 --profile sm90" ;;
        h200-operands) echo "$(arguments arithmetic) --subject cuda:0 --profile sm90" ;;
        h200-integer) echo sweep popc flo brev bmsk sgxt ubmsk usgxt ulop3 ushf uprmt --tier quick --subject cuda:0 --profile sm90 ;;
        h200-arithmetic) echo fuzz --only FADD FMUL FFMA --seed 3 --cases 20000000000 --subject cuda:0 --profile sm90 ;;
        h200-campaign) echo fuzz --seed 2 --cases 10000000000 --subject cuda:0 --profile sm90 ;;
        *) echo "there is no published report $1" >&2 && return 2 ;;
    esac
}

# The record of a run names the commit; a build that is only rendered from needs none.
if [ "$mode" = anew ]; then ASSAY_COMMIT=$(git rev-parse --short=12 HEAD) && export ASSAY_COMMIT; fi
folder=$(scripts/build.sh)
PATH=$folder:$PATH # so that the record has the command as a reader types it
pages=target/published/pages status=0
for name in "$@"; do
    here=$published/$name
    arguments=$(arguments "$name")
    if [ "$mode" = anew ]; then
        # shellcheck disable=SC2086 # a command and its arguments
        assay $arguments --out "target/published/$name" --overwrite
        if [ -e "$here/result.json" ] && ! cmp "target/published/$name/result.json" "$here/result.json"; then
            echo "$name: the result is another one than the published" >&2
            status=1
        fi
        cp "target/published/$name"/{result,run}.json "$here"
    fi
    if [ ! -e "$here/result.json" ]; then
        skipped published "$here was made before results were published beside the pages: run \`just published $name\`"
        continue
    fi
    # Status 1: a result of before there were verdicts is shown as unverified.
    assay report "$here" --out "$pages/$name" >/dev/null || [ $? = 1 ]
    for page in report.html report.md; do
        if [ "$mode" != check ]; then
            cp "$pages/$name/$page" "$here"
        elif ! cmp "$pages/$name/$page" "$here/$page"; then
            echo "$here/$page is not what the result renders to: run \`just published-pages $name\`" >&2
            status=1
        fi
    done
done
[ $status != 0 ] || echo "each page that has its result beside it is what that renders to"
exit $status
