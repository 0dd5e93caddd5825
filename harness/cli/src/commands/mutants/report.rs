//! What became of the mutants, by family.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::hunt::{Caught, Known};
use super::mutant::{Mutant, families};
use crate::commands::run_record::rounded;

/// What became of a mutant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// Caught by the contracts.
    Killed,
    /// Caught only as different from what is sound.
    WithinContract,
    /// Not caught, as its proof says.
    Equivalent,
    /// Caught, although a proof says that nothing can.
    Disproved,
    /// Not caught.
    Survived,
}

impl Fate {
    fn of(mutant: &Mutant, known: &Known) -> Fate {
        match (mutant.equivalent, known.contract, known.bits) {
            (Some(_), None, None) => Fate::Equivalent,
            (Some(_), ..) => Fate::Disproved,
            (None, Some(_), _) => Fate::Killed,
            (None, None, Some(_)) => Fate::WithinContract,
            (None, None, None) => Fate::Survived,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Fate::Killed => "killed",
            Fate::WithinContract => "within_contract",
            Fate::Equivalent => "equivalent",
            Fate::Disproved => "disproved",
            Fate::Survived => "survived",
        }
    }
}

/// A finished run.
pub struct Report<'a> {
    cases: Vec<(&'a Mutant, Known, Fate)>,
    seconds: f64,
}

/// What became of some mutants, in numbers.
#[derive(Default)]
struct Counts {
    total: usize,
    fates: BTreeMap<&'static str, usize>,
    /// By the name of the check, how many it caught: by contract, or bit for bit where no contract did.
    checks: BTreeMap<&'static str, usize>,
    cases: Vec<u64>,
    seconds: Vec<f64>,
}

impl Counts {
    fn add(&mut self, known: &Known, fate: Fate) {
        self.total += 1;
        *self.fates.entry(fate.name()).or_default() += 1;
        // What lies within the contract was hunted to the end; how soon the sound model told is another matter.
        if let Some(Caught { check, case, seconds }) = known.contract.or(known.bits) {
            *self.checks.entry(check).or_default() += 1;
            self.cases.push(case + 1);
            self.seconds.push(seconds);
        }
    }

    fn of(&self, fate: Fate) -> usize {
        self.fates.get(fate.name()).copied().unwrap_or_default()
    }

    /// Caught in whatever way.
    fn caught(&self) -> usize {
        self.cases.len()
    }

    fn json(&mut self) -> Value {
        let ([cases, most_cases], [seconds, most_seconds]) =
            (middle(&mut self.cases), middle(&mut self.seconds));
        json!({
            "total": self.total,
            "killed": self.of(Fate::Killed),
            "killed_bit_exact": self.caught(),
            "within_contract": self.of(Fate::WithinContract),
            "equivalent": self.of(Fate::Equivalent),
            "survivors": self.of(Fate::Survived) + self.of(Fate::Disproved),
            "checks": self.checks,
            "cases_to_kill": { "median": cases, "max": most_cases },
            "seconds_to_kill": { "median": rounded(seconds, 6), "max": rounded(most_seconds, 6) },
        })
    }
}

/// Median and maximum.
fn middle<T: Copy + Default + PartialOrd>(values: &mut [T]) -> [T; 2] {
    values.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    let at = |place: usize| values.get(place).copied().unwrap_or_default();
    [at(values.len() / 2), values.last().copied().unwrap_or_default()]
}

impl<'a> Report<'a> {
    /// Sums up a run.
    pub fn new(mutants: &'a [Mutant], known: Vec<Known>, seconds: f64) -> Report<'a> {
        let cases =
            mutants.iter().zip(known).map(|(mutant, known)| (mutant, known, Fate::of(mutant, &known)));
        Report { cases: cases.collect(), seconds }
    }

    /// Whether every fault was caught, but for those that nothing can catch.
    pub fn holds(&self) -> bool {
        self.cases.iter().all(|(.., fate)| !matches!(fate, Fate::Survived | Fate::Disproved))
    }

    fn counts(&self, of: impl Fn(&Mutant) -> bool) -> Counts {
        let mut counts = Counts::default();
        self.cases
            .iter()
            .filter(|(mutant, ..)| of(mutant))
            .for_each(|(_, known, fate)| counts.add(known, *fate));
        counts
    }

    fn families(&self) -> impl Iterator<Item = (&'static str, Counts)> + '_ {
        let counts = |family| (family, self.counts(|mutant| mutant.family == family));
        families().map(counts).filter(|(_, counts)| counts.total > 0)
    }

    fn names(&self, fate: Fate) -> Vec<&str> {
        self.cases.iter().filter(|(.., f)| *f == fate).map(|(mutant, ..)| mutant.name.as_str()).collect()
    }

    /// As text.
    pub fn text(&self) -> String {
        let head = ["faults", "by contract", "bit for bit", "within", "equivalent", "left"];
        let mut page = format!("{:<18}", "family");
        head.iter().for_each(|name| page += &format!(" {name:>11}"));
        page += &format!(" {:>10} {:>10}   checks\n", "median", "slowest");
        let mut all = self.counts(|_| true);
        for (family, mut counts) in self.families() {
            page += &row(family, &mut counts);
        }
        page += &row("all", &mut all);
        for (mutant, _, fate) in &self.cases {
            match fate {
                Fate::Survived => page += &format!("SURVIVED {}: {}\n", mutant.name, mutant.about),
                Fate::Disproved => {
                    page += &format!(
                        "CAUGHT, although listed as equivalent: {}: {}\n",
                        mutant.name, mutant.about
                    );
                }
                _ => {}
            }
        }
        let left = all.of(Fate::Survived) + all.of(Fate::Disproved);
        page += &format!(
            "{} faults: {} killed, {} within the contract, {} equivalent, {left} left; {:.1} s\n",
            all.total,
            all.of(Fate::Killed),
            all.of(Fate::WithinContract),
            all.of(Fate::Equivalent),
            self.seconds
        );
        page
    }

    /// As JSON.
    pub fn json(&self) -> Value {
        let mut all = self.counts(|_| true);
        let mut survivors = self.names(Fate::Survived);
        survivors.extend(self.names(Fate::Disproved));
        let families: Map<String, Value> =
            self.families().map(|(family, mut counts)| (family.to_owned(), counts.json())).collect();
        let Value::Object(mut page) = all.json() else { return Value::Null };
        page.insert("within_contract".into(), json!(self.names(Fate::WithinContract)));
        page.insert("equivalent".into(), json!(self.names(Fate::Equivalent)));
        page.insert("survivors".into(), json!(survivors));
        page.insert("families".into(), Value::Object(families));
        page.insert(
            "mutants".into(),
            self.cases.iter().map(|(m, known, fate)| mutant(m, known, *fate)).collect(),
        );
        page.insert("seconds".into(), json!(rounded(self.seconds, 3)));
        Value::Object(page)
    }
}

fn row(name: &str, counts: &mut Counts) -> String {
    let left = counts.of(Fate::Survived) + counts.of(Fate::Disproved);
    let numbers = [
        counts.total,
        counts.of(Fate::Killed),
        counts.caught(),
        counts.of(Fate::WithinContract),
        counts.of(Fate::Equivalent),
        left,
    ];
    let mut line = format!("{name:<18}");
    numbers.iter().for_each(|number| line += &format!(" {number:>11}"));
    let [median, most] = middle(&mut counts.seconds);
    let mut checks: Vec<(usize, &str)> =
        counts.checks.iter().map(|(check, count)| (*count, *check)).collect();
    checks.sort_by_key(|(count, check)| (std::cmp::Reverse(*count), *check));
    let checks: Vec<String> = checks.iter().map(|(count, check)| format!("{check} {count}")).collect();
    line + &format!(" {:>7.2} ms {:>7.0} ms   {}\n", median * 1e3, most * 1e3, checks.join(", "))
}

fn mutant(mutant: &Mutant, known: &Known, fate: Fate) -> Value {
    let caught = |caught: &Option<Caught>| {
        caught.map(|Caught { check, case, seconds }| {
            json!({ "check": check, "first_case": case, "seconds": rounded(seconds, 6) })
        })
    };
    json!({
        "name": mutant.name, "optype": mutant.optype, "family": mutant.family, "fate": fate.name(),
        "contract": caught(&known.contract), "bit_exact": caught(&known.bits), "cases": known.cases,
        "proof": mutant.equivalent,
    })
}
