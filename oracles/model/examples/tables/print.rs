//! Prints tables as Rust source.

use std::fmt::Write;

use crate::fit::{DatapathShape, Row};

/// Returns the head of the file of `name`'s table.
pub fn head(title: &str, name: &str) -> String {
    format!(
        "//! {title} Generated, do not edit:\n\
         //! `cargo run -p assay-model --release --example tables -- {name}` prints it, `-- --check` compares.\n\
         \n\
         use crate::mufu::interpolate::DatapathShape;\n"
    )
}

/// Returns rows and their shape as constants whose names begin with `prefix`. `doc` describes the rows.
pub fn table(prefix: &str, doc: &str, shape: DatapathShape, widths: [u32; 3], rows: &[Row]) -> String {
    let mut text = String::from("\n");
    for line in doc.lines() {
        writeln!(text, "/// {line}").expect("a String takes all");
    }
    text += &format!("pub(super) const {prefix}ROM: [[u32; 3]; {}] = [\n", rows.len());
    for row in rows {
        let digits = |n: usize| format!("{:#0width$x}", row[n], width = widths[n].div_ceil(4) as usize + 2);
        writeln!(text, "    [{}, {}, {}],", digits(0), digits(1), digits(2)).expect("a String takes all");
    }
    let DatapathShape { offset, square, shifts, cut, falling, concave } = shape;
    text + &format!(
        "];\n\
         \n\
         /// The bit positions of [`{prefix}ROM`]'s datapath.\n\
         pub(super) const {prefix}SHAPE: DatapathShape =\n    \
         DatapathShape {{ offset: {offset}, square: {square}, shifts: {shifts:?}, cut: {cut}, \
         falling: {falling}, concave: {concave} }};\n"
    )
}
