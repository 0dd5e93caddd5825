//! What every run shares: the profile and readings in force, the encoding table, and the program around.

use std::collections::BTreeMap;

use assay_engine::compare::comparator::{Comparator, Setup};
use assay_engine::generate::Scope;
use assay_isa::{EncodingTable, Instruction, Oracle, Readings, Subject, asm};
use assay_records::Setting;
use assay_records::devices::Role;
use assay_vectors::{Overrides, Profile};

use crate::error::RunError;
use crate::reporter::Reporter;
use crate::spelling;
use crate::subjects::{ORACLE, SubjectName};

/// The profile where the user, or a suite, names none.
pub const DEFAULT_PROFILE: &str = "intended";

/// What every run shares.
#[derive(Clone)]
pub struct Context {
    /// Readings and contracts.
    pub profile: Profile,
    /// The profile by a name that means the same from any folder.
    pub profile_name: String,
    /// Whether the user named it: then it overrules the profile of a suite.
    pub profile_is_given: bool,
    /// The readings that the user set on top of it.
    pub overrides: Overrides,
    /// Codes of the instruction word.
    pub numbers: EncodingTable,
    /// The program around.
    pub reporter: &'static dyn Reporter,
}

impl Context {
    /// Loads a profile by name or file, the default one for none, and sets some readings on top, such as `E173=2`.
    ///
    /// # Errors
    ///
    /// If the profile cannot be read, or has no such reading.
    pub fn new(
        profile: Option<&str>,
        readings: &[String],
        numbers: EncodingTable,
        reporter: &'static dyn Reporter,
    ) -> Result<Context, RunError> {
        let named = profile.unwrap_or(DEFAULT_PROFILE);
        let mut loaded = Profile::load(named)?;
        let mut overrides = Overrides::default();
        for reading in readings {
            let (erratum, setting) = loaded.set_reading(reading)?;
            // One that changes nothing counts as well: the profile of a suite, or a case, may differ.
            overrides.insert(erratum, setting);
        }
        Ok(Context {
            profile: loaded,
            profile_name: lasting_name(named),
            profile_is_given: profile.is_some(),
            overrides,
            numbers,
            reporter,
        })
    }

    /// The same, under another profile unless the user named one.
    pub fn under(&self, name: &str) -> Result<Context, RunError> {
        if self.profile_is_given {
            return Ok(self.clone());
        }
        let mut profile = Profile::load(name)?;
        for (erratum, setting) in self.overrides.iter() {
            profile.set_reading(&format!("{erratum}={setting}"))?;
        }
        Ok(Context { profile, profile_name: name.to_owned(), ..self.clone() })
    }

    /// The same with other readings and contracts, under the name of the current profile.
    pub fn with_profile(&self, profile: &Profile) -> Context {
        Context { profile: profile.clone(), ..self.clone() }
    }

    /// A subject by its specification.
    pub fn subject(&self, implementation: &SubjectName) -> Box<dyn Subject> {
        implementation.subject(&self.numbers, &self.profile)
    }

    /// Starts a subject, which may be a device, and asks it for an instruction that it need not know.
    pub fn start(&self, subject: &SubjectName) -> Result<(), RunError> {
        let setup = self.setup(subject, None);
        let first = Scope::everything().modes().next();
        let mut comparator = Comparator::new(&setup.compared());
        first.map_or(Ok(true), |mode| comparator.supports_some(mode, &self.numbers))?;
        Ok(())
    }

    /// The oracle, or a subject in its place.
    pub fn oracle(&self, against: Option<&SubjectName>) -> Box<dyn Oracle> {
        SubjectName::oracle(against, &self.numbers, &self.profile)
    }

    /// The same under other readings.
    pub fn oracle_under(&self, readings: Readings, against: Option<&SubjectName>) -> Box<dyn Oracle> {
        SubjectName::oracle(against, &self.numbers, &Profile { readings, ..self.profile.clone() })
    }

    /// The oracle, whatever the contracts demand: values derived from it never come from the model.
    pub fn truth(&self) -> Box<dyn Oracle> {
        assay_session::backends::truth(self.profile.readings)
    }

    /// The setup: a subject with the oracle, or with another subject in its place.
    pub fn setup<'a>(&'a self, subject: &'a SubjectName, against: Option<&'a SubjectName>) -> RunSetup<'a> {
        RunSetup {
            context: self,
            subject: Box::new(move || self.subject(subject)),
            oracle: Box::new(move || self.oracle(against)),
            oracles: Box::new(move |readings| self.oracle_under(readings, against)),
        }
    }

    /// The model and the oracle, whatever the contracts demand.
    pub fn setup_of_truth(&self) -> RunSetup<'_> {
        RunSetup { oracle: Box::new(move || self.truth()), ..self.setup(&SubjectName::MODEL, None) }
    }

    /// The setting of a run, as result files record it.
    pub fn setting(&self, subject: &SubjectName, against: Option<&SubjectName>) -> Result<Setting, RunError> {
        let readings = self.profile.readings.iter().map(|(e, n)| (e.to_string(), n));
        let roles = [(Role::Subject, Some(subject)), (Role::Against, against)];
        let devices = roles
            .into_iter()
            .filter_map(|(role, implementation)| implementation?.device_identity(role).transpose());
        Ok(Setting {
            subject: subject.identity(),
            against: against.map_or(ORACLE.into(), SubjectName::identity),
            profile: self.profile.name.clone(),
            readings: readings.collect::<BTreeMap<_, _>>(),
            contracts: self
                .profile
                .contracts
                .iter()
                .filter(|row| row.applies(&self.profile.readings))
                .map(|row| (row.instruction.clone(), row.contract.to_string()))
                .collect(),
            numbers: self.numbers.fingerprint().to_owned(),
            generator: assay_engine::generate::VERSION,
            judged: self.profile.judged.clone(),
            looser: self.profile.looser()?,
            inversions: self
                .profile
                .inversions
                .iter()
                .map(|row| (row.instruction.clone(), row.steps))
                .collect(),
            devices: devices.collect::<Result<_, _>>()?,
            not_generated: Vec::new(),
        })
    }

    /// Reads an instruction in capitals or in small letters, with an error that points into its text.
    pub fn assemble(&self, text: &str) -> Result<Instruction, RunError> {
        let parsed = asm::parse(text).or_else(|_| asm::parse(&spelling::instruction(text)));
        parsed.map_err(|error| RunError::asm(text, error))
    }
}

/// The compared implementations and the rules, with their constructors.
pub struct RunSetup<'a> {
    context: &'a Context,
    subject: Box<dyn Fn() -> Box<dyn Subject> + Sync + 'a>,
    oracle: Box<dyn Fn() -> Box<dyn Oracle> + Sync + 'a>,
    oracles: Box<dyn Fn(Readings) -> Box<dyn Oracle> + Sync + 'a>,
}

impl RunSetup<'_> {
    /// Returns the two sides of the comparison.
    pub fn compared(&self) -> Setup<'_> {
        Setup {
            numbers: &self.context.numbers,
            profile: &self.context.profile,
            subject: &*self.subject,
            oracle: &*self.oracle,
        }
    }

    /// Returns the oracle under other readings than the current ones.
    pub fn oracles(&self) -> &(dyn Fn(Readings) -> Box<dyn Oracle> + Sync) {
        &*self.oracles
    }
}

/// The absolute path of a profile file, or the name of a built-in profile.
fn lasting_name(profile: &str) -> String {
    let is_built_in = assay_vectors::profile::BUILT_IN.iter().any(|(name, _)| *name == profile);
    let path = std::fs::canonicalize(profile).ok().filter(|_| !is_built_in);
    path.map_or_else(|| profile.to_owned(), |path| path.display().to_string())
}
