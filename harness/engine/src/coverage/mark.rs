//! Marks the bins that a batch exercised.
//!
//! The plain bins of a batch take one pass over each column. For the crossed bins, each lane is
//! described by a word: one bit for each class of each operand and result. A matrix has a row for
//! each class of an operand. The row is the set of all classes that some lane combined with that
//! class. So a batch costs one `or` per lane and operand, whatever the number of bins.

use std::borrow::Cow;

use assay_isa::effect::Lanes;
use assay_isa::format::F32;
use assay_isa::truth::{Truth, TruthValues};
use assay_isa::{Batch, Instruction, Operand, Source, Truths, legality};

use super::Coverage;
use super::bins::{Bins, Depth, FormBins, Marks};
use super::borders;
use super::exact::{Arithmetic, LaneBins};
use super::group::RegisterChoice;
use super::topic::Topic;
use crate::compare::judge::rules;
use crate::generate::ends;
use crate::operands::operand_kinds::{FLOATS, OperandKind, is_normal};
use crate::operands::operand_words::{WordPlace, places};

impl Bins {
    /// Marks the bins of a batch. If a lane is undefined, or must write nothing and raise no event,
    /// it exercises only the guard.
    pub fn mark(&self, instruction: &Instruction, batch: &Batch, truths: &Truths, coverage: &mut Coverage) {
        let Some((bins, lanes)) = self.mark_plain(instruction, batch, truths, coverage) else { return };
        match self.depth {
            Depth::Plain => {}
            Depth::Suite => {
                if !bins.alone.is_empty() {
                    mark_alone(bins, instruction, &words(bins, instruction, batch, truths, &lanes), coverage);
                }
                let is_exercised = |lane| lanes.0.contains(lane);
                borders::mark((self, bins), instruction, batch, is_exercised, coverage);
            }
            Depth::Crossed => {
                mark_crossed(bins, instruction, batch, truths, &lanes, coverage);
                mark_ends(bins, instruction, coverage);
            }
        }
    }

    /// Marks the bins of a batch that cost little: plain bins, pairs of modifiers, and register
    /// choices.
    pub fn mark_cheaply(
        &self,
        instruction: &Instruction,
        batch: &Batch,
        truths: &Truths,
        coverage: &mut Coverage,
    ) {
        self.mark_plain(instruction, batch, truths, coverage);
    }

    fn mark_plain(
        &self,
        instruction: &Instruction,
        batch: &Batch,
        truths: &Truths,
        coverage: &mut Coverage,
    ) -> Option<(&FormBins, Exercised)> {
        let bins = self.form(instruction.form())?;
        mark_guard(bins, instruction, batch, coverage);
        let lanes = Exercised::of(batch, truths)?;
        let mut seen = inputs_seen(bins, instruction, batch, &lanes);
        for truth in truths.columns() {
            seen |= results_seen(bins, instruction, truth, &lanes);
        }
        for marks in bins.slots.iter().filter_map(|slot| slot.marks(instruction)) {
            coverage.hit_block(marks.block, seen & self.present[marks.block]);
        }
        for (_, block) in bins.held.iter().filter(|(held, _)| holds(bins, instruction, *held)) {
            coverage.hit_block(*block, seen & self.present[*block]);
        }
        for (position, first) in &bins.attributes {
            coverage.hit(first + instruction.values()[*position] as usize);
        }
        mark_registers(bins, instruction, coverage);
        Some((bins, lanes))
    }
}

/// Whether the operands of an instruction fit a register choice.
fn holds(bins: &FormBins, instruction: &Instruction, held: RegisterChoice) -> bool {
    let source = |aspect: usize| instruction.operand(bins.aspects[aspect].operand).source;
    match held {
        RegisterChoice::Zero(a) => source(a).location().is_none(),
        RegisterChoice::Same(a, b) => source(a).location().is_some() && source(a) == source(b),
    }
}

/// Marks the bins of classes that occur together in a lane, and the bins of exact numbers.
fn mark_crossed(
    bins: &FormBins,
    instruction: &Instruction,
    batch: &Batch,
    truths: &Truths,
    lanes: &Exercised,
    coverage: &mut Coverage,
) {
    let words = words(bins, instruction, batch, truths, lanes);
    let met = SeenTogether::of(bins, &words);
    let mut met_triples: Vec<(&[usize], Vec<u64>)> = Vec::new();
    for marks in bins.slots.iter().filter_map(|slot| slot.marks(instruction)) {
        for (crossed, first) in &marks.crosses {
            match crossed[..] {
                [a, b] => met.pairs(bins, a, b, *first, coverage),
                [a, b, c] => {
                    // The triples of operands are the same for every modifier, so they are computed
                    // once.
                    let known = met_triples.iter().position(|(known, _)| known == crossed);
                    let index = known.unwrap_or_else(|| {
                        met_triples.push((crossed, triples(bins, &words, [a, b, c])));
                        met_triples.len() - 1
                    });
                    let number = bins.aspects[c].classes.len();
                    for (row, seen) in met_triples[index].1.iter().enumerate() {
                        coverage.hit_from(first + row * number, *seen);
                    }
                }
                _ => unreachable!("two aspects are crossed, or three"),
            }
        }
        if !marks.exact.is_empty() {
            mark_exact((bins, marks), instruction, batch, &words, coverage);
        }
    }
}

/// Marks the bins of [`Topic::Alone`]: in a lane, one float operand is special and the others are
/// normal numbers.
fn mark_alone(bins: &FormBins, instruction: &Instruction, words: &[u64], coverage: &mut Coverage) {
    let class = |word: u64, aspect: usize| {
        let set = word >> bins.aspects[aspect].first & ((1 << FLOATS.len()) - 1);
        (set != 0).then(|| set.trailing_zeros() as usize)
    };
    for word in words {
        // An operand without a value, such as the zero register, has no class. Lanes with such an
        // operand hit no bin.
        let classes: Option<Vec<usize>> = bins.alone.iter().map(|aspect| class(*word, *aspect)).collect();
        let Some(classes) = classes else { continue };
        let mut special = classes.iter().enumerate().filter(|(_, class)| !is_normal(**class));
        if let (Some((place, class)), None) = (special.next(), special.next()) {
            let slots = bins.slots.iter().filter_map(|slot| slot.marks(instruction)?.alone);
            slots.for_each(|first| coverage.hit(first + place * FLOATS.len() + class));
        }
    }
}

/// Returns for each lane the set of classes of its operands and results. The set is empty if the
/// lane is not exercised.
fn words(
    bins: &FormBins,
    instruction: &Instruction,
    batch: &Batch,
    truths: &Truths,
    lanes: &Exercised,
) -> Vec<u64> {
    let mut words = vec![0; batch.len()];
    let mut add = |kind: OperandKind, values: &[u32], first: usize, written: &Lanes| {
        let mut lanes = words.iter_mut().enumerate();
        kind.each_set(values, |set| {
            if let Some((lane, word)) = lanes.next()
                && written.contains(lane)
            {
                *word |= u64::from(set) << first;
            }
        });
    };
    let mut literals = 0;
    for aspect in bins.aspects.iter().filter(|a| !a.is_result && legality::has(instruction, a.operand)) {
        let kind = OperandKind::of(instruction, aspect.operand);
        for place in places(instruction.operand(aspect.operand)) {
            match place {
                WordPlace::Literal(bits) => literals |= kind.class_set(&[bits]) << aspect.first,
                WordPlace::Nowhere => {}
                WordPlace::At(location) => {
                    if let Some(column) = batch.column(location) {
                        add(kind, column, aspect.first, &Lanes::All);
                    }
                }
            }
        }
    }
    for truth in truths.columns() {
        let values = values_of(truth);
        for aspect in bins.aspects.iter().filter(|a| a.is_result && goes_to(instruction, a.operand, truth)) {
            add(OperandKind::of(instruction, aspect.operand), &values, aspect.first, &truth.written);
        }
    }
    words.iter_mut().for_each(|word| *word |= literals);
    if let Exercised(Lanes::Some(happens)) = lanes {
        words.iter_mut().zip(happens).filter(|(_, happens)| !**happens).for_each(|(word, _)| *word = 0);
    }
    words
}

/// For the bit of each class of an operand: the set of classes that occurred in a lane with that
/// class.
struct SeenTogether([u64; 64]);

impl SeenTogether {
    fn of(bins: &FormBins, words: &[u64]) -> SeenTogether {
        let results = bins.aspects.iter().find(|aspect| aspect.is_result).map_or(64, |aspect| aspect.first);
        let inputs = u64::MAX.checked_shr(64 - results as u32).unwrap_or(0);
        let mut met = [0; 64];
        for word in words {
            let mut left = word & inputs;
            while left != 0 {
                met[left.trailing_zeros() as usize] |= word;
                left &= left - 1;
            }
        }
        SeenTogether(met)
    }

    /// Marks the combinations of classes of two aspects that occurred in a lane.
    fn pairs(&self, bins: &FormBins, a: usize, b: usize, first: usize, coverage: &mut Coverage) {
        let (a, b) = (&bins.aspects[a], &bins.aspects[b]);
        let number = b.classes.len();
        for class in 0..a.classes.len() {
            let beside = self.0[a.first + class] >> b.first & ((1 << number) - 1);
            coverage.hit_from(first + class * number, beside);
        }
    }
}

/// Returns a set for each pair of classes of the first two operands: the classes of the third
/// operand that occurred with that pair. In a lane, each operand has one class.
fn triples(bins: &FormBins, words: &[u64], crossed: [usize; 3]) -> Vec<u64> {
    let [a, b, c] = crossed.map(|aspect| (bins.aspects[aspect].first, bins.aspects[aspect].classes.len()));
    let mut seen = vec![0_u64; a.1 * b.1];
    for word in words {
        let classes = [a, b, c].map(|(first, number)| word >> first & ((1 << number) - 1));
        if !classes.contains(&0) {
            let row = classes[0].trailing_zeros() as usize * b.1 + classes[1].trailing_zeros() as usize;
            seen[row] |= classes[2];
        }
    }
    seen
}

/// Marks the bins of the exact numbers of a batch. Lanes whose word is 0 are left out.
fn mark_exact(
    (bins, marks): (&FormBins, &Marks),
    instruction: &Instruction,
    batch: &Batch,
    words: &[u64],
    coverage: &mut Coverage,
) {
    let Some(arithmetic) = Arithmetic::of(instruction) else { return };
    let repeats: Vec<usize> = bins
        .repeats
        .iter()
        .filter(|(same, _)| holds(bins, instruction, *same))
        .map(|(_, first)| *first)
        .collect();
    let operands: Vec<Signed> = instruction.inputs().map(|operand| Signed::of(operand, batch)).collect();
    for lane in (0..batch.len()).filter(|lane| words[*lane] != 0) {
        let value = |place: usize| operands.get(place).map_or(0, |operand| operand.value(lane));
        let found = arithmetic.bins([0, 1, 2].map(value));
        let LaneBins { distance, cancellation, rounding, range, edge } = found;
        for (topic, first) in &marks.exact {
            let bin = match topic {
                Topic::Distance => distance,
                Topic::Cancellation => cancellation,
                Topic::Rounding => rounding,
                Topic::Edge => edge,
                _ => range,
            };
            bin.into_iter().for_each(|bin| coverage.hit(first + bin));
        }
        if !repeats.is_empty()
            && let Some(bin) = found.repeated()
        {
            repeats.iter().for_each(|first| coverage.hit(first + bin));
        }
    }
}

/// A float operand with its prefixes.
struct Signed<'a> {
    column: Option<&'a [u32]>,
    literal: u32,
    keep: u32,
    flip: u32,
}

impl<'a> Signed<'a> {
    fn of(operand: Operand, batch: &'a Batch) -> Signed<'a> {
        let sign = F32.sign_mask();
        let literal = if let Source::Imm(bits) = operand.source { bits } else { 0 };
        let column = operand.source.location().and_then(|location| batch.column(location));
        let keep = if operand.abs { !sign } else { u32::MAX };
        Signed { column, literal, keep, flip: if operand.neg { sign } else { 0 } }
    }

    fn value(&self, lane: usize) -> u32 {
        self.column.map_or(self.literal, |column| column[lane]) & self.keep ^ self.flip
    }
}

/// Returns the set of classes of the inputs. Each word of a wide input contributes its class.
fn inputs_seen(bins: &FormBins, instruction: &Instruction, batch: &Batch, lanes: &Exercised) -> u64 {
    let mut seen = 0;
    let inputs = bins.aspects.iter().filter(|aspect| !aspect.is_result);
    for aspect in inputs.filter(|aspect| legality::has(instruction, aspect.operand)) {
        let kind = OperandKind::of(instruction, aspect.operand);
        for place in places(instruction.operand(aspect.operand)) {
            seen |= match place {
                WordPlace::Literal(bits) => kind.class_set(&[bits]),
                WordPlace::At(location) => {
                    batch.column(location).map_or(0, |column| lanes.classes(kind, column))
                }
                WordPlace::Nowhere => 0,
            } << aspect.first;
        }
    }
    seen
}

/// Returns the set of classes of the results that must be written.
fn results_seen(bins: &FormBins, instruction: &Instruction, truth: &Truth, lanes: &Exercised) -> u64 {
    let values = values_of(truth);
    let results = bins.aspects.iter().filter(|a| a.is_result && goes_to(instruction, a.operand, truth));
    results.fold(0, |seen, aspect| {
        let kind = OperandKind::of(instruction, aspect.operand);
        seen | lanes.written_classes(kind, &values, &truth.written) << aspect.first
    })
}

/// Returns the results that must be written. If the truth is a real number, it is rounded to
/// nearest.
fn values_of(truth: &Truth) -> Cow<'_, [u32]> {
    match &truth.values {
        TruthValues::Bits(values) => Cow::from(values),
        TruthValues::Reals { .. } => Cow::from(rules::nearest(truth)),
    }
}

/// Whether an instruction writes a result to the location of a truth.
fn goes_to(instruction: &Instruction, result: &str, truth: &Truth) -> bool {
    let operand = instruction.operand(result);
    let decided = operand.source.location().is_none() && instruction.access().is_some_and(|a| a.writes);
    operand.locations().any(|l| l == truth.location)
        || decided && instruction.access().is_some_and(|a| a.reaches(truth.location))
}

fn mark_guard(bins: &FormBins, instruction: &Instruction, batch: &Batch, coverage: &mut Coverage) {
    let guard = instruction.guard();
    let column = guard.source.location().and_then(|l| batch.column(l));
    for truth in [false, true] {
        let raw = u32::from(truth != guard.not);
        if column.map_or(raw == 1, |values| values.contains(&raw)) {
            coverage.hit(bins.guard + usize::from(truth));
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

fn mark_ends(bins: &FormBins, instruction: &Instruction, coverage: &mut Coverage) {
    for (position, first) in &bins.ends {
        let field = &bins.form.fields[*position];
        let met = |end: &usize| ends::is_at(instruction, *position, *end);
        if legality::permits(instruction, field.name) {
            (0..ends::names(field).len()).filter(met).for_each(|end| coverage.hit(first + end));
        }
    }
}

/// The lanes of a batch that are not undefined and that must have an effect: a write or an event.
struct Exercised(Lanes);

impl Exercised {
    /// Returns the exercised lanes of a batch, or `None` if there are none.
    fn of(batch: &Batch, truths: &Truths) -> Option<Exercised> {
        let open = truths.undefined();
        if open.is_empty() && truths.columns().iter().any(|truth| truth.written == Lanes::All) {
            return Some(Exercised(Lanes::All));
        }
        let mut happens = vec![false; batch.len()];
        for truth in truths.columns() {
            match &truth.written {
                Lanes::All => happens.fill(true),
                Lanes::Some(written) => {
                    happens.iter_mut().zip(written).for_each(|(happens, written)| *happens |= written)
                }
            }
        }
        truths.events().iter().for_each(|(lane, _)| happens[*lane] = true);
        open.iter().for_each(|(lane, _)| happens[*lane] = false);
        happens.contains(&true).then(|| Exercised(Lanes::from(happens)))
    }

    /// Returns the set of classes of a column's values in the exercised lanes.
    fn classes(&self, kind: OperandKind, values: &[u32]) -> u64 {
        self.written_classes(kind, values, &Lanes::All)
    }

    /// Returns the set of classes of a column's values, in the exercised lanes that write the
    /// column.
    fn written_classes(&self, kind: OperandKind, values: &[u32], written: &Lanes) -> u64 {
        match (&self.0, written) {
            (Lanes::All, Lanes::All) => kind.class_set(values),
            (Lanes::Some(lanes), Lanes::All) | (Lanes::All, Lanes::Some(lanes)) => {
                kind.class_set(&chosen(values, lanes.iter().copied()))
            }
            (Lanes::Some(lanes), Lanes::Some(written)) => {
                kind.class_set(&chosen(values, lanes.iter().zip(written).map(|(a, b)| a & b)))
            }
        }
    }
}

/// Returns the values of the chosen lanes. The loop has no branch, because the choice is as
/// unpredictable as random bits.
fn chosen(values: &[u32], lanes: impl Iterator<Item = bool>) -> Vec<u32> {
    let (mut chosen, mut count) = (vec![0; values.len()], 0);
    for (value, is_chosen) in values.iter().zip(lanes) {
        chosen[count] = *value;
        count += usize::from(is_chosen);
    }
    chosen.truncate(count);
    chosen
}
