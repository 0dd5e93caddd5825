//! A generated case on the model, held against the MPFR oracle under the `intended` profile.

#![no_main]

use std::sync::{LazyLock, Mutex};

use assay_engine::fuzzing;
use assay_engine::generate::AnyCase;
use assay_engine::versus::{Bench, Parties};
use assay_isa::Numbers;
use assay_mpfr::MpfrOracle;
use assay_vectors::Profile;
use libfuzzer_sys::fuzz_target;

/// One bench for all inputs: making the voices costs more than asking them.
static TABLE: LazyLock<Mutex<(Profile, Bench)>> = LazyLock::new(|| {
    let profile = Profile::load("intended").expect("the profile is built in");
    let (numbers, readings) = (Numbers::provisional(), profile.readings);
    let bench = Bench::new(&Parties {
        numbers,
        profile: &profile,
        subject: &|| assay_model::model(numbers.clone(), readings),
        oracle: &|| Box::new(MpfrOracle::new(readings)),
    });
    Mutex::new((profile, bench))
});

fuzz_target!(|case: AnyCase| {
    let mut table = TABLE.lock().expect("libFuzzer ends at the first panic");
    let (profile, bench) = &mut *table;
    assay_fuzz::hold(fuzzing::differential(bench, profile, &case));
});
