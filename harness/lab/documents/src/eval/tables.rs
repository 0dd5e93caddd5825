//! The tables beside the code of an optype: operators, scales, rounding modes, special values.

use std::sync::Arc;

use super::real::Rounding;
use super::rules::Rules;
use super::stop::Reason;
use super::value::Operator;

/// A table, with its cells as text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextTable {
    /// The heading directly above the table.
    pub heading: String,
    /// The rows, the head first.
    pub rows: Vec<Vec<String>>,
}

/// The tables of an optype.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tables(pub Arc<[TextTable]>);

/// What a table says of a comparison: its operator, and its result if an operand is no number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Comparison {
    /// The operator.
    pub operator: Operator,
    /// The result if an operand is no number, if the column says it.
    pub unordered: Option<bool>,
}

impl Tables {
    /// Returns the row with a cell `.value`, the number of this cell, and the head of its column.
    fn row(&self, value: &str) -> Option<(&[String], &str)> {
        let is_value = |cell: &String| cell.strip_prefix('.') == Some(value);
        self.0.iter().find_map(|table| {
            let row = table.rows.iter().skip(1).find(|row| row.iter().any(is_value))?;
            let column = row.iter().position(is_value)?;
            let head = table.rows[0].get(column).map_or("", String::as_str);
            Some((row.as_slice(), head))
        })
    }

    /// Returns the operator that a value of a modifier stands for: the last cell of its row.
    pub fn operator(&self, value: &str) -> Option<Comparison> {
        let (row, head) = self.row(value)?;
        let operator = Operator::of(&row.last()?.replace('\\', ""))?;
        let column = head.split_whitespace().next().unwrap_or_default();
        let is_unordered = column.starts_with("unordered");
        let unordered = (is_unordered || column.starts_with("ordered")).then_some(is_unordered);
        Some(Comparison { operator, unordered })
    }

    /// Returns the power of two by which a value of a modifier scales: `÷ 4` is -2. A value that no
    /// table has scales nothing (E191).
    pub fn scale(&self, value: &str) -> Result<i64, Reason> {
        let Some((row, _)) = self.row(value) else { return Ok(0) };
        let cell = row.last().map_or("", String::as_str);
        let factor = cell.trim_start_matches(['×', '÷', ' ']).parse::<u32>().ok();
        let power = factor.filter(|factor| factor.is_power_of_two()).map(|factor| i64::from(factor.ilog2()));
        let power = power.ok_or(Reason::Mismatch("the scale is no power of two"))?;
        Ok(if cell.starts_with('÷') { -power } else { power })
    }

    /// Returns the rounding mode that a value of a modifier stands for. E169: the words for `.RN`
    /// name ties away from zero.
    pub fn rounding(&self, value: &str, rules: &Rules) -> Result<Rounding, Reason> {
        const UNKNOWN: Reason = Reason::Mismatch("no table says how to round");
        let (row, _) = self.row(value).ok_or(UNKNOWN)?;
        let words = row.last().map_or("", String::as_str);
        let modes = [
            ("正无穷", Rounding::Up),
            ("负无穷", Rounding::Down),
            ("零", Rounding::ToZero),
            ("四舍五入", nearest(rules)),
        ];
        let found = modes.into_iter().find(|(named, _)| words.contains(named));
        found.map(|(_, rounding)| rounding).ok_or(UNKNOWN)
    }
}

/// Returns the rounding to nearest (E169).
pub fn nearest(rules: &Rules) -> Rounding {
    if rules.of(169) == 1 { Rounding::TiesAway } else { Rounding::TiesToEven }
}
