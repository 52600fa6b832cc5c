//! Tells where in a text a word is: in code, in a comment, in a string, in a document. A reader of snapshots has no
//! parser, so this is a lexer of the few tokens that tell these apart, one pass over the text.

use syntax::Language;

/// Kind of text around a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// Code.
    Code,
    /// A comment.
    Comment,
    /// A string or character.
    String,
    /// Prose, configuration or data.
    Document,
}

impl Place {
    /// Returns `code`, `comment`, `string` or `document`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Comment => "comment",
            Self::String => "string",
            Self::Document => "document",
        }
    }
}

/// How a family of languages writes comments and strings. Longer delimiters come first.
struct Lexis {
    line: &'static [&'static str],
    block: &'static [(&'static str, &'static str)],
    quotes: &'static [Quote],
}

impl Lexis {
    /// Bytes that a comment or string can begin with: most bytes of a text are not among them.
    fn first_bytes(&self) -> [bool; 256] {
        let mut first = [false; 256];
        let openings = (self.line.iter().copied())
            .chain(self.block.iter().map(|(open, _)| *open))
            .chain(self.quotes.iter().map(|quote| quote.open));
        for byte in openings.filter_map(|open| open.bytes().next()) {
            first[usize::from(byte)] = true;
        }
        first
    }
}

struct Quote {
    open: &'static str,
    close: &'static str,
    is_multiline: bool,
    has_escapes: bool,
    /// Holds one character: elsewhere the same sign begins a lifetime, a label, a digit separator.
    is_char: bool,
}

const fn quote(open: &'static str, is_multiline: bool, has_escapes: bool) -> Quote {
    Quote {
        open,
        close: open,
        is_multiline,
        has_escapes,
        is_char: false,
    }
}

const CHAR: Quote = Quote {
    is_char: true,
    ..quote("'", false, true)
};

const SLASHES: Lexis = Lexis {
    line: &["//"],
    block: &[("/*", "*/")],
    quotes: &[
        quote("\"\"\"", true, true),
        quote("\"", true, true),
        quote("'", false, true),
        quote("`", true, true),
    ],
};
/// As `SLASHES`, with `'` for characters only.
const CHARACTERS: Lexis = Lexis {
    quotes: &[
        quote("\"\"\"", true, true),
        quote("\"", true, true),
        CHAR,
        quote("`", true, true),
    ],
    ..SLASHES
};
const HASHES: Lexis = Lexis {
    line: &["#"],
    block: &[],
    quotes: &[
        quote("\"\"\"", true, true),
        quote("'''", true, true),
        quote("\"", false, true),
        quote("'", false, true),
    ],
};
const PHP: Lexis = Lexis {
    line: &["//", "#"],
    block: &[("/*", "*/")],
    quotes: &[quote("\"", true, true), quote("'", true, true)],
};
const SHELL: Lexis = Lexis {
    line: &["#"],
    block: &[],
    quotes: &[quote("\"", true, true), quote("'", true, false)],
};
const LUA: Lexis = Lexis {
    line: &["--"],
    block: &[("--[[", "]]"), ("[[", "]]")],
    quotes: &[quote("\"", false, true), quote("'", false, true)],
};
const HASKELL: Lexis = Lexis {
    line: &["--"],
    block: &[("{-", "-}")],
    quotes: &[quote("\"", false, true)],
};
const SQL: Lexis = Lexis {
    line: &["--"],
    block: &[("/*", "*/")],
    quotes: &[quote("'", true, false)],
};

/// Delimiters of a language; `None` if it is not code.
fn lexis(language: Language) -> Option<&'static Lexis> {
    Some(match language.name() {
        "markdown" | "text" | "html" | "toml" | "json" | "jsonc" | "yaml" | "css" => return None,
        "python" | "ruby" | "elixir" => &HASHES,
        "bash" => &SHELL,
        "lua" => &LUA,
        "haskell" => &HASKELL,
        "sql" => &SQL,
        "php" => &PHP,
        "javascript" | "typescript" | "tsx" | "dart" => &SLASHES,
        _ => &CHARACTERS,
    })
}

/// Returns the place of each offset; offsets must ascend. Linear in the text.
#[must_use]
pub fn places(language: Language, text: &str, offsets: &[usize]) -> Vec<Place> {
    let Some(lexis) = lexis(language) else {
        return vec![Place::Document; offsets.len()];
    };
    let bytes = text.as_bytes();
    let begins = lexis.first_bytes();
    let mut found = Vec::with_capacity(offsets.len());
    let mut at = 0;
    while found.len() < offsets.len() && at < bytes.len() {
        let rest = bytes.get(at..).unwrap_or_default();
        let plain = rest.iter().take_while(|byte| !begins[usize::from(**byte)]);
        let (length, place) = match plain.count() {
            0 => token(lexis, rest),
            length => (length, Place::Code),
        };
        at += length;
        while offsets.get(found.len()).is_some_and(|offset| *offset < at) {
            found.push(place);
        }
    }
    found.resize(offsets.len(), Place::Code);
    found
}

/// Length and place of the token that the text starts with; at least one byte.
fn token(lexis: &Lexis, rest: &[u8]) -> (usize, Place) {
    let starts = |open: &str| rest.starts_with(open.as_bytes());
    if let Some((open, close)) = lexis.block.iter().find(|(open, _)| starts(open)) {
        let inner = rest.get(open.len()..).unwrap_or_default();
        let end =
            find(inner, close.as_bytes()).map_or(rest.len(), |end| open.len() + end + close.len());
        return (end, Place::Comment);
    }
    if lexis.line.iter().any(|open| starts(open)) {
        return (line_length(rest), Place::Comment);
    }
    if let Some(quote) = lexis.quotes.iter().find(|quote| starts(quote.open)) {
        return match string_length(quote, rest) {
            Some(length) => (length, Place::String),
            // The apostrophe of a lifetime or a label, or a string that never ends: code continues after it.
            None => (1, Place::Code),
        };
    }
    (1, Place::Code)
}

/// Length of a string with its quotes; `None` if it does not end where such a string may.
fn string_length(quote: &Quote, rest: &[u8]) -> Option<usize> {
    let mut at = quote.open.len();
    while let Some(byte) = rest.get(at) {
        match byte {
            b'\\' if quote.has_escapes => at += 1,
            b'\n' if !quote.is_multiline => return None,
            _ if rest
                .get(at..)
                .is_some_and(|rest| rest.starts_with(quote.close.as_bytes())) =>
            {
                let inner = rest.get(quote.open.len()..at).unwrap_or_default();
                return (!quote.is_char || is_character(inner)).then_some(at + quote.close.len());
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// Returns true for one character, or for an escape sequence.
fn is_character(inner: &[u8]) -> bool {
    let text = std::str::from_utf8(inner).unwrap_or_default();
    text.starts_with('\\') || text.chars().count() == 1
}

fn line_length(rest: &[u8]) -> usize {
    memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1)
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    memchr::memmem::find(text, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(language: Language, text: &str, expected: &[&str]) {
        let offsets: Vec<usize> = text.match_indices('x').map(|(at, _)| at).collect();
        let found: Vec<&str> = places(language, text, &offsets)
            .into_iter()
            .map(Place::name)
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn code_comments_and_strings() {
        check(
            Language::Rust,
            "x(\"x \\\" x\", 'x'); // x 'x\n/* x */ fn f<'a>(x: &'a str) {}",
            &[
                "code", "string", "string", "string", "comment", "comment", "comment", "code",
            ],
        );
        check(
            Language::Python,
            "x = 'it''s x' # x\n\"\"\"x\n x\"\"\"\nx",
            &["code", "string", "comment", "string", "string", "code"],
        );
        check(
            Language::JavaScript,
            "`x ${x}` + x",
            &["string", "string", "code"],
        );
        check(Language::Markdown, "x 'x' # x", &["document"; 3]);
        check(Language::Go, "x \"open x\n", &["code", "code"]);
    }
}
