//! The syntax tree of pseudo-code.

use crate::layout::Span;

/// A routine: its head, such as `NAME.mode Rd, Ra:`, and its body.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Routine {
    /// The head without the `:`. Empty if the code has no head.
    pub head: Span,
    /// The name at the start of the head, and the modifiers after it, without dots.
    pub name: Vec<(String, Span)>,
    /// The operands: the names in the head after the mnemonic and its modifiers.
    pub operands: Vec<(String, Span)>,
    /// Whether the operands are in parentheses. Then the routine is a function that expressions
    /// call.
    pub is_function: bool,
    /// The statements.
    pub body: Vec<Statement>,
}

/// A statement.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// Position of the statement. For a compound statement, the position of its head.
    pub span: Span,
    /// The kind of the statement.
    pub kind: StatementKind,
}

/// The kind of a statement.
#[derive(Debug, Clone, PartialEq)]
pub enum StatementKind {
    /// `T a, b = c;`, `a += b;`, `a++;`.
    Assign {
        /// The assigned names, elements or memory.
        targets: Vec<Expr>,
        /// Whether the statement is a chain `a = b = c`, in which all targets get the value. The
        /// targets of `a, b = c` are a list instead: each of them gets a part of the value.
        is_chain: bool,
        /// The operator that combines the old value with the new one: `>>` for `a >>= b`. For
        /// `a++` and `a--`, which have no value, `+` and `-` with 1.
        update: Option<String>,
        /// The type, if the statement declares its targets.
        ty: Option<TypeName>,
        /// The value, if one is given.
        value: Option<Expr>,
    },
    /// `if … else if … else …`.
    If {
        /// Conditions (`None` for `else`) and statements.
        arms: Vec<(Option<Expr>, Vec<Statement>)>,
    },
    /// `while` and `for`.
    Loop {
        /// The initial statements of a `for`.
        init: Vec<Statement>,
        /// The condition of the next iteration.
        condition: Option<Expr>,
        /// The statements after each iteration of a `for`.
        step: Vec<Statement>,
        /// The statements of the body.
        body: Vec<Statement>,
    },
    /// `switch (subject) { case … }`.
    Switch {
        /// The value that selects the case.
        subject: Expr,
        /// Labels (`None` for `default`) and statements.
        cases: Vec<(Option<Expr>, Vec<Statement>)>,
    },
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `return`, with its value.
    Return(Option<Expr>),
    /// An expression alone.
    Expr(Expr),
}

/// The type of a declaration.
#[derive(Debug, Clone, PartialEq)]
pub struct TypeName {
    /// The name, such as `UINT32` or `typeof`.
    pub name: String,
    /// The expression in parentheses after the name, such as `x` of `typeof(x)`.
    pub argument: Option<Expr>,
}

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// Position of the expression.
    pub span: Span,
    /// The kind of the expression.
    pub kind: ExprKind,
    /// Whether parentheses enclose the expression.
    pub grouped: bool,
}

/// The kind of an expression.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// A literal.
    Number(String),
    /// A name.
    Name(String),
    /// `a.b`: a member of a name or of another member.
    Member(Box<Expr>, String),
    /// `.name`.
    Modifier(String),
    /// A prefix operator and its operand. `*` reads memory, and `|` takes the absolute value.
    Unary(String, Box<Expr>),
    /// An infix operator and its operands. The operator is a word if a modifier acts as operator.
    Binary(String, Box<Expr>, Box<Expr>),
    /// `a ? b : c`. Each further `:` adds a value to the list of values.
    Choice(Box<Expr>, Vec<Expr>),
    /// A call.
    Call(String, Vec<Expr>),
    /// `a[i]`, or `a[h:l]` with two indices.
    Index(Box<Expr>, Vec<Expr>),
    /// `{a, b}`: concatenated bits.
    Join(Vec<Expr>),
    /// A missing expression.
    Missing,
}

impl Expr {
    /// Returns the direct subexpressions.
    pub fn parts(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Unary(_, of) | ExprKind::Member(of, _) => vec![of],
            ExprKind::Binary(_, left, right) => vec![left, right],
            ExprKind::Choice(condition, values) => std::iter::once(&**condition).chain(values).collect(),
            ExprKind::Call(_, parts) | ExprKind::Join(parts) => parts.iter().collect(),
            ExprKind::Index(of, index) => std::iter::once(&**of).chain(index).collect(),
            ExprKind::Number(_) | ExprKind::Name(_) | ExprKind::Modifier(_) | ExprKind::Missing => Vec::new(),
        }
    }

    /// Returns the direct subexpressions, for changes.
    pub fn parts_mut(&mut self) -> Vec<&mut Expr> {
        match &mut self.kind {
            ExprKind::Unary(_, of) | ExprKind::Member(of, _) => vec![of],
            ExprKind::Binary(_, left, right) => vec![left, right],
            ExprKind::Choice(condition, values) => {
                std::iter::once(&mut **condition).chain(values.iter_mut()).collect()
            }
            ExprKind::Call(_, parts) | ExprKind::Join(parts) => parts.iter_mut().collect(),
            ExprKind::Index(of, index) => std::iter::once(&mut **of).chain(index.iter_mut()).collect(),
            ExprKind::Number(_) | ExprKind::Name(_) | ExprKind::Modifier(_) | ExprKind::Missing => Vec::new(),
        }
    }

    /// Calls `change` with this expression and all its subexpressions, outermost first. A changed
    /// expression is entered as it is after the change, unless `change` returns true.
    pub fn walk_mut(&mut self, change: &mut impl FnMut(&mut Expr) -> bool) {
        if !change(self) {
            self.parts_mut().into_iter().for_each(|part| part.walk_mut(change));
        }
    }

    /// Whether two expressions have the same tokens, apart from parentheses.
    pub fn same_as(&self, other: &Expr) -> bool {
        let is_same = match (&self.kind, &other.kind) {
            (ExprKind::Unary(a, _), ExprKind::Unary(b, _)) => a == b,
            (ExprKind::Member(_, a), ExprKind::Member(_, b)) => a == b,
            (ExprKind::Binary(a, ..), ExprKind::Binary(b, ..)) => a == b,
            (ExprKind::Call(a, _), ExprKind::Call(b, _)) => a == b,
            (ExprKind::Choice(..), ExprKind::Choice(..)) => true,
            (ExprKind::Join(_), ExprKind::Join(_)) | (ExprKind::Index(..), ExprKind::Index(..)) => true,
            (a, b) => a == b,
        };
        let (parts, others) = (self.parts(), other.parts());
        is_same && parts.len() == others.len() && parts.iter().zip(others).all(|(a, b)| a.same_as(b))
    }

    /// Calls `see` with this expression and all its subexpressions, outermost first.
    pub fn walk<'a>(&'a self, see: &mut impl FnMut(&'a Expr)) {
        see(self);
        for part in self.parts() {
            part.walk(see);
        }
    }

    /// Returns the name that is written or read: `a` of `a[3]` and of `a.b`.
    pub fn base(&self) -> Option<&str> {
        match &self.kind {
            ExprKind::Name(name) => Some(name),
            ExprKind::Index(of, _) | ExprKind::Member(of, _) => of.base(),
            _ => None,
        }
    }
}

impl Statement {
    /// Calls `see` with this statement and all nested statements, outermost first.
    pub fn walk<'a>(&'a self, see: &mut impl FnMut(&'a Statement)) {
        see(self);
        for block in self.blocks() {
            block.iter().for_each(|statement| statement.walk(see));
        }
    }

    /// Returns the blocks of statements below this statement.
    pub fn blocks(&self) -> Vec<&[Statement]> {
        match &self.kind {
            StatementKind::If { arms } | StatementKind::Switch { cases: arms, .. } => {
                arms.iter().map(|(_, body)| body.as_slice()).collect()
            }
            StatementKind::Loop { init, step, body, .. } => vec![init, body, step],
            _ => Vec::new(),
        }
    }

    /// Returns the blocks of statements below this statement, for changes.
    pub fn blocks_mut(&mut self) -> Vec<&mut Vec<Statement>> {
        match &mut self.kind {
            StatementKind::If { arms } | StatementKind::Switch { cases: arms, .. } => {
                arms.iter_mut().map(|(_, body)| body).collect()
            }
            StatementKind::Loop { init, step, body, .. } => vec![init, body, step],
            _ => Vec::new(),
        }
    }

    /// Returns the expressions of the statement itself, for changes, in the order of
    /// [`Statement::exprs`].
    pub fn exprs_mut(&mut self) -> Vec<&mut Expr> {
        match &mut self.kind {
            StatementKind::Assign { targets, ty, value, .. } => {
                let argument = ty.iter_mut().filter_map(|ty| ty.argument.as_mut());
                argument.chain(value).chain(targets).collect()
            }
            StatementKind::If { arms } => {
                arms.iter_mut().filter_map(|(condition, _)| condition.as_mut()).collect()
            }
            StatementKind::Loop { condition, .. } => condition.iter_mut().collect(),
            StatementKind::Switch { subject, cases } => {
                let labels = cases.iter_mut().filter_map(|(label, _)| label.as_mut());
                std::iter::once(subject).chain(labels).collect()
            }
            StatementKind::Return(value) => value.iter_mut().collect(),
            StatementKind::Expr(expr) => vec![expr],
            StatementKind::Break | StatementKind::Continue => Vec::new(),
        }
    }

    /// Returns the expressions of the statement itself, without nested statements. Assigned targets
    /// come last.
    pub fn exprs(&self) -> Vec<&Expr> {
        match &self.kind {
            StatementKind::Assign { targets, ty, value, .. } => {
                let argument = ty.iter().filter_map(|ty| ty.argument.as_ref());
                argument.chain(value).chain(targets).collect()
            }
            StatementKind::If { arms } => {
                arms.iter().filter_map(|(condition, _)| condition.as_ref()).collect()
            }
            StatementKind::Loop { condition, .. } => condition.iter().collect(),
            StatementKind::Switch { subject, cases } => {
                std::iter::once(subject).chain(cases.iter().filter_map(|(label, _)| label.as_ref())).collect()
            }
            StatementKind::Return(value) => value.iter().collect(),
            StatementKind::Expr(expr) => vec![expr],
            StatementKind::Break | StatementKind::Continue => Vec::new(),
        }
    }
}
