//! Reads times on the command line.

use std::time::Duration;

/// Reads a waiting time in seconds.
pub fn parse_seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.001..=86400.0).contains(seconds));
    seconds.ok_or_else(|| "write seconds from 0.001 to 86400".into())
}

/// Reads a time, such as 90s, 30m or 8h.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let number: u64 =
        text[..split].parse().map_err(|_| "write a number and s, m or h, such as 30m".to_string())?;
    let unit = match &text[split..] {
        "" | "s" => 1,
        "m" => 60,
        "h" => 3600,
        other => return Err(format!("`{other}` is no unit; write s, m or h")),
    };
    let seconds = number.checked_mul(unit).filter(|seconds| (1..=u64::from(u32::MAX)).contains(seconds));
    seconds.map(Duration::from_secs).ok_or_else(|| "write at least 1s and at most 100 years".into())
}
