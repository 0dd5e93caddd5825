//! Every row, in document order.

use std::ops::Deref;

use super::list::optypes;
use super::{falu, misc, udp, visa, xu};
use crate::readings::Touched;
use crate::row::Optype;

macro_rules! rows {
    ($({
        $($(#[$doc:meta])* $name:ident in $($unit:ident)::+,)+
    })+) => {
        /// Every optype with a row, in document order.
        pub static ALL: &[&Optype] = &[$($(&$($unit)::+::$name,)+)+];
    };
}

optypes!(rows);

/// The optypes whose guard decides whether the instruction executes, in document order.
pub const GUARDED: [&str; guarded().1] = {
    let (names, _) = guarded();
    let mut guarded = [""; guarded().1];
    let mut place = 0;
    while place < guarded.len() {
        guarded[place] = names[place];
        place += 1;
    }
    guarded
};

/// Returns the names of the optypes whose guard decides whether the instruction executes, and their
/// number. Entries after that number are empty.
const fn guarded() -> ([&'static str; ALL.len()], usize) {
    let (mut names, mut count, mut place) = ([""; ALL.len()], 0, 0);
    while place < ALL.len() {
        if ALL[place].is_guarded() {
            names[count] = ALL[place].name;
            count += 1;
        }
        place += 1;
    }
    (names, count)
}

impl Deref for Touched {
    type Target = [&'static str];

    fn deref(&self) -> &[&'static str] {
        match self {
            Touched::Listed(optypes) => optypes,
            Touched::Guarded => &GUARDED,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_optypes_but_two_are_guarded() {
        let unguarded = ALL.iter().map(|row| row.name).filter(|name| !GUARDED.contains(name));
        assert_eq!(unguarded.collect::<Vec<_>>(), ["S2UR", "BFN"]);
    }
}
