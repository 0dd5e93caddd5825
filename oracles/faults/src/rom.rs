//! Wrong bits in the coefficient tables of MUFU.

/// Returns a row of a table with one bit wrong. The coefficient with the wrong bit changes from
/// segment to segment. The wrong bit is a high bit, so it shows for most operands of the segment.
/// The wrong bit is not the highest bit, so the values stay within the datapath.
///
/// A coefficient that is small for its column has little effect. In this case the next coefficient
/// is used instead.
pub(crate) fn with_wrong_bit(table: &[[u32; 3]], segment: usize) -> [u32; 3] {
    let bits = |coefficient: u32| 32 - coefficient.leading_zeros();
    let mut row = table[segment];
    let counts = |column: &usize| {
        let width = table.iter().map(|row| bits(row[*column])).max().unwrap_or(0);
        bits(row[*column]) + 2 >= width
    };
    let column = (0..3).map(|step| (segment + step) % 3).find(counts).unwrap_or(0);
    // C0 is almost the whole result, so a lower bit is changed. A higher bit would give too large
    // an error.
    let below = if column == 0 { 4 } else { 2 };
    row[column] ^= 1 << bits(row[column]).saturating_sub(below);
    row
}
