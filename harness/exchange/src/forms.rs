//! The forms of cases and answers.

use assay_isa::Instruction;
use assay_runner::Context;
use assay_runner::RunError;

use crate::dialect::Dialect;
use crate::jsonl::JsonLines;
use crate::readmemh::ReadMemH;
use crate::testfloat::TestFloat;
use crate::yaml::Yaml;

/// A form of cases and answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Hexadecimal columns as Berkeley TestFloat writes them, for one instruction.
    Testfloat,
    /// One case per line, as `eval --stdin` reads them.
    Jsonl,
    /// A memory image for Verilog's $readmemh, for one instruction.
    Readmemh,
    /// A suite, as `vectors check` reads it.
    Yaml,
}

impl Form {
    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Form::Testfloat => "testfloat",
            Form::Jsonl => "jsonl",
            Form::Readmemh => "readmemh",
            Form::Yaml => "yaml",
        }
    }

    /// Whether all cases of a stream in this form must have the same instruction.
    pub fn has_one_instruction(self) -> bool {
        matches!(self, Form::Testfloat | Form::Readmemh)
    }

    /// Returns the dialect of this form. The forms testfloat and readmemh require the instruction
    /// of the stream.
    pub fn dialect<'a>(
        self,
        context: &'a Context,
        instruction: Option<&Instruction>,
    ) -> Result<Box<dyn Dialect + 'a>, RunError> {
        let one = || {
            let name = self.name();
            instruction.ok_or_else(|| {
                RunError::input(format!(
                    "--as {name} has one instruction a file; name it, such as 'FADD.RM R0, R1, R2' or f32_add"
                ))
            })
        };
        Ok(match self {
            Form::Testfloat => Box::new(TestFloat::new(context, one()?)?),
            Form::Readmemh => Box::new(ReadMemH::new(context, one()?)?),
            Form::Jsonl => Box::new(JsonLines::new(context)),
            Form::Yaml => Box::new(Yaml::new(context)),
        })
    }

    /// Returns the unit in which answers of this form are counted.
    pub fn unit(self) -> &'static str {
        if self == Form::Yaml { "case" } else { "line" }
    }
}
