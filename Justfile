# Every task of the project. `./just.sh TASK` sets up the machine first.

assay := "cargo run --release --quiet -p assay-cli --"

# List the tasks.
default:
    @just --list

# The main job: 20 million generated cases, model against MPFR oracle, with an ULP report.
campaign *ARGS:
    {{ assay }} fuzz {{ ARGS }}

# Every check, as CI runs them.
test: format lint unit docs lint-isa vectors covered check-lowering deterministic mutants smoke
    @echo "all checks passed"

# Formatting.
format:
    cargo fmt --all --check
    cargo fmt --manifest-path fuzz/Cargo.toml --check

# Clippy, warnings denied.
lint:
    cargo clippy --workspace --all-targets --locked -- -D warnings

# Unit, property, integration and doc tests.
unit:
    cargo test --workspace --locked

# API documentation, warnings denied.
docs:
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked

# The instruction tables against themselves and against the documents' facts.
lint-isa:
    {{ assay }} isa lint
    {{ assay }} isa diff

# The recorded vectors, on the model and in the oracle; a witness for every setting of every reading.
vectors:
    {{ assay }} vectors check
    {{ assay }} errata prove

# Generated cases until every coverage bin was hit, and every combination of listed operands.
covered:
    {{ assay }} fuzz --until-covered --cases 2000000000 --out target/covered --overwrite
    {{ assay }} sweep fadd fmul ffma fmnmx fsetp fset fsel fchk bmsk sgxt ubmsk usgxt --tier quick --out target/products --overwrite

# The page of the specification's errata, for its owner, into target/errata.
errata *ARGS:
    {{ assay }} errata report --out target/errata {{ ARGS }}

# Suites that hit every coverage bin, derived from the rows, into vectors/generated.
generate *ARGS:
    {{ assay }} vectors generate {{ ARGS }}

# A short campaign: the same bytes on one thread, on all, and in shards.
deterministic:
    scripts/deterministic.sh

# A whole sweep killed at random moments and resumed, in 1, 2 and 7 shards: the same bytes (about five minutes).
killed *ARGS:
    scripts/killed.sh {{ ARGS }}


# Assemble the PTX that stands for each instruction: it must become the SASS that docs/lowering.md lists (a minute).
check-lowering *ARGS:
    scripts/check-lowering.sh {{ ARGS }}

# All that a machine with a GPU needs to be asked, in target/capture: the program, its script and the witnesses.
capture-kit:
    cargo build --release --quiet -p assay-cli
    mkdir -p target/capture
    strip -o target/capture/assay target/release/assay
    cp scripts/capture.sh target/capture/
    rm -rf target/capture/witnesses
    cp -r vectors/data/witnesses target/capture/witnesses

# Ask a GPU everything, in phases of at most ten minutes: run it until all is done. `just capture OUT model` rehearses.
capture *ARGS: capture-kit
    target/capture/capture.sh {{ ARGS }}

# A trace read by pandas, Polars and DuckDB (says so where they cannot be installed).
check-trace-readers:
    scripts/check-trace-readers.sh
