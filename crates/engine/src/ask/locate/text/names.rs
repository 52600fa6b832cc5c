//! Names in a text: words in the form of code (`add_item`, `Cart.add`, `HttpCart`, `add()`), and texts between backticks.

/// The part of a text that names something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Part {
    /// The title, in the form of code.
    Title,
    /// Between backticks in prose.
    Quoted,
    /// The form of code in prose.
    Prose,
    /// Called or read in example code.
    Code,
    /// The error that was raised, and names of changed lines.
    Output,
    /// A plain word of the title.
    TitleWord,
}

/// A name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Name {
    /// As written, qualified by `.` alone: `Cart::add` is `Cart.add`.
    pub(crate) text: String,
    /// Where it is written.
    pub(crate) part: Part,
}

/// Longest name, in bytes.
const MAX_NAME: usize = 160;
/// Shortest plain word of a title that may be a name.
const MIN_WORD: usize = 4;

/// Names of a line of prose or of the title. Linear in the line.
pub(crate) fn of_line(line: &str, is_title: bool) -> Vec<Name> {
    let mut found = Vec::new();
    for (idx, piece) in line.split('`').enumerate() {
        // Between the first and the second backtick, the third and the fourth, …
        let is_quoted = idx % 2 == 1;
        for token in tokens(piece) {
            let is_code = is_quoted || has_code_form(token.text) || token.is_called;
            let part = match (is_title, is_quoted) {
                (true, _) if is_code => Part::Title,
                (true, _) => Part::TitleWord,
                (false, true) => Part::Quoted,
                (false, false) => Part::Prose,
            };
            let is_word = is_title && token.text.len() >= MIN_WORD;
            if (is_code || is_word) && is_name(token.text) {
                found.push(Name {
                    text: joined(token.text),
                    part,
                });
            }
        }
    }
    found
}

/// A run of characters of names with what joins them.
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    /// Whether an opening bracket follows.
    pub(super) is_called: bool,
    /// Its first byte in the line.
    pub(super) at: usize,
}

/// The runs of a line.
pub(super) fn tokens(line: &str) -> impl Iterator<Item = Token<'_>> {
    let is_in = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '#' | '$');
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + line[at..].find(is_in)?;
        let end = line[start..]
            .find(|c: char| !is_in(c))
            .map_or(line.len(), |n| start + n);
        at = end;
        let whole = &line[start..end];
        let text = whole.trim_start_matches(['.', ':', '#']);
        let offset = whole.len() - text.len();
        let text = text.trim_end_matches(['.', ':', '#', '$']);
        let is_called = line[end..].starts_with('(') && text.len() + offset == whole.len();
        Some(Token {
            text,
            is_called,
            at: start + offset,
        })
    })
    .filter(|token| !token.text.is_empty())
}

/// With one dot between its parts.
pub(super) fn joined(text: &str) -> String {
    text.replace("::", ".")
        .replace('#', ".")
        .trim_matches('.')
        .to_owned()
}

/// Whether a word is a name at all: no number, version, time or address.
pub(super) fn is_name(text: &str) -> bool {
    const NONE: &[&str] = &["e.g", "i.e", "etc", "github.com", "a.k.a", "vs"];
    let starts = text.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$');
    let lower = text.to_lowercase();
    let is_host = [".com", ".org", ".io", ".net"]
        .iter()
        .any(|end| lower.ends_with(end));
    starts
        && text.len() > 1
        && text.len() <= MAX_NAME
        && !is_host
        && !NONE.contains(&lower.as_str())
}

/// Whether a word is written as code is: an underscore, parts joined by signs, or a capital behind a small letter.
fn has_code_form(text: &str) -> bool {
    let inner = text.trim_matches('_');
    let is_joined = text.contains("::") || parts_of_dotted(text) > 1;
    let bytes = text.as_bytes();
    let has_hump = bytes
        .windows(2)
        .any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    inner.contains('_') || is_joined || has_hump || (text.starts_with('_') && !inner.is_empty())
}

/// Number of parts of a dotted name; 1 for a sentence's end without a blank (`done.Then`) of one-letter parts.
fn parts_of_dotted(text: &str) -> usize {
    let parts = text.split('.');
    let is_part =
        |part: &&str| part.len() > 1 && part.starts_with(|c: char| c.is_alphabetic() || c == '_');
    parts.filter(is_part).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, is_title: bool, expected: &[(&str, Part)]) {
        let found = of_line(line, is_title);
        let found: Vec<_> = found
            .iter()
            .map(|name| (name.text.as_str(), name.part))
            .collect();
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn names_of_prose() {
        check(
            "The `total` of Cart::add is wrong, see add_item() and HttpCart.",
            false,
            &[
                ("total", Part::Quoted),
                ("Cart.add", Part::Prose),
                ("add_item", Part::Prose),
                ("HttpCart", Part::Prose),
            ],
        );
        check("Version 3.12, e.g. on example.com: nothing", false, &[]);
        check("call remove() twice", false, &[("remove", Part::Prose)]);
    }

    #[test]
    fn names_of_a_title() {
        check(
            "Cart loses tea in `add`",
            true,
            &[
                ("Cart", Part::TitleWord),
                ("loses", Part::TitleWord),
                ("add", Part::Title),
            ],
        );
    }
}
