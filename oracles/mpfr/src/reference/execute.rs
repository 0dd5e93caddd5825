//! Executes one lane: the statements of its optype.

use assay_isa::Reading;

use super::machine::{LaneError, Machine};
use super::{digits, places, sums};

/// Executes the lane if its guard is true.
pub fn execute(machine: &mut Machine) -> Result<(), LaneError> {
    let guard = machine.instruction.guard();
    if machine.is(Reading::E008, 1) && (machine.word(guard, 0) != 0) == guard.not {
        return Ok(());
    }
    let undefined = |machine: &Machine, reading: Reading, setting| {
        if machine.is(reading, setting) {
            Err(LaneError::Undefined(reading.switch().erratum))
        } else {
            Ok(())
        }
    };
    match machine.instruction.optype() {
        "ULOP3" | "UPLOP3" | "UPRMT" => undefined(machine, Reading::E013, 1),
        "USHF" => undefined(machine, Reading::E149, 1),
        "CS2R" => undefined(machine, Reading::E066, 1),
        "GETREG" | "SETREG" => undefined(machine, Reading::E071, 2),
        "PMTRIG" => undefined(machine, Reading::E075, 2),
        "SWITCH" => undefined(machine, Reading::E076, 2),
        "NOP" | "IBBAR" => undefined(machine, Reading::E077, 2),
        "DEPBAR" => undefined(machine, Reading::E078, 2),
        "UF2FP" => undefined(machine, Reading::E168, 2),
        _ => Ok(()),
    }?;
    match machine.instruction.optype() {
        "UIADD" => sums::uiadd(machine),
        "UIMAD" => sums::uimad(machine),
        "UIMAD_WIDE" => sums::uimad_wide(machine),
        "UIMUL" => sums::uimul(machine),
        "ULEA" => sums::ulea(machine),
        "UIABS" => sums::uiabs(machine),
        "UIMNMX" => return sums::uimnmx(machine),
        "UISETP" => sums::uisetp(machine),
        "ULOP3" => digits::ulop3(machine),
        "UPLOP3" => digits::uplop3(machine),
        "USHF" => digits::ushf(machine),
        "UPRMT" => digits::uprmt(machine),
        "UP2UR" => digits::up2ur(machine),
        "UR2UP" => digits::ur2up(machine),
        "BFN" => return digits::bfn(machine),
        "ULDC" => return places::uldc(machine),
        "GETUGPR" => return places::getugpr(machine),
        "SETUGPR" => return places::setugpr(machine),
        "GETREG" => places::getreg(machine),
        "SETREG" => places::setreg(machine),
        "USEL" => places::usel(machine),
        "UMOV" => places::copy(machine, "urd", &["urb", "vb"]),
        "S2R" | "CS2R" => places::copy(machine, "rd", &["sreg"]),
        "S2UR" => places::copy(machine, "urd", &["sreg"]),
        "UF2FP" => places::uf2fp(machine),
        _ => places::event(machine),
    }
    Ok(())
}
