//! The choice of the instructions with which a device is checked.

use std::collections::BTreeMap;

use assay_isa::{Answer, asm};

use super::DeviceUnderCheck;
use crate::error::DeviceError;

/// Maximum number of picked instructions of a form. At most [`TRIED`] candidates are tried.
const PICKED: usize = 3;
const TRIED: u32 = 8;

impl DeviceUnderCheck<'_> {
    /// Returns some instructions of each supported form, in modes that are far apart in the list of
    /// modes, and a guarded instruction of each optype.
    pub(super) fn picked(&mut self) -> Result<Vec<String>, DeviceError> {
        if !std::mem::replace(&mut self.is_picked, true) {
            for optype in self.declaration.optypes() {
                let mut forms: BTreeMap<&str, Vec<String>> = BTreeMap::new();
                for text in self.samples.modes(optype).into_iter().filter(|text| self.declares(text)) {
                    let form = asm::parse(&text).map_or("", |instruction| instruction.form().name);
                    forms.entry(form).or_default().push(text);
                }
                let guarded = self.guarded_mode(optype).map(|(text, _)| text);
                forms.entry("guarded").or_default().extend(guarded);
                let before = self.picked.len();
                for texts in forms.values() {
                    self.pick(texts)?;
                }
                if self.picked.len() == before {
                    self.pick_any(optype, forms.values().flatten())?;
                }
            }
        }
        Ok(self.picked.clone())
    }

    /// Picks the first instruction of an optype that the device supports in a batch of 1. Notes a
    /// failure if there is none, because no other check would execute the optype.
    fn pick_any<'t>(
        &mut self,
        optype: &str,
        texts: impl Iterator<Item = &'t String> + Clone,
    ) -> Result<(), DeviceError> {
        for text in texts.clone() {
            if self.execute(&self.batch(text, 1)?)?.0 == Answer::Known {
                self.picked.push(text.clone());
                return Ok(());
            }
        }
        if let Some(text) = texts.clone().next() {
            let problem = format!("{optype}: no instruction is executed in a batch of 1, such as {text}");
            self.note_failure(text, "not executed in a batch of 1", 0, problem);
        }
        Ok(())
    }

    /// Adds up to [`PICKED`] of these instructions to the picked ones. The device must support them
    /// in a batch of 1. If its declaration is binding, it must support each of them anyway.
    fn pick(&mut self, texts: &[String]) -> Result<(), DeviceError> {
        let mut found: Vec<String> = Vec::new();
        for nth in 0..TRIED {
            // Steps by the golden ratio give places that are far apart. They also vary the modifier
            // that changes fastest along the list.
            let place = (u64::from(nth.wrapping_mul(0x9e37_79b1)) * texts.len() as u64) >> 32;
            let Some(text) = texts.get(place as usize) else { break };
            let is_new = found.len() < PICKED && !found.contains(text);
            if is_new
                && (self.declaration.is_binding() || self.execute(&self.batch(text, 1)?)?.0 == Answer::Known)
            {
                found.push(text.clone());
            }
        }
        self.picked.extend(found);
        Ok(())
    }
}
