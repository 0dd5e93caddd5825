//! What leaves no trace but an event: PMTRIG, SWITCH, NOP, IBBAR and DEPBAR (document `001`).

use assay_isa::effect::{Action, Lanes};
use assay_isa::{Effects, Event, Instruction};

use crate::knobs::Knobs;

/// The event that a lane reports.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Signal {
    /// PMTRIG
    Trigger,
    /// SWITCH
    Switch,
    /// NOP
    Nop,
    /// IBBAR
    InstructionBarrier,
    /// DEPBAR
    DependencyBarrier,
}

impl Signal {
    /// The event of an instruction; none if it has another effect.
    pub(crate) fn of(instruction: &Instruction) -> Option<Signal> {
        Some(match instruction.optype() {
            "PMTRIG" => Signal::Trigger,
            "SWITCH" => Signal::Switch,
            "NOP" => Signal::Nop,
            "IBBAR" => Signal::InstructionBarrier,
            "DEPBAR" => Signal::DependencyBarrier,
            _ => return None,
        })
    }

    /// The event of a lane, by its operands.
    #[inline(always)]
    fn action(self, operands: &[Vec<u32>], lane: usize) -> Action {
        let operand = |position: usize| operands[position][lane];
        match self {
            Signal::Trigger => Action::Trigger(operand(0) as u16),
            Signal::Switch => Action::Switch(operand(0)),
            Signal::Nop => Action::Nop,
            Signal::InstructionBarrier => Action::InstructionBarrier,
            Signal::DependencyBarrier => {
                Action::DependencyBarrier { scoreboard: operand(0) as u8, count: operand(1) as u8 }
            }
        }
    }
}

/// Reports the event of each lane that executes.
pub(crate) fn report<K: Knobs>(
    k: &K,
    signal: Signal,
    operands: &[Vec<u32>],
    lanes: &Lanes,
    effects: &mut Effects,
) {
    if let Some(location) = k.written_besides() {
        effects.write(location, lanes.clone()).fill(0);
    }
    for lane in (0..effects.len()).filter(|lane| lanes.contains(*lane)) {
        if let Some(event) = k.event(Event::Executed(signal.action(operands, lane))) {
            effects.event(lane, event);
        }
    }
}
