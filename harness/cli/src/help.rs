//! The command line as it explains itself: an example for each command, and which build this is.

use clap::{Arg, Command, CommandFactory};

use crate::Arguments;

/// An example for each command that does something, by the words that name the command.
const EXAMPLES: [(&str, &str); 50] = [
    ("fuzz", "assay fuzz --subject lib:./device.so --only FADD 'MUFU.RCP.*' --cases 1000000"),
    ("sweep", "assay sweep mufu.rcp.f32 --tier quick --subject lib:./device.so"),
    ("report", "assay report runs/sweep-1 runs/sweep-2 --out page"),
    ("merge", "assay merge shard-0 shard-1 --out merged.json"),
    ("eval", "assay eval 'FADD.RM R0, R1, R2' R1=0x3f800000 R2=0xbf800000"),
    ("gen", "assay gen --as jsonl --only FFMA --cases 100000 --out cases.jsonl"),
    ("ver", "assay ver --as jsonl answers.jsonl"),
    ("replay", "assay replay runs/fuzz-1/findings/ffma-1.yaml --subject lib:./device.so"),
    ("vectors check", "assay vectors check --subject 'exec:python3 device.py'"),
    ("vectors generate", "assay vectors generate FSET --out vectors/generated"),
    (
        "vectors promote",
        "assay vectors promote runs/fuzz-1/findings/ffma-1.yaml --into vectors/regressions.yaml",
    ),
    ("vectors schema", "assay vectors schema > case.schema.json"),
    ("trace capture", "assay trace capture --subject cuda:0 --only FFMA --cases 1000000 --out ffma.parquet"),
    ("trace check", "assay trace check ffma.parquet"),
    ("trace code", "assay trace code --out ptx"),
    ("trace info", "assay trace info ffma.parquet"),
    ("trace vectors", "assay trace vectors ffma.parquet --out vectors/hardware"),
    ("dut schema", "assay dut schema > protocol.schema.json"),
    ("dut check", "assay dut check 'python3 device.py'"),
    ("dut serve", "assay dut serve model"),
    ("rtl", "assay rtl examples/rtl/popcount.sv --map examples/rtl/popcount.yaml --out target/popcount"),
    ("isa list", "assay isa list"),
    ("isa show", "assay isa show FSETP --profile sm90"),
    ("isa asm", "assay isa asm 'FADD.RM R0, R1, R2'"),
    ("isa disasm", "assay isa disasm 0x0000000000010000000100007000"),
    ("isa lint", "assay isa lint documents/fadd.md"),
    ("isa diff", "assay isa diff"),
    ("coverage show", "assay coverage show runs/fuzz-1 --only 'FADD_*'"),
    ("coverage why", "assay coverage why 'FADD_RR rnd RM, rd becomes -zero'"),
    ("mutants list", "assay mutants list --family rounding"),
    ("mutants run", "assay mutants run --family rounding --only FFMA"),
    ("mutants vectors", "assay mutants vectors --only FFMA"),
    ("errata list", "assay errata list"),
    ("errata show", "assay errata show E056"),
    ("errata prove", "assay errata prove E056 E173"),
    ("errata settle", "assay errata settle --subject lib:./device.so"),
    ("errata discover", "assay errata discover E173"),
    ("errata report", "assay errata report --out target/errata"),
    ("errata schema", "assay errata schema > errata.schema.json"),
    ("nightly", "assay nightly --config nightly.yaml --out campaign"),
    ("status", "assay status campaign"),
    ("known-issues show", "assay known-issues show campaign"),
    ("known-issues forget", "assay known-issues forget 'FFMA: value' --in campaign"),
    (
        "known-issues set",
        "assay known-issues set 'FFMA: value' --is known --because 'ticket 123' --in campaign",
    ),
    ("certify", "assay certify --check ex2"),
    ("schema", "assay schema vectors check > check.schema.json"),
    ("libfuzzer list", "assay libfuzzer list"),
    ("libfuzzer dictionary", "assay libfuzzer dictionary case_file > case_file.dict"),
    ("libfuzzer replay", "assay libfuzzer replay fuzz/artifacts/decode/crash-0a1b --target decode"),
    ("completions", "assay completions bash > ~/.local/share/bash-completion/completions/assay"),
];

/// The commands that a common option has an effect on, by the words that start their names. The help of others hides it.
const EFFECTS: [(&[&str], &[&str]); 4] = [
    (
        &["profile", "reading"],
        &[
            "fuzz",
            "sweep",
            "eval",
            "gen",
            "ver",
            "replay",
            "vectors check",
            "vectors generate",
            "vectors promote",
            "trace",
            "dut check",
            "dut serve",
            "isa show",
            "coverage",
            "mutants run",
            "errata",
        ],
    ),
    (
        &["numbers"],
        &[
            "fuzz",
            "sweep",
            "eval",
            "gen",
            "ver",
            "replay",
            "vectors",
            "trace",
            "dut check",
            "dut serve",
            "isa",
            "coverage",
            "mutants",
            "errata",
            "report",
            "merge",
            "rtl",
        ],
    ),
    (
        &["device_deadline", "device_failures"],
        &[
            "fuzz",
            "sweep",
            "eval",
            "replay",
            "vectors check",
            "vectors generate",
            "vectors promote",
            "trace capture",
            "dut check",
            "dut serve",
            "errata settle",
        ],
    ),
    (
        &["jobs"],
        &[
            "fuzz",
            "sweep",
            "gen",
            "ver",
            "vectors",
            "trace",
            "dut",
            "coverage",
            "mutants run",
            "errata",
            "certify",
            "nightly",
            "isa",
        ],
    ),
];

/// The exit statuses, each with its meaning.
pub const EXIT_STATUSES: [(u8, &str); 5] = [
    (0, "All checks passed."),
    (1, "A case diverged, or another check failed."),
    (2, "The usage or the input is wrong."),
    (3, "The harness or its environment failed."),
    (130, "The command was interrupted. What it had computed is kept."),
];

/// Returns the command line with an example for each command.
pub fn command() -> Command {
    let statuses = EXIT_STATUSES.map(|(status, meaning)| format!("\n  {status:<5} {meaning}"));
    let command =
        Arguments::command().version(version()).after_help(format!("Exit status:{}", statuses.concat()));
    let command = with_negative_numbers(command);
    let common: Vec<Arg> = command.get_arguments().filter(|option| option.is_global_set()).cloned().collect();
    EXAMPLES.iter().fold(command, |command, (name, example)| {
        let words: Vec<&str> = name.split(' ').collect();
        let hidden = common.iter().filter(|option| !has_effect(option.get_id().as_str(), name));
        let hidden: Vec<Arg> = hidden.map(|option| option.clone().hide(true)).collect();
        with(command, &words, &|command| {
            command.after_help(format!("Example:\n  {example}")).args(hidden.clone())
        })
    })
}

/// Lets each option take a number below zero, so that the message for it names the option and not an unknown one.
fn with_negative_numbers(command: Command) -> Command {
    let takes_value = |option: &Arg| !option.is_positional() && option.get_action().takes_values();
    command
        .mut_args(|option| if takes_value(&option) { option.allow_negative_numbers(true) } else { option })
        .mut_subcommands(with_negative_numbers)
}

/// Whether a common option has an effect on a command.
fn has_effect(option: &str, command: &str) -> bool {
    let is_named = |commands: &[&str]| commands.iter().any(|start| is_below(start, command));
    EFFECTS.iter().all(|(options, commands)| !options.contains(&option) || is_named(commands))
}

/// Whether a command is the one of these words, or below it.
fn is_below(start: &str, command: &str) -> bool {
    command.strip_prefix(start).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// Changes the command that the words name.
fn with(command: Command, words: &[&str], change: &dyn Fn(Command) -> Command) -> Command {
    match words.split_first() {
        None => change(command),
        Some((first, rest)) => command.mut_subcommand(*first, |command| with(command, rest, change)),
    }
}

/// Returns the version and the digest of this build, which results record. Reads the whole program, so only `--version` calls it.
fn version() -> String {
    let is_asked = std::env::args().any(|argument| ["--version", "-V"].contains(&&argument[..]));
    let plain = env!("CARGO_PKG_VERSION").to_owned();
    if is_asked { assay_runner::build::identity().unwrap_or(plain) } else { plain }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The commands that do something, by the words that name them.
    fn commands(command: &Command, name: &str) -> BTreeSet<String> {
        let visible = command.get_subcommands().filter(|command| !command.is_hide_set());
        let below: BTreeSet<String> = visible
            .flat_map(|command| commands(command, format!("{name} {}", command.get_name()).trim()))
            .collect();
        if below.is_empty() { BTreeSet::from([name.to_owned()]) } else { below }
    }

    #[test]
    fn a_common_option_is_hidden_where_it_has_no_effect_and_nowhere_else() {
        let options: BTreeSet<String> = Arguments::command()
            .get_arguments()
            .filter(|option| option.is_global_set())
            .map(|option| option.get_id().to_string())
            .collect();
        let names = commands(&Arguments::command(), "");
        for (limited, starts) in EFFECTS {
            assert!(limited.iter().all(|option| options.contains(*option)), "{limited:?}");
            let idle = starts.iter().find(|start| !names.iter().any(|name| is_below(start, name)));
            assert_eq!(idle, None, "{limited:?}");
        }
        let help = |words: &[&str]| {
            let mut command = command();
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
        let matches =
            command().try_get_matches_from(["assay", "--jobs", "1", "status", "--profile", "sm90", "x"]);
        assert_eq!(
            matches.unwrap().get_one::<String>("profile").unwrap(),
            "sm90",
            "hidden options are still read"
        );
    }

    #[test]
    fn each_command_has_one_example_and_each_example_can_be_parsed() {
        let named: BTreeSet<String> = EXAMPLES.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(named, commands(&Arguments::command(), ""));
        for (name, example) in EXAMPLES {
            let line = example.split(" > ").next().unwrap();
            let words = shell_words::split(line).unwrap();
            assert!(line.starts_with(&format!("assay {name}")), "{example}");
            if let Err(error) = command().try_get_matches_from(words) {
                panic!("{example}: {error}");
            }
        }
    }
}
