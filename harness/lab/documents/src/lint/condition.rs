//! Conditions on fields, as exceptions and widths have them: `(dtype=="F64") and (mode!="A")`.

/// A condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// All of them.
    And(Vec<Condition>),
    /// One of them.
    Or(Vec<Condition>),
    /// A field has a value, or with `false` has not.
    Is(String, String, bool),
}

/// How deep parentheses may nest.
const DEPTH: usize = 32;

impl Condition {
    /// Reads a condition; none if it is not of this kind.
    pub fn read(text: &str) -> Option<Self> {
        let mut reader = Reader { rest: text.trim_start(), depth: 0 };
        let condition = reader.any()?;
        reader.rest.is_empty().then_some(condition)
    }

    /// Whether it holds, given the value of each field.
    pub fn holds(&self, value: &impl Fn(&str) -> Option<String>) -> bool {
        match self {
            Condition::And(parts) => parts.iter().all(|part| part.holds(value)),
            Condition::Or(parts) => parts.iter().any(|part| part.holds(value)),
            Condition::Is(field, wanted, equal) => (value(field).as_deref() == Some(wanted)) == *equal,
        }
    }
}

/// Every `field=="value"` and `field!="value"` in a text, whatever else it holds.
pub fn comparisons(text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut parts = text.split('"');
    while let (Some(before), Some(value)) = (parts.next(), parts.next()) {
        let before = before.trim_end();
        let Some(before) = before.strip_suffix("==").or_else(|| before.strip_suffix("!=")) else { continue };
        let before = before.trim_end();
        let name = before.rsplit(|c: char| !is_name(c)).next().unwrap_or_default();
        found.push((name, value));
    }
    found
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '.'
}

struct Reader<'a> {
    rest: &'a str,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn eat(&mut self, text: &str) -> bool {
        let Some(rest) = self.rest.strip_prefix(text) else { return false };
        self.rest = rest.trim_start();
        true
    }

    fn any(&mut self) -> Option<Condition> {
        let mut parts = vec![self.all()?];
        while self.eat("or") || self.eat("||") {
            parts.push(self.all()?);
        }
        Some(if parts.len() == 1 { parts.swap_remove(0) } else { Condition::Or(parts) })
    }

    fn all(&mut self) -> Option<Condition> {
        let mut parts = vec![self.one()?];
        while self.eat("and") || self.eat("&&") {
            parts.push(self.one()?);
        }
        Some(if parts.len() == 1 { parts.swap_remove(0) } else { Condition::And(parts) })
    }

    fn one(&mut self) -> Option<Condition> {
        if self.eat("(") {
            self.depth += 1;
            if self.depth > DEPTH {
                return None;
            }
            let inner = self.any()?;
            self.depth -= 1;
            return self.eat(")").then_some(inner);
        }
        let len = self.rest.find(|c: char| !is_name(c))?;
        let field = self.rest[..len].to_owned();
        self.rest = self.rest[len..].trim_start();
        let equal = self.eat("==");
        if !equal && !self.eat("!=") {
            return None;
        }
        let (value, rest) = self.rest.strip_prefix('"')?.split_once('"')?;
        self.rest = rest.trim_start();
        Some(Condition::Is(field, value.to_owned(), equal))
    }
}
