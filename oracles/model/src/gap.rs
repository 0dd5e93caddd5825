//! Undefined lanes: the specification gives them no value.

use assay_isa::effect::Lanes;
use assay_isa::{Effects, Erratum, Reading};

/// Lanes to which the specification, in the current reading, gives no value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gap {
    erratum: Erratum,
    /// Returns whether a lane is undefined, from its first two operands with prefixes applied. A
    /// missing operand is 0.
    covers: fn(u32, u32) -> bool,
}

impl Gap {
    /// Creates the gap of a reading. `covers` returns whether the result for two operands is
    /// undefined.
    pub(crate) fn new(reading: Reading, covers: fn(u32, u32) -> bool) -> Gap {
        Gap { erratum: reading.switch().erratum, covers }
    }

    /// Reports the undefined lanes among those that execute. Returns the other executing lanes.
    pub(crate) fn report(self, operands: &[Vec<u32>], executed: &Lanes, effects: &mut Effects) -> Lanes {
        let value = |position: usize, lane: usize| operands[position].get(lane).copied().unwrap_or_default();
        let mut defined = Vec::with_capacity(effects.len());
        for lane in 0..effects.len() {
            let undefined = executed.contains(lane) && (self.covers)(value(0, lane), value(1, lane));
            if undefined {
                effects.undefine(lane, self.erratum);
            }
            defined.push(executed.contains(lane) && !undefined);
        }
        Lanes::Some(defined)
    }
}
