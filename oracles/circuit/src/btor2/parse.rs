//! From the text of a netlist to a checked [`Design`].

use std::collections::HashMap;
use std::io::BufRead;

use super::design::{Design, Node, NodeKind, Operand, Port, State};
use super::error::{Btor2Error, Btor2Problem};
use super::line::{Words, read_line, unexpected};
use super::operator::{Operator, Widths};

/// The largest width of a word.
const WIDEST: usize = 1 << 16;

/// What a line number stands for.
enum Entry {
    /// A sort: its width.
    Sort(usize),
    /// A node: its index.
    Node(usize),
    /// A line that no other line names.
    Nothing,
}

#[derive(Default)]
struct Parser {
    design: Design,
    entries: HashMap<u64, Entry>,
    last: u64,
}

impl Design {
    /// Reads a netlist. An error names the line. No line is believed: widths and references are
    /// checked.
    pub fn read(mut file: impl BufRead) -> Result<Design, Btor2Error> {
        let mut parser = Parser::default();
        for line in 1.. {
            let text = read_line(&mut file).map_err(|problem| Btor2Error { line, problem })?;
            let Some(text) = text else { break };
            parser.take_line(&text).map_err(|problem| Btor2Error { line, problem })?;
        }
        Ok(parser.design)
    }
}

impl Parser {
    fn take_line(&mut self, text: &str) -> Result<(), Btor2Problem> {
        let mut words = Words::new(text);
        let Some(first) = words.next() else { return Ok(()) };
        let number: u64 = first.parse().map_err(|_| unexpected(first, "number of a line"))?;
        if number <= self.last {
            return Err(Btor2Problem::NotIncreasing { number, before: self.last });
        }
        let keyword = words.word("a keyword")?;
        let entry = self.take_entry(keyword, words)?;
        self.last = number;
        self.entries.insert(number, entry);
        Ok(())
    }

    fn take_entry(&mut self, keyword: &str, mut words: Words) -> Result<Entry, Btor2Problem> {
        match keyword {
            "sort" => return Ok(Entry::Sort(sort(&mut words)?)),
            "init" | "next" => self.set_state(keyword, &mut words)?,
            "output" => {
                let operand = self.operand(&mut words, None)?;
                let port = Port { width: self.width(operand), name: words.name() };
                self.design.outputs.push((port, operand));
            }
            "bad" | "constraint" => {
                let operand = self.operand(&mut words, Some(1))?;
                let list =
                    if keyword == "bad" { &mut self.design.bads } else { &mut self.design.constraints };
                list.push(operand);
            }
            _ => return self.node(keyword, words),
        }
        Ok(Entry::Nothing)
    }

    /// Adds a node: a line with a sort.
    fn node(&mut self, keyword: &str, mut words: Words) -> Result<Entry, Btor2Problem> {
        let operator = Operator::named(keyword);
        let is_leaf =
            matches!(keyword, "input" | "state" | "const" | "constd" | "consth" | "zero" | "one" | "ones");
        if operator.is_none() && !is_leaf {
            return Err(Btor2Problem::Unsupported(keyword.escape_debug().to_string()));
        }
        let width = self.sort_width(&mut words)?;
        let kind = match (keyword, operator) {
            (_, Some((operator, widths))) => self.application(operator, widths, width, &mut words)?,
            ("input", _) => {
                self.design.inputs.push(Port { name: words.name(), width });
                NodeKind::Input(self.design.inputs.len() - 1)
            }
            ("state", _) => {
                let port = Port { name: words.name(), width };
                self.design.states.push(State { port, initial: None, next: None });
                NodeKind::State(self.design.states.len() - 1)
            }
            _ => NodeKind::Constant(constant(keyword, width, &mut words)?),
        };
        self.design.nodes.push(Node { width, kind });
        Ok(Entry::Node(self.design.nodes.len() - 1))
    }

    /// Reads the operands of an operator and checks all widths.
    fn application(
        &self,
        operator: Operator,
        widths: Widths,
        width: usize,
        words: &mut Words,
    ) -> Result<NodeKind, Btor2Problem> {
        let mut operands = Vec::new();
        let mut operator = operator;
        match widths {
            Widths::Same(count) => {
                for _ in 0..count {
                    operands.push(self.operand(words, Some(width))?);
                }
            }
            Widths::Compare | Widths::Reduce | Widths::Boolean => {
                require_width("the result", width, 1)?;
                operands.push(self.operand(words, (widths == Widths::Boolean).then_some(1))?);
                if widths != Widths::Reduce {
                    operands.push(self.operand(words, Some(self.width(operands[0])))?);
                }
            }
            Widths::Concat => {
                operands.extend([self.operand(words, None)?, self.operand(words, None)?]);
                require_width("the result", width, operands.iter().map(|o| self.width(*o)).sum())?;
            }
            Widths::Choice => {
                operands.push(self.operand(words, Some(1))?);
                operands.extend([self.operand(words, Some(width))?, self.operand(words, Some(width))?]);
            }
            Widths::Slice => {
                let operand = self.operand(words, None)?;
                let (high, low) = (words.number("the upper bit")?, words.number("the lower bit")?);
                operator = Operator::Slice(self.slice_low(operand, high, low, width)?);
                operands.push(operand);
            }
            Widths::Extend => {
                let operand = self.operand(words, None)?;
                let by: usize = words.number("number of bits")?;
                require_width("the result", width, self.width(operand).saturating_add(by))?;
                operands.push(operand);
            }
        }
        Ok(NodeKind::Apply(operator, operands))
    }

    /// Checks a slice and returns its least significant bit.
    fn slice_low(&self, operand: Operand, high: u64, low: u64, width: usize) -> Result<usize, Btor2Problem> {
        let whole = self.width(operand);
        if low > high || high >= whole as u64 {
            return Err(Btor2Problem::Slice { high, low, width: whole });
        }
        require_width("the result", width, (high - low + 1) as usize)?;
        Ok(low as usize)
    }

    /// Reads a line `init SORT STATE VALUE` or `next SORT STATE VALUE`.
    fn set_state(&mut self, keyword: &str, words: &mut Words) -> Result<(), Btor2Problem> {
        let width = self.sort_width(words)?;
        let number: u64 = words.number("number of a state")?;
        let unknown = |wanted| Btor2Problem::Unknown { number: number as i64, wanted };
        let Some(Entry::Node(node)) = self.entries.get(&number) else { return Err(unknown("state")) };
        let NodeKind::State(state) = self.design.nodes[*node].kind else { return Err(unknown("state")) };
        require_width("the state", self.design.nodes[*node].width, width)?;
        let value = self.operand(words, Some(width))?;
        let is_first = keyword == "init";
        if is_first && value.node >= *node {
            // Nodes are computed in their order, and the state needs its value.
            return Err(unknown("state behind its initial value, and so no state that begins with it,"));
        }
        let state = &mut self.design.states[state];
        let place = if is_first { &mut state.initial } else { &mut state.next };
        if place.replace(value).is_some() {
            return Err(Btor2Problem::Twice(number, if is_first { "initial" } else { "next" }));
        }
        Ok(())
    }

    /// Reads a reference to a node, and checks its width if one is given.
    fn operand(&self, words: &mut Words, wanted: Option<usize>) -> Result<Operand, Btor2Problem> {
        let number: i64 = words.number("number of a node")?;
        let Some(Entry::Node(node)) = self.entries.get(&number.unsigned_abs()) else {
            return Err(Btor2Problem::Unknown { number, wanted: "node" });
        };
        let operand = Operand { node: *node, complemented: number < 0 };
        if let Some(wanted) = wanted {
            require_width("the operand", self.width(operand), wanted)?;
        }
        Ok(operand)
    }

    fn sort_width(&self, words: &mut Words) -> Result<usize, Btor2Problem> {
        let number: u64 = words.number("number of a sort")?;
        match self.entries.get(&number) {
            Some(Entry::Sort(width)) => Ok(*width),
            _ => Err(Btor2Problem::Unknown { number: number as i64, wanted: "sort" }),
        }
    }

    fn width(&self, operand: Operand) -> usize {
        self.design.nodes[operand.node].width
    }
}

fn require_width(what: &'static str, width: usize, wanted: usize) -> Result<(), Btor2Problem> {
    if width == wanted { Ok(()) } else { Err(Btor2Problem::Width { what, width, wanted }) }
}

/// Reads `bitvec WIDTH`.
fn sort(words: &mut Words) -> Result<usize, Btor2Problem> {
    let kind = words.word("the kind of the sort")?;
    if kind != "bitvec" {
        return Err(Btor2Problem::Unsupported(format!("sort {}", kind.escape_debug())));
    }
    let width: u64 = words.number("width")?;
    let usable = usize::try_from(width).ok().filter(|width| (1..=WIDEST).contains(width));
    usable.ok_or(Btor2Problem::NoWidth { width, largest: WIDEST })
}

/// Returns the bits of a constant, the least significant first.
fn constant(keyword: &str, width: usize, words: &mut Words) -> Result<Vec<bool>, Btor2Problem> {
    let mut bits = match keyword {
        "zero" => vec![],
        "one" => vec![true],
        "ones" => vec![true; width],
        _ => {
            let word = words.word("a constant")?;
            let bits = match keyword {
                "const" => digits(word, 2),
                "consth" => digits(word, 16),
                _ => decimal(word, width),
            };
            let bits = bits.ok_or_else(|| unexpected(word, "constant"))?;
            if bits.iter().skip(width).any(|bit| *bit) || keyword == "const" && bits.len() != width {
                let word = word.chars().take(40).collect();
                return Err(Btor2Problem::Constant { word, width });
            }
            bits
        }
    };
    bits.resize(width, false);
    Ok(bits)
}

/// Returns the bits of a number in base 2 or 16.
fn digits(word: &str, base: u32) -> Option<Vec<bool>> {
    let digits = word.chars().rev().map(|digit| digit.to_digit(base));
    let digits = digits.collect::<Option<Vec<u32>>>()?;
    let bits_each = base.ilog2();
    Some(digits.iter().flat_map(|digit| (0..bits_each).map(move |place| digit >> place & 1 == 1)).collect())
}

/// Returns the bits of a decimal number of up to 127 bits, a negative one as its two's complement
/// of a width.
fn decimal(word: &str, width: usize) -> Option<Vec<bool>> {
    let value: i128 = word.parse().ok()?;
    let fits = value >= 0 || width >= 128 || value >= -(1i128 << (width - 1));
    let digit = |place: usize| value >> place.min(127) & 1 == 1;
    fits.then(|| (0..if value < 0 { width } else { 127 }).map(digit).collect())
}
