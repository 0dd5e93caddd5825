//! Finds out which readings a subject follows, by executing the inputs of the witnesses.

use std::collections::HashSet;

use assay_engine::compare::comparator::PRECISION;
use assay_engine::compare::judge::{Verdict, Verdicts, judge};
use assay_hardware::ptx::{DECIDED, lower};
use assay_hardware::trace::Header;
use assay_isa::readings::Switch;
use assay_isa::{Answer, Batch, Effects, Instruction, Oracle, Subject, Truths};
use assay_vectors::Profile;

use super::prove;
use crate::cases::witness::{Witnesses, answered};
use crate::context::Context;
use crate::error::RunError;
use crate::subjects::{SubjectName, own_implementation};

/// Maximum number of rounds of tests. A reading that is settled in one round can make another
/// reading testable in the next.
const ROUNDS: usize = 8;

/// The setting of a switch that a subject follows.
pub struct Settled {
    /// The switch.
    pub switch: &'static Switch,
    /// The setting of the profile.
    pub profile: u8,
    /// `None` if the profile names no trace as the evidence for its setting. Otherwise whether it
    /// names the current trace.
    pub claim: Option<bool>,
    /// Whether the subject's results count as measurements.
    pub is_evidence: bool,
    /// Number of inputs that the trace of a GPU lacks, although a GPU can execute them.
    pub missing: usize,
    /// Number of inputs that were executed.
    pub asked: usize,
    /// Number of inputs that the subject does not support, or that cannot show the reading because
    /// the lowering to PTX decides it.
    pub unsupported: usize,
    /// For each setting, the number of results that the oracle refuses under it.
    pub refused: Vec<usize>,
    /// For each setting, the number of results that it accepts and that another setting refuses or
    /// leaves open.
    pub confirmed: Vec<usize>,
}

/// Tests the named switches on a subject. Without names, tests all switches. `is_evidence` states
/// that the subject's results count as measurements.
pub fn settle(
    context: &Context,
    errata: &[String],
    subject: &SubjectName,
    is_evidence: bool,
    witnesses: &Witnesses,
) -> Result<Vec<Settled>, RunError> {
    let trace = trace_of(subject);
    let switches = prove::switches(errata)?;
    let is_lowered = match subject {
        SubjectName::Trace(recording) => recording.header().ptx_version.is_some(),
        other => other.runs_lowerings(),
    };
    let inquiry = Inquiry { context, witnesses, trace, is_evidence, is_lowered };
    inquiry.settle(&switches, &mut *context.subject(subject))
}

/// Returns the header of the trace that a subject repeats. `None` if the subject is not a trace.
pub fn trace_of(subject: &SubjectName) -> Option<&Header> {
    match subject {
        SubjectName::Trace(recording) => Some(recording.header()),
        _ => None,
    }
}

/// Returns why the results of a subject cannot count as measurements. `None` if they can.
pub fn shows_nothing(subject: &SubjectName) -> Option<String> {
    match trace_of(subject) {
        None => Some(format!("{subject} leaves no evidence of a measurement")),
        Some(header) => own_implementation(header),
    }
}

/// The data that all tests of a subject share.
struct Inquiry<'a> {
    context: &'a Context,
    witnesses: &'a Witnesses,
    trace: Option<&'a Header>,
    is_evidence: bool,
    /// Whether the subject executes the PTX to which an instruction is lowered, or is a recording
    /// of such a subject.
    is_lowered: bool,
}

impl Inquiry<'_> {
    /// Tests every switch. Repeats the tests under the readings settled so far, until the readings
    /// no longer change.
    fn settle(
        &self,
        switches: &[&'static Switch],
        subject: &mut dyn Subject,
    ) -> Result<Vec<Settled>, RunError> {
        let mut profile = self.context.profile.clone();
        for _ in 0..ROUNDS {
            let settled: Vec<Settled> =
                switches.iter().map(|s| self.ask(s, &profile, subject)).collect::<Result<_, _>>()?;
            let before = profile.readings;
            for (erratum, setting) in
                settled.iter().filter_map(|one| Some((one.switch.erratum, one.alone()?)))
            {
                profile.set_reading(&format!("{erratum}={setting}"))?;
            }
            if profile.readings == before {
                return Ok(settled);
            }
        }
        Err(RunError::finding(
            "the readings that the subject follows contradict each other; name fewer errata",
        ))
    }

    /// Tests a switch. All other readings are those of `profile`.
    fn ask(
        &self,
        switch: &'static Switch,
        profile: &Profile,
        subject: &mut dyn Subject,
    ) -> Result<Settled, RunError> {
        let is_gpu = self.trace.is_some_and(|header| header.compute_capability.is_some());
        let is_decided = self.is_lowered && DECIDED.iter().any(|one| one.switch().erratum == switch.erratum);
        let mut judges = Judge::all(self.context, profile, switch)?;
        let mut one = Settled::new(switch, &self.context.profile, self.trace, self.is_evidence);
        let mut seen = HashSet::new();
        for case in self.witnesses.cases(switch.erratum) {
            let (instruction, batch) = case.batch(&self.context.numbers)?;
            if seen.insert((batch.word(), batch.lane(0).collect::<Vec<_>>())) {
                if is_decided {
                    one.unsupported += 1;
                    continue;
                }
                let is_missing = is_gpu && lower(&instruction).is_ok();
                one.ask(subject, &mut judges, &instruction, &batch, is_missing)?;
            }
        }
        Ok(one)
    }
}

/// The oracle and the profile under one setting of a switch.
struct Judge {
    profile: Profile,
    oracle: Box<dyn Oracle>,
}

impl Judge {
    /// Returns one judge for each setting of a switch. All other readings are those of `profile`.
    fn all(context: &Context, profile: &Profile, switch: &Switch) -> Result<Vec<Judge>, RunError> {
        let judge = |setting: usize| {
            let mut profile = profile.clone();
            profile.set_reading(&format!("{}={setting}", switch.erratum))?;
            let oracle = SubjectName::oracle(None, &context.numbers, &profile);
            Ok(Judge { profile, oracle })
        };
        (1..=switch.settings.len()).map(judge).collect()
    }

    /// Whether an effect is right. `None` if the specification leaves the result open, if no bound
    /// applies, or if the oracle does not support the instruction.
    fn accepts(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        effects: &Effects,
    ) -> Result<Option<bool>, RunError> {
        let (mut truths, mut verdicts) = (Truths::default(), Verdicts::default());
        let known = answered(self.oracle.truth(instruction, batch, PRECISION, &mut truths))?;
        if known == Answer::Unsupported {
            return Ok(None);
        }
        let contract = self.profile.contract_for(instruction);
        judge(&contract, instruction, &truths, effects, &mut verdicts);
        // A subject with readings, such as the model, can report that the result is undefined under
        // its setting.
        let leaves_open = !effects.undefined().is_empty();
        Ok(match verdicts.of(0) {
            Verdict::Undefined(_) => leaves_open.then_some(true),
            _ if leaves_open => Some(false),
            Verdict::Unsupported | Verdict::Unjudged(_) => None,
            Verdict::Diverged(_) => Some(false),
            Verdict::Exact | Verdict::Within(_) => Some(true),
        })
    }
}

impl Settled {
    fn new(switch: &'static Switch, profile: &Profile, trace: Option<&Header>, is_evidence: bool) -> Settled {
        let zeros = vec![0; switch.settings.len()];
        let shown_by = profile.basis.get(&switch.erratum).and_then(|basis| basis.trace.as_ref());
        Settled {
            switch,
            profile: profile.readings.setting(switch.erratum).unwrap_or(switch.intended),
            claim: shown_by.map(|hash| trace.is_some_and(|trace| *hash == trace.hash)),
            is_evidence,
            missing: 0,
            asked: 0,
            unsupported: 0,
            refused: zeros.clone(),
            confirmed: zeros,
        }
    }

    /// Executes an input, and judges the result under every setting. An input that the subject does
    /// not support counts as missing if `is_missing`, else as unsupported.
    fn ask(
        &mut self,
        subject: &mut dyn Subject,
        judges: &mut [Judge],
        instruction: &Instruction,
        batch: &Batch,
        is_missing: bool,
    ) -> Result<(), RunError> {
        let mut effects = Effects::default();
        if answered(subject.execute(batch, &mut effects))? == Answer::Unsupported {
            *if is_missing { &mut self.missing } else { &mut self.unsupported } += 1;
            return Ok(());
        }
        self.asked += 1;
        let accepted: Vec<Option<bool>> = judges
            .iter_mut()
            .map(|judge| judge.accepts(instruction, batch, &effects))
            .collect::<Result<_, RunError>>()?;
        // A setting that leaves the case open refuses no result. The result confirms those settings
        // that define it and accept it.
        let tells = accepted.iter().any(|other| *other != Some(true));
        for (setting, accepted) in accepted.iter().enumerate() {
            self.refused[setting] += usize::from(*accepted == Some(false));
            self.confirmed[setting] += usize::from(tells && *accepted == Some(true));
        }
        Ok(())
    }

    /// Returns the standing settings: some result confirms them, and no result contradicts them.
    pub fn standing(&self) -> Vec<u8> {
        let stands = |setting: &u8| {
            let index = usize::from(*setting) - 1;
            self.refused[index] == 0 && self.confirmed[index] > 0
        };
        (1..=self.switch.settings.len() as u8).filter(stands).collect()
    }

    /// Whether some result contradicts a setting, or confirms one setting against another.
    pub fn tells(&self) -> bool {
        self.refused.iter().chain(&self.confirmed).any(|count| *count > 0)
    }

    /// Returns the standing setting, if exactly one setting stands.
    pub fn alone(&self) -> Option<u8> {
        match self.standing()[..] {
            [setting] => Some(setting),
            _ => None,
        }
    }

    /// Returns the standing setting, if exactly one setting stands, no input is missing, and the
    /// subject's results count as measurements.
    pub fn shown(&self) -> Option<u8> {
        self.alone().filter(|_| self.is_evidence && self.missing == 0)
    }

    /// Whether the results agree with the setting of the profile. If the profile names this trace
    /// as the evidence, the results must prove the setting.
    pub fn agrees(&self) -> bool {
        match self.claim {
            Some(true) => self.shown() == Some(self.profile),
            _ => !self.tells() || self.standing().contains(&self.profile),
        }
    }

    /// Returns the outcome in words.
    pub fn outcome(&self) -> &'static str {
        match (self.asked, self.tells(), &self.standing()[..]) {
            _ if self.claim == Some(true) && !self.agrees() => "NOT shown as claimed",
            (0, ..) => "not asked",
            (_, false, _) => "not determined",
            (_, true, []) => "no setting stands",
            (_, true, [setting]) if *setting == self.profile => "as the profile",
            (_, true, settings) if settings.contains(&self.profile) => "several stand",
            _ => "NOT as the profile",
        }
    }
}
