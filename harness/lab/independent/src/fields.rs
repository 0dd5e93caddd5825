//! The bit fields of a word.

use crate::fault::{Active, Fault};

/// The fields of a word.
#[derive(Clone, Copy)]
pub(crate) struct Fields {
    word: u128,
    active: Active,
}

impl Fields {
    pub(crate) const fn new(word: u128, active: Active) -> Fields {
        Fields { word, active }
    }

    /// Returns a field by its lowest bit and its width.
    pub(crate) fn bits(&self, low: u32, width: u32) -> u32 {
        let mask = ((1u64 << width.min(32)) - 1) as u32;
        (self.word >> low.min(127)) as u32 & mask
    }

    pub(crate) fn bit(&self, low: u32) -> bool {
        self.bits(low, 1) == 1
    }

    pub(crate) fn has(&self, fault: Fault) -> bool {
        self.active.has(fault)
    }
}
