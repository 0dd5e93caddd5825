//! Who stands alone in a case, and where the fault lies: in encoding, decoding, execution, or in the oracle.

use assay_engine::compare::versus::Bench;
use assay_engine::triage::explain::{Explanation, explain};
use assay_engine::triage::suppose::Supposition;
use assay_isa::readings::SWITCHES;
use assay_isa::{Batch, Erratum, Instruction, asm, codec, shown};
use assay_vectors::Profile;
use serde_json::{Value, json};

use crate::commands::judgement::{Answered, Judgement, Panel, Spoken};
use crate::commands::selection::parties;
use crate::context::Context;
use crate::failure::Failure;
use crate::voices::Voice;

/// Who is to blame for a divergence.
pub struct Blame {
    /// Who stands alone; nothing if nobody diverged.
    who: Option<String>,
    /// Where the fault lies, if it is the subject's.
    stage: Option<&'static str>,
    /// What the subject does instead, if something simple.
    instead: Option<Explanation>,
    /// The settings of errata, other than those at hand, under which its answer is right.
    right_under: Vec<(Erratum, u8)>,
}

impl Blame {
    /// Finds it; `voice` is the subject, if it can be asked about other cases.
    pub fn find(
        context: &Context,
        profile: &Profile,
        panel: &mut Panel,
        voice: Option<Voice>,
        instruction: &Instruction,
        batch: &Batch,
        judgement: &Judgement,
    ) -> Result<Blame, Failure> {
        let who = alone(judgement);
        let mut blame = Blame { who, stage: None, instead: None, right_under: Vec::new() };
        if !judgement.answers.first().is_some_and(|subject| subject.diverged) {
            return Ok(blame);
        }
        let context = context.with_profile(profile);
        blame.right_under = panel.right_under(&context, instruction, batch)?;
        if let Some(voice) = voice {
            let (subject, oracle) = (|| context.subject(&voice), || context.oracle(None));
            let oracles = |readings| context.oracle_under(readings, None);
            let parties = parties(&context, &subject, &oracle);
            blame.instead = explain(&parties, &mut Bench::new(&parties), &oracles, &[(instruction, batch)])?;
        }
        blame.stage = Some(stage(&context, instruction, blame.instead.as_ref()));
        Ok(blame)
    }

    /// A few lines.
    pub fn text(&self) -> String {
        let mut text = String::new();
        if let Some(who) = &self.who {
            text += &format!("blame: {who}\n");
        }
        if let Some(stage) = self.stage {
            text += &format!("fault in: {stage}\n");
        }
        if let Some(explanation) = &self.instead {
            let evidence = explanation.evidence;
            let diverged = evidence.explained + evidence.unexplained;
            text += &format!(
                "does instead: {explanation}, in {} of {diverged} cases around this one",
                evidence.explained
            );
            text += &match evidence.elsewhere {
                0 => "\n".to_owned(),
                n => format!("; {n} more diverge where that changes nothing\n"),
            };
        }
        for (erratum, setting) in &self.right_under {
            text += &format!("right under {erratum}={setting}: {}\n", meaning(*erratum, *setting));
        }
        text
    }

    /// The same for programs.
    pub fn json(&self) -> Value {
        let instead = self.instead.as_ref().map(|explanation| {
            json!({
                "what": explanation.to_string(),
                "explained": explanation.evidence.explained,
                "unexplained": explanation.evidence.unexplained,
                "refuted": explanation.evidence.refuted,
                "elsewhere": explanation.evidence.elsewhere,
            })
        });
        let right = self.right_under.iter().map(|(erratum, setting)| format!("{erratum}={setting}"));
        json!({
            "who": self.who,
            "fault_in": self.stage,
            "instead": instead,
            "right_under": right.collect::<Vec<_>>(),
        })
    }
}

/// What a setting of an erratum says.
fn meaning(erratum: Erratum, setting: u8) -> &'static str {
    let switch = SWITCHES.iter().find(|switch| switch.erratum == erratum);
    switch.and_then(|switch| switch.settings.get(usize::from(setting) - 1)).copied().unwrap_or_default()
}

/// Who stands alone among the voices: the first is the subject, the last the oracle.
fn alone(judgement: &Judgement) -> Option<String> {
    let (oracle, voices) = judgement.answers.split_last()?;
    let (subject, others) = voices.split_first()?;
    let others: Vec<&Answered> = others.iter().filter(|other| other.spoken != Spoken::Unsupported).collect();
    let names =
        |list: &[&Answered]| list.iter().map(|a| shown::line(&a.voice)).collect::<Vec<_>>().join(", ");
    let (against, with): (Vec<&Answered>, Vec<&Answered>) = others.iter().partition(|other| other.diverged);
    if !subject.diverged {
        return (!against.is_empty()).then(|| format!("not the subject: {} diverged", names(&against)));
    }
    let alike = others.iter().filter(|other| other.spoken == subject.spoken).count();
    Some(match (others.len(), with.len()) {
        (0, _) => format!("nobody but {} knows the instruction besides the subject", oracle.voice),
        (all, holding) if holding == all => {
            format!("the subject stands alone: {}, {} hold", names(&with), oracle.voice)
        }
        (all, 0) if alike == all => {
            format!("{} stands alone: {} do what the subject does", oracle.voice, names(&against))
        }
        (_, 0) => format!("no two agree: {} diverged too, in other ways", names(&against)),
        _ => format!("divided: {} and {} hold, {} diverged", names(&with), oracle.voice, names(&against)),
    })
}

/// Where the fault of a subject lies.
fn stage(
    context: &assay_runner::Context,
    instruction: &Instruction,
    instead: Option<&Explanation>,
) -> &'static str {
    let word = codec::encode(instruction, &context.numbers);
    let decoded = codec::decode(word, &context.numbers).is_ok_and(|decoded| decoded == *instruction);
    let read = asm::parse(&asm::print(instruction)).is_ok_and(|read| read == *instruction);
    match instead.map(|explanation| &explanation.instead) {
        _ if !decoded || !read => {
            "encoding: the word does not read back as the instruction, which is a defect of assay"
        }
        Some(Supposition::Change(_)) => "decoding, or the execution of that one field",
        Some(Supposition::Reading(..)) => "another reading of the documents",
        Some(Supposition::Input(..) | Supposition::UpperWord(..) | Supposition::Flushes { .. }) => {
            "what an operand is read as"
        }
        Some(
            Supposition::Result(..)
            | Supposition::Rounds(..)
            | Supposition::Nan(_)
            | Supposition::Invalid(_)
            | Supposition::Follows { .. },
        ) => "what a result is written as",
        None => "execution",
    }
}
