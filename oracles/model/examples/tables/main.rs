//! Generates the lookup tables of the model's function unit: prints one as Rust source, or checks the committed ones.
//!
//! Each table is a committed Rust source file of the model. So the model builds without this
//! program, and readers see its numbers. The generators are deterministic: `--check` and the test
//! below regenerate a table and compare it with the committed file.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};

mod ex2;
mod fit;
mod lg2;
mod print;
mod rcp;
mod real;
mod rsq;
mod sqrt;
mod tanh;
mod trig;

/// Generates the lookup tables of the model's function unit
#[derive(Parser)]
struct Arguments {
    /// The table to print, or with --check the table to check (default: all)
    #[arg(required_unless_present = "check")]
    table: Option<Table>,
    /// Regenerate the table and compare it with the committed file, instead of printing it
    #[arg(long)]
    check: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let tables = arguments.table.map_or(Table::ALL.to_vec(), |table| vec![table]);
    let mut status = ExitCode::SUCCESS;
    for table in tables {
        if !arguments.check {
            print!("{}", table.source());
        } else if let Err(message) = table.check() {
            eprintln!("{message}");
            status = ExitCode::FAILURE;
        }
    }
    status
}

/// A table of the function unit, named after its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Table {
    /// The reciprocal, `MUFU.RCP`.
    Rcp,
    /// The reciprocal square root, `MUFU.RSQ`.
    Rsq,
    /// The square root, `MUFU.SQRT`.
    Sqrt,
    /// The power of two, `MUFU.EX2`.
    Ex2,
    /// The logarithm, `MUFU.LG2`.
    Lg2,
    /// Sine and cosine, `MUFU.SIN` and `MUFU.COS`.
    Trig,
    /// The hyperbolic tangent, `MUFU.TANH`.
    Tanh,
}

impl Table {
    /// Every table.
    const ALL: [Table; 7] =
        [Table::Rcp, Table::Rsq, Table::Sqrt, Table::Ex2, Table::Lg2, Table::Trig, Table::Tanh];

    /// Returns the path of the committed file.
    fn path(self) -> PathBuf {
        let file = match self {
            Table::Rcp => "rcp/table.rs",
            Table::Rsq => "rsq/table.rs",
            Table::Sqrt => "sqrt/table.rs",
            Table::Ex2 => "ex2/table.rs",
            Table::Lg2 => "lg2/table.rs",
            Table::Trig => "trig/table.rs",
            Table::Tanh => "tanh/table.rs",
        };
        PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src/mufu")).join(file)
    }

    /// Generates the Rust source of the table.
    fn source(self) -> String {
        match self {
            Table::Rcp => rcp::source(),
            Table::Rsq => rsq::source(),
            Table::Sqrt => sqrt::source(),
            Table::Ex2 => ex2::source(),
            Table::Lg2 => lg2::source(),
            Table::Trig => trig::source(),
            Table::Tanh => tanh::source(),
        }
    }

    /// Regenerates the table and compares it with the committed file. The error says how to update
    /// the file.
    fn check(self) -> Result<(), String> {
        let path = self.path();
        let committed = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let generated = self.source();
        if committed == generated {
            return Ok(());
        }
        let same = committed.lines().zip(generated.lines()).take_while(|(a, b)| a == b).count();
        let name = format!("{self:?}").to_lowercase();
        Err(format!(
            "{}: line {} differs from the generator's output; to update the file, run\n  \
             cargo run -p assay-model --release --example tables -- {name} > {}",
            path.display(),
            same + 1,
            path.display(),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::{Table, real};

    #[test]
    fn a_root_of_fixed_point_is_exact() {
        assert_eq!(real::sqrt(4 * real::ONE), 2 * real::ONE);
    }

    #[test]
    fn committed_tables_are_what_the_generators_print() {
        for table in Table::ALL {
            table.check().unwrap_or_else(|message| panic!("{message}"));
        }
    }
}
