//! `assay errata settle`: which readings a subject follows, asked of it with the witnesses' inputs.

use std::collections::HashSet;

use assay_engine::compare::judge::{Verdict, Verdicts, judge};
use assay_engine::compare::versus::PRECISION;
use assay_hardware::ptx::lower;
use assay_hardware::trace::Header;
use assay_isa::readings::{SWITCHES, Switch};
use assay_isa::{Answer, Batch, Effects, Instruction, Oracle, Subject, Truths};
use assay_vectors::Profile;
use clap::Args;
use serde_json::{Value, json};

use super::{Source, prove};
use crate::commands::witness::{Witnesses, answered};
use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::output;
use crate::voices::{Voice, own_voice, parse_voice};
use assay_runner::subjects::recording::device;

/// Ask a subject which readings it follows: the witnesses' inputs are executed on it, and the oracle judges what it
/// did under every setting.
///
/// A setting stands if the oracle never refuses what the subject did under it, and if some input told it from another
/// setting. All other readings are those of --profile: for silicon, sm90. Where a setting stands alone that the profile
/// has not, the subject is asked again under it, for one reading can hide another. Exit status 1 tells that a subject follows
/// another setting than the profile has, or none of them, that the trace does not show what the profile says was measured
/// with it, or that nothing could be told.
#[derive(Args)]
pub struct Settle {
    /// Errata, such as E053, and conventions, such as C001; all that have a switch by default.
    errata: Vec<String>,
    /// Who is asked: any voice, or trace:FILE for what `assay trace capture --vectors` recorded of one.
    #[arg(long, value_name = "SUBJECT", default_value_t = Voice::Model, value_parser = parse_voice)]
    subject: Voice,
    /// Print the settings that stand alone as readings of a profile, measured with the trace that --subject names.
    #[arg(long)]
    yaml: bool,
    #[command(flatten)]
    source: Source,
}

/// How often a subject is asked at most. Each round but the last settles a reading that another one hid.
const ROUNDS: usize = 8;

/// What a subject told of a switch.
struct Settled {
    switch: &'static Switch,
    /// The setting of the profile.
    profile: u8,
    /// Whether the profile says that it was measured, and if so whether with the trace that is asked.
    claim: Option<bool>,
    /// Whether what the subject does can show what was measured.
    is_evidence: bool,
    /// Inputs that the trace of a GPU lacks, though a GPU could have been asked.
    missing: usize,
    /// Inputs executed.
    asked: usize,
    /// Inputs of instructions that the subject has not.
    unsupported: usize,
    /// How often each setting was refused.
    refused: Vec<usize>,
    /// How often each was accepted where another was not: refused, or without a word about it.
    confirmed: Vec<usize>,
}

impl Settle {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        let trace = match &self.subject {
            Voice::Trace(recording) => Some(recording.header()),
            _ => None,
        };
        let shows_nothing = match trace {
            None => Some(format!("{} leaves nothing that shows what was measured", self.subject)),
            Some(header) => own_voice(header),
        };
        if let Some(problem) = shows_nothing.as_ref().filter(|_| self.yaml) {
            let help = "record a device with `assay trace capture --vectors`, then --subject trace:FILE";
            return Err(Failure::input(problem).help(help));
        }
        let witnesses = self.source.witnesses(context)?;
        let switches = match self.errata.is_empty() {
            true => SWITCHES.iter().collect(),
            false => prove::switches(&self.errata)?,
        };
        let inquiry = Inquiry { context, witnesses: &witnesses, trace, is_evidence: shows_nothing.is_none() };
        let mut subject = context.subject(&self.subject);
        let settled = inquiry.settle(&switches, &mut *subject)?;
        match (trace.filter(|_| self.yaml), context.json) {
            (Some(trace), _) => output::print(&readings(&settled, trace))?,
            (None, true) => {
                output::print_json(&json!(settled.iter().map(Settled::to_json).collect::<Vec<_>>()))?;
            }
            (None, false) => output::print(&page(&settled, &self.subject, &context.profile))?,
        }
        // Who was asked nothing has not agreed.
        Ok(Status::of(settled.iter().any(Settled::tells) && settled.iter().all(Settled::agrees)))
    }
}

/// What stays the same while a subject is asked.
struct Inquiry<'a> {
    context: &'a Context,
    witnesses: &'a Witnesses,
    trace: Option<&'a Header>,
    is_evidence: bool,
}

impl Inquiry<'_> {
    /// Asks about every switch, and again where the subject showed that it follows other readings than the profile has.
    fn settle(
        &self,
        switches: &[&'static Switch],
        subject: &mut dyn Subject,
    ) -> Result<Vec<Settled>, Failure> {
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
        Err(Failure::finding(
            "the readings that the subject follows contradict each other; name fewer errata",
        ))
    }

    /// Asks about a switch, all other readings being those of a profile.
    fn ask(
        &self,
        switch: &'static Switch,
        profile: &Profile,
        subject: &mut dyn Subject,
    ) -> Result<Settled, Failure> {
        let is_gpu = self.trace.is_some_and(|header| header.compute_capability.is_some());
        let mut judges = Judge::all(self.context, profile, switch)?;
        let mut one = Settled::new(switch, &self.context.profile, self.trace, self.is_evidence);
        let mut seen = HashSet::new();
        for case in self.witnesses.cases(switch.erratum) {
            let (instruction, batch) = case.batch(&self.context.numbers)?;
            if seen.insert((batch.word(), batch.lane(0).collect::<Vec<_>>())) {
                let is_missing = is_gpu && lower(&instruction).is_ok();
                one.ask(subject, &mut judges, &instruction, &batch, is_missing)?;
            }
        }
        Ok(one)
    }
}

/// Who knows the truth under one setting.
struct Judge {
    profile: Profile,
    oracle: Box<dyn Oracle>,
}

impl Judge {
    /// One for each setting of a switch, all other readings being those of a profile.
    fn all(context: &Context, profile: &Profile, switch: &Switch) -> Result<Vec<Judge>, Failure> {
        let judge = |setting: usize| {
            let mut profile = profile.clone();
            profile.set_reading(&format!("{}={setting}", switch.erratum))?;
            let oracle = Voice::oracle(None, &context.numbers, &profile);
            Ok(Judge { profile, oracle })
        };
        (1..=switch.settings.len()).map(judge).collect()
    }

    /// Whether an effect is right; nothing where the specification leaves it open or the oracle does not know.
    fn accepts(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        effects: &Effects,
    ) -> Result<Option<bool>, Failure> {
        let (mut truths, mut verdicts) = (Truths::default(), Verdicts::default());
        let known = answered(self.oracle.truth(instruction, batch, PRECISION, &mut truths))?;
        if known == Answer::Unsupported {
            return Ok(None);
        }
        let contract = self.profile.contract_for(instruction);
        judge(&contract, instruction, &truths, effects, &mut verdicts);
        // A subject with readings, such as the model, can say that it follows one that leaves something open.
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

    /// Has an input executed, and judged under every setting. If the subject does not know it, it `is_missing` or unsupported.
    fn ask(
        &mut self,
        subject: &mut dyn Subject,
        judges: &mut [Judge],
        instruction: &Instruction,
        batch: &Batch,
        is_missing: bool,
    ) -> Result<(), Failure> {
        let mut effects = Effects::default();
        if answered(subject.execute(batch, &mut effects))? == Answer::Unsupported {
            *if is_missing { &mut self.missing } else { &mut self.unsupported } += 1;
            return Ok(());
        }
        self.asked += 1;
        let accepted: Vec<Option<bool>> = judges
            .iter_mut()
            .map(|judge| judge.accepts(instruction, batch, &effects))
            .collect::<Result<_, Failure>>()?;
        // A setting that says nothing cannot be refused, but one that says what happened gains by it.
        let tells = accepted.iter().any(|other| *other != Some(true));
        for (setting, accepted) in accepted.iter().enumerate() {
            self.refused[setting] += usize::from(*accepted == Some(false));
            self.confirmed[setting] += usize::from(tells && *accepted == Some(true));
        }
        Ok(())
    }

    /// The settings that stand.
    fn standing(&self) -> Vec<u8> {
        let stands = |setting: &u8| {
            let index = usize::from(*setting) - 1;
            self.refused[index] == 0 && self.confirmed[index] > 0
        };
        (1..=self.switch.settings.len() as u8).filter(stands).collect()
    }

    /// Whether some input was answered as one setting has it and another has not, or as none has.
    fn tells(&self) -> bool {
        self.refused.iter().chain(&self.confirmed).any(|count| *count > 0)
    }

    /// The one setting that every witness leaves standing.
    fn alone(&self) -> Option<u8> {
        match self.standing()[..] {
            [setting] => Some(setting),
            _ => None,
        }
    }

    /// The one setting that stands, if no witness is missing and the subject is evidence.
    fn shown(&self) -> Option<u8> {
        self.alone().filter(|_| self.is_evidence && self.missing == 0)
    }

    /// Whether nothing speaks against the profile, and for it what it claims.
    fn agrees(&self) -> bool {
        match self.claim {
            Some(true) => self.shown() == Some(self.profile),
            _ => !self.tells() || self.standing().contains(&self.profile),
        }
    }

    fn outcome(&self) -> &'static str {
        match (self.asked, self.tells(), &self.standing()[..]) {
            _ if self.claim == Some(true) && !self.agrees() => "NOT shown as claimed",
            (0, ..) => "not asked",
            (_, false, _) => "not told",
            (_, true, []) => "no setting stands",
            (_, true, [setting]) if *setting == self.profile => "as the profile",
            (_, true, settings) if settings.contains(&self.profile) => "several stand",
            _ => "NOT as the profile",
        }
    }

    fn to_json(&self) -> Value {
        json!({
            "erratum": self.switch.erratum.to_string(), "question": self.switch.question,
            "outcome": self.outcome(), "settings": self.standing(), "profile": self.profile,
            "asked": self.asked, "unsupported": self.unsupported, "missing": self.missing, "claimed": self.claim,
            "refused": self.refused, "confirmed": self.confirmed,
        })
    }

    fn line(&self) -> String {
        let standing = self.standing();
        let text = |setting: &u8| format!("{setting}: {}", self.switch.settings[usize::from(*setting) - 1]);
        let settings = standing.iter().map(text).collect::<Vec<_>>().join("; ");
        format!(
            "{}  {:<20} {:>3} asked {:>3} unsupported  profile {}  {}\n      {}\n",
            self.switch.erratum,
            self.outcome(),
            self.asked,
            self.unsupported,
            self.profile,
            if settings.is_empty() { "-" } else { &settings },
            self.switch.question,
        )
    }
}

fn page(settled: &[Settled], subject: &Voice, profile: &Profile) -> String {
    let lines: String = settled.iter().map(Settled::line).collect();
    let told = settled.iter().filter(|one| one.tells()).count();
    let against = settled.iter().filter(|one| !one.agrees()).count();
    let missing: usize = settled.iter().map(|one| one.missing).sum();
    let claims = |here| settled.iter().filter(|one| one.claim == Some(here)).count();
    let claims = match (claims(true), claims(false)) {
        (0, 0) => String::new(),
        (here, elsewhere) => {
            format!("; of what the profile says was measured {here} by this trace, {elsewhere} by another")
        }
    };
    let missing =
        if missing == 0 { String::new() } else { format!(", {missing} inputs missing in the trace") };
    let other = settled.iter().filter(|one| !one.agrees());
    let other: Vec<String> =
        other.filter_map(|one| Some(format!("--reading {}={}", one.switch.erratum, one.alone()?))).collect();
    let help = match other.is_empty() {
        true => String::new(),
        false => format!("to hold it to what it follows: {}\n", other.join(" ")),
    };
    format!(
        "{lines}{subject} under profile {}: {} switches, {told} told, {against} against the profile{missing}{claims}\n{help}",
        profile.name,
        settled.len()
    )
}

/// The settings that stand alone, as a profile has them.
fn readings(settled: &[Settled], trace: &Header) -> String {
    let (device, hash) = (device(trace), &trace.hash);
    let alone = settled.iter().filter_map(|one| Some((one.switch.erratum, one.shown()?)));
    let line = |(erratum, setting)| {
        format!("  {erratum}: {{setting: {setting}, evidence: measured, note: {device:?}, trace: {hash}}}\n")
    };
    format!("readings:\n{}", alone.map(line).collect::<String>())
}
