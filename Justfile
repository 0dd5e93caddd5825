# Every task of the project. `./just.sh TASK` sets up the machine first.

assay := '"$(scripts/build.sh)"/assay'
lab := '"$(scripts/build.sh -p assay-lab)"/assay-lab'

# List the tasks.
[private]
default:
    @just --list --unsorted

# The main job: 20 million generated cases, model against MPFR oracle, with an ULP report.
[group('use')]
campaign *ARGS:
    {{ assay }} fuzz {{ ARGS }}

# The optimised program, `target/release/assay`.
[group('use')]
build:
    scripts/build.sh >/dev/null

# The checks that CI runs; docs/internals/checks.md lists them. Ends with the number of those that passed, failed and were skipped.
[group('test')]
test:
    JUST={{ quote(just_executable()) }} scripts/test.sh format lint unit instruction-sets docs lint-isa vectors covered certified check-lowering check-deploy deterministic mutants cosimulate python check-published browser

# The checks that take too long for `test`. Those that passed on these sources before are left out; docs/internals/checks.md has the outcomes.
[group('deep')]
test-deep:
    JUST={{ quote(just_executable()) }} scripts/test-deep.sh filter-billion definitions every-pattern as-measured killed smoke endurance two-shards test-slurm test-parallel test-ci rehearse quiet-nights check-trace-readers test-aarch64 third-party independent mutate-judge add-optype first-campaign test-release

# Formatting.
[group('test')]
format:
    cargo fmt --all --check
    cargo fmt --manifest-path fuzz/Cargo.toml --check

# Clippy, warnings denied.
[group('test')]
lint:
    cargo clippy --workspace --all-targets --locked -- -D warnings
    cargo clippy --manifest-path fuzz/Cargo.toml --target-dir "${CARGO_TARGET_DIR:-target}" --locked -- -D warnings

# Unit, property, integration and doc tests.
[group('test')]
unit:
    RUST_TEST_THREADS=${RUST_TEST_THREADS:-$(( 2 * $(nproc) ))} cargo test --workspace --locked --no-fail-fast

# API documentation, warnings denied.
[group('test')]
docs:
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked

# The instruction tables against themselves and against the documents' facts.
[group('test')]
lint-isa:
    {{ lab }} isa lint
    {{ lab }} isa diff

# The recorded vectors, on the model and in the oracle; a witness for every setting of every reading.
[group('test')]
vectors:
    {{ assay }} vectors check
    {{ lab }} errata prove

# Generated cases until every coverage bin was hit, and every combination of listed operands.
[group('test')]
covered:
    {{ assay }} fuzz --until-covered --cases 4000000000 --out target/covered --overwrite
    {{ assay }} sweep fadd fmul ffma fmnmx fsetp fset fsel fchk bmsk sgxt ubmsk usgxt --tier quick --out target/products --overwrite

# The page of the specification's errata, for its owner, into target/errata.
[group('use')]
errata *ARGS:
    {{ assay }} errata report --out target/errata {{ ARGS }}

# Suites that hit every coverage bin, derived from the rows, into vectors/generated.
[group('use')]
generate *ARGS:
    {{ assay }} vectors generate {{ ARGS }}

# A short campaign: the same bytes on one thread, on all, and in shards.
[group('test')]
deterministic:
    scripts/deterministic.sh

# The unit tests of arithmetic on an optimised build, with SSE2, AVX2 and AVX-512 each.
[group('test')]
instruction-sets:
    scripts/instruction-sets.sh

# The floating-point environment, the filters and the codec on an emulated AArch64.
[group('deep')]
[private]
test-aarch64:
    scripts/test-aarch64.sh

# The filter of FADD, FMUL and FFMA against MPFR on a billion constructed cases.
[group('deep')]
[private]
filter-billion:
    cargo test --release -p assay-mpfr --lib a_billion_structured_operands_agree -- --ignored

# The instructions as circuits: ten million cases of each optype against the model; FADD and parts of FFMA proved for all inputs.
[group('deep')]
[private]
definitions:
    cargo test --release -p assay-circuit --test it -- --ignored definitions:: proofs::

# The lanes of MUFU as the H200 was measured, in Rust and in C, and how far neighbouring results go backward: all inputs of ten functions.
[group('deep')]
[private]
as-measured:
    cargo test --release -p assay-crosscheck --test it -- --ignored --nocapture h200:: h200_copies:: inversions::

# MUFU of every pattern: lanes that the model computes together against lanes that it computes one by one.
[group('deep')]
[private]
every-pattern:
    cargo test --release -p assay-model --lib every_pattern -- --ignored --nocapture
    cargo test --release -p assay-engine --test it -- --ignored columns_and_enclosures

# A campaign and a sweep killed a hundred times and resumed, in 1, 2 and 7 shards: the same bytes (about five minutes).
[group('deep')]
[private]
killed *ARGS:
    scripts/killed.sh {{ ARGS }}

# Eight hours of sessions cut short: memory and folders must stay flat (nine minutes).
[group('deep')]
[private]
endurance *ARGS:
    scripts/endurance.sh {{ ARGS }}

# The same plan whole, twice side by side, and as two shards side by side: those take at most 1/1.9 of it (a minute, on two idle cores).
[group('deep')]
[private]
two-shards *ARGS:
    scripts/two-shards.sh {{ ARGS }}

# A campaign on a real Slurm of one node, installed from Debian's packages (two minutes).
[group('deep')]
[private]
test-slurm:
    scripts/test-slurm.sh

# A campaign with GNU parallel on this machine, a shard of it killed and done later.
[group('deep')]
[private]
test-parallel:
    scripts/test-parallel.sh

# Findings for each of the 308 faults of the independent device, as a table, and the sentences of sixty of them (an hour).
[group('deep')]
[private]
independent:
    cargo test --release -p assay-engine --test it -- --ignored --nocapture independent:: sentences:: explanations::
    cargo test --workspace --test it -- --ignored dut_check::

# What the action for users' CI runs, on the example device.
[group('deep')]
[private]
test-ci:
    scripts/test-ci.sh

# Lint shell scripts, workflows, Kubernetes resources and container files.
[group('test')]
check-deploy:
    scripts/check-deploy.sh

# With --code DIR: what a GPU's driver made of it, as `just capture` leaves it, held to the same.
# Assemble the PTX that stands for each instruction: it must become the SASS that docs/lowering.md lists (a minute).
[group('test')]
check-lowering *ARGS:
    scripts/check-lowering.sh {{ ARGS }}

# Write the pages in docs/instructions anew: a test tells when they are stale.
[group('lab')]
instruction-pages:
    cargo run --locked --bin assay -- isa show --all --out docs/instructions

# Write the pages in docs/reference anew, from clap and from the types: a test tells when they are stale.
[group('lab')]
reference-pages:
    BLESS=1 cargo test --locked -p assay-lab --test it -- reference::

# What users install: a wheel, an archive, a Debian package and their digests, into target/distribution.
[group('release')]
release:
    scripts/release.sh

# All that a machine with a GPU needs to be asked, in target/capture: the program, its script and the vectors.
[group('release')]
capture-kit:
    mkdir -p target/capture
    strip -o target/capture/assay {{ assay }}
    cp scripts/capture.sh target/capture/
    rm -rf target/capture/vectors
    cp -r vectors/data target/capture/vectors

# Ask a GPU everything, in phases of at most ten minutes: run it until all is done. `just capture OUT model` rehearses.
[group('release')]
capture *ARGS: capture-kit
    target/capture/capture.sh {{ ARGS }}

# Run a command as if there were an NVIDIA driver: `just stand-in assay fuzz --subject cuda:0 --profile sm90`.
[group('use')]
stand-in *COMMAND:
    scripts/stand-in.sh {{ COMMAND }}

# Ask the stand-in everything that a GPU will be asked, driver and all (three minutes).
[group('deep')]
[private]
rehearse:
    cargo test --workspace --test it live:: -- --ignored

# Twenty nights with known bugs are quiet, and each of twenty pairs with another bug makes one loud (two minutes).
[group('deep')]
[private]
quiet-nights:
    cargo test --workspace --test it quiet_nights:: -- --ignored

# A trace read by pandas, Polars and DuckDB.
[group('deep')]
[private]
check-trace-readers:
    scripts/check-trace-readers.sh

# The commands of README.md and docs, with the output that they show. `unit` runs them too.
[group('test')]
pages *PAGES:
    PAGES='{{ PAGES }}' cargo test -p assay-lab --test it pages::

# Lint the SystemVerilog example of libassay.
[group('test')]
check-systemverilog:
    scripts/check-systemverilog.sh || [ $? = 77 ]

# Simulate it against the library (a minute).
[group('test')]
cosimulate:
    scripts/check-systemverilog.sh --run || [ $? = 77 ]

# Build the wheel of the Python package into target/wheels, and test it (half a minute).
[group('test')]
python:
    scripts/python.sh

# A night: vectors, sweeps and campaigns in stages, then the page that says what changed (about an hour).
[group('use')]
nightly *ARGS:
    {{ assay }} nightly --resume {{ ARGS }}

# Plant every known fault: each must be caught.
[group('test')]
mutants:
    {{ lab }} mutants run

# Mutate the code that forms verdicts, and run the tests on each mutant; docs/internals/judge-mutants.json has what none of them notices.
[group('deep')]
[private]
mutate-judge *ARGS:
    scripts/mutate-judge.sh {{ ARGS }}

# Add an optype to a copy by the excerpts of docs/internals/adding-an-instruction.md, and run the tests that the page names.
[group('deep')]
[private]
add-optype:
    scripts/add-optype.sh

# The first command of the README, in a fresh clone with nothing compiled.
[group('deep')]
[private]
first-campaign:
    scripts/first-campaign.sh

# Install what `just release` builds, each file into an environment without Rust, and run the commands of the README there.
[group('release')]
test-release: release
    scripts/test-release.sh

# Run each libFuzzer target for a few seconds, and find a planted fault (needs a nightly toolchain).
[group('deep')]
[private]
smoke SECONDS="10":
    scripts/smoke.sh {{ SECONDS }}

# Run a libFuzzer target for some seconds over its corpus in target/libfuzzer (needs a nightly toolchain and cargo-fuzz).
[group('lab')]
fuzz-target TARGET SECONDS="60":
    scripts/fuzz-target.sh {{ TARGET }} {{ SECONDS }}

# Plant one fault, find it, shrink it, explain it: under a minute.
[group('use')]
demo FAULT="ffma-product-sticky-lost":
    scripts/demo.sh {{ FAULT }}

# With SoftFloat, MPFR and libm beside it where cmake is installed. `--before PROGRAM` runs another build in turn, `--testfloat FOLDER`
# the programs of Berkeley TestFloat, `--long` the sweeps of 2^32, `--growth` threads, shards and numbers of cases, `--only TEXT` some
# rows. Then the oracle beside the bare MPFR call.
# The table of docs/performance.md.
[group('lab')]
bench *ARGS:
    cargo build --release --quiet -p assay-device --examples
    scripts/bench.py --assay {{ assay }} --devices target/release/examples --peers harness/lab/third-party/rust --out target/bench.json {{ ARGS }}
    cargo run --release --quiet -p assay-mpfr --example bench

# What cases find by seed, beside another build: bins, closing all of them, planted faults (`--before PROGRAM`; a quarter of an hour).
[group('lab')]
distribution *ARGS:
    scripts/distribution.py --assay {{ assay }} {{ ARGS }}

# Nanoseconds a case by stage; of an input of a full sweep by stage; ten thousand shards; what it costs to couple a device; the filters
# beside MPFR.
[group('lab')]
bench-stages:
    cargo bench -p assay-engine --bench campaign
    cargo bench -p assay-engine --bench exhaustive
    cargo bench -p assay-records --bench merge
    cargo bench -p assay-device --bench coupling
    cargo run --release --quiet -p assay-mpfr --example filter

# The ULP report of all eighteen pairs of MUFU: 16-bit types exhaustively, the others sampled (about two minutes).
[group('use')]
ulp *ARGS:
    {{ assay }} sweep mufu --tier quick --out target/ulp --overwrite {{ ARGS }}
    {{ assay }} report target/ulp --out target/ulp/report

# Prove the filter's bounds with MPFR over whole domains (about an hour and a half on two cores), and go on where it was stopped.
[group('lab')]
certify *ARGS:
    {{ lab }} certify --out oracles/mpfr/certificates {{ ARGS }}

# That this build, on this CPU, computes what the certificates were made of (about a minute).
[group('test')]
certified:
    {{ lab }} certify --check

# Pages of real runs and the published ones, opened in Chromium: no error, axe-core, sorting, charts; screenshots in target/browser.
[group('test')]
browser:
    scripts/browser.sh

# The published pages are those of the results beside them.
[group('test')]
check-published *NAMES:
    scripts/published.sh {{ NAMES }}

# Render the published pages anew from the results beside them.
[group('lab')]
published-pages *NAMES:
    scripts/published.sh --render {{ NAMES }}

# The published reports of the model, anew; fails if a result changed (about twenty minutes on two cores).
[group('lab')]
published *NAMES:
    scripts/published.sh --anew {{ NAMES }}

# Every input of MUFU.RCP, with its ULP report.
[group('use')]
sweep *ARGS:
    {{ assay }} sweep mufu.rcp.f32 {{ ARGS }}

# Install what the collection of others' implementations needs of Debian and PyPI: all of it, or by name.
[group('lab')]
third-party-setup *NAMES:
    harness/lab/third-party/run.py --setup {{ NAMES }}

# Judge implementations that others made (docs/third-party.md); the summary is target/third-party/summary.json.
[group('deep')]
[private]
third-party *NAMES:
    ASSAY="$(scripts/build.sh)/assay" harness/lab/third-party/run.py {{ NAMES }}

# Find defects again that the world knows, each by a plain campaign.
[group('lab')]
third-party-blind *IDS:
    ASSAY="$(scripts/build.sh)/assay" harness/lab/third-party/run.py --blind {{ IDS }}

# The stage of a nightly run: other cases each day; a difference that defects.toml does not list fails it.
[group('lab')]
third-party-nightly:
    ASSAY="$(scripts/build.sh)/assay" harness/lab/third-party/run.py --seed date

# Write the pages of the collection anew, from the last whole run of `third-party`.
[group('lab')]
third-party-pages:
    harness/lab/third-party/pages.py
