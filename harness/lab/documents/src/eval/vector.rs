//! Binds the names of an instruction that is an operand stream (BFN): vectors of channels.

use std::collections::BTreeMap;

use assay_isa::Location;

use super::bind::{Binder, Bound};
use super::integer::Int;
use super::program::{Channels, Enabled, Word};
use super::stop::Reason;
use super::value::Value;
use crate::facts::{BitsFacts, StreamFacts, ValueFacts};

/// Number of bits of an immediate source.
const IMMEDIATE: u64 = 16;

/// The operands of a stream, as numbers. The document gives no codes of types and predicates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamOperands {
    /// The byte of size and mask.
    pub size: u32,
    /// The predicate, and whether it is negated.
    pub predicate: Option<(u8, bool)>,
    /// The variable of the destination.
    pub destination: u8,
    /// The sources: a variable, or an immediate of 16 bits.
    pub sources: Vec<StreamSource>,
    /// The byte that controls the function.
    pub control: u32,
    /// The type of all operands (E086), such as `UD`.
    pub ty: String,
}

/// A source of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamSource {
    /// A variable.
    Variable(u8),
    /// An immediate.
    Immediate(u16),
}

impl Binder<'_> {
    /// Binds the parts of a stream: each by its name, in small letters or as it is written.
    pub(super) fn stream(
        &mut self,
        stream: &StreamFacts,
        operands: &StreamOperands,
    ) -> Result<BTreeMap<String, Bound>, Reason> {
        let width = if operands.ty.ends_with('W') { 16 } else { 32 };
        let parts = Parts::new(stream, operands.size)?;
        let mut bound = BTreeMap::new();
        let number = |value: u32| Bound::Constant(Value::from(value));
        bound.insert("CHANNEL_SIZE_IN_BITS".to_owned(), number(width as u32));
        bound.insert("ChEn".to_owned(), Bound::Enabled(self.enabled(&parts, operands.predicate)));
        let destination = self.channels(&parts, operands.destination, width, true);
        bound.insert("dst.chan".to_owned(), Bound::Channels(destination));
        for (index, source) in operands.sources.iter().enumerate() {
            let channels = match source {
                StreamSource::Variable(variable) => self.channels(&parts, *variable, width, false),
                StreamSource::Immediate(bits) => {
                    let bits = self.extended(*bits, &operands.ty, width);
                    Channels { words: vec![Word::Constant(bits); parts.count], locations: Vec::new(), width }
                }
            };
            bound.insert(format!("src{index}.chan"), Bound::Channels(channels));
        }
        for field in &stream.fields {
            match field.name.as_str() {
                name if !field.bits.is_empty() => {
                    bound.insert(name.to_ascii_lowercase(), number(operands.size))
                }
                name if field.classes.is_empty() && field.ty == "ub" => {
                    bound.insert(name.to_owned(), number(operands.control))
                }
                _ => None,
            };
        }
        Ok(bound)
    }

    /// E087: an immediate of 16 bits is extended by zeros, by its sign, or as the type says.
    fn extended(&self, bits: u16, ty: &str, width: u64) -> u32 {
        let value = Int::from(u32::from(bits));
        let is_signed = match self.edition.rules().of(87) {
            1 => false,
            2 => true,
            _ => !ty.starts_with('U'),
        };
        let value = if is_signed { value.low_signed(IMMEDIATE) } else { value };
        value.low_bits(width).word(0)
    }

    fn channels(&mut self, parts: &Parts, variable: u8, width: u64, is_output: bool) -> Channels {
        let location = |channel| Location::Var { variable, channel };
        let locations: Vec<Location> = (0..parts.count as u8).map(location).collect();
        if is_output {
            return Channels { words: vec![Word::Constant(0); parts.count], locations, width };
        }
        let words = locations.iter().map(|location| self.input(Some(*location), 0)).collect();
        Channels { words, locations: Vec::new(), width }
    }

    /// A channel is enabled if it was dispatched, and if the predicate has its bit (E084, E085).
    fn enabled(&mut self, parts: &Parts, predicate: Option<(u8, bool)>) -> Enabled {
        let mask = Some(Location::DispatchMask).filter(|_| !parts.ignores_dispatch);
        let dispatched = self.input(mask, u32::MAX);
        let predicate = predicate.filter(|_| self.edition.rules().of(84) == 1);
        let predicate = predicate.map(|(number, not)| (self.input(Some(Location::Flags(number)), 0), not));
        Enabled { dispatched, predicate, first: parts.first, count: parts.count }
    }
}

/// The meaning of the byte of size and mask.
struct Parts {
    /// Number of channels.
    count: usize,
    /// The first channel of the masks.
    first: u32,
    ignores_dispatch: bool,
}

impl Parts {
    /// Reads the byte by the document's lists of values.
    fn new(stream: &StreamFacts, byte: u32) -> Result<Parts, Reason> {
        const UNKNOWN: Reason = Reason::NoOperand("the byte of size and mask has no meaning");
        let groups: Vec<&BitsFacts> = stream.fields.iter().flat_map(|field| &field.bits).collect();
        let [size, mask] = groups.as_slice() else { return Err(UNKNOWN) };
        // E085: mask k begins at channel 4(k - 1).
        let name = &value(mask, byte).ok_or(UNKNOWN)?.name;
        let (number, ignores_dispatch) = match name.strip_suffix("_NM") {
            Some(number) => (number, true),
            None => (name.as_str(), false),
        };
        let number: u32 = number.strip_prefix('M').and_then(|k| k.parse().ok()).ok_or(UNKNOWN)?;
        let count = value(size, byte)
            .ok_or(UNKNOWN)?
            .name
            .parse()
            .ok()
            .filter(|count| (1..=32).contains(count))
            .ok_or(UNKNOWN)?;
        let first = number.checked_sub(1).filter(|k| *k < 8).ok_or(UNKNOWN)? * 4;
        Ok(Parts { count, first, ignores_dispatch })
    }
}

/// Returns the value that a group of bits has in a byte.
fn value(group: &BitsFacts, byte: u32) -> Option<&ValueFacts> {
    let width = group.hi.saturating_sub(group.lo).min(31) + 1;
    let bits = u64::from(byte.checked_shr(group.lo.into())?) & ((1 << width) - 1);
    group.values.iter().find(|value| value.value == bits)
}
