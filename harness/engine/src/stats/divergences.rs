//! Divergences of a function by raw key. So a rare bug keeps its own examples, even beside a
//! frequent bug.
//!
//! A raw key describes a divergence before it is examined: the mode, the kind, the classes of the
//! operands' values and the class of the result. The divergences of a key are counted, and the
//! first case of each key is kept.
//!
//! The number of keys is bounded in two levels. A function keeps the [`MAX_VALUE_KEYS`] value keys
//! (kind, operand and result classes) with the smallest hashes. Each of these keys keeps the
//! [`MAX_MODES`] modes with the smallest hashes. Hashes depend on the key alone. A key is dropped
//! only if enough keys of smaller hash exist. The number of these keys only grows, so a dropped key
//! never returns. Hence the kept keys and their counts do not depend on the order of counting or
//! merging.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

use assay_isa::{Batch, Effects, Event, Instruction, Location};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::compare::counts::is_zero;
use crate::compare::judge::{Divergence, DivergenceKind};
use crate::compare::observation::Observation;
use crate::operands::operand_kinds::OperandKind;
use crate::operands::operand_words::{OperandWord, operand_words};
use crate::stats::features::{coarse, is_of_channels, modifiers};
use crate::stats::finding::ObservedDivergence;

/// Maximum number of value keys that a function keeps.
pub const MAX_VALUE_KEYS: usize = 256;
/// Maximum number of modes that a value key keeps.
pub const MAX_MODES: usize = 4;
/// Number of parts into which the cases of a run are divided, by a hash of the case index.
pub const PARTS: usize = 64;
/// Maximum number of kept hashes of case indices.
pub const LEAST_HASHES: usize = 1024;

/// The kind of a divergence and the classes of its values, without its mode.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ValueKey {
    /// The kind of the divergence.
    pub kind: String,
    /// The classes of the operands' values.
    pub operands: String,
    /// The class of the written value, or of the reported event.
    pub result: String,
}

impl fmt::Display for ValueKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} | {} | {}", self.kind, self.operands, self.result)
    }
}

/// The divergences of one raw key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptDivergences {
    /// Number of divergences.
    pub count: u64,
    /// For each batch, the square of its number of divergences, summed over all batches. 0 in
    /// results of older versions.
    pub squares: u64,
    /// The divergence with the smallest case index.
    pub first: ObservedDivergence,
}

/// The divergences of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "DivergenceRecord", into = "DivergenceRecord")]
#[schemars(with = "DivergenceRecord")]
pub struct Divergences {
    total: u64,
    squares: u64,
    /// Empty without divergences, and in results of older versions.
    parts: Vec<u64>,
    /// The least hashes of case indices. Empty in results of older versions.
    least: BTreeSet<u64>,
    values: BTreeMap<Ranked<ValueKey>, BTreeMap<Ranked<String>, KeptDivergences>>,
}

/// The divergences of one batch, summed over the calls that count its lanes. Several calls may
/// count one batch: for lanes with a fast verdict, for the other lanes, and for each part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BatchDivergences {
    total: u64,
    keys: BTreeMap<ValueKey, u64>,
}

impl BatchDivergences {
    /// Adds the divergences of some lanes of the batch.
    pub(crate) fn add(&mut self, groups: &[DivergenceGroup]) {
        for DivergenceGroup { values, count, .. } in groups {
            self.total += count;
            *self.keys.entry(values.clone()).or_default() += count;
        }
    }
}

/// A key, ordered by its hash.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Ranked<K> {
    hash: u64,
    key: K,
}

/// The divergences of a function, in the format of a result file.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Divergences")]
struct DivergenceRecord {
    /// Number of divergences of the function.
    total: u64,
    /// For each batch, the square of its number of divergences, summed over all batches. Absent in
    /// results of older versions.
    #[serde(default, skip_serializing_if = "is_zero")]
    squares: u64,
    /// Number of divergences in each of 64 parts of the cases. A hash of the case index decides the
    /// part. If another run of the same cases has more divergences in a part, it has a divergence
    /// that this run does not have. Absent in results of older versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    parts: Vec<u64>,
    /// The 1024 least hashes of the divergences' case indices, in hexadecimal, separated by blanks.
    /// All hashes if there are fewer divergences. Suppose that another run of the same cases has a
    /// hash that is missing here and is less than the greatest hash here. Then it has a divergence
    /// that this run does not have. Absent in results of older versions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    least: String,
    /// The kept raw keys. Divergences of other keys are counted only in `total`.
    keys: Vec<Line>,
}

/// The divergences of a raw key.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "RawKey")]
struct Line {
    /// The form and the function.
    mode: String,
    /// The kind of divergence.
    kind: String,
    /// The classes of the operand values.
    operands: String,
    /// The class of the wrong written value, or the effect that occurred instead.
    result: String,
    /// Number of divergences.
    count: u64,
    /// For each batch, the square of its number of divergences with this key, summed over all
    /// batches. Absent in results of older versions.
    #[serde(default, skip_serializing_if = "is_zero")]
    squares: u64,
    /// The divergence with the smallest case index.
    first: ObservedDivergence,
}

impl Divergences {
    /// Returns the number of all divergences of the function.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Returns the squares of the batches' numbers of divergences, summed over all batches. The sum
    /// is an estimate of the variance of the total, because divergences of one batch are not
    /// independent. 0 in results of older versions.
    pub fn squares(&self) -> u64 {
        self.squares
    }

    /// Returns the number of divergences in each of [`PARTS`] parts of the cases. A hash of the
    /// case index decides the part. If another run of the same cases has more divergences in a
    /// part, it has a divergence that this run does not have. Empty without divergences, and in
    /// results of older versions.
    pub fn parts(&self) -> &[u64] {
        &self.parts
    }

    /// Returns the least hashes of the case indices, at most [`LEAST_HASHES`]. Empty without
    /// divergences, and in results of older versions.
    pub fn least(&self) -> &BTreeSet<u64> {
        &self.least
    }

    /// Returns the number of divergences whose keys are not kept.
    pub fn beyond(&self) -> u64 {
        self.total.saturating_sub(self.keys().map(|(_, _, kept)| kept.count).sum())
    }

    /// Returns the kept keys: first one mode of every value key, then a second mode of each value
    /// key that has two, and so on.
    pub fn keys(&self) -> impl Iterator<Item = (&ValueKey, &str, &KeptDivergences)> {
        (0..MAX_MODES).flat_map(|nth| {
            self.values.iter().filter_map(move |(values, modes)| {
                let (mode, kept) = modes.iter().nth(nth)?;
                Some((&values.key, mode.key.as_str(), kept))
            })
        })
    }

    /// Whether the first divergence of a group, with case index `index`, may become the example of
    /// its key.
    pub fn would_keep(&self, instruction: &Instruction, group: &DivergenceGroup, index: u64) -> bool {
        let values = ranked(group.values.clone());
        let mode = ranked_mode(&values, &mode_of(instruction));
        let kept = self.values.get(&values).and_then(|modes| modes.get(&mode));
        kept.is_none_or(|kept| index < kept.first.index)
    }

    /// Counts the divergences of a batch. `index` returns the case index of a lane.
    pub fn count(
        &mut self,
        instruction: &Instruction,
        diverged: &[(usize, Divergence)],
        groups: Vec<DivergenceGroup>,
        (batch, effects): (&Batch, &Effects),
        index: impl Fn(usize) -> u64,
    ) {
        self.total += diverged.len() as u64;
        diverged.iter().for_each(|(lane, _)| self.count_part(index(*lane)));
        let mode = mode_of(instruction);
        for DivergenceGroup { values, count, first } in groups {
            let (lane, divergence) = &diverged[first];
            self.add(values, &mode, (count, 0), index(*lane), || ObservedDivergence {
                seen: Some(Observation::of(effects, *lane, divergence)),
                ..ObservedDivergence::of(batch, *lane, index(*lane))
            });
        }
    }

    /// Counts a divergence in the part of its case, and keeps the hash of the case index if it is
    /// among the least.
    fn count_part(&mut self, index: u64) {
        let hash = finalize(index);
        self.parts.resize(PARTS, 0);
        self.parts[(hash % PARTS as u64) as usize] += 1;
        if self.least.len() < LEAST_HASHES || self.least.last().is_some_and(|last| hash < *last) {
            self.least.insert(hash);
            self.keep_least();
        }
    }

    fn keep_least(&mut self) {
        while self.least.len() > LEAST_HASHES {
            self.least.pop_last();
        }
    }

    /// Adds the squares of a batch's numbers of divergences: of the function, and of each kept key.
    /// The divergences themselves must be counted already.
    pub(crate) fn add_squares(&mut self, instruction: &Instruction, batch: BatchDivergences) {
        self.squares += batch.total.pow(2);
        let mode = mode_of(instruction);
        for (values, count) in batch.keys {
            let values = ranked(values);
            let mode = ranked_mode(&values, &mode);
            let kept = self.values.get_mut(&values).and_then(|modes| modes.get_mut(&mode));
            kept.into_iter().for_each(|kept| kept.squares += count.pow(2));
        }
    }

    /// Adds the divergences of another part of the run.
    pub fn merge(&mut self, other: Divergences) {
        self.total += other.total;
        self.squares += other.squares;
        self.parts.resize(self.parts.len().max(other.parts.len()), 0);
        self.parts.iter_mut().zip(other.parts).for_each(|(sum, part)| *sum += part);
        self.least.extend(other.least);
        self.keep_least();
        for (values, modes) in other.values {
            for (mode, KeptDivergences { count, squares, first }) in modes {
                self.add(values.key.clone(), &mode.key, (count, squares), first.index, || first);
            }
        }
    }

    /// Adds `count` divergences of a key. The first of these divergences has case index `index`.
    fn add(
        &mut self,
        values: ValueKey,
        mode: &str,
        (count, squares): (u64, u64),
        index: u64,
        first: impl FnOnce() -> ObservedDivergence,
    ) {
        let values = ranked(values);
        let mode = ranked_mode(&values, mode);
        let Some(modes) = slot(&mut self.values, values, MAX_VALUE_KEYS) else { return };
        let none = || KeptDivergences { count: 0, squares: 0, first: ObservedDivergence::default() };
        let Some(kept) = slot_or(modes, mode, MAX_MODES, none) else { return };
        if kept.count == 0 || index < kept.first.index {
            kept.first = first();
        }
        kept.count += count;
        kept.squares += squares;
    }
}

fn ranked(values: ValueKey) -> Ranked<ValueKey> {
    Ranked { hash: hash(0, &[&values.kind, &values.operands, &values.result]), key: values }
}

/// Ranks a mode of a value key. The hash depends on the value key, so that different value keys
/// keep examples of different modes.
fn ranked_mode(values: &Ranked<ValueKey>, mode: &str) -> Ranked<String> {
    Ranked { hash: hash(values.hash, &[mode]), key: mode.to_owned() }
}

/// Returns the mode of an instruction: its form and its modifiers.
fn mode_of(instruction: &Instruction) -> String {
    format!("{} {}", instruction.form().name, modifiers(instruction))
}

fn slot<K: Ord, V: Default>(map: &mut BTreeMap<K, V>, key: K, most: usize) -> Option<&mut V> {
    slot_or(map, key, most, V::default)
}

/// Returns the value of a key in a map that keeps its `most` smallest keys. Returns `None` if the
/// key is not among these.
fn slot_or<K: Ord, V>(
    map: &mut BTreeMap<K, V>,
    key: K,
    most: usize,
    new: impl FnOnce() -> V,
) -> Option<&mut V> {
    if map.len() >= most && !map.contains_key(&key) {
        if map.last_key_value().is_some_and(|(last, _)| *last < key) {
            return None;
        }
        map.pop_last();
    }
    Some(map.entry(key).or_insert_with(new))
}

/// Returns hashes in hexadecimal, with blanks between them.
pub fn hashes_to_text(hashes: &BTreeSet<u64>) -> String {
    hashes.iter().map(|hash| format!("{hash:016x}")).collect::<Vec<_>>().join(" ")
}

/// Reads hashes that [`hashes_to_text`] wrote. Leaves out words that are not hashes.
pub fn hashes_from_text(text: &str) -> BTreeSet<u64> {
    text.split(' ').filter_map(|hash| u64::from_str_radix(hash, 16).ok()).collect()
}

/// Returns FNV-1a over the parts, finalized as in SplitMix64, so that all bits affect the order.
fn hash(seed: u64, parts: &[&str]) -> u64 {
    let bytes = parts.iter().flat_map(|part| part.bytes().chain([0xff]));
    let fold = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    finalize(bytes.fold(seed ^ 0xcbf2_9ce4_8422_2325, fold))
}

/// Returns SplitMix64's finalizer of a number.
fn finalize(hash: u64) -> u64 {
    let hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ hash >> 31
}

/// The divergences of a batch that have one value key.
pub struct DivergenceGroup {
    values: ValueKey,
    count: u64,
    /// Index, in the list of divergences, of the divergence with the smallest case index.
    pub first: usize,
}

/// Groups the divergences of a batch by value key. `index` returns the case index of a lane.
pub fn groups(
    instruction: &Instruction,
    diverged: &[(usize, Divergence)],
    (batch, effects): (&Batch, &Effects),
    index: impl Fn(usize) -> u64,
) -> Vec<DivergenceGroup> {
    if diverged.is_empty() {
        return Vec::new();
    }
    let classes = Classes::of(instruction, batch, effects);
    let mut found: HashMap<_, (u64, usize)> = HashMap::new();
    let mut runs = diverged.iter().enumerate().peekable();
    let key = |(lane, divergence): &(usize, Divergence)| {
        (divergence.kind, classes.packed(*lane), classes.result(*lane, divergence))
    };
    // If a subject is wrong everywhere, many consecutive lanes have equal keys. These lanes are
    // counted together.
    while let Some((mut first, one)) = runs.next() {
        let (of, mut count) = (key(one), 1);
        while let Some((place, (lane, _))) = runs.next_if(|(_, next)| key(next) == of) {
            count += 1;
            if index(*lane) < index(diverged[first].0) {
                first = place;
            }
        }
        let (all, earliest) = found.entry(of).or_insert((0, first));
        *all += count;
        if index(diverged[first].0) < index(diverged[*earliest].0) {
            *earliest = first;
        }
    }
    let group = |((kind, _, result), (count, first)): ((DivergenceKind, u128, Cow<str>), (u64, usize))| {
        let (kind, operands) = (kind.name().to_owned(), classes.names(diverged[first].0));
        DivergenceGroup { values: ValueKey { kind, operands, result: result.into_owned() }, count, first }
    };
    found.into_iter().map(group).collect()
}

/// The classes of the values in a batch.
struct Classes<'a> {
    words: Vec<OperandWord>,
    outputs: Vec<(Location, OperandKind)>,
    batch: &'a Batch,
    effects: &'a Effects,
}

impl<'a> Classes<'a> {
    fn of(instruction: &Instruction, batch: &'a Batch, effects: &'a Effects) -> Classes<'a> {
        // If an instruction performs one operation in many channels, only the channel with the
        // divergence matters.
        let words =
            if is_of_channels(instruction) { Vec::new() } else { operand_words(instruction).collect() };
        let outputs = instruction.form().optype.outs.iter().flat_map(|name| {
            let kind = OperandKind::of(instruction, name);
            instruction.operand(name).locations().map(move |location| (location, kind))
        });
        Classes { words, outputs: outputs.collect(), batch, effects }
    }

    /// Packs the classes of a lane's first 16 words into one number, a byte for each.
    fn packed(&self, lane: usize) -> u128 {
        self.words.iter().take(16).fold(0, |packed, cell| {
            let class = cell.place.value(self.batch, lane).map_or(0xff, |bits| cell.kind.class_byte(bits));
            packed << 8 | u128::from(class)
        })
    }

    /// Returns the names of the classes of a lane's first 16 words.
    fn names(&self, lane: usize) -> String {
        let name = |cell: &OperandWord| match cell.place.value(self.batch, lane) {
            Some(bits) => coarse(cell.kind, bits),
            None => "no storage".into(),
        };
        self.words.iter().take(16).map(name).collect::<Vec<_>>().join(", ")
    }

    /// Returns the class of the wrong written value, or the effect that occurred instead.
    fn result(&self, lane: usize, divergence: &Divergence) -> Cow<'static, str> {
        let Some(location) = divergence.location else {
            return match self.effects.event_of(lane) {
                _ if divergence.kind == DivergenceKind::CalledUndefined => "undefined",
                None => "no event",
                Some(Event::Fault(fault)) => fault.name(),
                Some(Event::Executed(_)) => "executed",
                Some(Event::Failed(failure)) => failure.name(),
            }
            .into();
        };
        let kind = self.outputs.iter().find(|(output, _)| *output == location).map(|(_, kind)| *kind);
        match (kind, self.effects.value(location, lane)) {
            (None, _) => "elsewhere".into(),
            (_, None) => "nothing".into(),
            (Some(kind), Some(bits)) => coarse(kind, bits),
        }
    }
}

impl From<Divergences> for DivergenceRecord {
    fn from(divergences: Divergences) -> DivergenceRecord {
        let Divergences { total, squares, parts, ref least, .. } = divergences;
        let least = hashes_to_text(least);
        let lines = divergences.values.into_iter().flat_map(|(Ranked { key: values, .. }, modes)| {
            modes.into_iter().map(move |(mode, KeptDivergences { count, squares, first })| {
                let ValueKey { kind, operands, result } = values.clone();
                Line { mode: mode.key, kind, operands, result, count, squares, first }
            })
        });
        DivergenceRecord { total, squares, parts, least, keys: lines.collect() }
    }
}

impl From<DivergenceRecord> for Divergences {
    fn from(record: DivergenceRecord) -> Divergences {
        let DivergenceRecord { total, squares, parts, least, keys } = record;
        let least = hashes_from_text(&least);
        let mut divergences = Divergences { total, squares, parts, least, ..Divergences::default() };
        for Line { mode, kind, operands, result, count, squares, first } in keys {
            let values = ValueKey { kind, operands, result };
            divergences.add(values, &mode, (count, squares), first.index, || first);
        }
        divergences
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A divergence: its value key, its mode, and the shard that finds it.
    type Drawn = (u16, u8, usize);

    const SHARDS: usize = 5;

    fn add(divergences: &mut Divergences, (values, mode, _): Drawn, index: u64) {
        let key = ValueKey {
            kind: format!("kind {}", values % 3),
            operands: format!("class {values}"),
            result: "normal".into(),
        };
        divergences.total += 1;
        divergences.count_part(index);
        let first = || ObservedDivergence { index, ..ObservedDivergence::default() };
        divergences.add(key, &format!("mode {mode}"), (1, 1), index, first);
    }

    fn whole<'a>(drawn: impl Iterator<Item = (usize, &'a Drawn)>) -> Divergences {
        let mut divergences = Divergences::default();
        drawn.for_each(|(index, one)| add(&mut divergences, *one, index as u64));
        divergences
    }

    fn bytes(divergences: &Divergences) -> String {
        serde_json::to_string(divergences).expect("it can be written")
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn shards_merged_in_any_order_are_one_run(
            drawn in prop::collection::vec((0..400u16, 0..9u8, 0..SHARDS), 0..4000),
            order in Just((0..SHARDS).collect::<Vec<_>>()).prop_shuffle(),
            backwards in any::<bool>(),
        ) {
            let one = whole(drawn.iter().enumerate());
            let shard = |shard: usize| whole(drawn.iter().enumerate().filter(|(_, one)| one.2 == shard));
            // Counts in reverse, and merges as ((a b) c) … or (a (b (c …))).
            let reversed = whole(drawn.iter().enumerate().collect::<Vec<_>>().into_iter().rev());
            let mut merged = Divergences::default();
            for next in order {
                let next = shard(next);
                if backwards {
                    let before = std::mem::replace(&mut merged, next);
                    merged.merge(before);
                } else {
                    merged.merge(next);
                }
            }
            prop_assert_eq!(bytes(&merged), bytes(&one));
            prop_assert_eq!(bytes(&reversed), bytes(&one));
            let read: Divergences = serde_json::from_str(&bytes(&one)).expect("it can be read");
            prop_assert_eq!(&read, &one);
        }

        #[test]
        fn no_part_is_greater_in_a_subset(drawn in prop::collection::vec((0..4u16, 0..2u8, 0..2usize), 1..300)) {
            let all = whole(drawn.iter().enumerate());
            let some = whole(drawn.iter().enumerate().filter(|(_, one)| one.2 == 0));
            prop_assert_eq!(all.parts.iter().sum::<u64>(), all.total);
            prop_assert!(some.parts.iter().zip(&all.parts).all(|(some, all)| some <= all));
            prop_assert_eq!(all.least.len() as u64, all.total.min(LEAST_HASHES as u64));
            let greatest = all.least.last().copied().unwrap_or(0);
            let is_told = |hash: &&u64| all.total < LEAST_HASHES as u64 || **hash <= greatest;
            prop_assert!(some.least.iter().filter(is_told).all(|hash| all.least.contains(hash)));
        }

        #[test]
        fn counts_of_kept_keys_are_exact_and_the_rest_is_counted(
            drawn in prop::collection::vec((0..400u16, 0..9u8, 0..1usize), 0..4000),
        ) {
            let one = whole(drawn.iter().enumerate());
            let mut kept = 0;
            for (values, mode, KeptDivergences { count, first, .. }) in one.keys() {
                let same = |one: &&Drawn| {
                    format!("class {}", one.0) == values.operands && format!("mode {}", one.1) == mode
                };
                let all = drawn.iter().filter(same).count() as u64;
                prop_assert_eq!(*count, all);
                let index = drawn.iter().position(|one| same(&one)).map(|index| index as u64);
                prop_assert_eq!(Some(first.index), index);
                kept += count;
            }
            prop_assert_eq!(one.total(), drawn.len() as u64);
            prop_assert_eq!(one.beyond(), one.total() - kept);
            prop_assert!(one.keys().count() <= MAX_VALUE_KEYS * MAX_MODES);
        }
    }

    /// A value key with one divergence keeps its example next to a key with 100,000.
    #[test]
    fn a_rare_key_keeps_its_example_beside_a_frequent_one() {
        let mut divergences = Divergences::default();
        for index in 0..100_000 {
            add(&mut divergences, (1, (index % 7) as u8, 0), index);
        }
        add(&mut divergences, (2, 0, 0), 100_000);
        let rare: Vec<_> = divergences.keys().filter(|(values, ..)| values.operands == "class 2").collect();
        assert_eq!((rare.len(), rare[0].2.count, rare[0].2.first.index), (1, 1, 100_000));
        assert!(divergences.beyond() > 0, "more modes than are kept");
    }
}
