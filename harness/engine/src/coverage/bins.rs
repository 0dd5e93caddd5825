//! The bins of a scope, with the reasons why no case can hit some of them.
//!
//! The classes of all operands and results of a form fit into 64 bits, a *block*. So for each value
//! of a modifier, the plain bins of a form are one word of the coverage. Marking a batch takes one
//! `or` for each modifier.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

use assay_isa::{Form, Instruction};

use super::Coverage;
use super::group::{Aspect, Group, RegisterChoice};
use super::topic::Topic;

/// The depth of a list of bins: which topics it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// The plain bins: [`Topic::Class`] and [`Topic::Fact`].
    Plain,
    /// The bins that a small suite should hit: the plain bins, [`Topic::Alone`] and
    /// [`Topic::Border`].
    Suite,
    /// All bins that a campaign counts. Their meetings and triples contain [`Topic::Alone`].
    Crossed,
}

/// A bin with its name, and the reason if no case can hit it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bin {
    /// Index of the bin's bit in a [`Coverage`].
    pub place: usize,
    /// Name of the bin.
    pub name: String,
    /// Topic of the bin.
    pub topic: Topic,
    /// The reason why no case can hit the bin. `None` if a case can.
    pub unreachable: Option<&'static str>,
}

/// Code of a place without a bin. [`REACHABLE`] is the code of a bin that cases can hit. Codes of
/// at least [`REASONS`] are the reasons of unreachable bins.
pub(super) const GAP: u8 = 0;
pub(super) const REACHABLE: u8 = 1;
const REASONS: u8 = 2;

/// The places of a form's bins, listed by the property of an instruction that hits them.
#[derive(Clone, Debug)]
pub(super) struct FormBins {
    pub form: &'static Form,
    pub aspects: Vec<Aspect>,
    pub slots: Vec<ModifierSlot>,
    /// Position of an attribute, and the bin of its first value.
    pub attributes: Vec<(usize, usize)>,
    /// The bin of a false guard; the bin of a true guard follows.
    pub guard: usize,
    pub zero_register: Option<usize>,
    pub repeated: Option<usize>,
    /// Register choices, each with the index of its block of bins.
    pub held: Vec<(RegisterChoice, usize)>,
    /// Pairs of aspects that can be one register, each with the first bin of its exact numbers.
    pub repeats: Vec<(RegisterChoice, usize)>,
    /// Indices of the aspects of float operands that have bins of [`Topic::Alone`].
    pub alone: Vec<usize>,
    /// Indices of the groups of [`Topic::Border`].
    pub borders: Vec<usize>,
    /// Positions of fields that have ends, each with the bin of its first end.
    pub ends: Vec<(usize, usize)>,
    /// Range of the form's groups.
    pub groups: Range<usize>,
}

/// Some modifiers of a form, and where the bins of each combination of their values start.
#[derive(Clone, Debug)]
pub(super) struct ModifierSlot {
    pub positions: Vec<usize>,
    /// Number of values of each modifier.
    pub numbers: Vec<usize>,
    /// Bins by the modifiers' values. The value of the last modifier changes fastest.
    pub values: Vec<Option<Marks>>,
}

/// Where the bins of one context start.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    pub block: usize,
    /// Lists of crossed aspects, each with the bin of the list's first combination.
    pub crosses: Vec<(Vec<usize>, usize)>,
    /// The topics whose bins concern exact numbers, and the first bin of each topic.
    pub exact: Vec<(Topic, usize)>,
    /// The first bin of [`Topic::Alone`], if the context has any.
    pub alone: Option<usize>,
}

impl ModifierSlot {
    /// Returns where the bins of the instruction's context start. `None` if the scope does not have
    /// that context.
    pub fn marks(&self, instruction: &Instruction) -> Option<&Marks> {
        let values = self.positions.iter().map(|position| instruction.values()[*position] as usize);
        let index = values.zip(&self.numbers).fold(0, |index, (value, number)| index * number + value);
        self.values[index].as_ref()
    }
}

/// All bins of a scope.
#[derive(Clone, Debug)]
pub struct Bins {
    /// The groups, ascending by place, without overlap.
    pub(super) groups: Vec<Group>,
    /// The code of each place: [`GAP`], [`REACHABLE`] or a reason.
    pub(super) codes: Vec<u8>,
    /// One bit for each place: whether it has a bin. Marks of other places would be counted as hits
    /// by [`super::layout`], which knows the places of a topic and not its gaps.
    pub(super) present: Vec<u64>,
    /// One bit for each place: whether cases can hit its bin.
    reachable: Vec<u64>,
    reasons: Vec<&'static str>,
    pub(super) forms: Vec<FormBins>,
    pub(super) depth: Depth,
    /// The digest of the list, computed at the first call of [`Bins::digest`].
    pub(super) digest: OnceLock<String>,
}

impl Bins {
    /// Returns an empty list.
    pub(super) fn empty(depth: Depth) -> Bins {
        Bins {
            groups: Vec::new(),
            codes: Vec::new(),
            present: Vec::new(),
            reachable: Vec::new(),
            reasons: Vec::new(),
            forms: Vec::new(),
            depth,
            digest: OnceLock::new(),
        }
    }

    /// Returns the bins with their places and the reachable ones marked. All codes must already be in
    /// the list.
    pub(super) fn with_places(mut self) -> Bins {
        let marked = |is_marked: fn(u8) -> bool| {
            let bits = |codes: &[u8]| {
                (0..).zip(codes).fold(0, |set, (bit, code)| set | u64::from(is_marked(*code)) << bit)
            };
            self.codes.chunks(64).map(bits).collect()
        };
        (self.present, self.reachable) = (marked(|code| code != GAP), marked(|code| code == REACHABLE));
        self
    }

    /// Returns which topics the list has.
    pub fn depth(&self) -> Depth {
        self.depth
    }

    pub(super) fn form(&self, form: &'static Form) -> Option<&FormBins> {
        let place = self.forms.binary_search_by_key(&form.name, |bins| bins.form.name).ok()?;
        Some(&self.forms[place])
    }

    /// Returns the groups of a form.
    pub(super) fn groups_of(&self, form: &FormBins) -> &[Group] {
        &self.groups[form.groups.clone()]
    }

    /// Returns the code of a bin that is unreachable for `reason`, or [`REACHABLE`] without a
    /// reason.
    pub(super) fn code(&mut self, reason: Option<&'static str>) -> u8 {
        let Some(reason) = reason else { return REACHABLE };
        let known = self.reasons.iter().position(|known| *known == reason);
        let place = known.unwrap_or_else(|| {
            self.reasons.push(reason);
            self.reasons.len() - 1
        });
        u8::try_from(place).ok().and_then(|place| place.checked_add(REASONS)).expect("there are few reasons")
    }

    fn reason(&self, code: u8) -> Option<&'static str> {
        Some(self.reasons[usize::from(code.checked_sub(REASONS)?)])
    }

    fn places(&self) -> impl Iterator<Item = (usize, u8)> + '_ {
        self.codes.iter().copied().enumerate().filter(|(_, code)| *code != GAP)
    }

    /// Returns the index of the group of the bin at a place. The bin must exist.
    pub(super) fn group_at(&self, place: usize) -> usize {
        self.groups.partition_point(|group| group.first <= place) - 1
    }

    /// Returns the name of the bin at a place. The bin must exist.
    fn name(&self, place: usize) -> String {
        let (group, mut name) = (&self.groups[self.group_at(place)], String::new());
        self.say_context(group, &mut name);
        self.say_bin(group, place, &mut name);
        name
    }

    /// Writes the prefix that all names of a group have in common.
    fn say_context(&self, group: &Group, name: &mut String) {
        let form = self.forms[group.form].form;
        name.push_str(form.name);
        group.say_context(form, name);
    }

    /// Writes the rest of the name of a bin of a group.
    fn say_bin(&self, group: &Group, place: usize, name: &mut String) {
        let form = &self.forms[group.form];
        group.say_bin(form.form, &form.aspects, place, name);
    }

    fn bin(&self, (place, code): (usize, u8)) -> Bin {
        let group = self.groups.partition_point(|group| group.first <= place) - 1;
        Bin { place, name: self.name(place), topic: self.groups[group].topic, unreachable: self.reason(code) }
    }

    /// Returns the number of reachable and the number of unreachable bins of a group.
    pub(super) fn count(&self, group: &Group) -> (usize, usize) {
        let codes = &self.codes[group.first..group.first + group.len];
        let reachable = codes.iter().filter(|code| **code == REACHABLE).count();
        (reachable, codes.iter().filter(|code| **code >= REASONS).count())
    }

    /// Returns every bin, ascending by place.
    pub fn iter(&self) -> impl Iterator<Item = Bin> + '_ {
        self.places().map(|bin| self.bin(bin))
    }

    /// Number of bins that cases can hit.
    pub fn len(&self) -> usize {
        self.reachable.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there is no bin.
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// Number of hit bins in a range of places, among those that cases can hit.
    pub(super) fn hit(&self, coverage: &Coverage, places: Range<usize>) -> usize {
        places.filter(|place| self.codes[*place] == REACHABLE && coverage.contains(*place)).count()
    }

    /// Returns the hit share of the reachable bins, 0 to 1.
    pub fn share(&self, coverage: &Coverage) -> f64 {
        self.hit(coverage, 0..self.codes.len()) as f64 / self.len().max(1) as f64
    }

    /// Whether every bin that cases can hit is hit.
    pub fn are_covered(&self, coverage: &Coverage) -> bool {
        self.reachable.iter().enumerate().all(|(block, wanted)| wanted & !coverage.block(block) == 0)
    }

    /// Returns the places of the reachable bins that were not hit.
    pub(crate) fn missed_places<'a>(&'a self, coverage: &'a Coverage) -> impl Iterator<Item = usize> + 'a {
        self.reachable.iter().enumerate().flat_map(move |(block, wanted)| {
            let mut left = wanted & !coverage.block(block);
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
                left &= left - 1;
                Some(64 * block + bit)
            })
        })
    }

    /// Returns the number of reachable bins that were not hit.
    pub fn number_missed(&self, coverage: &Coverage) -> usize {
        self.missed_places(coverage).count()
    }

    /// Calls `each` with the name of each reachable bin that was not hit. There are up to a few
    /// hundred thousand names. So all names are written into one buffer, and the common prefix of a
    /// group is written only once.
    ///
    /// # Errors
    ///
    /// Returns the first error of `each`.
    pub fn each_missed<E>(
        &self,
        coverage: &Coverage,
        mut each: impl FnMut(&str) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut places = self.missed_places(coverage).peekable();
        let mut name = String::new();
        for group in &self.groups {
            let is_here = |place: &usize| *place < group.first + group.len;
            if !places.peek().is_some_and(is_here) {
                continue;
            }
            name.clear();
            self.say_context(group, &mut name);
            let start = name.len();
            while let Some(place) = places.next_if(is_here) {
                name.truncate(start);
                self.say_bin(group, place, &mut name);
                each(&name)?;
            }
        }
        Ok(())
    }

    /// Returns the names of the reachable bins that were not hit.
    pub fn missed<'a>(&'a self, coverage: &'a Coverage) -> impl Iterator<Item = String> + 'a {
        self.missed_places(coverage).map(|place| self.name(place))
    }

    /// Whether the mode's form has a reachable bin that was not hit, in a context that the mode's
    /// modifiers fit.
    pub fn is_open(&self, mode: &Instruction, coverage: &Coverage) -> bool {
        let Some(form) = self.form(mode.form()) else { return false };
        let applies = |group: &&Group| group.context.iter().all(|(p, value)| mode.values()[*p] == *value);
        let mut bins = self.groups_of(form).iter().filter(applies).flat_map(|g| g.first..g.first + g.len);
        bins.any(|bin| self.codes[bin] == REACHABLE && !coverage.contains(bin))
    }

    /// Returns the number of unreachable bins by reason.
    pub fn excluded(&self) -> BTreeMap<&'static str, usize> {
        let mut excluded = vec![0; self.reasons.len()];
        self.codes.iter().filter_map(|code| code.checked_sub(REASONS)).for_each(|reason| {
            excluded[usize::from(reason)] += 1;
        });
        self.reasons.iter().copied().zip(excluded).filter(|(_, bins)| *bins > 0).collect()
    }

    /// Returns the names of bins that were hit although they count as unreachable. For such a bin,
    /// the stated reason or the oracle is wrong.
    pub fn impossible<'a>(&'a self, coverage: &'a Coverage) -> impl Iterator<Item = String> + 'a {
        let wrong = self.places().filter(|(place, code)| *code >= REASONS && coverage.contains(*place));
        wrong.map(|(place, _)| self.name(place))
    }
}
