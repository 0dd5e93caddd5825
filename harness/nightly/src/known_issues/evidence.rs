//! Decides whether the findings of a nightly run belong to a known issue, by conditions, ways and
//! rate.

use std::collections::{BTreeMap, BTreeSet};

use assay_engine::triage::condition::Condition;
use assay_isa::{Batch, EncodingTable, Instruction, catalog};
use assay_vectors::{Case, FindingCondition, FoundCase};

use super::entry::{Change, Entry, Status};
use super::rate::{self, NightRate};
use super::ways::{self, is_known};

/// Maximum number of listed cases and ways that do not belong to an issue.
const QUOTED: usize = 8;

/// The findings of a nightly run for one signature.
#[derive(Clone, Debug, Default)]
pub struct Sighting {
    /// The ways in which the signature occurred, from [`ways`](super::ways). Each has its number of
    /// independent events, or `None` if its cases were not drawn at random.
    pub ways: BTreeMap<String, Option<u64>>,
    /// The conditions that the run found.
    pub conditions: Vec<FindingCondition>,
    /// The divergences with the signature.
    pub found: Vec<FoundCase>,
    /// How often the signature occurred in campaigns.
    pub rate: Option<NightRate>,
}

impl Entry {
    /// Compares the findings of a run with the known facts about the issue, and updates these
    /// facts. Returns the change, replaced by `Widened` or `Grown` if there is a new way or a
    /// higher rate. With `by_rule`, a rule excuses the signature, so every way is accepted.
    pub fn weigh(&mut self, change: Option<Change>, sighting: &Sighting, by_rule: bool) -> Option<Change> {
        let is_excused = matches!(change, Some(Change::Known | Change::Expected | Change::Flaky));
        let grown = self.grown(sighting.rate).filter(|_| is_excused);
        if let Some(rate) = sighting.rate {
            rate::push(&mut self.rates, NightRate { grown: grown.is_some(), ..rate });
        }
        if !is_excused {
            // The ways and conditions found under an expired status are not learned.
            if change != Some(Change::Expired) {
                self.learn(sighting);
            }
            return change;
        }
        let mut strays = Vec::new();
        // A later acceptance concerns only this run. So the optypes of an earlier run are dropped.
        self.unconditional.clear();
        if by_rule {
            self.learn(sighting);
        } else {
            strays = self.find_strays(sighting);
        }
        let change = match &strays[..] {
            [] => grown.map(Change::Grown).or(change),
            [first] => Some(Change::Widened(first.clone())),
            [first, ..] => Some(Change::Widened(format!("{first}, and {} more", strays.len() - 1))),
        };
        strays.truncate(QUOTED);
        self.strays = strays;
        change
    }

    /// Accepts all new ways and conditions, and the present rate, as known. Removes the conditions
    /// of each optype that has a case for which no condition holds.
    pub fn accept(&mut self) {
        self.case = self.new_case.take().or(self.case.take());
        self.failures.extend(self.new_failure.take());
        self.keys.append(&mut self.new_keys);
        let new = std::mem::take(&mut self.new_conditions);
        merge(&mut self.conditions, &new);
        let unconditional = std::mem::take(&mut self.unconditional);
        let is_open = |condition: &FindingCondition| unconditional.contains(&condition.optype);
        self.conditions
            .retain(|condition| !is_open(condition) && !twin(condition).as_ref().is_some_and(is_open));
        self.strays.clear();
        if let Some(rate) = self.rates.last_mut() {
            rate.grown = false;
            self.rates_from = rate.night;
        }
    }

    /// Does the same as [`Entry::accept`], because a rule for the signature was set after run
    /// `noted`. A fixed issue that occurred again in run `noted` becomes new, so that the rule
    /// applies to it.
    pub fn accept_by_rule(&mut self, noted: u32) {
        self.accept();
        if self.is == Status::Fixed && self.last == noted {
            self.is = Status::New;
        }
    }

    /// Returns the divergences of a run for which no known condition holds. Leaves out divergences
    /// of optypes without a known condition.
    pub fn outside<'a>(&self, sighting: &'a Sighting) -> Vec<&'a FoundCase> {
        let conditions = with_twins(&self.conditions);
        let known = by_optype(&conditions);
        let is_outside = |case: &&FoundCase| read(case).is_none_or(|it| holds(&known, &it) == Some(false));
        sighting.found.iter().filter(is_outside).collect()
    }

    /// Returns whether a new case meets a known condition, and the old case another one that the new
    /// case does not meet. Then the status covers two bugs, and the one of the old case is fixed.
    pub fn is_of_another_condition(&self, old: &FoundCase, new: &FoundCase) -> bool {
        let conditions = with_twins(&self.conditions);
        let met = |case: &FoundCase| -> BTreeSet<usize> {
            let Some(case) = read(case) else { return BTreeSet::new() };
            let parsed = conditions.iter().map(|condition| by_optype(std::slice::from_ref(condition)));
            let is_met = |known: &BTreeMap<_, _>| holds(known, &case) == Some(true);
            parsed.enumerate().filter(|(_, known)| is_met(known)).map(|(nth, _)| nth).collect()
        };
        let [old, new] = [old, new].map(met);
        !new.is_empty() && !old.is_subset(&new)
    }

    /// Returns the known conditions, in words, that hold for none of the divergences that a run
    /// kept.
    pub fn unseen_conditions(&self, sighting: &Sighting) -> Vec<String> {
        let cases: Vec<_> = sighting.found.iter().filter_map(read).collect();
        if cases.is_empty() {
            return Vec::new();
        }
        let known = by_optype(&self.conditions);
        let all = known.iter().flat_map(|(optype, conditions)| conditions.iter().map(move |it| (optype, it)));
        let is_unseen = |(optype, condition): &(&&str, &Condition)| {
            let mut of_optype = cases.iter().filter(|(instruction, _)| instruction.optype() == **optype);
            !of_optype.any(|(instruction, batch)| condition.holds(instruction, batch, 0))
        };
        all.filter(is_unseen).map(|(optype, condition)| format!("{optype} {condition}")).collect()
    }

    /// Returns whether a way is a known way of the issue.
    pub fn has_way(&self, way: &str) -> bool {
        is_known(way, &self.keys)
    }

    /// Adds the ways and conditions of a run to the known ones.
    fn learn(&mut self, sighting: &Sighting) {
        self.keys.extend(sighting.ways.keys().cloned());
        merge(&mut self.conditions, &sighting.conditions);
    }

    /// Returns the cases for which no known condition holds, and the new ways, in words. Stores the
    /// new ways and conditions, which can be accepted later.
    fn find_strays(&mut self, sighting: &Sighting) -> Vec<String> {
        let outside = self.outside(sighting);
        let mut strays: Vec<String> = outside.iter().map(|case| in_words(case)).collect();
        let new: Vec<String> = sighting
            .ways
            .iter()
            .filter(|(way, events)| !is_known(way, &self.keys) && self.tells(**events, sighting.rate))
            .map(|(way, _)| way.clone())
            .collect();
        self.new_keys.extend(new.iter().cloned());
        let told = telling(&sighting.conditions, &outside);
        merge(&mut self.new_conditions, &told);
        let present = by_optype(&self.new_conditions);
        let open =
            outside.iter().filter_map(|case| read(case)).filter(|it| holds(&present, it) != Some(true));
        self.unconditional = open.map(|(instruction, _)| instruction.optype().to_owned()).collect();
        strays.extend(new.iter().map(|way| ways::in_words(way)));
        strays
    }

    /// Returns whether chance does not explain a new way, so that it may be another bug or a
    /// changed bug. True if the way has too many events for chance, or if its cases were not drawn
    /// at random. Also true if this run or all earlier runs have no rate.
    fn tells(&self, events: Option<u64>, now: Option<NightRate>) -> bool {
        let (Some(events), Some(now)) = (events, now) else { return true };
        let past = self.rates.iter().filter(|rate| rate.night != now.night);
        let before = NightRate::sum(past).map(|rate| NightRate { events: 0, divergences: 0, ..rate });
        // Without earlier rates no comparison is possible, so the way counts as new.
        before.is_none_or(|before| NightRate { events, divergences: events, ..now }.has_grown_from(before))
    }

    /// Returns a text with the rates before and now, if the issue occurs more often than in the
    /// earlier runs since its status was set.
    fn grown(&self, now: Option<NightRate>) -> Option<String> {
        let now = now?;
        let counts =
            |rate: &&NightRate| rate.night >= self.rates_from && rate.night != now.night && !rate.grown;
        let before = NightRate::sum(self.rates.iter().filter(counts))?;
        now.has_grown_from(before).then(|| {
            let [before, now] =
                [before, now].map(|rate| assay_isa::number::telling_decimals(rate.per_million(), 3));
            format!("grew from {before} to {now} in a million cases")
        })
    }
}

/// Returns the instruction of a case and its batch of one lane. `None` if the case cannot be read.
fn read(case: &FoundCase) -> Option<(Instruction, Batch)> {
    let case = Case { asm: Some(case.asm.clone()), inputs: case.inputs.clone(), ..Case::default() };
    case.batch(EncodingTable::provisional()).ok()
}

/// Returns whether a known condition holds for a case. `None` if the optype has no known condition.
fn holds(
    known: &BTreeMap<&str, Vec<Condition>>,
    (instruction, batch): &(Instruction, Batch),
) -> Option<bool> {
    let conditions = known.get(instruction.optype())?;
    Some(conditions.iter().any(|condition| condition.holds(instruction, batch, 0)))
}

/// Adds the conditions of an optype to its twin, if the twin has none. A finding that merges both
/// can have conditions of one alone.
fn with_twins(conditions: &[FindingCondition]) -> Vec<FindingCondition> {
    let has = |optype: &str| conditions.iter().any(|condition| condition.optype == optype);
    let twins = conditions.iter().filter_map(twin).filter(|twin| !has(&twin.optype));
    conditions.iter().cloned().chain(twins).collect()
}

/// Returns the same condition of the optype that computes the same in the uniform datapath, or
/// outside of it. There, the names of registers begin with `u`. `None` without such an optype.
fn twin(condition: &FindingCondition) -> Option<FindingCondition> {
    let FindingCondition { optype, all, .. } = condition;
    let is_uniform = optype.starts_with('U');
    let name = optype.strip_prefix('U').map_or_else(|| format!("U{optype}"), str::to_owned);
    catalog().optype_named(&name)?;
    let word = |word: &str| match word.strip_prefix('u') {
        Some(rest) if is_uniform && (rest.starts_with('r') || rest.starts_with('p')) => rest.to_owned(),
        None if !is_uniform && is_register(word) => format!("u{word}"),
        _ => word.to_owned(),
    };
    let part = |part: &String| part.split(' ').map(word).collect::<Vec<_>>().join(" ");
    Some(FindingCondition { optype: name, all: all.iter().map(part).collect(), ..condition.clone() })
}

/// Whether a word of a condition names a register operand, such as `rb` or `rb.bitnot`.
fn is_register(word: &str) -> bool {
    let name = word.split('.').next().unwrap_or_default();
    matches!(name.as_bytes(), [b'r' | b'p', letter] if letter.is_ascii_lowercase())
}

fn in_words(case: &FoundCase) -> String {
    let values: Vec<_> =
        case.inputs.iter().map(|(location, value)| format!("{location}={value:#x}")).collect();
    format!("{} with {}", case.asm, values.join(" "))
}

/// Returns the conditions by optype. Conditions that this version cannot parse are left out.
fn by_optype(conditions: &[FindingCondition]) -> BTreeMap<&str, Vec<Condition>> {
    let mut known: BTreeMap<&str, Vec<Condition>> = BTreeMap::new();
    for FindingCondition { optype, all, failing, passing, excluded } in conditions {
        let of_optype = known.entry(optype).or_default();
        of_optype.extend(Condition::parse(optype, all, [*failing, *passing, *excluded]));
    }
    known
}

/// Selects few conditions so that each case meets at least one. Cases that meet no condition are
/// ignored. Conditions that only other cases meet would excuse more than was found.
fn telling(conditions: &[FindingCondition], cases: &[&FoundCase]) -> Vec<FindingCondition> {
    let mut left: Vec<_> = cases.iter().filter_map(|case| read(case)).collect();
    let mut told = Vec::new();
    loop {
        let count = |condition: &FindingCondition| {
            let parsed = by_optype(std::slice::from_ref(condition));
            left.iter().filter(|case| holds(&parsed, case) == Some(true)).count()
        };
        let best = conditions.iter().rev().max_by_key(|condition| count(condition));
        let Some(best) = best.filter(|condition| count(condition) > 0) else { return told };
        let parsed = by_optype(std::slice::from_ref(best));
        left.retain(|case| holds(&parsed, case) != Some(true));
        told.push(best.clone());
    }
}

/// Adds the conditions that are not known yet.
fn merge(known: &mut Vec<FindingCondition>, new: &[FindingCondition]) {
    for condition in new {
        if !known.iter().any(|old| is_same(old, condition)) {
            known.push(condition.clone());
        }
    }
}

/// Whether two conditions have the same optype and the same parts.
pub fn is_same(one: &FindingCondition, other: &FindingCondition) -> bool {
    let parts = |condition: &FindingCondition| condition.all.iter().cloned().collect::<BTreeSet<_>>();
    one.optype == other.optype && parts(one) == parts(other)
}

#[cfg(test)]
mod tests {
    use super::super::entry::{Scope, Status};
    use super::*;

    fn entry(is: Status) -> Entry {
        let scope = Scope { subject: "*".into(), profile: "*".into() };
        Entry { is, because: Some("T1".into()), ..Entry::new("FADD | rd: wrong value", scope, 1, None) }
    }

    fn known() -> Option<Change> {
        Some(Change::Known)
    }

    fn condition(parts: &[&str]) -> FindingCondition {
        let all = parts.iter().map(ToString::to_string).collect();
        FindingCondition { optype: "FADD".into(), all, failing: 9, passing: 0, excluded: 9 }
    }

    fn case(ra: u32, rb: u32) -> FoundCase {
        let text = format!("{{asm: 'FADD R0, R1, R2', inputs: {{R1: {ra}, R2: {rb}}}}}");
        serde_yaml::from_str(&text).expect("a case")
    }

    fn sighting(night: u32, ways: &[(&str, u64)]) -> Sighting {
        let rate = NightRate { night, divergences: 100, events: 100, cases: 1000, grown: false };
        let ways = ways.iter().map(|(way, events)| ((*way).to_owned(), Some(*events))).collect();
        Sighting { ways, rate: Some(rate), ..Sighting::default() }
    }

    const NAN: u32 = 0x7fc0_0000;

    #[test]
    fn a_case_belongs_to_a_known_issue_if_its_condition_holds() {
        let mut issue = entry(Status::New);
        let with = |found: Vec<FoundCase>, parts: &[&str]| Sighting {
            found,
            conditions: vec![condition(parts)],
            ..sighting(1, &[("FADD: value", 100)])
        };
        let parts = ["rb is a NaN", "ra is no NaN"];
        assert_eq!(
            issue.weigh(Some(Change::New), &with(vec![case(1, NAN)], &parts), false),
            Some(Change::New)
        );
        issue.is = Status::Known;
        for (ra, rb) in [(2, NAN), (0x3f80_0000, 0xffff_ffff)] {
            assert_eq!(issue.weigh(known(), &with(vec![case(ra, rb)], &parts), false), known());
        }
        let other = with(vec![case(1, NAN), case(NAN, 2), case(NAN, 3)], &["under rnd RM"]);
        for _ in 0..2 {
            let change = issue.weigh(known(), &other, false);
            let Some(Change::Widened(words)) = change else { panic!("{change:?}") };
            assert_eq!(words, "FADD R0, R1, R2 with R1=0x7fc00000 R2=0x2, and 1 more");
        }
        assert_eq!(
            issue.weigh(Some(Change::Flaky), &other, false).map(|it| it.words()),
            Some("known, and shows in a new way")
        );
        let many = with((0..20).map(|ra| case(ra, 0x3f80_0000)).collect(), &parts);
        let change = issue.weigh(known(), &many, false);
        let Some(Change::Widened(words)) = change else { panic!("{change:?}") };
        assert!(words.ends_with(", and 19 more") && issue.strays.len() == QUOTED, "{words}");
        let unreadable = FoundCase { asm: "FADD".into(), ..case(1, NAN) };
        assert!(matches!(
            issue.weigh(known(), &with(vec![unreadable], &parts), false),
            Some(Change::Widened(_))
        ));
        issue.weigh(known(), &other, false);
        issue.accept();
        let told = with(vec![case(NAN, 2), case(NAN, 3)], &["ra is a NaN"]);
        let mut issue_told = Entry { conditions: vec![condition(&parts)], ..entry(Status::Known) };
        assert!(matches!(issue_told.weigh(known(), &told, false), Some(Change::Widened(_))));
        issue_told.accept();
        assert_eq!(issue_told.conditions.len(), 2);
        assert_eq!(issue_told.weigh(known(), &told, false), known());
        let elsewhere = with(vec![case(1, 2)], &["ra is a NaN"]);
        assert!(matches!(issue_told.weigh(known(), &elsewhere, false), Some(Change::Widened(_))));
        // The cases have no .RM, so the new condition does not hold for them either. Then the
        // optype has no condition.
        assert_eq!(issue.conditions, []);
        assert_eq!(issue.weigh(known(), &other, false), known());
        // After a run without such a case, setting the status again keeps the condition.
        let keys = BTreeSet::from(["FADD: value".to_owned()]);
        let mut doubted = Entry { keys, conditions: vec![condition(&parts)], ..entry(Status::Known) };
        doubted.weigh(known(), &other, false);
        assert_eq!(doubted.weigh(known(), &with(vec![case(1, NAN)], &parts), false), known());
        doubted.accept();
        assert!(matches!(doubted.weigh(known(), &elsewhere, false), Some(Change::Widened(_))));
        assert_eq!(issue.weigh(known(), &other, true), known(), "a rule is about the signature");
    }

    /// A run finds conditions of all cases of a signature. Only the condition of the new cases is
    /// accepted.
    #[test]
    fn a_condition_that_no_new_case_needs_is_not_accepted() {
        let known_one = condition(&["rb is a NaN", "ra is no NaN"]);
        let [wide, own] = [condition(&["rb is a NaN"]), condition(&["ra is a NaN"])];
        let mut issue = Entry { conditions: vec![known_one.clone()], ..entry(Status::Known) };
        let found = vec![case(1, NAN), case(NAN, 2), case(NAN, NAN)];
        let seen =
            Sighting { found, conditions: vec![wide, own.clone()], ..sighting(1, &[("FADD: value", 100)]) };
        assert!(matches!(issue.weigh(known(), &seen, false), Some(Change::Widened(_))));
        issue.accept();
        assert_eq!(issue.conditions, [known_one, own]);
    }

    #[test]
    fn a_condition_that_holds_for_no_divergence_is_unseen() {
        let conditions = vec![condition(&["rb is a NaN"]), condition(&["ra is a NaN", "rb is no NaN"])];
        let issue = Entry { conditions, ..entry(Status::Known) };
        let unseen = |found| issue.unseen_conditions(&Sighting { found, ..sighting(2, &[]) });
        assert_eq!(unseen(vec![case(1, NAN), case(NAN, 1)]), [""; 0]);
        assert_eq!(unseen(vec![case(1, NAN)]), ["FADD where ra is a NaN and rb is no NaN"]);
        assert_eq!(unseen(vec![case(NAN, 1)]), ["FADD where rb is a NaN"]);
        assert_eq!(unseen(Vec::new()), [""; 0], "a run that kept no divergence says nothing");
    }

    #[test]
    fn a_way_that_was_never_seen_is_new_if_chance_does_not_explain_it() {
        let mut issue = entry(Status::New);
        issue.weigh(Some(Change::New), &sighting(1, &[("FADD: value", 100)]), false);
        issue.is = Status::Known;
        let rare = sighting(2, &[("FADD: value", 100), ("FADD: operand 1 +infinity", 3)]);
        assert_eq!(issue.weigh(known(), &rare, false), known());
        let often = sighting(3, &[("FADD: value", 100), ("FADD: operand 1 +infinity", 40)]);
        let way = || Some(Change::Widened("FADD: operand 1 +infinity".into()));
        assert_eq!(issue.weigh(known(), &often, false), way());
        assert_eq!(issue.weigh(known(), &sighting(4, &[("FADD: value", 100)]), false), known());
        assert_eq!(issue.weigh(known(), &often, false), way());
        issue.accept();
        assert_eq!(issue.weigh(known(), &often, false), known());
        // A sweep draws nothing at random, so one case suffices.
        let swept =
            Sighting { ways: BTreeMap::from([("FADD: nan".to_owned(), None)]), ..Sighting::default() };
        assert_eq!(issue.weigh(known(), &swept, false), Some(Change::Widened("FADD: nan".into())));
    }

    /// The issue is known of a sweep. The campaigns of the first night drew none of its cases.
    #[test]
    fn a_first_divergence_in_campaigns_is_compared_with_nights_in_vain() {
        let mut issue = entry(Status::New);
        let in_vain = Sighting { rate: NightRate::of_none(1, 1000), ..Sighting::default() };
        issue.weigh(Some(Change::New), &in_vain, false);
        issue.accept();
        issue.is = Status::Known;
        issue.keys.insert("FADD: value".to_owned());
        let change = issue.weigh(known(), &sighting(2, &[("FADD: value", 100)]), false);
        assert!(matches!(change, Some(Change::Grown(_))), "{change:?}");
    }

    #[test]
    fn a_known_issue_without_a_known_way_excuses_no_way() {
        let mut issue = entry(Status::Known);
        let change = issue.weigh(known(), &sighting(1, &[("FADD: value", 100)]), false);
        assert!(matches!(change, Some(Change::Widened(_))), "{change:?}");
        issue.accept();
        assert_eq!(issue.weigh(known(), &sighting(2, &[("FADD: value", 100)]), false), known());
    }

    /// A condition of UPOPC holds for POPC, with the names of its operands. If a divergence outside
    /// of it is accepted, it no longer counts.
    #[test]
    fn a_condition_is_also_one_of_the_twin() {
        let case = |asm: &str| -> FoundCase {
            let input = if asm.starts_with('U') { "UR1" } else { "R1" };
            serde_yaml::from_str(&format!("{{asm: '{asm}', inputs: {{{input}: 9}}}}")).expect("a case")
        };
        let found = vec![case("POPC R0, R1"), case("POPC R0, ~R1"), case("UPOPC UR0, UR1")];
        let sighting = Sighting { found, ..sighting(2, &[]) };
        let upopc = FindingCondition { optype: "UPOPC".into(), ..condition(&["with urb.bitnot"]) };
        let popc = FindingCondition { optype: "POPC".into(), ..condition(&["with rb.bitnot"]) };
        for one in [upopc, popc] {
            let mut issue = Entry { conditions: vec![one], ..entry(Status::Known) };
            let outside: Vec<&str> = issue.outside(&sighting).iter().map(|case| case.asm.as_str()).collect();
            assert_eq!(outside, ["POPC R0, R1", "UPOPC UR0, UR1"]);
            let change = issue.weigh(known(), &sighting, false);
            assert!(matches!(change, Some(Change::Widened(_))), "{change:?}");
            issue.accept();
            assert_eq!(issue.outside(&sighting), Vec::<&FoundCase>::new());
        }
        assert_eq!(twin(&condition(&["rb is a NaN"])), None, "there is no UFADD");
    }

    /// Two bugs have two conditions. If one of them is fixed, a case of the other one is no new bug. A
    /// condition that both cases meet does not tell them apart.
    #[test]
    fn a_case_of_another_accepted_condition_is_known() {
        let two = vec![condition(&["rb is a NaN"]), condition(&["ra is a NaN"])];
        let issue = Entry { conditions: two, ..entry(Status::Known) };
        for (old, new, is_known) in [
            (case(1, NAN), case(NAN, 1), true),
            (case(NAN, NAN), case(NAN, 1), true),
            (case(1, NAN), case(NAN, NAN), false),
            (case(1, NAN), case(2, NAN), false),
            (case(1, NAN), case(1, 1), false),
        ] {
            assert_eq!(issue.is_of_another_condition(&old, &new), is_known, "{old:?} {new:?}");
        }
    }

    /// A bug with an explanation is identified by it, and not by its case. A condition alone can hold
    /// for another bug, too.
    #[test]
    fn an_issue_with_a_symptom_alone_is_known_by_its_case() {
        for (signature, is_by_case) in [
            ("POPC | rd: wrong value", true),
            ("POPC | declined", true),
            ("POPC and UPOPC | only in lane 31 of each 32", true),
            ("POPC | where the number of rb is 128 or more", true),
            ("FMUL | device crashed under intended with E056=2", true),
            ("FADD | sat always acts as NoSAT under rnd RP", false),
            ("FADD | acts under E179=1", false),
        ] {
            let mut issue = Entry { signature: signature.into(), ..entry(Status::Known) };
            assert_eq!(issue.is_known_by_its_case(), is_by_case, "{signature}");
            issue.conditions = vec![condition(&["rb is a NaN"])];
            assert_eq!(issue.is_known_by_its_case(), is_by_case, "{signature}");
        }
        assert!(!entry(Status::New).is_known_by_its_case());
    }

    /// A rule excuses new signatures. It excuses a regression only after the rule is set again.
    #[test]
    fn a_rule_that_is_set_again_excuses_a_regression() {
        let mut issue = Entry { last: 4, ..entry(Status::Fixed) };
        issue.accept_by_rule(5);
        assert_eq!(issue.is, Status::Fixed);
        issue.accept_by_rule(4);
        assert_eq!(issue.is, Status::New);
    }

    #[test]
    fn a_known_issue_that_shows_more_often_has_grown_until_that_is_accepted() {
        let mut issue = entry(Status::New);
        issue.weigh(Some(Change::New), &sighting(1, &[("FADD: value", 100)]), false);
        issue.is = Status::Known;
        let often = |night: u32| {
            let rate = NightRate { night, divergences: 900, events: 900, cases: 1000, grown: false };
            Sighting { rate: Some(rate), ..sighting(night, &[("FADD: value", 900)]) }
        };
        for (night, by_rule) in [(2, false), (3, true)] {
            let change = issue.weigh(known(), &often(night), by_rule);
            assert!(matches!(change, Some(Change::Grown(_))), "{change:?}");
        }
        // A growth that was not accepted fails every later run, because its rate is not used for
        // comparison.
        for night in 4..50 {
            let change = issue.weigh(known(), &often(night), false);
            assert!(matches!(change, Some(Change::Grown(_))), "night {night}: {change:?}");
        }
        issue.accept();
        assert_eq!(issue.weigh(known(), &often(50), false), known());
    }
}
