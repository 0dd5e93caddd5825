//! Parses formulas: Python expressions with Python's precedence, one statement a line.

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// An integer.
    Int(i128),
    /// The value of a modifier, such as `.WRAP`, or the rounding `AWAY`.
    Symbol(String),
    /// A name.
    Name(String),
    /// A call of a function.
    Call(String, Vec<Expr>),
    /// A word of an operand, or a location of a space: `UR[i]`.
    Index(String, Box<Expr>),
    /// A prefix operator and its operand.
    Unary(String, Box<Expr>),
    /// An infix operator and its operands.
    Binary(String, Box<Expr>, Box<Expr>),
    /// `x in (a, b)`.
    In(Box<Expr>, Vec<Expr>),
    /// `a if condition else b`. The condition comes first.
    Choice(Box<Expr>, Box<Expr>, Box<Expr>),
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    Assign(String, Option<Expr>, Expr),
    If(Expr, Box<Statement>),
    Elif(Expr, Box<Statement>),
    Else(Box<Statement>),
    For(String, Expr, Expr, Vec<Statement>),
    Undefined,
    Fault(String),
    Record(Vec<Expr>),
    Reread(String),
    Overwrite(String, Expr),
    Narrow(String),
}

/// Parses the statements of a formula.
pub fn parse(lines: &[&str]) -> Vec<Statement> {
    let mut statements = Vec::new();
    let mut rest = lines;
    while let Some((line, behind)) = rest.split_first() {
        assert!(!line.starts_with(' '), "`{line}` is indented without a loop");
        rest = behind;
        if let Some(head) = line.strip_prefix("for ") {
            let length = rest.iter().take_while(|line| line.starts_with("    ")).count();
            let body: Vec<&str> = rest[..length].iter().map(|line| line.trim_start()).collect();
            rest = &rest[length..];
            let (variable, range) =
                head.trim_end_matches(':').split_once(" in ").expect("a loop has a range");
            let (first, last) = range.split_once("..").expect("a range has two ends");
            statements.push(Statement::For(
                variable.into(),
                expression(first),
                expression(last),
                parse(&body),
            ));
            continue;
        }
        let mut parser = Parser { tokens: tokens(line), at: 0, line };
        statements.push(parser.statement());
        parser.end();
    }
    statements
}

fn expression(text: &str) -> Expr {
    let mut parser = Parser { tokens: tokens(text), at: 0, line: text };
    let expr = parser.choice();
    parser.end();
    expr
}

const OPERATORS: [&str; 11] = ["**", "<<", ">>", "<=", ">=", "==", "!=", "..", "->", "||", "&&"];

fn tokens(line: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = line.trim();
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = match first {
            ' ' => {
                rest = rest.trim_start();
                continue;
            }
            '.' => 1 + rest[1..].find(|c| !is_word(c)).unwrap_or(rest.len() - 1),
            c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            _ if rest.len() > 1 && OPERATORS.contains(&&rest[..2]) => 2,
            _ => 1,
        };
        tokens.push(rest[..length].to_owned());
        rest = &rest[length..];
    }
    tokens
}

struct Parser<'a> {
    tokens: Vec<String>,
    at: usize,
    line: &'a str,
}

impl Parser<'_> {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", String::as_str)
    }

    fn next(&mut self) -> String {
        self.at += 1;
        self.tokens.get(self.at - 1).cloned().unwrap_or_else(|| panic!("`{}` ends too early", self.line))
    }

    fn take(&mut self, token: &str) -> bool {
        let is_it = self.peek() == token;
        self.at += usize::from(is_it);
        is_it
    }

    fn expect(&mut self, token: &str) {
        assert!(self.take(token), "`{}`: expected `{token}`, found `{}`", self.line, self.peek());
    }

    fn end(&self) {
        assert!(self.at == self.tokens.len(), "`{}`: `{}` is left", self.line, self.peek());
    }

    fn statement(&mut self) -> Statement {
        match self.peek().to_owned().as_str() {
            "if" | "elif" => {
                let word = self.next();
                let condition = self.choice();
                self.expect(":");
                let body = Box::new(self.statement());
                if word == "if" { Statement::If(condition, body) } else { Statement::Elif(condition, body) }
            }
            "else" => {
                self.next();
                self.expect(":");
                Statement::Else(Box::new(self.statement()))
            }
            "undefined" => {
                self.next();
                Statement::Undefined
            }
            "fault" => {
                let words = self.tokens[self.at + 1..].join(" ");
                self.at = self.tokens.len();
                Statement::Fault(words)
            }
            "record" => match self.choice() {
                Expr::Call(_, arguments) => Statement::Record(arguments),
                _ => panic!("`{}`: record takes arguments", self.line),
            },
            "reread" | "narrow" => match self.next().as_str() {
                "reread" => Statement::Reread(self.next()),
                _ => Statement::Narrow(self.next()),
            },
            "overwrite" => {
                self.next();
                let name = self.next();
                self.expect("with");
                Statement::Overwrite(name, self.choice())
            }
            _ => {
                let name = self.next();
                let index = self.take("[").then(|| {
                    let index = self.choice();
                    self.expect("]");
                    index
                });
                self.expect("=");
                Statement::Assign(name, index, self.choice())
            }
        }
    }

    fn choice(&mut self) -> Expr {
        let value = self.binary(0);
        if !self.take("if") {
            return value;
        }
        let condition = self.binary(0);
        self.expect("else");
        Expr::Choice(Box::new(condition), Box::new(value), Box::new(self.choice()))
    }

    fn binary(&mut self, level: usize) -> Expr {
        const LEVELS: [&[&str]; 9] = [
            &["or"],
            &["and"],
            &["not"],
            &["==", "!=", "<", "<=", ">", ">=", "in"],
            &["|"],
            &["&"],
            &["<<", ">>"],
            &["+", "-"],
            &["*", "%"],
        ];
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        if operators == &["not"] {
            return if self.take("not") {
                Expr::Unary("not".into(), Box::new(self.binary(level)))
            } else {
                self.binary(level + 1)
            };
        }
        let mut left = self.binary(level + 1);
        while operators.contains(&self.peek()) {
            let operator = self.next();
            left = match operator.as_str() {
                "in" => {
                    self.expect("(");
                    Expr::In(Box::new(left), self.list(")"))
                }
                _ => Expr::Binary(operator, Box::new(left), Box::new(self.binary(level + 1))),
            };
        }
        left
    }

    fn unary(&mut self) -> Expr {
        match self.peek() {
            "-" | "~" => {
                let operator = self.next();
                Expr::Unary(operator, Box::new(self.unary()))
            }
            _ => {
                let base = self.primary();
                if self.take("**") {
                    Expr::Binary("**".into(), Box::new(base), Box::new(self.unary()))
                } else {
                    base
                }
            }
        }
    }

    fn list(&mut self, end: &str) -> Vec<Expr> {
        let mut list = Vec::new();
        while !self.take(end) {
            if !list.is_empty() {
                self.expect(",");
            }
            list.push(self.choice());
        }
        list
    }

    fn primary(&mut self) -> Expr {
        let token = self.next();
        if token == "(" {
            let inside = self.choice();
            self.expect(")");
            return inside;
        }
        if let Some(value) = token.strip_prefix('.') {
            return Expr::Symbol(value.to_owned());
        }
        if token == "AWAY" {
            return Expr::Symbol(token);
        }
        if let Some(digits) = token.strip_prefix("0x") {
            return Expr::Int(i128::from_str_radix(digits, 16).expect("hexadecimal digits"));
        }
        if token.starts_with(|c: char| c.is_ascii_digit()) {
            return Expr::Int(token.parse().unwrap_or_else(|_| panic!("`{}`: `{token}`", self.line)));
        }
        assert!(token.starts_with(|c: char| c.is_alphabetic()), "`{}`: `{token}` is no value", self.line);
        if self.take("(") {
            return Expr::Call(token, self.list(")"));
        }
        if self.take("[") {
            let index = self.choice();
            self.expect("]");
            return Expr::Index(token, Box::new(index));
        }
        Expr::Name(token)
    }
}
