//! Finding what the targets are built with, and building them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::Ordering;
use std::time::Duration;

use assay_files::MIB;
use assay_fuzzing::Target;
use assay_process::{End, Leader};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use super::files::fresh_log;
use crate::failure::Failure;
use crate::interrupt::STOP;

/// The toolchain that knows the flags that libFuzzer needs.
const NIGHTLY: &str = "nightly";

/// What watches the memory of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sanitizer {
    /// AddressSanitizer: for the few places with unsafe code.
    Address,
    /// Nothing: several times as many executions.
    None,
}

impl Sanitizer {
    fn name(self) -> &'static str {
        match self {
            Sanitizer::Address => "address",
            Sanitizer::None => "none",
        }
    }
}

/// All that the targets are built with.
pub struct Toolchain {
    /// The folder of the workspace `assay-fuzz`.
    folder: PathBuf,
    /// The triple of this machine.
    host: String,
    /// The words that call cargo-fuzz.
    cargo_fuzz: Vec<String>,
}

impl Toolchain {
    /// Finds all of it, or says what is missing and how to get it.
    pub fn find() -> Result<Toolchain, Failure> {
        let folder = folder()?;
        let version = ask(&["rustup", "run", NIGHTLY, "rustc", "-vV"]).ok_or_else(|| {
            missing("a nightly toolchain", "`rustup toolchain install nightly --profile minimal`")
        })?;
        let host = version.lines().find_map(|line| line.strip_prefix("host: "));
        let host =
            host.ok_or_else(|| Failure::harness("`rustc -vV` of the nightly toolchain names no host"))?;
        ask(&["cargo-fuzz", "--version"])
            .ok_or_else(|| missing("cargo-fuzz", "`cargo install --locked cargo-fuzz`"))?;
        ask(&["c++", "--version"]).ok_or_else(|| missing("a C++ compiler", "g++ or clang"))?;
        let cargo_fuzz = ["rustup", "run", NIGHTLY, "cargo", "fuzz"].map(str::to_owned).into();
        Ok(Toolchain { folder, host: host.to_owned(), cargo_fuzz })
    }

    /// Builds one target, or all of them; a log in the folder takes what the build says. False tells that the user
    /// interrupted it.
    pub fn build(&self, sanitizer: Sanitizer, targets: &[Target], logs: &Path) -> Result<bool, Failure> {
        let failed = |problem: String| Failure::harness(format!("building the fuzz targets: {problem}"));
        let (log, file) = fresh_log(logs, "build")?;
        let mut command = self.cargo_fuzz("build", sanitizer);
        if let [only] = targets {
            command.arg(only.name());
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(file);
        let leader = Leader::start(&mut command).map_err(|e| failed(e.to_string()))?;
        loop {
            match leader.ended(Duration::from_millis(100)) {
                Some(End::Status(0)) => return Ok(true),
                Some(end) => return Err(failed(format!("it ended with {end}; {} says why", log.display()))),
                None if STOP.load(Ordering::Relaxed) => return Ok(false),
                None => {}
            }
        }
    }

    /// A command of cargo-fuzz, which builds the targets first; the target and its arguments follow.
    pub fn cargo_fuzz(&self, subcommand: &str, sanitizer: Sanitizer) -> Command {
        let mut command = Command::new(&self.cargo_fuzz[0]);
        command.args(&self.cargo_fuzz[1..]).args([subcommand, "--sanitizer", sanitizer.name()]);
        command.arg("--fuzz-dir").arg(&self.folder).arg("--target-dir").arg(self.products(sanitizer));
        if sanitizer == Sanitizer::None {
            // The mutator and the dictionaries know the constants, and a third of the time went to watching for them.
            command.arg("--no-trace-compares");
        }
        command
    }

    /// One whose cargo-fuzz is a script.
    #[cfg(test)]
    pub fn of_script(folder: &Path, script: &Path) -> Toolchain {
        let cargo_fuzz = vec![script.display().to_string()];
        Toolchain { folder: folder.to_owned(), host: "host".into(), cargo_fuzz }
    }

    /// The program of a target, which may not be built yet.
    pub fn program(&self, sanitizer: Sanitizer, target: Target) -> PathBuf {
        self.products(sanitizer).join(&self.host).join("release").join(target.name())
    }

    /// Where the programs of a sanitizer are built: each has a folder, so that none displaces those of another.
    pub fn products(&self, sanitizer: Sanitizer) -> PathBuf {
        self.folder.join("target").join(sanitizer.name())
    }
}

/// The digest of a program, by which its builds are told apart.
pub fn digest(program: &Path) -> Result<String, Failure> {
    let failed = |e| Failure::harness(format!("{}: {e}; it should have been built", program.display()));
    assay_files::digest::sha256_of_file(program).map_err(failed)
}

fn missing(what: &str, remedy: &str) -> Failure {
    Failure::harness(format!("libFuzzer needs {what}, and there is none; install {remedy}"))
}

/// What a program prints, if it is there and succeeds.
fn ask(command: &[&str]) -> Option<String> {
    let output: Output = Command::new(command[0]).args(&command[1..]).stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The folder `fuzz` of the repository that we are in.
fn folder() -> Result<PathBuf, Failure> {
    let here = std::env::current_dir().map_err(|e| Failure::harness(format!("the current folder: {e}")))?;
    let is_ours = |folder: &PathBuf| {
        let manifest = assay_files::read_text(&folder.join("Cargo.toml"), MIB);
        manifest.is_ok_and(|text| text.lines().any(|line| line == "name = \"assay-fuzz\""))
    };
    let found = here.ancestors().map(|folder| folder.join("fuzz")).find(is_ours);
    found.ok_or_else(|| {
        Failure::harness(
            "the fuzz targets are built from their source; run this inside the repository of assay",
        )
    })
}
