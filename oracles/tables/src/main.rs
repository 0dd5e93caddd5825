//! Prints a table of the function unit as Rust source, or checks the committed ones.

use assay_tables::Table;
use clap::Parser;
use std::process::ExitCode;

/// Generates the lookup tables of the model's function unit
#[derive(Parser)]
struct Arguments {
    /// The table to print (with --check: to check, by default all)
    #[arg(required_unless_present = "check")]
    table: Option<Table>,
    /// Regenerate and compare with the committed file instead of printing
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
