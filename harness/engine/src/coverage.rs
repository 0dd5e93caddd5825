//! Coverage bins: what a campaign should have exercised, derived from the rows, and what it did.
//!
//! A bin is one fact about a case: a form with a value of one of its modifiers, with an attribute of an
//! operand on or off, with a class of value in an operand or in the result, with its guard true or false,
//! with the zero register or with one register twice. Only bins that the scope can reach exist.

use std::collections::BTreeMap;

use assay_isa::effect::Lanes;
use assay_isa::format::{F32, F64_HIGH, Format};
use assay_isa::row::FieldType;
use assay_isa::tables::types::MUFUDType;
use assay_isa::truth::{Truth, TruthValues};
use assay_isa::{Batch, Effects, Form, Instruction, Source, Truths, legality};
use serde::{Deserialize, Serialize};

use crate::generate::Scope;

/// Value classes in the order of [`class_of`].
pub const VALUE_CLASSES: [&str; 12] = [
    "+zero",
    "+subnormal",
    "+normal",
    "+infinity",
    "+quiet NaN",
    "+signalling NaN",
    "-zero",
    "-subnormal",
    "-normal",
    "-infinity",
    "-quiet NaN",
    "-signalling NaN",
];

/// Classes that a result can have: NaN results are the one canonical NaN.
const RESULT_CLASSES: [usize; 9] = [0, 1, 2, 3, 4, 6, 7, 8, 9];

/// Index into [`VALUE_CLASSES`] of a pattern.
#[inline]
pub fn class_of(format: Format, bits: u32) -> usize {
    let fraction = bits & format.fraction_mask();
    let exponent = format.exponent_field(bits);
    let kind = if exponent == (1 << format.exponent_bits) - 1 {
        match fraction {
            0 => 3,
            _ => 5 - (fraction >> (format.fraction_bits - 1)) as usize,
        }
    } else if exponent == 0 {
        usize::from(fraction != 0)
    } else {
        2
    };
    kind + 6 * usize::from(format.is_negative(bits))
}

/// The float format of an instruction's operands.
pub fn format_of(instruction: &Instruction) -> Format {
    match instruction.modifier("dtype") {
        Some(MUFUDType::F64) => F64_HIGH,
        _ => F32,
    }
}

/// Bins hit, one bit each, in the order of [`Bins`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage(Vec<u64>);

impl Coverage {
    /// Marks a bin.
    pub fn hit(&mut self, bin: usize) {
        if self.0.len() <= bin / 64 {
            self.0.resize(bin / 64 + 1, 0);
        }
        self.0[bin / 64] |= 1 << (bin % 64);
    }

    /// Whether a bin was hit.
    pub fn contains(&self, bin: usize) -> bool {
        self.0.get(bin / 64).is_some_and(|word| word >> (bin % 64) & 1 == 1)
    }

    /// Adds the bins of another.
    pub fn merge(&mut self, other: &Coverage) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine |= theirs;
        }
    }
}

impl Serialize for Coverage {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let end = self.0.iter().rposition(|word| *word != 0).map_or(0, |last| last + 1);
        s.collect_str(&self.0[..end].iter().map(|word| format!("{word:016x}")).collect::<String>())
    }
}

impl<'de> Deserialize<'de> for Coverage {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        use serde::de::Error;
        let text = String::deserialize(d)?;
        if !text.is_ascii() || text.len() % 16 != 0 {
            return Err(D::Error::custom("coverage is not a string of 16-digit hexadecimal words"));
        }
        let words = (0..text.len() / 16).map(|i| u64::from_str_radix(&text[16 * i..16 * i + 16], 16));
        words.collect::<Result<_, _>>().map(Coverage).map_err(D::Error::custom)
    }
}

/// The bins of one form: where each kind of fact begins.
#[derive(Clone, Debug)]
struct FormBins {
    /// Position of a field, and the bin of each of its values that the scope reaches.
    values: Vec<(usize, Vec<Option<usize>>)>,
    /// First of the class bins of each input.
    inputs: Vec<usize>,
    /// Bin of each class of the result.
    result: Vec<Option<usize>>,
    /// Guard false, then true.
    guard: usize,
    zero_register: Option<usize>,
    repeated: Option<usize>,
}

/// All bins of a scope.
#[derive(Clone, Debug)]
pub struct Bins {
    names: Vec<String>,
    forms: BTreeMap<&'static str, FormBins>,
}

impl Bins {
    /// The bins that a scope can reach.
    pub fn of(scope: &Scope) -> Bins {
        let mut modes: BTreeMap<&'static str, Vec<&Instruction>> = BTreeMap::new();
        for mode in scope.modes() {
            modes.entry(mode.form().name).or_default().push(mode);
        }
        let mut bins = Bins { names: Vec::new(), forms: BTreeMap::new() };
        for (name, modes) in modes {
            let form = bins.form(modes[0].form(), &modes);
            bins.forms.insert(name, form);
        }
        bins
    }

    fn add(&mut self, form: &Form, fact: String) -> usize {
        self.names.push(format!("{} {fact}", form.name));
        self.names.len() - 1
    }

    fn form(&mut self, form: &'static Form, modes: &[&Instruction]) -> FormBins {
        let mut values = Vec::new();
        for (position, field) in form.fields.iter().enumerate() {
            let FieldType::Enum(e) = field.ty else { continue };
            let free = modes.iter().any(|m| legality::permits(m, field.name));
            if field.constraint.is_some() || field.operand() == form.guard() || !free {
                continue;
            }
            let is_attribute = form.is_operand(field);
            let reached = |v: usize| is_attribute || modes.iter().any(|m| m.values()[position] == v as u32);
            let list = e.values.iter().enumerate();
            let bins = list.map(|(v, n)| reached(v).then(|| self.add(form, format!("{} {n}", field.name))));
            values.push((position, bins.collect()));
        }
        let mut inputs = Vec::new();
        for name in form.inputs() {
            inputs.push(self.names.len());
            for class in VALUE_CLASSES {
                self.add(form, format!("{name} is {class}"));
            }
        }
        let mut result = vec![None; VALUE_CLASSES.len()];
        for class in RESULT_CLASSES {
            result[class] = Some(self.add(form, format!("result is {}", VALUE_CLASSES[class])));
        }
        let guard = self.add(form, "guard is false".into());
        self.add(form, "guard is true".into());
        let of_type =
            |ty: FieldType| form.inputs().filter(|i| form.field(i).is_some_and(|f| f.ty == ty)).count();
        let registers = of_type(FieldType::Reg);
        let zero_register = (registers + of_type(FieldType::UReg) > 0)
            .then(|| self.add(form, "reads the zero register".into()));
        let repeated = (registers > 1).then(|| self.add(form, "reads one register twice".into()));
        FormBins { values, inputs, result, guard, zero_register, repeated }
    }

    /// Number of bins.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no bin.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Share of the bins that are hit, 0 to 1.
    pub fn share(&self, coverage: &Coverage) -> f64 {
        let hit = (0..self.len()).filter(|bin| coverage.contains(*bin)).count();
        hit as f64 / self.len().max(1) as f64
    }

    /// Names of the bins that were not hit.
    pub fn missed<'a>(&'a self, coverage: &'a Coverage) -> impl Iterator<Item = &'a str> {
        let bins = self.names.iter().enumerate();
        bins.filter(|(bin, _)| !coverage.contains(*bin)).map(|(_, name)| name.as_str())
    }

    /// Marks what a batch exercised. Only lanes that must write a result exercise anything but the guard.
    pub fn mark(
        &self,
        instruction: &Instruction,
        batch: &Batch,
        truths: &Truths,
        effects: &Effects,
        coverage: &mut Coverage,
    ) {
        let Some(bins) = self.forms.get(instruction.form().name) else { return };
        self.mark_guard(bins, instruction, batch, coverage);
        for truth in truths.columns() {
            let lanes: Vec<usize> = match &truth.written {
                Lanes::All => Vec::new(),
                Lanes::Some(written) => (0..batch.len()).filter(|lane| written[*lane]).collect(),
            };
            let lanes = Exercised { all: truth.written == Lanes::All, some: lanes };
            if lanes.all || !lanes.some.is_empty() {
                self.mark_lanes(bins, instruction, batch, &lanes, coverage);
                self.mark_results(bins, instruction, truth, effects, &lanes, coverage);
            }
        }
    }

    fn mark_lanes(
        &self,
        bins: &FormBins,
        instruction: &Instruction,
        batch: &Batch,
        lanes: &Exercised,
        coverage: &mut Coverage,
    ) {
        for (position, list) in &bins.values {
            if let Some(bin) = list[instruction.values()[*position] as usize] {
                coverage.hit(bin);
            }
        }
        let format = format_of(instruction);
        for (operand, base) in instruction.inputs().zip(&bins.inputs) {
            let column = operand.source.location().and_then(|l| batch.column(l));
            let seen = match (operand.source, column) {
                (Source::Imm(bits), _) => 1 << class_of(format, bits),
                (_, Some(values)) => lanes.classes(format, values),
                (_, None) => 0,
            };
            bits(seen).for_each(|class| coverage.hit(base + class));
        }
        self.mark_registers(bins, instruction, coverage);
    }

    /// The class of what must be written, or where a bound decides, of what was.
    fn mark_results(
        &self,
        bins: &FormBins,
        instruction: &Instruction,
        truth: &Truth,
        effects: &Effects,
        lanes: &Exercised,
        coverage: &mut Coverage,
    ) {
        let written = effects.columns().iter().rev().find(|c| c.location == truth.location);
        let values = match (&truth.values, written) {
            (TruthValues::Bits(values), _) => values,
            (TruthValues::Reals { .. }, Some(writes)) => &writes.values,
            (TruthValues::Reals { .. }, None) => return,
        };
        let seen = lanes.classes(format_of(instruction), values);
        bits(seen).filter_map(|class| bins.result[class]).for_each(|bin| coverage.hit(bin));
    }

    fn mark_guard(&self, bins: &FormBins, instruction: &Instruction, batch: &Batch, coverage: &mut Coverage) {
        let guard = instruction.guard();
        let column = guard.source.location().and_then(|l| batch.column(l));
        for truth in [false, true] {
            let raw = u32::from(truth != guard.not);
            if column.map_or(raw == 1, |values| values.contains(&raw)) {
                coverage.hit(bins.guard + usize::from(truth));
            }
        }
    }

    fn mark_registers(&self, bins: &FormBins, instruction: &Instruction, coverage: &mut Coverage) {
        let registers: Vec<Source> = instruction
            .inputs()
            .map(|o| o.source)
            .filter(|s| matches!(s, Source::Reg(_) | Source::UReg(_)))
            .collect();
        if let Some(bin) = bins.zero_register
            && registers.iter().any(|r| r.location().is_none())
        {
            coverage.hit(bin);
        }
        if let Some(bin) = bins.repeated
            && registers.iter().enumerate().any(|(i, r)| r.location().is_some() && registers[..i].contains(r))
        {
            coverage.hit(bin);
        }
    }
}

/// The lanes of a batch that must write a result.
struct Exercised {
    all: bool,
    /// Which, where it is not all.
    some: Vec<usize>,
}

impl Exercised {
    /// Set of the classes that a column has in these lanes.
    fn classes(&self, format: Format, values: &[u32]) -> u32 {
        let add = |seen: u32, value: u32| seen | 1 << class_of(format, value);
        match self.all {
            true => values.iter().fold(0, |seen, value| add(seen, *value)),
            false => self.some.iter().fold(0, |seen, lane| add(seen, values[*lane])),
        }
    }
}

fn bits(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_tell_values_apart() {
        for (bits, class) in [
            (0, "+zero"),
            (0x8000_0000, "-zero"),
            (1, "+subnormal"),
            (0x807f_ffff, "-subnormal"),
            (0x0080_0000, "+normal"),
            (0xff7f_ffff, "-normal"),
            (0x7f80_0000, "+infinity"),
            (0x7fff_ffff, "+quiet NaN"),
            (0xffbf_ffff, "-signalling NaN"),
        ] {
            assert_eq!(VALUE_CLASSES[class_of(F32, bits)], class, "{bits:#x}");
        }
    }

    #[test]
    fn coverage_survives_a_round_trip_and_merges() {
        let (mut a, mut b) = (Coverage::default(), Coverage::default());
        a.hit(3);
        b.hit(200);
        a.merge(&b);
        assert!(a.contains(3) && a.contains(200) && !a.contains(4));
        let text = serde_json::to_string(&a).unwrap();
        assert_eq!(serde_json::from_str::<Coverage>(&text).unwrap(), a);
        assert!(serde_json::from_str::<Coverage>("\"12\"").is_err());
    }
}
