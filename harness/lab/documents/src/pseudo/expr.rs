//! Expressions of pseudo-code. Operators have the precedence of C.

use super::parse::{CHAIN, PseudoParser};
use super::token::PseudoTokenKind;
use super::tree::{Expr, ExprKind};

/// Operators by precedence, the loosest first.
const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", ">", "<=", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

/// Returns the precedence of an operator. A greater number binds tighter.
pub fn binding(operator: &str) -> Option<usize> {
    LEVELS.iter().position(|level| level.contains(&operator))
}

impl PseudoParser<'_> {
    /// Reads an expression. If there is none, returns [`ExprKind::Missing`] and records a fault.
    pub(super) fn expr(&mut self) -> Expr {
        self.deeper(|parser| parser.choice()).unwrap_or_else(|| self.missing())
    }

    fn choice(&mut self) -> Expr {
        let condition = self.binary(0);
        if !self.eat("?") {
            return condition;
        }
        let mut values = vec![self.expr()];
        while self.eat(":") {
            values.push(self.expr());
        }
        if values.len() != 2 {
            let span = self.since(condition.span.start);
            self.fault(span, "a choice has one `?` and one `:`");
        }
        let span = self.since(condition.span.start);
        Expr { span, kind: ExprKind::Choice(Box::new(condition), values), grouped: false }
    }

    fn binary(&mut self, level: usize) -> Expr {
        let mut left = self.prefixed();
        for _ in 0..CHAIN {
            let Some((operator, at)) = self.operator().filter(|(_, at)| *at >= level) else { return left };
            // A bar that closes `|x|` is not an operator.
            if operator == "|" && self.in_bars() && !self.starts_expr(1) {
                return left;
            }
            self.skip();
            let right = self.deeper(|parser| parser.binary(at + 1)).unwrap_or_else(|| self.missing());
            let span = left.span.start..right.span.end.max(left.span.end);
            left = Expr {
                span,
                kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)),
                grouped: false,
            };
        }
        self.skip_line();
        self.fault(left.span.clone(), "this expression is too long to be read");
        left
    }

    /// Returns the next operator: a sign, or a word between two operands. A word binds tightest.
    fn operator(&self) -> Option<(String, usize)> {
        let word = self.peek(0)?;
        let text = self.text_of(word);
        match word.shape {
            PseudoTokenKind::Sign => Some((text.to_owned(), binding(text)?)),
            PseudoTokenKind::Word
                if self.starts_expr(1)
                    && self.peek(1)?.line == word.line
                    && self.line() == Some(word.line) =>
            {
                Some((text.to_owned(), LEVELS.len()))
            }
            _ => None,
        }
    }

    fn prefixed(&mut self) -> Expr {
        const PREFIXES: [&str; 6] = ["-", "~", "!", "*", "+", "&"];
        let Some(token) = self.peek(0) else { return self.missing() };
        let (start, text) = (token.span.start, self.text_of(token).to_owned());
        if token.shape == PseudoTokenKind::Sign && PREFIXES.contains(&text.as_str()) {
            self.skip();
            let of = self.deeper(Self::prefixed).unwrap_or_else(|| self.missing());
            let span = start..of.span.end.max(start);
            return Expr { span, kind: ExprKind::Unary(text, Box::new(of)), grouped: false };
        }
        if text == "|" {
            self.skip();
            let of = self.within_bars();
            self.expect("|");
            let span = self.since(start);
            return Expr { span, kind: ExprKind::Unary(text, Box::new(of)), grouped: false };
        }
        self.postfix()
    }

    fn postfix(&mut self) -> Expr {
        let mut expr = self.primary();
        for _ in 0..CHAIN {
            if !self.eat("[") {
                break;
            }
            let mut index = vec![self.expr()];
            if self.eat(":") {
                index.push(self.expr());
            }
            self.expect("]");
            let span = self.since(expr.span.start);
            expr = Expr { span, kind: ExprKind::Index(Box::new(expr), index), grouped: false };
        }
        expr
    }

    fn primary(&mut self) -> Expr {
        let Some(token) = self.peek(0).cloned() else { return self.missing() };
        let text = self.text_of(&token).to_owned();
        let start = token.span.start;
        let kind = match (token.shape, text.as_str()) {
            (PseudoTokenKind::Number, _) => ExprKind::Number(text),
            (PseudoTokenKind::Modifier, _) => ExprKind::Modifier(text[1..].to_owned()),
            (PseudoTokenKind::Word, _) => {
                self.skip();
                if !self.peek_is("(") {
                    return named(&text, start);
                }
                let kind = ExprKind::Call(text, self.listed("(", ")"));
                return Expr { span: self.since(start), kind, grouped: false };
            }
            (PseudoTokenKind::Sign, "(") => {
                self.skip();
                let mut inner = self.expr();
                self.expect(")");
                (inner.span, inner.grouped) = (self.since(start), true);
                return inner;
            }
            (PseudoTokenKind::Sign, "{") => {
                let parts = self.listed("{", "}");
                return Expr { span: self.since(start), kind: ExprKind::Join(parts), grouped: false };
            }
            _ => return self.missing(),
        };
        self.skip();
        Expr { span: token.span, kind, grouped: false }
    }

    /// Reads expressions between two brackets.
    fn listed(&mut self, open: &str, close: &str) -> Vec<Expr> {
        let mut parts = Vec::new();
        self.expect(open);
        if self.eat(close) {
            return parts;
        }
        loop {
            parts.push(self.expr());
            if !self.eat(",") {
                self.expect(close);
                return parts;
            }
        }
    }

    /// Whether an expression can begin at the token `ahead`.
    fn starts_expr(&self, ahead: usize) -> bool {
        self.peek(ahead).is_some_and(|token| match token.shape {
            PseudoTokenKind::Sign => matches!(self.text_of(token), "(" | "~" | "!"),
            _ => true,
        })
    }

    fn missing(&mut self) -> Expr {
        let span = self.peek(0).map_or(self.end()..self.end(), |token| token.span.clone());
        self.fault(span.clone(), "an expression is missing here");
        Expr { span, kind: ExprKind::Missing, grouped: false }
    }
}

/// Returns the expression of a word: a name, and a member for each point in the word. The last
/// member of a very long word has points in its name.
fn named(word: &str, start: usize) -> Expr {
    let mut parts = word.splitn(CHAIN, '.');
    let first = parts.next().unwrap_or_default();
    let name = ExprKind::Name(first.to_owned());
    let mut expr = Expr { span: start..start + first.len(), kind: name, grouped: false };
    for member in parts {
        let span = start..expr.span.end + 1 + member.len();
        expr = Expr { span, kind: ExprKind::Member(Box::new(expr), member.to_owned()), grouped: false };
    }
    expr
}
