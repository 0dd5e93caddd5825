//! Makes the pages of the commands from the definitions in clap.

use assay_cli::help;
use assay_cli::program::Program;
use assay_pages::{Block, Cell, Table, Text, paragraph, row, section};
use clap::{Arg, Command};

use super::{anchor, formats, prose, sentence};

/// Returns the page of a program. Leaves out the commands that `without` has.
pub fn page(title: &str, program: &'static Program, without: Option<&Program>) -> String {
    let mut root = help::command(program);
    root.build();
    let is_shown = |words: &str| {
        let mut leaves = program.leaves().filter(|leaf| is_below(words, leaf.name));
        leaves.any(|leaf| without.is_none_or(|other| other.leaves().all(|known| known.name != leaf.name)))
    };
    let mut sections = Vec::new();
    let mut rows = Vec::new();
    add_commands(&root, program.name, &is_shown, &mut sections, &mut rows);
    let about = match without {
        None => format!(
            "`{} COMMAND --help` prints the same for one command. [Common options](#common-options) and [exit \
             statuses](#{}) hold for all commands. Each command takes those of the common options that its help lists.",
            program.name,
            anchor("Exit status")
        ),
        Some(other) => {
            format!("`{}` has the commands of [`{}`](commands.md), and these.", program.name, other.name)
        }
    };
    let contents = Table::new("", "command | what it does", rows).open();
    let mut blocks = vec![paragraph(Text::markdown(about)), contents.into()];
    blocks.extend(sections);
    if without.is_none() {
        let common = root.get_arguments().filter(|arg| arg.is_global_set()).collect();
        blocks.push(section("Common options", vec![table("option", common)]));
        blocks.push(section("Exit status", exit_statuses()));
    }
    super::page(title, blocks)
}

/// Whether `command` is the command `words`, or one of its subcommands.
fn is_below(words: &str, command: &str) -> bool {
    command.strip_prefix(words).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// Adds a section and a row for each shown command below `parent`.
fn add_commands(
    parent: &Command,
    program: &str,
    is_shown: &dyn Fn(&str) -> bool,
    sections: &mut Vec<Block>,
    rows: &mut Vec<[Cell; 2]>,
) {
    let commands = parent.get_subcommands().filter(|command| !command.is_hide_set());
    for command in commands.filter(|command| command.get_name() != "help") {
        let name = name_of(command);
        let words = name.trim_start_matches(program).trim_start();
        if !is_shown(words) {
            continue;
        }
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        let link = format!("[`{name}`](#{})", anchor(name));
        rows.push(row![Text::markdown(link), Text::markdown(sentence(&about))]);
        sections.push(section(name, description(command, words)));
        add_commands(command, program, is_shown, sections, rows);
    }
}

/// Returns the full name of a command, such as `assay isa list`.
fn name_of(command: &Command) -> &str {
    command.get_bin_name().expect("clap names the commands that it has built")
}

/// Returns the contents of the help of a command.
fn description(command: &Command, words: &str) -> Vec<Block> {
    let about = command.get_long_about().or(command.get_about()).map(ToString::to_string);
    let about = about.unwrap_or_default();
    let mut blocks: Vec<Block> =
        about.split("\n\n").map(|part| paragraph(Text::markdown(sentence(part)))).collect();
    let has_subcommands = command.get_subcommands().any(|command| command.get_name() != "help");
    if has_subcommands {
        return blocks;
    }
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim().to_owned();
    let example = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let example = example.trim_start_matches("Example:").trim().to_owned();
    blocks.push(Block::Lines(vec![usage]));
    blocks.push(paragraph("Example:"));
    blocks.push(Block::Lines(vec![example]));
    let shown = || command.get_arguments().filter(|arg| !is_common(arg) && !arg.is_hide_set());
    blocks.push(table("argument", shown().filter(|arg| arg.is_positional()).collect()));
    blocks.push(table("option", shown().filter(|arg| !arg.is_positional()).collect()));
    let links = formats::links_to_output(words);
    if !links.is_empty() {
        let text = format!("JSON with `--format json`: {}.", links.join(", "));
        blocks.push(paragraph(Text::markdown(text)));
    }
    blocks
}

/// Whether all commands share the argument. The section of a single command leaves it out.
fn is_common(arg: &Arg) -> bool {
    arg.is_global_set() || ["help", "version"].contains(&arg.get_id().as_str())
}

/// Returns a table of arguments. A table without rows is not shown.
fn table(head: &str, args: Vec<&Arg>) -> Block {
    let rows = args.into_iter().map(|arg| {
        let spelling = format!("`{}`", arg.to_string().replace('`', ""));
        row![Text::markdown(spelling), Text::markdown(meaning(arg))]
    });
    Table::new("", &format!("{head} | meaning"), rows).open().into()
}

/// Returns the help of an argument with its values and its default.
fn meaning(arg: &Arg) -> String {
    let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let mut parts = vec![sentence(&help)];
    let takes_value = arg.get_action().takes_values();
    let values: Vec<String> = if takes_value {
        arg.get_possible_values().iter().filter(|value| !value.is_hide_set()).map(possible).collect()
    } else {
        Vec::new()
    };
    if !values.is_empty() {
        parts.push(format!("Values: {}.", values.join(", ")));
    }
    let defaults: Vec<String> =
        arg.get_default_values().iter().map(|value| format!("`{}`", value.to_string_lossy())).collect();
    if takes_value && !defaults.is_empty() && !arg.is_hide_default_value_set() {
        parts.push(format!("Default: {}.", defaults.join(", ")));
    }
    parts.join(" ")
}

/// Returns a possible value with its help.
fn possible(value: &clap::builder::PossibleValue) -> String {
    let name = format!("`{}`", value.get_name());
    match value.get_help() {
        Some(help) => format!("{name} ({})", prose(help.to_string().trim_end_matches('.'))),
        None => name,
    }
}

fn exit_statuses() -> Vec<Block> {
    let rows = help::EXIT_STATUSES.map(|(status, meaning)| row![status.to_string(), meaning]);
    let table = Table::new("", "status | meaning", rows).open();
    let more = "The [output](output.md) of a command lists the reasons for its exit status 1.";
    vec![table.into(), paragraph(Text::markdown(more))]
}
