//! The forms of cases and answers by name: what `--as` can say.

use assay_isa::Instruction;
use clap::ValueEnum;

use super::dialect::Dialect;
use super::jsonl::JsonLines;
use super::readmemh::ReadMemH;
use super::testfloat::TestFloat;
use super::yaml::Yaml;
use crate::context::Context;
use crate::failure::Failure;

/// A form of cases and answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum As {
    /// Hexadecimal columns as Berkeley TestFloat writes them, of one instruction.
    Testfloat,
    /// A case a line, as `eval --stdin` reads them.
    Jsonl,
    /// A memory image for Verilog's $readmemh, of one instruction.
    Readmemh,
    /// A suite, as `vectors check` reads it.
    Yaml,
}

impl As {
    /// The form at work. Two of them need the one instruction that a stream of theirs is about.
    pub fn dialect<'a>(
        self,
        context: &'a Context,
        instruction: Option<&Instruction>,
    ) -> Result<Box<dyn Dialect + 'a>, Failure> {
        let one = || {
            let name = self.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned());
            instruction.ok_or_else(|| {
                Failure::input(format!(
                    "--as {name} has one instruction a file; name it, such as 'FADD.RM R0, R1, R2' or f32_add"
                ))
            })
        };
        Ok(match self {
            As::Testfloat => Box::new(TestFloat::new(context, one()?)?),
            As::Readmemh => Box::new(ReadMemH::new(context, one()?)?),
            As::Jsonl => Box::new(JsonLines::new(context)),
            As::Yaml => Box::new(Yaml::new(context)),
        })
    }

    /// What its answers are counted by.
    pub fn unit(self) -> &'static str {
        if self == As::Yaml { "case" } else { "line" }
    }
}
