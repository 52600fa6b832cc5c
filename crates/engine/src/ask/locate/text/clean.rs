//! Markup of a line: links, images, HTML and URLs leave, their words and the places that they name stay.

use super::paths::{self, PathMention};

/// A line without its markup.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct CleanLine {
    /// The words.
    pub(crate) text: String,
    /// Places of code that links lead to.
    pub(crate) places: Vec<PathMention>,
}

/// Takes the markup out of a line of prose. Linear in the line.
pub(crate) fn clean(line: &str) -> CleanLine {
    let mut out = CleanLine::default();
    let mut rest = line;
    while let Some(at) = rest.find(['[', '!', '<', 'h']) {
        let (before, from) = rest.split_at(at);
        out.text.push_str(before);
        rest = match taken(from, &mut out) {
            Some(rest) => rest,
            None => {
                let first = from.chars().next().map_or(0, char::len_utf8);
                out.text.push_str(&from[..first]);
                &from[first..]
            }
        };
    }
    out.text.push_str(rest);
    out
}

/// The rest of a text behind the markup that it starts with; none where it starts with none.
fn taken<'a>(from: &'a str, out: &mut CleanLine) -> Option<&'a str> {
    if let Some(rest) = from.strip_prefix("![") {
        let (_, rest) = link(rest)?;
        return Some(rest.1);
    }
    if let Some(rest) = from.strip_prefix('[') {
        let (words, (target, rest)) = link(rest)?;
        out.places.extend(paths::of_url(target));
        out.text.push_str(words);
        return Some(rest);
    }
    if from.starts_with("http://") || from.starts_with("https://") {
        let is_end = |c: char| c.is_whitespace() || matches!(c, ')' | ']' | '>' | '"' | '\'' | '`');
        let end = from.find(is_end).unwrap_or(from.len());
        out.places.extend(paths::of_url(&from[..end]));
        return Some(&from[end..]);
    }
    if from.starts_with('<') {
        return tag(from);
    }
    None
}

/// Longest text between brackets that counts as the text of a link.
const MAX_LINK: usize = 400;

/// Words of a link, its target, and the rest of the line.
fn link(from: &str) -> Option<(&str, (&str, &str))> {
    let near = &from[..from.floor_char_boundary(MAX_LINK)];
    let end = near.find("](")?;
    let after = &from[end + 2..];
    let near = &after[..after.floor_char_boundary(2 * MAX_LINK)];
    let close = near.find(')')?;
    Some((&from[..end], (&after[..close], &after[close + 1..])))
}

/// The rest behind an HTML tag; none for a `<` that opens none.
fn tag(from: &str) -> Option<&str> {
    let named = from[1..].trim_start_matches('/');
    if !named.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let near = &from[..from.floor_char_boundary(2 * MAX_LINK)];
    let end = near.find('>')?;
    let name_end = named.find(|c: char| !c.is_ascii_alphanumeric());
    let name = named[..name_end.unwrap_or(named.len())].to_ascii_lowercase();
    HTML.contains(&name.as_str()).then(|| &from[end + 1..])
}

/// Tags that issues hold; `Vec<String>` is none of them.
const HTML: &[&str] = &[
    "a",
    "b",
    "br",
    "blockquote",
    "code",
    "details",
    "div",
    "em",
    "h1",
    "h2",
    "h3",
    "h4",
    "hr",
    "i",
    "img",
    "kbd",
    "li",
    "ol",
    "p",
    "pre",
    "span",
    "strong",
    "sub",
    "summary",
    "sup",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "tr",
    "u",
    "ul",
    "video",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: &str) {
        assert_eq!(clean(line).text, expected, "{line}");
    }

    #[test]
    fn markup_leaves_and_words_stay() {
        check(
            "see [the guide](https://a.example/b) first",
            "see the guide first",
        );
        check("![shot](a.png) broken", " broken");
        check("<details><summary>Log</summary>", "Log");
        check(
            "a `Vec<String>` of http headers",
            "a `Vec<String>` of http headers",
        );
        check("if a < b and [x] is set", "if a < b and [x] is set");
        check("at https://a.example/x?y=1 now", "at  now");
        check("[[[[ [a", "[[[[ [a");
    }

    #[test]
    fn links_to_code_are_places() {
        let line = "in [this line](https://github.com/o/r/blob/v1/src/a/b.py#L12-L14)";
        let places = clean(line).places;
        assert_eq!(places.len(), 1);
        assert_eq!(
            (places[0].path.as_str(), places[0].line),
            ("src/a/b.py", Some(12))
        );
    }

    #[test]
    fn hostile_brackets_take_linear_time() {
        let line = "[".repeat(200_000);
        assert_eq!(clean(&line).text.len(), line.len());
    }
}
