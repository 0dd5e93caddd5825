//! Names the implementation that differs from the others in a case, and the place of the fault: encoding, decoding,
//! execution, or the oracle.

use assay_engine::compare::comparator::Comparator;
use assay_engine::triage::explain::supposition::{Flushed, Supposition};
use assay_engine::triage::explain::{Explanation, explain};
use assay_isa::{Batch, Erratum, Instruction, asm, codec, shown};
use assay_vectors::Profile;

use super::inspector::{CaseAnswer, Inspector, JudgedAnswer, Judgement};
use crate::context::Context;
use crate::error::RunError;
use crate::subjects::SubjectName;

/// The blame for a divergence.
pub struct Blame {
    /// Which implementation differs from the others, in words. `None` if none diverged.
    pub who: Option<String>,
    /// Where the fault lies, if the subject diverged.
    pub stage: Option<&'static str>,
    /// What the subject does instead, if a simple explanation fits.
    pub instead: Option<Explanation>,
    /// The settings of errata, other than the current ones, under which the subject's answer is
    /// right.
    pub right_under: Vec<(Erratum, u8)>,
}

impl Blame {
    /// Finds the blame for a judgement. `implementation` is the subject, if the subject can execute
    /// other cases.
    pub fn find(
        context: &Context,
        profile: &Profile,
        inspector: &mut Inspector,
        implementation: Option<SubjectName>,
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
        blame.right_under = inspector.right_under(&context, instruction, batch)?;
        if let Some(implementation) = implementation {
            let setup = context.setup(&implementation, None);
            let compared = setup.compared();
            let mut comparator = Comparator::new(&compared);
            blame.instead =
                explain(&compared, &mut comparator, setup.oracles(), &[(instruction, batch)], Some(&[]))?;
        }
        blame.stage = Some(stage(&context, instruction, blame.instead.as_ref()));
        Ok(blame)
    }
}

/// Describes which implementation differs from the others. The first answer is the subject's, and
/// the last is the oracle's.
fn alone(judgement: &Judgement) -> Option<String> {
    let (oracle, implementations) = judgement.answers.split_last()?;
    let (subject, others) = implementations.split_first()?;
    let others: Vec<&JudgedAnswer> =
        others.iter().filter(|other| other.answer != CaseAnswer::Unsupported).collect();
    let names = |list: &[&JudgedAnswer]| {
        list.iter().map(|a| shown::line(&a.implementation)).collect::<Vec<_>>().join(", ")
    };
    let (against, with): (Vec<&JudgedAnswer>, Vec<&JudgedAnswer>) =
        others.iter().partition(|other| other.diverged);
    if !subject.diverged {
        return (!against.is_empty()).then(|| format!("not the subject: {} diverged", names(&against)));
    }
    let alike = others.iter().filter(|other| other.answer == subject.answer).count();
    Some(match (others.len(), with.len()) {
        (0, _) => format!("only {} and the subject implement the instruction", oracle.implementation),
        (all, holding) if holding == all => {
            format!("the subject stands alone: {}, {} hold", names(&with), oracle.implementation)
        }
        (all, 0) if alike == all => {
            format!("{} stands alone: {} do what the subject does", oracle.implementation, names(&against))
        }
        (_, 0) => format!("no two agree: {} diverged too, in other ways", names(&against)),
        _ => format!(
            "divided: {} and {} hold, {} diverged",
            names(&with),
            oracle.implementation,
            names(&against)
        ),
    })
}

/// Returns where the fault of a subject lies.
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
        Some(Supposition::Flushes { inputs: Flushed::All, .. }) => "what a result is written as",
        Some(
            Supposition::Input(..)
            | Supposition::EveryInput(_)
            | Supposition::UpperWord(..)
            | Supposition::Flushes { .. },
        ) => "what an operand is read as",
        Some(
            Supposition::Result(..)
            | Supposition::BesideNan { .. }
            | Supposition::Unsaturated(_)
            | Supposition::Rounds(..)
            | Supposition::Nan(_)
            | Supposition::Invalid(_)
            | Supposition::Follows { .. },
        ) => "what a result is written as",
        None => "execution",
    }
}
