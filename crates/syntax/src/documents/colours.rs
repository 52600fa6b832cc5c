//! Colours of documents and configuration: keys, strings, numbers, comments, headings, code. A scan line by line; it knows
//! no grammar and colours nothing rather than guess.

use crate::Language;
use crate::highlight_class::{Highlight, HighlightClass};

/// The coloured pieces of a text: sorted, none overlapping.
pub(crate) fn highlights(language: Language, text: &str) -> Vec<Highlight> {
    let mut out = Vec::new();
    match language {
        Language::Markdown => markdown(text, &mut out),
        Language::Json => config(
            text,
            &Style {
                comments: "//",
                keys: ':',
                spaced: false,
                long: &[],
            },
            &mut out,
        ),
        Language::Toml => config(
            text,
            &Style {
                comments: "#",
                keys: '=',
                spaced: false,
                long: &["\"\"\"", "'''"],
            },
            &mut out,
        ),
        Language::Yaml => config(
            text,
            &Style {
                comments: "#",
                keys: ':',
                spaced: true,
                long: &[],
            },
            &mut out,
        ),
        Language::Html => super::code_colours::html(text, &mut out),
        Language::Css => super::code_colours::css(text, 0, &mut out),
        Language::Sql => super::code_colours::sql(text, &mut out),
        _ => {}
    }
    out
}

/// A format's syntax of comments, keys and multi-line strings.
struct Style {
    comments: &'static str,
    keys: char,
    /// A key's colon is followed by white space.
    spaced: bool,
    long: &'static [&'static str],
}

impl Style {
    /// Returns true if the text after a token makes it a key.
    fn is_key_end(&self, next: &str) -> bool {
        let after = next.trim_start_matches([' ', '\t']).strip_prefix(self.keys);
        after.is_some_and(|after| {
            !self.spaced || after.is_empty() || after.starts_with(char::is_whitespace)
        })
    }
}

fn config(text: &str, style: &Style, out: &mut Vec<Highlight>) {
    let mut at = 0;
    let mut after_space = true;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let (length, class) = token(rest, style, after_space);
        let token_text = rest.get(..length).unwrap_or_default();
        let is_word =
            token_text.starts_with(|c: char| crate::text::is_word(c) || matches!(c, '"' | '\''));
        let is_key = is_word
            && !token_text.contains('\n')
            && style.is_key_end(rest.get(length..).unwrap_or_default());
        let class = if is_key {
            Some(HighlightClass::Property)
        } else {
            class
        };
        if let Some(class) = class {
            out.push(Highlight {
                start: at as u32,
                end: (at + length) as u32,
                class,
            });
        }
        after_space = token_text.ends_with(char::is_whitespace);
        at += length;
    }
}

/// Length and class of the token at the start of a text.
fn token(rest: &str, style: &Style, after_space: bool) -> (usize, Option<HighlightClass>) {
    let line = rest.find('\n').unwrap_or(rest.len());
    if rest.starts_with(style.comments) && after_space {
        return (line, Some(HighlightClass::Comment));
    }
    if let Some(quote) = style.long.iter().find(|quote| rest.starts_with(**quote)) {
        let inner = rest.get(quote.len()..).unwrap_or_default();
        let length = inner
            .find(quote)
            .map_or(rest.len(), |end| end + 2 * quote.len());
        return (length, Some(HighlightClass::String));
    }
    let first = rest.chars().next().unwrap_or(' ');
    if first == '"' || (first == '\'' && after_space) {
        return (
            string(rest.get(..line).unwrap_or(rest), first),
            Some(HighlightClass::String),
        );
    }
    if !crate::text::is_word(first) {
        return (first.len_utf8(), None);
    }
    let in_word = |c: char| crate::text::is_word(c) || matches!(c, '-' | '.' | '+');
    let length = rest.find(|c: char| !in_word(c)).unwrap_or(rest.len());
    let word = rest.get(..length).unwrap_or_default();
    let class = match word {
        "true" | "false" | "null" | "yes" | "no" | "inf" | "nan" => Some(HighlightClass::Constant),
        _ if word.parse::<f64>().is_ok() || word.starts_with("0x") => Some(HighlightClass::Number),
        _ => None,
    };
    (length, class)
}

/// Length of a string that ends on its line.
fn string(line: &str, quote: char) -> usize {
    let mut chars = line.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        if c == '\\' && quote == '"' {
            chars.next();
        } else if c == quote {
            return at + 1;
        }
    }
    line.len()
}

fn markdown(text: &str, out: &mut Vec<Highlight>) {
    let mut at = 0_usize;
    let mut in_fence = false;
    for line in text.split_inclusive('\n') {
        let body = line.trim_end();
        let inner = body.trim_start();
        let is_fence = inner.starts_with("```") || inner.starts_with("~~~");
        let whole = |class| Highlight {
            start: at as u32,
            end: (at + body.len()) as u32,
            class,
        };
        if (is_fence || in_fence) && !body.is_empty() {
            out.push(whole(HighlightClass::Code));
        } else if inner.starts_with('#') && inner.trim_start_matches('#').starts_with(' ') {
            out.push(whole(HighlightClass::Heading));
        } else if !in_fence {
            inline(body, at, out);
        }
        in_fence ^= is_fence;
        at += line.len();
    }
}

/// Code between backticks and the targets of links in one line.
fn inline(line: &str, offset: usize, out: &mut Vec<Highlight>) {
    let mut at = 0;
    while let Some(found) = line
        .get(at..)
        .and_then(|rest| rest.find(['`', '(']).map(|found| at + found))
    {
        let rest = line.get(found + 1..).unwrap_or_default();
        let is_code = line.as_bytes().get(found) == Some(&b'`');
        let is_link = !is_code
            && line
                .get(..found)
                .is_some_and(|before| before.ends_with(']'));
        let end = match (is_code, is_link) {
            (true, _) => rest
                .find('`')
                .map(|end| (found, found + end + 2, HighlightClass::Code)),
            (_, true) => rest
                .find(')')
                .map(|end| (found + 1, found + 1 + end, HighlightClass::Link)),
            _ => None,
        };
        match end {
            Some((start, end, class)) if start < end => {
                out.push(Highlight {
                    start: (offset + start) as u32,
                    end: (offset + end) as u32,
                    class,
                });
                at = end;
            }
            _ => at = found + 1,
        }
    }
}
