//! The context of a command: the global options, read once.

use std::ops::Deref;
use std::path::PathBuf;
use std::time::Duration;

use assay_device::Limits;
use assay_isa::EncodingTable;
use assay_runner::subjects::device::{self, DeviceRules};
use clap::{Args, ValueEnum};
use serde_json::Value;

use crate::failure::Failure;
use crate::interrupt;
use crate::output;
use crate::progress::Terminal;
use crate::time::parse_seconds;

/// Greatest size of an encoding table in bytes, forty times the size of the provisional table.
const NUMBERS_BYTES: u64 = assay_files::MIB / 4;

/// Options of every command.
#[derive(Args)]
#[command(next_help_heading = "Common options")]
pub struct Global {
    /// Format of the result on standard output.
    #[arg(long, global = true, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// The profile, which sets readings and contracts: literal, intended, sm90, faithful, or a YAML
    /// file. The default is intended, and sm90 for `trace check` and `trace vectors`.
    #[arg(long, global = true, value_name = "NAME|FILE")]
    pub profile: Option<String>,
    /// Set one reading, as in E173=2. Repeatable.
    #[arg(long, global = true, value_name = "E…=N")]
    pub reading: Vec<String>,
    /// Use this encoding table in place of the provisional table.
    #[arg(long, global = true, value_name = "FILE")]
    pub numbers: Option<PathBuf>,
    /// Time limit in seconds for each answer of a device under test, and for its start.
    #[arg(long, global = true, value_name = "SECONDS", default_value_t = 10.0, value_parser = parse_seconds)]
    pub device_deadline: f64,
    /// Number of failures (crashes, timeouts, invalid answers) after which the run stops.
    #[arg(long, global = true, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub device_failures: u32,
    /// Files that belong to the subject besides those of its command, as globs such as 'src/**/*.py':
    /// modules that it imports, libraries that it loads. Their digests are part of the result.
    /// Repeatable.
    #[arg(long, global = true, value_name = "GLOB")]
    pub device_file: Vec<String>,
    /// Number of worker threads, at most 16 for each core. The default is one thread for each core.
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// Check that the command can begin, and execute nothing. `nightly` checks the stages of
    /// another program in this way.
    #[arg(long, global = true, hide = true)]
    pub dry_run: bool,
}

/// Format of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text for people.
    Text,
    /// JSON for programs.
    Json,
}

/// The name of an output or a file, and the function that makes its JSON Schema.
pub type NamedSchema = (&'static str, fn() -> Value);

/// What a command can ask of the program that it belongs to.
pub trait ProgramView: Sync {
    /// Returns the name under which the program is started.
    fn name(&self) -> &'static str;

    /// Returns the command line of the program, as clap reads it.
    fn command_line(&'static self) -> clap::Command;

    /// Returns the schemas of the output and the files of the program's commands.
    fn schemas(&self) -> Vec<NamedSchema>;

    /// Returns false if the words name a command that only `assay-lab` has. Returns true for
    /// unknown commands.
    fn has(&self, words: &[String]) -> bool;

    /// Checks that a command with its arguments can begin. Nothing is executed.
    ///
    /// # Errors
    ///
    /// No command accepts the arguments, a file that they name cannot be read, or a subject does
    /// not start.
    fn check_command(&'static self, words: &[String]) -> Result<(), Failure>;
}

/// The global options, resolved.
#[derive(Clone)]
pub struct Context {
    /// Whether results are wanted as JSON.
    pub json: bool,
    /// The program of the command.
    pub program: &'static dyn ProgramView,
    run: assay_runner::Context,
}

impl Deref for Context {
    type Target = assay_runner::Context;

    fn deref(&self) -> &assay_runner::Context {
        &self.run
    }
}

impl Context {
    /// Resolves the global options: reads the profile, the encoding table and the device files that
    /// they name.
    pub fn new(program: &'static dyn ProgramView, global: &Global) -> Result<Context, Failure> {
        let deadline = Duration::from_secs_f64(global.device_deadline);
        let limits = Limits { deadline, failures: global.device_failures };
        let files = device::find_files(&global.device_file)?;
        device::set_rules(DeviceRules { limits, opened: interrupt::end_within, files });
        let provisional = EncodingTable::provisional().clone();
        let mut run =
            assay_runner::Context::new(global.profile.as_deref(), &global.reading, provisional, &Terminal)?;
        if let Some(path) = &global.numbers {
            let named = |problem: String| Failure::input(format!("{}: {problem}", path.display()));
            let text = assay_files::read_text(path, NUMBERS_BYTES).map_err(|e| named(e.to_string()))?;
            run.numbers = EncodingTable::from_toml(&text).map_err(|e| named(e.to_string()))?;
        }
        Ok(Context { json: global.format == Format::Json, program, run })
    }
}

/// Starts the worker threads of the program.
pub fn start_threads(global: &Global) -> Result<(), Failure> {
    let pool = rayon::ThreadPoolBuilder::new().start_handler(|_| assay_fpenv::set_default());
    let pool = pool.num_threads(threads(global.jobs)).build_global();
    pool.map_err(|e| Failure::harness(format!("worker threads: {e}; ask for fewer with --jobs")))
}

/// Greatest number of worker threads for each core. More threads only take memory.
const THREADS_OF_CORE: usize = 16;

/// Returns the number of worker threads: the value of `--jobs`, else of `RAYON_NUM_THREADS`, else
/// one for each core. The number is at most [`THREADS_OF_CORE`] for each core.
fn threads(jobs: Option<u16>) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let named = || std::env::var("RAYON_NUM_THREADS").ok()?.parse().ok().filter(|threads| *threads > 0);
    let wanted = jobs.map(usize::from).or_else(named).unwrap_or(cores);
    let most = THREADS_OF_CORE * cores;
    if wanted > most {
        output::say(format_args!(
            "{wanted} worker threads are more than this machine is for: {most} are used, {THREADS_OF_CORE} a core"
        ));
    }
    wanted.min(most)
}
