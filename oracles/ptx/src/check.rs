//! Checks a kernel before it runs. Every column that a step reads must be written on every path to
//! it. Every step must be reachable, and every path must end at a `ret`.
//!
//! Branches only go forward, so one pass over the steps covers all paths to each step.

use std::collections::HashMap;

use crate::column::{CARRY, Initial, SINK};
use crate::error::ParseError;
use crate::step::{Action, Step};

/// Whether each column has been written on all paths to the current step. `None`: no path leads
/// here.
type Written = Option<Vec<bool>>;

pub(crate) fn steps(columns: &[Initial], steps: &[Step], end: usize) -> Result<(), ParseError> {
    let mut written: Written = Some(columns.iter().map(|&initial| initial != Initial::Nothing).collect());
    let mut jumps: HashMap<usize, Written> = HashMap::new();
    for (index, step) in steps.iter().enumerate() {
        join(&mut written, jumps.remove(&index).flatten());
        let Some(columns) = &mut written else {
            return Err(ParseError::new(step.line, "no path leads here"));
        };
        if let Some(column) = step.access.from.into_iter().find(|&column| !columns[column]) {
            let what = if column == CARRY { "the carry flag" } else { "a register" };
            return Err(ParseError::new(step.line, format!("{what} is read that may not have been written")));
        }
        step.access.to.into_iter().filter(|&column| column != SINK).for_each(|column| columns[column] = true);
        match step.action {
            Action::Branch { guard, target } => {
                join(jumps.entry(target).or_default(), written.clone());
                written = written.filter(|_| guard.is_some());
            }
            Action::Return => written = None,
            Action::Compute(_) | Action::Load | Action::Store => {}
        }
    }
    join(&mut written, jumps.remove(&steps.len()).flatten());
    match written {
        None => Ok(()),
        Some(_) => Err(ParseError::new(end, "a path ends without ret")),
    }
}

/// Joins two paths. Afterwards, a column counts as written only if it was written on both paths.
fn join(written: &mut Written, other: Written) {
    match (written, other) {
        (Some(written), Some(other)) => written.iter_mut().zip(other).for_each(|(a, b)| *a &= b),
        (_, None) => {}
        (written, other) => *written = other,
    }
}
