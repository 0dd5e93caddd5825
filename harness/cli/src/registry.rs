//! The program `assay`: its commands, each with an example and the common options that it takes.

use crate::commands::{
    completions, coverage, dut, errata, eval, fuzz, isa, known_issues, merge, nightly, pipes, replay, report,
    rtl, schema, status, sweep, trace, vectors,
};
use crate::program::OptionGroup::{Device, Jobs, Numbers, Readings};
use crate::program::{CommandEntry, Program, leaf};

/// The program `assay`.
pub static ASSAY: Program = Program {
    name: "assay",
    about: "Differential fuzz and conformance harness for a SASS-like GPU instruction set.\n\n\
        Generates legal instructions and operands, executes them on a subject, and compares every result \
        with an independent oracle based on MPFR. Start with `assay fuzz`. Evaluate one case with `assay \
        eval 'FADD.RM R0, R1, R2' R1=0x3f800000 R2=0xbf800000`.",
    commands: &[COMMANDS],
    printed: &[schema::PRINTED],
    files: schema::FILES,
    subjects: &[],
    elsewhere: ELSEWHERE,
};

/// Commands that only `assay-lab` has. `assay` had most of them until version 0.1.
const ELSEWHERE: &[&str] = &[
    "mutants",
    "certify",
    "libfuzzer",
    "isa lint",
    "isa diff",
    "isa pseudo",
    "errata prove",
    "errata discover",
    "errata schema",
];

/// The commands of `assay`, in the order of the help.
pub const COMMANDS: &[CommandEntry] = &[
    CommandEntry::of::<fuzz::Fuzz>(
        "fuzz",
        &[leaf(
            "fuzz",
            &[Readings, Numbers, Device, Jobs],
            "assay fuzz --subject lib:./device.so --only FADD 'MUFU.RCP.*' --cases 1000000",
        )],
    ),
    CommandEntry::of::<sweep::Sweep>(
        "sweep",
        &[leaf(
            "sweep",
            &[Readings, Numbers, Device, Jobs],
            "assay sweep mufu.rcp.f32 --tier quick --subject lib:./device.so",
        )],
    ),
    CommandEntry::of::<report::Report>(
        "report",
        &[leaf("report", &[Numbers], "assay report runs/sweep-1 runs/sweep-2 --out page")],
    ),
    CommandEntry::of::<merge::Merge>(
        "merge",
        &[leaf("merge", &[Numbers], "assay merge shard-0 shard-1 --out merged.json")],
    ),
    CommandEntry::of::<eval::Eval>(
        "eval",
        &[leaf(
            "eval",
            &[Readings, Numbers, Device],
            "assay eval 'FADD.RM R0, R1, R2' R1=0x3f800000 R2=0xbf800000",
        )],
    ),
    CommandEntry::of::<pipes::Gen>(
        "gen",
        &[leaf(
            "gen",
            &[Readings, Numbers, Jobs],
            "assay gen --as jsonl --only FFMA --cases 100000 --out cases.jsonl",
        )],
    ),
    CommandEntry::of::<pipes::Ver>(
        "ver",
        &[leaf("ver", &[Readings, Numbers, Jobs], "assay ver --as jsonl answers.jsonl")],
    ),
    CommandEntry::of::<replay::Replay>(
        "replay",
        &[leaf(
            "replay",
            &[Readings, Numbers, Device],
            "assay replay runs/fuzz-1/findings/ffma-1.yaml --subject lib:./device.so",
        )],
    ),
    CommandEntry::group::<vectors::Vectors>(
        "vectors",
        &[
            leaf(
                "vectors check",
                &[Readings, Numbers, Device, Jobs],
                "assay vectors check --subject 'exec:python3 device.py'",
            ),
            leaf(
                "vectors generate",
                &[Readings, Numbers, Device, Jobs],
                "assay vectors generate FSET --out vectors/generated",
            ),
            leaf(
                "vectors promote",
                &[Readings, Numbers, Device, Jobs],
                "assay vectors promote runs/fuzz-1/findings/ffma-1.yaml --into vectors/regressions.yaml",
            ),
            leaf("vectors schema", &[Numbers, Jobs], "assay vectors schema > case.schema.json"),
        ],
    ),
    CommandEntry::group::<trace::Trace>(
        "trace",
        &[
            leaf(
                "trace capture",
                &[Readings, Numbers, Device, Jobs],
                "assay trace capture --subject cuda:0 --only FFMA --cases 1000000 --out ffma.parquet",
            ),
            leaf("trace check", &[Readings, Numbers, Jobs], "assay trace check ffma.parquet"),
            leaf("trace code", &[Readings, Numbers, Jobs], "assay trace code --out ptx"),
            leaf("trace info", &[Readings, Numbers, Jobs], "assay trace info ffma.parquet"),
            leaf(
                "trace vectors",
                &[Readings, Numbers, Jobs],
                "assay trace vectors ffma.parquet --out vectors/hardware",
            ),
        ],
    ),
    CommandEntry::group::<dut::Dut>(
        "dut",
        &[
            leaf("dut schema", &[Jobs], "assay dut schema > protocol.schema.json"),
            leaf("dut check", &[Readings, Numbers, Device, Jobs], "assay dut check 'python3 device.py'"),
            leaf("dut serve", &[Readings, Numbers, Device, Jobs], "assay dut serve model"),
        ],
    ),
    CommandEntry::of::<rtl::Rtl>(
        "rtl",
        &[leaf(
            "rtl",
            &[Numbers],
            "assay rtl examples/rtl/popcount.sv --map examples/rtl/popcount.yaml --out target/popcount",
        )],
    ),
    CommandEntry::group::<isa::Isa>(
        "isa",
        &[
            leaf("isa list", &[Numbers, Jobs], "assay isa list"),
            leaf("isa show", &[Readings, Numbers, Jobs], "assay isa show FSETP --profile sm90"),
            leaf("isa asm", &[Numbers, Jobs], "assay isa asm 'FADD.RM R0, R1, R2'"),
            leaf("isa disasm", &[Numbers, Jobs], "assay isa disasm 0x0000000000010000000100007000"),
        ],
    ),
    CommandEntry::group::<coverage::Coverage>(
        "coverage",
        &[
            leaf(
                "coverage show",
                &[Readings, Numbers, Jobs],
                "assay coverage show runs/fuzz-1 --only 'FADD_*'",
            ),
            leaf(
                "coverage missed",
                &[],
                "assay coverage missed runs/fuzz-1 --only FFMA_RRR --topic rounding",
            ),
            leaf(
                "coverage why",
                &[Readings, Numbers, Jobs],
                "assay coverage why 'FADD_RR rnd RM, rd becomes -zero'",
            ),
        ],
    ),
    CommandEntry::group::<errata::Errata>(
        "errata",
        &[
            leaf("errata list", &[Readings, Numbers, Jobs], "assay errata list"),
            leaf("errata show", &[Readings, Numbers, Jobs], "assay errata show E056"),
            leaf(
                "errata settle",
                &[Readings, Numbers, Device, Jobs],
                "assay errata settle --subject lib:./device.so",
            ),
            leaf("errata report", &[Readings, Numbers, Jobs], "assay errata report --out target/errata"),
        ],
    ),
    CommandEntry::of::<nightly::Nightly>(
        "nightly",
        &[leaf("nightly", &[Jobs], "assay nightly --config nightly.yaml --out campaign")],
    ),
    CommandEntry::of::<status::Status>("status", &[leaf("status", &[], "assay status campaign")]),
    CommandEntry::group::<known_issues::KnownIssuesCommand>(
        "known-issues",
        &[
            leaf("known-issues show", &[], "assay known-issues show campaign"),
            leaf("known-issues forget", &[], "assay known-issues forget 'FFMA | rd: wrong value' --in campaign"),
            leaf(
                "known-issues set",
                &[],
                "assay known-issues set 'FFMA | rd: wrong value' --is known --because 'ticket 123' --in campaign",
            ),
        ],
    )
    .or(&["ledger"]),
    CommandEntry::of::<schema::Schema>(
        "schema",
        &[leaf("schema", &[], "assay schema vectors check > check.schema.json")],
    ),
    CommandEntry::of::<completions::Completions>(
        "completions",
        &[leaf(
            "completions",
            &[],
            "assay completions bash > ~/.local/share/bash-completion/completions/assay",
        )],
    ),
];
