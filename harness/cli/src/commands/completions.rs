//! `assay completions`: completion scripts for shells, and the manual pages.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::output;
use crate::program::RunCommand;

/// Print shell completions, or write the manual pages.
#[derive(Args)]
pub struct Completions {
    /// The shell to complete for.
    #[arg(value_enum, required_unless_present = "man")]
    shell: Option<Shell>,
    /// Write a manual page for each command into this folder, and print no completions.
    #[arg(long, value_name = "DIR", conflicts_with = "shell")]
    man: Option<PathBuf>,
}

impl RunCommand for Completions {
    fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        let mut command = context.program.command_line();
        if let Some(shell) = self.shell {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut command, context.program.name(), &mut text);
            output::print(&String::from_utf8_lossy(&text))?;
        }
        if let Some(folder) = &self.man {
            let wrong = |error: std::io::Error| Failure::input(format!("{}: {error}", folder.display()));
            std::fs::create_dir_all(folder).map_err(wrong)?;
            clap_mangen::generate_to(command, folder).map_err(wrong)?;
        }
        Ok(ExitStatus::Held)
    }
}
