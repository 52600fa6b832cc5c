//! The words of an identifier, as labels of communities count them.

/// A plural's singular, as far as its ending tells.
pub(super) fn singular(word: &str) -> &str {
    if ["ches", "shes", "sses", "xes"]
        .iter()
        .any(|end| word.ends_with(end))
    {
        return word.strip_suffix("es").unwrap_or(word);
    }
    let is_plural = word.len() > 3 && !["ss", "us", "is"].iter().any(|end| word.ends_with(end));
    if is_plural {
        word.strip_suffix('s').unwrap_or(word)
    } else {
        word
    }
}

/// Calls `add` with each word of an identifier, in lower case.
pub(super) fn words_of(name: &str, word: &mut String, add: &mut impl FnMut(&str)) {
    let mut chars = name.chars().peekable();
    let mut before = '_';
    while let Some(c) = chars.next() {
        let ends_capitals = c.is_uppercase()
            && before.is_uppercase()
            && chars.peek().is_some_and(|next| next.is_lowercase());
        if !c.is_alphabetic() || (c.is_uppercase() && before.is_lowercase()) || ends_capitals {
            flush(word, add);
        }
        if c.is_ascii_alphabetic() {
            word.push(c.to_ascii_lowercase());
        } else if c.is_alphabetic() {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
    flush(word, add);
}

fn flush(word: &mut String, add: &mut impl FnMut(&str)) {
    if !word.is_empty() {
        add(word);
        word.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_words(name: &str, expected: &[&str]) {
        let mut found: Vec<String> = Vec::new();
        words_of(name, &mut String::new(), &mut |word| {
            found.push(singular(word).to_owned())
        });
        assert_eq!(found, expected);
    }

    #[test]
    fn names_have_words() {
        check_words("parseHTTPRequests", &["parse", "http", "request"]);
        check_words("get_solved_status2", &["get", "solved", "status"]);
        check_words("IndexesOfBoxes", &["index", "of", "box"]);
        check_words("x", &["x"]);
        check_words("", &[]);
    }
}
