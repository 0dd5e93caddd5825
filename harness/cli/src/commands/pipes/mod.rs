//! `assay gen` and `assay ver`: write cases and judge answers, for simulators with text interfaces.
//! `docs/pipes.md` describes the formats.

mod verify;
mod write;

use assay_exchange::Form;
use clap::ValueEnum;

pub use verify::Ver;
pub use write::Gen;

/// A text format for cases and answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExchangeForm {
    /// Hexadecimal columns in the format of Berkeley TestFloat, for one instruction.
    Testfloat,
    /// One case on each line in JSON, as `eval --stdin` reads them.
    Jsonl,
    /// A memory image for Verilog's $readmemh, for one instruction.
    Readmemh,
    /// A suite in YAML, as `vectors check` reads it.
    Yaml,
}

impl From<ExchangeForm> for Form {
    fn from(form: ExchangeForm) -> Form {
        match form {
            ExchangeForm::Testfloat => Form::Testfloat,
            ExchangeForm::Jsonl => Form::Jsonl,
            ExchangeForm::Readmemh => Form::Readmemh,
            ExchangeForm::Yaml => Form::Yaml,
        }
    }
}
