//! Assigns values: to slots, to ranges of their bits, to elements, and to locations by number.

use super::integer::Int;
use super::machine::{Frame, Run};
use super::memory;
use super::operand::{stored, words};
use super::program::{Destination, RoutineSlot, Target};
use super::stop::{Halt, Reason};
use super::value::Value;

/// Maximum number of elements of a list.
const ELEMENTS: u64 = 64;

impl<'r> Run<'r> {
    /// Gives a target a value. `at` is the byte of the value in the document.
    pub fn assign(
        &mut self,
        target: &'r Target,
        value: &Value,
        at: usize,
        frame: &mut Frame,
    ) -> Result<(), Halt> {
        let stop = |reason| Halt::stop(reason, at);
        match target {
            Target::Slot(slot) => self.store(*slot, value, at, frame),
            Target::Slice(slot, hi, lo) => {
                let (hi, lo) = (self.eval(hi, frame)?, self.eval(lo, frame)?);
                if let RoutineSlot::Destination(destination) = &self.slots[*slot] {
                    return self.store_part(*slot, destination, (&hi, &lo), value, frame).map_err(stop);
                }
                let old = self.read(*slot, at, frame)?;
                let new = old.with_slice(&hi, &lo, value).map_err(stop)?;
                self.store(*slot, &new, at, frame)
            }
            Target::Element(slot, index) => {
                let index = self.eval(index, frame)?;
                self.store_element(*slot, &index, value, at, frame)
            }
            Target::Bit(slot, element, bit) => {
                let (element, bit) = (self.eval(element, frame)?, self.eval(bit, frame)?);
                self.load_slot(*slot, at, frame)?;
                let list = frame.values[*slot].as_ref().ok_or_else(|| stop(Reason::Missing))?;
                let old = list.element(&element).map_err(stop)?;
                let new = old.with_slice(&bit, &bit, value).map_err(stop)?;
                self.store_element(*slot, &element, &new, at, frame)
            }
            Target::Uniform(number) => {
                let number = self.eval(number, frame)?.integer().map_err(stop)?;
                let location = memory::uniform(&number, self.context.rules).map_err(|none| none.at(at))?;
                let bits = value.integer().map_err(stop)?.word(0);
                self.written.extend(location.map(|location| (location, bits)));
                Ok(())
            }
            Target::Memory(address) => {
                let address = self.eval(address, frame)?.integer().map_err(stop)?;
                let location = memory::special(&address, self.context.rules).map_err(|none| none.at(at))?;
                self.written.push((location, value.integer().map_err(stop)?.word(0)));
                Ok(())
            }
        }
    }

    /// Assigns a range of bits of a destination.
    fn store_part(
        &mut self,
        slot: usize,
        destination: &Destination,
        (hi, lo): (&Value, &Value),
        value: &Value,
        frame: &mut Frame,
    ) -> Result<(), Reason> {
        let ones = Value::Int(Int::Small(-1));
        let bits = Value::Int(Int::ZERO).with_slice(hi, lo, &ones)?.integer()?;
        if bits.low_bits(destination.width) != bits {
            return Err(Reason::IndexBeyond);
        }
        let before = frame.values[slot].clone().unwrap_or(Value::Int(Int::ZERO));
        if frame.values[slot].is_none() {
            frame.partial.push((slot, Int::ZERO));
        }
        frame.values[slot] = Some(Value::Int(before.with_slice(hi, lo, value)?.integer()?));
        frame.assigned[slot] = true;
        if let Some((_, mask)) = frame.partial.iter_mut().find(|(partial, _)| *partial == slot) {
            *mask = mask.or(&bits);
            if *mask != Int::Small(-1).low_bits(destination.width) {
                return Ok(());
            }
            frame.partial.retain(|(partial, _)| *partial != slot);
        }
        let whole = frame.values[slot].clone().unwrap_or(Value::Int(Int::ZERO));
        frame.values[slot] = Some(stored(destination, &whole, self.context.rules)?);
        Ok(())
    }

    fn store(&mut self, slot: usize, value: &Value, at: usize, frame: &mut Frame) -> Result<(), Halt> {
        let stop = |reason| Halt::stop(reason, at);
        let value = match &self.slots[slot] {
            RoutineSlot::Local { ty: Some(ty), .. } => {
                let value = value.integer().map_err(stop)?;
                Value::Int(if ty.signed { value.low_signed(ty.width) } else { value.low_bits(ty.width) })
            }
            RoutineSlot::Destination(destination) => {
                let value = stored(destination, value, self.context.rules).map_err(stop)?;
                frame.partial.retain(|(partial, _)| *partial != slot);
                if self.context.rules.of(11) == 1 {
                    self.written.extend(words(destination, &value));
                    self.forget_sources(frame);
                }
                value
            }
            _ => value.clone(),
        };
        frame.values[slot] = Some(value);
        frame.assigned[slot] = true;
        Ok(())
    }

    /// Makes the next read of a source whose register was just written read it again (E011).
    fn forget_sources(&mut self, frame: &mut Frame) {
        for (slot, value) in self.slots.iter().zip(&mut frame.values) {
            if let RoutineSlot::Source(source) = slot
                && source.locations(&self.program.inputs).any(|at| self.written.iter().any(|(w, _)| *w == at))
            {
                *value = None;
            }
        }
    }

    /// Assigns a bit of an integer, or an element of a list. A name without a value becomes a list.
    fn store_element(
        &mut self,
        slot: usize,
        index: &Value,
        value: &Value,
        at: usize,
        frame: &mut Frame,
    ) -> Result<(), Halt> {
        let stop = |reason| Halt::stop(reason, at);
        let is_local = matches!(self.slots[slot], RoutineSlot::Local { .. });
        if frame.values[slot].is_none() && is_local {
            frame.values[slot] = Some(Value::List(Vec::new()));
        }
        self.load_slot(slot, at, frame)?;
        let Some(Value::List(list)) = &mut frame.values[slot] else {
            let new = self.read(slot, at, frame)?.with_slice(index, index, value).map_err(stop)?;
            return self.store(slot, &new, at, frame);
        };
        let index = index.integer().map_err(stop)?.index(ELEMENTS - 1);
        let index = index.ok_or_else(|| stop(Reason::IndexBeyond))? as usize;
        if list.len() <= index {
            if !is_local {
                return Err(stop(Reason::IndexBeyond));
            }
            list.resize(index + 1, Value::from(0));
        }
        list[index] = value.clone();
        self.elements.push((slot, index));
        Ok(())
    }
}
