//! The program `assay-lab`.

use std::process::ExitCode;

fn main() -> ExitCode {
    assay_lab::ASSAY_LAB.main()
}
