//! Finds options in the words of a command.

/// Returns whether a command has an option.
pub(crate) fn is_given(words: &[String], option: &str) -> bool {
    words.iter().any(|word| word.split('=').next() == Some(option))
}

/// Returns the values of an option that takes one value each time, as `--option VALUE` or
/// `--option=VALUE`.
pub(crate) fn values(words: &[String], option: &str) -> Vec<String> {
    let next = words.windows(2).filter(|pair| pair[0] == option).map(|pair| pair[1].clone());
    next.chain(words.iter().filter_map(|word| joined(word, option))).collect()
}

/// Returns the values of an option that takes one value or several each time.
pub(crate) fn lists(words: &[String], option: &str) -> Vec<String> {
    let places = words.iter().enumerate().filter(|(_, word)| *word == option).map(|(place, _)| place);
    let next = places.flat_map(|place| words[place + 1..].iter().take_while(|word| !word.starts_with('-')));
    next.cloned().chain(words.iter().filter_map(|word| joined(word, option))).collect()
}

fn joined(word: &str, option: &str) -> Option<String> {
    word.strip_prefix(option)?.strip_prefix('=').map(str::to_owned)
}

/// Returns the subject of a command: the value of `--subject`, or the argument of `dut check`. That
/// argument may lack `exec:`.
pub(crate) fn subject(words: &[String]) -> Option<String> {
    let [dut, check, rest @ ..] = words else { return None };
    if (dut.as_str(), check.as_str()) != ("dut", "check") {
        return values(words, "--subject").pop();
    }
    // Each option of `dut check` takes a value, which is skipped.
    let mut rest = rest.iter();
    while let Some(word) = rest.next() {
        match word.strip_prefix("--") {
            None if ["exec:", "lib:"].iter().any(|kind| word.starts_with(kind)) => return Some(word.clone()),
            None => return Some(format!("exec:{word}")),
            Some("") => {}
            Some(option) if option.contains('=') => {}
            Some(_) => drop(rest.next()),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_an_option_are_found_in_either_spelling() {
        let words = "fuzz --only FADD !*.FTZ --reading E1=2 --only=POPC --reading=E2=1 --profile sm90";
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        assert_eq!(values(&words, "--reading"), ["E1=2", "E2=1"]);
        assert_eq!(values(&words, "--profile"), ["sm90"]);
        assert_eq!(lists(&words, "--only"), ["FADD", "!*.FTZ", "POPC"]);
        assert!(values(&words, "--numbers").is_empty() && lists(&words, "--on").is_empty());
        assert!(is_given(&words, "--only") && !is_given(&words, "--on"));
    }
}
