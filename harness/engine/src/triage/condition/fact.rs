//! Facts about the inputs of a case, not about its result: classes and kinds of operands, shared
//! registers, modifiers.
//!
//! Operands are counted in the order of the assembly text, so that a fact applies to every form of
//! an optype. In texts, operands have the names of the optype's first form. So `rb` is the second
//! source, even if it is a constant or a literal.

use assay_isa::format::{F32, Format};
use assay_isa::row::FieldType;
use assay_isa::{Batch, Instruction, Operand, Source, catalog};

use super::super::signature;
use crate::operands::operand_kinds::OperandKind;
use crate::operands::operand_words::{WordPlace, places};
use crate::operands::prefixes::Prefixes;

/// An operand of an optype, independent of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OperandAt {
    /// The nth output.
    Output(usize),
    /// The nth input.
    Input(usize),
}

impl OperandAt {
    /// Returns the name of the operand in an instruction's form, or `None` if the form has too few
    /// operands.
    fn name(self, instruction: &Instruction) -> Option<&'static str> {
        let form = instruction.form();
        match self {
            OperandAt::Output(nth) => form.optype.outs.get(nth).copied(),
            OperandAt::Input(nth) => form.inputs().nth(nth),
        }
    }

    fn of(self, instruction: &Instruction) -> Option<Operand> {
        Some(instruction.operand(self.name(instruction)?))
    }
}

/// The tested part of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WordPart {
    /// The whole word.
    Whole,
    /// The low half of a pair of halves.
    Low,
    /// The high half of a pair of halves.
    High,
}

/// A word of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct InputWord {
    /// The input, in the order of the text.
    pub nth: usize,
    /// The word; 0 is the lowest.
    pub word: usize,
    /// The part of the word.
    pub part: WordPart,
    /// Whether the operand's prefixes are applied to the word first. Negation is never applied to
    /// an integer.
    pub has_prefixes: bool,
}

/// A property of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ValueTest {
    /// A float: any NaN.
    Nan,
    /// A float: a signalling NaN.
    SignallingNan,
    /// For a float: an infinity of either sign.
    Infinite,
    /// Zero. For a float, the zero may have either sign.
    Zero,
    /// A float: subnormal.
    Subnormal,
    /// A float: normal.
    Normal,
    /// A float: a power of two.
    PowerOfTwo,
    /// For a float: its sign is set.
    Negative,
    /// For an integer: all bits are set.
    AllOnes,
    /// An integer: bit 31 is set.
    TopBit,
    /// For an integer: it is at least 2^n.
    AtLeast(u8),
    /// A predicate: true.
    True,
}

const FLOAT_TESTS: [ValueTest; 8] = {
    use ValueTest::{Infinite, Nan, Negative, Normal, PowerOfTwo, SignallingNan, Subnormal, Zero};
    [Nan, Zero, Infinite, Subnormal, Normal, SignallingNan, PowerOfTwo, Negative]
};

impl ValueTest {
    /// Returns the tests for an operand of a kind.
    fn of(kind: OperandKind) -> Vec<ValueTest> {
        match kind {
            OperandKind::Float(_)
            | OperandKind::Half { .. }
            | OperandKind::Pair(_)
            | OperandKind::Exponent => FLOAT_TESTS.to_vec(),
            OperandKind::Predicate | OperandKind::Mask => vec![ValueTest::True],
            OperandKind::Bits
            | OperandKind::Amount
            | OperandKind::Index
            | OperandKind::Selector
            | OperandKind::Narrow(_) => {
                let least = (1..31).map(ValueTest::AtLeast);
                [ValueTest::Zero, ValueTest::AllOnes, ValueTest::TopBit].into_iter().chain(least).collect()
            }
            OperandKind::Address | OperandKind::Channels => Vec::new(),
        }
    }

    /// Whether the outcome of the test can depend on the prefixes of the operand. The prefixes of a
    /// float change only its sign.
    fn depends_on_prefixes(self, kind: OperandKind, instruction: &Instruction, name: &str) -> bool {
        let attributes: &[&str] = match (kind, self) {
            (OperandKind::Exponent | OperandKind::Mask, _) => &[],
            (_, ValueTest::Negative) => &["neg", "abs"],
            (_, ValueTest::True) => &["not"],
            (OperandKind::Float(_) | OperandKind::Half { .. } | OperandKind::Pair(_), _) => &[],
            _ => &["bitnot"],
        };
        let mut names = attributes.iter().map(|attribute| format!("{name}.{attribute}"));
        names.any(|field| instruction.form().field(&field).is_some())
    }

    /// Returns whether a value passes the test, given its bits and its kind. Returns `false` if the
    /// test is for another kind.
    fn holds(self, kind: OperandKind, part: WordPart, bits: u32) -> bool {
        match (kind, part) {
            (OperandKind::Float(format), WordPart::Whole) => self.holds_of(format, bits & format.mask()),
            (OperandKind::Exponent, WordPart::Whole) => self.holds_of(F32, bits),
            (OperandKind::Half { format, high }, WordPart::Whole) => {
                self.holds_of(format, if high { bits >> 16 } else { bits & 0xffff })
            }
            (OperandKind::Pair(format), WordPart::Low) => self.holds_of(format, bits & 0xffff),
            (OperandKind::Pair(format), WordPart::High) => self.holds_of(format, bits >> 16),
            (OperandKind::Predicate | OperandKind::Mask, WordPart::Whole) => {
                self == ValueTest::True && bits != 0
            }
            (_, WordPart::Whole) => match self {
                ValueTest::Zero => bits == 0,
                ValueTest::AllOnes => bits == u32::MAX,
                ValueTest::TopBit => bits >> 31 == 1,
                ValueTest::AtLeast(power) => bits >> power != 0,
                _ => false,
            },
            _ => false,
        }
    }

    fn holds_of(self, format: Format, bits: u32) -> bool {
        let magnitude = bits & !format.sign_mask();
        let fraction = magnitude & format.fraction_mask();
        let is_normal = magnitude >> format.fraction_bits != 0 && magnitude < format.infinity();
        match self {
            ValueTest::Nan => format.is_nan(bits),
            ValueTest::SignallingNan => format.is_nan(bits) && fraction >> (format.fraction_bits - 1) == 0,
            ValueTest::Infinite => magnitude == format.infinity(),
            ValueTest::Zero => magnitude == 0,
            ValueTest::Subnormal => magnitude != 0 && magnitude >> format.fraction_bits == 0,
            ValueTest::Normal => is_normal,
            ValueTest::PowerOfTwo => is_normal && fraction == 0,
            ValueTest::Negative => bits & format.sign_mask() != 0,
            ValueTest::AllOnes | ValueTest::TopBit | ValueTest::AtLeast(_) | ValueTest::True => false,
        }
    }

    /// Returns the text of the test or, if `holds` is false, of its contrary. In messages, the text
    /// follows the name of the operand.
    fn words(self, holds: bool) -> String {
        let is = |text: &str| format!("{} {text}", if holds { "is" } else { "is not" });
        let an = |text: &str| format!("is {} {text}", if holds { "a" } else { "no" });
        match self {
            ValueTest::Nan => an("NaN"),
            ValueTest::SignallingNan => an("signalling NaN"),
            ValueTest::Infinite => is("infinite"),
            ValueTest::Zero => is("0"),
            ValueTest::Subnormal => is("subnormal"),
            ValueTest::Normal => is("normal"),
            ValueTest::PowerOfTwo => an("power of two"),
            ValueTest::Negative if holds => "has its sign set".to_owned(),
            ValueTest::Negative => "has its sign clear".to_owned(),
            ValueTest::AllOnes => is("all ones"),
            ValueTest::TopBit if holds => "has bit 31 set".to_owned(),
            ValueTest::TopBit => "has bit 31 clear".to_owned(),
            ValueTest::AtLeast(power) => at_least(1 << power, holds),
            ValueTest::True => format!("is {holds}"),
        }
    }
}

/// Returns words such as `is 32 or more` or `is below 32`.
fn at_least(bound: u32, holds: bool) -> String {
    if holds { format!("is {bound} or more") } else { format!("is below {bound}") }
}

/// The kind of an operand's source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SourceKind {
    /// A literal.
    Literal,
    /// Constant memory.
    Constant,
    /// A register, uniform or not.
    Register,
    /// A uniform register.
    Uniform,
    /// RZ, URZ, PT or UPT.
    Idle,
}

impl SourceKind {
    const ALL: [SourceKind; 5] = {
        use SourceKind::{Constant, Idle, Literal, Register, Uniform};
        [Literal, Constant, Register, Uniform, Idle]
    };

    fn holds(self, source: Source) -> bool {
        let is_register = matches!(source, Source::Reg(_) | Source::UReg(_));
        match self {
            SourceKind::Literal => matches!(source, Source::Imm(_)),
            SourceKind::Constant => matches!(source, Source::Const { .. } | Source::ConstAt { .. }),
            SourceKind::Register => is_register,
            SourceKind::Uniform => matches!(source, Source::UReg(_)),
            SourceKind::Idle => {
                let names_storage = is_register || matches!(source, Source::Pred(_) | Source::UPred(_));
                names_storage && source.location().is_none()
            }
        }
    }

    fn words(self) -> &'static str {
        match self {
            SourceKind::Literal => "a literal",
            SourceKind::Constant => "a constant",
            SourceKind::Register => "a register",
            SourceKind::Uniform => "a uniform register",
            SourceKind::Idle => "RZ, URZ, PT or UPT",
        }
    }
}

/// The numbers in the encoding of an operand that a fact can be about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EncodedNumber {
    /// The number of a register. RZ and URZ have none.
    Register,
    /// The number of a constant bank.
    Bank,
    /// An offset in constant memory, in bytes.
    Offset,
}

impl EncodedNumber {
    const ALL: [(EncodedNumber, std::ops::Range<u8>); 3] =
        [(EncodedNumber::Register, 1..8), (EncodedNumber::Bank, 0..5), (EncodedNumber::Offset, 2..17)];

    fn of(self, source: Source) -> Option<u32> {
        match (self, source) {
            (EncodedNumber::Register, Source::Reg(number) | Source::UReg(number)) => {
                source.location().map(|_| number.into())
            }
            (EncodedNumber::Bank, Source::Const { bank, .. }) => Some(bank.into()),
            (EncodedNumber::Offset, Source::Const { offset, .. }) => Some(offset),
            _ => None,
        }
    }

    fn words(self) -> &'static str {
        match self {
            EncodedNumber::Register => "number",
            EncodedNumber::Bank => "bank",
            EncodedNumber::Offset => "offset",
        }
    }
}

/// A property of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fact {
    /// The value of an input passes a test.
    Value(InputWord, ValueTest),
    /// An input has a kind of source.
    Source(usize, SourceKind),
    /// A number in the encoding of an input is at least 2^n.
    Encoded(usize, EncodedNumber, u8),
    /// Two operands share a register or a predicate.
    Meet(OperandAt, OperandAt),
    /// Two inputs have the same register number, which may be RZ.
    Namesakes(usize, usize),
    /// An enumerated field of the instruction has a value.
    Modifier(&'static str, &'static str),
    /// An input has a prefix.
    Prefix(usize, &'static str),
    /// The instruction has a guard.
    Guarded,
}

/// The lanes of a batch in which a fact holds.
pub enum FactLanes {
    /// Whether the fact holds in all lanes. Otherwise, it holds in no lane.
    Same(bool),
    /// For each lane, whether the fact holds.
    Each(Vec<bool>),
}

impl Fact {
    /// Returns all facts about cases of an optype, the simplest first.
    pub fn of_optype(optype: &str) -> Vec<Fact> {
        let mut facts = Vec::new();
        let mut add = |fact: Fact| {
            if !facts.contains(&fact) {
                facts.push(fact);
            }
        };
        for form in catalog().forms_of(optype) {
            let instruction = Instruction::new(form);
            for (nth, name) in form.inputs().enumerate() {
                for fact in values(&instruction, nth, name) {
                    add(fact);
                }
                SourceKind::ALL.into_iter().for_each(|kind| add(Fact::Source(nth, kind)));
            }
            for field in form.fields.iter().filter(|field| field.constraint.is_none()) {
                let FieldType::Enum(list) = field.ty else { continue };
                match (field.attribute(), form.inputs().position(|name| name == field.operand())) {
                    (Some(attribute), Some(nth)) if list.values.len() == 2 => {
                        add(Fact::Prefix(nth, attribute))
                    }
                    (None, _) => list.values.iter().for_each(|value| add(Fact::Modifier(field.name, value))),
                    _ => {}
                }
            }
            for (nth, _) in form.inputs().enumerate() {
                for (number, powers) in EncodedNumber::ALL {
                    powers.for_each(|power| add(Fact::Encoded(nth, number, power)));
                }
            }
            let outputs = (0..form.optype.outs.len()).map(OperandAt::Output);
            let operands: Vec<_> = outputs.chain((0..form.inputs().count()).map(OperandAt::Input)).collect();
            for (place, one) in operands.iter().enumerate() {
                operands[place + 1..].iter().for_each(|other| add(Fact::Meet(*one, *other)));
            }
            for other in 1..form.inputs().count() {
                (0..other).for_each(|one| add(Fact::Namesakes(one, other)));
            }
        }
        add(Fact::Guarded);
        facts
    }

    /// Returns the lanes of a batch in which the fact holds.
    pub fn lanes(self, instruction: &Instruction, batch: &Batch) -> FactLanes {
        let input = |nth: usize| OperandAt::Input(nth).of(instruction);
        FactLanes::Same(match self {
            Fact::Value(word, test) => return value_lanes(instruction, batch, word, test),
            Fact::Source(nth, kind) => input(nth).is_some_and(|operand| kind.holds(operand.source)),
            Fact::Encoded(nth, number, power) => input(nth)
                .and_then(|operand| number.of(operand.source))
                .is_some_and(|number| number >> power != 0),
            Fact::Meet(one, other) => {
                one.of(instruction).zip(other.of(instruction)).is_some_and(|(one, other)| {
                    one.locations().any(|location| other.locations().any(|its| its == location))
                })
            }
            Fact::Namesakes(one, other) => input(one).zip(input(other)).is_some_and(|(one, other)| {
                matches!(one.source, Source::Reg(_) | Source::UReg(_)) && one.source == other.source
            }),
            Fact::Modifier(field, value) => instruction.form().field(field).is_some_and(|declared| {
                declared.constraint.is_none() && instruction.value_name(field) == value
            }),
            Fact::Prefix(nth, attribute) => OperandAt::Input(nth)
                .name(instruction)
                .is_some_and(|name| instruction.flag(&format!("{name}.{attribute}"))),
            Fact::Guarded => instruction.guard().source.location().is_some(),
        })
    }

    /// Whether the fact holds in a lane.
    pub fn holds(self, instruction: &Instruction, batch: &Batch, lane: usize) -> bool {
        match self.lanes(instruction, batch) {
            FactLanes::Same(holds) => holds,
            FactLanes::Each(lanes) => lanes[lane],
        }
    }

    /// Returns the text of the fact, for cases of an optype. If `holds` is false, returns the text
    /// of the contrary.
    pub fn words(self, optype: &str, holds: bool) -> String {
        let name = |operand: OperandAt| name_in(optype, operand);
        let input = |nth: usize| name(OperandAt::Input(nth));
        match self {
            Fact::Value(InputWord { nth, word, part, has_prefixes }, test) => {
                let half = match part {
                    WordPart::Whole => "",
                    WordPart::Low => "the low half of ",
                    WordPart::High => "the high half of ",
                };
                let word = match word {
                    0 => String::new(),
                    word => format!("word {word} of "),
                };
                let prefixes = if has_prefixes { " after its prefixes" } else { "" };
                format!("{half}{word}{}{prefixes} {}", input(nth), test.words(holds))
            }
            Fact::Source(nth, kind) => {
                format!("{} is {}{}", input(nth), if holds { "" } else { "not " }, kind.words())
            }
            Fact::Encoded(nth, number, power) => {
                format!("the {} of {} {}", number.words(), input(nth), at_least(1 << power, holds))
            }
            Fact::Meet(one, other) => {
                let count = if holds { "share a register" } else { "share no register" };
                format!("{} and {} {count}", name(one), name(other))
            }
            Fact::Namesakes(one, other) => {
                let count = if holds { "name one register" } else { "name no register together" };
                format!("{} and {} {count}, which may be RZ", input(one), input(other))
            }
            Fact::Modifier(field, value) => {
                format!("{}under {field} {value}", if holds { "" } else { "not " })
            }
            Fact::Prefix(nth, attribute) => {
                format!("{} {}.{attribute}", if holds { "with" } else { "without" }, input(nth))
            }
            Fact::Guarded => format!("with{} a guard", if holds { "" } else { "out" }),
        }
    }

    /// Returns the words of a signature for this fact: `ra and rb meet` or `RZ is read`. Returns
    /// `None` if the fact is not about such registers.
    pub(super) fn meeting(self, optype: &str) -> Option<String> {
        match self {
            Fact::Source(nth, SourceKind::Idle) => {
                let name = name_in(optype, OperandAt::Input(nth));
                let field = catalog().forms_of(optype).find_map(|form| form.field(name));
                Some(signature::is_read(field?.ty.idle()?.0))
            }
            Fact::Meet(one, other) => Some(signature::meet(name_in(optype, one), name_in(optype, other))),
            Fact::Namesakes(one, other) => {
                let [one, other] = [one, other].map(|nth| name_in(optype, OperandAt::Input(nth)));
                Some(signature::meet(one, other))
            }
            _ => None,
        }
    }
}

/// Returns the name of an operand in the first form of an optype that has the operand.
fn name_in(optype: &str, operand: OperandAt) -> &'static str {
    let mut forms = catalog().forms_of(optype);
    forms.find_map(|form| operand.name(&Instruction::new(form))).unwrap_or("an operand")
}

/// Returns the facts about the value of an input, for all values of the modifiers.
fn values(instruction: &Instruction, nth: usize, name: &'static str) -> Vec<Fact> {
    let operand = instruction.operand(name);
    let mut kinds = vec![OperandKind::of(instruction, name)];
    // For MUFU, the data type decides whether the word is one value or two halves.
    if instruction.form().position("dtype").is_some() {
        kinds.push(OperandKind::Pair(assay_isa::format::F16));
    }
    let mut facts = Vec::new();
    for (word, kind) in
        (0..places(operand).len().max(1)).flat_map(|word| kinds.iter().map(move |kind| (word, *kind)))
    {
        let parts = match kind {
            OperandKind::Pair(_) => &[WordPart::Low, WordPart::High][..],
            _ => &[WordPart::Whole],
        };
        for part in parts {
            let place = InputWord { nth, word, part: *part, has_prefixes: false };
            let tests = ValueTest::of(kind);
            facts.extend(tests.iter().map(|test| Fact::Value(place, *test)));
            let place = InputWord { has_prefixes: true, ..place };
            let tests = tests.iter().filter(|test| test.depends_on_prefixes(kind, instruction, name));
            facts.extend(tests.map(|test| Fact::Value(place, *test)));
        }
    }
    facts
}

fn value_lanes(instruction: &Instruction, batch: &Batch, input: InputWord, test: ValueTest) -> FactLanes {
    let none = FactLanes::Same(false);
    let Some(name) = OperandAt::Input(input.nth).name(instruction) else { return none };
    let (kind, operand) = (OperandKind::of(instruction, name), instruction.operand(name));
    let prefixes = input.has_prefixes.then(|| Prefixes::of(&operand, kind));
    let holds = |bits: u32| {
        let bits = prefixes.as_ref().map_or(bits, |prefixes| prefixes.applied_to(bits));
        test.holds(kind, input.part, bits)
    };
    match places(operand).get(input.word) {
        Some(WordPlace::At(location)) => match batch.column(*location) {
            Some(column) => FactLanes::Each(column.iter().map(|bits| holds(*bits)).collect()),
            None => none,
        },
        Some(WordPlace::Literal(bits)) => FactLanes::Same(holds(*bits)),
        // RZ reads as 0, and PT as true.
        Some(WordPlace::Nowhere) => FactLanes::Same(holds(u32::from(kind == OperandKind::Predicate))),
        None => none,
    }
}
