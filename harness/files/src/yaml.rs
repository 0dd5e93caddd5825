//! Limits on YAML text, checked before a text is turned into values.
//!
//! The YAML library's time to build values grows with length times nesting. The library takes over
//! a hundred bytes of memory for each item, and copies the target of each alias. So the text is
//! first parsed as a stream of events, which is cheap, and the events are counted. The limits are
//! far above real use.

use std::fmt;

use saphyr_parser::{Event, Parser};

use crate::MIB;

/// Maximum number of bytes of a YAML file. The longest vector file of the project has 0.15 MB.
pub const BYTES: u64 = 16 * MIB;
/// Maximum depth of nested lists and maps.
pub const DEPTH: usize = 64;
/// Greatest number of scalars, lists and maps, after every alias is replaced by its target.
pub const ITEMS: u64 = 1_500_000;
/// Maximum number of separators: `,`, `:`, `[`, `{` and line feeds. A parser may buffer all
/// separators after an open bracket.
const MARKS: usize = 3_000_000;
/// Greatest number of bytes of all scalars, after every alias is replaced by its target.
pub const EXPANDED: u64 = 64 * MIB;

/// Why a YAML text is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The text has too many bytes. Holds the number of bytes.
    Bytes(usize),
    /// The text has too many items or separators. Holds the line where the limit of items is
    /// exceeded, or the last line.
    Items(usize),
    /// Lists and maps nest too deeply. Holds the line where the limit is exceeded.
    Depth(usize),
    /// The scalars have too many bytes once aliases are replaced. Holds the line where the limit is
    /// exceeded.
    Expanded(usize),
    /// The text is not YAML.
    Syntax {
        /// The parser's reason.
        why: String,
        /// The line, counted from 1.
        line: usize,
        /// The column, counted from 1.
        column: usize,
    },
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let aliases = "aliases (`*name`) count as their targets";
        match self {
            Refused::Bytes(bytes) => write!(f, "has {bytes} bytes, and the limit of YAML is {BYTES}"),
            Refused::Items(line) => {
                write!(f, "line {line}: the limit of YAML is {ITEMS} items, where {aliases}")
            }
            Refused::Depth(line) => {
                write!(f, "line {line}: the limit of YAML is {DEPTH} nested lists and maps")
            }
            Refused::Expanded(line) => {
                write!(f, "line {line}: the limit of YAML is {EXPANDED} bytes of text, where {aliases}")
            }
            Refused::Syntax { why, line, column } => write!(f, "line {line}, column {column}: {why}"),
        }
    }
}

impl std::error::Error for Refused {}

/// The number of items and of scalar bytes of a node, after aliases are replaced.
#[derive(Clone, Copy, Default)]
struct Size {
    items: u64,
    bytes: u64,
}

impl Size {
    fn add(&mut self, other: Size) {
        self.items = self.items.saturating_add(other.items);
        self.bytes = self.bytes.saturating_add(other.bytes);
    }
}

/// Checks that a text is YAML within the limits.
///
/// # Errors
///
/// The first limit that the text exceeds, or the place where the text is not YAML.
pub fn check(text: &str) -> Result<(), Refused> {
    if text.len() as u64 > BYTES {
        return Err(Refused::Bytes(text.len()));
    }
    let is_mark = |byte: &u8| matches!(byte, b',' | b':' | b'[' | b'{' | b'\n');
    if text.bytes().filter(|byte| is_mark(byte)).count() > MARKS {
        return Err(Refused::Items(text.lines().count()));
    }
    // `anchored`: sizes of anchored nodes, by anchor. `open`: the open lists and maps with their
    // anchors, starting with the document.
    let mut anchored: Vec<Size> = Vec::new();
    let mut open = vec![(0, Size::default())];
    let mut total = Size::default();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            let place = error.marker();
            Refused::Syntax { why: error.info().to_owned(), line: place.line(), column: place.col() + 1 }
        })?;
        let (anchor, size) = match event {
            Event::SequenceStart(anchor, _) | Event::MappingStart(anchor, _) => {
                open.push((anchor, Size::default()));
                total.items += 1;
                if open.len() > DEPTH + 1 { return Err(Refused::Depth(span.start.line())) } else { continue }
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some((anchor, inner)) => (anchor, Size { items: inner.items.saturating_add(1), ..inner }),
                None => continue,
            },
            Event::Scalar(text, _, anchor, _) => {
                let size = Size { items: 1, bytes: text.len() as u64 };
                total.add(size);
                (anchor, size)
            }
            Event::Alias(anchor) => {
                let size = anchored.get(anchor).copied().unwrap_or_default();
                total.add(size);
                (0, size)
            }
            _ => continue,
        };
        if anchor > 0 {
            anchored.resize(anchored.len().max(anchor + 1), Size::default());
            anchored[anchor] = size;
        }
        if let Some((_, outer)) = open.last_mut() {
            outer.add(size);
        }
        match span.start.line() {
            line if total.items > ITEMS => return Err(Refused::Items(line)),
            line if total.bytes > EXPANDED => return Err(Refused::Expanded(line)),
            _ => {}
        }
    }
    Ok(())
}

/// One step of a path into a YAML document: from a list or a map to a value in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// The value of a key.
    Key(&'a str),
    /// An item of a list, counted from 0.
    Item(usize),
}

/// Returns the line, counted from 1, on which the value at a path begins. `None` if there is no
/// such value, or if a syntax error precedes it.
pub fn line_of(text: &str, path: &[Step<'_>]) -> Option<usize> {
    // For each open list or map: whether it is a map, the number of nodes begun in it, and the last
    // key.
    let mut open: Vec<(bool, usize, String)> = Vec::new();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.ok()?;
        let (is_start, is_map) = match &event {
            Event::SequenceStart(..) => (true, false),
            Event::MappingStart(..) => (true, true),
            Event::Scalar(..) | Event::Alias(_) => (false, false),
            Event::SequenceEnd | Event::MappingEnd => {
                open.pop();
                continue;
            }
            _ => continue,
        };
        let mut is_key = false;
        if let Some((in_map, values, key)) = open.last_mut() {
            *values += 1;
            is_key = *in_map && *values % 2 == 1;
            if let (true, Event::Scalar(text, ..)) = (is_key, &event) {
                text.as_ref().clone_into(key);
            }
        }
        let is_at = |((in_map, values, key), step): (&(bool, usize, String), &Step<'_>)| match step {
            Step::Key(name) => *in_map && key == name,
            Step::Item(item) => !in_map && *values == item + 1,
        };
        if !is_key && open.len() == path.len() && open.iter().zip(path).all(is_at) {
            return Some(span.start.line());
        }
        if is_start {
            open.push((is_map, 0, String::new()));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_and_repeated_aliases_are_within_the_limits() {
        let prose = "- about: in [0, 1) * 2, and *all* of [1, 2)\n  in: \"[0, 1)\"\n";
        assert_eq!(check(&prose.repeat(1000)), Ok(()));
        let aliases = format!("base: &base {{E1: 1}}\nlist:\n{}", "- *base\n".repeat(1000));
        assert_eq!(check(&aliases), Ok(()));
    }

    #[test]
    fn a_value_is_found_by_its_path() {
        use Step::{Item, Key};
        let text = "a: 1\nlist:\n- {name: x,\n   run: y}\n- name: z\n  list: [1,\n    2]\nb: list\n";
        for (path, line) in [
            (&[Key("a")][..], Some(1)),
            (&[Key("list"), Item(0)], Some(3)),
            (&[Key("list"), Item(0), Key("run")], Some(4)),
            (&[Key("list"), Item(1)], Some(5)),
            (&[Key("list"), Item(1), Key("list"), Item(1)], Some(7)),
            (&[Key("b")], Some(8)),
            (&[Key("list"), Item(2)], None),
            (&[Key("c")], None),
        ] {
            assert_eq!(line_of(text, path), line, "{path:?}");
        }
    }

    #[test]
    fn each_limit_is_told() {
        let deep = format!("a:\n  {}", "[".repeat(DEPTH));
        let block = format!("a:\n {}b", "- ".repeat(DEPTH));
        let list = |n: usize| format!("- &a{n} [{}]\n", format!("*a{}, ", n - 1).repeat(10));
        let lists: String = (1..9).map(list).collect();
        let doubled = format!("- &a0 x\n{lists}");
        let wide = format!("[{}]", "a,".repeat(ITEMS as usize));
        let long = "a".repeat(BYTES as usize + 1);
        let aliased = format!("- &a {}\n{}", "x".repeat(1 << 20), "- *a\n".repeat(64));
        for (text, refused) in [
            (deep, Refused::Depth(2)),
            (block, Refused::Depth(2)),
            (doubled, Refused::Items(8)),
            (wide, Refused::Items(1)),
            (long, Refused::Bytes(BYTES as usize + 1)),
            (aliased, Refused::Expanded(65)),
        ] {
            assert_eq!(check(&text), Err(refused), "{}", &text[..text.len().min(200)]);
        }
        let hopeless = "[".repeat(BYTES as usize);
        assert_eq!(check(&hopeless), Err(Refused::Items(1)));
    }
}
