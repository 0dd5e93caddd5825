#!/usr/bin/env bash
# Builds the wheel into target/wheels, installs it into an environment of its own, and runs its tests and the examples of
# docs/python.md there. The wheel is optimised, unless ASSAY_PROFILE is dev: then it is what the tests have built.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/skip.sh
. scripts/skip.sh
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
venv=$target/python
packages="maturin==1.16.0 mypy==2.4.1 numpy==2.4.6 pytest==9.2.0"
if [ "$(cat "$venv/packages" 2>/dev/null)" != "$packages" ]; then
    rm -rf "$venv"
    # shellcheck disable=SC2086 # a list of packages
    if ! { python3 -m venv "$venv" && "$venv/bin/pip" install --quiet --only-binary :all: $packages; }; then
        skipped python-packages "no wheel was built, and docs/python.md was not run: $packages cannot be installed"
        exit 0
    fi
    echo "$packages" >"$venv/packages"
fi
rm -f "$target"/wheels/assay-*.whl
PATH=$venv/bin:$PATH scripts/wheel.sh "$target/wheels"
"$venv/bin/pip" install --quiet --no-index --no-deps --force-reinstall "$target"/wheels/assay-*.whl
# From a folder without sources, so that the installed package is imported.
cd "$target/wheels"
export ASSAY_ROOT=$OLDPWD PYTHONDONTWRITEBYTECODE=1
"$venv/bin/mypy" --strict --cache-dir "$venv/mypy" -p assay
"$venv/bin/python" -m mypy.stubtest --ignore-disjoint-bases assay._native
"$venv/bin/python" -m pytest -q -p no:cacheprovider "$ASSAY_ROOT/harness/python/tests"
