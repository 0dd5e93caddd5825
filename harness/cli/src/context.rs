//! What every command shares: the global options, read once.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use assay_device::Limits;
use assay_engine::result::Setting;
use assay_engine::result::devices::Role;
use assay_isa::{Instruction, Numbers, Oracle, Readings, Subject};
use assay_mpfr::MpfrOracle;
use assay_vectors::{Overrides, Profile};
use clap::{Args, ValueEnum};

use crate::failure::Failure;
use crate::output;
use crate::time::parse_seconds;
use crate::voices::{DEVICE_LIMITS, ORACLE, Voice, fingerprint};

/// Bytes of a table of numbers at most, forty times what the provisional one has.
const NUMBERS_BYTES: u64 = assay_files::MIB / 4;

/// Options of every command.
#[derive(Args)]
pub struct Global {
    /// Form of the result on stdout.
    #[arg(long, global = true, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Readings and contracts: literal, intended (the default, but sm90 for `trace check`), sm90, faithful, or a YAML file.
    #[arg(long, global = true, value_name = "NAME|FILE")]
    pub profile: Option<String>,
    /// Override one reading, as in E173=2. Repeatable.
    #[arg(long, global = true, value_name = "E…=N")]
    pub reading: Vec<String>,
    /// Replace the provisional table of numbers.
    #[arg(long, global = true, value_name = "FILE")]
    pub numbers: Option<PathBuf>,
    /// Seconds that a device under test has for an answer, and for its start.
    #[arg(long, global = true, value_name = "SECONDS", default_value_t = 10.0, value_parser = parse_seconds)]
    pub device_deadline: f64,
    /// Failures (crash, hang, nonsense) after which a device under test is declared dead and a run ends.
    #[arg(long, global = true, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub device_failures: u32,
    /// Worker threads; all cores by default, and 16 for each core at most.
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
}

/// Form of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// The profile where the command line, or a suite, names none.
pub const DEFAULT_PROFILE: &str = "intended";

/// The global options, resolved.
#[derive(Clone)]
pub struct Context {
    /// Whether results are wanted as JSON.
    pub json: bool,
    /// Readings and contracts.
    pub profile: Profile,
    /// The profile by a name that means the same from any folder.
    pub profile_name: String,
    /// Whether the user named it: then it overrules the profile of a suite.
    pub profile_is_given: bool,
    /// The readings that the user set on top of it.
    pub overrides: Overrides,
    /// Codes of the instruction word.
    pub numbers: Numbers,
}

impl Context {
    /// Reads what the options name.
    pub fn new(global: &Global) -> Result<Context, Failure> {
        let deadline = Duration::from_secs_f64(global.device_deadline);
        DEVICE_LIMITS.get_or_init(|| Limits { deadline, failures: global.device_failures });
        let named = global.profile.as_deref().unwrap_or(DEFAULT_PROFILE);
        let mut profile = Profile::load(named)?;
        let mut overrides = Overrides::default();
        for reading in &global.reading {
            let (erratum, setting) = profile.set_reading(reading)?;
            // One that changes nothing counts as well: the profile of a suite, or a case, may differ.
            overrides.insert(erratum, setting);
        }
        let numbers = match &global.numbers {
            None => Numbers::provisional().clone(),
            Some(path) => {
                let named = |problem: String| Failure::input(format!("{}: {problem}", path.display()));
                let text = assay_files::read_text(path, NUMBERS_BYTES).map_err(|e| named(e.to_string()))?;
                Numbers::from_toml(&text).map_err(|e| named(e.to_string()))?
            }
        };
        let pool = rayon::ThreadPoolBuilder::new().start_handler(|_| assay_fpenv::set_default());
        let pool = pool.num_threads(threads(global.jobs)).build_global();
        pool.map_err(|e| Failure::harness(format!("worker threads: {e}; ask for fewer with --jobs")))?;
        Ok(Context {
            json: global.format == Format::Json,
            profile,
            profile_name: lasting_name(named),
            profile_is_given: global.profile.is_some(),
            overrides,
            numbers,
        })
    }

    /// The same, under another profile unless the user named one.
    pub fn under(self, name: &str) -> Result<Context, Failure> {
        if self.profile_is_given {
            return Ok(self);
        }
        let mut profile = Profile::load(name)?;
        for (erratum, setting) in self.overrides.iter() {
            profile.set_reading(&format!("{erratum}={setting}"))?;
        }
        Ok(Context { profile, profile_name: name.to_owned(), ..self })
    }

    /// A subject by its specification.
    pub fn subject(&self, voice: &Voice) -> Box<dyn Subject> {
        voice.subject(&self.numbers, &self.profile)
    }

    /// The oracle, or a subject in its chair.
    pub fn oracle(&self, against: Option<&Voice>) -> Box<dyn Oracle> {
        Voice::oracle(against, &self.numbers, &self.profile)
    }

    /// The same under other readings.
    pub fn oracle_under(&self, readings: Readings, against: Option<&Voice>) -> Box<dyn Oracle> {
        Voice::oracle(against, &self.numbers, &Profile { readings, ..self.profile.clone() })
    }

    /// The oracle, whatever the contracts ask for: what is derived from it is no model's answer.
    pub fn truth(&self) -> Box<dyn Oracle> {
        Box::new(MpfrOracle::new(self.profile.readings))
    }

    /// The setting of a run, as result files record it.
    pub fn setting(&self, subject: &Voice, against: Option<&Voice>) -> Result<Setting, Failure> {
        let readings = self.profile.readings.iter().map(|(e, n)| (e.to_string(), n));
        let roles = [(Role::Subject, Some(subject)), (Role::Against, against)];
        let devices = roles.into_iter().filter_map(|(role, voice)| voice?.device_identity(role).transpose());
        Ok(Setting {
            subject: subject.identity(),
            against: against.map_or(ORACLE.into(), Voice::identity),
            profile: self.profile.name.clone(),
            readings: readings.collect::<BTreeMap<_, _>>(),
            contracts: self
                .profile
                .contracts
                .iter()
                .filter(|row| row.applies(&self.profile.readings))
                .map(|row| (row.instruction.clone(), row.contract.to_string()))
                .collect(),
            numbers: fingerprint(&self.numbers),
            generator: assay_engine::generate::VERSION,
            judged: self.profile.judged.clone(),
            devices: devices.collect::<Result<_, _>>()?,
        })
    }

    /// Reads an instruction, with an error that points into its text.
    pub fn assemble(&self, text: &str) -> Result<Instruction, Failure> {
        assay_isa::asm::parse(text).map_err(|error| Failure::asm(text, &error))
    }
}

/// Worker threads for each core at most: more of them only take memory.
const THREADS_OF_CORE: usize = 16;

/// How many worker threads to start: as many as `--jobs` or `RAYON_NUM_THREADS` asks for, within the bound of the
/// machine.
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

/// The absolute path of a profile file, or the name of a built-in profile.
fn lasting_name(profile: &str) -> String {
    let is_built_in = assay_vectors::profile::BUILT_IN.iter().any(|(name, _)| *name == profile);
    let path = std::fs::canonicalize(profile).ok().filter(|_| !is_built_in);
    path.map_or_else(|| profile.to_owned(), |path| path.display().to_string())
}
