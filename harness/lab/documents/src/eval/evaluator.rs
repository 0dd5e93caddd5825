//! The evaluator: finds the routine of an instruction word, and executes its lanes.

use std::sync::Arc;

use assay_isa::Location;

use super::bind::Binder;
use super::builtin::Context;
use super::codes::Codes;
use super::compile::{compile, compile_bound};
use super::edition::Edition;
use super::head::HeadParts;
use super::machine::Machine;
use super::memory::LaneInputs;
use super::operand::load;
use super::program::{OperandSource, Program};
use super::special::{Special, SpecialMode};
use super::specification::{OptypeText, RoutineText};
use super::stop::{Halt, Reason, Stop};
use super::tables::Tables;
use super::vector::StreamOperands;
use crate::error::Location as Place;
use crate::facts::FormFacts;

/// Executes the documents under a reading.
#[derive(Debug, Clone)]
pub struct Evaluator {
    edition: Arc<Edition>,
    codes: Arc<Codes>,
}

/// An instruction word whose routine is ready to execute.
#[derive(Debug, Clone)]
pub struct Prepared {
    edition: Arc<Edition>,
    optype: String,
    tables: Tables,
    execution: Execution,
}

/// How an instruction is executed.
#[derive(Debug, Clone)]
enum Execution {
    /// By a routine.
    Routine(Program),
    /// By the rows of a table, with the guard of the instruction.
    Special(Box<Special>, Option<OperandSource>, Vec<Location>),
}

/// Why an instruction word cannot be executed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PrepareError {
    /// No form of the documents has this word.
    #[error("the documents have no form with this word")]
    UnknownForm,
    /// The optype has no code.
    #[error("the documents have no code for {0}")]
    NoCode(String),
    /// The routine cannot be executed.
    #[error("{at}: {stop}")]
    Stopped {
        /// Why.
        stop: Stop,
        /// Where.
        at: Place,
    },
}

impl Evaluator {
    /// Creates an evaluator. `codes` are the codes of enumerated values in instruction words.
    pub fn new(edition: Edition, codes: Codes) -> Evaluator {
        Evaluator { edition: Arc::new(edition), codes: Arc::new(codes) }
    }

    /// The documents under the reading.
    pub fn edition(&self) -> &Edition {
        &self.edition
    }

    /// Returns the form that a word encodes.
    pub fn form(&self, word: u128) -> Option<&FormFacts> {
        let holds = |form: &&FormFacts| {
            let mut fields =
                form.body.fields.iter().filter_map(|field| Some((field, field.constraint.as_ref()?)));
            fields.all(|(field, value)| {
                let mask = u128::MAX >> (128 - u32::from(field.width));
                let bits = (word >> field.lo) & mask;
                self.codes.code(&field.ty, value).map(u128::from) == Some(bits)
            })
        };
        self.edition.forms.iter().find(holds)
    }

    /// Finds the routine of a word, and makes it ready.
    ///
    /// # Errors
    ///
    /// A word without a form, an optype without code, or a head that does not fit.
    pub fn prepare(&self, word: u128) -> Result<Prepared, PrepareError> {
        let form = self.form(word).ok_or(PrepareError::UnknownForm)?;
        let no_code = || PrepareError::NoCode(form.optype.clone());
        let optype = self.edition.optypes.get(&form.optype).ok_or_else(no_code)?;
        let mut binder = Binder::new(&self.edition, &self.codes, form, word);
        if optype.routines.is_empty() {
            let special = special(&mut binder, optype).ok_or_else(no_code)?;
            let guard = binder.guard().filter(|_| self.edition.rules().of(8) == 1);
            let execution = Execution::Special(Box::new(special), guard, binder.inputs);
            return Ok(self.prepared(optype, execution));
        }
        let routine = select(optype, &binder).map_err(|stop| self.stopped(optype, stop))?;
        let program = compile(binder, optype, routine).map_err(|stop| self.stopped(optype, stop))?;
        Ok(self.prepared(optype, Execution::Routine(program)))
    }

    /// Makes the routine of an operand stream ready.
    ///
    /// # Errors
    ///
    /// A stream that the documents do not define, or operands that do not fit its code.
    pub fn prepare_stream(&self, name: &str, operands: &StreamOperands) -> Result<Prepared, PrepareError> {
        let optype = self.edition.optypes.get(name).ok_or(PrepareError::UnknownForm)?;
        let stream = optype.stream.as_ref().ok_or(PrepareError::UnknownForm)?;
        let routine = optype.routines.first().ok_or_else(|| PrepareError::NoCode(name.to_owned()))?;
        let form = FormFacts::default();
        let mut binder = Binder::new(&self.edition, &self.codes, &form, 0);
        let stop = |reason| self.stopped(optype, Stop::new(reason, routine.span.clone()));
        let bound = binder.stream(stream, operands).map_err(stop)?;
        let program = compile_bound(binder, optype, routine, &HeadParts::default(), bound);
        let program = program.map_err(|stop| self.stopped(optype, stop))?;
        Ok(self.prepared(optype, Execution::Routine(program)))
    }

    fn prepared(&self, optype: &OptypeText, execution: Execution) -> Prepared {
        let (edition, tables) = (Arc::clone(&self.edition), optype.tables.clone());
        Prepared { edition, optype: optype.name.clone(), tables, execution }
    }

    fn stopped(&self, optype: &OptypeText, stop: Stop) -> PrepareError {
        let at = self.edition.specification.location(optype, stop.span.start);
        PrepareError::Stopped { stop, at }
    }
}

/// Returns the special values of an instruction. `None` if the documents have no table of them.
fn special(binder: &mut Binder, optype: &OptypeText) -> Option<Special> {
    let is = |name: &str, value: &str| binder.modifier(name).is_some_and(|held| &*held == value);
    let mode = SpecialMode {
        function: binder.modifier("mufuop")?,
        ty: binder.modifier("dtype")?,
        upper: is("hsel", "H1"),
        saturates: is("sat", "SAT"),
    };
    let (source, destination) = (binder.source_at('b')?, binder.destination_at("rd"));
    let rules = binder.edition.rules();
    Special::new(&mode, &optype.tables, &optype.prose, rules, source, destination)
}

/// Returns the routine whose head names the most values that the word holds, and no value that it
/// does not hold.
fn select<'o>(optype: &'o OptypeText, binder: &Binder) -> Result<&'o RoutineText, Stop> {
    let held = binder.values();
    let score = |routine: &&RoutineText| {
        let words = routine.head.tokens.iter().skip(1).map_while(|token| token.strip_prefix('.'));
        let mut score = 1_usize;
        for word in words {
            match held.iter().any(|value| **value == *word) {
                true => score += 1,
                false if binder.is_value(word) => return 0,
                false => {}
            }
        }
        score
    };
    let routines = optype.routines.iter().filter(|routine| !routine.is_function);
    let best = routines.rev().max_by_key(score).filter(|routine| score(routine) > 0);
    let span = optype.routines.first().map_or(0..0, |routine| routine.span.clone());
    best.ok_or_else(|| Stop::new(Reason::Head("no routine has these modifiers".to_owned()), span))
}

impl Prepared {
    /// The locations that the word names as sources.
    pub fn inputs(&self) -> &[Location] {
        match &self.execution {
            Execution::Routine(program) => &program.inputs,
            Execution::Special(_, _, inputs) => inputs,
        }
    }

    /// The name of the optype.
    pub fn optype(&self) -> &str {
        &self.optype
    }

    /// Executes lanes. `done` gets the number of each lane, and its writes in order or the reason
    /// why it did not end. A location can be written twice: the last value counts.
    pub fn run<I: LaneInputs>(
        &self,
        lanes: impl Iterator<Item = I>,
        mut done: impl FnMut(usize, Result<&[(Location, u32)], Halt>),
    ) {
        let context = Context { rules: self.edition.rules(), tables: &self.tables };
        match &self.execution {
            Execution::Routine(program) => {
                let mut machine = Machine::new(program, context);
                for (number, lane) in lanes.enumerate() {
                    done(number, machine.run(&lane));
                }
            }
            Execution::Special(special, guard, _) => {
                for (number, lane) in lanes.enumerate() {
                    let input = |index| lane.input(index);
                    let is_off = guard.as_ref().is_some_and(|guard| load(guard, &input).truth() == Ok(false));
                    if is_off {
                        done(number, Ok(&[]));
                        continue;
                    }
                    let operand = load(&special.source, &input).integer().map_or(0, |bits| bits.word(0));
                    let written =
                        special.result(operand).map(|bits| special.destination.map(|to| (to, bits)));
                    match written {
                        Some(written) => done(number, Ok(written.as_slice())),
                        None => done(number, Err(Halt::Stop(Box::new(Stop::new(Reason::Open, 0..0))))),
                    }
                }
            }
        }
    }

    /// Returns the position of a stop in the documents.
    pub fn place(&self, stop: &Stop) -> Place {
        self.edition.location(&self.optype, stop.span.start)
    }
}
