//! What of the documents can be executed: the state of each routine.
//!
//! A routine is compiled for each of its forms, with each value of its modifiers. The steps of a
//! program tell whether it stops for all inputs, for some, or for none.

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::Serialize;

use super::bind::Binder;
use super::codes::Codes;
use super::compile::compile;
use super::edition::{Edition, Patches};
use super::evaluator::Evaluator;
use super::memory::LaneInputs;
use super::patch::Patch;
use super::program::{Node, NodeKind, Program, RoutineSlot, Step, Target, TextFunction};
use super::specification::{OptypeText, RoutineText};
use super::stop::{Halt, Reason, Stop};
use super::vector::{StreamOperands, StreamSource};
use crate::facts::FormFacts;

/// Maximum number of modes of a form that are examined.
const MODES: usize = 4096;

/// How much of a routine can be executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RoutineState {
    /// Every form and mode runs with every input.
    Runs,
    /// Some forms, modes or inputs run, and others stop.
    Part,
    /// Nothing runs.
    Stops,
}

/// The state of a routine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RoutineStatus {
    /// The optype, or the function that routines call.
    pub name: String,
    /// The head of the routine: its mnemonic and modifiers.
    pub head: String,
    /// The document.
    pub file: String,
    /// The line of the head. Of a routine without a head, the line of its code.
    pub line: u32,
    /// How much of the routine can be executed.
    pub state: RoutineState,
    /// The erratum that explains why not all of it can, such as `E049`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub erratum: Option<String>,
    /// Why not all of it can be executed, and the line where it stops.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The output of `assay-lab isa pseudo`. Exit status 1 if a document has an error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PseudoOutput {
    /// The routines, in the order of the documents.
    pub routines: Vec<RoutineStatus>,
    /// Number of routines that run.
    pub runs: usize,
    /// Number of routines that run in part.
    pub part: usize,
    /// Number of routines that stop.
    pub stops: usize,
    /// The errors of the documents. What they concern is left out.
    pub errors: Vec<String>,
}

/// Returns the states of the routines of documents, in order.
pub fn statuses(edition: &Edition, codes: &Codes, patches: &Patches) -> PseudoOutput {
    let mut routines = Vec::new();
    for optype in &edition.specification.optypes {
        let Some(optype) = edition.optypes.get(&optype.name) else { continue };
        let routines_of = OptypeRoutines { edition, codes, patches, optype };
        routines.extend((0..optype.routines.len()).map(|index| routines_of.status(index)));
    }
    let count = |state| routines.iter().filter(|routine: &&RoutineStatus| routine.state == state).count();
    PseudoOutput {
        runs: count(RoutineState::Runs),
        part: count(RoutineState::Part),
        stops: count(RoutineState::Stops),
        errors: edition.specification.errors().iter().map(ToString::to_string).collect(),
        routines,
    }
}

/// What was found in the modes of a routine.
#[derive(Default)]
struct Modes {
    runs: bool,
    stops: bool,
    /// Whether a mode runs with some inputs.
    part: bool,
    first: Option<Stop>,
}

impl Modes {
    fn add(&mut self, found: Result<Option<Stop>, Stop>) {
        let stop = match found {
            Ok(None) => {
                self.runs = true;
                return;
            }
            Ok(Some(stop)) => {
                self.part = true;
                stop
            }
            Err(stop) => {
                self.stops = true;
                stop
            }
        };
        self.first.get_or_insert(stop);
    }

    fn state(&self) -> RoutineState {
        match (self.runs || self.part, self.stops || self.part) {
            (true, false) => RoutineState::Runs,
            (true, true) => RoutineState::Part,
            (false, _) => RoutineState::Stops,
        }
    }
}

struct OptypeRoutines<'a> {
    edition: &'a Edition,
    codes: &'a Codes,
    patches: &'a Patches,
    optype: &'a OptypeText,
}

impl OptypeRoutines<'_> {
    fn status(&self, index: usize) -> RoutineStatus {
        let routine = &self.optype.routines[index];
        let mut modes = Modes::default();
        match (&self.optype.stream, routine.is_function) {
            (_, true) => modes.add(Ok(None)),
            (Some(_), false) => self.stream_modes(&mut modes),
            (None, false) => self.word_modes(routine, &mut modes),
        }
        let state = modes.state();
        let stop = modes.first.filter(|_| state != RoutineState::Runs);
        let at = self.edition.specification.location(self.optype, routine.span.start);
        let erratum = stop.as_ref().and_then(|stop| stop.erratum.or_else(|| self.erratum(index, stop)));
        let place = |stop: &Stop| self.edition.specification.location(self.optype, stop.span.start).line;
        let tokens = routine.head.tokens.iter();
        let head = tokens
            .take(1)
            .chain(routine.head.tokens.iter().skip(1).take_while(|token| token.starts_with('.')));
        let head: String = head.map(String::as_str).collect();
        let name = if routine.is_function { head.clone() } else { self.optype.name.clone() };
        RoutineStatus {
            name,
            head,
            file: at.file.to_string(),
            line: at.line,
            state,
            erratum: erratum.map(|erratum| format!("E{erratum:03}")),
            reason: stop.map(|stop| format!("line {}: {}", place(&stop), stop.reason)),
        }
    }

    /// Returns the erratum whose patch changes the place of a stop.
    fn erratum(&self, index: usize, stop: &Stop) -> Option<u16> {
        let routine = &self.optype.routines[index];
        let mut patches = self.patches.code.iter().filter(|patch| {
            patch.optypes.contains(&self.optype.name) && patch.routines.contains(&(index + 1))
        });
        // The code of a stream stops within its loop, whose bound the patch changes.
        let holds = |patch: &&Patch| {
            self.optype.stream.is_some()
                || patch
                    .span(routine)
                    .is_some_and(|span| span.start <= stop.span.start && stop.span.start <= span.end)
        };
        patches.find(holds).map(|patch| patch.erratum)
    }

    /// Examines all sizes and masks of a stream.
    fn stream_modes(&self, modes: &mut Modes) {
        let evaluator = Evaluator::new(self.edition.clone(), self.codes.clone());
        for size in 0..=0xff {
            let operands = StreamOperands {
                size,
                predicate: None,
                destination: 0,
                sources: vec![StreamSource::Immediate(0); 3],
                control: 0,
                ty: "UD".to_owned(),
            };
            let Ok(prepared) = evaluator.prepare_stream(&self.optype.name, &operands) else { continue };
            prepared.run(std::iter::once(AllOnes), |_, ended| {
                modes.add(match ended {
                    Err(Halt::Stop(stop)) => Err(*stop),
                    _ => Ok(None),
                });
            });
        }
    }

    /// Examines all forms, and all values of the modifiers that the head names.
    fn word_modes(&self, routine: &RoutineText, modes: &mut Modes) {
        for form in self.edition.forms.iter().filter(|form| form.optype == self.optype.name) {
            for word in words(form, self.codes, routine) {
                let binder = Binder::new(self.edition, self.codes, form, word);
                modes.add(compile(binder, self.optype, routine).and_then(|program| {
                    let mut search = Search::new(&program);
                    search.block(&program.body, &program.slots, true);
                    search.always.map_or(Ok(search.sometimes), Err)
                }));
            }
        }
    }
}

/// A lane whose inputs are all ones.
struct AllOnes;

impl LaneInputs for AllOnes {
    fn input(&self, _: usize) -> u32 {
        u32::MAX
    }

    fn read(&self, _: assay_isa::Location) -> Option<u32> {
        Some(u32::MAX)
    }
}

/// Returns a word of a form for each combination of the values of the head's modifiers. A value
/// that the head names is fixed.
fn words(form: &FormFacts, codes: &Codes, routine: &RoutineText) -> Vec<u128> {
    let named: Vec<&str> = routine.head.tokens.iter().filter_map(|token| token.strip_prefix('.')).collect();
    let mut words = vec![0_u128];
    for field in &form.body.fields {
        let code = |value: &str| codes.code(&field.ty, value).map(|code| u128::from(code) << field.lo);
        let fixed =
            field.constraint.as_deref().and_then(code).or_else(|| named.iter().find_map(|name| code(name)));
        let default = || field.default.as_deref().and_then(code).unwrap_or(0);
        if fixed.is_some() || !named.contains(&field.attribute()) || !codes.lists(&field.ty) {
            let bits = fixed.unwrap_or_else(default);
            words.iter_mut().for_each(|word| *word |= bits);
            continue;
        }
        let values: Vec<u128> = codes.values(&field.ty).map(|code| u128::from(code) << field.lo).collect();
        words =
            words.iter().flat_map(|word| values.iter().map(move |bits| word | bits)).take(MODES).collect();
    }
    words
}

/// Searches a program for the places where it stops.
struct Search<'p> {
    program: &'p Program,
    /// The local slots that an earlier statement may have assigned.
    assigned: HashSet<usize>,
    /// A stop that every lane reaches.
    always: Option<Stop>,
    /// A stop that some lanes may reach.
    sometimes: Option<Stop>,
    depth: usize,
}

impl<'p> Search<'p> {
    fn new(program: &'p Program) -> Self {
        Search { program, assigned: HashSet::new(), always: None, sometimes: None, depth: 0 }
    }

    fn block(&mut self, body: &'p [Step], slots: &'p [RoutineSlot], certain: bool) {
        for step in body {
            match step {
                Step::Assign(targets, value) | Step::Distribute(targets, value) => {
                    self.node(value, slots, certain);
                    targets.iter().for_each(|target| self.target(target, slots, certain));
                }
                Step::Clear(slot) => {
                    self.assigned.insert(*slot);
                }
                Step::If(arms) => {
                    for (place, (condition, body)) in arms.iter().enumerate() {
                        if let Some(condition) = condition {
                            self.node(condition, slots, certain && place == 0);
                        }
                        self.block(body, slots, false);
                    }
                }
                Step::Loop { condition, body, step } => {
                    if let Some(condition) = condition {
                        self.node(condition, slots, certain);
                    }
                    self.block(body, slots, false);
                    self.block(step, slots, false);
                }
                Step::Switch(subject, cases) => {
                    self.node(subject, slots, certain);
                    for (label, body) in cases {
                        if let Some(label) = label {
                            self.node(label, slots, false);
                        }
                        self.block(body, slots, false);
                    }
                }
                Step::Return(Some(node)) | Step::Evaluate(node) => self.node(node, slots, certain),
                Step::Break | Step::Continue | Step::Return(None) => {}
            }
        }
    }

    fn target(&mut self, target: &'p Target, slots: &'p [RoutineSlot], certain: bool) {
        match target {
            Target::Slot(slot) => {
                self.assigned.insert(*slot);
            }
            Target::Slice(slot, hi, lo) | Target::Bit(slot, hi, lo) => {
                self.assigned.insert(*slot);
                self.node(hi, slots, certain);
                self.node(lo, slots, certain);
            }
            Target::Element(slot, index) => {
                self.assigned.insert(*slot);
                self.node(index, slots, certain);
            }
            Target::Uniform(node) | Target::Memory(node) => self.node(node, slots, certain),
        }
    }

    fn found(&mut self, stop: Stop, certain: bool) {
        if certain { &mut self.always } else { &mut self.sometimes }.get_or_insert(stop);
    }

    fn node(&mut self, node: &'p Node, slots: &'p [RoutineSlot], certain: bool) {
        match &node.kind {
            NodeKind::Stop(stop) => self.found((**stop).clone(), certain),
            NodeKind::Slot(slot) | NodeKind::Apply(slot, ..) if !self.assigned.contains(slot) => {
                if let RoutineSlot::Local { name, .. } = &slots[*slot] {
                    let reason = Reason::UndefinedName(name.clone());
                    self.found(Stop::new(reason, node.at..node.at), certain);
                }
            }
            // E134: the operands have an order for some inputs only.
            NodeKind::Call(function, _) if function.erratum == Some(134) => {
                self.found(Stop::new(Reason::NoOrder, node.at..node.at), false);
            }
            NodeKind::CallText(number, _) => self.function(self.program.functions.get(*number), certain),
            _ => {}
        }
        let choice = matches!(node.kind, NodeKind::Choice(_));
        for (place, part) in node.parts().into_iter().enumerate() {
            self.node(part, slots, certain && !(choice && place > 0));
        }
    }

    fn function(&mut self, function: Option<&'p TextFunction>, certain: bool) {
        const DEPTH: usize = 16;
        let Some(function) = function.filter(|_| self.depth < DEPTH) else { return };
        let outer = std::mem::take(&mut self.assigned);
        self.assigned.extend(0..function.parameters);
        self.depth += 1;
        self.block(&function.body, &function.slots, certain);
        self.depth -= 1;
        self.assigned = outer;
    }
}

impl Node {
    /// Returns the direct subexpressions.
    fn parts(&self) -> Vec<&Node> {
        match &self.kind {
            NodeKind::Prefix(_, of) | NodeKind::Uniform(of) | NodeKind::Memory(of) => vec![of],
            NodeKind::Infix(_, left, right)
            | NodeKind::Compare(_, _, left, right)
            | NodeKind::Unordered(_, left, right) => vec![left, right],
            NodeKind::Choice(parts) | NodeKind::Slice(parts) => parts.iter().collect(),
            NodeKind::Index(parts) | NodeKind::Constants(parts, _) => parts.iter().collect(),
            NodeKind::Call(_, arguments)
            | NodeKind::CallText(_, arguments)
            | NodeKind::Apply(_, _, arguments) => arguments.iter().collect(),
            NodeKind::Constant(_)
            | NodeKind::Slot(_)
            | NodeKind::IsNegated(_)
            | NodeKind::Plain(_)
            | NodeKind::Stop(_) => Vec::new(),
        }
    }
}
