//! Errata as patches of the documents: a place in a routine, and an edit of a few tokens. The edit
//! is applied to the tree, and the data holds no block of a document.
//!
//! A place is a path of statements, such as `if 1 > then > assign 2`: the second assignment of the
//! first branch of the first `if`. Each number counts the statements of one kind in one block.

use serde::Deserialize;

use super::head::Head;
use super::rules::Rules;
use super::specification::RoutineText;
use crate::layout::Span;
use crate::pseudo::{Code, Expr, ExprKind, Statement, StatementKind};

/// A change of the documents that a setting of an erratum selects.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Patch {
    /// The number of the erratum.
    pub erratum: u16,
    /// The setting that selects the patch. Without it, every profile has the patch: it repairs a
    /// misprint that has no two readings.
    pub setting: Option<u8>,
    /// The optypes whose code is changed.
    pub optypes: Vec<String>,
    /// The changed routines of the optype, counted from 1.
    #[serde(default = "first")]
    pub routines: Vec<usize>,
    /// Other errata with the settings that this patch needs, too: its place is within their
    /// patches.
    #[serde(default)]
    pub needs: Vec<(u16, u8)>,
    /// The place in each routine: `head`, or the path of a statement.
    pub place: String,
    /// The edit.
    pub edit: Edit,
}

fn first() -> Vec<usize> {
    vec![1]
}

/// An edit at the place of a patch.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Edit {
    /// Replaces an expression of the statement.
    Replace {
        /// The replaced expression.
        find: String,
        /// The new expression.
        by: String,
    },
    /// Replaces an infix operator of the statement.
    Operator {
        /// The replaced operator.
        find: String,
        /// The new operator.
        by: String,
    },
    /// Replaces the value of the assignment. In the new value, `_` is the replaced one.
    Value(String),
    /// Adds an argument to the call that is the value of the assignment.
    Argument(String),
    /// Adds statements before the statement.
    Before(String),
    /// Adds statements after the statement.
    After(String),
    /// Removes one of the values of a choice, counted from 1.
    DropValue(usize),
    /// Renames a modifier in the head and in the code.
    Modifier {
        /// The replaced name, without its point.
        find: String,
        /// The new name.
        by: String,
    },
    /// Renames the mnemonic of the head.
    Name {
        /// The replaced name.
        find: String,
        /// The new name.
        by: String,
    },
    /// Adds a token to the head.
    Insert {
        /// The token.
        token: String,
        /// The token that follows it.
        before: String,
    },
}

/// A patch that does not fit the documents: they are another edition, or the patch is wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the patch of E{erratum:03} at `{place}` of {optype} does not fit: {problem}")]
pub struct PatchError {
    /// The erratum.
    pub erratum: u16,
    /// The optype.
    pub optype: String,
    /// The place.
    pub place: String,
    /// What does not fit.
    pub problem: PatchProblem,
}

/// What does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PatchProblem {
    /// The optype has fewer routines.
    #[error("there is no such routine")]
    NoRoutine,
    /// No statement has this path.
    #[error("there is no such statement")]
    NoStatement,
    /// The replaced tokens are not there exactly once.
    #[error("its tokens occur {0} times, not once")]
    Count(usize),
    /// The new text cannot be read, or the edit suits another kind of statement.
    #[error("the edit cannot be read, or suits another statement")]
    Edit,
}

impl Patch {
    /// Whether a profile has the patch.
    pub fn is_selected(&self, rules: &Rules) -> bool {
        let own = self.setting.is_none_or(|setting| rules.of(self.erratum) == setting);
        own && self.needs.iter().all(|(erratum, setting)| rules.of(*erratum) == *setting)
    }

    /// Applies the patch to the routines of an optype.
    pub(super) fn apply(&self, optype: &str, routines: &mut [RoutineText]) -> Result<(), PatchError> {
        for number in &self.routines {
            let routine = number.checked_sub(1).and_then(|index| routines.get_mut(index));
            let applied = match routine {
                None => Err(PatchProblem::NoRoutine),
                Some(routine) if self.place == "head" => self.edit.apply_to_head(routine),
                Some(routine) => self.apply_to_body(&mut routine.body),
            };
            applied.map_err(|problem| PatchError {
                erratum: self.erratum,
                optype: optype.to_owned(),
                place: self.place.clone(),
                problem,
            })?;
        }
        Ok(())
    }

    fn apply_to_body(&self, body: &mut Vec<Statement>) -> Result<(), PatchProblem> {
        let steps: Vec<&str> = self.place.split('>').map(str::trim).collect();
        let (block, index) = find(body, &steps).ok_or(PatchProblem::NoStatement)?;
        match &self.edit {
            Edit::Before(text) => insert(block, index, index, text),
            Edit::After(text) => insert(block, index, index + 1, text),
            edit => edit.apply_to_statement(&mut block[index]),
        }
    }

    /// Returns the position of the patched statement, or of the head.
    pub(super) fn span(&self, routine: &RoutineText) -> Option<Span> {
        if self.place == "head" {
            return Some(routine.span.clone());
        }
        let steps: Vec<&str> = self.place.split('>').map(str::trim).collect();
        let mut body = routine.body.clone();
        let (block, index) = find(&mut body, &steps)?;
        Some(block[index].span.clone())
    }
}

/// Returns the block and the index of the statement with a path.
fn find<'a>(block: &'a mut Vec<Statement>, steps: &[&str]) -> Option<(&'a mut Vec<Statement>, usize)> {
    let (first, rest) = steps.split_first()?;
    let (kind, number) = first.split_once(' ')?;
    let number: usize = number.parse().ok()?;
    let of_kind = |statement: &&Statement| kind_of(statement) == kind;
    let position = block.iter().enumerate().filter(|(_, statement)| of_kind(statement));
    let (index, _) = { position }.nth(number.checked_sub(1)?)?;
    if rest.is_empty() {
        return Some((block, index));
    }
    let (inner, rest) = enter(&mut block[index], rest)?;
    find(inner, rest)
}

/// Returns the block of a statement that a path enters, and the rest of the path.
fn enter<'a, 'p>(
    statement: &'a mut Statement,
    steps: &'p [&'p str],
) -> Option<(&'a mut Vec<Statement>, &'p [&'p str])> {
    let (step, rest) = steps.split_first()?;
    match &mut statement.kind {
        StatementKind::If { arms } => {
            let arm = match step.split_once(' ') {
                None if *step == "then" => 0,
                None if *step == "else" => arms.iter().position(|(condition, _)| condition.is_none())?,
                Some(("else-if", number)) => number.parse().ok()?,
                _ => return None,
            };
            Some((&mut arms.get_mut(arm)?.1, rest))
        }
        StatementKind::Switch { cases, .. } => {
            let number: usize = step.strip_prefix("case ")?.parse().ok()?;
            Some((&mut cases.get_mut(number.checked_sub(1)?)?.1, rest))
        }
        StatementKind::Loop { body, .. } => Some((body, steps)),
        _ => None,
    }
}

fn kind_of(statement: &Statement) -> &'static str {
    match statement.kind {
        StatementKind::Assign { .. } => "assign",
        StatementKind::If { .. } => "if",
        StatementKind::Loop { .. } => "loop",
        StatementKind::Switch { .. } => "switch",
        StatementKind::Break => "break",
        StatementKind::Continue => "continue",
        StatementKind::Return(_) => "return",
        StatementKind::Expr(_) => "expression",
    }
}

fn insert(block: &mut Vec<Statement>, at: usize, to: usize, text: &str) -> Result<(), PatchProblem> {
    let span = block[at].span.clone();
    let mut code = Code::read(text, 0..text.len());
    let ([routine], []) = (code.routines.as_mut_slice(), code.faults.as_slice()) else {
        return Err(PatchProblem::Edit);
    };
    for statement in &mut routine.body {
        move_statement(statement, &span);
    }
    block.splice(to..to, std::mem::take(&mut routine.body));
    Ok(())
}

fn move_statement(statement: &mut Statement, span: &Span) {
    statement.span = span.clone();
    for expr in statement.exprs_mut() {
        move_expr(expr, span);
    }
    for block in statement.blocks_mut() {
        block.iter_mut().for_each(|inner| move_statement(inner, span));
    }
}

/// Gives an expression of a patch a position in the document.
fn move_expr(expr: &mut Expr, span: &Span) {
    expr.walk_mut(&mut |expr| {
        expr.span = span.clone();
        false
    });
}

fn parse(text: &str, span: &Span) -> Result<Expr, PatchProblem> {
    let mut expr = Code::formula(text, 0..text.len()).ok_or(PatchProblem::Edit)?;
    move_expr(&mut expr, span);
    Ok(expr)
}

impl Edit {
    fn apply_to_head(&self, routine: &mut RoutineText) -> Result<(), PatchProblem> {
        let Head { tokens, .. } = &mut routine.head;
        let place = |token: &str| {
            let places: Vec<usize> = (0..tokens.len()).filter(|at| tokens[*at] == token).collect();
            if let [at] = places[..] { Ok(at) } else { Err(PatchProblem::Count(places.len())) }
        };
        match self {
            Edit::Name { find, by } => {
                let at = place(find)?;
                tokens[at].clone_from(by);
            }
            Edit::Insert { token, before } => {
                let at = place(before)?;
                tokens.insert(at, token.clone());
            }
            Edit::Modifier { find, by } => {
                let at = place(&format!(".{find}"))?;
                tokens[at] = format!(".{by}");
                rename_modifier(&mut routine.body, find, by);
            }
            _ => return Err(PatchProblem::Edit),
        }
        Ok(())
    }

    fn apply_to_statement(&self, statement: &mut Statement) -> Result<(), PatchProblem> {
        let span = statement.span.clone();
        match self {
            Edit::Replace { find, by } => {
                let (find, by) = (parse(find, &span)?, parse(by, &span)?);
                once(statement, |expr| {
                    let found = expr.same_as(&find);
                    if found {
                        *expr = Expr { grouped: true, ..by.clone() };
                    }
                    found
                })
            }
            Edit::Operator { find, by } => once(statement, |expr| match &mut expr.kind {
                ExprKind::Binary(operator, ..) if operator == find => {
                    operator.clone_from(by);
                    true
                }
                _ => false,
            }),
            Edit::DropValue(number) => {
                let index = number.checked_sub(1).ok_or(PatchProblem::Edit)?;
                once(statement, |expr| match &mut expr.kind {
                    ExprKind::Choice(_, values) if values.len() > 2 && index < values.len() => {
                        values.remove(index);
                        true
                    }
                    _ => false,
                })
            }
            Edit::Value(_) | Edit::Argument(_) => {
                let StatementKind::Assign { value: Some(value), .. } = &mut statement.kind else {
                    return Err(PatchProblem::Edit);
                };
                self.apply_to_value(value, &span)
            }
            _ => Err(PatchProblem::Edit),
        }
    }

    fn apply_to_value(&self, value: &mut Expr, span: &Span) -> Result<(), PatchProblem> {
        match (self, &mut value.kind) {
            (Edit::Value(text), _) => {
                let mut new = parse(text, span)?;
                new.walk_mut(&mut |expr| {
                    let is_old = matches!(&expr.kind, ExprKind::Name(name) if name == "_");
                    if is_old {
                        *expr = Expr { grouped: true, ..value.clone() };
                    }
                    is_old
                });
                *value = new;
                Ok(())
            }
            (Edit::Argument(text), ExprKind::Call(_, arguments)) => {
                arguments.push(parse(text, span)?);
                Ok(())
            }
            _ => Err(PatchProblem::Edit),
        }
    }
}

/// Changes exactly one expression of a statement. `change` returns whether it changed one.
fn once(statement: &mut Statement, mut change: impl FnMut(&mut Expr) -> bool) -> Result<(), PatchProblem> {
    let mut count = 0;
    for expr in statement.exprs_mut() {
        expr.walk_mut(&mut |expr| {
            let changed = change(expr);
            count += usize::from(changed);
            changed
        });
    }
    if count == 1 { Ok(()) } else { Err(PatchProblem::Count(count)) }
}

fn rename_modifier(body: &mut [Statement], find: &str, by: &str) {
    for statement in body {
        for expr in statement.exprs_mut() {
            expr.walk_mut(&mut |expr| {
                match &mut expr.kind {
                    ExprKind::Modifier(name) if name == find => by.clone_into(name),
                    _ => {}
                }
                false
            });
        }
        statement.blocks_mut().into_iter().for_each(|block| rename_modifier(block, find, by));
    }
}
