//! `assay gen` and `assay ver`: cases out, answers in, for simulators that speak text. `docs/pipes.md` describes the forms.

mod verify;
mod write;

use assay_exchange::Form;
use clap::ValueEnum;

pub use verify::Ver;
pub use write::Gen;

/// A text format for cases and answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum As {
    /// Hexadecimal columns in the format of Berkeley TestFloat, for one instruction.
    Testfloat,
    /// One case a line in JSON, as `eval --stdin` reads them.
    Jsonl,
    /// A memory image for Verilog's $readmemh, for one instruction.
    Readmemh,
    /// A suite in YAML, as `vectors check` reads it.
    Yaml,
}

impl From<As> for Form {
    fn from(form: As) -> Form {
        match form {
            As::Testfloat => Form::Testfloat,
            As::Jsonl => Form::Jsonl,
            As::Readmemh => Form::Readmemh,
            As::Yaml => Form::Yaml,
        }
    }
}
