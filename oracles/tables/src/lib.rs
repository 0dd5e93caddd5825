//! Generates the lookup tables of the model's function unit.
//!
//! Each table is a committed Rust source file of the model. So the model builds without this crate,
//! and its numbers can be read. The generators are deterministic: [`Table::check`] (and the test
//! beside it) regenerates a table and compares it with the committed file.
//!
//! ```
//! // Fixed-point numbers with 60 bits after the point: the square root of 4 is 2.
//! use assay_tables::real::{ONE, sqrt};
//!
//! assert_eq!(sqrt(4 * ONE), 2 * ONE);
//! ```

use std::{fs, path::PathBuf};

pub mod ex2;
pub mod fit;
pub mod lg2;
pub mod print;
pub mod rcp;
pub mod real;
pub mod rsq;
pub mod sqrt;
pub mod tanh;
pub mod trig;

/// A table of the function unit, named after the function it serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Table {
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
    pub const ALL: [Table; 7] =
        [Table::Rcp, Table::Rsq, Table::Sqrt, Table::Ex2, Table::Lg2, Table::Trig, Table::Tanh];

    /// Returns the path of the committed file.
    pub fn path(self) -> PathBuf {
        let file = match self {
            Table::Rcp => "rcp/table.rs",
            Table::Rsq => "rsq/table.rs",
            Table::Sqrt => "sqrt/table.rs",
            Table::Ex2 => "ex2/table.rs",
            Table::Lg2 => "lg2/table.rs",
            Table::Trig => "trig/table.rs",
            Table::Tanh => "tanh/table.rs",
        };
        PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../model/src/mufu")).join(file)
    }

    /// Generates the Rust source of the table.
    pub fn source(self) -> String {
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

    /// Regenerates the table and compares it with the committed file. The error names the fix.
    pub fn check(self) -> Result<(), String> {
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
             cargo run -p assay-tables --release -- {name} > {}",
            path.display(),
            same + 1,
            path.display(),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn committed_tables_are_what_the_generators_print() {
        for table in Table::ALL {
            table.check().unwrap_or_else(|message| panic!("{message}"));
        }
    }
}
