//! PMTRIG, SWITCH, NOP, IBBAR and DEPBAR (document `001`). Their only effect is an event (E075 to
//! E078).

use assay_isa::effect::Action;
use assay_isa::{BackendError, Event, Truths};

use crate::question::Question;

/// PMTRIG: reports the number in its operand.
pub fn trigger(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let [number] = question.operands()?;
    let number = question.values(number)?;
    record(question, truths, |lane| Action::Trigger(number.get(lane) as u16));
    Ok(())
}

/// SWITCH: reports the value of its operand.
pub fn switch(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let [hint] = question.operands()?;
    let hint = question.values(hint)?;
    record(question, truths, |lane| Action::Switch(hint.get(lane)));
    Ok(())
}

/// NOP: reports its execution.
pub fn pass(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    record(question, truths, |_| Action::Nop);
    Ok(())
}

/// IBBAR: reports its execution.
pub fn wait_for_instructions(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    record(question, truths, |_| Action::InstructionBarrier);
    Ok(())
}

/// DEPBAR: reports the scoreboard and the count.
pub fn wait_for_scoreboard(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let [scoreboard, count] = question.operands()?;
    let (scoreboard, count) = (question.values(scoreboard)?, question.values(count)?);
    record(question, truths, |lane| Action::DependencyBarrier {
        scoreboard: scoreboard.get(lane) as u8,
        count: count.get(lane) as u8,
    });
    Ok(())
}

/// Records the event of every lane that executes.
fn record(question: &Question, truths: &mut Truths, action: impl Fn(usize) -> Action) {
    for lane in (0..question.len()).filter(|lane| question.executed().contains(*lane)) {
        truths.event(lane, Event::Executed(action(lane)));
    }
}
