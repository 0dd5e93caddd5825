//! Conditions on fields in exceptions and widths, such as `(dtype=="F64") and (mode!="A")`.

/// A condition on the fields of an instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// All conditions hold.
    And(Vec<Condition>),
    /// At least one condition holds.
    Or(Vec<Condition>),
    /// Field and value: the field has the value (`true`), or does not have it (`false`).
    Is(String, String, bool),
}

/// Maximum depth of nested parentheses.
const DEPTH: usize = 32;

impl Condition {
    /// Reads a condition. `None` if the text is no such condition.
    pub fn read(text: &str) -> Option<Self> {
        let mut reader = Reader { rest: text.trim_start(), depth: 0 };
        let condition = reader.any()?;
        reader.rest.is_empty().then_some(condition)
    }

    /// Whether the condition holds. `value` returns the value of a field.
    pub fn holds(&self, value: &impl Fn(&str) -> Option<String>) -> bool {
        match self {
            Condition::And(parts) => parts.iter().all(|part| part.holds(value)),
            Condition::Or(parts) => parts.iter().any(|part| part.holds(value)),
            Condition::Is(field, wanted, equal) => (value(field).as_deref() == Some(wanted)) == *equal,
        }
    }
}

/// Returns field and value of every `field=="value"` and `field!="value"` in a text. Ignores other
/// text.
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
