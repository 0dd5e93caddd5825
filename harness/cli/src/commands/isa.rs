//! `assay isa`: shows the instruction tables, and assembles and disassembles instructions.

mod show;

use assay_isa::shown::plural;
use assay_isa::{Form, Instruction, asm, catalog, codec};
use assay_records::commands::isa::{FormOutput, WordOutput};
use assay_vectors::InstructionParts;
use clap::Subcommand;

use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::output;
use crate::program::RunCommand;

pub use show::IsaShow;

/// Show, assemble and disassemble instructions.
#[derive(Subcommand)]
pub enum Isa {
    /// List every form.
    List,
    /// Show what an instruction computes, its operands, rules, examples, readings and encoding.
    Show(IsaShow),
    /// Assemble text into instruction words.
    Asm {
        /// Instructions as assembler text.
        #[arg(required = true)]
        text: Vec<String>,
    },
    /// Disassemble instruction words.
    Disasm {
        /// Words as 0x and up to 32 hexadecimal digits.
        #[arg(required = true)]
        words: Vec<String>,
    },
}

impl RunCommand for Isa {
    fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        match self {
            Isa::List => list(context),
            Isa::Show(show) => show.run(context),
            Isa::Asm { text } => assemble(context, text),
            Isa::Disasm { words } => disassemble(context, words),
        }
    }
}

fn list(context: &Context) -> Result<ExitStatus, Failure> {
    let forms = &catalog().forms;
    if context.json {
        output::print_output(&forms.iter().map(FormOutput::from).collect::<Vec<_>>())?;
    } else {
        let line = |f: &Form| format!("{:<10} {:<4} {}\n", f.name, f.stype, f.order.join(", "));
        output::print(
            &(forms.iter().map(line).collect::<String>()
                + &format!("{}\n", plural(forms.len(), "form", "forms"))),
        )?;
    }
    Ok(ExitStatus::Held)
}

fn assemble(context: &Context, texts: &[String]) -> Result<ExitStatus, Failure> {
    let mut rows = Vec::new();
    for text in texts {
        let instruction = context.assemble(text)?;
        let word = codec::encode(&instruction, &context.numbers);
        rows.push((instruction, word));
    }
    print_words(context, &rows)
}

fn disassemble(context: &Context, words: &[String]) -> Result<ExitStatus, Failure> {
    let mut rows = Vec::new();
    for text in words {
        let digits = text.strip_prefix("0x").map(|digits| digits.replace('_', ""));
        let digits = digits.filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
        let word = digits.and_then(|digits| u128::from_str_radix(&digits, 16).ok()).ok_or_else(|| {
            Failure::input(format!("`{text}` is no word; write 0x and up to 32 hexadecimal digits"))
        })?;
        let instruction = codec::decode(word, &context.numbers).map_err(|e| Failure::input(e.to_string()))?;
        rows.push((instruction, word));
    }
    print_words(context, &rows)
}

fn print_words(context: &Context, rows: &[(Instruction, u128)]) -> Result<ExitStatus, Failure> {
    if context.json {
        let output = |(instruction, word): &(Instruction, u128)| WordOutput {
            asm: asm::print(instruction),
            word: format!("{word:#034x}"),
            parts: InstructionParts::of(instruction),
        };
        output::print_output(&rows.iter().map(output).collect::<Vec<_>>())?;
    } else {
        output::print(
            &rows
                .iter()
                .map(|(instruction, word)| format!("{word:#034x}  {}\n", asm::print(instruction)))
                .collect::<String>(),
        )?;
    }
    Ok(ExitStatus::Held)
}
