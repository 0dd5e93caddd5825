#!/usr/bin/env bash
# Builds into target/distribution what users install without compiling:
#   assay-VERSION-…-manylinux_….whl   the command and the Python module, for pip
#   assay-VERSION-HOST.tar.gz         the program, libassay, both C headers, manual pages, completions, examples
#   assay_VERSION_ARCHITECTURE.deb    the same, for Debian and Ubuntu; deploy/Containerfile makes an image of it
#   assay-VERSION-HOST.debug.gz       debug information: unpacked as `assay.debug` beside the program it gives backtraces lines
#   SHA256SUMS
# Needs dpkg-dev, and Python with venv for maturin and auditwheel.
# Usage: scripts/release.sh
set -euo pipefail
cd "$(dirname "$0")/.."
export ASSAY_PROFILE=dist
out=$(realpath -m "${CARGO_TARGET_DIR:-target}")/distribution
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
host=$(rustc -vV | sed -n 's/^host: //p')
for tool in dpkg-deb dpkg-shlibdeps python3; do
    command -v "$tool" >/dev/null || { echo "$tool is missing: apt-get install dpkg-dev python3-venv" >&2; exit 2; }
done
[ -z "$(git status --porcelain)" ] || echo "the checkout has changes, which the version of the program will not name" >&2
rm -rf "$out" && mkdir -p "$out"

built=$(scripts/build.sh -p libassay -p assay-python)
name=assay-$version-$host
scripts/tree.sh "$built" "$out/$name"
tar --create --gzip --file "$out/$name.tar.gz" --directory "$out" --sort=name --owner=0 --group=0 --numeric-owner "$name"
gzip --no-name <"$built/assay.debug" >"$out/$name.debug.gz"

# The package has the tree below /usr, and depends on the libraries that dpkg-shlibdeps finds the program to use.
package=$out/package architecture=$(dpkg --print-architecture)
mkdir -p "$package/DEBIAN" "$package/debian"
mv "$out/$name" "$package/usr"
mv "$package/usr/share/doc/assay/CHANGELOG.md" "$package/usr/share/doc/assay/changelog"
gzip --best --no-name "$package/usr/share/doc/assay/changelog"
cat "$package"/usr/share/doc/assay/{licences.txt,LICENSE-MIT,LICENSE-APACHE} >"$package/usr/share/doc/assay/copyright"
printf 'Source: assay\n\nPackage: assay\nArchitecture: any\n' >"$package/debian/control"
needs=$(cd "$package" && dpkg-shlibdeps -O usr/bin/assay usr/lib/libassay.so 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
rm -r "$package/debian"
cat >"$package/DEBIAN/control" <<CONTROL
Package: assay
Version: $version
Architecture: $architecture
Maintainer: developers of assay <assay@assay.invalid>
Installed-Size: $(du --summarize --block-size=1K "$package/usr" | cut -f 1)
Depends: $needs
Section: devel
Priority: optional
Description: conformance and fuzz harness of a SASS-like GPU instruction set
 It generates legal instructions and operands, executes them on a simulator, on
 RTL, on a library or on a GPU, and judges every result against the exact value.
CONTROL
chmod -R u=rwX,go=rX "$package"
dpkg-deb --root-owner-group --build "$package" "$out/assay_${version}_$architecture.deb" >/dev/null

tools=$out/tools
python3 -m venv "$tools"
"$tools/bin/pip" install --quiet --only-binary :all: maturin==1.16.0 auditwheel==6.8.2
PATH=$tools/bin:$PATH scripts/wheel.sh "$out"
"$tools/bin/auditwheel" show "$out"/assay-*.whl
rm -rf "$tools" "$package"
(cd "$out" && sha256sum -- * >SHA256SUMS && cat SHA256SUMS)
ls -l --human-readable "$out"
