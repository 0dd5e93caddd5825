//! Encodes an instruction of the uniform datapath from its SASS. The layout is that of compute
//! capability 9.0, as the vendor's disassembler shows it. `just check-lowering` disassembles all
//! encoded instructions.

use assay_isa::Operand;

use super::super::machine::Bits;
use super::super::{Input, Lowering};

/// The numbers of the first uniform registers for inputs and for outputs. The kernel code outside
/// the chain uses only registers below these. Both constants are even, so that a pair can begin at
/// each.
const INPUTS: u128 = 20;
const OUTPUTS: u128 = 40;
/// The number of URZ.
const URZ: u128 = 0x3f;
/// The number of UPT.
pub(super) const UPT: u128 = 7;
/// The bit above a predicate's three bits, which inverts the predicate.
const NOT: u128 = 8;
/// The bit that most instructions of the uniform datapath have set.
const UNIFORM: u32 = 91;
/// The predicate for the guard in the executed statements. No lowering has so many predicates that
/// it uses this one.
const GUARD: &str = "%p4";
/// The end of the bits that determine what an instruction does. The bits from there on are for
/// scheduling.
const END: u32 = 105;

/// Returns an instruction with an opcode. `fields` are place, width and value. All other bits
/// are 0.
fn instruction(code: u128, fields: &[(u32, u32, u128)]) -> Bits {
    let mut value = code;
    for (place, width, field) in fields {
        assert!(*field < 1 << width && value >> place & ((1 << width) - 1) == 0, "{code:#x} at {place}");
        value |= field << place;
    }
    Bits { mask: (1_u128 << END) - 1, value }
}

/// Returns an instruction of the uniform datapath with an opcode and fields.
fn uniform(code: u128, fields: &[(u32, u32, u128)]) -> Bits {
    instruction(code, &[fields, &[(UNIFORM, 1, 1)]].concat())
}

/// Returns the bits without a field, so that a replaced instruction keeps its own bits there.
fn without(bits: Bits, first: u32, width: u32) -> Bits {
    let mask = bits.mask & !(((1 << width) - 1) << first);
    Bits { mask, value: bits.value & mask }
}

/// Returns UISETP, which compares a register with URZ into a predicate.
fn compared_with_zero(predicate: u128, register: u128, comparison: u128, is_signed: bool) -> Bits {
    let compared = [(12, 4, UPT), (24, 8, register), (32, 8, URZ), (68, 3, UPT), (73, 1, is_signed.into())];
    let written = [(76, 3, comparison), (81, 3, predicate), (84, 3, UPT), (87, 3, UPT)];
    uniform(0x28c, &[&compared[..], &written].concat())
}

/// UISETP's comparisons, by their numbers.
const COMPARISONS: [&str; 8] = ["F", "LT", "EQ", "LE", "GT", "NE", "GE", "T"];
const LESS: u128 = 1;
const UNEQUAL: u128 = 5;

/// The uniform predicates that are assigned to inputs and outputs.
pub(super) struct Places {
    inputs: Vec<Option<u128>>,
    outputs: Vec<Option<u128>>,
    next: u128,
}

impl Places {
    /// Returns places in which no predicate is assigned yet.
    pub fn of(lowering: &Lowering) -> Places {
        Places {
            inputs: vec![None; lowering.inputs.len()],
            outputs: vec![None; lowering.outputs.len()],
            next: 0,
        }
    }

    /// Returns the register of a word: `%i0`, `%o1`, the lower one of a pair, or RZ. Ignores its
    /// prefix.
    fn word(text: &str) -> u128 {
        let text = text.trim_start_matches(['-', '~']).split(['.', ':']).next().unwrap_or_default();
        match name(text) {
            Some(('i', number)) => INPUTS + number as u128,
            Some((_, number)) => OUTPUTS + number as u128,
            None => URZ,
        }
    }

    /// Returns the predicate of `%i0`, `%o1` or PT in four bits. The highest bit is `!`. Assigns a
    /// predicate on first use.
    fn predicate(&mut self, text: &str) -> u128 {
        let bare = text.trim_start_matches('!');
        let not = if bare == text { 0 } else { NOT };
        let Some((kind, number)) = name(bare) else { return UPT | not };
        let place = if kind == 'i' { &mut self.inputs[number] } else { &mut self.outputs[number] };
        if place.is_none() {
            *place = Some(self.next);
            self.next += 1;
        }
        assert!(self.next <= UPT, "there are seven predicates");
        place.unwrap_or_default() | not
    }

    /// Assigns UP0, UP1 … to a list of inputs or outputs, in order.
    fn all(&mut self, text: &str) {
        for (number, one) in text.split(':').enumerate() {
            match name(one) {
                Some(('i', input)) => self.inputs[input] = Some(number as u128),
                Some((_, output)) => self.outputs[output] = Some(number as u128),
                None => {}
            }
        }
        self.next = UPT;
    }

    /// Returns R2UR, which moves an input to a uniform register. The old value of a result is moved
    /// to the result's register.
    pub fn arrival(&self, input: usize, befores: &[usize]) -> Bits {
        let result = befores.iter().position(|before| *before == input);
        let word = result.filter(|output| self.outputs[*output].is_none());
        let register = word.map_or(INPUTS + input as u128, |output| OUTPUTS + output as u128);
        without(instruction(0x2ca, &[(12, 4, UPT), (16, 8, register), (81, 3, UPT)]), 24, 8)
    }

    /// Returns UISETP for each assigned predicate. An input gives true if it is not zero. The old
    /// value of a result gives true if it is negative.
    pub fn conversions(&self, befores: &[usize]) -> Vec<Bits> {
        let read = self.inputs.iter().enumerate().filter_map(|(input, predicate)| {
            predicate.map(|predicate| compared_with_zero(predicate, INPUTS + input as u128, UNEQUAL, false))
        });
        let held = befores.iter().zip(&self.outputs).filter_map(|(input, predicate)| {
            predicate.map(|predicate| compared_with_zero(predicate, INPUTS + *input as u128, LESS, true))
        });
        read.chain(held).collect()
    }

    /// Returns USEL of 1 and URZ, which converts an output predicate to a word.
    pub fn word_of_predicate(&self, output: usize) -> Bits {
        let predicate = self.outputs[output].expect("a result that is a predicate is in one");
        let register = OUTPUTS + output as u128;
        let chosen = [(12, 4, UPT), (16, 8, register), (24, 8, URZ), (32, 32, 1), (87, 4, predicate | NOT)];
        uniform(0x887, &chosen)
    }

    /// Returns MOV, which moves an output from its uniform register to the register to which the
    /// replaced IMAD wrote.
    pub fn departure(&self, output: usize) -> Bits {
        let moved = uniform(0xc02, &[(12, 4, UPT), (32, 8, OUTPUTS + output as u128), (72, 4, 0xf)]);
        without(moved, 16, 8)
    }
}

/// Returns the letter and the number of a name such as `%i0` or `%o1`.
fn name(text: &str) -> Option<(char, usize)> {
    let text = text.strip_prefix('%')?;
    let kind = text.chars().next()?;
    Some((kind, text[1..].parse().ok()?))
}

/// The guard of an instruction.
pub(super) struct Guard {
    /// The guard as SASS names it.
    pub sass: String,
    /// The predicate that selects the new result in the executed statements.
    pub executed: String,
    bits: u128,
}

impl Guard {
    /// Creates a guard: a predicate or UPT, with its `!`. Uses the input that already has the
    /// guard's predicate, or adds such an input.
    pub fn new(operand: &Operand, lowering: &mut Lowering, places: &mut Places) -> Guard {
        let not = if operand.not { "!" } else { "" };
        let (read, is_true) = match operand.source.location() {
            None => ("PT".to_owned(), "setp.eq.u32 {p}, %i0, %i0;\n"),
            Some(location) => {
                let known = lowering.inputs.iter().position(|input| *input == Input::Location(location));
                let input = known.unwrap_or_else(|| {
                    lowering.inputs.push(Input::Location(location));
                    places.inputs.push(None);
                    lowering.inputs.len() - 1
                });
                (format!("%i{input}"), "setp.ne.u32 {p}, {i}, 0;\n")
            }
        };
        lowering.executed += &is_true.replace("{p}", GUARD).replace("{i}", &read);
        let sass = format!("{not}{read}");
        let bits = places.predicate(&sass);
        Guard { sass, executed: format!("{not}{}", GUARD), bits }
    }

    /// Returns an instruction after the guard's bits are added.
    pub fn put_in(&self, instruction: Bits) -> Bits {
        instruction.field(12, 4, self.bits)
    }
}

/// Encodes the SASS of an instruction, which must have no guard. The guard's bits are not in the
/// result. Predicates are assigned in `places`.
pub(super) fn bits(sass: &str, places: &mut Places) -> Bits {
    let (mnemonic, operands) = sass.split_once(' ').expect("an instruction has operands");
    let mut names = mnemonic.split('.');
    let base = names.next().unwrap_or_default();
    let modifiers: Vec<&str> = names.collect();
    let operands: Vec<&str> = operands.split(", ").collect();
    let mut operands = Operands { base, modifiers, operands, places };
    let (code, fields) = operands.fields();
    let code = if base == "UPLOP3" { code } else { code | 1 << UNIFORM };
    without(instruction(code, &fields), 12, 4)
}

/// Fields of an instruction: place, width and value.
type Fields = Vec<(u32, u32, u128)>;

/// The parts of an instruction's SASS text.
struct Operands<'a> {
    base: &'a str,
    modifiers: Vec<&'a str>,
    operands: Vec<&'a str>,
    places: &'a mut Places,
}

impl Operands<'_> {
    /// Returns 1 if the instruction has a modifier, else 0.
    fn has(&self, modifier: &str) -> u128 {
        self.modifiers.contains(&modifier).into()
    }

    /// Returns the index of the modifier in `names` that the instruction has, or `otherwise` if it
    /// has none.
    fn number(&self, names: &[&str], otherwise: u128) -> u128 {
        let found = names.iter().position(|name| self.modifiers.contains(name));
        found.map_or(otherwise, |number| number as u128)
    }

    /// Returns the fields of words. If the layout has a bit for the prefix, the bit is 1 for `-` or
    /// `~`.
    fn words<const N: usize>(&self, layout: [(usize, u32, Option<u32>); N]) -> Fields {
        let mut fields = Fields::new();
        for (operand, place, negated) in layout {
            let text = self.operands[operand];
            let is_negated = text.starts_with(['-', '~']);
            fields.push((place, 8, Places::word(text)));
            fields.extend(negated.map(|bit| (bit, 1, u128::from(is_negated))));
            assert!(!is_negated || negated.is_some(), "{} negates no {text}", self.base);
        }
        fields
    }

    /// Returns the field of a predicate. A predicate that is read has a fourth bit for `!`.
    fn predicate(&mut self, operand: usize, place: u32, width: u32) -> (u32, u32, u128) {
        (place, width, self.places.predicate(self.operands[operand]))
    }

    /// Returns the value of an operand that is a hexadecimal number.
    fn literal(&self, operand: usize) -> u128 {
        let digits = self.operands[operand].trim_start_matches("0x");
        u128::from_str_radix(digits, 16).expect("a number is in hexadecimal")
    }

    /// Returns the field of an optional written predicate. The operand exists unless there are
    /// exactly `without_it` operands, and is removed from the list. Otherwise the field is UPT.
    fn written(&mut self, operand: usize, without_it: usize, place: u32) -> (u32, u32, u128) {
        if self.operands.len() == without_it {
            return (place, 3, UPT);
        }
        let field = self.predicate(operand, place, 3);
        self.operands.remove(operand);
        field
    }

    /// Returns the opcode and the fields.
    fn fields(&mut self) -> (u128, Fields) {
        let signed = (73, 1, 1 - self.has("U32"));
        let wraps = (75, 1, self.has("W"));
        let never = UPT | NOT;
        let (a, b, c) = ((1, 24, None), (2, 32, None), (3, 64, None));
        let d = (0, 16, None);
        match self.base {
            "UIADD3" => self.sum(),
            "UIMAD" if self.has("WIDE") == 1 => self.wide(signed),
            "UIMAD" => {
                let words = self.words([d, a, b, (3, 64, Some(75))]);
                (0x2a4, [words, vec![signed, (81, 3, UPT), (87, 4, never)]].concat())
            }
            "ULOP3" => {
                let u = self.written(0, 6, 81);
                let (words, table) = (self.words([d, a, b, c]), self.literal(4));
                let p = self.predicate(5, 87, 4);
                (0x292, [words, vec![(72, 8, table), (80, 1, self.has("PAND")), u, p]].concat())
            }
            "USEL" => (0x287, [self.words([d, a, b]), vec![self.predicate(3, 87, 4)]].concat()),
            "UISETP" => self.comparison(signed),
            "UPRMT" => (0x296, self.words([d, a, b, c])),
            "USHF" => {
                let ty = (73, 2, self.number(&["S64", "U64", "S32", "U32"], 3));
                let modifiers = vec![ty, wraps, (76, 1, self.has("R")), (80, 1, self.has("HI"))];
                (0x299, [self.words([d, a, b, c]), modifiers].concat())
            }
            "USGXT" => (0x29a, [self.words([d, a, b]), vec![signed, wraps]].concat()),
            "UBMSK" => (0x29b, [self.words([d, a, b]), vec![wraps]].concat()),
            "UFLO" => {
                let modifiers = vec![signed, (74, 1, self.has("SH")), (81, 3, UPT)];
                (0x2bd, [self.words([d, (1, 32, Some(63))]), modifiers].concat())
            }
            "UBREV" => (0x2be, self.words([d, (1, 32, None)])),
            "UPOPC" => (0x2bf, self.words([d, (1, 32, Some(63))])),
            "ULEA" => self.address(),
            "UMOV" => (0xc82, self.words([d, (1, 32, None)])),
            "UPLOP3" => self.logic_of_predicates(),
            "UP2UR" => {
                self.places.all(self.operands[1]);
                let byte = (76, 2, self.number(&["B0", "B1", "B2", "B3"], 0));
                (0xc83, [self.words([d, (2, 24, None), (3, 32, None)]), vec![byte]].concat())
            }
            "UR2UP" => {
                self.places.all(self.operands[0]);
                self.places.all(self.operands[1]);
                let byte = self.operands[2].rsplit_once(".B").map_or("0", |(_, byte)| byte);
                let byte = (76, 2, byte.parse().expect("a byte has a number"));
                (0xc84, [self.words([(2, 24, None), (3, 32, None)]), vec![byte]].concat())
            }
            other => panic!("the unit has no {other}"),
        }
    }

    /// Encodes UIADD3. With `.X` it has a carry in and out.
    fn sum(&mut self) -> (u128, Fields) {
        let extended = self.has("X") == 1;
        let u = self.written(1, if extended { 6 } else { 4 }, 81);
        let words = self.words([(0, 16, None), (1, 24, Some(72)), (2, 32, Some(63)), (3, 64, Some(75))]);
        let mut carries = vec![(74, 1, extended.into()), u, (84, 3, UPT)];
        for (operand, place) in [(4, 87), (5, 77)] {
            let carry = if extended { self.places.predicate(self.operands[operand]) } else { UPT | NOT };
            carries.push((place, 4, carry));
        }
        (0x290, [words, carries].concat())
    }

    /// Encodes UIMAD.WIDE. With `.X` it has a carry in and out.
    fn wide(&mut self, signed: (u32, u32, u128)) -> (u128, Fields) {
        let extended = self.has("X") == 1;
        let u = self.written(1, if extended { 5 } else { 4 }, 81);
        let words = self.words([(0, 16, None), (1, 24, None), (2, 32, None), (3, 64, Some(75))]);
        let carry = if extended { self.predicate(4, 87, 4) } else { (87, 4, UPT | NOT) };
        (0x2a5, [words, vec![signed, (74, 1, extended.into()), u, carry]].concat())
    }

    /// Encodes UISETP. With `.EX`, UISETP compares the upper words.
    fn comparison(&mut self, signed: (u32, u32, u128)) -> (u128, Fields) {
        let [u, v] = [(0, 81), (1, 84)].map(|(operand, place)| self.predicate(operand, place, 3));
        let words = self.words([(2, 24, None), (3, 32, None)]);
        let p = self.predicate(4, 87, 4);
        let extended = self.has("EX");
        let lower = if extended == 1 { self.predicate(5, 68, 4) } else { (68, 4, UPT) };
        let joined = (74, 2, self.number(&["AND", "OR", "XOR"], 0));
        let comparison = (76, 3, self.number(&COMPARISONS, 0));
        (0x28c, [words, vec![u, v, p, lower, (72, 1, extended), signed, joined, comparison]].concat())
    }

    /// Encodes ULEA, and ULEA.HI.X with or without `.SX32`.
    fn address(&mut self) -> (u128, Fields) {
        let [high, extended, extending] = ["HI", "X", "SX32"].map(|name| self.has(name));
        let has_third = high == 1 && extending == 0;
        let without_carry = 4 + usize::from(has_third) + usize::from(extended == 1);
        let u = self.written(1, without_carry, 81);
        let words = self.words([(0, 16, None), (1, 24, Some(72)), (2, 32, None)]);
        let third = (64, 8, if has_third { Places::word(self.operands[3]) } else { URZ });
        let amount = 3 + usize::from(has_third);
        let shift = (75, 5, self.literal(amount));
        let carry = if extended == 1 { self.predicate(amount + 1, 87, 4) } else { (87, 4, UPT | NOT) };
        (
            0x291,
            [words, vec![third, shift, (73, 1, extending), (74, 1, extended), (80, 1, high), u, carry]]
                .concat(),
        )
    }

    /// Encodes UPLOP3. Its table is split into two fields. UPLOP3 has a second table, whose result
    /// is not used.
    fn logic_of_predicates(&mut self) -> (u128, Fields) {
        let written = [(0, 81), (1, 84)].map(|(operand, place)| self.predicate(operand, place, 3));
        let read = [(2, 87), (3, 77), (4, 68)].map(|(operand, place)| self.predicate(operand, place, 4));
        let (table, second) = (self.literal(5), self.literal(6));
        let tables = [(16, 8, second), (64, 3, table & 7), (72, 5, table >> 3)];
        (0x89c, [&written[..], &read, &tables].concat())
    }
}
