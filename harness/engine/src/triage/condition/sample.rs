//! Cases with their facts and outcomes.

use std::collections::BTreeSet;

use assay_isa::{Batch, Instruction, Source};

use super::fact::{Fact, FactLanes, SourceKind, ValueTest};

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
    /// For each input, the number of passing words in which it is a literal. All cases of such a word have one value of it.
    literals: Vec<usize>,
}

impl CaseSample {
    /// A sample without a case.
    pub fn new(optype: &str) -> CaseSample {
        let facts = Fact::of_optype(optype);
        let none = vec![Vec::new(); facts.len()];
        CaseSample {
            failing: none.clone(),
            passing: none,
            facts,
            words: BTreeSet::new(),
            drawn: Vec::new(),
            literals: Vec::new(),
        }
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
                self.literals.push(0);
            }
            let is_literal = matches!(operand.source, Source::Imm(_));
            self.literals[nth] += usize::from(is_literal && failing == 0 && outcomes.contains(&Some(false)));
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

    /// The facts that all failing cases share: first those that hold in them. None if no case fails. Of the values between two bounds
    /// hardly one is a power of two, so that none of them is says nothing.
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

    /// Whether a passing case shares a fact, too.
    pub fn has(&self, shared: &SharedFact, case: usize) -> bool {
        self.passing[shared.nth][case] == shared.holds
    }

    /// How surely chance would not have given a fact to all failing cases, as the negative logarithm of that chance: a share
    /// `left` of the passing cases has it.
    pub fn certainty(&self, shared: &SharedFact, left: f64) -> f64 {
        match shared.fact {
            // The values of a register differ from lane to lane, so a rare value hardly ever is a literal.
            Fact::Source(nth, SourceKind::Literal) if !shared.holds => {
                let all = self.failing() + self.passing();
                let share = self.failing() as f64 / all as f64;
                self.literals.get(nth).map_or(0.0, |words| *words as f64 * share)
            }
            fact => self.variety(fact) as f64 * -left.ln(),
        }
    }

    /// How often the failing cases could have differed in what a fact is about: their values, or their instructions.
    fn variety(&self, fact: Fact) -> usize {
        match fact {
            Fact::Value(word, _) => self.drawn.get(word.nth).map_or(0, |drawn| *drawn.max(&self.words.len())),
            _ => self.words.len(),
        }
    }
}
