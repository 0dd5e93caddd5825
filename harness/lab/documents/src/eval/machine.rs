//! Executes programs, one lane at a time, in a bounded number of steps.

use assay_isa::Location;

use super::builtin::Context;
use super::integer::Int;
use super::memory::LaneInputs;
use super::operand::{load, old, plain, stored, words};
use super::program::{Destination, Node, Program, RoutineSlot, Step};
use super::stop::{Halt, Reason};
use super::value::Value;

/// Maximum number of statements that a lane executes. BFN needs 3,300 for 32 channels.
pub const STEPS: usize = 16_384;

/// What a block of statements ended with.
pub(super) enum Flow {
    Next,
    Break,
    Continue,
    Return(Option<Value>),
}

/// The values of a routine's slots.
#[derive(Debug, Default)]
pub(super) struct Frame {
    pub values: Vec<Option<Value>>,
    /// The slots that a statement assigned.
    pub assigned: Vec<bool>,
    /// The bits of destinations that were assigned, if not all were. The other bits of the value
    /// are 0, and are those before the instruction. So a destination whose bits are all assigned in
    /// parts is no input.
    pub partial: Vec<(usize, Int)>,
}

impl Frame {
    pub fn reset(&mut self, slots: usize) {
        self.values.clear();
        self.values.resize(slots, None);
        self.assigned.clear();
        self.assigned.resize(slots, false);
        self.partial.clear();
    }

    /// Returns the assigned bits of a destination, if not all were assigned.
    fn mask(&self, slot: usize) -> Option<&Int> {
        self.partial.iter().find(|(partial, _)| *partial == slot).map(|(_, mask)| mask)
    }
}

/// Executes the lanes of a program, and reuses its memory.
pub(super) struct Machine<'p> {
    program: &'p Program,
    context: Context<'p>,
    frame: Frame,
    written: Vec<(Location, u32)>,
}

impl<'p> Machine<'p> {
    pub fn new(program: &'p Program, context: Context<'p>) -> Self {
        Machine { program, context, frame: Frame::default(), written: Vec::new() }
    }

    /// Executes a lane. Returns the locations that it writes, in order. A lane whose guard is false
    /// writes nothing.
    pub fn run(&mut self, lane: &dyn LaneInputs) -> Result<&[(Location, u32)], Halt> {
        self.written.clear();
        let Machine { program, context, frame, written } = self;
        let guard = program.guard.as_ref().map(|guard| load(guard, &|index| lane.input(index)));
        if guard.is_some_and(|guard| guard.truth() == Ok(false)) {
            return Ok(written);
        }
        frame.reset(program.slots.len());
        let (slots, context, elements) = (&program.slots[..], *context, Vec::new());
        let mut run = Run { program, slots, context, lane, written, elements, steps: 0, depth: 0 };
        run.block(&program.body, frame)?;
        run.emit(frame);
        Ok(written)
    }
}

/// The execution of one lane.
pub(super) struct Run<'r> {
    pub program: &'r Program,
    /// The slots of the routine or function that is executed.
    pub slots: &'r [RoutineSlot],
    pub context: Context<'r>,
    pub lane: &'r dyn LaneInputs,
    /// The locations that the text wrote, in order.
    pub written: &'r mut Vec<(Location, u32)>,
    /// The assigned elements of lists: slot and index.
    pub elements: Vec<(usize, usize)>,
    steps: usize,
    /// Number of calls of the text's functions that have not returned.
    pub depth: usize,
}

impl<'r> Run<'r> {
    /// Returns an input of the program. E011 = 1: a register that the text has written is read
    /// again.
    pub fn input(&self, index: usize) -> u32 {
        if self.context.rules.of(11) == 1 {
            let location = self.program.inputs[index];
            let again = self.written.iter().rfind(|(written, _)| *written == location);
            if let Some((_, value)) = again {
                return *value;
            }
        }
        self.lane.input(index)
    }

    /// Returns the value of a slot.
    pub fn read(&mut self, slot: usize, at: usize, frame: &mut Frame) -> Result<Value, Halt> {
        if let RoutineSlot::Destination(destination) = &self.slots[slot] {
            return self.current(slot, destination, frame).map_err(|reason| Halt::stop(reason, at));
        }
        self.load_slot(slot, at, frame)?;
        frame.values[slot].clone().ok_or_else(|| Halt::stop(Reason::Missing, at))
    }

    /// Returns the value of a destination: what was assigned, and elsewhere what it held before.
    fn current(&self, slot: usize, destination: &Destination, frame: &Frame) -> Result<Value, Reason> {
        let mask = frame.mask(slot).cloned();
        let (value, mask) = match (&frame.values[slot], mask) {
            (None, _) => return Ok(old(destination, &|index| self.input(index))),
            (Some(value), None) => return Ok(value.clone()),
            (Some(value), Some(mask)) => (value.integer()?, mask),
        };
        let before = old(destination, &|index| self.input(index)).integer()?;
        stored(destination, &Value::Int(before.and(&mask.complement()).or(&value)), self.context.rules)
    }

    /// Gives a source its value, if it has none yet.
    pub fn load_slot(&mut self, slot: usize, at: usize, frame: &mut Frame) -> Result<(), Halt> {
        if frame.values[slot].is_some() {
            return Ok(());
        }
        let value = match &self.slots[slot] {
            RoutineSlot::Local { name, .. } => {
                return Err(Halt::stop(Reason::UndefinedName(name.clone()), at));
            }
            RoutineSlot::Destination(destination) => old(destination, &|index| self.input(index)),
            RoutineSlot::Source(source) => load(source, &|index| self.input(index)),
            RoutineSlot::Channels(channels) => {
                let words = channels.words.iter().map(|word| word.read(&|index| self.input(index)));
                Value::List(words.map(|word| Value::Int(Int::from(word).low_bits(channels.width))).collect())
            }
            RoutineSlot::Enabled(enabled) => {
                let predicate = enabled.predicate.map_or(u32::MAX, |(word, not)| {
                    let bits = word.read(&|index| self.input(index));
                    if not { !bits } else { bits }
                });
                let bits = enabled.dispatched.read(&|index| self.input(index)) & predicate;
                let is_set =
                    |channel: usize| bits.checked_shr(enabled.first + channel as u32).unwrap_or(0) & 1 == 1;
                Value::List((0..enabled.count).map(|channel| Value::from(is_set(channel))).collect())
            }
        };
        frame.values[slot] = Some(value);
        Ok(())
    }

    pub fn block(&mut self, body: &'r [Step], frame: &mut Frame) -> Result<Flow, Halt> {
        for step in body {
            match self.step(step, frame)? {
                Flow::Next => {}
                flow => return Ok(flow),
            }
        }
        Ok(Flow::Next)
    }

    fn step(&mut self, step: &'r Step, frame: &mut Frame) -> Result<Flow, Halt> {
        self.count()?;
        match step {
            Step::Assign(targets, value) => {
                let at = value.at;
                let value = self.eval(value, frame)?;
                for target in targets {
                    self.assign(target, &value, at, frame)?;
                }
            }
            Step::Distribute(targets, value) => {
                let at = value.at;
                let Value::List(values) = self.eval(value, frame)? else {
                    return Err(Halt::stop(Reason::Mismatch("several targets take a list"), at));
                };
                if values.len() != targets.len() {
                    return Err(Halt::stop(Reason::Mismatch("the list has another length"), at));
                }
                for (target, value) in targets.iter().zip(&values) {
                    self.assign(target, value, at, frame)?;
                }
            }
            Step::Clear(slot) => frame.values[*slot] = Some(Value::from(0)),
            Step::If(arms) => {
                for (condition, body) in arms {
                    let holds = condition.as_ref().map_or(Ok(true), |node| self.truth(node, frame))?;
                    if holds {
                        return self.block(body, frame);
                    }
                }
            }
            Step::Loop { condition, body, step } => {
                return self.repeat(condition.as_ref(), body, step, frame);
            }
            Step::Switch(subject, cases) => return self.switch(subject, cases, frame),
            Step::Break => return Ok(Flow::Break),
            Step::Continue => return Ok(Flow::Continue),
            Step::Return(value) => {
                let value = value.as_ref().map(|value| self.eval(value, frame)).transpose()?;
                return Ok(Flow::Return(value));
            }
            Step::Evaluate(node) => {
                self.eval(node, frame)?;
            }
        }
        Ok(Flow::Next)
    }

    fn count(&mut self) -> Result<(), Halt> {
        self.steps += 1;
        if self.steps > STEPS { Err(Halt::stop(Reason::TooLong(STEPS), 0)) } else { Ok(()) }
    }

    fn repeat(
        &mut self,
        condition: Option<&'r Node>,
        body: &'r [Step],
        step: &'r [Step],
        frame: &mut Frame,
    ) -> Result<Flow, Halt> {
        loop {
            self.count().map_err(|halt| at_loop(halt, condition))?;
            if !condition.map_or(Ok(true), |node| self.truth(node, frame))? {
                return Ok(Flow::Next);
            }
            match self.block(body, frame).map_err(|halt| at_loop(halt, condition))? {
                Flow::Next | Flow::Continue => {}
                Flow::Break => return Ok(Flow::Next),
                flow @ Flow::Return(_) => return Ok(flow),
            }
            self.block(step, frame).map_err(|halt| at_loop(halt, condition))?;
        }
    }

    fn switch(
        &mut self,
        subject: &'r Node,
        cases: &'r [(Option<Node>, Vec<Step>)],
        frame: &mut Frame,
    ) -> Result<Flow, Halt> {
        let subject = self.eval(subject, frame)?;
        let mut from = None;
        for (index, (label, _)) in cases.iter().enumerate() {
            if let Some(label) = label
                && self.eval(label, frame)? == subject
            {
                from = Some(index);
                break;
            }
        }
        let from =
            from.or_else(|| cases.iter().position(|(label, _)| label.is_none())).unwrap_or(cases.len());
        for (_, body) in &cases[from..] {
            match self.block(body, frame)? {
                Flow::Next => {}
                Flow::Break => return Ok(Flow::Next),
                flow => return Ok(flow),
            }
        }
        Ok(Flow::Next)
    }

    /// Adds the writes of the assigned operands: overwritten sources first (E012), then
    /// destinations in the order of the head.
    fn emit(&mut self, frame: &Frame) {
        let mut writes = Vec::new();
        if self.context.rules.of(12) == 1 {
            for (number, slot) in self.slots.iter().enumerate().filter(|(number, _)| frame.assigned[*number])
            {
                let (RoutineSlot::Source(source), Some(value)) = (slot, &frame.values[number]) else {
                    continue;
                };
                let bits = value.integer().map(|value| value.word(0));
                let old = plain(source, &|index| self.lane.input(index)).word(0);
                writes.extend(source.register.zip(bits.ok()).filter(|(_, bits)| *bits != old));
            }
        }
        for (number, slot) in self.slots.iter().enumerate().filter(|(number, _)| frame.assigned[*number]) {
            let RoutineSlot::Destination(destination) = slot else { continue };
            let value = self.current(number, destination, frame).unwrap_or(Value::from(0));
            writes.extend(words(destination, &value));
        }
        for (slot, index) in &self.elements {
            let (RoutineSlot::Channels(channels), Some(Value::List(list))) =
                (&self.slots[*slot], &frame.values[*slot])
            else {
                continue;
            };
            let bits = list[*index].integer().unwrap_or(Int::ZERO).low_bits(channels.width);
            writes.extend(channels.locations.get(*index).map(|location| (*location, bits.word(0))));
        }
        self.written.extend(writes);
    }
}

/// Places an endless loop at its condition.
fn at_loop(halt: Halt, condition: Option<&Node>) -> Halt {
    match (halt, condition) {
        (Halt::Stop(stop), Some(condition)) if stop.span == (0..0) => Halt::stop(stop.reason, condition.at),
        (halt, _) => halt,
    }
}
