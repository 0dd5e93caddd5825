#!/usr/bin/env bash
# Everything that is to be learnt from a GPU, in phases of at most ten minutes. Needs the driver, and beside this script the
# program `assay` and the folder `vectors`; no network, no Rust, no CUDA toolkit. A phase that is done is not done
# again, and one that was stopped goes on, so run it until it says that all is done (exit status 0; 75: run it again).
# Usage: capture.sh [OUT] [SUBJECT]        SUBJECT is cuda:0; `model` rehearses.  SCALE=100 takes a hundredth of the cases.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-capture} subject=${2:-cuda:0} scale=${SCALE:-1}
# As it was called, so that a recording has the command as a reader types it.
vectors=$(dirname "$0")/vectors
PATH=$here:$PATH
work=$out/work limit=${LIMIT:-540}
# What was done for another device, by another program or on another scale is not this one's. Who the device is, it is asked.
mkdir -p "$work"
assay trace capture --subject "$subject" --profile sm90 --only FADD --cases 1024 --out "$work/who.parquet" --overwrite >/dev/null
who=$(assay trace info "$work/who.parquet" | grep -E '^ *(device|capability|driver) ' | tr -s ' \n' ' ')
[ -n "$who" ] || { echo "$subject does not say who it is"; exit 3; }
plan="$who, $subject, scale $scale, $(sha256sum <"$here/assay")"
if [ -e "$work/plan" ] && [ "$(cat "$work/plan")" != "$plan" ]; then
    echo "$out holds another capture ($(cut -d , -f 1-3 "$work/plan")), and this is $(cut -d , -f 1-3 <<<"$plan"); choose another OUT" >&2
    exit 2
fi
echo "$plan" >"$work/plan"
began=$(date +%s)

# How much is left of this call's time.
left() { echo $((limit - ($(date +%s) - began))); }

# Runs a phase unless it was done, and notes that it is. Out of time: status 75. Where something is judged, a divergence
# (status 1) is a result; where something is recorded, it is none.
phase() {
    local name=$1 status=0 worst=0
    shift
    case $2 in fuzz | sweep | errata | report) worst=1 ;; esac
    if [ -e "$work/$name.done" ]; then return 0; fi
    if [ "$(left)" -le 10 ]; then echo "time is up; run this again"; exit 75; fi
    echo "== $name"
    timeout --signal=INT "$(left)" "$@" >"$work/$name.txt" 2>"$work/$name.log" || status=$?
    if [ "$status" -le $worst ]; then
        echo "$status" >"$work/$name.done"
        tail -n 1 "$work/$name.txt"
        return 0
    fi
    case $status in
        124 | 130) echo "stopped; run this again"; exit 75 ;;
        *) tail -n 5 "$work/$name.log"; echo "$name failed with status $status"; exit "$status" ;;
    esac
}

# A phase with a folder of its own, that goes on from its checkpoint.
run() {
    local name=$1 command=$2 again=--overwrite
    shift 2
    if [ -e "$work/$name/checkpoint.json" ]; then again=--resume; fi
    phase "$name" assay "$command" "$@" --subject "$subject" --profile sm90 --out "$work/$name" "$again"
    if [ ! -e "$work/$name/result.json" ]; then rm "$work/$name.done"; echo "$name left no result"; exit 3; fi
}

tier=standard
[ "$scale" = 1 ] || tier=quick

# The open questions first, for they are the shortest: what the device does on all vectors, the witnesses among them.
record() { phase "$1" assay trace capture --subject "$subject" --profile sm90 --out "$work/$1.parquet" --overwrite "${@:2}"; }
record vectors --vectors "$vectors"
phase settled assay errata settle --subject "trace:$work/vectors.parquet" --profile sm90 --vectors "$vectors/witnesses"
# What the driver makes of the kernels, to be held to what they should be where the vendor's disassembler is.
case $subject in cuda:*) [ -e "$work/code.done" ] || rm -rf "$work/code"; phase code assay trace code --subject "$subject" --out "$work/code" ;; esac
run mufu-f32 sweep mufu.{rcp,rsq,sqrt,ex2,lg2,tanh,sin,cos}.f32 --tier $tier
run mufu-others sweep mufu.{ex2,tanh}.{f16,bf16,f16_v2,bf16_v2} mufu.{rcp,rsq}.f64 --tier $tier
run arithmetic sweep fadd fmul ffma --tier quick
run integer sweep popc flo brev bmsk sgxt ubmsk usgxt ulop3 ushf uprmt --tier quick
run campaign fuzz --cases $((400000000 / scale))
record sample --cases $((600000 / scale))

# What is to be kept: eight files and a report.
for name in mufu-f32 mufu-others arithmetic integer campaign; do cp "$work/$name/result.json" "$out/$name.json"; done
for name in vectors sample; do cp "$work/$name.parquet" "$out/$name.parquet"; done
if [ -d "$work/code" ]; then tar czf "$out/code.tar.gz" -C "$work" code; fi
assay trace info "$out/sample.parquet" | head -n 12
phase report assay report "$work/mufu-f32" --out "$out/report"
kept=("$out"/{mufu-f32,mufu-others,arithmetic,integer,campaign}.json "$out"/{vectors,sample}.parquet)
if [ -d "$work/code" ]; then kept+=("$out/code.tar.gz"); fi
for file in "${kept[@]}"; do
    if [ "$(wc -c <"$file")" -gt $((16 << 20)) ]; then echo "$file is larger than 16 MB"; exit 1; fi
done
echo "all is done: ${#kept[@]} files in $out, and a report in $out/report"
