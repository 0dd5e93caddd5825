//! Makes a program of a routine: names become slots, and modifiers constants. Branches that depend
//! on modifiers alone are chosen here.
//!
//! An error in an expression does not stop compilation. It becomes a part of the program, and stops
//! the lanes that evaluate it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::bind::{Binder, Bound};
use super::builtin::context_type;
use super::head::HeadParts;
use super::integer::Int;
use super::program::{IntegerType, Node, NodeKind, Program, RoutineSlot, Step, Target, TextFunction};
use super::specification::{OptypeText, RoutineText};
use super::stop::{Reason, Stop};
use super::value::{Operator, Value};
use crate::pseudo::{Expr, ExprKind, Statement, StatementKind, TypeName};

/// Compiles the routine of an optype for the instruction of a binder.
///
/// # Errors
///
/// A head that does not fit the instruction.
pub(super) fn compile(
    mut binder: Binder,
    optype: &OptypeText,
    routine: &RoutineText,
) -> Result<Program, Stop> {
    let head = routine.head.parts()?;
    let bound = binder.head(&head).map_err(|reason| Stop::new(reason, routine.span.clone()))?;
    compile_bound(binder, optype, routine, &head, bound)
}

/// Compiles a routine whose names are bound.
pub(super) fn compile_bound(
    mut binder: Binder,
    optype: &OptypeText,
    routine: &RoutineText,
    head: &HeadParts,
    bound: BTreeMap<String, Bound>,
) -> Result<Program, Stop> {
    let modifiers =
        modifiers(&binder, optype, head).map_err(|reason| Stop::new(reason, routine.span.clone()))?;
    let guard = binder.guard().filter(|_| binder.edition.rules().of(8) == 1);
    let functions: Vec<&RoutineText> = optype.routines.iter().filter(|other| other.is_function).collect();
    let mut compiler = Compiler::new(&mut binder, optype, &functions, modifiers);
    compiler.bound = bound;
    compiler.assigned = assigned(&routine.body);
    for operand in &head.operands {
        operand.base().map(|name| compiler.resolve(name));
    }
    let body = compiler.block(&routine.body);
    let slots = std::mem::take(&mut compiler.slots);
    let functions = functions.iter().map(|function| compiler.function(function)).collect();
    Ok(Program { slots, inputs: binder.inputs, body, functions, guard })
}

/// Returns the values of the modifiers that a head names.
fn modifiers(
    binder: &Binder,
    optype: &OptypeText,
    head: &HeadParts,
) -> Result<BTreeMap<String, Arc<str>>, Reason> {
    if !head.name.is_empty() && !optype.mnemonics.is_empty() && !optype.mnemonics.contains(&head.name) {
        return Err(Reason::Head(format!("`{}` is no mnemonic of {}", head.name, optype.name)));
    }
    let values = binder.values();
    let is_value = |word: &String| {
        values.iter().any(|value| **value == **word) || optype.name.split('_').any(|part| part == word)
    };
    let suffixes = head.operands.iter().filter_map(|operand| match &operand.kind {
        ExprKind::Member(_, suffix) => Some(suffix),
        _ => None,
    });
    let mut modifiers = BTreeMap::new();
    for word in head.modifiers.iter().filter(|word| !is_value(word)).chain(suffixes) {
        let value = binder.modifier(word);
        let value =
            value.ok_or_else(|| Reason::Head(format!("`.{word}` is no modifier of {}", optype.name)))?;
        modifiers.insert(word.clone(), value);
    }
    Ok(modifiers)
}

/// Returns the names that a body assigns or declares.
fn assigned(body: &[Statement]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for statement in body {
        statement.walk(&mut |statement| {
            if let StatementKind::Assign { targets, .. } = &statement.kind {
                names.extend(targets.iter().filter_map(Expr::base).map(str::to_owned));
            }
        });
    }
    names
}

/// What a name resolves to.
#[derive(Debug, Clone)]
pub(super) enum ResolvedName {
    Slot(usize),
    Constant(Value),
    Uniform,
    Constants(u64),
    Unknown,
}

pub(super) struct Compiler<'c, 'b> {
    pub binder: &'c mut Binder<'b>,
    pub optype: &'c OptypeText,
    pub functions: &'c [&'c RoutineText],
    pub modifiers: BTreeMap<String, Arc<str>>,
    pub bound: BTreeMap<String, Bound>,
    /// The names that the routine assigns.
    pub assigned: BTreeSet<String>,
    names: BTreeMap<String, ResolvedName>,
    pub slots: Vec<RoutineSlot>,
    /// Whether a function is compiled, which sees no operands.
    is_function: bool,
}

impl<'c, 'b> Compiler<'c, 'b> {
    fn new(
        binder: &'c mut Binder<'b>,
        optype: &'c OptypeText,
        functions: &'c [&'c RoutineText],
        modifiers: BTreeMap<String, Arc<str>>,
    ) -> Self {
        let (bound, assigned, names) = (BTreeMap::new(), BTreeSet::new(), BTreeMap::new());
        let slots = Vec::new();
        Compiler { binder, optype, functions, modifiers, bound, assigned, names, slots, is_function: false }
    }

    /// Compiles a function that the text defines.
    fn function(&mut self, routine: &RoutineText) -> TextFunction {
        self.names.clear();
        self.bound.clear();
        self.is_function = true;
        self.assigned = assigned(&routine.body);
        let is_name = |token: &&String| token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let parameters: Vec<String> = routine.head.tokens.iter().skip(1).filter(is_name).cloned().collect();
        for name in &parameters {
            let slot = self.add(RoutineSlot::Local { name: name.clone(), ty: None });
            self.names.insert(name.clone(), slot);
        }
        let body = self.block(&routine.body);
        let slots = std::mem::take(&mut self.slots);
        TextFunction { parameters: parameters.len(), slots, body }
    }

    fn add(&mut self, slot: RoutineSlot) -> ResolvedName {
        self.slots.push(slot);
        ResolvedName::Slot(self.slots.len() - 1)
    }

    /// Returns what a name stands for.
    pub fn resolve(&mut self, name: &str) -> ResolvedName {
        if let Some(known) = self.names.get(name) {
            return known.clone();
        }
        let local = |name: &str| RoutineSlot::Local { name: name.to_owned(), ty: None };
        let resolved = match self.bound.get(name).cloned().or_else(|| self.register(name)) {
            Some(bound) => self.bind(bound),
            None if self.assigned.contains(name) => self.add(local(name)),
            None if matches!(name, "true" | "false") => ResolvedName::Constant(Value::from(name == "true")),
            None if self.is_function => ResolvedName::Unknown,
            None => match self.binder.outside(name) {
                Some(bound) => self.bind(bound),
                None => ResolvedName::Unknown,
            },
        };
        self.names.insert(name.to_owned(), resolved.clone());
        resolved
    }

    fn register(&mut self, name: &str) -> Option<Bound> {
        if self.is_function { None } else { self.binder.register(name) }
    }

    fn bind(&mut self, bound: Bound) -> ResolvedName {
        match bound {
            Bound::Source(source) => self.add(RoutineSlot::Source(source)),
            Bound::Destination(destination) => self.add(RoutineSlot::Destination(destination)),
            Bound::Channels(channels) => self.add(RoutineSlot::Channels(channels)),
            Bound::Enabled(enabled) => self.add(RoutineSlot::Enabled(enabled)),
            Bound::Constant(value) => ResolvedName::Constant(value),
            Bound::Uniform => ResolvedName::Uniform,
            Bound::Constants(width) => ResolvedName::Constants(width),
        }
    }

    fn block(&mut self, body: &[Statement]) -> Vec<Step> {
        body.iter().flat_map(|statement| self.statement(statement)).collect()
    }

    fn statement(&mut self, statement: &Statement) -> Vec<Step> {
        let step = match &statement.kind {
            StatementKind::Assign { targets, is_chain, update, ty, value } => {
                return self.assign(
                    statement,
                    targets,
                    *is_chain,
                    update.as_deref(),
                    ty.as_ref(),
                    value.as_ref(),
                );
            }
            StatementKind::If { arms } => return self.branches(arms),
            StatementKind::Loop { init, condition, step, body } => {
                let mut steps = self.block(init);
                let condition = condition.as_ref().map(|condition| self.node(condition));
                let (body, step) = (self.block(body), self.block(step));
                steps.push(Step::Loop { condition, body, step });
                return steps;
            }
            StatementKind::Switch { subject, cases } => {
                let subject = self.node(subject);
                let label =
                    |label: &Option<Expr>, compiler: &mut Self| label.as_ref().map(|l| compiler.node(l));
                let cases = cases.iter().map(|(l, body)| (label(l, self), self.block(body))).collect();
                Step::Switch(subject, cases)
            }
            StatementKind::Break => Step::Break,
            StatementKind::Continue => Step::Continue,
            StatementKind::Return(value) => Step::Return(value.as_ref().map(|value| self.node(value))),
            StatementKind::Expr(expr) => Step::Evaluate(self.node(expr)),
        };
        vec![step]
    }

    /// Compiles the branches of an `if`. A branch that the modifiers rule out is left out.
    fn branches(&mut self, arms: &[(Option<Expr>, Vec<Statement>)]) -> Vec<Step> {
        let mut kept = Vec::new();
        for (condition, body) in arms {
            let condition = condition.as_ref().map(|condition| self.node(condition));
            let known = condition.as_ref().and_then(|condition| condition.constant()).map(Value::truth);
            match known {
                Some(Ok(false)) => continue,
                Some(Ok(true)) if kept.is_empty() => return self.block(body),
                Some(Ok(true)) => {
                    kept.push((None, self.block(body)));
                    break;
                }
                _ if condition.is_none() && kept.is_empty() => return self.block(body),
                _ => kept.push((condition, self.block(body))),
            }
        }
        if kept.is_empty() { Vec::new() } else { vec![Step::If(kept)] }
    }

    fn assign(
        &mut self,
        statement: &Statement,
        targets: &[Expr],
        is_chain: bool,
        update: Option<&str>,
        ty: Option<&TypeName>,
        value: Option<&Expr>,
    ) -> Vec<Step> {
        let ty = match ty.map(|ty| self.integer_type(ty)).transpose() {
            Ok(ty) => ty,
            Err(reason) => return vec![Step::Evaluate(self.stop(reason, statement))],
        };
        let mut steps = self.declare(targets, ty);
        let Some(value) = self.assigned_value(statement, targets, update, ty, value) else { return steps };
        let is_list = targets.len() > 1 && !is_chain && ty.is_none();
        // In `T a, b = c` only the last name gets the value.
        let targets = if ty.is_some() && !is_chain { &targets[targets.len() - 1..] } else { targets };
        match targets.iter().map(|target| self.target(target)).collect::<Option<Vec<Target>>>() {
            None => {
                let reason = Reason::Mismatch("this cannot be assigned");
                steps.push(Step::Evaluate(self.stop(reason, statement)));
            }
            Some(targets) if is_list => steps.push(Step::Distribute(targets, value)),
            Some(targets) => steps.push(Step::Assign(targets, value)),
        }
        steps
    }

    /// Gives the targets of a declaration their type, and the value 0.
    fn declare(&mut self, targets: &[Expr], ty: Option<IntegerType>) -> Vec<Step> {
        let Some(ty) = ty else { return Vec::new() };
        let mut steps = Vec::new();
        for name in targets.iter().filter_map(Expr::base) {
            if let ResolvedName::Slot(slot) = self.resolve(name) {
                self.give_type(slot, ty);
                steps.push(Step::Clear(slot));
            }
        }
        steps
    }

    /// Returns the value that an assignment gives: of `a += b` the sum, and of `a++` the next number.
    /// `None` for a declaration without a value.
    fn assigned_value(
        &mut self,
        statement: &Statement,
        targets: &[Expr],
        update: Option<&str>,
        ty: Option<IntegerType>,
        value: Option<&Expr>,
    ) -> Option<Node> {
        let at = statement.span.start;
        let value = match (value, update) {
            (Some(value), _) => self.typed_node(value, ty),
            (None, Some(_)) => Node { at, kind: NodeKind::Constant(Value::Int(Int::Small(1))) },
            (None, None) => return None,
        };
        Some(match update.map(Operator::of) {
            None => value,
            Some(Some(operator)) => {
                let old = self.node(targets.first()?);
                self.folded(Node { at, kind: NodeKind::Infix(operator, Box::new(old), Box::new(value)) })
            }
            Some(None) => self.stop(Reason::Missing, statement),
        })
    }

    fn give_type(&mut self, slot: usize, new: IntegerType) {
        if let RoutineSlot::Local { ty, .. } = &mut self.slots[slot] {
            *ty = Some(new);
        }
    }

    /// Returns the type of a declaration: `UINT32`, or `dtypeof` with a modifier.
    fn integer_type(&mut self, ty: &TypeName) -> Result<IntegerType, Reason> {
        const UNKNOWN: Reason = Reason::Mismatch("the type is not known");
        if let Some(argument) = ty.argument.as_ref().filter(|_| ty.name == "dtypeof") {
            let node = self.node(argument);
            let (width, signed) = context_type(node.constant().ok_or(UNKNOWN)?.word()?)?;
            return Ok(IntegerType { width, signed });
        }
        let (digits, signed) = match (ty.name.strip_prefix("UINT"), ty.name.strip_prefix("INT")) {
            (Some(digits), _) => (digits, false),
            (_, Some(digits)) => (digits, true),
            _ => return Err(UNKNOWN),
        };
        let width = digits.parse().ok().filter(|width| (1..=128).contains(width)).ok_or(UNKNOWN)?;
        Ok(IntegerType { width, signed })
    }

    fn stop(&self, reason: Reason, statement: &Statement) -> Node {
        let stop = Stop::new(reason, statement.span.clone());
        Node { at: statement.span.start, kind: NodeKind::Stop(Box::new(stop)) }
    }

    /// Returns what an assignment to an expression changes. `None` if it cannot be assigned.
    fn target(&mut self, target: &Expr) -> Option<Target> {
        let slot = |compiler: &mut Self, expr: &Expr| match compiler.resolve(&full_name(expr)?) {
            ResolvedName::Slot(slot) => Some(slot),
            _ => None,
        };
        match &target.kind {
            ExprKind::Name(_) | ExprKind::Member(..) => slot(self, target).map(Target::Slot),
            ExprKind::Unary(sign, address) if sign == "*" => Some(Target::Memory(self.node(address))),
            ExprKind::Index(of, index) => match (&of.kind, index.as_slice()) {
                (ExprKind::Index(list, element), [bit]) if element.len() == 1 => {
                    let slot = slot(self, list)?;
                    Some(Target::Bit(slot, self.node(&element[0]), self.node(bit)))
                }
                (_, [index]) => match self.resolve(&full_name(of)?) {
                    ResolvedName::Slot(slot) => Some(Target::Element(slot, self.node(index))),
                    ResolvedName::Uniform => Some(Target::Uniform(self.node(index))),
                    _ => None,
                },
                (_, [hi, lo]) => {
                    let slot = slot(self, of)?;
                    Some(self.slice_target(slot, hi, lo))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the target of a range of bits. The range of all bits is the operand itself.
    fn slice_target(&mut self, slot: usize, hi: &Expr, lo: &Expr) -> Target {
        let (hi, lo) = (self.node(hi), self.node(lo));
        let width = match &self.slots[slot] {
            RoutineSlot::Destination(destination) => destination.width,
            _ => 0,
        };
        let bound = |node: &Node| node.constant().and_then(|value| value.integer().ok()?.index(width));
        match (bound(&hi), bound(&lo)) {
            (Some(hi), Some(0)) if hi + 1 == width => Target::Slot(slot),
            _ => Target::Slice(slot, hi, lo),
        }
    }
}

/// Returns a name with its members: `dst.chan`.
pub(super) fn full_name(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Name(name) => Some(name.clone()),
        ExprKind::Member(of, member) => Some(format!("{}.{member}", full_name(of)?)),
        _ => None,
    }
}
