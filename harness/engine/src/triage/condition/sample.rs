//! Cases with their facts and outcomes.

use std::collections::BTreeSet;

use assay_isa::{Batch, Instruction};

use super::fact::{Fact, FactLanes};

/// A fact that all failing cases share, or whose contrary they share.
#[derive(Clone, Copy, Debug)]
pub struct SharedFact {
    /// Its place among the facts.
    nth: usize,
    /// The fact.
    pub fact: Fact,
    /// Whether it holds in them.
    pub holds: bool,
}

/// Cases of an optype.
pub struct CaseSample {
    facts: Vec<Fact>,
    /// For each fact, whether it holds in each failing case.
    failing: Vec<Vec<bool>>,
    /// The same of each passing case.
    passing: Vec<Vec<bool>>,
    /// The words of the failing cases.
    words: BTreeSet<u128>,
    /// For each input, the number of failing cases in which its value was drawn: it is not part of the instruction.
    drawn: Vec<usize>,
}

impl CaseSample {
    /// A sample without a case.
    pub fn new(optype: &str) -> CaseSample {
        let facts = Fact::of_optype(optype);
        let none = vec![Vec::new(); facts.len()];
        CaseSample { failing: none.clone(), passing: none, facts, words: BTreeSet::new(), drawn: Vec::new() }
    }

    /// Adds the lanes of a batch whose outcome is known: whether each fails.
    pub fn add(&mut self, instruction: &Instruction, batch: &Batch, outcomes: &[Option<bool>]) {
        for (nth, fact) in self.facts.iter().enumerate() {
            let lanes = fact.lanes(instruction, batch);
            for (lane, fails) in outcomes.iter().enumerate() {
                let holds = match &lanes {
                    FactLanes::Same(holds) => *holds,
                    FactLanes::Each(lanes) => lanes[lane],
                };
                match fails {
                    Some(true) => self.failing[nth].push(holds),
                    Some(false) => self.passing[nth].push(holds),
                    None => {}
                }
            }
        }
        let failing = outcomes.iter().filter(|fails| **fails == Some(true)).count();
        if failing > 0 {
            self.words.insert(batch.word());
        }
        for (nth, operand) in instruction.inputs().enumerate() {
            if self.drawn.len() <= nth {
                self.drawn.push(0);
            }
            self.drawn[nth] += if operand.source.location().is_some() { failing } else { 0 };
        }
    }

    /// Number of failing cases.
    pub fn failing(&self) -> usize {
        self.failing.first().map_or(0, Vec::len)
    }

    /// Number of passing cases.
    pub fn passing(&self) -> usize {
        self.passing.first().map_or(0, Vec::len)
    }

    /// The facts that all failing cases share: first those that hold in them. None if no case fails.
    pub fn shared(&self) -> Vec<SharedFact> {
        let of = |holds: bool| {
            let all = self.facts.iter().zip(&self.failing).enumerate();
            let shared = all
                .filter(move |(_, (_, cases))| !cases.is_empty() && cases.iter().all(|case| *case == holds));
            shared.map(move |(nth, (fact, _))| SharedFact { nth, fact: *fact, holds })
        };
        of(true).chain(of(false)).collect()
    }

    /// Whether a passing case shares a fact, too.
    pub fn has(&self, shared: &SharedFact, case: usize) -> bool {
        self.passing[shared.nth][case] == shared.holds
    }

    /// How often the failing cases could have differed in what a fact is about: their values, or their instructions.
    pub fn variety(&self, fact: Fact) -> usize {
        match fact {
            Fact::Value(word, _) => self.drawn.get(word.nth).map_or(0, |drawn| *drawn.max(&self.words.len())),
            _ => self.words.len(),
        }
    }
}
