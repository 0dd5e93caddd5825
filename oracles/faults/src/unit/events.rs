//! Faults that report a wrong event.

use assay_isa::Event;
use assay_isa::effect::{self, Action};

use crate::{Bug, Fault};

/// Returns the event that a fault reports instead of the correct one. `None`: it reports no event.
pub(crate) fn event(fault: Fault, event: Event) -> Option<Event> {
    let action = match (fault, event) {
        (Fault::Common(Bug::EventMissing, _), Event::Executed(_)) => return None,
        (Fault::Common(Bug::EventFault, _), Event::Executed(_)) => {
            return Some(Event::Fault(effect::Fault::Misaligned));
        }
        (
            Fault::GetugprFaultMisnamed | Fault::SetugprFaultMisnamed,
            Event::Fault(effect::Fault::RegisterIndex),
        ) => return Some(Event::Fault(effect::Fault::Misaligned)),
        (_, Event::Executed(action)) => action,
        _ => return Some(event),
    };
    Some(Event::Executed(match (fault, action) {
        (Fault::PmtrigAsSwitch, Action::Trigger(number)) => Action::Switch(number.into()),
        (Fault::PmtrigHighByteLost, Action::Trigger(number)) => Action::Trigger(number & 0xff),
        (Fault::PmtrigBytesSwapped, Action::Trigger(number)) => Action::Trigger(number.swap_bytes()),
        (Fault::PmtrigNextNumber, Action::Trigger(number)) => Action::Trigger(number.wrapping_add(1)),
        (Fault::SwitchAsTrigger, Action::Switch(hint)) => Action::Trigger(hint as u16),
        (Fault::SwitchHintHalf, Action::Switch(hint)) => Action::Switch(hint & 0xffff),
        (Fault::SwitchHintSigned, Action::Switch(hint)) => Action::Switch(hint & !0 >> 1),
        (Fault::NopAsBarrier, Action::Nop) => Action::InstructionBarrier,
        (Fault::NopAsTrigger, Action::Nop) => Action::Trigger(0),
        (Fault::NopAsSwitch, Action::Nop) => Action::Switch(0),
        (Fault::IbbarAsNop, Action::InstructionBarrier) => Action::Nop,
        (Fault::IbbarAsDepbar, Action::InstructionBarrier) => {
            Action::DependencyBarrier { scoreboard: 0, count: 0 }
        }
        (Fault::IbbarAsSwitch, Action::InstructionBarrier) => Action::Switch(0),
        (Fault::DepbarOperandsSwapped, Action::DependencyBarrier { scoreboard, count }) => {
            Action::DependencyBarrier { scoreboard: count & 7, count: scoreboard }
        }
        (Fault::DepbarCountShort, Action::DependencyBarrier { scoreboard, count }) => {
            Action::DependencyBarrier { scoreboard, count: count & 0x3f }
        }
        (Fault::DepbarScoreboardShort, Action::DependencyBarrier { scoreboard, count }) => {
            Action::DependencyBarrier { scoreboard: scoreboard & 3, count }
        }
        (Fault::DepbarNextCount, Action::DependencyBarrier { scoreboard, count }) => {
            Action::DependencyBarrier { scoreboard, count: count.wrapping_add(1) }
        }
        (_, action) => action,
    }))
}
