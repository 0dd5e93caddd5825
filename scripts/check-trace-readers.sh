#!/usr/bin/env bash
# A trace read by pandas, Polars and DuckDB: what they sum up is what `assay trace info` says.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/skip.sh
. scripts/skip.sh
assay=$(scripts/build.sh)/assay
venv=target/trace-readers
wheels="pandas==3.1.1 pyarrow==26.0.1 polars==2.1.0 duckdb==2.0.0"
if [ "$(cat "$venv/wheels" 2>/dev/null)" != "$wheels" ]; then
    rm -rf "$venv"
    # shellcheck disable=SC2086 # a list of packages
    if ! { python3 -m venv "$venv" && "$venv/bin/pip" install --quiet --only-binary :all: $wheels; }; then
        skipped trace-readers "no trace was read with pandas, Polars and DuckDB: they cannot be installed"
        exit 0
    fi
    echo "$wheels" >"$venv/wheels"
fi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
"$assay" trace capture --subject model --cases 600000 --out "$out/trace.parquet" >/dev/null
"$assay" trace info "$out/trace.parquet" --format json >"$out/info.json"
"$venv/bin/python" scripts/trace_readers.py "$out/trace.parquet" "$out/info.json" "$out/again.parquet"
# The hash is over rows: a file that Polars and pyarrow wrote anew is still the same trace.
"$assay" trace check "$out/again.parquet" --profile intended --out "$out/run" >/dev/null
echo "pandas, Polars and DuckDB read a trace of 600000 cases as it was written, and a copy by pyarrow is the same trace"
