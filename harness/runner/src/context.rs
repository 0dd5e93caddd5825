//! The context of a run: the profile and readings in force, the encoding table, and the reporter.

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

/// Name of the profile that applies if neither the user nor the suite names a profile.
pub const DEFAULT_PROFILE: &str = "intended";

/// The context of a run.
#[derive(Clone)]
pub struct Context {
    /// Readings and contracts.
    pub profile: Profile,
    /// Name of the profile. It does not depend on the current folder.
    pub profile_name: String,
    /// Whether the user named the profile. Such a profile overrules the profile of a suite.
    pub profile_is_given: bool,
    /// The readings that the user set, which overrule those of the profile.
    pub overrides: Overrides,
    /// The encoding table: the codes of the instruction word.
    pub numbers: EncodingTable,
    /// Shows messages and progress to the user.
    pub reporter: &'static dyn Reporter,
}

impl Context {
    /// Loads a profile by name or file, or the default profile for `None`. Then sets the given
    /// readings, such as `E173=2`.
    ///
    /// # Errors
    ///
    /// The profile cannot be read, or there is no such reading.
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
            // A reading that the profile already has is kept too, because the profile of a suite or
            // a case may differ.
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

    /// Returns the context with the profile `name`. If the user named a profile, keeps that
    /// profile.
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

    /// Returns the context with the readings and contracts of `profile`. Keeps `profile_name`.
    pub fn with_profile(&self, profile: &Profile) -> Context {
        Context { profile: profile.clone(), ..self.clone() }
    }

    /// Makes a subject from its name.
    pub fn subject(&self, implementation: &SubjectName) -> Box<dyn Subject> {
        implementation.subject(&self.numbers, &self.profile)
    }

    /// Starts a subject, such as a device, by sending it an instruction. The subject need not
    /// support the instruction.
    pub fn start(&self, subject: &SubjectName) -> Result<(), RunError> {
        let setup = self.setup(subject, None);
        let first = Scope::everything().modes().next();
        let mut comparator = Comparator::new(&setup.compared());
        first.map_or(Ok(true), |mode| comparator.supports_some(mode, &self.numbers))?;
        Ok(())
    }

    /// Returns the oracle, or a subject in its place.
    pub fn oracle(&self, against: Option<&SubjectName>) -> Box<dyn Oracle> {
        SubjectName::oracle(against, &self.numbers, &self.profile)
    }

    /// Returns the oracle, or a subject in its place, under other readings.
    pub fn oracle_under(&self, readings: Readings, against: Option<&SubjectName>) -> Box<dyn Oracle> {
        SubjectName::oracle(against, &self.numbers, &Profile { readings, ..self.profile.clone() })
    }

    /// Returns the oracle itself, even if a contract demands the bits of the model. So values
    /// derived from it never come from the model.
    pub fn truth(&self) -> Box<dyn Oracle> {
        assay_session::backends::truth(self.profile.readings)
    }

    /// Returns a setup that compares a subject with the oracle, or with a subject in the oracle's
    /// place.
    pub fn setup<'a>(&'a self, subject: &'a SubjectName, against: Option<&'a SubjectName>) -> RunSetup<'a> {
        RunSetup {
            context: self,
            subject: Box::new(move || self.subject(subject)),
            oracle: Box::new(move || self.oracle(against)),
            oracles: Box::new(move |readings| self.oracle_under(readings, against)),
        }
    }

    /// Returns a setup that compares the model with the oracle, even if a contract demands the bits
    /// of the model.
    pub fn setup_of_truth(&self) -> RunSetup<'_> {
        RunSetup { oracle: Box::new(move || self.truth()), ..self.setup(&SubjectName::MODEL, None) }
    }

    /// Returns the setting of a run, for result files.
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

    /// Reads an instruction in upper or lower case. An error contains its position in the text.
    pub fn assemble(&self, text: &str) -> Result<Instruction, RunError> {
        let parsed = asm::parse(text).or_else(|_| asm::parse(&spelling::instruction(text)));
        parsed.map_err(|error| RunError::asm(text, error))
    }
}

/// The constructors of the compared implementations, and the context.
pub struct RunSetup<'a> {
    context: &'a Context,
    subject: Box<dyn Fn() -> Box<dyn Subject> + Sync + 'a>,
    oracle: Box<dyn Fn() -> Box<dyn Oracle> + Sync + 'a>,
    oracles: Box<dyn Fn(Readings) -> Box<dyn Oracle> + Sync + 'a>,
}

impl RunSetup<'_> {
    /// Returns the compared implementations: subject and oracle.
    pub fn compared(&self) -> Setup<'_> {
        Setup {
            numbers: &self.context.numbers,
            profile: &self.context.profile,
            subject: &*self.subject,
            oracle: &*self.oracle,
        }
    }

    /// Returns a function that makes the oracle under given readings.
    pub fn oracles(&self) -> &(dyn Fn(Readings) -> Box<dyn Oracle> + Sync) {
        &*self.oracles
    }
}

/// Returns the absolute path of a profile file, or the name of a built-in profile.
fn lasting_name(profile: &str) -> String {
    let is_built_in = assay_vectors::profile::BUILT_IN.iter().any(|(name, _)| *name == profile);
    let path = std::fs::canonicalize(profile).ok().filter(|_| !is_built_in);
    path.map_or_else(|| profile.to_owned(), |path| path.display().to_string())
}
