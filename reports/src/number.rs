//! Errors, distances and patterns as text. Counts and shares are in `assay-pages`.

use assay_engine::compare::judge::{FARTHEST_UNITS, ONE_ULP};
use assay_isa::number::telling_decimals;

pub use assay_pages::number::*;

/// Returns the used share of a limit, in percent, rounded up to one decimal, or to a whole number from
/// ten times the limit on.
pub fn percent(ratio: f64) -> String {
    match ratio {
        10.0.. => format!("{} %", count((ratio * 100.0).ceil() as u64)),
        _ => format!("{:.1} %", (ratio * 1000.0).ceil() / 10.0),
    }
}

/// Returns a signed error in ulp, to four decimals, or to one from 1,000 ulp on. More decimals follow
/// if these would wrongly show a multiple of 0.5. A magnitude below 0.00005 has two digits, as in `-3.1e-5`.
pub fn ulp(error: f64) -> String {
    let text = magnitude(error);
    if error > 0.0 { format!("+{text}") } else { text }
}

/// Returns an error in ulp without a plus sign.
pub fn magnitude(error: f64) -> String {
    match error {
        0.0 => "0.0000".to_owned(),
        e if e.abs() < 0.00005 => format!("{e:.1e}"),
        e if e.abs() < 1000.0 => telling_decimals(e, 4),
        e => telling_decimals(e, 1),
    }
}

/// The lower end of the range of errors, in units. An older result may contain the value one unit
/// below it.
const FIRST_BELOW: i64 = -FARTHEST_UNITS;

/// Converts a signed error from units of 2^-32 ulp to ulp. An error at an end of the range may
/// really lie beyond the range, so it is marked with `>` or `<`.
pub fn ulp_units(units: i64) -> String {
    match units {
        FARTHEST_UNITS => ">+2147483647".to_owned(),
        ..=FIRST_BELOW => "<-2147483647".to_owned(),
        _ => ulp(in_ulp(units)),
    }
}

/// Returns a distance in a metric, such as `0.9305 ulp`, or `2^-21.37` for an absolute or relative
/// distance. The exponents of powers of two are rounded up to two decimals, so the shown distance
/// is never too small.
pub fn distance(metric: &str, units: u64) -> String {
    match (metric, units) {
        ("ulp", _) => format!("{} ulp", magnitude(in_metric(metric, units))),
        (_, 0) => "0".to_owned(),
        (_, u64::MAX) => "1 or more".to_owned(),
        _ => format!("2^{:.2}", (in_metric(metric, units).log2() * 100.0).ceil() / 100.0),
    }
}

/// Converts a distance in integer units to ulp, or to an absolute or relative error. A unit is 2^-32
/// in ulp, and 2^-64 for absolute and relative distances.
pub fn in_metric(metric: &str, units: u64) -> f64 {
    let unit = if metric == "ulp" { ONE_ULP as f64 } else { 2f64.powi(64) };
    units as f64 / unit
}

/// Converts units of 2^-32 ulp to ulp.
pub fn in_ulp(units: i64) -> f64 {
    units as f64 / ONE_ULP as f64
}

/// Returns a 32-bit pattern as text, such as `0x3f800000`.
pub fn hex(bits: u32) -> String {
    format!("{bits:#010x}")
}

/// Returns a span of time as text.
pub fn duration(seconds: f64) -> String {
    match seconds as u64 {
        0..60 => format!("{seconds:.1} s"),
        whole @ 60..3600 => format!("{} min {:02} s", whole / 60, whole % 60),
        whole => format!("{} h {:02} min", whole / 3600, whole % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_name_their_metric() {
        assert_eq!(distance("ulp", 1 << 31), "0.5000 ulp");
        assert_eq!(distance("absolute", 1 << 42), "2^-22.00");
        assert_eq!(distance("relative", (1 << 42) + (1 << 30)), "2^-21.99", "rounded up");
        assert_eq!(distance("absolute", 0), "0");
        assert_eq!(distance("relative", u64::MAX), "1 or more");
    }

    #[test]
    fn errors_carry_signs_and_small_ones_stay_visible() {
        assert_eq!(ulp_units(0), "0.0000");
        assert_eq!(ulp_units(ONE_ULP / 2), "+0.5000");
        assert_eq!(ulp_units(-ONE_ULP), "-1.0000");
        assert_eq!(ulp_units(1), "+2.3e-10");
        assert_eq!(ulp(-0.000_031), "-3.1e-5");
        assert_eq!(ulp_units(i64::MIN), "<-2147483647");
        assert_eq!(ulp_units(-i64::MAX), "<-2147483647");
        assert_eq!([0.25, 999.5, 1000.25, 1000.0].map(magnitude), ["0.2500", "999.5000", "1000.2", "1000.0"]);
        assert_eq!(
            [0.5, 9.99, 10.0, 16_380.113].map(percent),
            ["50.0 %", "999.0 %", "1,000 %", "1,638,012 %"]
        );
        assert_eq!([1.0, 1.000_02, 0.999_999].map(magnitude), ["1.0000", "1.00002", "0.999999"]);
    }
}
