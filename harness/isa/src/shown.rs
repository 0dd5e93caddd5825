//! Makes text from a file or a device safe to show.
//!
//! Such text can contain characters that control a terminal, reverse the writing direction, or end
//! a line. Shown unchanged, they could forge output of this program. This module replaces each of
//! them with an escape such as `\u{1b}`.

use std::borrow::Cow;
use std::fmt::Display;

/// The greatest number of characters that an error quotes from a text.
pub const QUOTED: usize = 80;

/// Returns a number and its noun: `one` if the number is 1, else `many`.
///
/// ```
/// use assay_isa::shown::plural;
///
/// assert_eq!(plural(1, "finding", "findings"), "1 finding");
/// assert_eq!(plural("1,024", "case was", "cases were"), "1,024 cases were");
/// ```
pub fn plural(number: impl Display, one: &str, many: &str) -> String {
    let number = number.to_string();
    let noun = if number == "1" { one } else { many };
    format!("{number} {noun}")
}

/// Whether a character could forge output: it controls the cursor, changes the writing direction,
/// ends a line, or is invisible.
fn is_hostile(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}'
        )
}

fn escape_if(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_escaped(c) { escaped.extend(c.escape_default()) } else { escaped.push(c) }
    }
    Cow::Owned(escaped)
}

/// Returns a text as one line. Escapes all characters that could forge output, including line feeds
/// and tabs.
pub fn line(text: &str) -> Cow<'_, str> {
    escape_if(text, is_hostile)
}

/// Returns a text of several lines. Escapes like [`line()`], but keeps line feeds and tabs.
pub fn page(text: &str) -> Cow<'_, str> {
    escape_if(text, |c| is_hostile(c) && !matches!(c, '\n' | '\t'))
}

/// Escapes the characters of a JSON document that [`page()`] escapes. Uses escapes of JSON, so that
/// the meaning of the document does not change.
pub fn json(text: &str) -> Cow<'_, str> {
    let is_escaped = |c: char| is_hostile(c) && !matches!(c, '\n' | '\t');
    if !text.contains(is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_escaped(c) {
            // Every escaped character is one UTF-16 code unit.
            escaped += &format!("\\u{:04x}", u32::from(c));
        } else {
            escaped.push(c);
        }
    }
    Cow::Owned(escaped)
}

/// Quotes a text as one shell argument, for a command that the user can copy. Escapes characters
/// that would control a terminal.
pub fn argument(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+@%".contains(c);
    match line(text) {
        Cow::Borrowed(text) if !text.is_empty() && text.chars().all(is_plain) => text.to_owned(),
        Cow::Borrowed(text) => format!("'{}'", text.replace('\'', r"'\''")),
        Cow::Owned(escaped) => format!("$'{}'", escaped.replace('\'', r"\'")),
    }
}

/// Returns the beginning of a text, for a quote in an error: one line of at most [`QUOTED`]
/// characters, then `…` if the text is longer.
pub fn quoted(text: &str) -> String {
    let beginning = text.char_indices().nth(QUOTED).map_or(text, |(end, _)| &text[..end]);
    let escaped = line(beginning);
    match escaped.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &escaped[..end]),
        None if beginning.len() < text.len() => format!("{escaped}…"),
        None => escaped.into_owned(),
    }
}

/// The greatest number of characters in an error message. A message can have several quotes, and
/// lists of valid values.
pub const MESSAGE: usize = 2000;

/// Returns why a message about a text is not safe to show. `None` if it is safe.
///
/// A safe message has one line, at most [`MESSAGE`] characters and no character that could forge
/// output. At most 2 · [`QUOTED`] consecutive characters of the message also occur in the text. The
/// factor 2 allows for words around a quote that also occur in the text.
pub fn unsafe_message(message: &str, text: &str) -> Option<String> {
    let starts: Vec<usize> = message.char_indices().map(|(start, _)| start).collect();
    if starts.len() > MESSAGE {
        return Some(format!("has {} characters, and the limit is {MESSAGE}", starts.len()));
    }
    if line(message) != message {
        return Some("has characters that a terminal would obey".into());
    }
    let most = 2 * QUOTED;
    let ends = starts.iter().copied().skip(most + 1).chain([message.len()]);
    let mut runs = starts.iter().zip(ends).map(|(start, end)| &message[*start..end]);
    let is_copied = |run: &&str| run.chars().count() > most && text.contains(run);
    runs.find(is_copied).map(|_| format!("quotes more than {QUOTED} characters of the text"))
}

/// Returns a serde message in which quotes from a file, and long paths of keys, are shortened with
/// [`quoted()`].
pub fn message(text: &str) -> String {
    let message = with_short_quote(text);
    let openings = [": invalid ", ": unknown ", ": missing ", ": duplicate "];
    let place = openings.iter().filter_map(|opening| message.rfind(opening)).max();
    match place.map(|end| message.split_at(end)) {
        Some((keys, rest)) if keys.chars().count() > 2 * QUOTED => format!("{}{rest}", quoted(keys)),
        _ => message,
    }
}

fn with_short_quote(text: &str) -> String {
    // The quoted text can itself contain these marks. So the first mark in the message begins the
    // quote.
    let begins = [("string \"", '"'), ("field `", '`'), ("variant `", '`')];
    let begins = begins.iter().filter_map(|(begin, mark)| Some((text.find(begin)? + begin.len(), mark)));
    let Some((start, mark)) = begins.min() else { return line(text).into_owned() };
    // The last mark in the message ends the quote. For a flattened struct serde does not name the
    // expected type.
    let ends = [", expected", " at line ", ""].map(|next| format!("{mark}{next}"));
    match ends.iter().find_map(|end| text.rfind(end.as_str())) {
        Some(stop) if start <= stop => {
            format!("{}{}{}", line(&text[..start]), quoted(&text[start..stop]), line(&text[stop..]))
        }
        _ => line(text).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_forges_output_is_escaped_and_nothing_else() {
        let cases = [
            ("plain text, Größe, 中文, 🚀", "plain text, Größe, 中文, 🚀"),
            ("a\x1b[1A\x1b[2Kok", "a\\u{1b}[1A\\u{1b}[2Kok"),
            ("two\nlines\r\tand", "two\\nlines\\r\\tand"),
            ("\u{9b}31m\u{7f}\0", "\\u{9b}31m\\u{7f}\\u{0}"),
            ("\u{202e}turned\u{2066}\u{200f}", "\\u{202e}turned\\u{2066}\\u{200f}"),
            ("\u{2028}\u{2029}\u{feff}\u{200b}", "\\u{2028}\\u{2029}\\u{feff}\\u{200b}"),
        ];
        for (text, shown) in cases {
            assert_eq!(line(text), shown);
            assert_eq!(line(shown), shown, "escaping is done once");
        }
        assert_eq!(page("a\n\tb\x1b\r"), "a\n\tb\\u{1b}\\r");
        assert_eq!(json("{\n\"\u{202e}\u{9b}\"}"), "{\n\"\\u202e\\u009b\"}");
    }

    #[test]
    fn an_argument_is_one_word_of_a_shell() {
        let cases = [
            ("cuda:0", "cuda:0"),
            ("exec:touch x", "'exec:touch x'"),
            ("exec:echo 'a'; rm", r"'exec:echo '\''a'\''; rm'"),
            ("", "''"),
        ];
        for (text, argument_of) in cases {
            assert_eq!(argument(text), argument_of);
        }
        let forged = argument("exec:a\x1b[2K\nok");
        assert!(!forged.contains(['\x1b', '\n']), "{forged}");
    }

    #[test]
    fn a_message_that_is_long_hostile_or_copies_the_text_is_unsafe() {
        let text = format!("name: \"{}\"", "abc ".repeat(100));
        let cases = [
            ("unknown field `abc`".to_owned(), None),
            (format!("`{}…` is no name", &text[6..166]), None),
            (format!("`{}…` is no name", &text[6..167]), Some("more than 80")),
            (text.clone(), Some("more than 80")),
            ("two\nlines".to_owned(), Some("a terminal would obey")),
            ("\u{1b}[2K".to_owned(), Some("a terminal would obey")),
            ("é".repeat(MESSAGE), None),
            ("é".repeat(MESSAGE + 1), Some("2001 characters")),
        ];
        for (message, problem) in cases {
            let found = unsafe_message(&message, &text);
            assert_eq!(found.is_some(), problem.is_some(), "{message}: {found:?}");
            assert!(found.unwrap_or_default().contains(problem.unwrap_or_default()), "{message}");
        }
    }

    #[test]
    fn a_quote_is_short_whatever_it_is_of() {
        for text in ["x".repeat(1 << 20), "\x1b".repeat(1 << 20), "é".repeat(81)] {
            let quote = quoted(&text);
            assert_eq!(quote.chars().count(), QUOTED + 1, "{quote}");
            assert!(quote.ends_with('…'));
        }
        assert_eq!(quoted("short"), "short");
        let secret = format!("root:x:0:0:{}\nfield ` string \" variant ` bin", "y".repeat(500));
        for message_of in [
            format!("invalid type: string {secret:?}, expected struct Document"),
            format!("unknown field `{secret}`, expected one of `a`, `b`"),
            format!("unknown variant `{secret}`, expected `a` or `b`"),
        ] {
            let shown = message(&message_of);
            assert!(shown.chars().count() < 160 && shown.contains(", expected"), "{shown}");
        }
        for end in [" at line 1 column 2", ""] {
            let shown = message(&format!("unknown field `{secret}`{end}"));
            assert!(shown.chars().count() < 160 && shown.ends_with(&format!("…`{end}")), "{shown}");
        }
        assert_eq!(message("missing field `name`"), "missing field `name`");
        let keys =
            message(&format!("judged.{}: invalid type: string \"0x\", expected u8", "x, ".repeat(500)));
        assert!(
            keys.chars().count() < 160 && keys.ends_with("…: invalid type: string \"0x\", expected u8"),
            "{keys}"
        );
    }
}
