//! Binds the names of a routine's head to the fields of a form, by the facts of the documents.
//!
//! | name in the head | field |
//! |---|---|
//! | `Rd`, `URa`, `upp` | the field with this name in small letters |
//! | `SrcB` | the source with this letter: `rb`, `urb` or `vb` |
//! | `UImm5Sca` | the field whose type begins the name |
//! | any other, and every name in a head with brackets (E163) | the operand at this place of `Order` |

use std::collections::BTreeMap;
use std::sync::Arc;

use assay_isa::Location;

use super::codes::Codes;
use super::edition::Edition;
use super::head::HeadParts;
use super::integer::Int;
use super::program::{Channels, Destination, Enabled, Minus, OperandSource, Prefixes, SourceKind, Word};
use super::registers::Register;
use super::stop::Reason;
use super::value::Value;
use super::width;
use crate::facts::{FieldFacts, FormFacts};
use crate::pseudo::{Expr, ExprKind};

/// Number of bits of a register.
pub(super) const WORD: u64 = 32;
/// Number of bits of the offset of a constant. The bank is above them (E015).
const OFFSET_BITS: u32 = 17;

/// What a name of the text stands for.
#[derive(Debug, Clone)]
pub(super) enum Bound {
    Source(OperandSource),
    Destination(Destination),
    Constant(Value),
    Channels(Channels),
    Enabled(Enabled),
    /// The uniform registers, by number.
    Uniform,
    /// Constant memory, by bank and byte address. A value has at most this number of bits.
    Constants(u64),
}

/// A form with the bits of one instruction word.
pub(super) struct Binder<'a> {
    pub edition: &'a Edition,
    pub codes: &'a Codes,
    pub form: &'a FormFacts,
    pub word: u128,
    /// Whether the operands of the optype are binary32 numbers.
    pub is_float: bool,
    /// The locations that the sources name.
    pub inputs: Vec<Location>,
}

impl<'a> Binder<'a> {
    pub fn new(edition: &'a Edition, codes: &'a Codes, form: &'a FormFacts, word: u128) -> Self {
        // An optype computes with binary32 numbers if one of its immediates is such a number.
        let forms = edition.forms.iter().filter(|other| other.optype == form.optype);
        let is_float = forms.flat_map(|form| &form.body.fields).any(|field| field.ty == "F32Imm");
        Binder { edition, codes, form, word, is_float, inputs: Vec::new() }
    }

    fn field(&self, name: &str) -> Option<&'a FieldFacts> {
        self.form.body.fields.iter().find(|field| field.name == name)
    }

    fn bits(&self, field: &FieldFacts) -> u32 {
        let mask = u128::MAX >> (128 - u32::from(field.width.clamp(1, 32)));
        ((self.word >> field.lo) & mask) as u32
    }

    fn flag(&self, operand: &str, attribute: &str) -> bool {
        self.field(&format!("{operand}.{attribute}")).is_some_and(|field| self.bits(field) == 1)
    }

    /// Returns the value of a modifier: the name of the value that a field holds. The field of
    /// `bsel` may be that of an operand, `ura.bsel`.
    pub fn modifier(&self, name: &str) -> Option<Arc<str>> {
        let is_it = |field: &&FieldFacts| field.name == name || field.attribute() == name;
        let field = self.form.body.fields.iter().find(is_it)?;
        self.codes.name(&field.ty, self.bits(field), self.edition.rules())
    }

    /// Returns the values of all enumerated fields.
    pub fn values(&self) -> Vec<Arc<str>> {
        let fields = self.form.body.fields.iter();
        fields
            .filter_map(|field| self.codes.name(&field.ty, self.bits(field), self.edition.rules()))
            .collect()
    }

    /// Whether a word is a value that an enumerated field of the form can hold.
    pub fn is_value(&self, word: &str) -> bool {
        let mut fields = self.form.body.fields.iter();
        fields.any(|field| self.codes.code(&field.ty, word).is_some())
    }

    /// Binds the operands of a head.
    pub fn head(&mut self, head: &HeadParts) -> Result<BTreeMap<String, Bound>, Reason> {
        let order: Vec<String> = self.form.body.order.iter().skip(1).cloned().collect();
        let is_indexed = head.operands.iter().any(|operand| matches!(operand.kind, ExprKind::Index(..)));
        let mut bound = BTreeMap::new();
        for (place, operand) in head.operands.iter().enumerate() {
            let entry = order.get(place).map(String::as_str);
            match &operand.kind {
                ExprKind::Index(..) => self.indexed(operand, entry, &mut bound)?,
                _ => {
                    let name = operand.base().ok_or_else(no_name)?;
                    if name == "UPR" {
                        continue;
                    }
                    let by_name = if is_indexed { None } else { self.find(name) };
                    let field = by_name.or_else(|| self.field(entry?));
                    let field = field.ok_or_else(|| Reason::Head(format!("`{name}` is no field")))?;
                    bound.insert(name.to_owned(), self.operand(field)?);
                }
            }
        }
        Ok(bound)
    }

    /// Returns the field that a name stands for, whatever its place in the head.
    fn find(&self, name: &str) -> Option<&'a FieldFacts> {
        if let Some(field) = self.field(&name.to_ascii_lowercase()) {
            return Some(field);
        }
        let letter = name.strip_prefix("Src").filter(|letter| letter.len() == 1).map(str::to_ascii_lowercase);
        let by_letter = letter.and_then(|letter| {
            ["r", "ur", "v"].into_iter().find_map(|kind| self.field(&format!("{kind}{letter}")))
        });
        let of_type = |field: &&FieldFacts| field.ty.contains("Imm") && name.starts_with(&field.ty);
        by_letter.or_else(|| self.form.body.fields.iter().find(of_type))
    }

    /// Returns the uniform predicate that a name stands for: `UP3`. UP7 is UPT (E136).
    pub fn register(&mut self, name: &str) -> Option<Bound> {
        let number = name.strip_prefix("UP")?.parse::<u32>().ok().filter(|number| *number < 8)?;
        Some(Bound::Destination(self.destination("UPred", number, 1)))
    }

    /// Returns what a name outside the head stands for, such as a field.
    pub fn outside(&mut self, name: &str) -> Option<Bound> {
        match name {
            "UR" => Some(Bound::Uniform),
            _ => self.field(&name.to_ascii_lowercase()).and_then(|field| self.operand(field).ok()),
        }
    }

    /// Binds the names of an operand in brackets, such as `UR[URa+SImm7]`, to the fields of its
    /// place in `Order`, such as `UR[urb, uridx]`.
    fn indexed(
        &mut self,
        operand: &Expr,
        entry: Option<&str>,
        bound: &mut BTreeMap<String, Bound>,
    ) -> Result<(), Reason> {
        let inner = entry.and_then(|entry| entry.split_once('['));
        let names: Vec<&str> = inner
            .map_or(Vec::new(), |(_, inner)| inner.trim_end_matches(']').split(',').map(str::trim).collect());
        let fields: Vec<&FieldFacts> = names.iter().filter_map(|name| self.field(name)).collect();
        let constants = fields.iter().find(|field| field.ty == "CMem").copied();
        let literal = fields.iter().find(|field| field.ty.contains("Imm")).copied();
        let register = fields.iter().find(|field| Register::of(&field.ty).is_some()).copied();
        let base = operand.base().ok_or_else(no_name)?.to_owned();
        let mut names = Vec::new();
        operand.walk(&mut |expr| match &expr.kind {
            ExprKind::Name(name) if *name != base => names.push(name.clone()),
            _ => {}
        });
        let memory = match constants {
            Some(field) => Bound::Constants(self.width(field)?),
            None => Bound::Uniform,
        };
        bound.insert(base, memory);
        for name in names {
            let value = match (constants, literal) {
                (Some(field), _) if name == "UImm" => integer(i128::from(self.bits(field) >> OFFSET_BITS)),
                (Some(field), _) if name.starts_with("SImm") => {
                    integer(signed(self.bits(field), OFFSET_BITS))
                }
                (_, Some(field)) if name.contains("Imm") => {
                    integer(signed(self.bits(field), field.width.into()))
                }
                _ => {
                    let field = register.ok_or_else(|| Reason::Head(format!("`{name}` is no field")))?;
                    self.operand(field)?
                }
            };
            bound.insert(name, value);
        }
        Ok(())
    }

    /// Returns the operand that a field encodes.
    fn operand(&mut self, field: &'a FieldFacts) -> Result<Bound, Reason> {
        let value = self.bits(field);
        let is_output = self.form.body.outs.iter().any(|out| out == &field.name);
        let width = self.width(field)?;
        if is_output {
            return Ok(Bound::Destination(self.destination(&field.ty, value, width)));
        }
        if field.ty.starts_with("UImm") && field.width < 32 {
            return Ok(integer(value.into()));
        }
        self.source(field, value, width).map(Bound::Source)
    }

    /// Returns the only source that is a field of a position: `b`, of any kind.
    pub fn source_at(&mut self, letter: char) -> Option<OperandSource> {
        let field = ["r", "ur", "v"].into_iter().find_map(|kind| self.field(&format!("{kind}{letter}")))?;
        match self.operand(field).ok()? {
            Bound::Source(source) => Some(source),
            _ => None,
        }
    }

    /// Returns the location of the destination `rd`.
    pub fn destination_at(&mut self, name: &str) -> Option<Location> {
        match self.operand(self.field(name)?).ok()? {
            Bound::Destination(destination) => destination.words.first().copied().flatten(),
            _ => None,
        }
    }

    /// Returns the guard. `None` if the form has none.
    pub fn guard(&mut self) -> Option<OperandSource> {
        let field = self.form.body.order.first().and_then(|name| self.field(name))?;
        Register::of(&field.ty).filter(|register| register.is_predicate())?;
        self.source(field, self.bits(field), 1).ok()
    }

    fn width(&self, field: &FieldFacts) -> Result<u64, Reason> {
        if Register::of(&field.ty).is_some_and(Register::is_predicate) {
            return Ok(1);
        }
        let Some(text) = self.form.body.bitwidths.get(&field.name) else { return Ok(WORD) };
        let modifier = |name: &str| self.modifier(name);
        width::evaluate(text, &modifier)
            .ok_or(Reason::NoOperand("the width of an operand cannot be computed"))
    }

    fn source(&mut self, field: &FieldFacts, value: u32, width: u64) -> Result<OperandSource, Reason> {
        let words = width.div_ceil(WORD);
        let is_literal = field.ty.contains("Imm");
        let kind = match Register::of(&field.ty) {
            Some(register) if register.is_predicate() => SourceKind::Predicate,
            _ if self.is_float => SourceKind::Float,
            None if field.ty.starts_with('S') && is_literal && self.literals_are_signed() => {
                SourceKind::Signed
            }
            // E159: the first operand is signed, and its sign covers the second.
            Some(_)
                if field.name == "ura"
                    && self.form.optype == "UPRMT"
                    && self.edition.rules().of(159) == 1 =>
            {
                SourceKind::Signed
            }
            _ => SourceKind::Pattern,
        };
        let mut words = match (field.ty.as_str(), Register::of(&field.ty)) {
            (_, Some(register)) => {
                let input = |word| self.input(register.at(value, word), register.constant());
                (0..words).map(input).collect()
            }
            ("CMem", _) => (0..words).map(|word| self.input(constant(value, word), 0)).collect(),
            ("SReg", _) => self.special(value)?,
            _ if is_literal => vec![Word::Constant(value)],
            _ => return Err(Reason::NoOperand("the type of an operand is not known")),
        };
        let register = Register::of(&field.ty).and_then(|register| register.at(value, 0));
        let prefixes = self.prefixes(&field.name, kind);
        // E111 = 1: the addend of 64 bits has its low word only, before its prefix.
        if self.form.optype == "UIMAD_WIDE" && field.name == "vc" && words.len() == 1 {
            words.push(Word::Constant(0));
        }
        let has_more = words.len() as u64 > width.div_ceil(WORD);
        let width = if has_more { WORD * words.len() as u64 } else { width };
        Ok(OperandSource { words, register, width, kind, prefixes })
    }

    /// E023 and E100: a signed immediate counts as a signed integer, or as its pattern.
    fn literals_are_signed(&self) -> bool {
        let rules = self.edition.rules();
        match self.form.optype.as_str() {
            "UIADD" | "UIMAD" => rules.of(100) == 1,
            _ => rules.of(23) == 2,
        }
    }

    fn prefixes(&self, operand: &str, kind: SourceKind) -> Prefixes {
        Prefixes {
            minus: self.flag(operand, "neg").then(|| self.minus()),
            absolute: self.flag(operand, "abs"),
            complement: match kind {
                SourceKind::Predicate => self.flag(operand, "not"),
                _ => self.flag(operand, "bitnot"),
            },
        }
    }

    /// Returns the meaning of a minus before an integer (E099, E103, E105, E126).
    fn minus(&self) -> Minus {
        let rules = self.edition.rules();
        let is_extended = self.modifier("ext").is_some_and(|ext| &*ext == "X");
        let extended = |erratum| if rules.of(erratum) == 2 { Minus::Complement } else { Minus::Pattern };
        match (self.form.optype.as_str(), is_extended) {
            ("UIADD", true) => extended(99),
            ("UIMAD" | "UIMAD_WIDE", true) => extended(105),
            ("ULEA", true) => extended(126),
            ("UIMAD" | "UIMAD_WIDE", false) => match rules.of(103) {
                1 => Minus::Integer,
                2 => Minus::Pattern,
                _ => Minus::ComplementPlusOne,
            },
            _ => Minus::Pattern,
        }
    }

    fn destination(&mut self, ty: &str, value: u32, width: u64) -> Destination {
        let register = Register::of(ty);
        let kind = match register {
            Some(register) if register.is_predicate() => SourceKind::Predicate,
            _ if self.is_float => SourceKind::Float,
            _ => SourceKind::Pattern,
        };
        let at = |word| register.and_then(|register| register.at(value, word));
        let words: Vec<Option<Location>> = (0..width.div_ceil(WORD)).map(at).collect();
        let constant = register.map_or(0, Register::constant);
        let old = words.iter().map(|word| self.input(*word, constant)).collect();
        Destination { words, old, width, kind }
    }

    /// Returns the words of a special register. The high word of a register of 64 bits is that of
    /// another register (E066, E067).
    fn special(&mut self, code: u32) -> Result<Vec<Word>, Reason> {
        let is_wide = self
            .form
            .body
            .outs
            .iter()
            .any(|out| self.form.body.bitwidths.get(out).is_some_and(|width| width.trim() == "64"));
        if is_wide && self.edition.rules().of(66) == 1 {
            return Err(Reason::NoWideRegister);
        }
        let low = self.input(self.codes.special(code), 0);
        let high = is_wide.then(|| self.input(self.codes.special_high(code), 0));
        Ok(std::iter::once(low).chain(high).collect())
    }

    /// Returns the word of a location, or a constant if there is no such location (E010).
    pub(super) fn input(&mut self, location: Option<Location>, constant: u32) -> Word {
        let Some(location) = location else { return Word::Constant(constant) };
        let known = self.inputs.iter().position(|known| *known == location);
        Word::Input(known.unwrap_or_else(|| {
            self.inputs.push(location);
            self.inputs.len() - 1
        }))
    }
}

/// Returns the location of a word of constant memory: an offset, and the bank above it (E015).
fn constant(value: u32, word: u64) -> Option<Location> {
    let offset = (value & ((1 << OFFSET_BITS) - 1)).checked_add(4 * u32::try_from(word).ok()?)?;
    (offset >> OFFSET_BITS == 0).then_some(Location::C { bank: (value >> OFFSET_BITS) as u8, offset })
}

fn integer(value: i128) -> Bound {
    Bound::Constant(Value::Int(Int::Small(value)))
}

/// Returns the lowest bits of a value as an integer in two's complement.
fn signed(value: u32, width: u32) -> i128 {
    let shift = 32 - width;
    (((value << shift) as i32) >> shift).into()
}

fn no_name() -> Reason {
    Reason::Head("an operand has no name".to_owned())
}
