//! The end of every target: a violation becomes a panic, which is how libFuzzer learns of one.
//!
//! It also says on stderr how many inputs reached the judge, at every power of two of inputs. A target
//! whose inputs all fall at the gate finds nothing and looks sound; `scripts/smoke.sh` reads these lines.

use std::sync::atomic::{AtomicU64, Ordering};

use assay_engine::fuzzing::{Reached, Violation};

static INPUTS: AtomicU64 = AtomicU64::new(0);
static JUDGED: AtomicU64 = AtomicU64::new(0);

/// Takes what came of an input. Panics on a violation.
pub fn hold(outcome: Result<Reached, Violation>) {
    let reached = outcome.unwrap_or_else(|violation| panic!("{violation}"));
    count(reached == Reached::Judged);
}

/// Counts an input, and whether it reached the judge.
pub fn count(judged: bool) {
    let judged = u64::from(judged);
    let judged = JUDGED.fetch_add(judged, Ordering::Relaxed) + judged;
    let inputs = INPUTS.fetch_add(1, Ordering::Relaxed) + 1;
    if inputs.is_power_of_two() {
        eprintln!("{judged} of {inputs} inputs reached the judge");
    }
}
