//! Checks which instruction set the tests run on. `scripts/instruction-sets.sh` runs them on each
//! instruction set in turn.

/// The environment variable that names the processor's expected instruction set: `sse2`, `avx2` or
/// `avx512`.
const VARIABLE: &str = "ASSAY_INSTRUCTION_SET";

#[test]
fn it_is_the_one_that_was_asked_for() {
    let Ok(asked) = std::env::var(VARIABLE) else { return };
    #[cfg(target_arch = "x86_64")]
    let has = match (is_x86_feature_detected!("avx512f"), is_x86_feature_detected!("avx2")) {
        (true, _) => "avx512",
        (false, true) => "avx2",
        (false, false) => "sse2",
    };
    #[cfg(not(target_arch = "x86_64"))]
    let has = std::env::consts::ARCH;
    assert_eq!(asked, has, "{VARIABLE} asks for another instruction set than this processor has");
}
