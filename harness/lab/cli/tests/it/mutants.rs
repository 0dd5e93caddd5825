//! `assay-lab mutants`.

use crate::support::{assay_in, status, stderr, stdout};

#[test]
fn a_fault_is_not_caught_by_what_the_sound_model_does() {
    let folder = tempfile::tempdir().unwrap();
    let profile = "version: 1\nname: mine\nabout: a bound\nextends: intended\ncontracts:\n\
                   - {instruction: MUFU.RCP.F32, metric: ulp, bound: \"0.25\"}\n";
    std::fs::write(folder.path().join("bound.yaml"), profile).unwrap();
    // The fault shows only in MUFU.RCP.F32, where the sound model exceeds this bound too.
    let run = ["mutants", "run", "rcp-subnormal-input-not-normalised", "--cases", "50000"];
    let output =
        assay_in(folder.path(), &[&run[..], &["--profile", "bound.yaml", "--format", "json"]].concat());
    assert_eq!(status(&output), 2, "{}", stdout(&output));
    assert!(stderr(&output).contains("without a fault"));
}
