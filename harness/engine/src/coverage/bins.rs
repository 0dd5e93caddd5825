//! The bins of a scope: their names, and the marking of what a batch exercised.
//!
//! The classes of all operands and results of a form fit into 64 bits. So the bins of a form in one value of
//! one modifier are one word of the coverage, and a batch is marked with one `or` for each modifier.

use std::borrow::Cow;
use std::collections::BTreeMap;

use assay_isa::effect::Lanes;
use assay_isa::row::FieldType;
use assay_isa::truth::{Truth, TruthValues};
use assay_isa::{Batch, Form, Instruction, Readings, Source, Truths, legality};

use super::{Coverage, unreachable};
use crate::cells::{Place, places};
use crate::generate::Scope;
use crate::judge::rules;
use crate::kinds::Kind;

/// A named bin.
#[derive(Clone, Debug)]
struct Bin {
    name: String,
    /// Why no case hits it, if none does.
    unreachable: Option<&'static str>,
}

/// The operands of a form, each with the first of its bits in a block.
#[derive(Clone, Debug)]
struct Aspects {
    inputs: Vec<usize>,
    outputs: Vec<(&'static str, usize)>,
}

/// The bins of one form.
#[derive(Clone, Debug)]
struct FormBins {
    aspects: Aspects,
    /// Position of a modifier, and the block of each of its values that the scope reaches.
    modifiers: Vec<(usize, Vec<Option<usize>>)>,
    /// The block of a form that has no modifier.
    plain: Option<usize>,
    /// Position of an attribute, and the bins of its values.
    attributes: Vec<(usize, Vec<usize>)>,
    /// Guard false, then true.
    guard: [usize; 2],
    zero_register: Option<usize>,
    repeated: Option<usize>,
}

/// All bins of a scope.
#[derive(Clone, Debug)]
pub struct Bins {
    /// By position; a block that is not full leaves gaps.
    bins: Vec<Option<Bin>>,
    forms: BTreeMap<&'static str, FormBins>,
}

impl Bins {
    /// The bins of a scope. The readings decide which of them no case can hit.
    pub fn of(scope: &Scope, readings: &Readings) -> Bins {
        let mut modes: BTreeMap<&'static str, Vec<&Instruction>> = BTreeMap::new();
        for mode in scope.modes() {
            modes.entry(mode.form().name).or_default().push(mode);
        }
        let mut bins = Bins { bins: Vec::new(), forms: BTreeMap::new() };
        for (name, modes) in modes {
            let form = bins.form(modes[0].form(), &modes, readings);
            bins.forms.insert(name, form);
        }
        bins
    }

    /// Starts a new block and returns its index.
    fn block(&mut self) -> usize {
        self.bins.resize(self.bins.len().next_multiple_of(64), None);
        let block = self.bins.len() / 64;
        self.bins.resize(self.bins.len() + 64, None);
        block
    }

    /// Adds a bin outside any block.
    fn single(&mut self, form: &Form, fact: &str, unreachable: Option<&'static str>) -> usize {
        self.bins.push(Some(Bin { name: format!("{} {fact}", form.name), unreachable }));
        self.bins.len() - 1
    }

    fn form(&mut self, form: &'static Form, modes: &[&Instruction], readings: &Readings) -> FormBins {
        let aspects = aspects(form);
        let mut modifiers = Vec::new();
        let mut attributes = Vec::new();
        for (position, field) in form.fields.iter().enumerate() {
            let FieldType::Enum(e) = field.ty else { continue };
            let free = modes.iter().any(|m| legality::permits(m, field.name));
            if field.constraint.is_some() || field.operand() == form.guard() || !free {
                continue;
            }
            if form.is_operand(field) {
                attributes.push((position, field.name, e.values));
                continue;
            }
            let blocks = e.values.iter().zip(0u32..).map(|(value, index)| {
                let here: Vec<_> = modes.iter().copied().filter(|m| m.values()[position] == index).collect();
                (!here.is_empty()).then(|| self.crossed(&format!(" {} {value}", field.name), &here, readings))
            });
            modifiers.push((position, blocks.collect()));
        }
        let plain = modifiers.is_empty().then(|| self.crossed("", modes, readings));
        let no_case = modes.iter().map(|mode| unreachable::no_case(mode, readings)).min().flatten();
        let attributes = attributes.into_iter().map(|(position, name, values)| {
            let bin = |value| self.single(form, &format!("{name} {value}"), no_case);
            (position, values.iter().map(bin).collect())
        });
        let attributes = attributes.collect();
        let unguarded = modes.iter().all(|mode| !legality::permits(mode, form.guard()));
        let never = (unguarded || form.field(form.guard()).is_none()).then_some("it takes no guard");
        let guard = [("guard is false", never), ("guard is true", None)];
        let guard = guard.map(|(fact, never)| self.single(form, fact, never));
        let of_type = |ty: FieldType| {
            // What must begin at an even number, or is missing in some modes, is not counted.
            let plain =
                |i: &&str| modes.iter().all(|m| legality::has(m, i)) && modes[0].operand(i).words == 1;
            form.inputs().filter(plain).filter(|i| form.field(i).is_some_and(|f| f.ty == ty)).count()
        };
        let (general, uniform) = (of_type(FieldType::Reg), of_type(FieldType::UReg));
        let zero_register =
            (general + uniform > 0).then(|| self.single(form, "reads the zero register", no_case));
        let repeated =
            (general.max(uniform) > 1).then(|| self.single(form, "reads one register twice", no_case));
        FormBins { aspects, modifiers, plain, attributes, guard, zero_register, repeated }
    }

    /// A block: every class of every operand and result of some modes of a form.
    fn crossed(&mut self, context: &str, modes: &[&Instruction], readings: &Readings) -> usize {
        let block = self.block();
        let form = modes[0].form();
        let outputs = form.optype.outs.iter().copied();
        let mut bit = 64 * block;
        for (operand, verb) in form.inputs().map(|i| (i, "is")).chain(outputs.map(|o| (o, "becomes"))) {
            let kinds: Vec<Kind> = modes.iter().map(|mode| Kind::of(mode, operand)).collect();
            let widest =
                kinds.iter().max_by_key(|kind| kind.classes().len()).map_or(&[][..], |k| k.classes());
            for (index, class) in widest.iter().enumerate() {
                let here = modes.iter().zip(&kinds).filter(|(_, kind)| index < kind.classes().len());
                let reasons = here.map(|(mode, _)| match legality::has(mode, operand) {
                    true => unreachable::reason(mode, readings, verb == "becomes", class),
                    false => Some("the mode does not have the operand"),
                });
                let unreachable = reasons.min().flatten();
                let name = format!("{}{context}, {operand} {verb} {class}", form.name);
                self.bins[bit + index] = Some(Bin { name, unreachable });
            }
            bit += Kind::count_of(form, operand);
        }
        block
    }

    fn reachable(&self) -> impl Iterator<Item = (usize, &Bin)> {
        let bins = self.bins.iter().enumerate().filter_map(|(i, bin)| bin.as_ref().map(|bin| (i, bin)));
        bins.filter(|(_, bin)| bin.unreachable.is_none())
    }

    fn unreachable(&self) -> impl Iterator<Item = (usize, &Bin, &'static str)> {
        let bins = self.bins.iter().enumerate().filter_map(|(i, bin)| bin.as_ref().map(|bin| (i, bin)));
        bins.filter_map(|(i, bin)| bin.unreachable.map(|why| (i, bin, why)))
    }

    /// Number of bins that cases can hit.
    pub fn len(&self) -> usize {
        self.reachable().count()
    }

    /// Whether there is no bin.
    pub fn is_empty(&self) -> bool {
        self.bins.is_empty()
    }

    /// Share of the bins that are hit, 0 to 1.
    pub fn share(&self, coverage: &Coverage) -> f64 {
        let hit = self.reachable().filter(|(bin, _)| coverage.contains(*bin)).count();
        hit as f64 / self.len().max(1) as f64
    }

    /// Names of the bins that were not hit.
    pub fn missed<'a>(&'a self, coverage: &'a Coverage) -> impl Iterator<Item = &'a str> {
        self.reachable().filter(|(bin, _)| !coverage.contains(*bin)).map(|(_, bin)| bin.name.as_str())
    }

    /// Whether some bin of the form, in the values that a mode's modifiers have, was not hit.
    pub fn is_open(&self, mode: &Instruction, coverage: &Coverage) -> bool {
        let Some(form) = self.forms.get(mode.form().name) else { return false };
        let values = form.modifiers.iter().filter_map(|(i, blocks)| blocks[mode.values()[*i] as usize]);
        let blocks = values.chain(form.plain).flat_map(|block| 64 * block..64 * block + 64);
        let attributes = form.attributes.iter().flat_map(|(_, bins)| bins.iter().copied());
        let singles = attributes.chain(form.guard).chain(form.zero_register).chain(form.repeated);
        let is_missed = |bin: usize| {
            self.bins[bin].as_ref().is_some_and(|b| b.unreachable.is_none()) && !coverage.contains(bin)
        };
        blocks.chain(singles).any(is_missed)
    }

    /// How many bins no case can hit, by the reason.
    pub fn excluded(&self) -> BTreeMap<&'static str, usize> {
        let mut excluded = BTreeMap::new();
        for (_, _, why) in self.unreachable() {
            *excluded.entry(why).or_default() += 1;
        }
        excluded
    }

    /// Names of the bins that were hit although no case should: the reason given for them is wrong, or the
    /// oracle is.
    pub fn impossible<'a>(&'a self, coverage: &'a Coverage) -> impl Iterator<Item = &'a str> {
        self.unreachable().filter(|(bin, ..)| coverage.contains(*bin)).map(|(_, bin, _)| bin.name.as_str())
    }

    /// Marks what a batch exercised. Only lanes that must write a result exercise anything but the guard.
    pub fn mark(&self, instruction: &Instruction, batch: &Batch, truths: &Truths, coverage: &mut Coverage) {
        let Some(bins) = self.forms.get(instruction.form().name) else { return };
        mark_guard(bins, instruction, batch, coverage);
        let Some(lanes) = Exercised::of(batch, truths) else { return };
        let mut seen = inputs_seen(bins, instruction, batch, &lanes);
        for truth in truths.columns() {
            seen |= results_seen(bins, instruction, truth, &lanes);
        }
        for (position, blocks) in &bins.modifiers {
            if let Some(block) = blocks[instruction.values()[*position] as usize] {
                coverage.hit_block(block, seen);
            }
        }
        if let Some(block) = bins.plain {
            coverage.hit_block(block, seen);
        }
        for (position, values) in &bins.attributes {
            coverage.hit(values[instruction.values()[*position] as usize]);
        }
        mark_registers(bins, instruction, coverage);
    }
}

fn aspects(form: &'static Form) -> Aspects {
    let mut next = 0;
    let mut place = |operand: &str| {
        let first = next;
        next += Kind::count_of(form, operand);
        first
    };
    let inputs = form.inputs().map(&mut place).collect();
    let outputs = form.optype.outs.iter().map(|out| (*out, place(out))).collect();
    assert!(next <= 64, "{} has more classes than fit a block", form.name);
    Aspects { inputs, outputs }
}

/// Bits of the classes that the inputs have, each word of a wide one.
fn inputs_seen(bins: &FormBins, instruction: &Instruction, batch: &Batch, lanes: &Exercised) -> u64 {
    let mut seen = 0;
    let inputs = instruction.form().inputs().zip(&bins.aspects.inputs);
    for (name, first) in inputs.filter(|(name, _)| legality::has(instruction, name)) {
        let kind = Kind::of(instruction, name);
        for place in places(instruction.operand(name)) {
            seen |= match place {
                Place::Literal(bits) => kind.class_set([bits]),
                Place::At(location) => batch.column(location).map_or(0, |column| lanes.classes(kind, column)),
                Place::Nowhere => 0,
            } << first;
        }
    }
    seen
}

/// Bits of the classes of what must be written, a real number being the correctly rounded one.
fn results_seen(bins: &FormBins, instruction: &Instruction, truth: &Truth, lanes: &Exercised) -> u64 {
    let values = match &truth.values {
        TruthValues::Bits(values) => Cow::from(values),
        TruthValues::Reals { .. } => Cow::from(rules::nearest(truth)),
    };
    let is_here = |name: &str| {
        let operand = instruction.operand(name);
        let decided = operand.source.location().is_none() && instruction.access().is_some_and(|a| a.writes);
        operand.locations().any(|l| l == truth.location)
            || decided && instruction.access().is_some_and(|a| a.reaches(truth.location))
    };
    let outputs = bins.aspects.outputs.iter().filter(|(name, _)| is_here(name));
    outputs.fold(0, |seen, (name, first)| {
        seen | lanes.written_classes(Kind::of(instruction, name), &values, &truth.written) << first
    })
}

fn mark_guard(bins: &FormBins, instruction: &Instruction, batch: &Batch, coverage: &mut Coverage) {
    let guard = instruction.guard();
    let column = guard.source.location().and_then(|l| batch.column(l));
    for truth in [false, true] {
        let raw = u32::from(truth != guard.not);
        if column.map_or(raw == 1, |values| values.contains(&raw)) {
            coverage.hit(bins.guard[usize::from(truth)]);
        }
    }
}

fn mark_registers(bins: &FormBins, instruction: &Instruction, coverage: &mut Coverage) {
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

/// The lanes of a batch in which something must happen: a write, or an event.
struct Exercised {
    all: bool,
    /// Which, where it is not all.
    some: Vec<usize>,
}

impl Exercised {
    /// Those of a batch; none where nothing happens.
    fn of(batch: &Batch, truths: &Truths) -> Option<Exercised> {
        let open = truths.undefined();
        if open.is_empty() && truths.columns().iter().any(|truth| truth.written == Lanes::All) {
            return Some(Exercised { all: true, some: Vec::new() });
        }
        let mut happens = vec![false; batch.len()];
        for truth in truths.columns() {
            happens
                .iter_mut()
                .enumerate()
                .for_each(|(lane, happens)| *happens |= truth.written.contains(lane));
        }
        truths.events().iter().for_each(|(lane, _)| happens[*lane] = true);
        open.iter().for_each(|(lane, _)| happens[*lane] = false);
        let some: Vec<_> = (0..batch.len()).filter(|lane| happens[*lane]).collect();
        (!some.is_empty()).then_some(Exercised { all: false, some })
    }

    /// Set of the classes that a column has in these lanes.
    fn classes(&self, kind: Kind, values: &[u32]) -> u64 {
        self.written_classes(kind, values, &Lanes::All)
    }

    /// Set of the classes that a column has in those of these lanes that write it.
    fn written_classes(&self, kind: Kind, values: &[u32], written: &Lanes) -> u64 {
        match (self.all, written) {
            (true, Lanes::All) => kind.class_set(values.iter().copied()),
            (true, Lanes::Some(written)) => {
                let lanes = values.iter().zip(written).filter(|(_, written)| **written);
                kind.class_set(lanes.map(|(value, _)| *value))
            }
            (false, written) => {
                let lanes = self.some.iter().filter(|lane| written.contains(**lane));
                kind.class_set(lanes.map(|lane| values[*lane]))
            }
        }
    }
}
