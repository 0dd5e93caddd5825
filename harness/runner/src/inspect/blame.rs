//! Who stands alone in a case, and where the fault lies: in encoding, decoding, execution, or in the oracle.

use assay_engine::compare::versus::Bench;
use assay_engine::triage::explain::{Explanation, explain};
use assay_engine::triage::suppose::Supposition;
use assay_isa::{Batch, Erratum, Instruction, asm, codec, shown};
use assay_vectors::Profile;

use super::panel::{Answered, Judgement, Panel, Spoken};
use crate::context::Context;
use crate::error::RunError;
use crate::subjects::Voice;

/// Who is to blame for a divergence.
pub struct Blame {
    /// Who stands alone; nothing if nobody diverged.
    pub who: Option<String>,
    /// Where the fault lies, if it is the subject's.
    pub stage: Option<&'static str>,
    /// What the subject does instead, if something simple.
    pub instead: Option<Explanation>,
    /// The settings of errata, other than those at hand, under which its answer is right.
    pub right_under: Vec<(Erratum, u8)>,
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
    ) -> Result<Blame, RunError> {
        let who = alone(judgement);
        let mut blame = Blame { who, stage: None, instead: None, right_under: Vec::new() };
        if !judgement.answers.first().is_some_and(|subject| subject.diverged) {
            return Ok(blame);
        }
        let context = context.with_profile(profile);
        blame.right_under = panel.right_under(&context, instruction, batch)?;
        if let Some(voice) = voice {
            let setup = context.setup(&voice, None);
            let parties = setup.parties();
            let mut bench = Bench::new(&parties);
            blame.instead = explain(&parties, &mut bench, setup.oracles(), &[(instruction, batch)])?;
        }
        blame.stage = Some(stage(&context, instruction, blame.instead.as_ref()));
        Ok(blame)
    }
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
fn stage(context: &Context, instruction: &Instruction, instead: Option<&Explanation>) -> &'static str {
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
