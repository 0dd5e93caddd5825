//! The text of a solution: lines `v 1 -2 0`, as SAT competitions have them.

use super::error::SolverError;

/// Returns the value of each variable. A variable that the text does not name is `false`: the
/// formula holds with either value, which the caller checks.
pub(super) fn parse(output: &[u8], variables: u32) -> Result<Vec<bool>, SolverError> {
    let text = str::from_utf8(output).map_err(|_| SolverError::Model("it is no text".into()))?;
    let mut values = vec![false; variables as usize];
    let mut ended = false;
    for word in text.lines().filter_map(|line| line.strip_prefix('v')).flat_map(str::split_whitespace) {
        let literal: i64 = word.parse().map_err(|_| unknown(word))?;
        let place = usize::try_from(literal.unsigned_abs()).map_err(|_| unknown(word))?;
        match place.checked_sub(1) {
            None => ended = true,
            Some(place) => *values.get_mut(place).ok_or_else(|| unknown(word))? = literal > 0,
        }
    }
    // Without the final 0, the output was cut off.
    if ended { Ok(values) } else { Err(SolverError::Model("its last `0` is missing".into())) }
}

fn unknown(word: &str) -> SolverError {
    SolverError::Model(format!("`{}` is no literal of the formula", word.escape_debug()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solutions_are_read() {
        let text = "c a comment\ns SATISFIABLE\nv 1 -2\nv 4 0\n";
        assert_eq!(parse(text.as_bytes(), 4).unwrap(), [true, false, false, true]);
        assert_eq!(parse(b"v 0\n", 0).unwrap(), [] as [bool; 0]);
        for (text, problem) in [
            ("v 1 5 0\n", "`5` is no literal of the formula"),
            ("v 1 x 0\n", "`x` is no literal of the formula"),
            ("v 1 2\n", "its last `0` is missing"),
            ("s SATISFIABLE\n", "its last `0` is missing"),
        ] {
            let error = parse(text.as_bytes(), 4).unwrap_err().to_string();
            assert_eq!(error, format!("the solution of the solver cannot be read: {problem}"));
        }
        assert!(parse(&[b'v', 0xff], 4).is_err());
    }
}
