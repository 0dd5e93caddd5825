//! Finds what the targets are built with, and builds them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::AtomicBool;

use assay_device::group::ProcessExit;
use assay_files::MIB;
use assay_fuzzing::Target;
use assay_records::libfuzzer::Sanitizer;

use crate::LibfuzzerError;
use crate::process::{self, Limits};

/// The toolchain that knows the flags that libFuzzer needs.
const NIGHTLY: &str = "nightly";

/// All that the targets are built with.
pub struct Toolchain {
    /// What watches the memory of the targets.
    pub sanitizer: Sanitizer,
    /// The folder of the workspace `assay-fuzz`.
    folder: PathBuf,
    /// The triple of this machine.
    host: String,
    /// The words that call cargo-fuzz.
    cargo_fuzz: Vec<String>,
}

impl Toolchain {
    /// Finds all of it.
    ///
    /// # Errors
    ///
    /// The error names the missing part, and the way to get it.
    pub fn find(sanitizer: Sanitizer) -> Result<Toolchain, LibfuzzerError> {
        let missing = |what, remedy| LibfuzzerError::Missing { what, remedy };
        let folder = folder()?;
        let version = ask(&["rustup", "run", NIGHTLY, "rustc", "-vV"]).ok_or_else(|| {
            missing("a nightly toolchain", "`rustup toolchain install nightly --profile minimal`")
        })?;
        let host =
            version.lines().find_map(|line| line.strip_prefix("host: ")).ok_or(LibfuzzerError::NoHost)?;
        ask(&["cargo-fuzz", "--version"])
            .ok_or_else(|| missing("cargo-fuzz", "`cargo install --locked cargo-fuzz`"))?;
        ask(&["c++", "--version"]).ok_or_else(|| missing("a C++ compiler", "g++ or clang"))?;
        let cargo_fuzz = ["rustup", "run", NIGHTLY, "cargo", "fuzz"].map(str::to_owned).into();
        Ok(Toolchain { sanitizer, folder, host: host.to_owned(), cargo_fuzz })
    }

    /// Builds one target, or all of them. A log in the folder receives the output of the build. Returns false if the
    /// user interrupted the build.
    pub fn build(&self, targets: &[Target], logs: &Path, stop: &AtomicBool) -> Result<bool, LibfuzzerError> {
        let mut command = self.cargo_fuzz("build");
        if let [only] = targets {
            command.arg(only.name());
        }
        let limits = Limits { stop: Some(stop), ..Limits::default() };
        let ended = process::run(command, logs, "build", limits, &mut |_| true)?;
        match ended.end {
            _ if ended.asked => Ok(false),
            Some(ProcessExit::Status(0)) => Ok(true),
            _ => Err(ended.failure("building the fuzz targets".into())),
        }
    }

    /// Makes a command of cargo-fuzz, which builds the targets first. The target and its arguments follow.
    pub fn cargo_fuzz(&self, subcommand: &str) -> Command {
        let mut command = Command::new(&self.cargo_fuzz[0]);
        command.args(&self.cargo_fuzz[1..]).args([subcommand, "--sanitizer", name(self.sanitizer)]);
        command.arg("--fuzz-dir").arg(&self.folder).arg("--target-dir").arg(self.products());
        if self.sanitizer == Sanitizer::None {
            // The mutator and the dictionaries know the constants, and a third of the time went to watching for them.
            command.arg("--no-trace-compares");
        }
        command
    }

    /// Makes one whose cargo-fuzz is a script.
    #[cfg(test)]
    pub fn of_script(folder: &Path, script: &Path) -> Toolchain {
        let cargo_fuzz = vec![script.display().to_string()];
        Toolchain { sanitizer: Sanitizer::None, folder: folder.to_owned(), host: "host".into(), cargo_fuzz }
    }

    /// Returns the program of a target, which may not be built yet.
    pub fn program(&self, target: Target) -> PathBuf {
        self.products().join(&self.host).join("release").join(target.name())
    }

    /// Returns the folder of the built programs. Each sanitizer has a folder of its own, so that none replaces those of
    /// another.
    pub fn products(&self) -> PathBuf {
        self.folder.join("target").join(name(self.sanitizer))
    }
}

fn name(sanitizer: Sanitizer) -> &'static str {
    match sanitizer {
        Sanitizer::Address => "address",
        Sanitizer::None => "none",
    }
}

/// Returns the output of a program, if it exists and succeeds.
fn ask(command: &[&str]) -> Option<String> {
    let output: Output = Command::new(command[0]).args(&command[1..]).stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Finds the folder `fuzz` of the repository that we are in.
fn folder() -> Result<PathBuf, LibfuzzerError> {
    let here = std::env::current_dir().map_err(LibfuzzerError::file(Path::new(".")))?;
    let is_ours = |folder: &PathBuf| {
        let manifest = assay_files::read_text(&folder.join("Cargo.toml"), MIB);
        manifest.is_ok_and(|text| text.lines().any(|line| line == "name = \"assay-fuzz\""))
    };
    let found = here.ancestors().map(|folder| folder.join("fuzz")).find(is_ours);
    found.ok_or(LibfuzzerError::NoRepository)
}
