//! Follows pseudo-code in sequence. Finds unread values, inputs that an output may overwrite, and
//! unset bits.

use std::collections::{HashMap, HashSet};

use super::Lint;
use super::classes::*;
use super::model::{Form, Optype, names};
use super::slots::by_name;
use crate::layout::Span;
use crate::pseudo::{Expr, ExprKind, Routine, Statement, StatementKind};

/// Maximum number of statements in an analysed routine. The maximum number of expressions is ten
/// times greater.
pub const LARGEST: usize = 200;

pub fn check(lint: &mut Lint) {
    for optype in &lint.set.optypes {
        // Without a head, the operands of a routine are unknown.
        let with_head = optype.routines().filter(|routine| !routine.is_function && !routine.head.is_empty());
        for routine in with_head.filter(|routine| is_small(routine)) {
            let operands = Operands::of(optype, routine);
            dead_stores(lint, optype, routine, &operands);
            written_before_read(lint, optype, routine, &operands);
            partly_assigned(lint, optype, routine, &operands);
            treated_unlike(lint, optype, routine, &operands);
        }
    }
}

/// Whether a routine is small enough for the flow analysis.
pub fn is_small(routine: &Routine) -> bool {
    let (mut statements, mut names) = (0, 0);
    for statement in &routine.body {
        statement.walk(&mut |statement| {
            statements += 1;
            statement.exprs().into_iter().for_each(|expr| expr.walk(&mut |_| names += 1));
        });
    }
    statements <= LARGEST && names <= 10 * LARGEST
}

/// The operands of a routine, and the types of their fields.
struct Operands<'a> {
    outs: HashSet<String>,
    /// The operands with a `Bitwidth`: no predicates.
    wide: HashSet<&'a str>,
    types: HashMap<&'a str, HashSet<&'a str>>,
}

impl<'a> Operands<'a> {
    fn of(optype: &'a Optype, routine: &'a Routine) -> Self {
        let listed = |form: &'a Form| form.facts.body.outs.iter().flat_map(|entry| names(entry));
        let outs = optype.forms.iter().flat_map(listed).map(str::to_ascii_lowercase).collect();
        let mut types: HashMap<&str, HashSet<&str>> = HashMap::new();
        let mut wide = HashSet::new();
        for (name, _) in &routine.operands {
            let of_name: &mut HashSet<&str> = types.entry(name).or_default();
            for form in &optype.forms {
                let Some(field) = by_name(form, name) else { continue };
                of_name.insert(&field.ty);
                if form.facts.body.bitwidths.contains_key(&field.name) {
                    wide.insert(name.as_str());
                }
            }
        }
        Self { outs, wide, types }
    }

    fn is_out(&self, name: &str) -> bool {
        self.outs.contains(&name.to_ascii_lowercase())
    }

    /// Whether a source and an output may be the same register: their fields have a common type.
    fn may_be_one(&self, source: &str, out: &str) -> bool {
        let (Some(source), Some(out)) = (self.types.get(source), self.types.get(out)) else { return false };
        source.intersection(out).next().is_some()
    }
}

/// Adds the names that an expression reads to `live`.
fn reads<'e>(expr: &'e Expr, live: &mut HashSet<&'e str>) {
    expr.walk(&mut |expr| {
        if let ExprKind::Name(name) = &expr.kind {
            live.insert(name);
        }
        if let ExprKind::Binary(word, ..) | ExprKind::Call(word, _) = &expr.kind {
            live.insert(word);
        }
    });
}

/// Reports assignments whose value is overwritten or dropped before it is read. Computes liveness
/// from the end backwards.
fn dead_stores(lint: &mut Lint, optype: &Optype, routine: &Routine, operands: &Operands) {
    if optype.forms.is_empty() {
        return;
    }
    let ends: HashSet<&str> =
        routine.operands.iter().map(|(name, _)| name.as_str()).filter(|name| operands.is_out(name)).collect();
    let mut liveness = Liveness { ends: ends.clone(), dead: Vec::new() };
    liveness.block(&routine.body, ends.clone(), &ends);
    for (span, name) in liveness.dead.iter().rev() {
        let message =
            format!("the value given to `{name}` here is never read: it is replaced, or nothing uses it");
        lint.report(&DEAD_STORE, optype.page, span.clone(), optype.name(), message);
    }
}

struct Liveness<'e> {
    /// The names that are live after the routine: its outputs.
    ends: HashSet<&'e str>,
    dead: Vec<(Span, &'e str)>,
}

impl<'e> Liveness<'e> {
    /// Returns the names that are live before a block. `after` has the names that are live after
    /// the block. `outside` has the names that are live after the enclosing loop or switch.
    fn block(
        &mut self,
        body: &'e [Statement],
        after: HashSet<&'e str>,
        outside: &HashSet<&'e str>,
    ) -> HashSet<&'e str> {
        body.iter().rev().fold(after, |live, statement| self.statement(statement, live, outside))
    }

    fn statement(
        &mut self,
        statement: &'e Statement,
        mut live: HashSet<&'e str>,
        outside: &HashSet<&'e str>,
    ) -> HashSet<&'e str> {
        match &statement.kind {
            StatementKind::Assign { targets, update, value, .. } => {
                self.assign(targets, update.is_some(), value.as_ref(), &statement.span, &mut live);
            }
            StatementKind::If { arms } => {
                let complete = arms.last().is_some_and(|(condition, _)| condition.is_none());
                let mut before = if complete { HashSet::new() } else { live.clone() };
                for (condition, body) in arms {
                    before.extend(self.block(body, live.clone(), outside));
                    condition.iter().for_each(|condition| reads(condition, &mut before));
                }
                live = before;
            }
            StatementKind::Switch { subject, cases } => {
                let mut before = HashSet::new();
                let mut next = live.clone();
                for (_, body) in cases.iter().rev() {
                    next = self.block(body, next, &live);
                    before.extend(next.iter().copied());
                }
                reads(subject, &mut before);
                live = before;
            }
            StatementKind::Loop { init, condition, step, body } => {
                // A name that any iteration reads counts as live in the whole loop. This rule is
                // conservative, and needs no second pass.
                let after = live.clone();
                for inner in step.iter().chain(body) {
                    inner
                        .walk(&mut |inner| inner.exprs().into_iter().for_each(|expr| reads(expr, &mut live)));
                }
                condition.iter().for_each(|condition| reads(condition, &mut live));
                let round = self.block(body, live.clone(), &after);
                live.extend(round);
                live = self.block(init, live, outside);
            }
            StatementKind::Break | StatementKind::Continue => live = outside.clone(),
            StatementKind::Return(value) => {
                live = self.ends.clone();
                value.iter().for_each(|value| reads(value, &mut live));
            }
            StatementKind::Expr(expr) => reads(expr, &mut live),
        }
        live
    }

    fn assign(
        &mut self,
        targets: &'e [Expr],
        updates: bool,
        value: Option<&'e Expr>,
        span: &Span,
        live: &mut HashSet<&'e str>,
    ) {
        for target in targets {
            let whole = matches!(target.kind, ExprKind::Name(_)).then(|| target.base()).flatten();
            let Some(name) = whole else { continue };
            if !live.remove(name) && value.is_some() && targets.len() == 1 {
                self.dead.push((span.clone(), name));
            }
        }
        for target in targets {
            if updates {
                reads(target, live);
            } else if let ExprKind::Index(_, index) = &target.kind {
                index.iter().for_each(|index| reads(index, live));
            }
        }
        value.iter().for_each(|value| reads(value, live));
    }
}

/// Reports a source that is read after an output of the same type is written. Source and output may
/// be the same register.
fn written_before_read(lint: &mut Lint, optype: &Optype, routine: &Routine, operands: &Operands) {
    let mut search = Overwritten { operands, found: None };
    search.block(&routine.body, HashSet::new());
    if let Some((span, source, out)) = search.found {
        let message = format!("`{source}` is read after `{out}` is written: what if both are one register?");
        lint.report(&WRITTEN_BEFORE_READ, optype.page, span, optype.name(), message);
    }
}

struct Overwritten<'e> {
    operands: &'e Operands<'e>,
    found: Option<(Span, String, String)>,
}

impl<'e> Overwritten<'e> {
    fn block(&mut self, body: &'e [Statement], mut written: HashSet<&'e str>) -> HashSet<&'e str> {
        for statement in body {
            let targets = match &statement.kind {
                StatementKind::Assign { targets, .. } => targets.as_slice(),
                _ => &[],
            };
            for expr in
                statement.exprs().into_iter().filter(|expr| !targets.iter().any(|t| std::ptr::eq(t, *expr)))
            {
                self.reads(expr, &written);
            }
            written.extend(targets.iter().filter_map(Expr::base).filter(|name| self.operands.is_out(name)));
            let mut after = written.clone();
            for block in statement.blocks() {
                after.extend(self.block(block, written.clone()));
            }
            written = after;
        }
        written
    }

    fn reads(&mut self, expr: &Expr, written: &HashSet<&str>) {
        expr.walk(&mut |expr| {
            let ExprKind::Name(name) = &expr.kind else { return };
            if self.found.is_some() || self.operands.is_out(name) {
                return;
            }
            let mut outs: Vec<_> = written.iter().filter(|out| self.operands.may_be_one(name, out)).collect();
            outs.sort_unstable();
            if let Some(out) = outs.first() {
                self.found = Some((expr.span.clone(), name.clone(), (**out).to_owned()));
            }
        });
    }
}

/// Reports outputs of which only some bits are assigned.
fn partly_assigned(lint: &mut Lint, optype: &Optype, routine: &Routine, operands: &Operands) {
    for (name, _) in routine.operands.iter().filter(|(name, _)| operands.is_out(name)) {
        let bits = assigned(&routine.body, name);
        let first = first_target(&routine.body, name);
        if let (Some(span), true) = (first, bits != 0 && bits & 0xffff_ffff != 0xffff_ffff) {
            let message = format!(
                "only bits {bits:#x} of `{name}` or so get a value: what the others become is not given"
            );
            lint.report(&PARTLY_ASSIGNED, optype.page, span, optype.name(), message);
        }
    }
}

fn first_target(body: &[Statement], name: &str) -> Option<Span> {
    let mut first = None;
    for statement in body {
        statement.walk(&mut |statement| {
            if let StatementKind::Assign { targets, .. } = &statement.kind {
                let target = targets.iter().find(|target| target.base() == Some(name));
                first = first.take().or_else(|| target.map(|target| target.span.clone()));
            }
        });
    }
    first
}

/// Returns the assigned bits of a name. Of the arms of a branch that assign bits, only the arm with
/// the fewest bits counts.
fn assigned(body: &[Statement], name: &str) -> u64 {
    let mut bits = 0;
    for statement in body {
        bits |= match &statement.kind {
            StatementKind::Assign { targets, .. } => targets
                .iter()
                .filter(|target| target.base() == Some(name))
                .map(written_bits)
                .fold(0, |all, b| all | b),
            _ => {
                let arms = statement.blocks().into_iter().map(|block| assigned(block, name));
                arms.filter(|bits| *bits != 0).min_by_key(|bits| bits.count_ones()).unwrap_or(0)
            }
        };
    }
    bits
}

fn written_bits(target: &Expr) -> u64 {
    let ExprKind::Index(_, index) = &target.kind else { return u64::MAX };
    let bound = |expr: &Expr| match &expr.kind {
        ExprKind::Number(text) => text.parse::<u32>().ok().filter(|bit| *bit < 64),
        _ => None,
    };
    match index.as_slice() {
        [one, other] => match (bound(one), bound(other)) {
            (Some(one), Some(other)) => {
                let (low, high) = (one.min(other), one.max(other));
                (u64::MAX >> (63 - (high - low))) << low
            }
            _ => u64::MAX,
        },
        _ => u64::MAX,
    }
}

/// Reports sources that are not converted, if at least two other sources are converted.
fn treated_unlike(lint: &mut Lint, optype: &Optype, routine: &Routine, operands: &Operands) {
    let mut treated: HashSet<&str> = HashSet::new();
    for statement in &routine.body {
        statement.walk(&mut |statement| {
            let StatementKind::Assign { targets, value: Some(value), .. } = &statement.kind else { return };
            if let (Some(name), ExprKind::Call(_, arguments)) = (targets[0].base(), &value.kind)
                && arguments.iter().any(|argument| argument.base() == Some(name))
            {
                treated.insert(name);
            }
        });
    }
    let is_source = |name: &str| !operands.is_out(name) && operands.wide.contains(name);
    let sources = routine.operands.iter().filter(|(name, _)| is_source(name));
    let (done, left): (Vec<_>, Vec<_>) = sources.partition(|(name, _)| treated.contains(name.as_str()));
    for (name, span) in left.into_iter().filter(|_| done.len() > 1) {
        let message =
            format!("`{name}` is left as it is, and {} and {} are converted first", done[0].0, done[1].0);
        lint.report(&TREATED_UNLIKE, optype.page, span.clone(), optype.name(), message);
    }
}
