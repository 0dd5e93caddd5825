#!/usr/bin/env bash
# Puts what was built in the folder BUILT, and what goes with it, below PREFIX:
#   bin/assay            the program
#   lib                  libassay, and the scripts for shards
#   include              the headers of libassay and of devices in C
#   share                manual pages and completions
#   share/doc/assay      examples, changes and licences
# Usage: scripts/tree.sh BUILT PREFIX
set -euo pipefail
built=$(realpath "$1") prefix=$(realpath -m "$2")
cd "$(dirname "$0")/.."
assay=$prefix/bin/assay doc=$prefix/share/doc/assay
mkdir -p "$prefix/bin" "$prefix/lib/assay" "$doc"
# Debug information lies beside what was built, and the program names that file.
objcopy --only-keep-debug "$built/assay" "$built/assay.debug"
objcopy --strip-all --add-gnu-debuglink="$built/assay.debug" "$built/assay" "$assay"
install -m 755 deploy/plan.sh deploy/shard.sh deploy/merge.sh "$prefix/lib/assay"
objcopy --strip-unneeded "$built/libassay.so" "$prefix/lib/libassay.so"
install -D -m 644 -t "$prefix/include" harness/libassay/include/assay.h harness/device/include/assay_device.h
"$assay" completions --man "$prefix/share/man/man1"
gzip --best --no-name "$prefix"/share/man/man1/*.1
while read -r shell file; do
    mkdir -p "$prefix/share/$(dirname "$file")"
    "$assay" completions "$shell" >"$prefix/share/$file"
done <<'FILES'
bash bash-completion/completions/assay
zsh zsh/vendor-completions/_assay
fish fish/vendor_completions.d/assay.fish
FILES
cp CHANGELOG.md LICENSE-* "$doc"
# What git tracks: a folder of examples may hold what they have made.
git ls-files -z examples | xargs -0 cp --parents -t "$doc"
# Of one platform: others need crates that were not downloaded.
host=$(rustc -vV | sed -n 's/^host: //p')
rug=$(cargo metadata --locked --filter-platform "$host" --format-version 1 |
    python3 -c 'import json, sys; print(*(p["manifest_path"] for p in json.load(sys.stdin)["packages"] if p["name"] == "rug"))')
install -m 644 -t "$doc" "${rug%/*}/LICENSE-GPL.md" "${rug%/*}/LICENSE-LGPL.md"
{
    echo "The program contains these crates, each under the licence behind it. rug and gmp-mpfr-sys link GMP and MPFR statically;"
    echo "to link others, build assay from its sources (docs/installing.md)."
    echo
    cargo tree --locked --package assay-cli --edges normal --prefix none --format '{p}: {l}' |
        sed 's| (/[^)]*)||; s| (\*)||; s| (proc-macro)||' | sort -u
} >"$doc/licences.txt"
