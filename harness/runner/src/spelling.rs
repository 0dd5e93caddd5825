//! Converts instructions and locations that people type in small letters: `bfn.x80.ud (1) v0 v1 v2
//! v3`, `sr_laneid`.

/// Converts an instruction to capitals, as in assembler text. Numbers, `c[`, the control byte of
/// BFN and `none` stay in small letters. Each byte keeps its position, so an error points to the
/// right place of the original text.
pub fn instruction(text: &str) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut spelled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length =
            if is_part(first) { rest.find(|c| !is_part(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let (word, behind) = rest.split_at(length);
        spelled += &part(word, behind.starts_with('['));
        rest = behind;
    }
    spelled
}

/// Converts a word of an instruction. `is_indexed` states that `[` follows the word.
fn part(word: &str, is_indexed: bool) -> String {
    let small = word.to_ascii_lowercase();
    let is_control = small.strip_prefix('x').is_some_and(|digits| {
        (1..=2).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
    });
    match &*small {
        "c" if is_indexed => small,
        "none" => small,
        _ if is_control => small,
        _ if small.starts_with("0x") => small,
        _ if small.starts_with(|first: char| first.is_ascii_digit()) => word.to_owned(),
        _ => word.to_ascii_uppercase(),
    }
}

/// Converts the name of a location to capitals, as [`assay_isa::Location`] reads it. `c[`, `0x` and
/// `.chan` stay in small letters.
pub fn location(text: &str) -> String {
    text.to_ascii_uppercase().replace("C[", "c[").replace("0X", "0x").replace(".CHAN", ".chan")
}

#[cfg(test)]
mod tests {
    use assay_engine::generate::Scope;
    use assay_isa::{Location, asm};

    use super::*;

    #[test]
    fn every_mode_reads_in_small_letters() {
        for mode in Scope::everything().modes() {
            let text = asm::print(mode);
            let read = asm::parse(&instruction(&text.to_ascii_lowercase()));
            assert_eq!(read.as_ref(), Ok(mode), "{text}");
        }
    }

    #[test]
    fn operands_read_in_small_and_in_capital_letters() {
        for text in [
            "(!F1) BFN.x1a.UD (M3, 8) V1 V2 V3 0x8000",
            "( none ) BFN.xA.D (1) V1 V2 V3 5",
            "@!UP1 UIMAD.WIDE.X UR[4:5], UP2, UR6, UR7, UR[8:9], UP3",
            "S2R R0, SR_LANEID",
            "S2UR UR0, SR_CTAID.X",
            "FADD R0, -|R1|, c[0x1f][0x20]",
            "FADD R0, R1, 1.5e3",
            "FADD R0, R1, 0x1.8p3",
            "FADD R0, R1, 0f405A7EFA",
            "FADD R0, R1, -inf",
            "ULDC UR0, c[0x0][UR2+0x2]",
            "GETUGPR UR0, UR[UR2-0x1]",
            "UP2UR UR0, UPR, URZ, 0x000000FF",
            "FADD R0, RZ, R1 $0x12ab",
        ] {
            let expected = asm::parse(text).expect(text);
            for spelled in [text.to_ascii_lowercase(), text.to_ascii_uppercase()] {
                assert_eq!(asm::parse(&instruction(&spelled)).as_ref(), Ok(&expected), "{spelled}");
            }
        }
    }

    #[test]
    fn locations_read_in_small_and_in_capital_letters() {
        let names = [
            "R1",
            "UR62",
            "P0",
            "UP6",
            "c[1][0x160]",
            "SR_CTAID.X",
            "SR_0x7f",
            "G[0x10]",
            "V1.chan31",
            "F0",
            "EM",
        ];
        for name in names {
            let expected: Location = name.parse().expect(name);
            for spelled in [name.to_ascii_lowercase(), name.to_ascii_uppercase()] {
                assert_eq!(location(&spelled).parse(), Ok(expected), "{spelled}");
            }
        }
    }
}
