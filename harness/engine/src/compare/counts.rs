//! Counts cases by verdict.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::compare::judge::Verdicts;

/// Number of cases by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Counts {
    /// Cases that have exactly the required effect, or a result that is right without a measured
    /// error.
    pub exact: u64,
    /// Cases with a measured error within the bound of the contract.
    pub within: u64,
    /// Cases with an effect that the contract does not allow.
    pub diverged: u64,
    /// Cases whose result the specification leaves undefined.
    pub undefined: u64,
    /// Cases with arguments for which the contract has no bound.
    pub unjudged: u64,
    /// Cases that the subject or the oracle does not support, without those in `undeclared`.
    pub unsupported: u64,
    /// Cases that diverged, and whose divergence the user waived.
    pub waived: u64,
    /// Cases that a device without declared modes answered with `unsupported`.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub undeclared: u64,
}

/// Returns whether a count is zero, so that it is left out of a result.
pub(crate) fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Counts {
    /// Returns the number of all cases.
    pub fn total(&self) -> u64 {
        self.exact
            + self.within
            + self.diverged
            + self.undefined
            + self.unjudged
            + self.unsupported
            + self.waived
            + self.undeclared
    }

    /// Returns each count with its name.
    pub fn each(&self) -> [(&'static str, u64); 8] {
        let Counts { exact, within, diverged, undefined, unjudged, unsupported, undeclared, waived } = *self;
        [
            ("exact", exact),
            ("within", within),
            ("diverged", diverged),
            ("undefined", undefined),
            ("unjudged", unjudged),
            ("unsupported", unsupported),
            ("undeclared", undeclared),
            ("waived", waived),
        ]
    }

    /// Returns the number of cases that could hold or diverge: exact, within, diverged and waived.
    pub fn judged(&self) -> u64 {
        self.exact + self.within + self.diverged + self.waived
    }

    /// Returns the number of cases that an implementation did not support: unsupported and
    /// undeclared.
    pub fn not_executed(&self) -> u64 {
        self.unsupported + self.undeclared
    }

    pub(crate) fn of(verdicts: &Verdicts) -> Counts {
        let Verdicts { lanes, within, unjudged, diverged, undefined, .. } = verdicts;
        let counts = Counts {
            within: within.len() as u64,
            diverged: diverged.len() as u64,
            undefined: undefined.len() as u64,
            unjudged: unjudged.len() as u64,
            ..Counts::default()
        };
        Counts { exact: *lanes as u64 - counts.total(), ..counts }
    }

    /// Adds other counts.
    pub fn merge(&mut self, other: &Counts) {
        self.exact += other.exact;
        self.within += other.within;
        self.diverged += other.diverged;
        self.undefined += other.undefined;
        self.unjudged += other.unjudged;
        self.unsupported += other.unsupported;
        self.waived += other.waived;
        self.undeclared += other.undeclared;
    }
}

#[cfg(test)]
mod tests {
    use assay_isa::Erratum;

    use super::*;
    use crate::compare::judge::{Divergence, DivergenceKind, Error};

    /// All counts differ, so that a swap of two is noticed.
    const EACH: Counts = Counts {
        exact: 1,
        within: 2,
        diverged: 4,
        undefined: 8,
        unjudged: 16,
        unsupported: 32,
        waived: 64,
        undeclared: 128,
    };

    #[test]
    fn sums_have_each_count_once() {
        assert_eq!((EACH.total(), EACH.judged()), (255, 1 + 2 + 4 + 64));
        assert_eq!(EACH.each().iter().map(|(_, count)| count).sum::<u64>(), 255);
        for (name, count) in EACH.each() {
            let value = serde_json::to_value(EACH).expect("counts are JSON");
            assert_eq!(value[name], count, "{name}");
        }
        let mut thrice = EACH;
        (0..2).for_each(|_| thrice.merge(&EACH));
        assert!(
            thrice.each().iter().zip(EACH.each()).all(|((_, three), (_, one))| *three == 3 * one),
            "{thrice:?}"
        );
    }

    #[test]
    fn lanes_without_a_verdict_of_their_own_are_exact() {
        let error = Error { floor: 1, exact: true, correctly_rounded: false };
        let divergence = Divergence { kind: DivergenceKind::Value, location: None, error: None };
        let verdicts = Verdicts {
            lanes: 100,
            within: vec![(0, error); 2],
            unjudged: vec![(2, error); 3],
            diverged: vec![(5, divergence); 4],
            undefined: vec![(9, Erratum(35)); 5],
            ..Verdicts::default()
        };
        let expected =
            Counts { exact: 86, within: 2, unjudged: 3, diverged: 4, undefined: 5, ..Counts::default() };
        assert_eq!(Counts::of(&verdicts), expected);
    }

    #[test]
    fn none_undeclared_is_left_out_of_the_file() {
        let of = |undeclared| serde_json::to_value(Counts { undeclared, ..EACH }).expect("counts are JSON");
        assert!(of(0).get("undeclared").is_none());
        assert_eq!(of(1)["undeclared"], 1);
        assert_eq!(serde_json::from_value::<Counts>(of(0)).expect("it reads back").undeclared, 0);
    }
}
