//! Wrong bits in the tables of MUFU.

/// Returns a row with one bit wrong. The coefficient changes from one segment to the next. It is a leading
/// bit, but not the first, so that it shows at most operands of the segment and stays within the datapath.
///
/// A coefficient that is small for its column has little effect, so the next one is used instead.
pub(crate) fn with_wrong_bit(table: &[[u32; 3]], segment: usize) -> [u32; 3] {
    let bits = |coefficient: u32| 32 - coefficient.leading_zeros();
    let mut row = table[segment];
    let counts = |column: &usize| {
        let width = table.iter().map(|row| bits(row[*column])).max().unwrap_or(0);
        bits(row[*column]) + 2 >= width
    };
    let column = (0..3).map(|step| (segment + step) % 3).find(counts).unwrap_or(0);
    // C0 is nearly the whole result: a quarter of it would be too great a change.
    let below = if column == 0 { 4 } else { 2 };
    row[column] ^= 1 << bits(row[column]).saturating_sub(below);
    row
}
