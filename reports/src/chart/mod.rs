//! Charts as SVG inside a page: no script, no style of their own (the page's classes colour them), and
//! text beside every one for those who do not see it.
//!
//! A chart is drawn about as wide as a phone and stands beside others on a wide screen, so that its
//! letters are readable on both. Whatever the numbers, every coordinate is finite: [`scale`] sees to it.
//!
//! | room | what it draws |
//! |---|---|
//! | [`scale`] | places and marks on an axis |
//! | [`axis`] | the frame around a plot |
//! | [`ranges`] | the least and greatest of each of many columns, and limits |
//! | [`bars`] | counts of bins |
//! | [`grid`] | counts by column and row |

pub mod axis;
pub mod bars;
pub mod grid;
pub mod ranges;
pub mod scale;
