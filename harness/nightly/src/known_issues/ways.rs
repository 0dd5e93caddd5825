//! The ways in which a finding shows, from its keys.

/// What the key of a finding says of a function, one thing each: the kind of the error, the class of each operand, the class of
/// the result. Which classes come together is chance.
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

/// The classes of the operands, as a key lists them. That of two halves is in parentheses.
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
    fn a_key_says_one_thing_of_each_operand() {
        let of = "FADD: operand 1 +zero";
        let expected = ["FADD: value", of, "FADD: operand 2 normal", "FADD: result +zero"];
        assert_eq!(ways("FADD.FTZ | a | b; FADD: value | +zero, normal | +zero"), expected);
        assert_eq!(ways("FADD: value"), ["FADD: value"]);
        let halves = ways("MUFU: value | (+zero, -zero), normal | normal");
        assert_eq!(halves[1..3], ["MUFU: operand 1 (+zero, -zero)", "MUFU: operand 2 normal"]);
        // What an earlier version wrote, and what this version makes of it.
        assert_eq!(ways(of), [of]);
    }
}
