//! Progress on stderr: a bar on a terminal, a line every few seconds elsewhere.

use std::fmt;
use std::io::IsTerminal;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use assay_isa::shown;
use assay_runner::reporter::Reporter;
use indicatif::{HumanCount, ProgressBar, ProgressState, ProgressStyle};

use crate::interrupt::STOP;
use crate::output;

const LINE_EVERY: Duration = Duration::from_secs(10);

/// The progress of one run.
pub struct Progress {
    bar: Option<ProgressBar>,
    what: String,
    total: Option<u64>,
    started: Instant,
    last_line: Instant,
}

impl Progress {
    /// Starts to show progress. `total` is the final count, if known.
    pub fn new(what: &str, total: Option<u64>) -> Progress {
        let now = Instant::now();
        let bar = std::io::stderr().is_terminal().then(|| bar(what, total));
        Progress { bar, what: what.to_owned(), total, started: now, last_line: now }
    }

    /// Shows the count that is done, and the number of divergences.
    pub fn at(&mut self, done: u64, diverged: u64) {
        let finding =
            if diverged > 0 { format!(", {} diverged", HumanCount(diverged)) } else { String::new() };
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            bar.set_message(finding);
        } else if self.last_line.elapsed() >= LINE_EVERY {
            self.last_line = Instant::now();
            let rate = done as f64 / self.started.elapsed().as_secs_f64();
            let of = self.total.map_or(String::new(), |total| format!(" of {}", HumanCount(total)));
            let (what, done) = (&self.what, HumanCount(done));
            let rate = if rate < 1e4 { format!("{rate:.1}") } else { format!("{:.2} million", rate / 1e6) };
            output::say(format_args!("{what}: {done}{of}, {rate} a second{finding}"));
        }
    }

    /// Removes the bar.
    pub fn finish(self) {}
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Reports messages and progress of the runner on the terminal.
pub struct Terminal;

impl Reporter for Terminal {
    fn say(&self, text: &str) {
        output::say(text);
    }

    fn begin(&self, what: &str, total: Option<u64>) -> Box<dyn assay_runner::reporter::Progress> {
        Box::new(Progress::new(what, total))
    }

    fn stop_flag(&self) -> &AtomicBool {
        &STOP
    }
}

impl assay_runner::reporter::Progress for Progress {
    fn at(&mut self, done: u64, diverged: u64) {
        Progress::at(self, done, diverged);
    }
}

fn bar(what: &str, total: Option<u64>) -> ProgressBar {
    let (bar, template) = match total {
        Some(total) => {
            (ProgressBar::new(total), "{prefix} {wide_bar} {human_pos}/{human_len} {rate} {eta} left{msg}")
        }
        None => (ProgressBar::no_length(), "{prefix} {spinner} {human_pos} {rate} {elapsed}{msg}"),
    };
    let style = ProgressStyle::with_template(template).expect("the template is a constant");
    // Shows the rate as a whole number, because the library's own rate has four decimals.
    let rate = |state: &ProgressState, text: &mut dyn fmt::Write| {
        let _ = write!(text, "{}/s", HumanCount(state.per_sec() as u64));
    };
    bar.set_style(style.with_key("rate", rate));
    bar.set_prefix(what.to_owned());
    bar
}

/// The progress of consecutive stages, each of which reports its own progress.
pub struct Stages {
    bar: Option<ProgressBar>,
    total: usize,
    shown: (usize, String),
    last_line: Instant,
}

impl Stages {
    /// Starts to show the progress of a run of `total` stages.
    pub fn new(total: usize) -> Stages {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(total as u64);
            let template = "{prefix} {bar:20} {pos}/{len} {elapsed} {wide_msg}";
            bar.set_style(ProgressStyle::with_template(template).expect("the template is a constant"));
            bar
        });
        Stages { bar, total, shown: (usize::MAX, String::new()), last_line: Instant::now() }
    }

    /// Shows the running stage, and its last message.
    pub fn at(&mut self, place: usize, name: &str, said: &str) {
        if let Some(bar) = &self.bar {
            bar.set_position(place as u64);
            bar.set_prefix(name.to_owned());
            bar.set_message(shown::line(said).into_owned());
            return;
        }
        let is_next = self.shown.0 != place;
        let has_news = self.shown.1 != said && self.last_line.elapsed() >= LINE_EVERY;
        if is_next || has_news {
            self.last_line = Instant::now();
            self.shown = (place, said.to_owned());
            let said = if said.is_empty() { String::new() } else { format!(": {}", shown::line(said)) };
            output::say(format_args!("stage {} of {}, {name}{said}", place + 1, self.total));
        }
    }

    /// Removes the bar.
    pub fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}
