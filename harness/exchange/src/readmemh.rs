//! A memory image for Verilog's `$readmemh`. Each case is one word. Its fields have fixed widths,
//! are separated by `_`, and begin with the highest bits. The inputs come first. Then follow, for
//! each written location, a digit for the kind of value and the values.

use std::fmt::Write;

use assay_isa::{Instruction, Location, asm};
use assay_runner::Context;
use assay_runner::RunError;
use assay_vectors::{Contract, Span};

use crate::columns::{ColumnContent, Columns, digits, value};
use crate::dialect::{Dialect, Line, Posed};
use crate::head::{Head, MARK};

/// Maximum number of spans of allowed values of a location, if the contract has a bound.
const SPANS: usize = 4;

// The digit before the values of a location. In a case, the digit is the number of spans (0 if the
// location must not be written), `UNDEFINED` or `OPEN`. In an answer, it is `NOT_WRITTEN` or
// `WRITTEN`.
const UNDEFINED: char = 'e';
const OPEN: char = 'f';
const NOT_WRITTEN: char = '8';
const WRITTEN: char = '9';

/// The form.
pub struct ReadMemH {
    columns: Columns,
    /// Number of values after the digit of a location in a case: one, or both ends of each span if
    /// the contract has a bound.
    values: usize,
}

impl ReadMemH {
    /// Returns the form for one instruction.
    pub fn new(context: &Context, instruction: &Instruction) -> Result<ReadMemH, RunError> {
        let is_bounded = matches!(context.profile.contract_for(instruction), Contract::Bounded { .. });
        let values = if is_bounded { 2 * SPANS } else { 1 };
        Ok(ReadMemH { columns: Columns::new(context, instruction)?, values })
    }

    /// Returns the number of digits of a word with `values` values for each written location.
    fn width(&self, values: usize) -> usize {
        let Columns { reads, writes, .. } = &self.columns;
        let inputs: usize = reads.iter().map(|l| digits(*l)).sum();
        inputs + writes.iter().map(|l| 1 + values * digits(*l)).sum::<usize>()
    }

    /// Returns the fields of a word as text for a comment, such as `R1 8, R2 8, R0 1 8`.
    fn fields(&self, values: usize) -> String {
        let Columns { reads, writes, .. } = &self.columns;
        let inputs = reads.iter().map(|l| format!("{l} {}", digits(*l)));
        let outputs = writes.iter().map(|l| format!("{l} 1{}", format!(" {}", digits(*l)).repeat(values)));
        inputs.chain(outputs).collect::<Vec<_>>().join(", ")
    }

    /// Appends the digit and the values of a location to a case.
    fn place(&self, location: Location, outcome: &ColumnContent<'_>, text: &mut String) {
        let spans: &[Span] = match outcome {
            ColumnContent::Allowed(allowed) => allowed.as_spans(),
            _ => &[],
        };
        let fits = spans.len() <= self.values.div_ceil(2);
        let digit = match outcome {
            ColumnContent::NotWritten => '0',
            ColumnContent::Undefined => UNDEFINED,
            ColumnContent::Allowed(_) if fits => char::from_digit(spans.len() as u32, 16).unwrap_or(OPEN),
            ColumnContent::Allowed(_) | ColumnContent::Open => OPEN,
        };
        text.push('_');
        text.push(digit);
        let ends = spans.iter().filter(|_| fits).flat_map(|span| [span.low, span.high]);
        for end in ends.chain(std::iter::repeat(0)).take(self.values) {
            let _ = write!(text, "_{end:0width$x}", width = digits(location));
        }
    }
}

impl Dialect for ReadMemH {
    fn head(&self, head: &Head) -> String {
        let Columns { instruction, word, .. } = &self.columns;
        format!(
            "// {MARK} {}\n// {}\n// word {word:#034x}\n// a case has {} bits, digits by field: {}\n\
             // an answer has {} bits, digits by field: {}\n",
            head.to_json(),
            asm::print(instruction),
            4 * self.width(self.values),
            self.fields(self.values),
            4 * self.width(1),
            self.fields(1),
        )
    }

    fn write(&self, case: &Posed<'_>, text: &mut String) -> Result<(), RunError> {
        let start = text.len();
        for (location, value) in self.columns.inputs(case) {
            let _ = write!(text, "_{value:0width$x}", width = digits(location));
        }
        for (location, outcome) in self.columns.results(case)? {
            self.place(location, &outcome, text);
        }
        // Removes the `_` before the first field.
        text.remove(start);
        text.push('\n');
        Ok(())
    }

    fn read(&self, line: &str) -> Result<Line, String> {
        if let Some(head) = Head::in_comment(line, "//") {
            return head.map(Line::Head);
        }
        let word = line.split_once("//").map_or(line, |(word, _)| word).trim();
        // An address moves the position in the simulator's memory. It is ignored, because cases
        // have no order.
        if word.is_empty() || word.starts_with('@') {
            return Ok(Line::Nothing);
        }
        let word: String = word.chars().filter(|c| *c != '_').collect();
        if word.contains(['x', 'X', 'z', 'Z']) {
            return Err("the simulation left bits of it unknown (x or z)".into());
        }
        if !word.is_ascii() || word.len() != self.width(1) {
            let (found, wanted) = (word.chars().count(), self.width(1));
            return Err(format!("{found} digits; an answer has {wanted}: {}", self.fields(1)));
        }
        let Columns { reads, writes, .. } = &self.columns;
        let mut rest = &word[..];
        let mut field = |width: usize| {
            let (field, behind) = rest.split_at(width);
            rest = behind;
            field
        };
        let inputs = reads.iter().map(|l| value(*l, field(digits(*l)))).collect::<Result<Vec<_>, _>>()?;
        let mut output = |location: &Location| {
            let (digit, text) = (field(1), field(digits(*location)));
            match digit.chars().next() {
                Some(WRITTEN) => value(*location, text).map(Some),
                Some(NOT_WRITTEN) => Ok(None),
                _ => Err(format!(
                    "the digit of {location} is {digit}; an answer has {WRITTEN} where it was written and {NOT_WRITTEN} where not"
                )),
            }
        };
        let outputs = writes.iter().map(&mut output).collect::<Result<Vec<_>, _>>()?;
        Ok(Line::Answer(Box::new(self.columns.answer(&inputs, &outputs))))
    }
}
