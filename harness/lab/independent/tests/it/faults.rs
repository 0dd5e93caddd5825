//! Every fault changes a result, and no two faults have equal results.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::support::{self, Inputs, Random, optype};
use assay_independent::{Column, Device, Family, Fault, FaultInfo, Location, Reach};

/// Number of words for each optype. Each word has a batch of values.
const WORDS: u32 = 1200;
const LANES: usize = 64;

/// Inputs, and the sound device's results.
struct Case {
    inputs: Inputs,
    sound: Option<Vec<Column>>,
}

impl Case {
    fn new(inputs: Inputs) -> Case {
        let sound = inputs.run(&mut Device::new(None));
        Case { inputs, sound }
    }

    /// Runs a fresh device, without state from earlier batches.
    fn faulty(&self, fault: Fault) -> Option<Vec<Column>> {
        self.inputs.run(&mut Device::new(Some(fault)))
    }

    fn differs(&self, fault: Fault) -> bool {
        self.faulty(fault) != self.sound
    }
}

fn corpus(name: &str) -> Vec<Case> {
    let mut random = Random::new(name.bytes().map(u64::from).sum());
    (0..WORDS)
        .map(|_| {
            let word = support::word(optype(name), &mut random);
            Case::new(Inputs::random(word, LANES, &mut random))
        })
        .collect()
}

/// Returns a digest of all results of a faulty device on a corpus.
fn digest(fault: Fault, corpus: &[Case]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for case in corpus {
        for column in case.faulty(fault).unwrap_or_default() {
            (column.location, column.values, column.written).hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// Returns the word of an F32 function from R1 to R0: `MUFU_R` with `.dtype` F32.
fn function(code: u128) -> u128 {
    0x0000_0000_0000_0000_0000_0001_0000_7000 | (code << 78)
}

/// Returns inputs that show a fault which random search does not find. `None` for other faults.
fn witness(fault: Fault) -> Option<Inputs> {
    let single = |code, bits| Inputs::of(function(code), &[(Location::r(1), bits)]);
    Some(match fault {
        Fault::SineOfOnePattern => single(1, 0x3f86_0a92),
        Fault::PowerOfSixtyFour => single(2, 0x4280_0000),
        Fault::LogarithmOfOneLess => single(3, 0x3f7f_ffff),
        Fault::ReciprocalOfOnePattern => single(4, 0x3fb5_04f3),
        Fault::RootOfAllOnesFraction => single(6, 0x3fff_ffff),
        Fault::TangentOfOnePattern => single(7, 0x3f0f_5c29),
        // FMUL R0, R1, R2
        Fault::SegmentOff => Inputs::of(
            0x0000_0000_0000_0000_0000_0002_0100_752a,
            &[(Location::r(1), 0x3fc0_0000), (Location::r(2), 0x3fd2_e000)],
        ),
        // FMUL.FTZ R0, R1, R2 (the witness of E173)
        Fault::FlushBeforeRounding => Inputs::of(
            0x0000_0000_0000_1000_0000_0002_0100_752a,
            &[(Location::r(1), 0x00ff_ffff), (Location::r(2), 0x3f00_0000)],
        ),
        // UIMUL.HI UR0, UR1, UR2
        Fault::MultiplierRecodesPattern => Inputs::of(
            0x0000_0000_0000_0800_0000_0002_0100_7114,
            &[(Location::ur(1), 0x0001_0001), (Location::ur(2), 3)],
        ),
        // ULOP3.PAND UR0, UR1, UR2, UR3, 0x96, UPT
        Fault::ParityTableOptimised => Inputs::of(
            0x0000_1c1c_0258_0003_0000_0002_0100_741c,
            &[(Location::ur(1), 1), (Location::ur(2), 2), (Location::ur(3), 4)],
        ),
        _ => return None,
    })
}

#[test]
fn every_fault_changes_a_result() {
    let mut corpora: HashMap<&str, Vec<Case>> = HashMap::new();
    let mut silent = Vec::new();
    for info in Fault::ALL.iter().filter(|info| info.family != Family::Batch) {
        if let Some(inputs) = witness(info.fault) {
            assert!(Case::new(inputs).differs(info.fault), "{}: its witness shows nothing", info.name);
            continue;
        }
        for name in info.optypes.split(' ') {
            let corpus = corpora.entry(name).or_insert_with(|| corpus(name));
            if !corpus.iter().any(|case| case.differs(info.fault)) {
                silent.push(format!("{} in {name}", info.name));
            }
        }
    }
    assert!(silent.is_empty(), "no difference found: {silent:#?}");
}

/// Returns the number of lanes in which a fault changes the written values.
fn changed_lanes(fault: Fault, corpus: &[Case]) -> usize {
    let cells = |columns: &Option<Vec<Column>>, lane: usize| -> BTreeMap<Location, u32> {
        let written = |c: &&Column| c.written.as_ref().is_none_or(|written| written[lane] != 0);
        let columns = columns.iter().flatten().filter(written);
        columns.map(|column| (column.location, column.values[lane])).collect()
    };
    let changed = |case: &Case| {
        let faulty = case.faulty(fault);
        if faulty == case.sound {
            return 0;
        }
        (0..LANES).filter(|lane| cells(&case.sound, *lane) != cells(&faulty, *lane)).count()
    };
    corpus.iter().map(changed).sum()
}

/// A common fault shows in at least one of 10,000 cases of one of its optypes.
#[test]
fn common_faults_are_common() {
    let mut corpora: HashMap<&str, Vec<Case>> = HashMap::new();
    let mut rare = Vec::new();
    for info in Fault::ALL.iter().filter(|info| info.family != Family::Batch && info.reach == Reach::Common) {
        let mut most = 0;
        for name in info.optypes.split(' ') {
            let corpus = corpora.entry(name).or_insert_with(|| corpus(name));
            most = most.max(changed_lanes(info.fault, corpus));
        }
        if most * 10_000 < WORDS as usize * LANES {
            rare.push(format!("{}: {most}", info.name));
        }
    }
    assert!(rare.is_empty(), "declared common: {rare:#?}");
}

#[test]
fn no_two_faults_are_the_same() {
    let corpora: HashMap<&str, Vec<Case>> =
        assay_independent::OPTYPES.iter().map(|info| (info.name, corpus(info.name))).collect();
    let mut digests: HashMap<(Fault, &str), u64> = HashMap::new();
    let mut digest_of = |fault: Fault, name: &'static str| {
        *digests.entry((fault, name)).or_insert_with(|| digest(fault, &corpora[name]))
    };
    let looked_at = |info: &&FaultInfo| info.family != Family::Batch && witness(info.fault).is_none();
    let faults: Vec<&FaultInfo> = Fault::ALL.iter().filter(looked_at).collect();
    let mut same = Vec::new();
    for (index, one) in faults.iter().enumerate() {
        for other in &faults[..index] {
            let shared = one.optypes.split(' ').any(|name| other.optypes.split(' ').any(|o| o == name));
            let mut names = one.optypes.split(' ').chain(other.optypes.split(' '));
            if shared && names.all(|name| digest_of(one.fault, name) == digest_of(other.fault, name)) {
                same.push(format!("{} and {}", one.name, other.name));
            }
        }
    }
    assert!(same.is_empty(), "the same results: {same:#?}");
}

#[test]
fn names_are_unique_and_found_again() {
    let names: HashSet<&str> = Fault::ALL.iter().map(|info| info.name).collect();
    assert_eq!(names.len(), Fault::ALL.len());
    for info in Fault::ALL {
        assert_eq!(Fault::of(info.name), Some(info.fault));
        assert_eq!(info.fault.info().map(|found| found.name), Some(info.name));
        assert!(
            info.name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        );
        assert!(info.about.ends_with('.') && info.about.split(' ').count() <= 25, "{}", info.about);
    }
    assert_eq!(Fault::of("no-such-fault"), None);
}

#[test]
fn every_family_has_faults() {
    let mut counts: HashMap<Family, usize> = HashMap::new();
    for info in Fault::ALL {
        *counts.entry(info.family).or_default() += 1;
    }
    assert_eq!(counts.len(), 10);
    assert!(counts.values().all(|count| *count >= 8), "{counts:?}");
    assert!(Fault::ALL.len() >= 165);
}
