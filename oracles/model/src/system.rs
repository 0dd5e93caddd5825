//! Instructions whose only effect is an event: PMTRIG, SWITCH, NOP, IBBAR and DEPBAR (document `001`).

use assay_isa::effect::Action;
use assay_isa::{Event, Instruction, Operand, Reading};

use crate::columns::Columns;
use crate::knobs::Knobs;
use crate::semantics::{Executed, Semantics};

/// Defines PMTRIG.
pub(crate) fn trigger<K: Knobs>(k: &K, _: &Instruction, _: &[Operand]) -> Semantics<K> {
    reporting(|operands, lane| Action::Trigger(operands[0][lane] as u16)).undefined(k, Reading::E075, 2)
}

/// Defines SWITCH.
pub(crate) fn switch<K: Knobs>(k: &K, _: &Instruction, _: &[Operand]) -> Semantics<K> {
    reporting(|operands, lane| Action::Switch(operands[0][lane])).undefined(k, Reading::E076, 2)
}

/// Defines NOP.
pub(crate) fn pass<K: Knobs>(k: &K, _: &Instruction, _: &[Operand]) -> Semantics<K> {
    reporting(|_, _| Action::Nop).undefined(k, Reading::E077, 2)
}

/// Defines IBBAR.
pub(crate) fn wait_for_instructions<K: Knobs>(k: &K, _: &Instruction, _: &[Operand]) -> Semantics<K> {
    reporting(|_, _| Action::InstructionBarrier).undefined(k, Reading::E077, 2)
}

/// Defines DEPBAR.
pub(crate) fn wait_for_scoreboard<K: Knobs>(k: &K, _: &Instruction, _: &[Operand]) -> Semantics<K> {
    let action = |operands: &Columns, lane: usize| Action::DependencyBarrier {
        scoreboard: operands[0][lane] as u8,
        count: operands[1][lane] as u8,
    };
    reporting(action).undefined(k, Reading::E078, 2)
}

/// Reports the event of each lane that executes.
fn reporting<K: Knobs>(action: impl Fn(&Columns, usize) -> Action + Send + Sync + 'static) -> Semantics<K> {
    Semantics::batch(move |k: &K, executed, effects| {
        let Executed { operands, lanes, .. } = executed;
        if let Some(location) = k.written_besides() {
            effects.write(location, (*lanes).clone()).fill(0);
        }
        for lane in (0..effects.len()).filter(|lane| lanes.contains(*lane)) {
            if let Some(event) = k.event(Event::Executed(action(operands, lane))) {
                effects.event(lane, event);
            }
        }
        Ok(())
    })
}
