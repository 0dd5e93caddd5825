//! Suggests known names that are similar to an unknown name.

/// A suggestion's similarity (Jaro-Winkler, 0 to 1) must exceed this.
const LEAST: f64 = 0.82;

/// A suggestion's similarity is less than this below the similarity of the best suggestion.
const MARGIN: f64 = 0.05;

/// The greatest number of suggestions.
const MOST: usize = 3;

/// Returns up to three known names that are most similar to a name, the most similar first. Ignores
/// case.
pub fn similar<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let name = name.to_lowercase();
    let likeness = |other: &'a str| (strsim::jaro_winkler(&name, &other.to_lowercase()), other);
    let mut near: Vec<(f64, &str)> =
        known.into_iter().map(likeness).filter(|(like, _)| *like > LEAST).collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    near.dedup_by_key(|(_, other)| *other);
    let best = near.first().map_or(0.0, |(like, _)| *like);
    near.retain(|(like, _)| best - like < MARGIN);
    near.into_iter().map(|(_, other)| other).take(MOST).collect()
}

/// Returns a remedy for an unknown name, such as ``did you mean `FADD` or `FADD_RR`?``. Returns
/// `otherwise` if no known name is similar.
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>, otherwise: &str) -> String {
    let near: Vec<String> = similar(name, known).iter().map(|other| format!("`{other}`")).collect();
    match near.as_slice() {
        [] => otherwise.to_owned(),
        [one] => format!("did you mean {one}?"),
        [first @ .., last] => format!("did you mean {} or {last}?", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_gets_those_that_are_like_it() {
        let known = ["FADD", "FMUL", "FADD_RR", "FADD", "POPC", "fadd-sticky"];
        assert_eq!(did_you_mean("FAD", known, ""), "did you mean `FADD`?");
        assert_eq!(did_you_mean("FADD_R", known, ""), "did you mean `FADD_RR` or `FADD`?");
        assert_eq!(did_you_mean("popd", known, ""), "did you mean `POPC`?");
        assert_eq!(did_you_mean("xyz", known, "there are six"), "there are six");
        assert_eq!(did_you_mean("", known, "there are six"), "there are six");
    }
}
