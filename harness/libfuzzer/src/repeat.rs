//! One input in the program of its target: the program alone has the checks and the limits under which the input was
//! found, and what ends the program ends nothing else.

use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use assay_device::group::ProcessExit;
use assay_fuzzing::target::{Broken, LIMIT_OF_MEMORY, LIMIT_OF_TIME, NO_CRASH, NO_LEAK, NO_PANIC, Target};
use assay_records::libfuzzer::{ProgramSetting, Sanitizer};
use assay_runner::subjects::SubjectName;

use crate::LibfuzzerError;
use crate::process::{self, Limits, ProcessEnd};
use crate::toolchain::Toolchain;

/// Time beyond the limit of an input after which the program is ended: libFuzzer itself should have done so.
const PATIENCE: Duration = Duration::from_secs(20);

/// The default settings of `libfuzzer run`.
pub const USUAL: ProgramSetting = ProgramSetting { sanitizer: Sanitizer::None, rss_limit: 2048, timeout: 10 };

/// Returns the limits on an input of a target as options of libFuzzer.
pub fn options(setting: &ProgramSetting, target: Target) -> [String; 3] {
    let ProgramSetting { rss_limit, timeout, .. } = setting;
    let longest = target.longest();
    [format!("-rss_limit_mb={rss_limit}"), format!("-timeout={timeout}"), format!("-max_len={longest}")]
}

/// The program of a target.
pub struct Program<'a> {
    /// Its file.
    pub path: &'a Path,
    /// The target.
    pub target: Target,
    /// The settings of its build and its run.
    pub setting: ProgramSetting,
    /// The implementation under test.
    pub subject: &'a SubjectName,
    /// Where its logs go.
    pub logs: &'a Path,
}

/// What the program shows of an input.
#[derive(Debug, PartialEq, Eq)]
pub enum ShownInput {
    /// It holds; the flag is whether it reached the judge.
    Held(bool),
    /// The program panicked: a property is violated, perhaps one that this process can find too.
    Panicked(Broken),
    /// Something else ended the program, and would end any other that tries.
    Ended(Broken),
}

impl Program<'_> {
    /// Gives the program an input.
    pub fn repeat(&self, input: &Path) -> Result<ShownInput, LibfuzzerError> {
        let mut command = Command::new(self.path);
        command.args(options(&self.setting, self.target)).arg("-print_funcs=0").arg(input);
        // libFuzzer does not report which of its handled signals it was.
        command
            .args(["segv", "abrt", "bus", "ill", "fpe", "trap"].map(|signal| format!("-handle_{signal}=0")));
        command.env("ASSAY_SUBJECT", self.subject.to_string());
        let time = Duration::from_secs(self.setting.timeout) + PATIENCE;
        let limits = Limits { time: Some(time), ..Limits::default() };
        let name = format!("{}-repeat", self.target.name());
        let ended = process::run(command, self.logs, &name, limits, &mut |_| true)?;
        if ended.asked {
            return Ok(ShownInput::Ended(broken(LIMIT_OF_TIME, "the program did not even end at it")));
        }
        let failure = || ended.failure(format!("the fuzz target {}", self.target.name()));
        shown(&ended, &ended.text()).ok_or_else(failure)
    }
}

/// Builds the program of a target and gives it an input: returns whether it reached the judge, or the violation; `None`
/// if the user interrupted the build.
pub fn build_and_repeat(
    target: Target,
    data: &[u8],
    setting: ProgramSetting,
    subject: &SubjectName,
    stop: &AtomicBool,
) -> Result<Option<Result<bool, Broken>>, LibfuzzerError> {
    let toolchain = Toolchain::find(setting.sanitizer)?;
    let folder = tempfile::tempdir().map_err(LibfuzzerError::file(&std::env::temp_dir()))?;
    let (logs, input) = (folder.path(), folder.path().join("input"));
    std::fs::write(&input, data).map_err(LibfuzzerError::file(&input))?;
    let outcome = match toolchain.build(&[target], logs, stop) {
        Ok(false) => return Ok(None),
        Err(error) => Err(error),
        Ok(true) => {
            let path = toolchain.program(target);
            Program { path: &path, target, setting, subject, logs }.repeat(&input)
        }
    };
    match outcome {
        Ok(ShownInput::Held(judged)) => Ok(Some(Ok(judged))),
        Ok(ShownInput::Panicked(broken) | ShownInput::Ended(broken)) => Ok(Some(Err(broken))),
        Err(error) => {
            // The error names a log in it.
            let _ = folder.keep();
            Err(error)
        }
    }
}

/// The result in the end and the log of the program; `None` if it did not reach the input, or another process ended it.
fn shown(ended: &ProcessEnd, log: &str) -> Option<ShownInput> {
    let error = log.lines().find_map(error);
    match (ended.end?, panic(log), error) {
        (ProcessExit::Status(0), ..) => Some(ShownInput::Held(ended.counts.judged > 0)),
        (ProcessExit::Signal(KILLED | TERMINATED), ..) => None,
        (_, Some(panic), _) => Some(ShownInput::Panicked(panic)),
        (_, None, Some(error)) => Some(ShownInput::Ended(error)),
        (ProcessExit::Signal(signal), None, None) => {
            Some(ShownInput::Ended(broken(NO_CRASH, &format!("signal {}", name(signal)))))
        }
        (ProcessExit::Status(_), None, None) => None,
    }
}

/// SIGKILL and SIGTERM: another program, or a system without memory, wanted the end.
const KILLED: i32 = 9;
const TERMINATED: i32 = 15;

/// The signals of a program's own errors: by name, because a signature has no numbers.
fn name(signal: i32) -> String {
    let known =
        [(4, "SIGILL"), (5, "SIGTRAP"), (6, "SIGABRT"), (7, "SIGBUS"), (8, "SIGFPE"), (11, "SIGSEGV")];
    let known = known.into_iter().find(|(number, _)| *number == signal);
    known.map_or_else(|| signal.to_string(), |(_, name)| name.to_owned())
}

fn broken(property: &str, message: &str) -> Broken {
    Broken { property: property.into(), message: message.to_owned(), file: None }
}

/// The first panic in a log, with the file that it was in.
fn panic(log: &str) -> Option<Broken> {
    let mut lines =
        log.lines().skip_while(|line| !(line.starts_with("thread '") && line.contains(" panicked at ")));
    let (_, place) = lines.next()?.split_once("panicked at ")?;
    let file = place.trim_end_matches(':').rsplitn(3, ':').last().map(str::to_owned);
    let is_over = |line: &&str| !line.starts_with("note: ") && !line.starts_with("==");
    let message: Vec<&str> = lines.take_while(is_over).collect();
    Some(Broken { property: NO_PANIC.into(), message: message.join("\n").trim_end().to_owned(), file })
}

/// The error that libFuzzer or a sanitizer reports.
fn error(line: &str) -> Option<Broken> {
    let (_, error) = line.split_once("ERROR: ")?;
    let (who, what) = error.split_once(": ")?;
    let property = match what {
        _ if who == "LeakSanitizer" => NO_LEAK,
        _ if who != "libFuzzer" && !who.ends_with("Sanitizer") => return None,
        _ if what.starts_with("out-of-memory") => LIMIT_OF_MEMORY,
        _ if what.starts_with("timeout") => LIMIT_OF_TIME,
        _ => NO_CRASH,
    };
    // Addresses and registers behind it are of this process alone.
    let what = what.split(" on address ").next().unwrap_or(what);
    let what = what.split(" on unknown address ").next().unwrap_or(what);
    Some(broken(property, &format!("{who}: {what}")))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// A program that is a script.
    fn shown_by(script: &str) -> Result<ShownInput, LibfuzzerError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("program");
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        let setting = ProgramSetting { sanitizer: Sanitizer::None, rss_limit: 64, timeout: 1 };
        let (target, subject, logs) = (Target::Decode, &SubjectName::MODEL, folder.path());
        Program { path: &path, target, setting, subject, logs }.repeat(&folder.path().join("input"))
    }

    #[test]
    fn the_end_of_the_program_says_what_is_wrong() {
        let panic = "echo \"thread '<unnamed>' (7) panicked at /a/isa/src/x.rs:3:9:\nattempt to add\nwith overflow\n\
            note: run with\n==7== ERROR: libFuzzer: deadly signal\" >&2; exit 77";
        let file = Some("/a/isa/src/x.rs".to_owned());
        let message = "attempt to add\nwith overflow".to_owned();
        let expected = ShownInput::Panicked(Broken { property: NO_PANIC.into(), message, file });
        assert_eq!(shown_by(panic).unwrap(), expected);
        assert_eq!(shown_by(&panic.replace(" (7)", "")).unwrap(), expected);
        assert_eq!(shown_by("exit 0").unwrap(), ShownInput::Held(false));
        for (script, property, message) in [
            ("kill -SEGV $$", NO_CRASH, "signal SIGSEGV"),
            ("kill -ABRT $$", NO_CRASH, "signal SIGABRT"),
            (
                "echo '==1== ERROR: libFuzzer: deadly signal' >&2; exit 77",
                NO_CRASH,
                "libFuzzer: deadly signal",
            ),
            (
                "echo '==1==ERROR: AddressSanitizer: stack-overflow on address 0x7f (pc' >&2; exit 1",
                NO_CRASH,
                "AddressSanitizer: stack-overflow",
            ),
            (
                "echo '==1==ERROR: LeakSanitizer: detected memory leaks' >&2; exit 77",
                NO_LEAK,
                "LeakSanitizer: detected memory leaks",
            ),
            (
                "echo '==1== ERROR: libFuzzer: timeout after 1 s' >&2; exit 70",
                LIMIT_OF_TIME,
                "libFuzzer: timeout after 1 s",
            ),
        ] {
            assert_eq!(shown_by(script).unwrap(), ShownInput::Ended(broken(property, message)), "{script}");
        }
        for script in ["exit 1", "kill -KILL $$", "echo 'ERROR: The required directory' >&2; exit 1"] {
            assert!(shown_by(script).is_err(), "{script}: says nothing of the input");
        }
    }
}
