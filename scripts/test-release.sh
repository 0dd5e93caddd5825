#!/usr/bin/env bash
# Installs each of the files of `just release`, in target/distribution, into an environment without Rust and without this checkout,
# and runs the commands of the README there: the wheel in a new environment of Python, the unpacked archive, the package in a
# new Debian, and an image of deploy/Containerfile, which has that Debian below it.
# Usage: scripts/test-release.sh
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/skip.sh
. scripts/skip.sh
files=$(realpath "${CARGO_TARGET_DIR:-target}")/distribution
(cd "$files" && sha256sum --quiet --check SHA256SUMS)
work=$(mktemp -d)
leave() {
    umount "$work/debian/proc" 2>/dev/null || true
    rm -rf --one-file-system "$work"
}
trap leave EXIT

# The commands of the README, each with the exit status that it states.
sed -n 's/^\$ //p' README.md | awk -F '    # exit status ' '{print ($2 == "" ? 0 : $2) "\t" $1}' >"$work/commands"
[ "$(grep -c 'assay ' "$work/commands")" -ge 5 ] || { echo "README.md has fewer commands than it had" >&2; exit 1; }
# Runs them in a copy of the installed examples. The first argument is the prefix of the installation.
cat >"$work/run" <<'RUN'
set -euo pipefail
prefix=$1 commands=$2
if command -v cargo; then echo "Rust is here" >&2; exit 1; fi
[ "$(command -v assay)" = "$prefix/bin/assay" ]
cd "$(mktemp -d)"
cp -r "$prefix/share/doc/assay/examples" .
while IFS=$'\t' read -r expected command; do
    status=0
    bash -c "${command//harness\/device\/include/$prefix/include}" >output 2>&1 </dev/null || status=$?
    [ "$status" = "$expected" ] || { cat output; echo "status $status: $command" >&2; exit 1; }
done <"$commands"
man=$(zcat "$prefix/share/man/man1/assay-fuzz.1.gz")
[[ $man = *subject* ]]
[ -s "$prefix/share/bash-completion/completions/assay" ] && [ -s "$prefix/share/doc/assay/LICENSE-MIT" ]
echo "$(assay --version): $(wc -l <"$commands") commands of the README"
RUN
# Runs them with nothing in the environment but what is installed below a prefix.
try() { env -i HOME="$work" PATH="$1/bin:/usr/bin:/bin" bash "$work/run" "$1" "$work/commands"; }

echo "== wheel"
began=$EPOCHREALTIME
env -i HOME="$work" PATH=/usr/bin:/bin python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --no-index --no-deps "$files"/assay-*.whl
awk -v a="$began" -v b="$EPOCHREALTIME" 'BEGIN {printf "installed in %.1f s\n", b - a}'
try "$work/venv"
"$work/venv/bin/pip" install --quiet --only-binary :all: numpy
said=$(env -i PATH="$work/venv/bin:/usr/bin:/bin" bash -c "$(sed -n "s/^\(python3 -c .*'\)    # .*/\1/p" README.md)")
expected=$(sed -n "s/^python3 -c .*'    # //p" README.md)
[ -n "$expected" ] && [ "$said" = "$expected" ] || { echo "Python says $said and not $expected" >&2; exit 1; }

echo "== archive"
mkdir "$work/archive"
tar --extract --gzip --file "$files"/assay-*.tar.gz --directory "$work/archive" --strip-components 1
try "$work/archive"
# The C interface, from what was unpacked alone.
cc -o "$work/check" "$work"/archive/share/doc/assay/examples/libassay/c/*.c -I "$work/archive/include" -L "$work/archive/lib" -lassay
LD_LIBRARY_PATH=$work/archive/lib "$work/check" >/dev/null

if ! command -v mmdebstrap >/dev/null || [ "$(id -u)" != 0 ]; then
    skipped debian "package and image were not installed: that needs root, and apt-get install mmdebstrap buildah"
    exit 0
fi
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
mmdebstrap --quiet --variant=minbase --include=python3,gcc,libc6-dev "$suite" "$work/debian"

echo "== image"
if command -v buildah >/dev/null; then
    export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
    buildah() { command buildah --root "$work/storage" --runroot "$work/running" "$@"; }
    base=$(buildah from scratch)
    buildah add --quiet "$base" "$work/debian" / >/dev/null
    buildah commit --quiet "$base" localhost/debian >/dev/null
    buildah build --quiet --build-arg RUNTIME=localhost/debian --file deploy/Containerfile --tag assay . >/dev/null
    container=$(buildah from localhost/assay)
    mkdir "$work/shared" && cp "$work/run" "$work/commands" "$work/shared" && chmod -R a+rX "$work/shared"
    buildah run --volume "$work/shared:/campaign:ro" "$container" -- bash /campaign/run /usr /campaign/commands
else
    skipped buildah "no image was built: apt-get install buildah"
fi

echo "== Debian package"
# The program starts itself from /proc.
mount -t proc proc "$work/debian/proc"
cp "$files"/assay_*.deb "$work/run" "$work/commands" "$work/debian/tmp"
chroot "$work/debian" sh -c 'dpkg --install /tmp/assay_*.deb' >/dev/null
chroot "$work/debian" env -i HOME=/tmp PATH=/usr/bin:/bin bash /tmp/run /usr /tmp/commands
chroot "$work/debian" dpkg --remove assay >/dev/null
! [ -e "$work/debian/usr/bin/assay" ]
