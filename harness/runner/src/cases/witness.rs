//! Witnesses are recorded cases that show the effect of one setting of a reading. Together they
//! prove that no two settings are equivalent.

use assay_isa::readings::{Erratum, Switch};
use assay_isa::{Answer, BackendError};
use assay_vectors::{Case, Origin, Profile, Suite};

use crate::cases::check::{CheckResult, Execution, hold};
use crate::cases::suites::SuiteFile;
use crate::context::Context;
use crate::error::RunError;
use crate::subjects::SubjectName;

/// A case about an erratum, executed by model and oracle.
pub struct Witness<'a> {
    /// The case.
    pub case: &'a Case,
    /// The setting of the erratum under which it was executed, if it has a switch.
    pub setting: Option<u8>,
    /// The result of the execution.
    pub execution: Execution,
}

/// Witnesses of one erratum that differ only in its setting: instruction, inputs and other readings
/// are equal.
pub type Group<'a> = Vec<Witness<'a>>;

/// Suites that hold witnesses, each with the profile under which its cases are executed.
pub struct Witnesses {
    suites: Vec<(Suite, Profile)>,
}

impl Witnesses {
    /// Loads the profiles of suites, once for all errata.
    pub fn new(context: &Context, suites: Vec<SuiteFile>) -> Result<Witnesses, RunError> {
        let with_profile = |file: SuiteFile| {
            let profile = file.profile(context)?;
            Ok((file.suite, profile))
        };
        Ok(Witnesses { suites: suites.into_iter().map(with_profile).collect::<Result<_, RunError>>()? })
    }

    /// Returns the cases whose provenance names an erratum.
    pub fn cases(&self, erratum: Erratum) -> impl Iterator<Item = &Case> {
        self.suites.iter().flat_map(move |(suite, _)| cases(suite, erratum))
    }

    /// Executes the witnesses of an erratum, in groups.
    pub fn groups(&self, context: &Context, erratum: Erratum) -> Result<Vec<Group<'_>>, RunError> {
        let mut groups: Vec<Group> = Vec::new();
        for (suite, profile) in &self.suites {
            for case in cases(suite, erratum) {
                let execution = hold(context, profile, case, SubjectName::MODEL)?;
                let witness = Witness { case, setting: execution.readings.setting(erratum), execution };
                match groups.iter_mut().find(|group| group[0].differs_in_setting_only(&witness, erratum)) {
                    Some(group) => group.push(witness),
                    None => groups.push(vec![witness]),
                }
            }
        }
        Ok(groups)
    }
}

/// Turns a missing input into `Unsupported`. Under other readings than those of a witness, an
/// instruction may read a location for which the witness has no value.
pub fn answered(answer: Result<Answer, BackendError>) -> Result<Answer, BackendError> {
    match answer {
        Err(BackendError::MissingLocation(_)) => Ok(Answer::Unsupported),
        answer => answer,
    }
}

fn cases(suite: &Suite, erratum: Erratum) -> impl Iterator<Item = &Case> {
    let name = erratum.to_string();
    suite.cases.iter().filter(move |case| {
        let provenance = case.provenance.as_ref().filter(|p| p.source == Origin::Erratum);
        provenance.and_then(|p| p.reference.as_ref()) == Some(&name)
    })
}

/// Returns the gaps in the proof of the settings of a switch. Empty if all witnesses pass, and some
/// group distinguishes each two settings.
pub fn gaps(switch: &Switch, groups: &[Group]) -> Vec<String> {
    let count = switch.settings.len() as u8;
    let pairs = (1..=count).flat_map(|low| (low + 1..=count).map(move |high| (low, high)));
    let untold = pairs.filter(|(low, high)| !groups.iter().any(|group| tells_apart(group, *low, *high)));
    let untold = untold.map(|(low, high)| {
        format!(
            "no two witnesses with the same instruction, inputs and other readings tell setting {low} from {high}"
        )
    });
    let witnesses = groups.iter().flatten();
    let broken = witnesses.filter_map(|w| Some(format!("{}: {}", w.case.name, w.problem()?)));
    untold.chain(broken).collect()
}

fn tells_apart(group: &Group, low: u8, high: u8) -> bool {
    let of = |setting| group.iter().filter(move |w| w.setting == Some(setting));
    of(low).any(|a| of(high).any(|b| exclude_each_other(a.case, b.case)))
}

/// Whether no answer can match the expectations of both cases.
fn exclude_each_other(a: &Case, b: &Case) -> bool {
    let (Some(left), Some(right)) = (&a.expect, &b.expect) else { return a.undefined != b.undefined };
    let overlap = left.keys().eq(right.keys()) && left.values().zip(right.values()).all(|(a, b)| a.meets(b));
    a.event != b.event || !overlap
}

impl Witness<'_> {
    /// Returns why the witness does not prove its setting. `None` if it does.
    pub fn problem(&self) -> Option<String> {
        if let Some(reason) = &self.case.skip {
            return Some(format!("skipped: {reason}"));
        }
        match &self.execution.held {
            CheckResult::Yes => None,
            CheckResult::No(problem) => Some(problem.clone()),
            CheckResult::Unjudged => Some("no bound judges its expectation".into()),
            CheckResult::Unsupported => Some("model or oracle does not implement the instruction".into()),
            CheckResult::NothingExpected => {
                Some("it expects nothing; give it `expect` or `undefined`".into())
            }
        }
    }

    /// Returns the readings other than `erratum` that the case sets, such as `E050=1`.
    pub fn other_readings(&self, erratum: Erratum) -> Vec<String> {
        let others = self.case.readings.iter().filter(|(other, _)| **other != erratum);
        others.map(|(other, setting)| format!("{other}={setting}")).collect()
    }

    fn differs_in_setting_only(&self, other: &Witness, erratum: Erratum) -> bool {
        let others =
            |w: &Witness| w.execution.readings.iter().filter(|(e, _)| *e != erratum).collect::<Vec<_>>();
        self.execution.instruction == other.execution.instruction
            && self.case.inputs == other.case.inputs
            && others(self) == others(other)
    }
}
