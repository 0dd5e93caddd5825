//! What pseudo-code is made of.

use crate::layout::Span;

/// A routine: its head `NAME.mode Rd, Ra:` and its body.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Routine {
    /// The head without the `:`; empty where code has none.
    pub head: Span,
    /// The name that the head begins with, and the points after it without the point.
    pub name: Vec<(String, Span)>,
    /// The names in the head after that.
    pub operands: Vec<(String, Span)>,
    /// Whether the operands stand in parentheses: a function that expressions call.
    pub is_function: bool,
    /// The statements.
    pub body: Vec<Statement>,
}

/// A statement.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// All of it, of a compound one its head.
    pub span: Span,
    /// Its kind.
    pub kind: StatementKind,
}

/// The kind of a statement.
#[derive(Debug, Clone, PartialEq)]
pub enum StatementKind {
    /// `T a, b = c;`, `a += b;`, `a++;`.
    Assign {
        /// The written places.
        targets: Vec<Expr>,
        /// Whether the old value counts too, as in `a += b`.
        updates: bool,
        /// Whether the statement names a type, and with it declares the targets.
        ty: Option<String>,
        /// The value, if one is given.
        value: Option<Expr>,
    },
    /// `if … else if … else …`.
    If {
        /// Condition (none for `else`) and statements.
        arms: Vec<(Option<Expr>, Vec<Statement>)>,
    },
    /// `while` and `for`.
    Loop {
        /// The first statements of a `for`.
        init: Vec<Statement>,
        /// The condition to go on.
        condition: Option<Expr>,
        /// The statements after each round of a `for`.
        step: Vec<Statement>,
        /// The statements.
        body: Vec<Statement>,
    },
    /// `switch (subject) { case … }`.
    Switch {
        /// The inspected value.
        subject: Expr,
        /// Label (none for `default`) and statements.
        cases: Vec<(Option<Expr>, Vec<Statement>)>,
    },
    /// `break` or `continue`.
    Break,
    /// `return`, with its value.
    Return(Option<Expr>),
    /// An expression alone.
    Expr(Expr),
}

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// All of it.
    pub span: Span,
    /// Its kind.
    pub kind: ExprKind,
    /// Whether it stands in parentheses of its own.
    pub grouped: bool,
}

/// The kind of an expression.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// A literal.
    Number(String),
    /// A name.
    Name(String),
    /// `.name`.
    Modifier(String),
    /// A sign before its operand; `*` reads memory, `|` takes the absolute value.
    Unary(String, Box<Expr>),
    /// Two operands and the operator between them; a word if a modifier is the operator.
    Binary(String, Box<Expr>, Box<Expr>),
    /// `a ? b : c`. Where more than one `:` follows, the rest is in the last.
    Choice(Box<Expr>, Vec<Expr>),
    /// A call.
    Call(String, Vec<Expr>),
    /// `a[i]`, and `a[h:l]` with two.
    Index(Box<Expr>, Vec<Expr>),
    /// `{a, b}`: bits joined.
    Join(Vec<Expr>),
    /// Nothing where an expression belongs.
    Missing,
}

impl Expr {
    /// The direct parts.
    pub fn parts(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Unary(_, of) => vec![of],
            ExprKind::Binary(_, left, right) => vec![left, right],
            ExprKind::Choice(condition, values) => std::iter::once(&**condition).chain(values).collect(),
            ExprKind::Call(_, parts) | ExprKind::Join(parts) => parts.iter().collect(),
            ExprKind::Index(of, index) => std::iter::once(&**of).chain(index).collect(),
            ExprKind::Number(_) | ExprKind::Name(_) | ExprKind::Modifier(_) | ExprKind::Missing => Vec::new(),
        }
    }

    /// Calls `see` with this expression and all in it, outermost first.
    pub fn walk<'a>(&'a self, see: &mut impl FnMut(&'a Expr)) {
        see(self);
        for part in self.parts() {
            part.walk(see);
        }
    }

    /// The name that is written or read: of `a[3]` it is `a`.
    pub fn base(&self) -> Option<&str> {
        match &self.kind {
            ExprKind::Name(name) => Some(name),
            ExprKind::Index(of, _) => of.base(),
            _ => None,
        }
    }
}

impl Statement {
    /// Calls `see` with this statement and all in it, in order of the text.
    pub fn walk<'a>(&'a self, see: &mut impl FnMut(&'a Statement)) {
        see(self);
        for block in self.blocks() {
            block.iter().for_each(|statement| statement.walk(see));
        }
    }

    /// The statements below this one.
    pub fn blocks(&self) -> Vec<&[Statement]> {
        match &self.kind {
            StatementKind::If { arms } | StatementKind::Switch { cases: arms, .. } => {
                arms.iter().map(|(_, body)| body.as_slice()).collect()
            }
            StatementKind::Loop { init, step, body, .. } => vec![init, body, step],
            _ => Vec::new(),
        }
    }

    /// The expressions of the statement itself, those that it writes last.
    pub fn exprs(&self) -> Vec<&Expr> {
        match &self.kind {
            StatementKind::Assign { targets, value, .. } => value.iter().chain(targets).collect(),
            StatementKind::If { arms } => {
                arms.iter().filter_map(|(condition, _)| condition.as_ref()).collect()
            }
            StatementKind::Loop { condition, .. } => condition.iter().collect(),
            StatementKind::Switch { subject, cases } => {
                std::iter::once(subject).chain(cases.iter().filter_map(|(label, _)| label.as_ref())).collect()
            }
            StatementKind::Return(value) => value.iter().collect(),
            StatementKind::Expr(expr) => vec![expr],
            StatementKind::Break => Vec::new(),
        }
    }
}
