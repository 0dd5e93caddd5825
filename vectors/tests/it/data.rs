//! Tests that the committed vectors are readable, match the tables, and have a witness for every
//! reading.

use std::collections::BTreeMap;
use std::path::Path;

use assay_isa::enumeration::Modifier;
use assay_isa::readings::{Erratum, SWITCHES};
use assay_isa::tables::types::MUFUOp;
use assay_isa::{EncodingTable, Readings, asm, catalog};
use assay_vectors::{Case, Profile, Suite, discover, read_suite_str, suite_to_string};

fn suites() -> Vec<Suite> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    discover(&dir).unwrap_or_else(|e| panic!("{e}")).into_iter().map(|(_, suite)| suite).collect()
}

/// Reads the suites of witnesses.
fn witnesses() -> Vec<Suite> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/witnesses");
    discover(&dir).unwrap_or_else(|e| panic!("{e}")).into_iter().map(|(_, suite)| suite).collect()
}

#[test]
fn every_suite_is_there() {
    // MUFU has a suite for each function, and suites for its tables under other profiles. More
    // suites have operands that are hard to round, operands of which only one is special, and
    // operands at ends of binades and segments. Suite `planted` has cases for planted faults that
    // no other case detects.
    let optypes = catalog().optypes();
    let mut expected: Vec<String> = optypes.iter().map(|o| o.name.to_lowercase()).collect();
    expected.retain(|name| name != "mufu");
    expected.extend(MUFUOp::ENUM.values.iter().map(|function| format!("mufu-{}", function.to_lowercase())));
    expected.extend(["mufu-literal", "mufu-sm90"].map(str::to_owned));
    expected.extend(["fadd-hard", "ffma-hard", "fmul-hard", "mufu-hard"].map(str::to_owned));
    let alone = ["fadd", "fchk", "ffma", "fmnmx", "fmul", "fsel", "fset", "fsetp", "uf2fp"];
    expected.extend(alone.map(|name| format!("{name}-alone")));
    let border = ["fadd", "ffma", "fmnmx", "fmul", "fsel", "fset", "fsetp", "mufu", "uf2fp"];
    expected.extend(border.map(|name| format!("{name}-border")));
    expected.push("planted".to_owned());
    expected.extend(witnesses().into_iter().map(|s| s.suite));
    expected.sort();
    let mut names: Vec<String> = suites().into_iter().map(|s| s.suite).collect();
    names.sort();
    assert_eq!(names, expected);
    // An optype that only copies, records or does nothing needs fewer cases. `modes.rs` tests each
    // form.
    let small = |name: &str| {
        let optype = optypes.iter().find(|o| o.name.to_lowercase() == name);
        optype.is_some_and(|o| ["UDP", "MISC", "IB"].contains(&o.group.name))
    };
    for suite in suites() {
        let is_derived = ["-alone", "-border"].iter().any(|end| suite.suite.ends_with(end));
        let is_derived = is_derived || suite.suite == "planted";
        let least = if is_derived {
            8
        } else if small(&suite.suite) {
            12
        } else {
            45
        };
        assert!(suite.cases.len() >= least, "{} holds {} cases only", suite.suite, suite.cases.len());
    }
}

#[test]
fn every_case_can_be_executed_and_expects_something() {
    for suite in suites() {
        Profile::load(suite.profile.as_deref().unwrap_or("intended")).unwrap_or_else(|e| panic!("{e}"));
        for case in &suite.cases {
            let (instruction, batch) =
                case.batch(EncodingTable::provisional()).unwrap_or_else(|e| panic!("{}: {e}", suite.suite));
            assert_eq!(batch.len(), 1);
            assert!(case.expect.is_some() || case.undefined.is_some(), "{} {}", suite.suite, case.name);
            let text = asm::print(&instruction);
            assert_eq!(asm::parse(&text).as_ref(), Ok(&instruction), "{} {}", suite.suite, case.name);
            case.readings.apply(Readings::INTENDED).unwrap();
        }
    }
}

#[test]
fn one_input_has_one_expectation() {
    for suite in suites() {
        let mut seen: Vec<&Case> = Vec::new();
        for case in &suite.cases {
            let same = |other: &&&Case| {
                (&other.asm, &other.inputs, &other.readings) == (&case.asm, &case.inputs, &case.readings)
            };
            if let Some(other) = seen.iter().find(same) {
                panic!("{}: {} repeats {}", suite.suite, case.name, other.name);
            }
            seen.push(case);
        }
    }
}

/// For any two settings of a switch, some witness must have different expectations under the two
/// settings.
#[test]
fn every_reading_has_a_witness_where_its_settings_differ() {
    let witnesses = witnesses();
    for switch in SWITCHES {
        let count = switch.settings.len() as u8;
        for (low, high) in (1..=count).flat_map(|low| (low + 1..=count).map(move |high| (low, high))) {
            let told_apart = pairs(&witnesses, switch.erratum, low, high)
                .any(|(a, b)| (&a.expect, a.undefined) != (&b.expect, b.undefined));
            assert!(told_apart, "{}: no case tells {low} from {high}", switch.erratum);
        }
    }
}

/// Returns the pairs of cases that differ only in the setting of one reading.
fn pairs(suites: &[Suite], erratum: Erratum, low: u8, high: u8) -> impl Iterator<Item = (&Case, &Case)> {
    let cases = suites.iter().flat_map(|suite| &suite.cases);
    let set_to = move |setting: u8| cases.clone().filter(move |c| c.readings.get(&erratum) == Some(&setting));
    let others = move |case: &Case| -> Vec<(Erratum, u8)> {
        case.readings.iter().filter(|(e, _)| **e != erratum).map(|(e, s)| (*e, *s)).collect()
    };
    set_to(low).flat_map(move |a| {
        set_to(high)
            .filter(move |b| (&a.asm, &a.inputs, others(a)) == (&b.asm, &b.inputs, others(b)))
            .map(move |b| (a, b))
    })
}

/// A witness's name begins with its erratum and setting. A witness may set further readings too,
/// because some settings have no effect if all other readings are as in `intended`.
#[test]
fn witnesses_are_named_for_what_they_set() {
    for case in witnesses().into_iter().flat_map(|suite| suite.cases) {
        let number = case.name.split('-').next().expect("a split yields something");
        let erratum: Erratum = number.parse().unwrap_or_else(|e| panic!("{}: {e}", case.name));
        if !case.readings.is_empty() {
            let setting = case.readings.get(&erratum).unwrap_or_else(|| panic!("{}", case.name));
            assert!(case.name.starts_with(&format!("{erratum}-{setting}")), "{}", case.name);
        }
    }
}

/// The cases `flushed-*` of the reciprocal set their readings as `sm90` does.
#[test]
fn flushed_variants_are_those_of_sm90() {
    let sm90 = Profile::load("sm90").unwrap();
    let suite = suites().into_iter().find(|s| s.suite == "mufu-rcp").unwrap();
    let flushed: Vec<&Case> = suite.cases.iter().filter(|c| c.name.starts_with("flushed-")).collect();
    assert!(!flushed.is_empty());
    let sm90: BTreeMap<Erratum, u8> = sm90.readings.iter().collect();
    for case in flushed {
        assert!(case.readings.iter().all(|(erratum, setting)| sm90[erratum] == *setting), "{}", case.name);
    }
}

#[test]
fn canonical_text_reads_back() {
    for suite in suites() {
        let text = suite_to_string(&suite).unwrap();
        assert_eq!(read_suite_str(&suite.suite, &text).unwrap(), suite);
        for case in &suite.cases {
            assert_eq!(assay_vectors::parse_line(&case.to_line()).unwrap(), *case);
        }
    }
}
