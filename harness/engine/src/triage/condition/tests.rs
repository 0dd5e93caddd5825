//! Each fact has a text of its own, so that a text identifies one fact.

use std::collections::BTreeSet;

use assay_isa::catalog;

use super::*;

#[test]
fn words_name_one_fact_of_an_optype() {
    let optypes: BTreeSet<&str> = catalog().forms.iter().map(|form| form.optype.name).collect();
    for optype in optypes {
        let mut seen = BTreeSet::new();
        for fact in Fact::of_optype(optype) {
            for holds in [true, false] {
                let words = fact.words(optype, holds);
                assert!(seen.insert(words.clone()), "{optype}: {words}");
            }
        }
        assert!(seen.len() > 1, "{optype} has {} facts", seen.len());
    }
}

#[test]
fn words_of_no_fact_are_refused() {
    let words = |text: &str| vec![text.to_owned()];
    assert!(Condition::parse("FADD", &words("rb is a NaN"), [1; 3]).is_ok());
    assert_eq!(Condition::parse("FADD", &words("rb is a nan"), [1; 3]).unwrap_err(), "rb is a nan");
    assert_eq!(Condition::parse("NONE", &words("rb is a NaN"), [1; 3]).unwrap_err(), "NONE");
}
