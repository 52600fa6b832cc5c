//! Error messages and other texts that a program printed: their constant parts are written somewhere in its source.

/// A text that a program printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Message {
    /// The text behind the name of the error.
    pub(crate) text: String,
    /// The name of the error as written (`shop.CartError`); empty where there is none.
    pub(crate) error: String,
}

/// Longest message, in bytes.
const MAX_MESSAGE: usize = 300;
/// Minimum number of words of a text between quotes that counts as a message.
const MIN_QUOTED: usize = 4;
/// Ends of the names of errors.
const ERROR_ENDS: &[&str] = &[
    "Error",
    "Exception",
    "Warning",
    "Failure",
    "Fault",
    "Panic",
    "Interrupt",
];
/// Words that come before a message, in lower case.
const LABELS: &[&str] = &[
    "error",
    "fatal",
    "fatal error",
    "panic",
    "critical",
    "warning",
    "exception",
    "uncaught exception",
];

/// Words that runtimes put before an error.
const STARTS: &[&str] = &["Uncaught ", "Unhandled exception. ", "Caused by: "];

/// The message of a line that a program printed. Linear in the line.
pub(crate) fn of_line(line: &str) -> Option<Message> {
    let line = line.trim_start_matches(['|', '+', '>', ' ']).trim();
    // pytest puts an `E` before the lines of an error.
    let line = line.strip_prefix("E  ").unwrap_or(line).trim_start();
    let line = line.strip_prefix("** ").unwrap_or(line);
    let line = STARTS
        .iter()
        .find_map(|start| line.strip_prefix(start))
        .unwrap_or(line);
    // Java: `Exception in thread "main" shop.CartException: no rate`.
    let line = match line.strip_prefix("Exception in thread \"") {
        Some(rest) => rest.split_once("\" ")?.1,
        None => line,
    };
    if let Some(rest) = line
        .strip_prefix('(')
        .and_then(|rest| rest.split_once(") "))
    {
        // Elixir: `** (ArgumentError) no such key`.
        return is_error(rest.0).then(|| message(rest.1, rest.0));
    }
    let (label, text) = line
        .split_once(": ")
        .or_else(|| line.strip_suffix(':').map(|label| (label, "")))?;
    let label = label.trim();
    if is_error(label) {
        return Some(message(text, label));
    }
    let lower = label.to_ascii_lowercase();
    let word = lower.split('[').next().unwrap_or(&lower).trim();
    let is_labelled = LABELS.contains(&word)
        || LABELS
            .iter()
            .any(|label| lower.ends_with(&format!(" {label}")));
    (is_labelled && !text.trim().is_empty() && label.len() < 80).then(|| {
        // `ERROR: shop.CartError: empty cart`.
        of_line(text)
            .filter(|inner| !inner.error.is_empty())
            .unwrap_or_else(|| message(text, ""))
    })
}

/// Texts between quotes that are sentences of their own.
pub(crate) fn quoted(line: &str) -> Vec<Message> {
    let mut found = Vec::new();
    for (open, close) in [('"', '"'), ('`', '`'), ('“', '”'), ('\'', '\'')] {
        let mut rest = line;
        while let Some((_, after)) = rest.split_once(open) {
            let Some((inner, behind)) = after.split_once(close) else {
                break;
            };
            let n_words = inner.split_whitespace().count();
            if n_words >= MIN_QUOTED && inner.len() <= MAX_MESSAGE && !inner.contains('=') {
                found.push(message(inner, ""));
            }
            rest = behind;
        }
    }
    found
}

fn message(text: &str, error: &str) -> Message {
    Message {
        text: super::bounds::head_of_words(text.trim(), MAX_MESSAGE).to_owned(),
        error: error.trim_end_matches(':').to_owned(),
    }
}

/// Whether a word names an error: `KeyError`, `shop.errors.EmptyCart` only if it ends as errors do.
fn is_error(label: &str) -> bool {
    let is_name = label
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '\\' | '$'));
    let name = label.rsplit(['.', ':', '\\']).next().unwrap_or(label);
    is_name
        && name.starts_with(char::is_uppercase)
        && ERROR_ENDS.iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Option<(&str, &str)>) {
        let found = of_line(line);
        let found = found
            .as_ref()
            .map(|found| (found.error.as_str(), found.text.as_str()));
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn messages_of_printed_lines() {
        check(
            "ValueError: the cart is empty",
            Some(("ValueError", "the cart is empty")),
        );
        check(
            "E   shop.errors.CartError: no tea",
            Some(("shop.errors.CartError", "no tea")),
        );
        check(
            "error[E0308]: mismatched types",
            Some(("", "mismatched types")),
        );
        check(
            "ERROR: shop.CartError: empty",
            Some(("shop.CartError", "empty")),
        );
        check(
            "PHP Fatal error: Uncaught TypeError: no",
            Some(("TypeError", "no")),
        );
        check(
            "** (ArgumentError) no such key",
            Some(("ArgumentError", "no such key")),
        );
        check(
            "panic: index out of range",
            Some(("", "index out of range")),
        );
        check("KeyError:", Some(("KeyError", "")));
        check("note: it was fine before", None);
        check("see https://a.example: there", None);
    }

    #[test]
    fn sentences_between_quotes() {
        let texts = |line| {
            quoted(line)
                .into_iter()
                .map(|found| found.text)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            texts(r#"it prints "the cart has no items" twice"#),
            ["the cart has no items"]
        );
        assert!(texts(r#"the "cart" and `add(a, b)`"#).is_empty());
        assert!(texts("\"".repeat(100_000).as_str()).is_empty());
    }
}
