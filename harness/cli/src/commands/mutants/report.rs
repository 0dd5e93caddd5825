//! What became of the mutants, by layer and family. There is no sum over layers: the codec has many times the faults of all
//! others, so that a sum would tell of little else.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::mutant::{Layer, Mutant, families};
use super::outcome::{Caught, Known};
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
    faults: usize,
    fates: BTreeMap<&'static str, usize>,
    /// By the name of the check, how many it caught: by contract, or bit for bit where no contract did.
    checks: BTreeMap<&'static str, usize>,
    cases: Vec<u64>,
    seconds: Vec<f64>,
}

impl Counts {
    fn add(&mut self, known: &Known, fate: Fate) {
        self.faults += 1;
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

    /// Not caught, or caught although a proof says that nothing can.
    fn left(&self) -> usize {
        self.of(Fate::Survived) + self.of(Fate::Disproved)
    }

    /// Caught in whatever way.
    fn caught(&self) -> usize {
        self.cases.len()
    }

    fn json(&mut self, layer: Layer, family: &str) -> Value {
        let ([cases, most_cases], [seconds, most_seconds]) =
            (middle(&mut self.cases), middle(&mut self.seconds));
        json!({
            "layer": layer.name(),
            "family": family,
            "faults": self.faults,
            "killed": self.of(Fate::Killed),
            "killed_bit_exact": self.caught(),
            "within_contract": self.of(Fate::WithinContract),
            "equivalent": self.of(Fate::Equivalent),
            "survivors": self.left(),
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

    /// What became of each family of each layer, the layers in their order.
    fn families(&self) -> impl Iterator<Item = (Layer, &'static str, Counts)> + '_ {
        let pairs = Layer::ALL.into_iter().flat_map(|layer| families().map(move |family| (layer, family)));
        let counts = |(layer, family)| {
            (layer, family, self.counts(|mutant| mutant.layer == layer && mutant.family == family))
        };
        pairs.map(counts).filter(|(.., counts)| counts.faults > 0)
    }

    fn names(&self, fate: Fate) -> Vec<&str> {
        self.cases.iter().filter(|(.., f)| *f == fate).map(|(mutant, ..)| mutant.name.as_str()).collect()
    }

    /// As text.
    pub fn text(&self) -> String {
        let head = ["faults", "by contract", "bit for bit", "within", "equivalent", "left"];
        let mut page = String::new();
        let mut above = None;
        for (layer, family, mut counts) in self.families() {
            if above.replace(layer) != Some(layer) {
                page += &format!("{:<18}", layer.name());
                head.iter().for_each(|name| page += &format!(" {name:>11}"));
                page += &format!(" {:>10} {:>10}   checks\n", "median", "slowest");
            }
            page += &row(&format!("  {family}"), &mut counts);
        }
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
        let left = self.counts(|_| true).left();
        let left = if left == 0 { "no fault is left".to_owned() } else { format!("{left} faults are left") };
        page + &format!("{left}; {:.1} s\n", self.seconds)
    }

    /// As JSON.
    pub fn json(&self) -> Value {
        let mut survivors = self.names(Fate::Survived);
        survivors.extend(self.names(Fate::Disproved));
        let families = self.families().map(|(layer, family, mut counts)| counts.json(layer, family));
        json!({
            "families": families.collect::<Vec<_>>(),
            "within_contract": self.names(Fate::WithinContract),
            "equivalent": self.names(Fate::Equivalent),
            "survivors": survivors,
            "mutants": self.cases.iter().map(|(m, known, fate)| mutant(m, known, *fate)).collect::<Vec<_>>(),
            "seconds": rounded(self.seconds, 3),
        })
    }
}

fn row(name: &str, counts: &mut Counts) -> String {
    let numbers = [
        counts.faults,
        counts.of(Fate::Killed),
        counts.caught(),
        counts.of(Fate::WithinContract),
        counts.of(Fate::Equivalent),
        counts.left(),
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
        "name": mutant.name, "optype": mutant.optype, "layer": mutant.layer.name(), "family": mutant.family, "fate": fate.name(),
        "contract": caught(&known.contract), "bit_exact": caught(&known.bits), "cases": known.cases,
        "proof": mutant.equivalent,
    })
}
