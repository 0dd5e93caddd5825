//! Describes a program as data: its name, its commands, and the schemas of their output. `assay`
//! and `assay-lab` are such programs. `assay-lab` has the commands of `assay` and more.

pub use assay_runner::subjects::added::AddedSubject;
use clap::{ArgMatches, Args, FromArgMatches, Subcommand};

use crate::context::{Context, NamedSchema};
use crate::failure::{ExitStatus, Failure};

/// A program of several commands.
#[derive(Debug)]
pub struct Program {
    /// The name under which the program is started.
    pub name: &'static str,
    /// What the program does: one sentence, then an empty line and more text.
    pub about: &'static str,
    /// The commands, in the order of the help. If two commands have the same name, the later
    /// replaces the earlier.
    pub commands: &'static [&'static [CommandEntry]],
    /// The schemas of the JSON output of the commands.
    pub printed: &'static [&'static [NamedSchema]],
    /// The schemas of the files that the commands write.
    pub files: &'static [NamedSchema],
    /// The subjects that only this program has, in addition to the common ones.
    pub subjects: &'static [AddedSubject],
    /// Commands that only `assay-lab` has. If a user types one here, the error names `assay-lab`.
    pub elsewhere: &'static [&'static str],
}

/// A command of a program.
#[derive(Debug)]
pub struct CommandEntry {
    /// The word that names the command.
    pub name: &'static str,
    /// Earlier names, which still work.
    pub aliases: &'static [&'static str],
    /// The executable commands: each subcommand, or the command itself if it has no subcommands.
    pub leaves: &'static [Leaf],
    pub(crate) build: fn(clap::Command) -> clap::Command,
    pub(crate) run: fn(&ArgMatches, &Context) -> Result<ExitStatus, Failure>,
    pub(crate) check: fn(&ArgMatches, &Context) -> Result<(), Failure>,
    pub(crate) saves: bool,
    pub(crate) names_build: bool,
}

/// A command without subcommands, with an example.
#[derive(Debug)]
pub struct Leaf {
    /// The words that name the command, such as `vectors check`.
    pub name: &'static str,
    /// The common options that the command takes besides `--format`.
    pub takes: &'static [OptionGroup],
    /// An example command line, which the help shows.
    pub example: &'static str,
}

/// A group of common options. A command takes all options of a group, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionGroup {
    /// `--profile` and `--reading`.
    Readings,
    /// `--numbers`.
    Numbers,
    /// The limits of a device under test, and its files.
    Device,
    /// `--jobs`.
    Jobs,
}

impl OptionGroup {
    /// All groups.
    pub const ALL: [OptionGroup; 4] =
        [OptionGroup::Readings, OptionGroup::Numbers, OptionGroup::Device, OptionGroup::Jobs];

    /// Returns the names of the group's options, as clap knows them.
    pub fn options(self) -> &'static [&'static str] {
        match self {
            OptionGroup::Readings => &["profile", "reading"],
            OptionGroup::Numbers => &["numbers"],
            OptionGroup::Device => &["device_deadline", "device_failures", "device_file"],
            OptionGroup::Jobs => &["jobs"],
        }
    }
}

/// A command with its arguments, which can be run or checked.
pub trait RunCommand: FromArgMatches {
    /// Whether the command saves its work when it is interrupted. Other commands end at once.
    const SAVES: bool = false;
    /// Whether the command's result names this build. If so, the digest of the build is computed in
    /// the background.
    const NAMES_BUILD: bool = false;

    /// Runs the command.
    ///
    /// # Errors
    ///
    /// The command could not do its work.
    fn run(&self, context: &Context) -> Result<ExitStatus, Failure>;

    /// Checks that the command can begin. Nothing is executed.
    ///
    /// # Errors
    ///
    /// A file that the arguments name cannot be read, or a subject does not start.
    fn check(&self, _: &Context) -> Result<(), Failure> {
        Ok(())
    }
}

impl CommandEntry {
    /// Returns a command with arguments.
    pub const fn of<T: Args + RunCommand>(name: &'static str, leaves: &'static [Leaf]) -> CommandEntry {
        CommandEntry::new::<T>(name, leaves, T::augment_args)
    }

    /// Returns a command with subcommands.
    pub const fn group<T: Subcommand + RunCommand>(
        name: &'static str,
        leaves: &'static [Leaf],
    ) -> CommandEntry {
        CommandEntry::new::<T>(name, leaves, |command| {
            T::augment_subcommands(command).subcommand_required(true).arg_required_else_help(true)
        })
    }

    const fn new<T: RunCommand>(
        name: &'static str,
        leaves: &'static [Leaf],
        build: fn(clap::Command) -> clap::Command,
    ) -> CommandEntry {
        CommandEntry {
            name,
            aliases: &[],
            leaves,
            build,
            run: |matches, context| parsed::<T>(matches).run(context),
            check: |matches, context| parsed::<T>(matches).check(context),
            saves: T::SAVES,
            names_build: T::NAMES_BUILD,
        }
    }

    /// Sets the earlier names of the command, which still work.
    pub const fn or(self, aliases: &'static [&'static str]) -> CommandEntry {
        CommandEntry { aliases, ..self }
    }
}

/// Converts arguments that clap has already checked into the type of a command.
pub(crate) fn parsed<T: FromArgMatches>(matches: &ArgMatches) -> T {
    T::from_arg_matches(matches).unwrap_or_else(|error| error.exit())
}

impl Program {
    /// Returns the commands in the order of the help. A later command replaces an earlier command
    /// of the same name.
    pub fn entries(&self) -> Vec<&'static CommandEntry> {
        let mut entries: Vec<&'static CommandEntry> = Vec::new();
        for entry in self.commands.iter().copied().flatten() {
            match entries.iter_mut().find(|known| known.name == entry.name) {
                Some(known) => *known = entry,
                None => entries.push(entry),
            }
        }
        entries
    }

    /// Returns the commands without subcommands.
    pub fn leaves(&self) -> impl Iterator<Item = &'static Leaf> {
        self.entries().into_iter().flat_map(|entry| entry.leaves)
    }

    /// Returns the schemas of what the commands print.
    pub fn printed(&self) -> impl Iterator<Item = &'static NamedSchema> {
        self.printed.iter().copied().flatten()
    }

    /// Whether words name a command of `assay-lab` that this program lacks.
    pub fn is_elsewhere(&self, words: &[String]) -> bool {
        self.elsewhere.iter().any(|name| {
            let names: Vec<&str> = name.split(' ').collect();
            words.len() >= names.len() && names.iter().zip(words).all(|(name, word)| name == word)
        })
    }
}

/// Returns a command without subcommands: its words, the common options that it takes, and an
/// example.
pub const fn leaf(name: &'static str, takes: &'static [OptionGroup], example: &'static str) -> Leaf {
    Leaf { name, takes, example }
}
