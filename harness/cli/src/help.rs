//! The command line with its help: an example for each command, and the version of this build.

use clap::{Arg, Args, Command};

use crate::context::Global;
use crate::program::{Leaf, OptionGroup, Program};

/// The exit statuses, each with its meaning.
pub const EXIT_STATUSES: [(u8, &str); 5] = [
    (0, "All checks passed."),
    (1, "A case diverged, or another check failed."),
    (2, "The usage or the input is wrong."),
    (3, "The harness or its environment failed."),
    (130, "The command was interrupted. What it had computed is kept."),
];

/// Returns the command line of a program, with an example for each command.
pub fn command(program: &'static Program) -> Command {
    let statuses = EXIT_STATUSES.map(|(status, meaning)| format!("\n  {status:<5} {meaning}"));
    let (about, more) = program.about.split_once("\n\n").unwrap_or((program.about, ""));
    let command = Command::new(program.name)
        .version(version())
        .arg_required_else_help(true)
        .subcommand_required(true)
        .max_term_width(100)
        .after_help(format!("Exit status:{}", statuses.concat()));
    let command = program.entries().into_iter().fold(Global::augment_args(command), |command, entry| {
        let below = (entry.build)(Command::new(entry.name)).aliases(entry.aliases);
        command.subcommand(below)
    });
    // `Global` has a description, which clap would show as the program's. So the program's
    // description is set last.
    let command = command.about(about).long_about(format!("{about}\n\n{more}"));
    let command = with_negative_numbers(command);
    let common: Vec<Arg> = command.get_arguments().filter(|option| option.is_global_set()).cloned().collect();
    program.leaves().fold(command, |command, leaf| {
        let words: Vec<&str> = leaf.name.split(' ').collect();
        let hidden = common.iter().filter(|option| !takes(leaf, option.get_id().as_str()));
        let hidden: Vec<Arg> = hidden.map(|option| option.clone().hide(true)).collect();
        with(command, &words, &|command| {
            command.after_help(format!("Example:\n  {}", leaf.example)).args(hidden.clone())
        })
    })
}

/// Whether a command takes a common option.
fn takes(leaf: &Leaf, option: &str) -> bool {
    let group = OptionGroup::ALL.into_iter().find(|group| group.options().contains(&option));
    group.is_none_or(|group| leaf.takes.contains(&group))
}

/// Lets clap read a negative number as the value of an option. Otherwise clap would report the
/// number as an unknown option, and not as a bad value.
fn with_negative_numbers(command: Command) -> Command {
    let takes_value = |option: &Arg| !option.is_positional() && option.get_action().takes_values();
    command
        .mut_args(|option| if takes_value(&option) { option.allow_negative_numbers(true) } else { option })
        .mut_subcommands(with_negative_numbers)
}

/// Applies `change` to the subcommand that the words name.
fn with(command: Command, words: &[&str], change: &dyn Fn(Command) -> Command) -> Command {
    match words.split_first() {
        None => change(command),
        Some((first, rest)) => command.mut_subcommand(*first, |command| with(command, rest, change)),
    }
}

/// Returns the version of this build. For `--version`, adds the digest that results record. Other
/// command lines skip the digest, because its computation reads the whole program.
fn version() -> String {
    let is_asked = std::env::args().any(|argument| ["--version", "-V"].contains(&&argument[..]));
    let plain = env!("CARGO_PKG_VERSION").to_owned();
    if is_asked { assay_runner::build::identity().unwrap_or(plain) } else { plain }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::ASSAY;

    /// Returns the names of the commands without subcommands, such as `vectors check`.
    fn commands(command: &Command, name: &str) -> BTreeSet<String> {
        let visible = command.get_subcommands().filter(|command| !command.is_hide_set());
        let below: BTreeSet<String> = visible
            .flat_map(|command| commands(command, format!("{name} {}", command.get_name()).trim()))
            .collect();
        if below.is_empty() { BTreeSet::from([name.to_owned()]) } else { below }
    }

    #[test]
    fn a_common_option_is_hidden_where_it_has_no_effect_and_nowhere_else() {
        let options: BTreeSet<&str> =
            OptionGroup::ALL.into_iter().flat_map(OptionGroup::options).copied().collect();
        let command = command(&ASSAY);
        let common = command.get_arguments().filter(|option| option.is_global_set() && !option.is_hide_set());
        let common: BTreeSet<&str> = common.map(|option| option.get_id().as_str()).collect();
        assert_eq!(common.difference(&options).copied().collect::<Vec<_>>(), ["format"]);
        let help = |words: &[&str]| {
            let mut command = super::command(&ASSAY);
            command.build();
            let found =
                words.iter().fold(&mut command, |command, word| command.find_subcommand_mut(word).unwrap());
            found.render_help().to_string()
        };
        assert!(help(&["fuzz"]).contains("--device-deadline") && help(&["nightly"]).contains("--jobs"));
        assert!(
            !help(&["completions"]).contains("--profile")
                && !help(&["isa", "asm"]).contains("--device-deadline")
        );
    }

    #[test]
    fn the_help_begins_with_what_the_program_is() {
        let [short, long] = [command(&ASSAY).render_help(), command(&ASSAY).render_long_help()];
        for help in [short, long] {
            assert!(help.to_string().starts_with("Differential fuzz"), "{help}");
        }
    }

    #[test]
    fn each_command_has_one_example_and_each_example_can_be_parsed() {
        let named: Vec<&str> = ASSAY.leaves().map(|leaf| leaf.name).collect();
        assert_eq!(named.len(), named.iter().collect::<BTreeSet<_>>().len());
        let named: BTreeSet<String> = named.into_iter().map(str::to_owned).collect();
        assert_eq!(named, commands(&command(&ASSAY), ""));
        for Leaf { name, example, .. } in ASSAY.leaves() {
            let line = example.split(" > ").next().unwrap();
            let words = shell_words::split(line).unwrap();
            assert!(line.starts_with(&format!("assay {name}")), "{example}");
            if let Err(error) = command(&ASSAY).try_get_matches_from(words) {
                panic!("{example}: {error}");
            }
        }
    }
}
