//! Versions and options that a text names: `shop==1.2`, `Python 3.12.1`, `--dry-run`.

/// Words of a line that are options of a command line.
pub(crate) fn options(line: &str) -> impl Iterator<Item = &str> {
    let words = line.split(|c: char| {
        c.is_whitespace() || matches!(c, '`' | '"' | '\'' | '(' | ')' | ',' | '=' | '[' | ']')
    });
    words
        .filter(|word| is_option(word))
        .map(|word| word.trim_end_matches(['.', ':', ';']))
}

fn is_option(word: &str) -> bool {
    let name = word.strip_prefix("--").unwrap_or_default();
    name.len() > 1
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':' | ';'))
}

/// A program with its version, where a line names one: `shop 1.2.3`.
pub(crate) fn version(line: &str) -> Option<String> {
    let is_between =
        |c: char| c.is_whitespace() || matches!(c, ':' | '=' | '|' | '`' | '*' | ',' | '(' | ')');
    let words = || line.split(is_between).filter(|word| !word.is_empty());
    let mut before: Option<&str> = None;
    for word in words() {
        let number = word.strip_prefix(['v', 'V']).unwrap_or(word);
        let is_version = number.starts_with(|c: char| c.is_ascii_digit())
            && number.split('.').count() >= 2
            && number
                .split('.')
                .take(2)
                .all(|part| part.starts_with(|c: char| c.is_ascii_digit()));
        if is_version && number.len() < 40 {
            return before.map(|name| format!("{name} {number}"));
        }
        let is_name = word.starts_with(|c: char| c.is_alphabetic())
            && !word.eq_ignore_ascii_case("version")
            && word.len() < 40;
        if is_name {
            before = Some(word);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_a_line() {
        let found: Vec<&str> = options("run `shop --dry-run --level=3` -- not -v or --").collect();
        assert_eq!(found, ["--dry-run", "--level"]);
    }

    #[test]
    fn versions_of_a_line() {
        let check =
            |line, expected: Option<&str>| assert_eq!(version(line).as_deref(), expected, "{line}");
        check("Python version: 3.12.1", Some("Python 3.12.1"));
        check("shop==1.2", Some("shop 1.2"));
        check("- Node v20.1.0 (Linux)", Some("Node 20.1.0"));
        check("12 items", None);
        check("at 1.5 of 2", Some("at 1.5"));
    }
}
