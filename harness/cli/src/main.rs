//! The program `assay`.

use std::process::ExitCode;

fn main() -> ExitCode {
    assay_cli::ASSAY.main()
}
