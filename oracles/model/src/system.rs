//! What leaves no trace but an event: PMTRIG, SWITCH, NOP, IBBAR and DEPBAR (document `001`).

use assay_isa::effect::{self, Action, Lanes};
use assay_isa::{Effects, Event, Instruction, Location};

use crate::faults::{Bug, Fault};
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
    fn action<K: Knobs>(self, k: &K, operands: &[Vec<u32>], lane: usize) -> Action {
        match self {
            Signal::Trigger => trigger(k, operands[0][lane] as u16),
            Signal::Switch => switch(k, operands[0][lane]),
            Signal::Nop if k.fault(Fault::NopAsBarrier) => Action::InstructionBarrier,
            Signal::Nop if k.fault(Fault::NopAsTrigger) => Action::Trigger(0),
            Signal::Nop if k.fault(Fault::NopAsSwitch) => Action::Switch(0),
            Signal::Nop => Action::Nop,
            Signal::InstructionBarrier if k.fault(Fault::IbbarAsNop) => Action::Nop,
            Signal::InstructionBarrier if k.fault(Fault::IbbarAsDepbar) => {
                Action::DependencyBarrier { scoreboard: 0, count: 0 }
            }
            Signal::InstructionBarrier if k.fault(Fault::IbbarAsSwitch) => Action::Switch(0),
            Signal::InstructionBarrier => Action::InstructionBarrier,
            Signal::DependencyBarrier => barrier(k, operands[0][lane], operands[1][lane]),
        }
    }
}

fn trigger<K: Knobs>(k: &K, number: u16) -> Action {
    Action::Trigger(match () {
        () if k.fault(Fault::PmtrigAsSwitch) => return Action::Switch(number.into()),
        () if k.fault(Fault::PmtrigHighByteLost) => number & 0xff,
        () if k.fault(Fault::PmtrigBytesSwapped) => number.swap_bytes(),
        () if k.fault(Fault::PmtrigNextNumber) => number.wrapping_add(1),
        () => number,
    })
}

fn switch<K: Knobs>(k: &K, hint: u32) -> Action {
    Action::Switch(match () {
        () if k.fault(Fault::SwitchAsTrigger) => return Action::Trigger(hint as u16),
        () if k.fault(Fault::SwitchHintHalf) => hint & 0xffff,
        () if k.fault(Fault::SwitchHintSigned) => hint & !0 >> 1,
        () => hint,
    })
}

fn barrier<K: Knobs>(k: &K, scoreboard: u32, count: u32) -> Action {
    let (scoreboard, count) = match () {
        () if k.fault(Fault::DepbarOperandsSwapped) => (count & 7, scoreboard),
        () if k.fault(Fault::DepbarCountShort) => (scoreboard, count & 0x3f),
        () if k.fault(Fault::DepbarScoreboardShort) => (scoreboard & 3, count),
        () if k.fault(Fault::DepbarNextCount) => (scoreboard, count + 1),
        () => (scoreboard, count),
    };
    Action::DependencyBarrier { scoreboard: scoreboard as u8, count: count as u8 }
}

/// Reports the event of each lane that executes.
pub(crate) fn report<K: Knobs>(
    k: &K,
    signal: Signal,
    operands: &[Vec<u32>],
    lanes: &Lanes,
    effects: &mut Effects,
) {
    if k.bug(Bug::EventMissing) {
        return;
    }
    if k.bug(Bug::EventWrites) {
        effects.write(Location::R(0), lanes.clone()).fill(0);
    }
    for lane in (0..effects.len()).filter(|lane| lanes.contains(*lane)) {
        let event = match k.bug(Bug::EventFault) {
            true => Event::Fault(effect::Fault::Misaligned),
            false => Event::Executed(signal.action(k, operands, lane)),
        };
        effects.event(lane, event);
    }
}
