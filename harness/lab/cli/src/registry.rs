//! The program `assay-lab`: its commands, each with an example and the common options that the
//! command takes.

use assay_cli::ASSAY;
use assay_cli::program::OptionGroup::{Device, Jobs, Numbers, Readings};
use assay_cli::program::{AddedSubject, CommandEntry, Program, leaf};
use assay_independent::Fault;
use assay_mutation::independent::IndependentSubject;

use crate::{certify, errata, isa, libfuzzer, mutants, pseudo, schema};

/// The program `assay-lab`.
pub static ASSAY_LAB: Program = Program {
    name: "assay-lab",
    about: "The laboratory of assay: all its commands, and those that check the harness and the specification.\n\n\
        Plants faults and shows that they are noticed, proves the bounds of the oracle's filter, holds the \
        instruction tables and the specification documents against each other, and replays inputs of the \
        libFuzzer targets. Its subjects are those of assay, and `independent`: a device for part of the \
        instruction set that was written from the documents alone. `independent:FAULT` is this device with one of \
        its faults, which the message for an unknown fault lists. The subject `document` executes the documents \
        in the folder that ASSAY_SPEC_DIR names, and `document:literal` their text without patches.",
    commands: &[assay_cli::COMMANDS, COMMANDS],
    printed: &[assay_cli::commands::schema::PRINTED, schema::PRINTED],
    files: ASSAY.files,
    subjects: &[INDEPENDENT, DOCUMENT],
    elsewhere: &[],
};

/// The subject `independent`, a device that was written from the documents alone. Its variants are
/// this device with one fault.
const INDEPENDENT: AddedSubject = AddedSubject {
    name: "independent",
    variants: || Fault::ALL.iter().map(|fault| fault.name).collect(),
    make: |variant, numbers| Box::new(IndependentSubject::new(variant.and_then(Fault::of), numbers)),
};

/// The subject `document`, the specification documents themselves. Its variants are profiles.
const DOCUMENT: AddedSubject = AddedSubject {
    name: "document",
    variants: || pseudo::PROFILES.to_vec(),
    make: |variant, numbers| pseudo::subject(variant, &numbers),
};

/// The commands that `assay` lacks, and groups that have more subcommands than in `assay`.
const COMMANDS: &[CommandEntry] = &[
    CommandEntry::group::<isa::LabIsa>(
        "isa",
        &[
            leaf("isa list", &[Numbers, Jobs], "assay isa list"),
            leaf("isa show", &[Readings, Numbers, Jobs], "assay isa show FSETP --profile sm90"),
            leaf("isa asm", &[Numbers, Jobs], "assay isa asm 'FADD.RM R0, R1, R2'"),
            leaf("isa disasm", &[Numbers, Jobs], "assay isa disasm 0x0000000000010000000100007000"),
            leaf("isa lint", &[Numbers, Jobs], "assay-lab isa lint documents/fadd.md"),
            leaf("isa diff", &[Numbers, Jobs], "assay-lab isa diff"),
            leaf(
                "isa pseudo",
                &[Readings, Numbers, Jobs],
                "assay-lab isa pseudo documents/fadd.md --profile literal",
            ),
        ],
    ),
    CommandEntry::group::<errata::LabErrata>(
        "errata",
        &[
            leaf("errata list", &[Readings, Numbers, Jobs], "assay errata list"),
            leaf("errata show", &[Readings, Numbers, Jobs], "assay errata show E056"),
            leaf("errata prove", &[Readings, Numbers, Jobs], "assay-lab errata prove E056 E173"),
            leaf(
                "errata settle",
                &[Readings, Numbers, Device, Jobs],
                "assay errata settle --subject lib:./device.so",
            ),
            leaf("errata discover", &[Readings, Numbers, Jobs], "assay-lab errata discover E173"),
            leaf("errata report", &[Readings, Numbers, Jobs], "assay errata report --out target/errata"),
            leaf("errata schema", &[Readings, Numbers, Jobs], "assay-lab errata schema > errata.schema.json"),
        ],
    ),
    CommandEntry::group::<mutants::Mutants>(
        "mutants",
        &[
            leaf("mutants list", &[Numbers], "assay-lab mutants list --family rounding"),
            leaf(
                "mutants run",
                &[Readings, Numbers, Jobs],
                "assay-lab mutants run --family rounding --only FFMA",
            ),
            leaf("mutants vectors", &[Numbers], "assay-lab mutants vectors --only FFMA"),
        ],
    ),
    CommandEntry::of::<certify::Certify>(
        "certify",
        &[leaf("certify", &[Jobs], "assay-lab certify --check ex2")],
    ),
    CommandEntry::group::<libfuzzer::Libfuzzer>(
        "libfuzzer",
        &[
            leaf("libfuzzer list", &[], "assay-lab libfuzzer list"),
            leaf("libfuzzer dictionary", &[], "assay-lab libfuzzer dictionary case_file > case_file.dict"),
            leaf(
                "libfuzzer replay",
                &[],
                "assay-lab libfuzzer replay fuzz/artifacts/decode/crash-0a1b --target decode",
            ),
        ],
    ),
];
