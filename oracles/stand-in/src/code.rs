//! The machine code of the statements whose bits a user of the driver may replace, and what it does afterwards.
//!
//! The bits are those of a real device with compute capability 9.0, except for registers, prefixes and scheduling, which
//! are the same everywhere. All other statements have no machine code here.

/// The factor of a sine or cosine: 1/2π, and one.
const RADIANS: u32 = 0x3e22_f983;
const TURNS: u32 = 0x3f80_0000;
/// Where an immediate stands.
const IMMEDIATE: u32 = 32;
/// Where the scale of FMUL stands, and its number for no scale.
const SCALE: u32 = 84;
const NO_SCALE: u128 = 4;
/// The scales of FMUL, by their numbers.
const SCALES: [(u128, &str); 6] = [(1, "d8"), (2, "d4"), (3, "d2"), (5, "m2"), (6, "m4"), (7, "m8")];
/// The bit of `.FTZ`.
const FTZ: u32 = 80;
/// The barrier that an instruction sets when it is done, 7 for none, and the mask of those that it waits for.
const BARRIER: u32 = 110;
const NO_BARRIER: u128 = 7;
const WAITS: u32 = 116;

/// FMUL and FMUL by an immediate, FSEL, FSETP.GEU, SEL, and FCHK, as they are assembled.
const FMUL: u128 = 0x000f_ca00_0040_0000_0000_0007_0409_7220;
const FMUL_IMMEDIATE: u128 = 0x000f_cc00_0040_c000_0000_0000_0409_7820;
const FSEL: u128 = 0x000f_ca00_0000_0000_0000_0007_0409_7208;
const FSETP: u128 = 0x000f_c800_03f0_e000_0000_0007_0400_720b;
const SEL: u128 = 0x000f_ca00_0400_0000_0000_0001_ff09_7807;
const FCHK: u128 = 0x000f_c800_0000_0000_0000_0007_0400_7302;
/// What schedules an instruction: stall, yield and barriers.
const SCHEDULING: u128 = u128::MAX << 105;

/// The machine code of an opcode, if it has any.
fn instruction(opcode: &str) -> Option<u128> {
    let factor = u128::from(RADIANS) << IMMEDIATE;
    match opcode {
        "sin.approx.ftz.f32" | "cos.approx.ftz.f32" => Some(FMUL_IMMEDIATE | factor),
        "selp.f32" => Some(FSEL),
        "setp.geu.f32" => Some(FSETP),
        "selp.u32" => Some(SEL),
        _ => product(opcode),
    }
}

/// The machine code of `mul.rnd{.ftz}{.sat}.f32`.
fn product(opcode: &str) -> Option<u128> {
    let modifiers = opcode.strip_prefix("mul.")?.strip_suffix(".f32")?;
    modifiers.split('.').try_fold(FMUL, |word, modifier| {
        let bits = match modifier {
            "rn" => 0,
            "rm" => 1 << 78,
            "rp" => 2 << 78,
            "rz" => 3 << 78,
            "sat" => 1 << 77,
            "ftz" => 1 << FTZ,
            _ => return None,
        };
        Some(word | bits)
    })
}

/// The statements of a text, each with its opcode if it has machine code.
fn statements(text: &str) -> impl Iterator<Item = (&str, Option<(&str, u128)>)> {
    text.split_inclusive(';').map(|statement| {
        let mut words = statement.split_whitespace();
        (statement, words.find_map(|word| Some((word, instruction(word)?))))
    })
}

/// The instructions of a text.
pub fn assemble(text: &str) -> Vec<u128> {
    statements(text).filter_map(|(_, found)| Some(found?.1)).collect()
}

/// The text of instructions that were assembled from one, after bits of them may have been replaced; none if one is not
/// known, or reads a result without waiting for it.
pub fn read(text: &str, instructions: &[u128]) -> Option<String> {
    let mut instructions = instructions.iter().copied();
    let mut waited = Waited::default();
    let mut result = String::with_capacity(text.len());
    for (statement, found) in statements(text) {
        let Some((opcode, assembled)) = found else {
            result += statement;
            continue;
        };
        let word = instructions.next()?;
        result += &statement.replacen(opcode, &replaced(opcode, assembled, word)?, 1);
        waited.follow(word)?;
    }
    (instructions.next().is_none() && waited.pending.is_none()).then_some(result)
}

/// The opcode of an instruction that was assembled as one word, and is another one now.
fn replaced(opcode: &str, assembled: u128, word: u128) -> Option<String> {
    let changed = assembled ^ word;
    let known = |opcode: &str| Some(opcode.to_owned());
    if changed & !SCHEDULING == 0 {
        return known(opcode);
    }
    match assembled & 0xffff {
        0x7820 if changed == u128::from(RADIANS ^ TURNS) << IMMEDIATE => {
            Some(opcode.replace(".approx.", ".turns."))
        }
        0x7220 if changed & !(7 << SCALE) == 0 => {
            let scale = changed >> SCALE ^ NO_SCALE;
            let (_, name) = SCALES.iter().find(|(number, _)| *number == scale)?;
            Some(opcode.replace(".f32", &format!(".{name}.f32")))
        }
        0x7208 if changed == 1 << FTZ => known("selp.ftz.f32"),
        0x720b if (word ^ FCHK) & !SCHEDULING == 0 => known("fchk.f32"),
        _ => None,
    }
}

/// The barrier of a FCHK, whose result comes late, until an instruction waits for it.
#[derive(Default)]
struct Waited {
    pending: Option<u128>,
}

impl Waited {
    /// Goes on with the next instruction; none if nothing tells when a result is there, or it is read before.
    fn follow(&mut self, word: u128) -> Option<()> {
        if self.pending.is_some_and(|barrier| word >> WAITS >> barrier & 1 == 1) {
            self.pending = None;
        }
        let opcode = word & 0xffff;
        if opcode == SEL & 0xffff && self.pending.is_some() {
            return None;
        }
        if opcode == FCHK & 0xffff {
            let barrier = word >> BARRIER & 7;
            self.pending = (barrier < NO_BARRIER).then_some(barrier);
            self.pending?;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A kernel of each statement that has machine code.
    const TEXT: &str = "\
mul.rz.ftz.sat.f32 %o0, %i0, %i1;
selp.f32 %o0, %i0, %i1, %p0;
setp.geu.f32 %p1, %i0, %i1;
add.u32 %i0, %i0, %i1;
selp.u32 %o0, 1, 0, %p1;
sin.approx.ftz.f32 %o0, %i0;
";

    /// The text after some bits of its instructions were flipped.
    fn flipped(changes: &[(usize, u128)]) -> Option<String> {
        let mut instructions = assemble(TEXT);
        changes.iter().for_each(|(place, bits)| instructions[*place] ^= bits);
        read(TEXT, &instructions)
    }

    #[test]
    fn each_instruction_is_read_back() {
        assert_eq!(assemble(TEXT).len(), 5);
        assert_eq!(flipped(&[]).as_deref(), Some(TEXT));
        // Nothing depends on scheduling alone.
        assert_eq!(flipped(&[(0, 3 << 105)]).as_deref(), Some(TEXT));
        for (number, name) in SCALES {
            let expected = TEXT.replace("sat.f32", &format!("sat.{name}.f32"));
            assert_eq!(flipped(&[(0, (number ^ NO_SCALE) << SCALE)]), Some(expected));
        }
        assert_eq!(flipped(&[(1, 1 << FTZ)]), Some(TEXT.replace("selp.f32", "selp.ftz.f32")));
        let factor = u128::from(RADIANS ^ TURNS) << IMMEDIATE;
        assert_eq!(flipped(&[(4, factor)]), Some(TEXT.replace("approx", "turns")));
    }

    #[test]
    fn a_check_is_waited_for() {
        let check = |barrier: u128| FSETP ^ FCHK ^ (NO_BARRIER ^ barrier) << BARRIER;
        let expected = TEXT.replace("setp.geu", "fchk");
        assert_eq!(flipped(&[(2, check(5)), (3, 1 << WAITS << 5)]), Some(expected));
        assert_eq!(flipped(&[(2, check(5))]), None);
        assert_eq!(flipped(&[(2, check(5)), (3, 1 << WAITS << 4)]), None);
        assert_eq!(flipped(&[(2, check(NO_BARRIER)), (3, 0x3f << WAITS)]), None);
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for change in
            [(0, 4 << SCALE), (0, 1 << 76), (1, 1 << 81), (2, 1 << 76), (3, 1 << 90), (4, 1 << IMMEDIATE)]
        {
            assert_eq!(flipped(&[change]), None, "{change:x?}");
        }
        let instructions = assemble(TEXT);
        assert_eq!(read(TEXT, &instructions[1..]), None);
        assert_eq!(read(TEXT, &[&instructions[..], &[FMUL]].concat()), None);
    }
}
