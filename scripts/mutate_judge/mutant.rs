//! Which mutant of this crate is active: `scripts/mutate_judge` copies this file into each crate that it mutates.

#![allow(missing_docs)]

use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

// Values of `ACTIVE` that are no mutant.
const UNKNOWN: u32 = 0;
const RECORD: u32 = 1;
const NONE: u32 = u32::MAX;
const MOST: usize = 1 << 16;

static ACTIVE: AtomicU32 = AtomicU32::new(UNKNOWN);
static REACHED: [AtomicBool; MOST] = [const { AtomicBool::new(false) }; MOST];

/// Whether this mutant is active.
#[inline]
pub fn is(id: u32) -> bool {
    let active = ACTIVE.load(Relaxed);
    active == id || active <= RECORD && ask(active, id)
}

/// Reads the environment at the first call. While reached mutants are recorded, adds this one to the file.
#[cold]
fn ask(active: u32, id: u32) -> bool {
    if active == UNKNOWN {
        let active = match std::env::var("ASSAY_MUTANT") {
            Ok(text) if text == "record" => RECORD,
            Ok(text) => text.parse().expect("ASSAY_MUTANT is `record` or a number"),
            Err(_) => NONE,
        };
        ACTIVE.store(active, Relaxed);
        return is(id);
    }
    let reached = &REACHED[id as usize];
    if !reached.load(Relaxed) && !reached.swap(true, Relaxed) {
        let path = std::env::var_os("ASSAY_MUTANT_REACHED").expect("ASSAY_MUTANT_REACHED is a file");
        let mut file = std::fs::File::options().append(true).create(true).open(path).expect("it can be opened");
        file.write_all(format!("{id}\n").as_bytes()).expect("it can be written");
    }
    false
}
