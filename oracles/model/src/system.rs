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
    fn action(self, operands: &[Vec<u32>], lane: usize) -> Action {
        match self {
            Signal::Trigger => Action::Trigger(operands[0][lane] as u16),
            Signal::Switch => Action::Switch(operands[0][lane]),
            Signal::Nop => Action::Nop,
            Signal::InstructionBarrier => Action::InstructionBarrier,
            Signal::DependencyBarrier => Action::DependencyBarrier {
                scoreboard: operands[0][lane] as u8,
                count: operands[1][lane] as u8,
            },
        }
    }
}

/// Reports the event of each lane that executes.
pub(crate) fn report<K: Knobs>(
    _k: &K,
    signal: Signal,
    operands: &[Vec<u32>],
    lanes: &Lanes,
    effects: &mut Effects,
) {
    for lane in (0..effects.len()).filter(|lane| lanes.contains(*lane)) {
        effects.event(lane, Event::Executed(signal.action(operands, lane)));
    }
}
