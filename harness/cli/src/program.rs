//! A program as data: its name, its commands, and the schemas of what they print. `assay` is one, and `assay-lab` is another
//! that has the commands of `assay` and more.

use clap::{ArgMatches, Args, FromArgMatches, Subcommand};

use crate::context::{Context, NamedSchema};
use crate::failure::{ExitStatus, Failure};

/// A program of several commands.
#[derive(Debug)]
pub struct Program {
    /// The name under which it is started.
    pub name: &'static str,
    /// What it does: a sentence, and more behind an empty line.
    pub about: &'static str,
    /// Its commands, in the order of the help. The later of two with one name counts.
    pub commands: &'static [&'static [CommandEntry]],
    /// The schemas of what the commands print.
    pub printed: &'static [&'static [NamedSchema]],
    /// The schemas of the files that the commands write.
    pub files: &'static [NamedSchema],
    /// Commands of `assay-lab`, which a user may look for here.
    pub elsewhere: &'static [&'static str],
}

/// A command of a program.
#[derive(Debug)]
pub struct CommandEntry {
    /// The word that names it.
    pub name: &'static str,
    /// Earlier names, which still work.
    pub aliases: &'static [&'static str],
    /// What can be asked of it: one line for a command without commands of its own.
    pub leaves: &'static [Leaf],
    pub(crate) build: fn(clap::Command) -> clap::Command,
    pub(crate) run: fn(&ArgMatches, &Context) -> Result<ExitStatus, Failure>,
    pub(crate) check: fn(&ArgMatches, &Context) -> Result<(), Failure>,
    pub(crate) saves: bool,
    pub(crate) names_build: bool,
}

/// A command that does something, with an example.
#[derive(Debug)]
pub struct Leaf {
    /// The words that name it, such as `vectors check`.
    pub name: &'static str,
    /// The common options that it takes besides `--format`.
    pub takes: &'static [OptionGroup],
    /// A command line for the help.
    pub example: &'static str,
}

/// Common options that a command takes together.
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
    /// All of them.
    pub const ALL: [OptionGroup; 4] =
        [OptionGroup::Readings, OptionGroup::Numbers, OptionGroup::Device, OptionGroup::Jobs];

    /// The names of its options, as clap knows them.
    pub fn options(self) -> &'static [&'static str] {
        match self {
            OptionGroup::Readings => &["profile", "reading"],
            OptionGroup::Numbers => &["numbers"],
            OptionGroup::Device => &["device_deadline", "device_failures", "device_file"],
            OptionGroup::Jobs => &["jobs"],
        }
    }
}

/// What a command does with its arguments.
pub trait RunCommand: FromArgMatches {
    /// Whether the command saves its work when it is interrupted. The others have nothing to save, and end at once.
    const SAVES: bool = false;
    /// Whether its result names this build, whose digest is then computed meanwhile.
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
    /// A command with arguments.
    pub const fn of<T: Args + RunCommand>(name: &'static str, leaves: &'static [Leaf]) -> CommandEntry {
        CommandEntry::new::<T>(name, leaves, T::augment_args)
    }

    /// A command with commands of its own.
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

    /// The same with earlier names.
    pub const fn or(self, aliases: &'static [&'static str]) -> CommandEntry {
        CommandEntry { aliases, ..self }
    }
}

/// The arguments that clap has checked.
pub(crate) fn parsed<T: FromArgMatches>(matches: &ArgMatches) -> T {
    T::from_arg_matches(matches).unwrap_or_else(|error| error.exit())
}

impl Program {
    /// The commands in the order of the help. One that is given again replaces the earlier one.
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

    /// The commands that do something.
    pub fn leaves(&self) -> impl Iterator<Item = &'static Leaf> {
        self.entries().into_iter().flat_map(|entry| entry.leaves)
    }

    /// The schemas of what the commands print.
    pub fn printed(&self) -> impl Iterator<Item = &'static NamedSchema> {
        self.printed.iter().copied().flatten()
    }

    /// Whether words name a command of `assay-lab` that this program has not.
    pub fn is_elsewhere(&self, words: &[String]) -> bool {
        self.elsewhere.iter().any(|name| {
            let names: Vec<&str> = name.split(' ').collect();
            words.len() >= names.len() && names.iter().zip(words).all(|(name, word)| name == word)
        })
    }
}

/// A command that does something: its words, the common options that it takes, and an example.
pub const fn leaf(name: &'static str, takes: &'static [OptionGroup], example: &'static str) -> Leaf {
    Leaf { name, takes, example }
}
