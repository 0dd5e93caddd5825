//! Runs a program: reads the command line, and starts the command that it names.

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, FromArgMatches};

use assay_runner::subjects::added;

use crate::context::{self, Context, Global, NamedSchema, ProgramView};
use crate::failure::{self, ExitStatus, Failure};
use crate::program::{CommandEntry, OptionGroup, Program, parsed};
use crate::{help, interrupt, output};

impl Program {
    /// Runs the program, and returns its exit status.
    pub fn main(&'static self) -> ExitCode {
        if let Some(status) = assay_device::library::serve_if_asked() {
            return status;
        }
        // A library that was preloaded, or linked with -ffast-math, may have changed the
        // floating-point environment. Other threads inherit the environment that is set here.
        assay_fpenv::set_default();
        failure::break_lines_for_terminals();
        added::add(self.subjects);
        match check_text().and_then(|()| self.start()) {
            Ok(status) => ExitCode::from(status as u8),
            Err(failure) => failure.report(),
        }
    }

    fn start(&'static self) -> Result<ExitStatus, Failure> {
        let words: Vec<String> = std::env::args().skip(1).collect();
        let matches = help::command(self).try_get_matches();
        let matches = matches.unwrap_or_else(|error| self.explain(error, &words).exit());
        let (entry, arguments) = self.chosen(&matches);
        self.refuse_idle(&matches)?;
        let global: Global = parsed(&matches);
        if global.dry_run {
            (entry.check)(arguments, &Context::new(self, &global)?)?;
            output::say("the command can begin; nothing was executed, because of --dry-run");
            return Ok(ExitStatus::Held);
        }
        if entry.saves {
            interrupt::finish_work();
        }
        interrupt::install();
        if entry.names_build {
            assay_runner::build::begin_identity();
        }
        context::start_threads(&global)?;
        (entry.run)(arguments, &Context::new(self, &global)?)
    }

    fn chosen<'a>(&self, matches: &'a ArgMatches) -> (&'static CommandEntry, &'a ArgMatches) {
        let (name, arguments) = matches.subcommand().expect("clap asks for a command");
        let mut entries = self.entries().into_iter();
        (entries.find(|entry| entry.name == name).expect("clap knows the commands"), arguments)
    }

    /// Fails if the user gave a common option that the command does not take.
    fn refuse_idle(&self, matches: &ArgMatches) -> Result<(), Failure> {
        let (mut name, mut arguments) = (String::new(), matches);
        while let Some((word, below)) = arguments.subcommand() {
            name = format!("{name} {word}");
            arguments = below;
        }
        let name = name.trim();
        let Some(leaf) = self.leaves().find(|leaf| leaf.name == name) else { return Ok(()) };
        let idle = OptionGroup::ALL.into_iter().filter(|group| !leaf.takes.contains(group));
        let is_given = |option: &&&str| matches.value_source(option) == Some(ValueSource::CommandLine);
        match idle.flat_map(OptionGroup::options).find(is_given) {
            None => Ok(()),
            Some(option) => {
                let (program, option) = (self.name, option.replace('_', "-"));
                Err(Failure::input(format!("`{program} {name}` has no option --{option}"))
                    .help(format!("leave it out; `{program} {name} --help` lists the options")))
            }
        }
    }

    /// Replaces the error for an unknown command, if `assay-lab` has that command. The new message
    /// names `assay-lab`.
    fn explain(&self, error: clap::Error, words: &[String]) -> clap::Error {
        if error.kind() == ErrorKind::InvalidSubcommand && self.is_elsewhere(words) {
            let problem = format!("this is a command of assay-lab: run `assay-lab {}`\n", words.join(" "));
            clap::Error::raw(ErrorKind::InvalidSubcommand, problem)
        } else {
            error
        }
    }
}

impl ProgramView for Program {
    fn name(&self) -> &'static str {
        self.name
    }

    fn command_line(&'static self) -> clap::Command {
        help::command(self)
    }

    fn schemas(&self) -> Vec<NamedSchema> {
        self.printed().chain(self.files).copied().collect()
    }

    fn has(&self, words: &[String]) -> bool {
        !self.is_elsewhere(words)
    }

    fn check_command(&'static self, words: &[String]) -> Result<(), Failure> {
        let with_name = [self.name.to_owned()].into_iter().chain(words.iter().cloned());
        let parsed = help::command(self).try_get_matches_from(with_name);
        let matches = parsed.map_err(|error| Failure::input(usage_error(&self.explain(error, words))))?;
        self.refuse_idle(&matches)?;
        let global =
            Global::from_arg_matches(&matches).map_err(|error| Failure::input(usage_error(&error)))?;
        let (entry, arguments) = self.chosen(&matches);
        (entry.check)(arguments, &Context::new(self, &global)?)
    }
}

/// Returns clap's description of the error, without the usage text that follows it.
fn usage_error(error: &clap::Error) -> String {
    failure::first_paragraph(&error.render().to_string())
}

/// Refuses arguments that are not UTF-8, before anything is executed. Paths of results go into JSON
/// and into the names of runs, which must be UTF-8.
fn check_text() -> Result<(), Failure> {
    let wrong = std::env::args_os().enumerate().find(|(_, argument)| argument.to_str().is_none());
    match wrong {
        None => Ok(()),
        Some((place, argument)) => Err(Failure::input(format!(
            "argument {place} is not UTF-8: {argument:?}; rename the file or folder, or give another"
        ))),
    }
}
