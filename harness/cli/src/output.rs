//! The output of a command: results go to stdout, and everything else to stderr.

use std::fmt::Display;
use std::io::{self, ErrorKind, IsTerminal, Write};

use assay_isa::shown;
use assay_isa::shown::plural;
use assay_records::{RunResult, VerdictWord};
use clap::builder::styling::{AnsiColor, Style};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::failure::Failure;

/// Prints results on stdout, whole lines at once. If the reader has closed the pipe, the text is
/// lost, but the work continues and the exit status still reports the result.
///
/// The text may quote a file or a device's answer. So control characters and marks for the
/// direction of writing are escaped.
pub fn print(text: &str) -> Result<(), Failure> {
    write_out(&shown::page(text))
}

/// A command's JSON output: `commands::schema` lists the types.
pub trait Printed: Serialize + JsonSchema {}

/// Prints the verdict of a run, in colour on a terminal unless `NO_COLOR` is set.
pub fn print_verdict(outcome: &RunResult) -> Result<(), Failure> {
    print_word(outcome.verdict_word(), &assay_reports::conclusion(outcome))
}

/// Prints a verdict and its explanation on one line, with the colours of [`print_verdict`].
pub fn print_word(word: VerdictWord, text: &str) -> Result<(), Failure> {
    let colour = match word {
        VerdictWord::Passed => AnsiColor::Green,
        VerdictWord::Partial | VerdictWord::Unverified => AnsiColor::Yellow,
        VerdictWord::Failed => AnsiColor::Red,
    };
    let word = word.text();
    let is_plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let style =
        if io::stdout().is_terminal() && !is_plain { colour.on_default().bold() } else { Style::new() };
    write_out(&format!("{style}{word}{style:#}  {}\n", shown::line(text)))
}

/// Prints a command's JSON output on stdout.
pub fn print_output(output: &impl Printed) -> Result<(), Failure> {
    print_value(output)
}

/// Prints JSON output on stdout. Its type need not implement [`Printed`].
pub fn print_value(output: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(output).map_err(|e| Failure::harness(e.to_string()))?;
    print_json_text(&(text + "\n"))
}

/// Returns the output for one line of input, as one line of JSON.
pub fn json_line(output: &impl Printed) -> String {
    // Serialization cannot fail: keys are text, and numbers that are not finite become null.
    serde_json::to_string(output).unwrap_or_default() + "\n"
}

/// Prints a JSON Schema on stdout.
pub fn print_json(value: &Value) -> Result<(), Failure> {
    print_json_text(&format!("{value:#}\n"))
}

/// Prints JSON on stdout, one document or more.
pub fn print_json_text(text: &str) -> Result<(), Failure> {
    write_out(&shown::json(text))
}

/// Greatest number of functions that one line names.
const SHOWN: usize = 6;

/// Returns a line about the functions that were left out because an implementation lacks them.
/// Empty if there are none. The line names only the first `SHOWN` functions. The JSON output lists
/// all.
pub fn not_generated(functions: &[String]) -> String {
    let (shown, more) = functions.split_at(functions.len().min(SHOWN));
    let more =
        if more.is_empty() { String::new() } else { format!(" and {} more, in --format json", more.len()) };
    match functions.len() {
        0 => String::new(),
        n => format!(
            "not generated, without an implementation: {}: {}{more}\n",
            plural(n, "function", "functions"),
            shown.join(" ")
        ),
    }
}

/// Prints a line on stderr, escaped as by [`print()`]. If the line cannot be written, the program
/// continues.
pub fn say(text: impl Display) {
    let _ = writeln!(io::stderr(), "{}", shown::page(&text.to_string()));
}

fn write_out(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    match written {
        Err(e) if e.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other.map_err(|e| Failure::harness(format!("stdout: {e}"))),
    }
}
