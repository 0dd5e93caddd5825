//! Classes of results and operands that no case of a mode can have. The hints of the row list them
//! with reasons.
//!
//! Without these entries, a campaign could never hit all bins. With a wrong entry, a campaign would
//! end before it is covered. So a hit on a listed class fails the run.

use assay_isa::hints::Values;
use assay_isa::{Instruction, Readings};

/// Returns the reason why no result of a mode, or no operand, has a class. `None` if some may. A
/// class of an operand counts only in cases with a defined result.
pub(super) fn reason(
    mode: &Instruction,
    readings: &Readings,
    is_result: bool,
    class: &str,
) -> Option<&'static str> {
    if let Some(why) = no_case(mode, readings) {
        return Some(why);
    }
    let class = class.strip_suffix(" in the high half").unwrap_or(class);
    let values = if is_result { Values::Results } else { Values::Operands };
    let mut never = mode.form().optype.hints.never.iter().copied().flatten();
    let excluding = never.find(|never| {
        never.of == values && never.classes.contains(&class) && never.when.holds(mode, readings)
    });
    excluding.map(|never| never.why)
}

/// Returns the reason why no case of a mode has a defined result. `None` if some may.
pub(super) fn no_case(mode: &Instruction, readings: &Readings) -> Option<&'static str> {
    let undefined = mode.form().optype.hints.undefined.iter().any(|when| when.holds(mode, readings));
    undefined.then_some("every case is undefined, or writes nothing")
}

#[cfg(test)]
mod tests {
    use assay_isa::catalog;

    use super::*;
    use crate::operands::operand_kinds::OperandKind;
    use crate::operands::operand_words::operand_words;

    #[test]
    fn subnormal_results_that_are_flushed() {
        for (text, from) in [
            ("MUFU.EX2.F32 R0, R1", Some(2)),
            ("MUFU.RCP.F32 R0, R1", Some(2)),
            ("MUFU.TANH.F32 R0, R1", None),
            ("MUFU.EX2.BF16 R0, R1.H0", Some(3)),
            ("MUFU.EX2.BF16_V2 R0, R1", Some(3)),
            ("MUFU.TANH.BF16 R0, R1.H0", None),
            ("MUFU.TANH.BF16_V2 R0, R1", None),
            ("MUFU.EX2.F16 R0, R1.H0", None),
            ("MUFU.EX2.F16_V2 R0, R1", None),
            ("MUFU.RCP.F64 R0, R1", Some(1)),
        ] {
            let mode = assay_isa::asm::parse(text).unwrap();
            for setting in 1..=3 {
                let mut readings = Readings::INTENDED;
                readings.set_from_text(&format!("E042={setting}")).unwrap();
                let flushes = from.is_some_and(|from| setting >= from);
                for class in ["+subnormal", "+subnormal in the high half"] {
                    let none = reason(&mode, &readings, true, class).is_some();
                    assert_eq!(none, flushes, "{text} E042={setting} {class}");
                }
            }
        }
    }

    #[test]
    fn hints_speak_of_classes_that_there_are() {
        for form in &catalog().forms {
            let mode = Instruction::new(form);
            let results = form.optype.outs.iter().map(|name| OperandKind::of(&mode, name));
            let operands = operand_words(&mode).map(|cell| cell.kind);
            let classes = |kinds: &mut dyn Iterator<Item = OperandKind>| -> Vec<&str> {
                kinds.flat_map(|kind| kind.classes().to_vec()).collect()
            };
            let [results, operands] = [classes(&mut { results }), classes(&mut { operands })];
            for never in form.optype.hints.never.iter().copied().flatten() {
                let known = if never.of == Values::Results { &results } else { &operands };
                for class in never.classes {
                    assert!(known.contains(class), "{}: {class} is no class", form.name);
                }
            }
        }
    }
}
