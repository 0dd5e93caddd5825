//! The ways in which a finding occurs, derived from its keys.

use std::collections::BTreeSet;

/// Returns the ways in the key of a finding. The kind of error, the class of each operand and the
/// class of the result are separate ways, each with the function. They are separate because the
/// combination of classes is due to chance.
pub fn ways(key: &str) -> Vec<String> {
    let key = key.rsplit_once("; ").map_or(key, |(_, key)| key);
    let mut parts = key.split(" | ");
    let kind = parts.next().unwrap_or_default().to_owned();
    let function = kind.split(':').next().unwrap_or_default().to_owned();
    let operands = parts.next().unwrap_or_default();
    let operands = classes(operands).into_iter().enumerate().filter(|(_, class)| !class.is_empty());
    let operands = operands.map(|(nth, class)| format!("{function}: operand {} {class}", nth + 1));
    let result = parts.next().map(|class| format!("{function}: result {class}"));
    let more: Vec<String> = operands.chain(result).collect();
    [kind].into_iter().chain(more).collect()
}

/// Returns the way of an instruction with wrong lanes. `mask` has a bit for each wrong lane, in
/// hexadecimal digits. The batch of such an instruction is the same in each run.
pub fn in_lanes(instruction: &str, mask: &str) -> String {
    format!("{instruction}, lanes: {mask}")
}

/// Returns a way in words, without its mask of lanes.
pub(super) fn in_words(way: &str) -> String {
    match split_lanes(way) {
        Some((instruction, _)) => format!("{instruction}, in other lanes than before"),
        None => way.to_owned(),
    }
}

/// Returns whether a way is known. A way with a mask of lanes is also known if each of its lanes is
/// in a known way of the instruction.
pub(super) fn is_known(way: &str, known: &BTreeSet<String>) -> bool {
    if known.contains(way) {
        return true;
    }
    let Some((instruction, lanes)) = split_lanes(way) else { return false };
    let of_instruction = known.iter().filter_map(|other| split_lanes(other));
    let masks: Vec<&str> =
        of_instruction.filter(|(other, _)| *other == instruction).map(|(_, mask)| mask).collect();
    let is_there = |(nth, digit): (usize, char)| {
        let known_digits = masks.iter().filter_map(|mask| mask.chars().nth(nth)?.to_digit(16));
        let known_bits = known_digits.fold(0, |bits, digit| bits | digit);
        digit.to_digit(16).is_some_and(|bits| bits & !known_bits == 0)
    };
    lanes.chars().enumerate().all(is_there)
}

/// Returns the instruction and the mask of a way made by [`in_lanes`].
fn split_lanes(way: &str) -> Option<(&str, &str)> {
    way.rsplit_once(", lanes: ")
}

/// Returns the classes of the operands in a key. The class of an operand with two halves is in
/// parentheses.
fn classes(list: &str) -> Vec<&str> {
    let (mut classes, mut start, mut depth) = (Vec::new(), 0, 0);
    for (place, letter) in list.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                classes.push(list[start..place].trim());
                start = place + 1;
            }
            _ => {}
        }
    }
    classes.push(list[start..].trim());
    classes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_that_is_wrong_in_fewer_lanes_is_known() {
        let known = BTreeSet::from([
            in_lanes("FADD R0, R1, R2", "5a"),
            in_lanes("FADD R0, R1, R2", "20"),
            "FADD: value".to_owned(),
        ]);
        for (way, expected) in [
            (in_lanes("FADD R0, R1, R2", "5a"), true),
            (in_lanes("FADD R0, R1, R2", "42"), true),
            (in_lanes("FADD R0, R1, R2", "78"), true),
            (in_lanes("FADD R0, R1, R2", "50a"), false),
            (in_lanes("FADD R0, R1, R2", "0b"), false),
            (in_lanes("FADD.FTZ R0, R1, R2", "10"), false),
            ("FADD: value".to_owned(), true),
            ("FADD: nan".to_owned(), false),
        ] {
            assert_eq!(is_known(&way, &known), expected, "{way}");
        }
    }

    #[test]
    fn a_key_says_one_thing_of_each_operand() {
        let of = "FADD: operand 1 +zero";
        let expected = ["FADD: value", of, "FADD: operand 2 normal", "FADD: result +zero"];
        assert_eq!(ways("FADD.FTZ | a | b; FADD: value | +zero, normal | +zero"), expected);
        assert_eq!(ways("FADD: value"), ["FADD: value"]);
        let halves = ways("MUFU: value | (+zero, -zero), normal | normal");
        assert_eq!(halves[1..3], ["MUFU: operand 1 (+zero, -zero)", "MUFU: operand 2 normal"]);
        // A way, as this version writes it, is read back unchanged.
        assert_eq!(ways(of), [of]);
    }
}
