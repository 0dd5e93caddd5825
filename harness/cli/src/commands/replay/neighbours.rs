//! Formats the two representable numbers around an exact result. Rounding chooses one of them.

use assay_engine::compare::shown_value::float;
use assay_runner::inspect::inspector::Exact;

/// Returns a few lines for each result. The pattern that is nearer to zero comes first.
pub fn text(results: &[Exact]) -> String {
    let mut text = String::new();
    for result in results {
        let digits = usize::from(result.format.width() > 16) * 4 + 4;
        let value = result.decimal();
        text += &format!("  the exact {} is {value}, and the numbers around it are\n", result.location);
        for (bits, error) in result.neighbours() {
            let number = float(result.format, bits);
            text += &format!("             {bits:#0width$x}  {number}  {error} ulp\n", width = digits + 2);
        }
    }
    text
}
