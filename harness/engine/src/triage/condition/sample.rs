//! Cases with their facts and outcomes.

use std::collections::BTreeSet;
use std::rc::Rc;

use assay_isa::{Batch, Instruction, Source};

use super::fact::{Fact, FactLanes, SourceKind, ValueTest};

/// A fact that holds in all failing cases, or in no failing case.
#[derive(Clone, Copy, Debug)]
pub struct SharedFact {
    /// Index of the fact in the sample.
    nth: usize,
    /// The fact.
    pub fact: Fact,
    /// Whether the fact holds in all failing cases. Otherwise, it holds in no failing case.
    pub holds: bool,
}

/// Cases of an optype.
pub struct CaseSample {
    facts: Vec<Fact>,
    /// For each fact, whether it holds in each failing case.
    failing: Vec<Vec<bool>>,
    /// For each fact, whether it holds in each passing case.
    passing: Rc<Vec<Vec<bool>>>,
    /// The instruction word of each failing case. `distinct` is the number of different instruction
    /// words.
    words: Vec<u128>,
    distinct: usize,
    /// For each input, the lowest word of its drawn value in each failing case. `None` if the value
    /// is part of the instruction.
    drawn: Vec<Vec<Option<u32>>>,
    /// For each fact that depends only on the instruction: whether it holds, for each instruction
    /// without a failing case.
    sound: Rc<Vec<Vec<bool>>>,
    /// For each input, the number of passing instruction words in which it is a literal. All cases
    /// of one instruction word have the same literal.
    literals: Vec<usize>,
}

impl CaseSample {
    /// Returns a sample without cases.
    pub fn new(optype: &str) -> CaseSample {
        let facts = Fact::of_optype(optype);
        let none = vec![Vec::new(); facts.len()];
        CaseSample {
            failing: none.clone(),
            sound: Rc::new(none.clone()),
            passing: Rc::new(none),
            facts,
            words: Vec::new(),
            distinct: 0,
            drawn: Vec::new(),
            literals: Vec::new(),
        }
    }

    /// Adds the lanes of a batch whose outcome is known. An outcome is true if the lane fails.
    pub fn add(&mut self, instruction: &Instruction, batch: &Batch, outcomes: &[Option<bool>]) {
        let is_sound = !outcomes.contains(&Some(true)) && outcomes.contains(&Some(false));
        let (passing, sound) = (Rc::make_mut(&mut self.passing), Rc::make_mut(&mut self.sound));
        for (nth, fact) in self.facts.iter().enumerate() {
            let lanes = fact.lanes(instruction, batch);
            if let (FactLanes::Same(holds), true) = (&lanes, is_sound) {
                sound[nth].push(*holds);
            }
            for (lane, fails) in outcomes.iter().enumerate() {
                let holds = match &lanes {
                    FactLanes::Same(holds) => *holds,
                    FactLanes::Each(lanes) => lanes[lane],
                };
                match fails {
                    Some(true) => self.failing[nth].push(holds),
                    Some(false) => passing[nth].push(holds),
                    None => {}
                }
            }
        }
        let failing = outcomes.iter().filter(|fails| **fails == Some(true)).count();
        let is_new = failing > 0 && !self.words.contains(&batch.word());
        self.distinct += usize::from(is_new);
        let before = self.words.len();
        self.words.resize(before + failing, batch.word());
        for (nth, operand) in instruction.inputs().enumerate() {
            if self.drawn.len() <= nth {
                self.drawn.push(vec![None; before]);
                self.literals.push(0);
            }
            let is_literal = matches!(operand.source, Source::Imm(_));
            self.literals[nth] += usize::from(is_literal && failing == 0 && outcomes.contains(&Some(false)));
            let column = operand.source.location().and_then(|location| batch.column(location));
            let of_lane = |(lane, fails): (usize, &Option<bool>)| {
                (*fails == Some(true)).then(|| column.map(|column| column[lane]))
            };
            self.drawn[nth].extend(outcomes.iter().enumerate().filter_map(of_lane));
        }
        // If the instruction has fewer inputs, the remaining inputs have no value.
        self.drawn.iter_mut().for_each(|drawn| drawn.resize(before + failing, None));
    }

    /// Returns the sample with only the failing cases in which the fact `nth` holds. If `holds` is
    /// false, keeps the failing cases in which it does not hold.
    fn with_failing(&self, nth: usize, holds: bool) -> CaseSample {
        let chosen = || self.failing[nth].iter().map(|case| *case == holds);
        let only = |cases: &Vec<bool>| {
            cases.iter().zip(chosen()).filter(|(_, it)| *it).map(|(case, _)| *case).collect()
        };
        let chosen_of = |values: &Vec<Option<u32>>| -> Vec<Option<u32>> {
            values.iter().zip(chosen()).filter(|(_, it)| *it).map(|(value, _)| *value).collect()
        };
        let words: Vec<u128> =
            self.words.iter().zip(chosen()).filter(|(_, it)| *it).map(|(word, _)| *word).collect();
        CaseSample {
            facts: self.facts.clone(),
            failing: self.failing.iter().map(only).collect(),
            passing: self.passing.clone(),
            sound: self.sound.clone(),
            distinct: words.iter().collect::<BTreeSet<_>>().len(),
            words,
            drawn: self.drawn.iter().map(chosen_of).collect(),
            literals: self.literals.clone(),
        }
    }

    /// For each fact, returns a sample with the failing cases in which it holds, and a sample with
    /// the other failing cases. If either sample has fewer than `least` failing cases, the fact is
    /// left out.
    pub fn halves(&self, least: usize) -> impl Iterator<Item = [CaseSample; 2]> + '_ {
        let is_told = move |nth: &usize| {
            let there = self.failing[*nth].iter().filter(|case| **case).count();
            there >= least && self.failing() - there >= least
        };
        (0..self.facts.len())
            .filter(is_told)
            .map(|nth| [true, false].map(|holds| self.with_failing(nth, holds)))
    }

    /// Number of failing cases.
    pub fn failing(&self) -> usize {
        self.failing.first().map_or(0, Vec::len)
    }

    /// Number of passing cases.
    pub fn passing(&self) -> usize {
        self.passing.first().map_or(0, Vec::len)
    }

    /// Returns the facts that hold in all failing cases, then the facts that hold in no failing
    /// case. Empty if no case fails. The contrary of the fact "is a power of two" is left out.
    /// Powers of two are rare, so it nearly always holds.
    pub fn shared(&self) -> Vec<SharedFact> {
        let of = |holds: bool| {
            let all = self.facts.iter().zip(&self.failing).enumerate();
            let shared = all.filter(move |(_, (fact, cases))| {
                let is_told = holds || !matches!(fact, Fact::Value(_, ValueTest::PowerOfTwo));
                is_told && !cases.is_empty() && cases.iter().all(|case| *case == holds)
            });
            shared.map(move |(nth, (fact, _))| SharedFact { nth, fact: *fact, holds })
        };
        of(true).chain(of(false)).collect()
    }

    /// Whether a passing case agrees with the failing cases in a fact.
    pub fn has(&self, shared: &SharedFact, case: usize) -> bool {
        self.passing[shared.nth][case] == shared.holds
    }

    /// Returns the certainty of a fact: -ln(p), where p is the probability that all failing cases
    /// have the fact by chance. `left` is the share of passing cases with the fact.
    pub fn certainty(&self, shared: &SharedFact, left: f64) -> f64 {
        match shared.fact {
            // The values of a register differ from lane to lane. A literal does not, so it hardly
            // ever is the rare value with which a case fails.
            Fact::Source(nth, SourceKind::Literal) if !shared.holds => {
                let all = self.failing() + self.passing();
                let share = self.failing() as f64 / all as f64;
                self.literals.get(nth).map_or(0.0, |words| *words as f64 * share)
            }
            // Many passing cases have the same instruction, and so the same modifiers, as failing
            // cases. So the share among the instructions without a failing case is used, too.
            Fact::Modifier(..) | Fact::Prefix(..) => {
                let instructions = &self.sound[shared.nth];
                let with = instructions.iter().filter(|holds| **holds == shared.holds).count();
                let share = (with as f64).max(0.5) / instructions.len() as f64;
                let left = if instructions.is_empty() { left } else { left.min(share) };
                self.distinct as f64 * -left.ln()
            }
            fact => self.variety(fact) as f64 * -left.ln(),
        }
    }

    /// Returns the number of independent draws of a fact in the failing cases: the number of drawn
    /// values, or of different instructions.
    fn variety(&self, fact: Fact) -> usize {
        match fact {
            Fact::Value(word, test) => {
                let Some(cases) = self.drawn.get(word.nth) else { return 0 };
                let drawn = cases.iter().flatten();
                let drawn = match test {
                    // Many cases around one case keep its value, so equal values count as one draw.
                    ValueTest::AtLeast(_) => drawn.collect::<BTreeSet<_>>().len(),
                    _ => drawn.count(),
                };
                let literals = cases.iter().zip(&self.words).filter(|(value, _)| value.is_none());
                drawn.max(literals.map(|(_, word)| word).collect::<BTreeSet<_>>().len())
            }
            _ => self.distinct,
        }
    }
}
