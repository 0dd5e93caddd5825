//! The numbers of a format on either side of an exact result: what rounding had to choose from.

use assay_engine::compare::judge::real::{error, neighbours};
use serde_json::{Value, json};

use assay_runner::inspect::panel::Exact;
use assay_runner::inspect::values::float;

/// The neighbours of one number: pattern, and error in ulp.
fn around(result: &Exact) -> Vec<(u32, f64)> {
    let mut patterns = neighbours(result.format, &result.value).to_vec();
    patterns.dedup();
    patterns.into_iter().map(|bits| (bits, error(result.format, bits, &result.value).ulp())).collect()
}

/// A few lines, the pattern that is nearer to zero first.
pub fn text(results: &[Exact]) -> String {
    let mut text = String::new();
    for result in results {
        let digits = usize::from(result.format.width() > 16) * 4 + 4;
        let value = assay_mpfr::decimal(&result.value, 25);
        text += &format!("  {} is to be one of those around {value}\n", result.location);
        for (bits, ulp) in around(result) {
            let number = float(result.format, bits);
            text += &format!("             {bits:#0width$x}  {number}  {ulp:+.6} ulp\n", width = digits + 2);
        }
    }
    text
}

/// The same for programs.
pub fn json(results: &[Exact]) -> Value {
    let one = |result: &Exact| {
        let patterns =
            around(result).into_iter().map(|(bits, ulp)| json!({ "bits": format!("{bits:#x}"), "ulp": ulp }));
        json!({
            "location": result.location.to_string(),
            "format": result.format.name,
            "value": assay_mpfr::decimal(&result.value, 25),
            "patterns": patterns.collect::<Vec<_>>(),
        })
    };
    Value::Array(results.iter().map(one).collect())
}
