//! The body of a kernel while it is parsed. Names become columns, and statements become steps.

use std::collections::HashMap;

use crate::check;
use crate::column::{Access, CARRY, Column, FIRST, Initial, SINK, ZERO};
use crate::error::ParseError;
use crate::form::{Form, Slot};
use crate::logic::Logic;
use crate::operand::{Atom, Operand};
use crate::step::{Action, Function, Step};
use crate::types::Type;
use crate::{Kernel, Parameter};

/// The error is a description of the problem. The parser adds the line.
type BodyResult<T> = std::result::Result<T, String>;

/// The greatest number of columns of a kernel. With this limit, `.reg .b32 %r<4000000000>;` cannot
/// exhaust the memory.
const MOST_COLUMNS: usize = 4096;

pub(crate) struct Body {
    parameters: Vec<Parameter>,
    columns: Vec<Initial>,
    steps: Vec<Step>,
    registers: HashMap<String, (Column, Type)>,
    /// The columns of parameters. Parameters have a separate name space, because only `ld.param`
    /// can access them.
    arguments: HashMap<String, (Column, Type)>,
    /// For each label, the index of the step that follows it.
    labels: HashMap<String, usize>,
    /// The branches: the index of the step, and the name of its target label.
    branches: Vec<(usize, String)>,
}

impl Body {
    pub(crate) fn new() -> Self {
        // ISA 10.1: each supported special register has a column of its own.
        let special = ["%tid.x", "%ntid.x", "%ctaid.x"];
        let columns = [Initial::Thread, Initial::Threads, Initial::Block];
        let place = |index: usize| (FIRST.len() + index, Type::U32);
        Self {
            parameters: Vec::new(),
            columns: FIRST.into_iter().chain(columns).collect(),
            steps: Vec::new(),
            registers: special.iter().enumerate().map(|(i, &name)| (name.to_owned(), place(i))).collect(),
            arguments: HashMap::new(),
            labels: HashMap::new(),
            branches: Vec::new(),
        }
    }

    fn column(&mut self, initial: Initial) -> BodyResult<Column> {
        if self.columns.len() == MOST_COLUMNS {
            return Err(format!("more than {MOST_COLUMNS} registers and constants"));
        }
        self.columns.push(initial);
        Ok(self.columns.len() - 1)
    }

    pub(crate) fn add_parameter(&mut self, name: &str, parameter: Parameter, of: Type) -> BodyResult<()> {
        let column = self.column(Initial::Parameter(self.parameters.len()))?;
        self.parameters.push(parameter);
        match self.arguments.insert(name.to_owned(), (column, of)) {
            None => Ok(()),
            Some(_) => Err(format!("a second parameter {name}")),
        }
    }

    pub(crate) fn add_register(&mut self, name: String, of: Type) -> BodyResult<()> {
        let column = self.column(Initial::Nothing)?;
        match self.registers.insert(name.clone(), (column, of)) {
            None => Ok(()),
            Some(_) => Err(format!("a second register {name}")),
        }
    }

    /// Returns the number of steps so far.
    pub(crate) fn steps(&self) -> usize {
        self.steps.len()
    }

    pub(crate) fn add_label(&mut self, name: &str) -> BodyResult<()> {
        match self.labels.insert(name.to_owned(), self.steps.len()) {
            None => Ok(()),
            Some(_) => Err(format!("a second label {name}")),
        }
    }

    pub(crate) fn add_branch(
        &mut self,
        line: usize,
        label: &str,
        guard: Option<(bool, Column)>,
    ) -> BodyResult<()> {
        if self.labels.contains_key(label) {
            return Err(format!("a branch back to {label} is not supported"));
        }
        self.branches.push((self.steps.len(), label.to_owned()));
        let (guard, from) = guard.map_or((None, Vec::new()), |(value, column)| (Some(value), vec![column]));
        // The target is not known before the end of the body.
        let action = Action::Branch { guard, target: usize::MAX };
        self.steps.push(Wires { to: Vec::new(), from }.step(line, action));
        Ok(())
    }

    /// Adds the step of an instruction with this form. If a predicate has a `!`, first adds a step
    /// that negates the predicate.
    pub(crate) fn add_instruction(
        &mut self,
        line: usize,
        form: &Form,
        operands: &[Operand<'_>],
    ) -> BodyResult<()> {
        let mut wires = Wires::default();
        let mut operands = operands.iter();
        for &slot in &form.slots {
            match slot {
                Slot::CarryOut => wires.to.push(CARRY),
                Slot::CarryIn => wires.from.push(CARRY),
                Slot::Zero => wires.from.push(ZERO),
                _ => self.wire(line, slot, *operands.next().ok_or("too few operands")?, &mut wires)?,
            }
        }
        if operands.next().is_some() {
            return Err("too many operands".to_owned());
        }
        self.steps.push(wires.step(line, form.action));
        Ok(())
    }

    fn wire(&mut self, line: usize, slot: Slot, operand: Operand<'_>, wires: &mut Wires) -> BodyResult<()> {
        match (slot, operand) {
            (Slot::To(of), Operand::One(atom)) => wires.to.push(self.destination(atom, of)?),
            (Slot::ToVector(of), Operand::Vector([first, second])) => {
                wires.to.extend([self.destination(first, of)?, self.destination(second, of)?]);
            }
            (Slot::ToBoth(of), Operand::Both([first, second])) => {
                wires.to.extend([self.destination(first, of)?, self.destination(second, Type::Pred)?]);
            }
            (Slot::From(of), Operand::One(atom)) => wires.from.push(self.source(atom, of)?),
            (Slot::From(Type::Pred), Operand::Not(name)) => wires.from.push(self.opposite(line, name)?),
            (Slot::FromVector(of), Operand::Vector([first, second])) => {
                wires.from.extend([self.source(first, of)?, self.source(second, of)?]);
            }
            (Slot::Table, Operand::One(Atom::Number(number @ 0..=255))) => {
                wires.from.push(self.constant(number, Type::U32)?);
            }
            (Slot::Address, Operand::Address(name)) => wires.from.push(self.register(name, Type::U64)?),
            (Slot::Parameter(of), Operand::Address(name)) => wires.from.push(self.argument(name, of)?),
            _ => return Err(format!("{operand} does not stand for {slot}")),
        }
        Ok(())
    }

    /// Returns the column of a register that may be written.
    fn destination(&self, atom: Atom<'_>, of: Type) -> BodyResult<Column> {
        let Atom::Name(name) = atom else { return Err(format!("{atom} is no register to write")) };
        let column = self.register(name, of)?;
        let writable = self.columns[column] == Initial::Nothing;
        if writable { Ok(column) } else { Err(format!("{name} cannot be written")) }
    }

    /// Returns the column of a register, or the column of a constant for a number.
    fn source(&mut self, atom: Atom<'_>, of: Type) -> BodyResult<Column> {
        match atom {
            Atom::Name(name) => self.register(name, of),
            Atom::Number(number) => self.constant(number, of),
        }
    }

    /// Adds a step that negates a predicate. Returns the column with the result.
    fn opposite(&mut self, line: usize, name: &str) -> BodyResult<Column> {
        let wires =
            Wires { from: vec![self.register(name, Type::Pred)?], to: vec![self.column(Initial::Nothing)?] };
        self.steps.push(wires.step(line, Action::Compute(Function::Logic(Logic::NotPredicate))));
        Ok(wires.to[0])
    }

    /// Returns the column of a register. The register's type must agree with the type of the
    /// instruction (ISA 9.4).
    pub(crate) fn register(&self, name: &str, of: Type) -> BodyResult<Column> {
        match self.registers.get(name) {
            None => Err(format!("unknown register {name}")),
            Some(&(column, register)) if register.agrees(of) => Ok(column),
            Some((_, register)) => Err(format!("{name} is .{register}, not .{of}")),
        }
    }

    fn argument(&self, name: &str, of: Type) -> BodyResult<Column> {
        match self.arguments.get(name) {
            None => Err(format!("unknown parameter {name}")),
            Some(&(column, parameter)) if parameter == of => Ok(column),
            Some((_, parameter)) => Err(format!("{name} is .{parameter}, not .{of}")),
        }
    }

    /// Returns the column of a constant. The number must fit the type of the instruction.
    fn constant(&mut self, number: i128, of: Type) -> BodyResult<Column> {
        let width = of.integer().ok_or_else(|| format!("{number} is not .{of}"))?;
        if !(-(1_i128 << (width - 1))..1_i128 << width).contains(&number) {
            return Err(format!("{number} does not fit in .{of}"));
        }
        let initial = Initial::Constant(number as u64 & (u64::MAX >> (64 - width)));
        match self.columns.iter().position(|&column| column == initial) {
            Some(column) => Ok(column),
            None => self.column(initial),
        }
    }

    /// Returns the finished kernel. Sets the targets of the branches, and checks the steps.
    pub(crate) fn finish(mut self, name: &str, line: usize) -> std::result::Result<Kernel, ParseError> {
        for (branch, label) in self.branches {
            let step = &mut self.steps[branch];
            let found = self.labels.get(&label).copied();
            let found = found.ok_or_else(|| ParseError::new(step.line, format!("unknown label {label}")))?;
            if let Action::Branch { target, .. } = &mut step.action {
                *target = found;
            }
        }
        check::steps(&self.columns, &self.steps, line)?;
        let Self { parameters, columns, steps, .. } = self;
        Ok(Kernel { name: name.to_owned(), parameters, columns, steps })
    }
}

/// The columns that a new step will write and read.
#[derive(Default)]
struct Wires {
    to: Vec<Column>,
    from: Vec<Column>,
}

impl Wires {
    fn step(&self, line: usize, action: Action) -> Step {
        let mut access = Access { to: [SINK; 2], from: [ZERO; 5] };
        access.to.iter_mut().zip(&self.to).for_each(|(place, &column)| *place = column);
        access.from.iter_mut().zip(&self.from).for_each(|(place, &column)| *place = column);
        Step { line, action, access }
    }
}
