//! The ways in which a subject may execute another instruction than the given one. A change is a
//! rule that maps any instruction to the executed one. So it can be tried on instructions that
//! differ from the case.

use std::fmt;

use assay_isa::legalize::legalize;
use assay_isa::row::{Field, FieldType};
use assay_isa::{EncodingTable, Instruction, catalog, codec, legality};

/// A rule that maps an instruction to the executed one. Names are those of fields and operands.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// One value of an enumerated field is executed as another.
    Value {
        /// The field.
        field: &'static str,
        /// The value in the instruction.
        said: &'static str,
        /// The value that is executed.
        done: &'static str,
    },
    /// Two values of an enumerated field are exchanged.
    Swapped {
        /// The field.
        field: &'static str,
        /// One value.
        one: &'static str,
        /// The other value.
        other: &'static str,
    },
    /// An enumerated field always acts as one value.
    Always {
        /// The field.
        field: &'static str,
        /// The value.
        done: &'static str,
    },
    /// A flag of an operand, such as its sign, is ignored.
    Ignored(&'static str),
    /// An attribute of every operand, such as `neg`, is ignored.
    IgnoredOnAll(&'static str),
    /// The absolute value of every operand loses its negation.
    NegatedAbsolute,
    /// Unordered comparisons, which are true for a NaN, act as ordered comparisons.
    Ordered,
    /// A flag of an operand always acts as set.
    Assumed(&'static str),
    /// The guard always acts as true.
    Unguarded,
    /// An operand is read in place of another.
    TakenFor(&'static str, &'static str),
    /// Two operands are exchanged.
    Exchanged(&'static str, &'static str),
    /// The register after the operand's register is read.
    Next(&'static str),
    /// A uniform register is read as the general register with the same number.
    General,
    /// If an input is PT or UPT, it reads as false.
    FalseConstant,
    /// The number of a register or predicate is misread.
    Number {
        /// The affected operands of the type.
        whose: MisreadOperands,
        /// The type: registers, uniform registers, predicates or uniform predicates.
        ty: FieldType,
        /// How the number is misread.
        misread: Misread,
    },
    /// Only this number of low bits of every constant's bank counts.
    Bank(u8),
    /// Only this number of low bits of every constant's offset counts.
    Offset(u8),
    /// Every literal of 32 bits is read as another value.
    Literal(LiteralSlip),
    /// Some bits of the instruction word read as 0, or as 1, in every form.
    Bits {
        /// The lowest bit.
        lo: u8,
        /// The highest bit.
        hi: u8,
        /// Whether the bits read as 1.
        set: bool,
    },
    /// A bit of the instruction word is replaced by another bit of the word.
    Moved {
        /// The bit.
        bit: u8,
        /// The bit that is read in its place.
        from: u8,
    },
}

/// The operands whose numbers are misread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MisreadOperands {
    /// One operand.
    Operand(&'static str),
    /// All operands whose fields begin at this bit of the word.
    At(u8),
    /// Every operand that is read, including the guard.
    Sources,
    /// Every operand that is read, except the guard.
    Inputs,
    /// Every operand.
    All,
}

impl MisreadOperands {
    fn has(self, name: &str, instruction: &Instruction) -> bool {
        match self {
            MisreadOperands::Operand(operand) => operand == name,
            MisreadOperands::At(lo) => instruction.form().field(name).is_some_and(|field| field.lo == lo),
            MisreadOperands::Sources => !instruction.form().optype.outs.contains(&name),
            MisreadOperands::Inputs => instruction.form().inputs().any(|input| input == name),
            MisreadOperands::All => true,
        }
    }
}

/// The ways in which the number of a register can be misread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Misread {
    /// Only this number of low bits counts; RZ, URZ and PT are not affected.
    Cut(u8),
    /// Only this number of low bits counts, also for RZ, URZ and PT.
    CutAll(u8),
    /// This number reads as RZ, URZ or PT.
    Idle(u32),
    /// Every number from 2^n on reads as RZ, URZ or PT.
    From(u8),
    /// Every number reads as RZ, URZ or PT, so the operand reads as 0 or true.
    AlwaysIdle,
}

/// A mistake about a literal: its words, and its effect on the bits.
#[derive(Clone, Copy)]
pub struct LiteralSlip {
    words: &'static str,
    apply: fn(u32) -> u32,
}

impl PartialEq for LiteralSlip {
    fn eq(&self, other: &LiteralSlip) -> bool {
        self.words == other.words
    }
}

impl fmt::Debug for LiteralSlip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words)
    }
}

/// The mistakes about a literal of 32 bits.
pub const LITERAL_SLIPS: &[LiteralSlip] = &[
    literal_slip("read as 0", |_| 0),
    literal_slip("taken with its halves exchanged", |bits| bits.rotate_left(16)),
    literal_slip("taken with its bytes reversed", u32::swap_bytes),
    literal_slip("cut to 16 bits and a sign", |bits| bits as u16 as i16 as u32),
    literal_slip("cut to its lower half", |bits| bits & 0xffff),
    literal_slip("cut to its upper half", |bits| bits & 0xffff_0000),
    literal_slip("cut to 24 bits and a sign", |bits| ((bits << 8) as i32 >> 8) as u32),
    literal_slip("cut to 24 bits", |bits| bits & 0x00ff_ffff),
    literal_slip("cut to 20 bits and a sign", |bits| ((bits << 12) as i32 >> 12) as u32),
    literal_slip("cut to 20 bits", |bits| bits & 0x000f_ffff),
    literal_slip("cut to 8 bits", |bits| bits & 0xff),
    literal_slip("cut to a fraction of 10 bits", |bits| bits & 0xffff_e000),
    literal_slip("without its top bit", |bits| bits & 0x7fff_ffff),
    literal_slip("shifted by one place", |bits| bits << 1),
];

const fn literal_slip(words: &'static str, apply: fn(u32) -> u32) -> LiteralSlip {
    LiteralSlip { words, apply }
}

impl Change {
    /// Returns the instruction that is executed in place of another. If the change does not affect
    /// the instruction, returns it unchanged. Returns `None` if the result is not legal, so that
    /// its effect is unknown.
    pub fn apply(&self, instruction: &Instruction, numbers: &EncodingTable) -> Option<Instruction> {
        let mut other = instruction.clone();
        match *self {
            Change::Bits { lo, hi, set } => {
                let mask = ((1u128 << (hi - lo + 1)) - 1) << lo;
                let word = codec::encode(instruction, numbers);
                return codec::decode(if set { word | mask } else { word & !mask }, numbers).ok();
            }
            Change::Moved { bit, from } => {
                let word = codec::encode(instruction, numbers);
                let moved = word & !(1 << bit) | (word >> from & 1) << bit;
                return codec::decode(moved, numbers).ok();
            }
            Change::FalseConstant => invert_constants(&mut other),
            Change::General => return general(instruction),
            Change::Value { field, said, done } => swap(&mut other, field, said, done, false),
            Change::Swapped { field, one, other: second } => swap(&mut other, field, one, second, true),
            Change::Always { field, done } => set_value(&mut other, field, done),
            Change::Ignored(flag) => set_flag(&mut other, flag, 0),
            Change::IgnoredOnAll(attribute) => ignore(&mut other, attribute, |_, _| true),
            Change::NegatedAbsolute => ignore(&mut other, "neg", |it, name| it.operand(name).abs),
            Change::Ordered => {
                let ordered = other.form().field("cmp").map(|_| other.value_name("cmp"));
                ordered
                    .and_then(|name| name.strip_suffix('U'))
                    .into_iter()
                    .for_each(|name| set_value(&mut other, "cmp", name));
            }
            Change::Assumed(flag) => set_flag(&mut other, flag, 1),
            Change::Unguarded => unguard(&mut other),
            Change::TakenFor(operand, from) => {
                if let Some([_, number]) = pair_of_numbers(instruction, [operand, from]) {
                    other.set(operand, number);
                }
            }
            Change::Exchanged(one, second) => {
                if let Some([first, number]) = pair_of_numbers(instruction, [one, second]) {
                    other.set(one, number);
                    other.set(second, first);
                }
            }
            Change::Next(operand) => next(&mut other, operand),
            Change::Number { whose, ty, misread } => {
                for_fields(
                    &mut other,
                    |field| field.ty == ty && whose.has(field.name, instruction),
                    |n| misread.apply(ty, n),
                );
            }
            Change::Bank(bits) => {
                for_fields(
                    &mut other,
                    |field| field.ty == FieldType::CMem,
                    |cell| cell & 0x1_ffff | (cell >> 17 & ((1 << bits) - 1)) << 17,
                );
            }
            Change::Offset(bits) => {
                for_fields(
                    &mut other,
                    |field| field.ty == FieldType::CMem,
                    |cell| cell & !0x1_ffff | cell & ((1 << bits) - 1),
                );
            }
            Change::Literal(slip) => {
                for_fields(&mut other, |field| field.ty.is_literal() && field.width == 32, slip.apply);
            }
        }
        // Clears operands that the changed modifiers no longer permit.
        for (position, field) in other.form().fields.iter().enumerate() {
            if !legality::permits(&other, field.name) {
                other.set_at(position, legalize(&other, position, 0));
            }
        }
        legality::check(&other).is_ok().then_some(other)
    }

    /// Returns the words that findings of one cause have in common. The text omits the operand
    /// whose flag or number is misread.
    pub fn theme(&self) -> String {
        let attribute = |flag: &'static str| flag.rsplit_once('.').map_or(flag, |(_, attribute)| attribute);
        match self {
            Change::Ignored(flag) => format!("{} is ignored", attribute(flag)),
            Change::IgnoredOnAll(attribute) => format!("{attribute} is ignored"),
            Change::Assumed(flag) => format!("{} is assumed", attribute(flag)),
            Change::Value { said, done, .. } => format!("{said} acts as {done}"),
            Change::Number { ty, misread, .. } => {
                let ty = if *ty == FieldType::UPred { FieldType::Pred } else { *ty };
                misread.says(&format!("a {}", numbered(ty)), ty)
            }
            other => other.to_string(),
        }
    }
}

impl Misread {
    /// Returns the mistake in words. `whose` names the operands.
    fn says(self, whose: &str, ty: FieldType) -> String {
        let idle = ty.idle().map_or("", |(name, _)| name);
        match self {
            Misread::Cut(bits) => format!("the number of {whose} is cut to {bits} bits"),
            Misread::CutAll(bits) => {
                format!("the number of {whose} is cut to {bits} bits, also that of {idle}")
            }
            Misread::Idle(number) => format!("number {number} of {whose} reads as {idle}"),
            Misread::From(bits) => format!("the number of {whose} reads as {idle} from {} on", 1 << bits),
            Misread::AlwaysIdle => format!("{whose} reads as {idle}"),
        }
    }

    fn apply(self, ty: FieldType, number: u32) -> u32 {
        let idle = ty.idle().map_or(u32::MAX, |(_, idle)| idle);
        match self {
            Misread::Cut(_) if number == idle => number,
            Misread::Cut(bits) | Misread::CutAll(bits) => number & ((1 << bits) - 1),
            Misread::Idle(taken) if taken == number => idle,
            Misread::Idle(_) => number,
            Misread::From(bits) if number >> bits != 0 => idle,
            Misread::From(_) => number,
            Misread::AlwaysIdle => idle,
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::Value { field, said, done } => write!(f, "{field} {said} acts as {done}"),
            Change::Swapped { field, one, other } => write!(f, "{field} {one} and {other} are exchanged"),
            Change::Always { field, done } => write!(f, "{field} always acts as {done}"),
            Change::Ignored(flag) => write!(f, "{flag} is ignored"),
            Change::IgnoredOnAll(attribute) => write!(f, "{attribute} of every operand is ignored"),
            Change::Ordered => write!(f, "an unordered comparison acts as the ordered one"),
            Change::NegatedAbsolute => write!(f, "a negated absolute value reads as the absolute value"),
            Change::Assumed(flag) => write!(f, "{flag} is assumed"),
            Change::Unguarded => write!(f, "the guard is ignored"),
            Change::TakenFor(operand, other) => write!(f, "{operand} is taken from {other}"),
            Change::Exchanged(one, other) => write!(f, "{one} and {other} are exchanged"),
            Change::Next(operand) => write!(f, "{operand} is the register behind"),
            Change::FalseConstant => write!(f, "PT reads as false"),
            Change::General => write!(f, "a uniform register is read as the general one of its number"),
            Change::Literal(slip) => write!(f, "the literal is {}", slip.words),
            Change::Bits { lo, hi, set } if lo == hi => {
                write!(f, "bit {lo} of the word reads as {}", u8::from(*set))
            }
            Change::Bits { lo, hi, set } => {
                write!(f, "bits {lo} to {hi} of the word read as {}", u8::from(*set))
            }
            Change::Moved { bit, from } => write!(f, "bit {bit} of the word is read from bit {from}"),
            Change::Bank(bits) => write!(f, "the bank of a constant is cut to {bits} bits"),
            Change::Offset(bits) => write!(f, "the offset of a constant is cut to {bits} bits"),
            Change::Number { whose, ty, misread } => {
                let kind = numbered(*ty);
                f.write_str(&match whose {
                    MisreadOperands::Operand(name) => misread.says(name, *ty),
                    MisreadOperands::At(lo) => {
                        misread.says(&format!("the {kind} at bit {lo} of the word"), *ty)
                    }
                    MisreadOperands::Sources => misread.says(&format!("every {kind} that is read"), *ty),
                    MisreadOperands::Inputs => {
                        misread.says(&format!("every {kind} that is read, the guard excepted,"), *ty)
                    }
                    MisreadOperands::All => misread.says(&format!("every {kind}"), *ty),
                })
            }
        }
    }
}

fn numbered(ty: FieldType) -> &'static str {
    match ty {
        FieldType::Reg => "register",
        FieldType::UReg => "uniform register",
        FieldType::UPred => "uniform predicate",
        _ => "predicate",
    }
}

/// Changes a field from the value `said` to `done`. If `both`, also changes `done` to `said`.
fn swap(other: &mut Instruction, field: &str, said: &str, done: &str, both: bool) {
    let Some(list) = values_of(other, field) else { return };
    let now = other.get(field).and_then(|value| list.get(value as usize).copied());
    if now == Some(said) {
        set_value(other, field, done);
    } else if both && now == Some(done) {
        set_value(other, field, said);
    }
}

/// Returns the names of the values of an enumerated field.
fn values_of(instruction: &Instruction, field: &str) -> Option<&'static [&'static str]> {
    match instruction.form().field(field)?.ty {
        FieldType::Enum(e) => Some(e.values),
        _ => None,
    }
}

fn set_value(other: &mut Instruction, field: &str, value: &str) {
    let place = values_of(other, field).and_then(|list| list.iter().position(|name| *name == value));
    if let Some(place) = place {
        other.set(field, place as u32);
    }
}

fn set_flag(other: &mut Instruction, flag: &str, value: u32) {
    if other.get(flag).is_some() {
        other.set(flag, value);
    }
}

/// Clears an attribute of each input for which `is_asked` returns true.
fn ignore(other: &mut Instruction, attribute: &str, is_asked: impl Fn(&Instruction, &str) -> bool) {
    for name in other.form().inputs() {
        if is_asked(other, name) {
            set_flag(other, &format!("{name}.{attribute}"), 0);
        }
    }
}

/// Sets the guard to the constant predicate.
fn unguard(other: &mut Instruction) {
    let guard = other.form().guard();
    if let Some((_, constant)) = other.form().field(guard).and_then(|field| field.ty.idle()) {
        other.set(guard, constant);
        set_flag(other, &format!("{guard}.not"), 0);
    }
}

/// Returns the numbers of two operands, if both are registers of one type.
fn pair_of_numbers(instruction: &Instruction, names: [&str; 2]) -> Option<[u32; 2]> {
    let [one, other] = names.map(|name| instruction.form().field(name));
    (one?.ty == other?.ty).then_some(())?;
    Some([instruction.get(names[0])?, instruction.get(names[1])?])
}

/// Inverts each input that is the constant predicate.
fn invert_constants(other: &mut Instruction) {
    let form = other.form();
    let is_predicate = |ty: FieldType| matches!(ty, FieldType::Pred | FieldType::UPred);
    for name in form.inputs() {
        let constant =
            form.field(name).filter(|field| is_predicate(field.ty)).and_then(|field| field.ty.idle());
        if constant.is_some_and(|(_, constant)| other.get(name) == Some(constant)) {
            let flag = format!("{name}.not");
            let inverted = other.get(&flag).map_or(1, |not| 1 - not);
            set_flag(other, &flag, inverted);
        }
    }
}

/// Returns the instruction that reads general registers in place of uniform ones, or `None` if the
/// optype has no such form.
fn general(instruction: &Instruction) -> Option<Instruction> {
    let form = instruction.form();
    let is_uniform = |name: &str| form.field(name).is_some_and(|field| field.ty == FieldType::UReg);
    if !form.order.iter().any(|name| is_uniform(name)) {
        return Some(instruction.clone());
    }
    let order = form.order.iter().map(|name| if is_uniform(name) { &name[1..] } else { *name });
    let order: Vec<&str> = order.collect();
    let forms = catalog().forms_of(form.optype.name);
    let mut other = Instruction::new(forms.into_iter().find(|other| other.order == order)?);
    for field in other.form().fields.iter().filter(|field| field.constraint.is_none()) {
        let value = instruction.get(field.name).or_else(|| instruction.get(&format!("u{}", field.name)));
        let is_idle = value.is_some() && value == FieldType::UReg.idle().map(|(_, idle)| idle);
        let was_uniform = field.ty == FieldType::Reg && instruction.get(field.name).is_none();
        let idle = field.ty.idle().map(|(_, idle)| idle).filter(|_| is_idle && was_uniform);
        other.set(field.name, idle.or(value)?);
    }
    Some(other)
}

fn next(other: &mut Instruction, operand: &str) {
    let ty = other.form().field(operand).map(|field| field.ty);
    if let (Some((_, last)), Some(number)) = (ty.and_then(FieldType::idle), other.get(operand))
        && number + 1 < last
    {
        other.set(operand, number + 1);
    }
}

/// Changes the values of some fields.
fn for_fields(other: &mut Instruction, selects: impl Fn(&Field) -> bool, change: impl Fn(u32) -> u32) {
    let form = other.form();
    for (place, field) in form.fields.iter().enumerate() {
        if field.constraint.is_none() && selects(field) {
            let value = change(other.values()[place]);
            if u64::from(value) < 1 << field.width {
                other.set_at(place, value);
            }
        }
    }
}
