//! Tests coverage with the real model and the real oracle. Each lane marks its own bins, no run
//! hits a bin that a rule excludes, and directed generation hits bins that random cases miss, on
//! any number of threads.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use arbitrary::Unstructured;
use assay_engine::compare::comparator::{Comparator, Setup};
use assay_engine::coverage::directed;
use assay_engine::coverage::{Bins, Coverage, Topic};
use assay_engine::generate::{self, Scope};
use assay_engine::run::Shard;
use assay_engine::run::campaign::{Campaign, Limit};
use assay_engine::run::{RunHooks, RunProgress};
use assay_engine::stats::tally::Tally;
use assay_isa::{Batch, EncodingTable, Readings};

use crate::support::{intended, model, oracle};

fn with_parties<R>(then: impl FnOnce(Setup<'_>) -> R) -> R {
    let profile = intended();
    then(Setup { numbers: EncodingTable::provisional(), profile: &profile, subject: &model, oracle: &oracle })
}

fn of(optypes: &[&str]) -> Scope {
    Scope::filtered(|mode| optypes.contains(&mode.optype()))
}

fn covering(scope: &Scope, bins: &Bins, limit: Limit<'_>) -> Tally {
    with_parties(|setup| {
        let campaign = Campaign { setup, scope, seed: 1, limit, shard: Shard::WHOLE };
        let (stop, mut progress) = (AtomicBool::new(false), |_: &Tally| ());
        let hooks = RunHooks::new(&stop, &mut progress);
        campaign.run_covering(bins, RunProgress::default(), hooks).unwrap().tally
    })
}

/// A batch marks exactly the bins that its lanes mark one by one. No bin combines several lanes.
#[test]
fn a_batch_exercises_what_its_lanes_do() {
    let scope = Scope::everything();
    let bins = Bins::crossed(scope, &Readings::INTENDED);
    with_parties(|setup| {
        let mut comparator = Comparator::new(&setup);
        let mut marked = |instruction: &_, batch: &Batch| {
            let contract = setup.profile.contract_for(instruction);
            let judged = comparator.run(&contract, instruction, batch).unwrap().judged().unwrap();
            let mut coverage = Coverage::default();
            bins.mark(instruction, batch, judged.truths, &mut coverage);
            coverage
        };
        let (mut bytes, mut batch) = (Vec::new(), Batch::default());
        for index in 0..300 {
            let pick = |u: &mut Unstructured<'_>| scope.instruction(u);
            let stream = (3, index);
            let drawn =
                generate::from_stream(stream, setup.numbers, 24, &mut bytes, &mut batch, pick).unwrap();
            let whole = marked(&drawn, &batch);
            let mut lanes = Coverage::default();
            for lane in 0..batch.len() {
                lanes.merge(&marked(&drawn, &batch.single(lane)));
            }
            assert!(!whole.adds(&lanes) && !lanes.adds(&whole), "{}", assay_isa::asm::print(&drawn));
        }
    });
}

#[test]
fn a_campaign_hits_no_bin_that_is_excluded() {
    let scope = Scope::everything();
    let bins = Bins::crossed(scope, &Readings::INTENDED);
    let tally = covering(scope, &bins, Limit::Covered(3 << 20));
    assert_eq!(bins.impossible(&tally.coverage).collect::<Vec<_>>(), [""; 0]);
    assert!(bins.share(&tally.coverage) > 0.5, "{}", bins.share(&tally.coverage));
    // A mark where there is no bin would be counted as the hit of another bin.
    let places: BTreeSet<usize> = bins.iter().map(|bin| bin.place).collect();
    let elsewhere: Vec<usize> = tally.coverage.bins().filter(|place| !places.contains(place)).collect();
    assert_eq!(elsewhere, [0; 0]);
    assert_eq!(bins.len() - bins.layout().hit(&tally.coverage), bins.number_missed(&tally.coverage));
}

/// `each_missed` writes all names into one buffer. It must give the same names as `missed`.
#[test]
fn missed_bins_have_one_name() {
    let bins = Bins::crossed(Scope::everything(), &Readings::INTENDED);
    let mut coverage = Coverage::default();
    bins.iter().filter(|bin| bin.place % 3 == 0).for_each(|bin| coverage.hit(bin.place));
    let mut one_by_one = bins.missed(&coverage);
    bins.each_missed(&coverage, |name| match one_by_one.next() {
        Some(expected) if expected == name => Ok(()),
        other => Err(format!("{name}: {other:?}")),
    })
    .unwrap();
    assert_eq!(one_by_one.next(), None);
}

/// The results of a seed do not depend on the threads, although later epochs use the coverage of
/// earlier ones. With directed generation, a campaign misses less than a quarter of the bins that
/// the same number of undirected cases misses.
#[test]
fn steering_is_deterministic_and_worth_it() {
    let scope = of(&["FMNMX"]);
    let bins = Bins::crossed(&scope, &Readings::INTENDED);
    let cases = 3 << 20;
    let on = |threads: usize, limit| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| covering(&scope, &bins, limit))
    };
    let (one, three) = (on(1, Limit::Covered(cases)), on(3, Limit::Covered(cases)));
    assert_eq!(serde_json::to_string(&one).unwrap(), serde_json::to_string(&three).unwrap());
    let chance = on(2, Limit::Cases(cases));
    let missed = |tally: &Tally| bins.number_missed(&tally.coverage);
    assert!(missed(&one) * 4 < missed(&chance), "{} {}", missed(&one), missed(&chance));
}

/// For the last bin of each topic, the search finds a case that hits it.
#[test]
fn a_case_is_found_for_a_bin() {
    let scope = of(&["FADD", "FFMA", "FMUL"]);
    let [crossed, suite] = [Bins::crossed, Bins::of_suite].map(|bins| bins(&scope, &Readings::INTENDED));
    with_parties(|setup| {
        for topic in Topic::ALL {
            let last = |bins: &'_ Bins| {
                let reachable = bins.iter().filter(|bin| bin.topic == topic && bin.unreachable.is_none());
                reachable.last()
            };
            // Some topics have bins only for suites.
            let found =
                last(&crossed).map(|bin| (&crossed, bin)).or_else(|| last(&suite).map(|bin| (&suite, bin)));
            let (bins, bin) = found.unwrap_or_else(|| panic!("no bin of {topic:?}"));
            let found = directed::find(&setup, &scope, bins, bin.place, 512).unwrap();
            let (instruction, batch) = found.unwrap_or_else(|| panic!("no case for {}", bin.name));
            assert_eq!(batch.len(), 1);
            assert_eq!(instruction.form().name, bin.name.split(' ').next().unwrap());
        }
    });
}

#[test]
fn bins_have_names_of_their_own_and_a_list_that_adds_up() {
    let scope = of(&["FADD", "MUFU", "ULDC", "BFN", "NOP"]);
    let bins = Bins::crossed(&scope, &Readings::INTENDED);
    let all: Vec<_> = bins.iter().collect();
    let names: BTreeSet<_> = all.iter().map(|bin| &bin.name).collect();
    assert_eq!(names.len(), all.len());
    let layout = bins.layout();
    assert_eq!(layout.reachable(), bins.len());
    let extents: usize = layout.forms.values().flatten().map(|(_, e)| e.reachable + e.impossible).sum();
    assert_eq!(extents, all.len());
    for bin in &all {
        let form = bin.name.split(' ').next().unwrap();
        let extent = layout.extent(form, bin.topic);
        assert!((extent.first..extent.first + extent.places).contains(&bin.place), "{bin:?}");
    }
    assert_ne!(layout.digest, Bins::of(&scope, &Readings::INTENDED).layout().digest);
}
