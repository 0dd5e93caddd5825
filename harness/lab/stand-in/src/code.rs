//! The machine code of those kernel instructions whose bits are replaced after assembly.
//!
//! This driver does not know machine code. Comments in a kernel state which bits identify an
//! instruction, which bits are replaced, and what the changed instruction does. So the driver
//! assembles an instruction with the identifying bits. When the kernel is loaded, the driver checks
//! that exactly the stated bits were replaced. The driver does not check whether these bits have
//! the stated meaning on a GPU. The vendor's disassembler shows their meaning.

/// Start of a comment about an instruction, with values and masks:
/// `FSEL: 0x7208 of 0xffff becomes 0x100 of 0x100`.
const REPLACED: &str = "// replaced: ";
/// Start of a comment with a statement that is executed after the replacements.
const EXECUTED: &str = "// executed: ";
/// Start of a comment with the number of following lines that the statement replaces.
const INSTEAD: &str = "// lines that this is instead of: ";
/// The other bits of an instruction, such as registers and prefixes. The value of these bits does
/// not matter.
const OTHERS: u128 = 0x5a5a_5a5a_5a5a_5a5a_5a5a_5a5a_5a5a_5a5a;

/// The values of some bits, and the mask of these bits.
#[derive(Clone, Copy)]
struct Bits {
    value: u128,
    mask: u128,
}

impl Bits {
    /// Parses `VALUE of MASK`.
    fn read(text: &str) -> Option<Bits> {
        let (value, mask) = text.split_once(" of ")?;
        let number = |text: &str| u128::from_str_radix(text.strip_prefix("0x")?, 16).ok();
        Some(Bits { value: number(value)?, mask: number(mask)? })
    }

    fn put_in(self, word: u128) -> u128 {
        word & !self.mask | self.value
    }
}

/// Returns each instruction with replaced bits, twice: as assembled, and as required after the
/// replacement.
fn replacements(text: &str) -> impl Iterator<Item = Option<[u128; 2]>> {
    text.lines().filter_map(|line| line.trim().strip_prefix(REPLACED)).map(|comment| {
        let (_, bits) = comment.split_once(": ")?;
        let (found, replaced) = bits.split_once(" becomes ")?;
        let replaced = Bits::read(replaced)?;
        // A replaced bit that does not identify the instruction starts with the opposite value. So
        // a missing replacement shows.
        let opposite = Bits { value: !replaced.value & replaced.mask, ..replaced };
        let assembled = Bits::read(found)?.put_in(opposite.put_in(OTHERS));
        Some([assembled, replaced.put_in(assembled)])
    })
}

/// Returns the instructions of a text. `None` if a comment cannot be parsed.
pub fn assemble(text: &str) -> Option<Vec<u128>> {
    replacements(text).map(|words| words.map(|[assembled, _]| assembled)).collect()
}

/// Returns the text that instructions stand for. `None` unless the instructions are as assembled,
/// or with exactly the stated replacements.
pub fn read(text: &str, instructions: &[u128]) -> Option<String> {
    let words: Vec<[u128; 2]> = replacements(text).collect::<Option<_>>()?;
    let are = |which: usize| words.iter().map(|words| words[which]).eq(instructions.iter().copied());
    if are(0) {
        return Some(text.to_owned());
    }
    are(1).then(|| executed(text)).flatten()
}

/// Returns the text with the statements that are executed after the replacements.
fn executed(text: &str) -> Option<String> {
    let (mut result, mut left_out) = (String::with_capacity(text.len()), 0_usize);
    for line in text.lines() {
        let comment = line.trim();
        if let Some(count) = comment.strip_prefix(INSTEAD) {
            left_out = count.parse().ok()?;
        } else if left_out > 0 {
            left_out -= 1;
        } else {
            result += comment.strip_prefix(EXECUTED).unwrap_or(line);
            result.push('\n');
        }
    }
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "    mov.u32 %t0, 1;
    // replaced: FSEL: 0x7208 of 0xffff becomes 0x100000 of 0x300000
    // replaced: SEL: 0x7 of 0xff becomes 0x0 of 0xff00
    // executed: selp.ftz.f32 %o0, %i0, %i1, %p0;
    // lines that this is instead of: 2
    selp.f32 %o0, %i0, %i1, %p0;
    selp.u32 %o1, 1, 0, %p1;
    mov.u32 %t1, %o0;
";
    const REPLACED_TEXT: &str = "    mov.u32 %t0, 1;\n";
    const ASSEMBLED: [u128; 2] = [OTHERS & !0x30_ffff | 0x20_7208, OTHERS & !0xff | 0xff07];
    const PATCHED: [u128; 2] = [ASSEMBLED[0] & !0x30_0000 | 0x10_0000, ASSEMBLED[1] & !0xff00];

    #[test]
    fn each_instruction_is_found_and_read_back() {
        assert_eq!(assemble(TEXT).as_deref(), Some(&ASSEMBLED[..]));
        assert_eq!(read(TEXT, &ASSEMBLED).as_deref(), Some(TEXT));
        let text = read(TEXT, &PATCHED).unwrap();
        assert!(text.starts_with(REPLACED_TEXT), "{text}");
        assert!(text.ends_with("\nselp.ftz.f32 %o0, %i0, %i1, %p0;\n    mov.u32 %t1, %o0;\n"), "{text}");
    }

    #[test]
    fn other_instructions_are_refused() {
        for place in 0..2 {
            for bit in 0..128 {
                let mut words = PATCHED;
                words[place] ^= 1 << bit;
                assert_eq!(read(TEXT, &words), None, "{place} {bit}");
            }
        }
        for words in [&PATCHED[..1], &[PATCHED[0], ASSEMBLED[1]], &[PATCHED[1], PATCHED[0]], &[]] {
            assert_eq!(read(TEXT, words), None, "{words:x?}");
        }
        assert_eq!(read(TEXT, &[&PATCHED[..], &PATCHED[..1]].concat()), None);
        assert_eq!(assemble(&TEXT.replace("0x7208", "7208")), None);
        assert_eq!(assemble("mov.u32 %t0, 1;\n").as_deref(), Some(&[][..]));
    }
}
